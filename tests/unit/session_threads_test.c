/* SPDX-License-Identifier: MIT */
/* Sessions at the same time: several devices, many threads in each, rows taken meanwhile. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tacho/error.h"
#include "toy_device.h"

enum { DEVICES = 4, WORKERS = 4, RANGES = 30 };

static int probe_devices(struct tacho_probe *probe, struct tacho_probe_backend *backend_info)
{
	for (size_t i = 0; i < DEVICES; i++) {
		struct tacho_device_info *info = tacho__probe_add_device_info(probe);

		if (!info)
			return TACHO_E_NOMEM;
		info->name = tacho__probe_text(probe, "toy %zu", i);
		info->usable = 1;
	}
	return 0;
}

static struct tacho_context *open_context(void)
{
	static struct tacho__backend backend;
	static const struct tacho__backend *const table[] = {&backend, NULL};
	const struct tacho_catalog_options catalog = {
		.size = sizeof(catalog), .arch = "any", .api = "cl", .no_environment = 1};
	const struct tacho_context_options options = {.size = sizeof(options), .catalog = &catalog};
	struct tacho_context *context;

	backend = toy_backend;
	backend.probe = probe_devices;
	toy.traits.replays = 1u << TACHO_REPLAY_CALLER | 1u << TACHO_REPLAY_ROTATE;
	assert_int_equal(tacho__context_create(&options, table, &context), 0);
	return context;
}

/* One thread in a session: the i-th range of its id has the work i. */
struct worker {
	struct tacho_session *session;
	uint64_t number;
	pthread_t thread;
	unsigned failures;
};

static void *run_worker(void *user)
{
	struct worker *worker = user;
	tacho_range range;

	for (uint64_t i = 1; i <= RANGES; i++) {
		worker->failures += tacho_session_push_range(worker->session, 1000, "outer") != 0;
		worker->failures += tacho_session_begin_range(worker->session, 0, worker->number,
							      "r", &range) != 0;
		toy_work_in(worker->session, range, i);
		worker->failures += tacho_session_end_range(worker->session, range) != 0;
		worker->failures += tacho_session_pop_range(worker->session) != 0;
	}
	return NULL;
}

static unsigned run_workers(struct tacho_session *session)
{
	struct worker workers[WORKERS];
	unsigned failures = 0;

	for (uint64_t i = 0; i < WORKERS; i++) {
		workers[i] = (struct worker){.session = session, .number = i};
		failures += pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]) != 0;
	}
	for (size_t i = 0; i < WORKERS; i++) {
		pthread_join(workers[i].thread, NULL);
		failures += workers[i].failures;
	}
	return failures;
}

/* Values that are not what they should be. */
static unsigned count_wrong(const struct tacho_result *result, double scale)
{
	const struct tacho_column *column = tacho_result_find_column(result, "T3");
	unsigned wrong = tacho_result_get_row_count(result) != 2 * WORKERS * RANGES;

	for (size_t i = 0; i < tacho_result_get_row_count(result); i++) {
		const struct tacho_row *row = tacho_result_get_row(result, i);
		double work = row->id == 1000 ? 0 : (double)(row->repetition + 1);

		wrong += tacho_column_get_state(column, i, 0) != TACHO_STATE_OK ||
			 tacho_column_get_value(column, i, 0) != scale * work;
	}
	return wrong;
}

struct user {
	struct tacho_context *context;
	size_t device;
	pthread_t thread;
	unsigned failures;
};

static unsigned measure(struct tacho_device *device, const struct tacho_plan *plan)
{
	struct tacho_session *session;
	struct tacho_result *result;
	unsigned failures = 0;
	int more = 1;

	if (tacho_session_create(device, plan, NULL, &session))
		return 1;
	while (more && !failures) {
		failures += tacho_session_begin_pass(session) != 0;
		failures += run_workers(session);
		failures += tacho_session_end_pass(session, &more) != 0;
	}
	failures += tacho_session_drain(session, UINT64_MAX, NULL) != 0;
	if (!tacho_session_take(session, &result)) {
		failures += count_wrong(result, 3);
		tacho_result_destroy(result);
	}
	tacho_session_destroy(session);
	return failures;
}

