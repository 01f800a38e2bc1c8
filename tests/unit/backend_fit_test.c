/* SPDX-License-Identifier: MIT */
/*
 * Whether backend.h and session.h fit what devices do. Four fakes: the caller replays, to a depth
 * that is known only then; a vendor's library replays and made the plan; launches of 16 threads
 * whose values come on another thread; windows of time of which some are lost.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "plan/from_passes.h"
#include "base/clock.h"
#include "base/cond.h"
#include "toy_device.h"

enum { THREADS = 16, LAUNCHES = 40 };

static struct tacho_session *open_session(struct bench *bench, uint32_t replay, uint64_t window_ns)
{
	const struct tacho_session_options options = {
		.size = sizeof(options), .replay = replay, .window_ns = window_ns};
	struct tacho_session *session;

	assert_int_equal(tacho_session_create(bench->device, bench->plan, &options, &session), 0);
	return session;
}

static size_t ready_of(struct tacho_session *session, uint64_t timeout_ns)
{
	size_t ready = 99;

	assert_int_equal(tacho_session_drain(session, timeout_ns, &ready), 0);
	return ready;
}

/* 1. The caller replays. The device counts one level of ranges at a time. */

static void run_frame(struct tacho_session *session)
{
	tacho_range frame, pass, draw;

	assert_int_equal(tacho_session_begin_range(session, 0, 1, "frame", &frame), 0);
	toy_work(session, 1);
	assert_int_equal(tacho_session_begin_range(session, frame, 2, "pass", &pass), 0);
	toy_work(session, 10);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(tacho_session_begin_range(session, pass, 3, "draw", &draw), 0);
		toy_work(session, 100 * (i + 1));
		assert_int_equal(tacho_session_end_range(session, draw), 0);
	}
	assert_int_equal(tacho_session_end_range(session, pass), 0);
	assert_int_equal(tacho_session_end_range(session, frame), 0);
}

static void test_caller(void **state)
{
	/* A range has its own work and that of the ranges in it. */
	static const double works[] = {1 + 10 + 100 + 200, 10 + 100 + 200, 100, 200};
	static const uint64_t parents[] = {0, 1, 2, 2}, repetitions[] = {0, 0, 0, 1};
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	unsigned runs = 0;
	int more;

	toy.traits = (struct tacho__device_traits){.replays = 1u << TACHO_REPLAY_CALLER,
						   .modes = {{.levels = 1}}};
	bench_open(&bench, &toy_backend);
	assert_int_equal(bench_plan(&bench, "T1,T2,T3", NULL), 0);
	session = open_session(&bench, TACHO_REPLAY_CALLER, 0);
	do {
		assert_int_equal(tacho_session_begin_pass(session), 0);
		run_frame(session);
		assert_int_equal(ready_of(session, 0), 0);
		assert_int_equal(tacho_session_end_pass(session, &more), 0);
		runs++;
	} while (more && runs < 20);
	assert_int_equal(runs, 6); /* 2 passes x 3 levels */
	assert_int_equal(ready_of(session, 0), 4);
	assert_int_equal(tacho_session_take(session, &result), 0);
	assert_int_equal(tacho_result_get_row_count(result), 4);
	for (size_t i = 0; i < 4; i++) {
		assert_true(value_of(result, "T1", i) == works[i]);
		assert_true(value_of(result, "T2", i) == 2 * works[i]);
		assert_true(value_of(result, "T3", i) == 3 * works[i]);
		assert_int_equal(state_of(result, "T3", i), TACHO_STATE_OK);
		assert_int_equal(tacho_result_get_row(result, i)->parent, parents[i]);
		assert_int_equal(tacho_result_get_row(result, i)->repetition, repetitions[i]);
	}
	assert_int_equal(tacho_session_get_seen(session, 0), 3);
	assert_int_equal(tacho_session_get_seen(session, 3), 3);
	tacho_result_destroy(result);
	tacho_session_destroy(session);
	bench_close(&bench);
}

/* 2. A vendor's library made the plan, replays by itself and has worked metrics out. */

