/* SPDX-License-Identifier: MIT */
/* Ranges, frames and passes in summaries of recordings whose every value is known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdbool.h>
#include <string.h>

#include "sample_recording.h"
#include "tacho/summary.h"

static struct tacho_summary *summarize(struct fake_recording *recording)
{
	struct tacho_summary *summary;

	assert_int_equal(tacho_summary_create(fake_recording(recording), &summary), 0);
	return summary;
}

/* The line of that name on that device; fails the test when there is none. */
static const struct tacho_summary_line *find(const struct tacho_summary *summary,
					     enum tacho_summary_key key, const char *name,
					     const char *device)
{
	const struct tacho_summary_line *line;

	for (size_t i = 0; (line = tacho_summary_get_line(summary, key, i)); i++)
		if (!strcmp(line->name, name) && !strcmp(line->device, device))
			return line;
	fail_msg("no line %s on %s", name, device);
	return NULL;
}

static bool has_note(const struct tacho_summary *summary, const char *part)
{
	const char *note;

	for (size_t i = 0; (note = tacho_summary_get_note(summary, i)); i++)
		if (strstr(note, part))
			return true;
	return false;
}

static const struct tacho_summary_line *find_range(const struct tacho_summary *summary,
						   const char *name)
{
	return find(summary, TACHO_BY_RANGE, name, "");
}

/* Times of hosts and of devices, at all depths, of what sample_ranges() tells. */
static void test_ranges(void **state)
{
	struct tacho_summary *summary = summarize(sample_ranges());
	const struct tacho_summary_line *line;

	assert_int_equal(tacho_summary_get_line_count(summary, TACHO_BY_RANGE), 6);
	line = find_range(summary, "epoch");
	assert_int_equal(line->range_kind, TACHO_RANGE_PROCESS);
	assert_int_equal(line->count, 1);
	assert_int_equal(line->total_ns, 144000);
	assert_int_equal(line->own_ns, 144000);
	assert_int_equal(line->launches, 1);
	assert_int_equal(line->commands, 2);
	assert_int_equal(line->device_measured, 2);
	assert_int_equal(line->device_ns, 50000 + 20000);
	assert_int_equal(line->bytes, 4096);
	line = find_range(summary, "frame 1");
	assert_int_equal(line->total_ns, 52000);
	assert_int_equal(line->own_ns, 52000 - 5000);
	assert_int_equal(line->launches, 1);
	assert_int_equal(line->device_ns, 20000);
	assert_int_equal(line->bytes, 0);
	line = find_range(summary, "frame 1/step <1>");
	assert_int_equal(line->total_ns, 5000);
	assert_int_equal(line->own_ns, 5000);
	assert_int_equal(line->launches, 1);
	line = find_range(summary, "io, all");
	assert_string_equal(line->domain, "disk");
	assert_int_equal(line->total_ns, 47800);
	assert_int_equal(line->commands, 0);
	line = find_range(summary, "here");
	assert_int_equal(line->range_kind, TACHO_RANGE_MARK);
	assert_int_equal(line->count, 1);
	assert_int_equal(line->measured, 0);
	line = find_range(summary, "never ends");
	assert_int_equal(line->total_ns, 340000);
	assert_ptr_equal(line, tacho_summary_get_line(summary, TACHO_BY_RANGE, 0));
	assert_true(has_note(summary, "1 named range had not ended when recording did"));
	tacho_summary_destroy(summary);
}

enum { FRAMES = 21 };

/* The first takes longest, the tenth is a stutter, the fifteenth just none; the last goes on. */
static void make_frames(struct tacho_named_range *frames, const struct tacho_process *process)
{
	uint64_t at_ns = 1000000000000;

	for (uint64_t i = 0; i <= FRAMES; i++) {
		frames[i] = (struct tacho_named_range){.kind = TACHO_RANGE_FRAME,
						       .name = "frame",
						       .domain = "",
						       .api = "test",
						       .process = process,
						       .id = i + 1,
						       .number = i + 1,
						       .start_ns = at_ns,
						       .is_open = i == FRAMES};
		at_ns += i == 0 ? 900 : i == 9 ? 350 : i == 14 ? 200 : 100;
		frames[i].end_ns = at_ns;
	}
}

static void check_frames(const struct tacho_summary *summary)
{
	const struct tacho_frames *all = tacho_summary_get_frames(summary);
	const struct tacho_frame *frame;

	assert_int_equal(all->count, FRAMES);
	assert_int_equal(all->measured, FRAMES - 1);
	assert_int_equal(all->series, 1);
	assert_int_equal(all->min_ns, 100);
	assert_int_equal(all->p50_ns, 100);
	assert_int_equal(all->p95_ns, 200);
	assert_int_equal(all->p99_ns, 350);
	assert_int_equal(all->max_ns, 350);
	assert_int_equal(all->total_ns, 18 * 100 + 200 + 350);
	assert_int_equal(all->stutters, 1);
	assert_int_equal(all->stutter_ns, 200);
	for (size_t i = 0; (frame = tacho_summary_get_frame(summary, i)); i++) {
		assert_int_equal(frame->number, i + 1);
		assert_int_equal(frame->is_first, i == 0);
		assert_int_equal(frame->is_stutter, i == 9);
		assert_int_equal(frame->submits, i == 1);
		assert_int_equal(frame->transfers, i == 1);
		assert_int_equal(frame->dispatches, i == 1);
		assert_int_equal(frame->shown_ns, i == 2 ? 900 : 0);
		assert_int_equal(frame->device_ns, i == 1 ? 50000 + 20000 : 0);
	}
	assert_null(tacho_summary_get_frame(summary, FRAMES));
}