/* A device with all that belongs to it, on a thread of its own. */
static void *use_device(void *data)
{
	const struct tacho_config_entry entries[] = {
		{.name = "T1"}, {.name = "T2"}, {.name = "T3"}, {.name = "Largest"}};
	struct user *user = data;
	struct tacho_config *config = NULL;
	struct tacho_plan *plan = NULL;
	struct tacho_device *device;

	if (tacho_device_open(user->context,
			      tacho_context_get_device_info(user->context, user->device),
			      &device)) {
		user->failures++;
		return NULL;
	}
	user->failures +=
		tacho_config_create(tacho_device_get_arch(device), NULL, entries, 4, &config) != 0;
	user->failures += tacho_device_plan(device, config, NULL, &plan) != 0;
	for (unsigned i = 0; i < 3 && !user->failures; i++)
		user->failures += measure(device, plan);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	tacho_device_close(device);
	return NULL;
}

static void test_devices(void **state)
{
	struct user users[DEVICES];
	struct tacho_context *context = open_context();

	for (size_t i = 0; i < DEVICES; i++) {
		users[i] = (struct user){.context = context, .device = i};
		assert_int_equal(pthread_create(&users[i].thread, NULL, use_device, &users[i]), 0);
	}
	for (size_t i = 0; i < DEVICES; i++) {
		pthread_join(users[i].thread, NULL);
		assert_int_equal(users[i].failures, 0);
	}
	tacho_context_destroy(context);
}

static void *run_all_workers(void *user)
{
	struct worker *all = user;

	all->failures = run_workers(all->session);
	return NULL;
}

/* Rows are taken while ranges begin and end: each comes once, with its value. */
static void test_taking(void **state)
{
	double wanted = 2.0 * WORKERS * RANGES * (RANGES + 1) / 2, sum = 0;
	struct worker all = {0};
	struct bench bench;
	size_t rows = 0;

	toy.traits.replays = 1u << TACHO_REPLAY_CALLER;
	bench_open(&bench, &toy_backend);
	assert_int_equal(bench_plan(&bench, "T2,S1", NULL), 0);
	assert_int_equal(tacho_session_create(bench.device, bench.plan, NULL, &all.session), 0);
	assert_int_equal(tacho_session_begin_pass(all.session), 0);
	assert_int_equal(pthread_create(&all.thread, NULL, run_all_workers, &all), 0);
	while (rows < (size_t)2 * WORKERS * RANGES) {
		struct tacho_result *result;
		size_t ready;

		assert_int_equal(tacho_session_drain(all.session, 0, &ready), 0);
		assert_int_equal(tacho_session_take(all.session, &result), 0);
		assert_true(tacho_result_get_row_count(result) >= ready);
		for (size_t i = 0; i < tacho_result_get_row_count(result); i++)
			sum += value_of(result, "T2", i);
		rows += tacho_result_get_row_count(result);
		tacho_result_destroy(result);
	}
	pthread_join(all.thread, NULL);
	assert_int_equal(all.failures, 0);
	assert_int_equal(rows, 2 * WORKERS * RANGES);
	assert_true(sum == wanted);
	tacho_session_destroy(all.session);
	bench_close(&bench);
}

/* Passes alternate under ranges of many threads: no range is open then at the device. */
static void test_rotating(void **state)
{
	const struct tacho_session_options options = {.size = sizeof(options),
						      .replay = TACHO_REPLAY_ROTATE};
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;

	toy.traits.replays = 1u << TACHO_REPLAY_ROTATE;
	bench_open(&bench, &toy_backend);
	assert_int_equal(bench_plan(&bench, "T1,T2,T3,T4", NULL), 0);
	assert_int_equal(tacho_session_create(bench.device, bench.plan, &options, &session), 0);
	assert_int_equal(run_workers(session), 0);
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	assert_int_equal(tacho_session_take(session, &result), 0);
	assert_int_equal(tacho_result_get_row_count(result), 1 + WORKERS);
	tacho_result_destroy(result);
	tacho_session_destroy(session);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_devices),
		cmocka_unit_test(test_taking),
		cmocka_unit_test(test_rotating),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
