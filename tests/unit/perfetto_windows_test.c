/* SPDX-License-Identifier: MIT */
/* Counters that were sampled beside the program, in the trace for Perfetto. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "model/row.h"
#include "perfetto_decoder.h"
#include "perfetto_trace.h"

enum { COUNTERS = 2, START = 1000000100000 };

static const struct tacho_entry counters[] = {
	{.name = "power", .unit = "watts", .description = "drawn", .type = TACHO_TYPE_F64},
	{.name = "reads", .unit = "bytes", .description = "", .type = TACHO_TYPE_U64},
};

static const struct tacho_sampling samplings[] = {
	{.device = "nvml:X",
	 .window_ns = 1000,
	 .counters = counters,
	 .counter_count = COUNTERS,
	 .ended = "",
	 .ended_cure = ""},
	{0},
};

static struct tacho_result *make_row(double power, uint64_t reads, bool has_reads)
{
	struct tacho_result *result;
	struct tacho__row row;

	assert_int_equal(tacho__row_create(counters, NULL, COUNTERS, &row, &result), 0);
	tacho__row_put(&row, 0, (union tacho__number){.f64 = power});
	if (has_reads)
		tacho__row_put(&row, 1, (union tacho__number){.u64 = reads});
	return result;
}

/* The n-th sample of a counter. */
static void check_sample(const struct decoded *trace, const char *counter, size_t n,
			 uint64_t time_ns, double value)
{
	for (size_t i = 0; i < trace->event_count; i++) {
		const struct decoded_event *event = &trace->events[i];

		if (event->kind != DECODED_SAMPLE || strcmp(event->track->name, counter) || n--)
			continue;
		assert_int_equal(event->start_ns, time_ns);
		assert_true(event->value == value);
		return;
	}
	fail_msg("%s has fewer samples", counter);
}

/* Two windows that follow one another, a gap, one more; "reads" is absent in the second. */
static void test_tracks(void **state)
{
	static const uint64_t starts[] = {START, START + 1000, START + 5000};
	struct tacho_window windows[3];
	struct fake_window delivered[3];
	struct fake_recording recording = *sample_vadd();
	struct decoded *trace;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		windows[i] = (struct tacho_window){
			.sampling = &samplings[0],
			.index = i,
			.start_ns = starts[i],
			.end_ns = starts[i] + 1000,
			.uncertainty_ns = 10,
			.result = make_row(100.5 + (double)i, 4096 * (i + 1), i != 1),
		};
		delivered[i] = (struct fake_window){&windows[i], i};
	}
	recording.samplings = samplings;
	recording.windows = delivered;
	recording.window_count = 3;
	trace = export_trace(&recording);
	assert_int_equal(decoded_track(trace, "power")->parent_uuid,
			 decoded_track(trace, "nvml:X, sampled")->uuid);
	assert_string_equal(decoded_track(trace, "power")->unit_name, "watts");
	assert_true(decoded_track(trace, "reads")->is_counter);
	check_sample(trace, "power", 0, START, 100.5);
	check_sample(trace, "power", 1, START + 1000, 101.5);
	check_sample(trace, "power", 2, START + 2000, 0); /* the gap */
	check_sample(trace, "power", 3, START + 5000, 102.5);
	check_sample(trace, "power", 4, START + 6000, 0);
	check_sample(trace, "reads", 0, START, 4096);
	check_sample(trace, "reads", 1, START + 1000, 0); /* absent */
	check_sample(trace, "reads", 2, START + 5000, 12288);
	check_sample(trace, "reads", 3, START + 6000, 0);
	for (size_t i = 0; i < 3; i++)
		tacho_result_destroy((struct tacho_result *)windows[i].result);
	free(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_tracks)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