static int vendor_plan(struct tacho_device *device, const struct tacho_config *config,
		       const struct tacho_plan_options *options, struct tacho_plan **out_plan)
{
	static const char *const names[][2] = {{"Vendor", "T3"}, {"T1", "S1"}};
	struct tacho_plan_counter counters[2][2];
	struct tacho_plan_pass passes[2] = {0};

	for (size_t i = 0; i < 2; i++) {
		for (size_t k = 0; k < 2; k++)
			counters[i][k] = (struct tacho_plan_counter){
				tacho_arch_find_entry(device->traits.arch, names[i][k]), ""};
		passes[i].counters = counters[i];
		passes[i].counter_count = 2;
	}
	return tacho__plan_create_from_passes(config, passes, 2, NULL, out_plan);
}

/* The library runs the work twice while the range ends, and has the second run's values first. */
static int vendor_range_end(struct tacho__collection *base, uint64_t key)
{
	struct toy_collection *collection = TACHO__OWN(struct toy_collection, base);
	struct toy_row row = {.key = key};
	int rc;

	pthread_mutex_lock(&collection->base.lock);
	for (size_t i = 0; i < collection->range_count; i++)
		if (collection->ranges[i].key == key) {
			row.work = collection->ranges[i].work;
			collection->ranges[i].is_open = 0;
		}
	pthread_mutex_unlock(&collection->base.lock);
	rc = toy_deliver(base, 1, &row, 1, 0);
	return rc ? rc : toy_deliver(base, 0, &row, 1, 0);
}

static void test_vendor(void **state)
{
	struct tacho__backend vendor = toy_backend;
	struct tacho_session_options options = {.size = sizeof(options)};
	struct tacho_plan_summary summary;
	struct tacho_session *session;
	struct tacho_result *result;
	tacho_range range;
	struct bench bench;
	int more = 1;

	vendor.plan = vendor_plan;
	vendor.end_range = vendor_range_end;
	toy.traits.replays = 1u << TACHO_REPLAY_VENDOR;
	bench_open(&bench, &vendor);
	assert_int_equal(bench_plan(&bench, "Vendor,Largest,Ratio", NULL), 0);
	tacho_plan_get_summary(bench.plan, &summary);
	assert_int_equal(summary.pass_count, 2);
	assert_int_equal(summary.lower_bound, 0);
	assert_int_equal(summary.is_optimal, -1);
	assert_int_equal(tacho_session_create(bench.device, bench.plan, &options, &session),
			 TACHO_E_UNSUPPORTED);
	assert_string_equal(tacho_error_last()->cause, "it can do: vendor");
	session = open_session(&bench, TACHO_REPLAY_VENDOR, 0);
	assert_int_equal(tacho_session_begin_pass(session), TACHO_E_INVAL);
	assert_int_equal(tacho_session_begin_range(session, 0, 7, "launch", &range), 0);
	toy_work(session, 5);
	assert_int_equal(ready_of(session, 0), 0);
	assert_int_equal(tacho_session_end_range(session, range), 0);
	assert_int_equal(ready_of(session, 0), 1);
	assert_int_equal(tacho_session_take(session, &result), 0);
	assert_true(value_of(result, "Vendor", 0) == 12);
	assert_true(value_of(result, "Largest", 0) == 6 * 5);
	assert_true(value_of(result, "Ratio", 0) == 100.0 * 5 / 15);
	assert_int_equal(tacho_session_get_seen(session, 0), 3);
	assert_int_equal(tacho_session_end_pass(session, &more), 0);
	assert_int_equal(more, 0);
	assert_int_equal(TACHO__OWN(struct toy_collection, session->collection)->passes_begun, 1);
	tacho_result_destroy(result);
	tacho_session_destroy(session);
	bench_close(&bench);
}

/* 3. Launches of many threads. Their values come in batches, on a thread of the device. */

/* Up to TOY_BATCH of those that are due, the last ones first. */
static size_t collect(struct toy_collection *collection, struct toy_row *rows)
{
	size_t count = 0;

	for (size_t i = collection->range_count; i-- > 0 && count < TOY_BATCH;) {
		struct toy_range *range = &collection->ranges[i];

		if (!range->is_due)
			continue;
		range->is_due = 0;
		rows[count++] = (struct toy_row){.key = range->key, .work = range->work};
	}
	return count;
}

