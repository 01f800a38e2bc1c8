/* SPDX-License-Identifier: MIT */
/* Named ranges in the trace for Perfetto: where they are drawn, and what nests in them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "perfetto_decoder.h"
#include "perfetto_trace.h"
#include "sample_recording.h"

static void test_tracks(void **state)
{
	struct decoded *trace = export_trace(sample_ranges());
	const struct decoded_event *frame = decoded_get(trace, "frame 1", 0),
				   *step = decoded_get(trace, "step <1>", 0),
				   *io = decoded_get(trace, "io, all", 0),
				   *epoch = decoded_get(trace, "epoch", 0),
				   *mark = decoded_get(trace, "here", 0),
				   *unended = decoded_get(trace, "never ends", 0),
				   *launch = decoded_get(trace, "clEnqueueNDRangeKernel", 0),
				   *finish = decoded_get(trace, "clFinish", 0);

	check_time(frame, 1000000099000, 1000000151000);
	check_time(step, 1000000099500, 1000000104500);
	check_time(io, 1000000104200, 1000000152000);
	check_time(epoch, 1000000005000, 1000000149000);
	assert_int_equal(mark->start_ns, 1000000104800);
	assert_int_equal(mark->kind, DECODED_INSTANT);
	assert_int_equal(unended->start_ns, 1000000160000);
	assert_int_equal(unended->end_ns, 0);
	assert_ptr_equal(frame->track, launch->track);
	assert_ptr_equal(step->track, launch->track);
	assert_int_equal(frame->depth, 0);
	assert_int_equal(step->depth, 1);
	assert_int_equal(launch->depth, 2);
	assert_int_equal(finish->depth, 1); /* "step" has ended, "frame" has not */
	assert_int_equal(decoded_get(trace, "clEnqueueWriteBuffer", 0)->depth, 0);
	assert_int_equal(io->track->parent_uuid, launch->track->uuid);
	assert_string_equal(io->track->name, "ranges of disk");
	assert_string_equal(epoch->track->name, "ranges of the process");
	assert_string_equal(mark->track->name, "marks");
	assert_int_equal(epoch->track->parent_uuid, mark->track->parent_uuid);
	assert_int_equal(unended->track->tid, 501);
	HAS(step, "color=#ff336699");
	HAS(step, "api=tacho");
	HAS(io, "domain=disk");
	HAS(epoch, "thread=u4711");
	HAS(unended, "end=not known");
	free(trace);
}

/* Of the command that was recorded before, and of the pass; not of labels. */
static void check_stages(const struct decoded *trace, const struct tacho_command *command)
{
	const struct decoded_stage *stage = trace->stages;

	assert_int_equal(trace->stage_count, 2);
	assert_string_equal(stage->queue, "queue 1");
	assert_string_equal(stage->sort, "dispatch");
	assert_string_equal(stage->name, command->kernel->name);
	assert_string_equal(stage->context, "pid 4711, api 0");
	assert_int_equal(stage->start_ns, command->start_ns);
	assert_int_equal(stage->duration_ns, command->end_ns - command->start_ns);
	assert_true(stage->extras > 0);
	stage++;
	assert_string_equal(stage->queue, "queue 1");
	assert_string_equal(stage->sort, "render pass");
	assert_string_equal(stage->name, "inner");
	assert_int_equal(stage->start_ns, 1000000100000);
	assert_int_equal(stage->duration_ns, 3000);
}

/* Of a frame and of two labels in each other; a third has no times. */
static void test_frames_and_labels(void **state)
{
	static struct tacho_named_range ranges[4];
	static struct fake_range delivered[4];
	static struct fake_call calls[4];
	struct fake_recording recording = *sample_ranges();
	const struct tacho_object *queue = recording.calls[1].call.command->queue;
	const struct decoded_event *frame, *outer, *inner, *untimed;
	struct decoded *trace;

	for (size_t i = 0; i < 4; i++) {
		static const char *const names[] = {"frame", "outer", "inner", "untimed"};

		ranges[i] = (struct tacho_named_range){
			.kind = i ? TACHO_RANGE_LABEL : TACHO_RANGE_FRAME,
			.name = names[i],
			.domain = "",
			.api = "test",
			.process = &recording.processes[0],
			.thread = 4711,
			.id = i + 1,
			.number = i ? 0 : 7,
			.queue = i ? queue : NULL,
			.has_device_times = i == 1 || i == 2,
			.start_ns = 1000000100000,
			.end_ns = 1000000100000 + (i == 3 ? 0 : 9000 / (i + 1))};
		delivered[i] = (struct fake_range){&ranges[i], 4};
	}
	ranges[2].kind = TACHO_RANGE_PASS;
	ranges[2].parent = &ranges[1];
	ranges[2].depth = 1;
	memcpy(calls, recording.calls, sizeof(calls));
	calls[2].call.is_bare = 1; /* as of a buffer that was recorded before */
	recording.calls = calls;
	recording.ranges = delivered;
	recording.range_count = 4;
	trace = export_trace(&recording);
	check_stages(trace, calls[2].call.command);
	frame = decoded_get(trace, "frame 7", 0);
	outer = decoded_get(trace, "outer", 0);
	inner = decoded_get(trace, "inner", 0);
	untimed = decoded_get(trace, "untimed", 0);
	check_time(frame, 1000000100000, 1000000109000);
	check_time(outer, 1000000100000, 1000000104500);
	check_time(inner, 1000000100000, 1000000103000);
	assert_string_equal(frame->track->name, "frames");
	assert_string_equal(outer->track->name, "labels of queue 1");
	assert_string_equal(inner->track->name, "labels of queue 1");
	assert_ptr_not_equal(outer->track, inner->track);
	assert_int_equal(untimed->kind, DECODED_INSTANT);
	assert_string_equal(frame->category, "frame");
	assert_string_equal(inner->category, "pass");
	HAS(untimed, "not_drawn=no command in it has times");
	free(trace);
}

