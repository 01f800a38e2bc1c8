/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "gl_fake.h"
#include "tacho/session.h"
#include "gl_bench.h"

struct gl_bench run;

int setup(void **state)
{
	fake_reset();
	memset(&run, 0, sizeof(run));
	return 0;
}

void close_session(void)
{
	tacho_result_destroy(run.result);
	tacho_session_destroy(run.session);
	tacho_plan_destroy(run.plan);
	tacho_config_destroy(run.config);
	run.result = NULL;
	run.session = NULL;
	run.plan = NULL;
	run.config = NULL;
}

int teardown(void **state)
{
	close_session();
	tacho_device_close(run.device);
	tacho_context_destroy(run.context);
	assert_int_equal(fake.generated, fake.deleted);
	assert_int_equal(fake.errors, 0);
	for (size_t i = 0; i < FAKE_ACTIVE; i++)
		assert_int_equal(fake.active[i].name, 0);
	return 0;
}

int try_device(void)
{
	const struct tacho_context_options options = {.size = sizeof(options), .backends = "gl"};
	const struct tacho_device_info *info;

	assert_int_equal(tacho_context_create(&options, &run.context), 0);
	info = tacho_context_get_device_info(run.context, 0);
	assert_non_null(info);
	return tacho_device_open(run.context, info, &run.device);
}

static void look_at_plan(void)
{
	struct tacho_plan_summary summary;

	tacho_plan_get_summary(run.plan, &summary);
	run.pass_count = summary.pass_count;
}

int try_plan(const char *list)
{
	int rc;

	if (!run.device)
		assert_int_equal(try_device(), 0);
	assert_int_equal(tacho_device_parse_config(run.device, list, NULL, &run.config, NULL), 0);
	rc = tacho_device_plan(run.device, run.config, NULL, &run.plan);
	if (!rc)
		look_at_plan();
	return rc;
}

void make_plan(const char *names)
{
	struct tacho_config_entry entries[64] = {0};
	char *text = strdup(names), *rest = NULL;
	size_t count = 0;

	if (!run.device)
		assert_int_equal(try_device(), 0);
	for (char *name = strtok_r(text, "|", &rest); name; name = strtok_r(NULL, "|", &rest))
		entries[count++].name = name;
	assert_int_equal(tacho_config_create(tacho_device_get_arch(run.device),
					     tacho_device_get_model(run.device), entries, count,
					     &run.config),
			 0);
	free(text);
	assert_int_equal(tacho_device_plan(run.device, run.config, NULL, &run.plan), 0);
	look_at_plan();
}

void make_session(const char *names)
{
	make_plan(names);
	begin_session();
}

void begin_session(void)
{
	assert_int_equal(tacho_session_create(run.device, run.plan, NULL, &run.session), 0);
}

void run_range(uint64_t id, uint64_t amount)
{
	tacho_range range;

	assert_int_equal(tacho_session_begin_range(run.session, 0, id, NULL, &range), 0);
	fake_work(amount);
	assert_int_equal(tacho_session_end_range(run.session, range), 0);
}

void run_all(void)
{
	int more = 1;

	while (more) {
		assert_int_equal(tacho_session_begin_pass(run.session), 0);
		run_range(1, 10);
		fake_work(7);
		run_range(2, 3);
		assert_int_equal(tacho_session_end_pass(run.session, &more), 0);
	}
	assert_int_equal(tacho_session_drain(run.session, SECOND_NS, NULL), 0);
	assert_int_equal(tacho_session_take(run.session, &run.result), 0);
	assert_int_equal(tacho_result_get_row_count(run.result), 2);
}

double get_value(const char *name, size_t row)
{
	const struct tacho_column *column = tacho_result_find_column(run.result, name);

	assert_non_null(column);
	if (column->states)
		assert_int_equal(column->states[row], TACHO_STATE_OK);
	return column->type == TACHO_TYPE_U64 ? (double)column->data.u64[row]
					      : column->data.f64[row];
}