static void *run_device(void *user)
{
	struct toy_collection *collection = user;
	struct toy_row rows[TOY_BATCH];
	size_t count;

	pthread_mutex_lock(&collection->base.lock);
	while (!collection->is_over) {
		count = collect(collection, rows);
		if (!count) {
			pthread_cond_wait(&collection->base.changed, &collection->base.lock);
			continue;
		}
		pthread_mutex_unlock(&collection->base.lock);
		usleep(200); /* later than the call that ended the range */
		toy_deliver(&collection->base, 0, rows, count, 0);
		pthread_mutex_lock(&collection->base.lock);
		collection->ended -= count;
		pthread_cond_broadcast(&collection->base.changed);
	}
	pthread_mutex_unlock(&collection->base.lock);
	return NULL;
}

static int async_begin(struct tacho_device *base, const struct tacho__collection_options *options,
		       struct tacho__collection **out_collection)
{
	struct toy_collection *collection;
	int rc = toy_begin(base, options, out_collection);

	if (rc)
		return rc;
	collection = TACHO__OWN(struct toy_collection, *out_collection);
	return pthread_create(&collection->thread, NULL, run_device, collection);
}

static int async_drain(struct tacho__collection *base, uint64_t timeout_ns)
{
	struct toy_collection *collection = TACHO__OWN(struct toy_collection, base);
	uint64_t end_ns = tacho__clock_monotonic_ns() + timeout_ns;
	bool is_over = !timeout_ns;
	int waits;

	pthread_mutex_lock(&collection->base.lock);
	while (collection->ended && !is_over)
		is_over = !tacho__cond_wait(&base->changed, &base->lock, end_ns);
	waits = collection->ended != 0;
	pthread_mutex_unlock(&collection->base.lock);
	return waits ? tacho__fail(TACHO_E_TIMEOUT, "", "wait longer", "values are on their way")
		     : 0;
}

static void async_end(struct tacho__collection *base)
{
	struct toy_collection *collection = TACHO__OWN(struct toy_collection, base);
	pthread_mutex_lock(&collection->base.lock);
	collection->is_over = 1;
	pthread_cond_broadcast(&collection->base.changed);
	pthread_mutex_unlock(&collection->base.lock);
	pthread_join(collection->thread, NULL);
	toy_end(base);
}

struct launcher {
	struct tacho_session *session;
	tacho_range outer;
	uint64_t number;
	pthread_t thread;
	int failures;
};

static void *launch(void *user)
{
	struct launcher *launcher = user;
	struct tacho_session *session = launcher->session;
	uint64_t id = 100 + launcher->number;

	for (uint64_t i = 0; i < LAUNCHES; i++) {
		tacho_range range;

		if (i % 2) {
			launcher->failures += tacho_session_begin_range(session, launcher->outer,
									id, "k", &range) != 0;
			toy_work_in(session, range, launcher->number * 1000 + i);
			launcher->failures += tacho_session_end_range(session, range) != 0;
		} else {
			launcher->failures += tacho_session_push_range(session, id, "k") != 0;
			launcher->failures += tacho_session_push_range(session, 1, "inner") != 0;
			launcher->failures += tacho_session_pop_range(session) != 0;
			launcher->failures += tacho_session_pop_range(session) != 0;
		}
	}
	return NULL;
}

/* Each thread's ranges under the outer one have the work 1, 3, 5 ... of the thread. */
static void check_launches(const struct tacho_result *result)
{
	size_t count = tacho_result_get_row_count(result), found = 0;

	for (size_t i = 0; i < count; i++) {
		const struct tacho_row *row = tacho_result_get_row(result, i);
		double value = value_of(result, "T2", i);

		assert_int_equal(state_of(result, "T2", i), TACHO_STATE_OK);
		if (row->parent == 1) {
			assert_true(value == 2.0 * (double)((row->id - 100) * 1000 +
							    2 * row->repetition + 1));
			found++;
		} else if (i) {
			assert_true(value == 0);
		}
	}
	assert_int_equal(found, THREADS * LAUNCHES / 2);
}

