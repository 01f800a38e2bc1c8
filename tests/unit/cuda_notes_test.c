/* SPDX-License-Identifier: MIT */
/* What is noted of calls until the device tells of their work, and times of records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inject/cuda/cuda_clock.h"
#include "inject/cuda/cuda_functions.h"
#include "inject/cuda/cuda_notes.h"
#include "record/wire.h"

enum { THREADS = 4, CALLS = 20000 };

struct tacho__cuda_functions tacho__cuda; /* the tool's own is not linked */

/* What was completed: tokens are pointers to these. */
struct token {
	atomic_uint completed;
	struct tacho__times times;
};

static void on_complete(void *token, const struct tacho__times *times)
{
	struct token *done = token;

	done->times = *times;
	atomic_fetch_add(&done->completed, 1);
}

static int set_up(void **state)
{
	static const struct tacho__subscriber subscriber = {.complete = on_complete};

	(void)state;
	return !tacho__intercept_subscribe(&subscriber);
}

static const struct tacho__times ran = {
	.code = TACHO__SLOT_TIMES, .start = UINT64_MAX - 10, .end = UINT64_MAX - 5};

static void test_records_come_behind_the_call(void **state)
{
	struct tacho__cuda_note *note = tacho__cuda_note_begin(7, 0, 1234);
	struct tacho__cuda_place place;
	struct token token = {0};

	(void)state;
	assert_non_null(note);
	tacho__cuda_note_await(note, &token);
	assert_int_equal(tacho__cuda_note_count_awaited(), 1);
	assert_int_equal(token.completed, 0);
	assert_true(tacho__cuda_note_complete(7, &ran, &place));
	assert_int_equal(token.completed, 1);
	assert_int_equal(token.times.start, ran.start);
	/* the call was before the work, and is when it was queued */
	assert_true(token.times.queued && token.times.queued < ran.start);
	assert_int_equal(token.times.submit, token.times.queued);
	assert_int_equal(place.tick, 1234);
	assert_int_equal(place.thread, gettid());
	assert_int_equal(tacho__cuda_note_count_awaited(), 0);
}

static void test_records_come_before_the_call_returns(void **state)
{
	struct tacho__cuda_note *note = tacho__cuda_note_begin(8, 0, 5);
	struct tacho__cuda_place place;
	struct token token = {0};

	(void)state;
	assert_true(tacho__cuda_note_complete(8, &ran, &place));
	tacho__cuda_note_await(note, &token);
	assert_int_equal(token.completed, 1);
	assert_int_equal(token.times.end, ran.end);
	assert_int_equal(tacho__cuda_note_count_awaited(), 0);
}

static void test_further_records_of_a_call(void **state)
{
	const struct tacho__times later = {
		.code = TACHO__SLOT_TIMES, .start = ran.start + 2, .end = ran.end + 2};
	struct tacho__cuda_note *note = tacho__cuda_note_begin(9, 0, 77);
	struct tacho__cuda_place place;
	struct token token = {0};

	(void)state;
	tacho__cuda_note_await(note, &token);
	assert_true(tacho__cuda_note_complete(9, &ran, &place));
	assert_true(tacho__cuda_note_complete(9, &ran, &place)); /* the same again */
	assert_false(tacho__cuda_note_complete(9, &later, &place));
	assert_int_equal(place.tick, 77);
	assert_int_equal(token.completed, 1);
}

static void test_calls_without_a_command(void **state)
{
	struct tacho__cuda_place place;

	(void)state;
	tacho__cuda_note_keep(tacho__cuda_note_begin(10, 0, 99));
	assert_false(tacho__cuda_note_complete(10, &ran, &place));
	assert_int_equal(place.tick, 99);
	assert_false(tacho__cuda_note_complete(11, &ran, &place)); /* nobody knows it */
	assert_int_equal(place.tick, 0);
	assert_false(tacho__cuda_note_complete(0, &ran, &place));
	assert_int_equal(place.tick, 0);
}

static void test_number_of_the_call_around(void **state)
{
	struct tacho__cuda_note *note = tacho__cuda_note_begin(21, 20, 3);
	struct tacho__cuda_place place;
	struct token token = {0};

	(void)state;
	tacho__cuda_note_await(note, &token);
	assert_true(tacho__cuda_note_complete(20, &ran, &place));
	assert_int_equal(token.completed, 1);
	/* the next call of the driver in the same call of the runtime */
	note = tacho__cuda_note_begin(22, 20, 4);
	token.completed = 0;
	tacho__cuda_note_await(note, &token);
	assert_true(tacho__cuda_note_complete(20, &ran, &place));
	assert_int_equal(token.completed, 1);
}

