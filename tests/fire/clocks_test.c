/* SPDX-License-Identifier: MIT */
/*
 * Clocks that are stepped and slewed under a recording, in a clock table of the test's own: the
 * system's clock is never touched. Bound: where the rate of CLOCK_MONOTONIC changes by R between
 * two anchors that are D apart, times between them are off by R * D / 4 at most, times D after the
 * last one by R * D, and all by as much as an anchor says that its own reads may be apart. All of
 * these are more on a busy machine.
 */
#include "fire.h"
#include "record/reader.h"

#include <sys/mman.h>

enum { INSTANTS = 600, PAUSE_US = 4000, PERIOD_NS = 700000000, LASTS_NS = 3000000 };
enum { ROUNDING_NS = 10 }; /* of ticks, of rates and of both ends */

/* NTP slews by 500 parts in a million at most: here from one extreme to the other. */
#define SLEW	500e-6
#define HOUR_NS INT64_C(3600000000000)

/* Shared with the child: the slewed clock before and after each call. */
static struct {
	uint64_t before_ns[INSTANTS], after_ns[INSTANTS];
} * instants;

static uint64_t origin_ns;

/* RAW, fast in every second period and slow in the others. Continuous. */
static uint64_t slewed_ns(void)
{
	uint64_t now = tacho__clock_raw_ns(), span = now - origin_ns, rest = span % PERIOD_NS;
	bool is_slow = (span / PERIOD_NS) % 2;
	double gained = is_slow ? (double)PERIOD_NS - (double)rest : (double)rest;

	return now + (uint64_t)(gained * SLEW);
}

/* Steps by an hour, forward and back, whenever the rate changes. */
static uint64_t stepped_ns(void)
{
	uint64_t span = tacho__clock_raw_ns() - origin_ns;

	return slewed_ns() + UINT64_C(1700000000000000000) +
	       (uint64_t)((span / PERIOD_NS) % 2 ? HOUR_NS : 0);
}

/* In this process, before its keeper and the program are forked from it. */
static void substitute(void)
{
	origin_ns = tacho__clock_raw_ns();
	tacho__clock_table.monotonic_ns = slewed_ns;
	tacho__clock_table.realtime_ns = stepped_ns;
}

static void make_calls(void *unused)
{
	for (int i = 0; i < INSTANTS; i++) {
		instants->before_ns[i] = slewed_ns();
		sample_poke(1, 1, 0);
		instants->after_ns[i] = slewed_ns();
		usleep(PAUSE_US);
	}
}

/* How far a call's times may be off, by the anchors that the recorder managed to set. */
static double bound_ns(const struct tacho__clock_map *clocks, const struct tacho_call *call)
{
	const struct tacho__anchor *last = &clocks->anchors[clocks->count - 1];
	uint64_t longest_ns = 0, after_ns = 0;

	assert_true(clocks->count > 2);
	for (size_t i = 1; i < clocks->count; i++) {
		uint64_t span_ns = clocks->anchors[i].raw_ns - clocks->anchors[i - 1].raw_ns;

		longest_ns = span_ns > longest_ns ? span_ns : longest_ns;
	}
	if (call->end_ns > last->monotonic_ns)
		after_ns = call->end_ns - last->monotonic_ns;
	return ((double)longest_ns / 4 + (double)after_ns) * 2 * SLEW +
	       (double)clocks->uncertainty_ns + ROUNDING_NS;
}

/* A call took no longer than from the read before it to the read after it, at another rate. */
static void check_duration(const struct tacho__clock_map *clocks, const struct tacho_call *call,
			   uint64_t bracket_ns)
{
	double most_ns = (double)bracket_ns * (1 + SLEW) / (1 - SLEW) +
			 2 * (double)clocks->uncertainty_ns + ROUNDING_NS;

	assert_true(call->end_ns >= call->start_ns);
	assert_true((double)(call->end_ns - call->start_ns) <= most_ns);
}

static void test_steps_and_slew(void **state)
{
	const struct fire_program program = {.work = make_calls};
	char *path = fire_recording("/tmp");
	struct tacho_recording *recording;
	const struct tacho__clock_map *clocks;
	struct tacho_cursor *cursor;
	const struct tacho_call *call;
	uint64_t last_ns = 0;
	double worst_ns = 0;
	int count = 0;

	instants = mmap(NULL, sizeof(*instants), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	assert_ptr_not_equal(instants, MAP_FAILED);
	assert_int_equal(fire_wait(fire_start(path, &program, -1)), 0);
	assert_int_equal(tacho_recording_open(path, &recording), 0);
	clocks = recording->processes[0]->clocks;
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	for (; tacho_cursor_next(cursor, &call) == 1; count++) {
		double early = (double)instants->before_ns[count] - (double)call->start_ns;
		double late = (double)call->end_ns - (double)instants->after_ns[count];

		assert_true(call->start_ns >= last_ns); /* it never goes back */
		check_duration(clocks, call,
			       instants->after_ns[count] - instants->before_ns[count]);
		last_ns = call->end_ns;
		worst_ns = early > worst_ns ? early : worst_ns;
		worst_ns = late > worst_ns ? late : worst_ns;
		assert_true(early <= bound_ns(clocks, call) && late <= bound_ns(clocks, call));
	}
	print_message("at most %.0f ns off\n", worst_ns);
	assert_int_equal(count, INSTANTS);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
	fire_remove(path);
}

/* On the device's clock each launch takes just LASTS_NS, however fast CLOCK_MONOTONIC ticks. */
static void launch_on_raw(void *unused)
{
	sample_make_objects("1");
	for (int i = 0; i < INSTANTS; i++) {
		void *token = sample_launch();
		uint64_t queued = tacho__clock_raw_ns(), start = queued + 100;

		usleep(PAUSE_US);
		sample_complete(token, queued, queued + 50, start, start + LASTS_NS);
	}
}

static void test_durations_are_the_devices_own(void **state)
{
	const struct fire_program program = {.work = launch_on_raw};
	char *path = fire_recording("/tmp");
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	const struct tacho_call *call;
	int count = 0;

	assert_int_equal(fire_wait(fire_start(path, &program, -1)), 0);
	assert_int_equal(tacho_recording_open(path, &recording), 0);
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	for (; tacho_cursor_next(cursor, &call) == 1; count++) {
		assert_int_equal(call->command->state, TACHO_STATE_OK);
		assert_string_equal(call->command->clock, "CLOCK_MONOTONIC_RAW");
		assert_int_equal(call->command->submit_ns - call->command->queued_ns, 50);
		assert_int_equal(call->command->end_ns - call->command->start_ns, LASTS_NS);
	}
	assert_int_equal(count, INSTANTS);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
	fire_remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_durations_are_the_devices_own),
		cmocka_unit_test(test_steps_and_slew),
	};

	substitute();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
