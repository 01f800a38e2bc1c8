/* SPDX-License-Identifier: MIT */
/* What is noted of dispatches until their values come, and times of AMD's library on other clocks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "inject/rocm/rocm_clock.h"
#include "inject/rocm/rocm_functions.h"
#include "inject/rocm/rocm_notes.h"

enum { SLOTS = 65536 };

struct tacho__rocm_functions tacho__rocm; /* the tool's own is not linked */

static void test_note(void **state)
{
	struct tacho__rocm_note note, again, found, forgotten;

	(void)state;
	assert_false(tacho__rocm_note_find(7, &found));
	note = tacho__rocm_note_launch(7, &forgotten);
	assert_int_equal(forgotten.dispatch, 0);
	assert_int_equal(note.thread, gettid());
	assert_true(note.tick && note.monotonic_ns);
	again = tacho__rocm_note_launch(7, &forgotten); /* both callbacks of one launch */
	assert_int_equal(again.tick, note.tick);
	assert_true(tacho__rocm_note_find(7, &found));
	assert_int_equal(found.tick, note.tick);
	assert_int_equal(found.monotonic_ns, note.monotonic_ns);
	assert_false(found.is_awaited);
	assert_false(tacho__rocm_note_settle(7));
}

static void test_await(void **state)
{
	struct tacho__rocm_note note, forgotten;
	uint32_t index = 0;

	(void)state;
	tacho__rocm_note_launch(100, &forgotten);
	tacho__rocm_note_await(100);
	tacho__rocm_note_launch(101, &forgotten);
	tacho__rocm_note_await(101);
	assert_true(tacho__rocm_note_settle(101));
	assert_false(tacho__rocm_note_settle(101)); /* values come once */
	assert_true(tacho__rocm_note_next_awaited(&index, &note));
	assert_int_equal(note.dispatch, 100);
	assert_false(tacho__rocm_note_next_awaited(&index, &note));
	/* the one that takes its place says that it was still awaited */
	tacho__rocm_note_launch(100 + SLOTS, &forgotten);
	assert_int_equal(forgotten.dispatch, 100);
	assert_false(tacho__rocm_note_find(100, &note));
	assert_false(tacho__rocm_note_settle(100));
	tacho__rocm_note_launch(100 + 2 * SLOTS, &forgotten);
	assert_int_equal(forgotten.dispatch, 0);
}

/* Many threads launch, others hear of the values: nothing is settled twice, or not at all. */
enum { THREADS = 4, EACH = 10000 };
static uint32_t settled[THREADS];

static void *launch(void *user)
{
	uint64_t first = 1000000 + (uint64_t)(uintptr_t)user * EACH;
	struct tacho__rocm_note note, forgotten;

	for (uint64_t i = first; i < first + EACH; i++) {
		tacho__rocm_note_launch(i, &forgotten);
		tacho__rocm_note_await(i);
		if (tacho__rocm_note_find(i, &note) && note.is_awaited &&
		    note.thread == (uint32_t)gettid())
			settled[(uintptr_t)user] += tacho__rocm_note_settle(i);
	}
	return NULL;
}

static void test_threads(void **state)
{
	pthread_t threads[THREADS];
	uint32_t index = 0;
	struct tacho__rocm_note note;

	(void)state;
	for (uintptr_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, launch, (void *)i), 0);
	for (uintptr_t i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(settled[i], EACH);
	}
	assert_false(tacho__rocm_note_next_awaited(&index, &note));
}

static rocprofiler_status_t get_boottime(rocprofiler_timestamp_t *out_ns)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	*out_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec + 12345678901;
	return ROCPROFILER_STATUS_SUCCESS;
}

static rocprofiler_status_t get_nothing(rocprofiler_timestamp_t *out_ns)
{
	(void)out_ns;
	return ROCPROFILER_STATUS_ERROR;
}

static void test_clock(void **state)
{
	struct tacho__rocm_instant instant = {.tick = 42};
	struct timespec before, after;

	(void)state;
	tacho__rocm.get_timestamp = get_nothing;
	assert_false(tacho__rocm_clock_read(&instant));
	assert_int_equal(instant.tick, 42);
	tacho__rocm.get_timestamp = get_boottime;
	clock_gettime(CLOCK_MONOTONIC, &before);
	assert_true(tacho__rocm_clock_read(&instant));
	clock_gettime(CLOCK_MONOTONIC, &after);
	assert_in_range(instant.monotonic_ns,
			(uint64_t)before.tv_sec * 1000000000 + (uint64_t)before.tv_nsec,
			(uint64_t)after.tv_sec * 1000000000 + (uint64_t)after.tv_nsec);
}

static void test_span(void **state)
{
	/* 3 ticks a nanosecond; the host's clock is 1000 ns behind the library's */
	const struct tacho__rocm_span span = {
		.first = {.library_ns = 5000, .monotonic_ns = 4000, .tick = 100000},
		.last = {.library_ns = 9000, .monotonic_ns = 8000, .tick = 112000}};
	const struct tacho__rocm_span point = {.first = span.first, .last = span.first};

	(void)state;
	assert_int_equal(tacho__rocm_span_get_tick(&span, 5000), 100000);
	assert_int_equal(tacho__rocm_span_get_tick(&span, 7000), 106000);
	assert_int_equal(tacho__rocm_span_get_tick(&span, 9000), 112000);
	assert_int_equal(tacho__rocm_span_get_tick(&span, 4000), 97000);
	assert_int_equal(tacho__rocm_span_get_tick(&span, 10000), 115000);
	assert_int_equal(tacho__rocm_span_get_monotonic(&span, 7000), 6000);
	assert_int_equal(tacho__rocm_span_get_monotonic(&span, 4000), 3000);
	assert_int_equal(tacho__rocm_span_get_tick(&point, 12345), 100000);
	/* days apart: nothing runs over */
	assert_int_equal(tacho__rocm_span_get_tick(&span, 5000 + UINT64_C(1000000000000000)),
			 100000 + UINT64_C(3000000000000000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_note),	cmocka_unit_test(test_await),
		cmocka_unit_test(test_threads), cmocka_unit_test(test_clock),
		cmocka_unit_test(test_span),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