static void test_threads(void **state)
{
	struct tacho__backend async = toy_backend;
	struct launcher launchers[THREADS];
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	tacho_range outer;

	async.begin = async_begin;
	async.drain = async_drain;
	async.end = async_end;
	toy.is_async = 1;
	toy.traits.replays = 1u << TACHO_REPLAY_CALLER;
	bench_open(&bench, &async);
	assert_int_equal(bench_plan(&bench, "T2,S1", NULL), 0);
	session = open_session(&bench, TACHO_REPLAY_NONE, 0);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	assert_int_equal(tacho_session_begin_range(session, 0, 1, "all", &outer), 0);
	for (uint64_t i = 0; i < THREADS; i++) {
		launchers[i] = (struct launcher){.session = session, .outer = outer, .number = i};
		assert_int_equal(pthread_create(&launchers[i].thread, NULL, launch, &launchers[i]),
				 0);
	}
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(launchers[i].thread, NULL);
		assert_int_equal(launchers[i].failures, 0);
	}
	assert_int_equal(tacho_session_end_range(session, outer), 0);
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	assert_int_equal(ready_of(session, UINT64_C(20000000000)),
			 1 + THREADS * LAUNCHES / 2 + THREADS * LAUNCHES);
	assert_int_equal(tacho_session_take(session, &result), 0);
	check_launches(result);
	tacho_result_destroy(result);
	tacho_session_destroy(session);
	bench_close(&bench);
}

/* 4. Windows of time; the device tells of reports that it lost. */

static int stream_begin_range(struct tacho__collection *base, uint64_t key, uint64_t parent)
{
	fail_msg("a stream was asked for a range");
	return 0;
}

static void deliver_windows(struct tacho_session *session, uint64_t first, size_t count,
			    uint64_t lost)
{
	struct tacho_row abouts[TOY_BATCH];
	struct toy_row rows[TOY_BATCH];

	for (size_t i = 0; i < count; i++) {
		abouts[i] = (struct tacho_row){.id = first + i, .name = "w"};
		rows[i] = (struct toy_row){.work = first + i, .row = &abouts[i]};
	}
	assert_int_equal(toy_deliver(session->collection, 0, rows, count, lost), 0);
}

static void test_stream(void **state)
{
	static const uint64_t ids[] = {0, 1, 5, 6};
	const struct tacho_session_options wrong = {.size = sizeof(wrong), .window_ns = 1000};
	struct tacho__backend stream = toy_backend;
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	tacho_range range;

	stream.begin_range = stream_begin_range;
	toy.traits =
		(struct tacho__device_traits){.replays = 1u << TACHO_REPLAY_NONE, .has_windows = 1};
	bench_open(&bench, &stream);
	assert_int_equal(bench_plan(&bench, "T1,T2,T3", NULL), 0);
	assert_int_equal(tacho_session_create(bench.device, bench.plan, &wrong, &session),
			 TACHO_E_PASSES);
	assert_int_equal(bench_plan(&bench, "T1,Sum12", NULL), 0);
	session = open_session(&bench, TACHO_REPLAY_NONE, 1000);
	assert_int_equal(tacho_session_begin_range(session, 0, 1, "", &range), TACHO_E_UNSUPPORTED);
	deliver_windows(session, 0, 2, 0);
	deliver_windows(session, 5, 2, 3); /* 2, 3 and 4 are lost before these */
	assert_int_equal(ready_of(session, 0), 4);
	assert_int_equal(tacho_session_take(session, &result), 0);
	assert_int_equal(tacho_result_get_row_count(result), 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(tacho_result_get_row(result, i)->id, ids[i]);
		assert_true(value_of(result, "T1", i) == (double)ids[i]);
		assert_true(value_of(result, "Sum12", i) == 3.0 * (double)ids[i]);
		assert_int_equal(state_of(result, "T1", i),
				 i == 2 ? TACHO_STATE_LOST : TACHO_STATE_OK);
		assert_int_equal(state_of(result, "Sum12", i),
				 i == 2 ? TACHO_STATE_LOST : TACHO_STATE_OK);
	}
	tacho_result_destroy(result);
	assert_int_equal(tacho_session_get_lost_rows(session), 3);

	deliver_windows(session, 0, 0,
			1); /* nothing came after row 6 was taken: the next one has it */
	deliver_windows(session, 8, 1, 0);
	deliver_windows(session, 0, 0, 2); /* at the end: what came last has it */
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	assert_int_equal(tacho_session_take(session, &result), 0);
	assert_int_equal(tacho_result_get_row_count(result), 1);
	assert_int_equal(state_of(result, "T1", 0), TACHO_STATE_LOST);
	assert_int_equal(tacho_session_get_lost_rows(session), 6);
	tacho_result_destroy(result);
	tacho_session_destroy(session);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_caller),
		cmocka_unit_test(test_vendor),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_stream),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