static void test_giving_up(void **state)
{
	struct token old = {0}, new = {0};
	struct tacho__cuda_place place;

	(void)state;
	tacho__cuda_note_await(tacho__cuda_note_begin(30, 0, 1000), &old);
	tacho__cuda_note_await(tacho__cuda_note_begin(31, 0, 2000), &new);
	assert_int_equal(tacho__cuda_note_give_up(1500), 1);
	assert_int_equal(old.completed, 1);
	assert_int_equal(old.times.code, TACHO__SLOT_NO_PROFILING);
	assert_int_equal(new.completed, 0);
	assert_true(tacho__cuda_note_complete(31, &ran, &place));
}

static void test_full_table(void **state)
{
	enum { TRIES = 8 };
	struct token tokens[TRIES] = {{0}};
	struct tacho__cuda_place place;
	uint32_t first = 1000;

	(void)state;
	/* all that want the same place, and the ones behind it */
	for (uint32_t i = 0; i < TRIES; i++)
		tacho__cuda_note_await(
			tacho__cuda_note_begin(first + i * TACHO__CUDA_NOTES_MAX, 0, i + 1),
			&tokens[i]);
	assert_null(tacho__cuda_note_begin(first + TRIES * TACHO__CUDA_NOTES_MAX, 0, 9));
	/* a call without a note is still a call: its record is no other piece of work */
	assert_false(tacho__cuda_note_complete(first + 1, &ran, &place));
	assert_false(tacho__cuda_note_complete(first + TRIES * TACHO__CUDA_NOTES_MAX, NULL,
					       &place)); /* nodes of a graph */
	assert_true(tacho__cuda_note_complete(first + TRIES * TACHO__CUDA_NOTES_MAX, &ran, &place));
	assert_false(
		tacho__cuda_note_complete(first + TRIES * TACHO__CUDA_NOTES_MAX, &ran, &place));
	for (uint32_t i = 0; i < TRIES; i++) {
		assert_true(
			tacho__cuda_note_complete(first + i * TACHO__CUDA_NOTES_MAX, &ran, &place));
		assert_int_equal(place.tick, i + 1);
		assert_int_equal(tokens[i].completed, 1);
	}
}

static void test_times_on_other_clocks(void **state)
{
	const struct tacho__cuda_span span = {
		.first = {.tick = 1000, .monotonic_ns = 500, .record_ns = 7000},
		.last = {.tick = 3000, .monotonic_ns = 1500, .record_ns = 8000}};

	(void)state;
	assert_int_equal(tacho__cuda_span_get_tick(&span, 7500), 2000);
	assert_int_equal(tacho__cuda_span_get_tick(&span, 6500), 0);
	assert_int_equal(tacho__cuda_span_get_tick(&span, 9000), 5000);
	assert_int_equal(tacho__cuda_span_get_monotonic(&span, 7500), 1000);
	assert_int_equal(tacho__cuda_span_get_monotonic(&span, 9000), 2500);
}

/* ---- threads ---- */

static struct token all[THREADS][CALLS];
static atomic_uint last_call, finished;

struct work {
	uint32_t thread;
	uint32_t correlation[CALLS];
	bool was_noted[CALLS];
};

static void *call_often(void *data)
{
	struct work *work = data;

	for (uint32_t i = 0; i < CALLS; i++) {
		uint32_t correlation = atomic_fetch_add(&last_call, 1) + 1;
		struct tacho__cuda_note *note = tacho__cuda_note_begin(correlation, 0, i + 1);

		work->correlation[i] = correlation;
		work->was_noted[i] = note;
		if (note)
			tacho__cuda_note_await(note, &all[work->thread][i]);
	}
	atomic_fetch_add(&finished, 1);
	return NULL;
}

/* One thread takes records while others call; each call is completed once. */
static void test_threads(void **state)
{
	static struct work works[THREADS];
	pthread_t threads[THREADS];
	struct tacho__cuda_place place;
	uint32_t next = 1 << 20;

	(void)state;
	atomic_store(&last_call, next++);
	for (uint32_t i = 0; i < THREADS; i++) {
		works[i].thread = i;
		assert_int_equal(pthread_create(&threads[i], NULL, call_often, &works[i]), 0);
	}
	while (atomic_load(&finished) < THREADS || next <= atomic_load(&last_call))
		if (next <= atomic_load(&last_call) &&
		    tacho__cuda_note_complete(next, &ran, &place))
			next++;
	for (uint32_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (uint32_t i = 0; i < THREADS; i++)
		for (uint32_t k = 0; k < CALLS; k++)
			assert_int_equal(all[i][k].completed, works[i].was_noted[k]);
	assert_int_equal(tacho__cuda_note_count_awaited(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records_come_behind_the_call),
		cmocka_unit_test(test_records_come_before_the_call_returns),
		cmocka_unit_test(test_further_records_of_a_call),
		cmocka_unit_test(test_calls_without_a_command),
		cmocka_unit_test(test_number_of_the_call_around),
		cmocka_unit_test(test_giving_up),
		cmocka_unit_test(test_full_table),
		cmocka_unit_test(test_times_on_other_clocks),
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