/* What is in a frame is that of the calls in it; of one that goes on nothing counts. */
static void test_frames(void **state)
{
	static struct tacho_named_range frames[FRAMES + 1];
	static const struct tacho_named_range *const second[] = {&frames[1]};
	static const struct tacho_named_range *const third[] = {&frames[2]};
	static const struct tacho_named_range *const last[] = {&frames[FRAMES]};
	static const struct tacho_function submits = {.api = "x", .name = "submit", .submits = 1},
					   shows = {.api = "x", .name = "show", .shows = 1};
	static struct fake_range ranges[FRAMES + 1];
	static struct fake_call calls[5];
	struct fake_recording recording = *sample_vadd();
	struct tacho_summary *summary = summarize(&recording);

	assert_null(tacho_summary_get_frames(summary));
	assert_null(tacho_summary_get_frame(summary, 0));
	tacho_summary_destroy(summary);
	make_frames(frames, &recording.processes[0]);
	for (size_t i = 0; i <= FRAMES; i++)
		ranges[i] = (struct fake_range){&frames[i], 4};
	memcpy(calls, recording.calls, 4 * sizeof(calls[0]));
	for (size_t i = 1; i < 4; i++)
		calls[i].call.range_count = 1;
	calls[1].call.ranges = calls[2].call.ranges = second;
	calls[1].call.function = &submits;
	calls[3].call.ranges = third;
	calls[3].call.function = &shows;
	calls[3].call.end_ns = calls[3].call.start_ns + 900;
	calls[4] = calls[1];
	calls[4].call.ranges = last;
	recording.calls = calls;
	recording.call_count = 5;
	recording.ranges = ranges;
	recording.range_count = FRAMES + 1;
	summary = summarize(&recording);
	check_frames(summary);
	assert_int_equal(find_range(summary, "frame")->count, FRAMES);
	assert_false(has_note(summary, "named range"));
	tacho_summary_destroy(summary);
}

/* Lines by pass and by command; what no command with times is in has none. */
static void test_passes(void **state)
{
	static struct tacho_named_range pass, label;
	static const struct tacho_named_range *const both[] = {&pass, &label};
	static const struct fake_range ranges[] = {{&pass, 3}, {&label, 3}};
	static struct fake_call calls[4];
	struct fake_recording recording = *sample_vadd();
	struct tacho_summary *summary;
	const struct tacho_summary_line *line;

	memcpy(calls, recording.calls, sizeof(calls));
	calls[2].call.ranges = both;
	calls[2].call.range_count = 2;
	label = (struct tacho_named_range){.kind = TACHO_RANGE_LABEL,
					   .name = "scene",
					   .domain = "",
					   .api = "test",
					   .process = &recording.processes[0],
					   .id = 1,
					   .start_ns = 7000,
					   .end_ns = 7000,
					   .queue = calls[2].call.command->queue};
	pass = label;
	pass.kind = TACHO_RANGE_PASS;
	pass.name = "shadows";
	pass.parent = &label;
	pass.id = 2;
	pass.start_ns = 5000;
	pass.has_device_times = 1;
	recording.calls = calls;
	recording.ranges = ranges;
	recording.range_count = 2;
	summary = summarize(&recording);
	assert_int_equal(tacho_summary_get_line_count(summary, TACHO_BY_PASS), 1);
	line = tacho_summary_get_line(summary, TACHO_BY_PASS, 0);
	assert_string_equal(line->name, "scene/shadows");
	assert_int_equal(line->total_ns, 2000);
	assert_int_equal(line->launches, 1);
	line = find_range(summary, "scene");
	assert_int_equal(line->measured, 0);
	assert_int_equal(line->state, TACHO_STATE_ABSENT);
	assert_string_equal(line->reason, "no command in it has times");
	assert_int_equal(tacho_summary_get_line_count(summary, TACHO_BY_COMMAND), 2);
	tacho_summary_destroy(summary);
}

/* The last line, and only where there are ranges. */
static void test_outside_of_ranges(void **state)
{
	static struct fake_call calls[4];
	struct fake_recording recording = *sample_ranges();
	struct tacho_summary *summary = summarize(sample_vadd());
	const struct tacho_summary_line *line;

	assert_int_equal(tacho_summary_get_line_count(summary, TACHO_BY_RANGE), 0);
	tacho_summary_destroy(summary);
	memcpy(calls, recording.calls, sizeof(calls));
	calls[2].call.range_count = 0;
	recording.calls = calls;
	summary = summarize(&recording);
	assert_int_equal(tacho_summary_get_line_count(summary, TACHO_BY_RANGE), 7);
	line = tacho_summary_get_line(summary, TACHO_BY_RANGE, 6);
	assert_int_equal(line->is_outside, 1);
	assert_int_equal(line->count, 0);
	assert_int_equal(line->launches, 1);
	assert_int_equal(line->device_ns, 20000);
	assert_int_equal(find_range(summary, "epoch")->launches, 0);
	assert_int_equal(find_range(summary, "epoch")->bytes, 4096);
	tacho_summary_destroy(summary);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_passes),
		cmocka_unit_test(test_outside_of_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