enum { CALLS = 1200, FRAMES = 4 };

/* Frames of hundreds of calls each, in one range around all: more than a lane remembers. */
static void test_many(void **state)
{
	static struct fake_call calls[CALLS];
	static struct tacho_named_range all, frames[FRAMES];
	static const struct tacho_named_range *lists[FRAMES][2];
	static struct fake_range ranges[FRAMES + 1];
	struct fake_recording recording = *sample_vadd();
	struct decoded *trace;

	all = (struct tacho_named_range){.kind = TACHO_RANGE_NESTED,
					 .name = "all",
					 .domain = "",
					 .api = "tacho",
					 .process = recording.processes,
					 .thread = 4711,
					 .id = 9,
					 .start_ns = 10,
					 .end_ns = 10 + 100 * CALLS};
	for (size_t i = 0; i < FRAMES; i++) {
		frames[i] = all;
		frames[i].name = "frame";
		frames[i].id = i + 1;
		frames[i].parent = &all;
		/* Each begins with its first call, and the first one with all. */
		frames[i].start_ns = 10 + 100 * (i * CALLS / FRAMES);
		frames[i].end_ns = 10 + 100 * ((i + 1) * CALLS / FRAMES) - 20;
		lists[i][0] = &frames[i];
		lists[i][1] = &all;
		ranges[i] = (struct fake_range){&frames[i], (i + 1) * CALLS / FRAMES};
	}
	ranges[FRAMES] = (struct fake_range){&all, CALLS};
	for (size_t i = 0; i < CALLS; i++) {
		calls[i] = recording.calls[3];
		calls[i].call.start_ns = 10 + 100 * i;
		calls[i].call.end_ns = 10 + 100 * i + 50;
		calls[i].call.ranges = lists[i * FRAMES / CALLS];
		calls[i].call.range_count = 2;
	}
	recording.calls = calls;
	recording.call_count = CALLS;
	recording.ranges = ranges;
	recording.range_count = FRAMES + 1;
	recording.run.start_ns = 1;
	trace = export_trace(&recording);
	assert_int_equal(decoded_get(trace, "all", 0)->depth, 0);
	check_time(decoded_get(trace, "all", 0), 10, 10 + 100 * CALLS);
	for (size_t i = 0; i < FRAMES; i++) {
		assert_int_equal(decoded_get(trace, "frame", i)->depth, 1);
		check_time(decoded_get(trace, "frame", i), frames[i].start_ns, frames[i].end_ns);
	}
	for (size_t i = 0; i < CALLS; i++)
		assert_int_equal(decoded_get(trace, "clFinish", i)->depth, 2);
	free(trace);
}

/* What a program cannot have done, but a damaged recording may say: nothing nests wrongly. */
static void test_crossing(void **state)
{
	static struct tacho_named_range one, other;
	static const struct tacho_named_range *const lists[] = {&other, &one};
	static struct fake_range ranges[] = {{&one, 1}, {&other, 1}};
	struct fake_recording recording = *sample_vadd();
	struct fake_call call = recording.calls[3];
	struct decoded *trace;

	one = (struct tacho_named_range){.kind = TACHO_RANGE_NESTED,
					 .name = "one",
					 .domain = "",
					 .api = "tacho",
					 .process = recording.processes,
					 .thread = 4711,
					 .id = 1,
					 .start_ns = 1000000100000,
					 .end_ns = 1000000160000};
	other = one;
	other.id = 2;
	other.name = "other";
	other.start_ns = 1000000101000;
	other.end_ns = 1000000170000;
	call.call.ranges = lists;
	call.call.range_count = 2;
	recording.calls = &call;
	recording.call_count = 1;
	recording.ranges = ranges;
	recording.range_count = 2;
	trace = export_trace(&recording);
	check_time(decoded_get(trace, "one", 0), 1000000100000, 1000000160000);
	check_time(decoded_get(trace, "other", 0), 1000000101000, 1000000160000);
	assert_int_equal(decoded_get(trace, "other", 1)->depth, 0); /* whole, on another lane */
	check_time(decoded_get(trace, "other", 1), 1000000101000, 1000000170000);
	free(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tracks),
		cmocka_unit_test(test_frames_and_labels),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_crossing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
