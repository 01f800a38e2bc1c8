/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "toy_device.h"
#include "session_bench.h"

struct tacho_session *open_session(struct bench *bench, const struct tacho_session_options *options)
{
	struct tacho_session_options own = {0};
	struct tacho_session *session;

	if (options)
		own = *options;
	own.size = sizeof(own);
	assert_int_equal(tacho_session_create(bench->device, bench->plan, &own, &session), 0);
	return session;
}

void begin(struct bench *bench, const char *names)
{
	if (!toy.traits.replays)
		toy.traits.replays = CALLER;
	bench_open(bench, &toy_backend);
	assert_int_equal(bench_plan(bench, names, NULL), 0);
}

void run(struct tacho_session *session, tacho_range parent, uint64_t id, uint64_t work)
{
	tacho_range range;

	assert_int_equal(tacho_session_begin_range(session, parent, id, "r", &range), 0);
	toy_work(session, work);
	assert_int_equal(tacho_session_end_range(session, range), 0);
}

struct tacho_result *take(struct tacho_session *session, size_t rows)
{
	struct tacho_result *result;
	size_t ready;

	assert_int_equal(tacho_session_drain(session, 0, &ready), 0);
	assert_int_equal(ready, rows);
	assert_int_equal(tacho_session_take(session, &result), 0);
	assert_int_equal(tacho_result_get_row_count(result), rows);
	return result;
}

void finish(struct bench *bench, struct tacho_session *session, struct tacho_result *result)
{
	tacho_result_destroy(result);
	tacho_session_destroy(session);
	bench_close(bench);
}
