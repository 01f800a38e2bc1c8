/* SPDX-License-Identifier: MIT */
/*
 * Pipelined ranges of several threads in one range: while any of them is open the outer one has no
 * segment at the device, and rows are taken meanwhile.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sched.h>
#include <stdatomic.h>

#include "tacho/error.h"
#include "session_bench.h"

enum { WORKERS = 4, ROUNDS = 60, OUTER = 1000 };

static struct tacho_session *session;
static atomic_uint outer_open, inner_open, misplaced;

static atomic_uint *get_count(uint64_t key)
{
	const struct tacho__range *range;
	bool is_outer;

	pthread_mutex_lock(&session->lock);
	range = tacho__session_get_range(session, key);
	is_outer = range->row->id == OUTER;
	pthread_mutex_unlock(&session->lock);
	return is_outer ? &outer_open : &inner_open;
}

static int begin_watched(struct tacho__collection *collection, uint64_t key, uint64_t parent)
{
	atomic_uint *count = get_count(key);

	if (count == &outer_open)
		misplaced += inner_open || outer_open;
	else
		misplaced += outer_open != 0;
	sched_yield();
	++*count;
	misplaced += parent != 0;
	return toy_range_begin(collection, key, parent);
}

static int end_watched(struct tacho__collection *collection, uint64_t key)
{
	atomic_uint *count = get_count(key);

	sched_yield(); /* the others' turn, while the segment is still there */
	--*count;
	return toy_range_end(collection, key);
}

struct worker {
	tacho_range outer;
	uint64_t id;
	pthread_t thread;
	unsigned failures;
};

static void *run_worker(void *user)
{
	struct worker *worker = user;

	for (uint64_t i = 1; i <= ROUNDS; i++) {
		tacho_range child, grandchild;

		worker->failures += tacho_session_begin_range(session, worker->outer, worker->id,
							      "", &child) != 0;
		toy_work_in(session, child, i);
		worker->failures +=
			tacho_session_begin_range(session, child, 7, "", &grandchild) != 0;
		toy_work_in(session, grandchild, 1000 * i);
		worker->failures += tacho_session_end_range(session, grandchild) != 0;
		worker->failures += tacho_session_end_range(session, child) != 0;
	}
	return NULL;
}

static unsigned run_workers(void)
{
	struct worker workers[WORKERS];
	unsigned failures = 0;
	tacho_range outer;

	failures += tacho_session_begin_range(session, 0, OUTER, "", &outer) != 0;
	toy_work_in(session, outer, 3);
	for (uint64_t i = 0; i < WORKERS; i++) {
		workers[i] = (struct worker){.outer = outer, .id = i};
		failures += pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]) != 0;
	}
	for (size_t i = 0; i < WORKERS; i++) {
		pthread_join(workers[i].thread, NULL);
		failures += workers[i].failures;
	}
	toy_work_in(session, outer, 4);
	failures += tacho_session_end_range(session, outer) != 0;
	return failures;
}

static void *run_in_thread(void *user)
{
	*(unsigned *)user = run_workers();
	return NULL;
}

static void watch(struct bench *bench, struct tacho__backend *backend,
		  const struct tacho_session_options *options)
{
	*backend = toy_backend;
	backend->begin_range = begin_watched;
	backend->end_range = end_watched;
	toy.traits.replays = CALLER;
	toy.is_shared = 1;
	bench_open(bench, backend);
	assert_int_equal(bench_plan(bench, "T1:pipelined,S1:pipelined", NULL), 0);
	session = open_session(bench, options);
	outer_open = inner_open = misplaced = 0;
}

/* Every range is a row of its own; n ranges of the works 1 ... 60. */
static void test_threads(void **state)
{
	for (int accumulates = 0; accumulates < 2; accumulates++) {
		const struct tacho_session_options options = {.size = sizeof(options),
							      .accumulates = (uint32_t)accumulates};
		size_t rows = 1 + 2 * WORKERS * (accumulates ? 1 : ROUNDS);
		double sums[2] = {0};
		struct tacho__backend backend;
		struct tacho_result *result;
		struct bench bench;

		watch(&bench, &backend, &options);
		assert_int_equal(tacho_session_begin_pass(session), 0);
		assert_int_equal(run_workers(), 0);
		assert_int_equal(tacho_session_end_pass(session, NULL), 0);
		assert_int_equal(misplaced, 0);
		result = take(session, rows);
		assert_true(value_of(result, "T1", 0) == 7);
		for (size_t i = 1; i < rows; i++) {
			const struct tacho_row *row = tacho_result_get_row(result, i);

			assert_int_equal(state_of(result, "T1", i), TACHO_STATE_OK);
			sums[row->id == 7] += value_of(result, "T1", i);
		}
		assert_true(sums[0] == WORKERS * ROUNDS * (ROUNDS + 1) / 2.0);
		assert_true(sums[1] == 1000 * sums[0]);
		finish(&bench, session, result);
	}
}

/* What is complete is taken while segments begin and end; nothing comes twice or never. */
static void test_taking(void **state)
{
	double wanted = 7 + 1001.0 * WORKERS * ROUNDS * (ROUNDS + 1) / 2, sum = 0;
	struct tacho__backend backend;
	size_t rows = 0;
	struct bench bench;
	unsigned failures = 0;
	pthread_t thread;

	watch(&bench, &backend, NULL);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	assert_int_equal(pthread_create(&thread, NULL, run_in_thread, &failures), 0);
	while (rows < 1 + 2 * WORKERS * ROUNDS) {
		struct tacho_result *result;

		assert_int_equal(tacho_session_drain(session, 0, NULL), 0);
		assert_int_equal(tacho_session_take(session, &result), 0);
		for (size_t i = 0; i < tacho_result_get_row_count(result); i++)
			sum += value_of(result, "T1", i);
		rows += tacho_result_get_row_count(result);
		tacho_result_destroy(result);
	}
	pthread_join(thread, NULL);
	assert_int_equal(failures, 0);
	assert_int_equal(misplaced, 0);
	assert_true(sum == wanted);
	finish(&bench, session, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_taking),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
