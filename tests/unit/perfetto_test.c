/* SPDX-License-Identifier: MIT */
/* The trace for Perfetto, read back by a decoder of its own and by protoc. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <sys/stat.h>

#include "perfetto_decoder.h"
#include "sample_recording.h"
#include "tacho/tacho.h"
#include "test_folder.h"
#include "perfetto_trace.h"

/* ---- the run ---- */

static void test_clocks_and_run(void **state)
{
	struct fake_recording recording = *sample_vadd();
	struct decoded *trace;
	const struct decoded_event *run;

	recording.run.realtime_offset_ns = 5000;
	trace = export_trace(&recording);
	assert_int_equal(trace->primary_clock, 3);
	assert_int_equal(trace->default_clock, 3);
	assert_int_equal(trace->monotonic_ns, 999999000000);
	assert_int_equal(trace->realtime_ns, 999999005000);
	assert_string_equal(trace->release, "4.15.0");
	assert_string_equal(trace->machine, "h");
	run = &trace->events[0];
	assert_string_equal(run->track->name, "run");
	assert_string_equal(run->name, "vadd");
	check_time(run, 999999000000, 1000001000000);
	HAS(run, "generator=tacho 0");
	HAS(run, "arguments=-n 1024");
	HAS(run, "os_name=Ubuntu 18.04");
	HAS(run, "exit_status=i0");
	assert_null(strstr(run->notes, "why_empty"));
	free(trace);
}

/* Neither an end nor a status nor another clock is known. */
static void test_unknown_run(void **state)
{
	struct decoded *trace = export_trace(sample_mixed());
	const struct decoded_event *run = decoded_get(trace, "sh", 0);

	assert_int_equal(run->end_ns, 0);
	assert_null(strstr(run->notes, "exit_status"));
	assert_int_equal(trace->realtime_ns, 0);
	free(trace);
}

/* ---- tracks ---- */

static const struct decoded_track *find_thread(const struct decoded *trace, int64_t tid)
{
	for (size_t i = 0; i < trace->track_count; i++)
		if (trace->tracks[i].tid == tid)
			return &trace->tracks[i];
	fail_msg("no thread %d", (int)tid);
	return NULL;
}

static void test_processes_and_threads(void **state)
{
	struct decoded *trace = export_trace(sample_mixed());
	const struct decoded_track *process = &trace->tracks[0], *thread;

	assert_int_equal(process->pid, 4711);
	assert_int_equal(process->tid, 0);
	assert_string_equal(process->process_name, "vadd");
	assert_string_equal(process->command, "/home/u/vadd -n 1024");
	assert_int_equal(trace->tracks[1].pid, 9000);
	assert_string_equal(trace->tracks[1].process_name, "python3");
	thread = find_thread(trace, 501);
	assert_int_equal(thread->pid, 4711);
	assert_string_equal(thread->thread_name, "poller");
	assert_string_equal(find_thread(trace, 9000)->thread_name, "");
	assert_ptr_equal(decoded_get(trace, "clSVMFree", 0)->track, thread);
	free(trace);
}

static void test_devices_and_queues(void **state)
{
	struct decoded *trace = export_trace(sample_mixed());
	const struct decoded_track *first = decoded_track(trace, "gfx803 (device 1)");
	const struct decoded_track *second = decoded_track(trace, "gfx803 (device 3)");

	assert_int_equal(first->parent_uuid, trace->tracks[0].uuid);
	assert_int_equal(second->parent_uuid, trace->tracks[0].uuid);
	assert_int_equal(decoded_track(trace, "queue 1")->parent_uuid, first->uuid);
	assert_int_equal(decoded_track(trace, "queue 3")->parent_uuid, second->uuid);
	free(trace);
}

/* ---- calls ---- */

/* ---- commands ---- */

static void test_commands(void **state)
{
	struct decoded *trace = export_trace(sample_vadd());
	const struct decoded_event *launch = decoded_get(trace, "vadd", 1), *write;

	check_time(launch, 1000000120000, 1000000140000);
	assert_string_equal(launch->track->name, "queue 1");
	assert_string_equal(launch->category, "kernel");
	HAS(launch, "global[0]=u1024");
	HAS(launch, "local[0]=u64");
	HAS(launch, "first_launch=true");
	HAS(launch, "queued_ns=u1000000101000");
	HAS(launch, "submit_ns=u1000000102000");
	HAS(launch, "uncertainty_ns=u150");
	HAS(launch, "clock=CLOCK_MONOTONIC_RAW");
	write = decoded_get(trace, "CL_COMMAND_WRITE_BUFFER", 0);
	check_time(write, 1000000030000, 1000000080000);
	assert_string_equal(write->category, "write");
	HAS(write, "bytes=u4096");
	assert_ptr_equal(write->track, launch->track);
	free(trace);
}

static void test_command_buffers(void **state)
{
	struct decoded *trace = export_trace(sample_buffers());
	const struct decoded_event *first, *changed, *untimed;

	first = decoded_get(trace, "command buffer (3 kernels)", 0);
	check_time(first, 1000000020000, 1000000050000);
	assert_string_equal(first->track->name, "queue 1");
	assert_string_equal(first->category, "command buffer");
	HAS(first, "kernel_count=u3");
	HAS(first, "kernels[0]=vadd");
	HAS(first, "kernels[1]=scale");
	HAS(first, "kernels[2]=vadd");
	assert_null(strstr(first->notes, "|start="));
	changed = decoded_get(trace, "command buffer (3 kernels)", 2);
	HAS(changed, "start=when all in front of it had ended");
	untimed = decoded_get(trace, "clEnqueueCommandBufferKHR", 2);
	HAS(untimed, "command_not_drawn.name=command buffer (contents not known)");
	HAS(untimed, "command_not_drawn.not_known=the recorder could not follow what it holds");
	free(trace);
}

/* Two that overlap on one queue: side by side under one name, never one in the other. */
static void test_overlap(void **state)
{
	struct decoded *trace = export_trace(sample_mixed());
	const struct decoded_event *one = decoded_get(trace, "vadd", 0);
	const struct decoded_event *other = decoded_get(trace, "vadd", 1);

	check_time(one, 1000000120000, 1000000140000);
	check_time(other, 1000000130000, 1000000160000);
	assert_int_equal(one->depth, 0);
	assert_int_equal(other->depth, 0);
	assert_true(one->track != other->track);
	assert_string_equal(one->track->name, other->track->name);
	assert_int_equal(one->track->parent_uuid, other->track->parent_uuid);
	HAS(other, "global[1]=u8");
	assert_null(strstr(other->notes, "local"));
	free(trace);
}

/* ---- values ---- */

static const struct tacho_entry counters[] = {
	{.name = "WAVES",
	 .unit = "",
	 .description = "waves that were launched",
	 .group = "",
	 .semantic = "event",
	 .type = TACHO_TYPE_U64,
	 .is_simulated = 1},
	{.name = "Busy",
	 .unit = "percent",
	 .description = "",
	 .group = "",
	 .semantic = "ratio",
	 .type = TACHO_TYPE_F64},
	{.name = "moved",
	 .unit = "bytes",
	 .description = "",
	 .group = "",
	 .semantic = "event",
	 .type = TACHO_TYPE_U64},
	{.name = NULL},
};

static const struct tacho_recorded_counting counting = {.device = "mi300x [simulated]",
							.is_simulated = 1,
							.pass_count = 2,
							.replay = TACHO_REPLAY_KERNEL};

static const struct fake_value whole[] = {
	{.data.u64 = 16, .note = "", .coverage = 1},
	{.data.f64 = 12.5,
	 .state = TACHO_STATE_SCALED | TACHO_MARK_DIV0,
	 .note = "of half of it",
	 .coverage = 0.5},
	{.state = TACHO_STATE_ABSENT | TACHO_MARK_FOREIGN, .note = "", .coverage = 1}};
static const struct fake_value partial[] = {
	{.state = TACHO_STATE_ABSENT, .note = "no pass saw it", .coverage = 1},
	{.data.f64 = NAN, .note = "", .coverage = 1},
	{.data.u64 = UINT64_MAX, .note = "", .coverage = 1}};
static const struct fake_row rows[] = {
	{.values = whole, .count = 3, .is_counted = 1, .note = ""},
	{.values = partial, .count = 3, .is_counted = 1, .note = "one pass is missing"},
	{.count = 0, .note = ""}};

static struct fake_recording *sample_counted(void)
{
	static struct fake_recording recording;
	static struct fake_call calls[3];

	recording = *sample_vadd();
	for (size_t i = 0; i < 3; i++) {
		calls[i] = recording.calls[i == 1 ? 1 : 2];
		calls[i].values = &rows[i];
		calls[i].objects = 0;
	}
	calls[2].call.index = 3;
	recording.calls = calls;
	recording.call_count = 3;
	recording.counters = counters;
	recording.counting = &counting;
	return &recording;
}

static void check_sample(const struct decoded *trace, size_t index, const char *track,
			 uint64_t time_ns, double value)
{
	for (size_t i = 0; i < trace->event_count; i++) {
		const struct decoded_event *event = &trace->events[i];

		if (event->kind != DECODED_SAMPLE || index--)
			continue;
		assert_string_equal(event->track->name, track);
		assert_int_equal(event->start_ns, time_ns);
		assert_true(event->value == value);
		return;
	}
	fail_msg("there are fewer samples");
}

static void test_samples(void **state)
{
	struct decoded *trace = export_trace(sample_counted());
	const struct decoded_track *waves = decoded_track(trace, "WAVES [simulated]");
	const struct decoded_track *busy = decoded_track(trace, "Busy");

	assert_int_equal(waves->parent_uuid, decoded_track(trace, "queue 1")->uuid);
	assert_true(waves->is_counter && busy->is_counter);
	assert_string_equal(waves->description, "waves that were launched");
	assert_int_equal(waves->unit, 0);
	assert_string_equal(waves->unit_name, "");
	assert_string_equal(busy->unit_name, "percent");
	assert_int_equal(busy->rank, 1);
	assert_int_equal(decoded_track(trace, "moved")->unit, 3);

	/* What is absent or foreign, or no number, has none. */
	assert_int_equal(decoded_count(trace, DECODED_SAMPLE), 6);
	check_sample(trace, 0, "moved", 1000000030000, 18446744073709551615.0);
	check_sample(trace, 1, "moved", 1000000080000, 0);
	check_sample(trace, 2, "WAVES [simulated]", 1000000120000, 16);
	check_sample(trace, 3, "Busy", 1000000120000, 12.5);
	check_sample(trace, 4, "WAVES [simulated]", 1000000140000, 0);
	check_sample(trace, 5, "Busy", 1000000140000, 0);
	free(trace);
}

static void test_values(void **state)
{
	struct decoded *trace = export_trace(sample_counted());
	const struct decoded_event *launch = NULL, *unselected = NULL;
	const struct decoded_event *write = decoded_get(trace, "CL_COMMAND_WRITE_BUFFER", 0);

	for (size_t i = 0; i < trace->event_count; i++)
		if (trace->events[i].start_ns == 1000000120000 &&
		    trace->events[i].kind == DECODED_SLICE)
			*(launch ? &unselected : &launch) = &trace->events[i];
	HAS(launch, "values.WAVES=u16");
	HAS(launch, "values.Busy.value=d12.5");
	HAS(launch, "values.Busy.state=scaled");
	HAS(launch, "values.Busy.div0=true");
	HAS(launch, "values.Busy.coverage=d0.5");
	HAS(launch, "values.Busy.note=of half of it");
	HAS(launch, "counted_on=mi300x [simulated]");
	assert_null(strstr(launch->notes, "moved"));
	HAS(write, "values.WAVES.state=absent");
	HAS(write, "values.WAVES.note=no pass saw it");
	assert_null(strstr(write->notes, "values.WAVES.value"));
	HAS(write, "values.moved=u18446744073709551615");
	HAS(write, "values_note=one pass is missing");
	HAS(unselected, "counted=false");
	HAS(decoded_get(trace, "vadd", 0), "counting.passes=u2");
	free(trace);
}

/* A track has one level at a time: the sum of instances, where there is one. */
static void test_instances(void **state)
{
	static const struct tacho_column two = {
		.dimension_count = 1,
		.dimensions = {{.name = "DIMENSION_XCC", .extent = 2}},
		.instance_count = 2,
	};
	static const struct tacho_column *const shapes[] = {&two, &two, NULL};
	static const struct fake_value each[] = {
		{.data.u64 = 10, .note = "", .coverage = 1},
		{.data.u64 = 7, .note = "", .coverage = 1},
		{.data.f64 = 10, .note = "", .coverage = 1},
		{.data.f64 = 20, .note = "", .coverage = 1},
		{.state = TACHO_STATE_ABSENT | TACHO_MARK_FOREIGN, .note = "", .coverage = 1}};
	static const struct fake_row row = {
		.values = each, .count = 5, .is_counted = 1, .note = ""};
	struct fake_recording recording = *sample_counted();
	struct fake_call call = recording.calls[0];
	struct decoded *trace;
	const struct decoded_event *launch;

	(void)state;
	call.values = &row;
	recording.calls = &call;
	recording.call_count = 1;
	recording.shapes = shapes;
	trace = export_trace(&recording);
	assert_int_equal(decoded_count(trace, DECODED_SAMPLE), 2);
	check_sample(trace, 0, "WAVES [simulated]", 1000000120000, 17);
	launch = decoded_get(trace, "vadd", 0);
	for (size_t i = 0; i < trace->event_count; i++)
		if (trace->events[i].kind == DECODED_SLICE &&
		    trace->events[i].start_ns == 1000000120000)
			launch = &trace->events[i];
	HAS(launch, "values.WAVES=u17");
	HAS(launch, "values.Busy=it has instances, which do not add up");
	free(trace);
}

/* ---- losses ---- */

static void test_losses(void **state)
{
	struct fake_recording recording = *sample_vadd();
	struct tacho_process process = recording.processes[0];
	static const struct tacho_fault faults[] = {
		{.path = "s/calls-1.bin", .what = "cannot be read", .error = 5, .calls = 12},
		{.path = "s/calls-2.bin", .what = "is missing"},
		{0}};
	static const struct tacho_bound bounds[] = {{"clGetEventInfo", 77}, {0}};
	struct decoded *trace;
	const struct decoded_event *mark;

	process.losses.io_error = 28;
	process.losses.unreadable = 77;
	process.uncounted = "it ran out of memory";
	process.uncounted_cure = "count less";
	process.uncounted_ns = 1000000100500;
	recording.processes = &process;
	trace = export_trace(&recording);
	mark = decoded_get(trace, "lost calls", 0);
	assert_int_equal(mark->kind, DECODED_INSTANT);
	assert_int_equal(mark->start_ns, 1000000150000); /* of the last call */
	assert_int_equal(mark->track->pid, 4711);
	HAS(mark, "no_window=u2");
	HAS(mark, "unreadable_bytes=u77");
	HAS(mark, "io_error=i28");
	assert_null(strstr(mark->notes, "nested"));
	mark = decoded_get(trace, "not counted from here on", 0);
	assert_int_equal(mark->start_ns, 1000000100500);
	HAS(mark, "cause=it ran out of memory");
	HAS(mark, "cure=count less");
	free(trace);

	recording.faults = faults;
	recording.bounds = bounds;
	recording.losses.missing = 12;
	recording.run.is_unfinished = 1;
	trace = export_trace(&recording);
	HAS(decoded_get(trace, "not whole", 0),
	    "fault=s/calls-1.bin cannot be read: Input/output error (errno 5), 12 calls");
	HAS(decoded_get(trace, "not whole", 1), "fault=s/calls-2.bin is missing");
	HAS(decoded_get(trace, "lost calls", 0), "missing=u12");
	free(trace);

	process.losses = (struct tacho_losses){.waits = 5};
	recording.losses.missing = 0;
	recording.faults = NULL;
	process.uncounted = "";
	trace = export_trace(&recording);
	assert_int_equal(decoded_count(trace, DECODED_INSTANT), 0);
	free(trace);
}

/* ---- session files ---- */

/* No ids of processes, no start of the run, work without a call, and some of it without a time. */
static void test_session_files(void **state)
{
	struct fake_recording recording = *sample_vadd();
	struct tacho_command bare = *recording.calls[2].call.command, unknown = bare;
	struct fake_call calls[3];
	struct decoded *trace;
	const struct decoded_event *event;

	for (size_t i = 0; i < 3; i++)
		calls[i] = recording.calls[i + 1];
	calls[0].call.repeats = 4;
	calls[0].call.busy_ns = 900;
	calls[0].call.caller = "main (a.c:7)";
	bare.clock = "";
	bare.lacks_queue_times = 1;
	calls[1].call.is_bare = 1;
	calls[1].call.start_ns = calls[1].call.end_ns = bare.start_ns;
	calls[1].call.command = &bare;
	unknown.state = TACHO_STATE_ABSENT;
	unknown.has_duration = 1;
	unknown.duration_ns = 17;
	calls[2].call.is_bare = 1;
	calls[2].call.start_ns = calls[2].call.end_ns = 0;
	calls[2].call.command = &unknown;
	recording.calls = calls;
	recording.call_count = 3;
	recording.run.import_note = "nothing";
	recording.run.start_ns = recording.run.end_ns = 0;
	trace = export_trace(&recording);
	event = decoded_get(trace, "clEnqueueWriteBuffer", 0);
	HAS(event, "repeats=u4");
	HAS(event, "busy_ns=u900");
	HAS(event, "caller=main (a.c:7)");
	assert_string_equal(event->track->name, "thread 4711");
	assert_int_equal(event->track->tid, 0);
	assert_int_equal(event->track->parent_uuid, trace->tracks[0].uuid);
	assert_int_equal(trace->tracks[0].pid, 0);
	assert_string_equal(trace->tracks[0].name, "vadd");
	event = decoded_get(trace, "vadd", 1);
	check_time(event, 1000000120000, 1000000140000);
	assert_null(strstr(event->notes, "queued_ns"));
	assert_null(strstr(event->notes, "uncertainty_ns"));
	assert_int_equal(event->terminating_flow, 0);
	assert_int_equal(decoded_count(trace, DECODED_SLICE), 3);
	event = decoded_get(trace, "commands that are not drawn", 0);
	HAS(event, "count=u1");
	event = decoded_get(trace, "vadd", 0);
	assert_int_equal(event->kind, DECODED_INSTANT);
	assert_int_equal(event->start_ns, 1000000010000);
	HAS(event, "import_note=nothing");
	free(trace);

	/* A call whose command has a duration and no times. */
	calls[0].call.command = &unknown;
	recording.call_count = 1;
	trace = export_trace(&recording);
	HAS(decoded_get(trace, "clEnqueueWriteBuffer", 0), "command_not_drawn.duration_ns=u17");
	free(trace);
}

/* ---- size and memory ---- */

/* A text is in the file once, however often it comes. */
static void test_interning(void **state)
{
	struct fake_recording recording = *sample_vadd();
	struct decoded *once = export_trace(&recording), *often;

	recording.repeat = 100;
	recording.shift_ns = 1000000;
	often = export_trace(&recording);
	assert_int_equal(often->interned_count, once->interned_count);
	assert_int_equal(often->track_count, once->track_count);
	assert_true(often->size - once->size < 99 * 800);
	free(once);
	free(often);
}

static void test_odd_texts(void **state)
{
	struct fake_recording recording = *sample_vadd();
	struct fake_call call = recording.calls[3];
	struct decoded *trace;

	call.arguments[0] = "\xff long enough";
	recording.calls = &call;
	recording.call_count = 1;
	recording.run.arguments = "\xc3";
	trace = export_trace(&recording);
	HAS(decoded_get(trace, "clFinish", 0), "arguments.command_queue=\\xff long enough");
	HAS(&trace->events[0], "arguments=\\xc3");
	free(trace);
}

static void test_estimate(void **state)
{
	struct fake_recording recordings[] = {*sample_vadd(), *sample_mixed(), *sample_counted()};
	struct folder folder;
	struct stat status;
	uint64_t estimate;

	for (size_t i = 0; i < 3; i++) {
		recordings[i].repeat = 1000;
		recordings[i].shift_ns = 1000000;
		folder_make(&folder);
		assert_int_equal(tacho_recording_export(fake_recording(&recordings[i]), "perfetto",
							folder_name(&folder, "x"), NULL),
				 0);
		assert_int_equal(stat(folder_name(&folder, "x.pftrace"), &status), 0);
		assert_int_equal(tacho_recording_estimate(fake_recording(&recordings[i]),
							  "perfetto", &estimate),
				 0);
		if (estimate < (uint64_t)status.st_size / 2 ||
		    estimate > (uint64_t)status.st_size * 2)
			fail_msg("recording %zu: %" PRIu64 " for %jd bytes", i, estimate,
				 (intmax_t)status.st_size);
		folder_remove(&folder);
	}
}

/* ---- protoc ---- */

/* Field numbers that our .proto lacks have no name: "  12: 5". */
static void check_decoded(char *text)
{
	char *save = NULL;

	assert_non_null(strstr(text, "name: \"clEnqueueNDRangeKernel\""));
	assert_non_null(strstr(text, "primary_trace_clock: MONOTONIC"));
	assert_non_null(strstr(text, "type: SLICE_BEGIN"));
	assert_non_null(strstr(text, "unit_name: \"percent\""));
	assert_non_null(strstr(text, "terminating_flow_ids: 2"));
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (strspn(line + strspn(line, " "), "0123456789"))
			fail_msg("protoc does not know: %s", line);
}

static void test_protoc(void **state)
{
	const char *root = getenv("TACHO_SOURCE_ROOT");
	char command[1024];
	struct folder folder;
	char *text;

	if (!root || system("protoc --version >/dev/null 2>&1")) {
		print_message("SKIP: protoc is absent\n");
		skip();
	}
	folder_make(&folder);
	assert_int_equal(tacho_recording_export(fake_recording(sample_counted()), "perfetto",
						folder_name(&folder, "x"), NULL),
			 0);
	snprintf(command, sizeof(command),
		 "protoc --decode=tacho.test.Trace -I '%s/tests/data/perfetto' trace.proto "
		 "<'%s/x.pftrace' >'%s/text'",
		 root, folder.path, folder.path);
	assert_int_equal(system(command), 0);
	text = read_text(folder_name(&folder, "text"));
	assert_non_null(text);
	check_decoded(text);
	free(text);
	folder_remove(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clocks_and_run),
		cmocka_unit_test(test_unknown_run),
		cmocka_unit_test(test_processes_and_threads),
		cmocka_unit_test(test_devices_and_queues),
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_command_buffers),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_instances),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_session_files),
		cmocka_unit_test(test_interning),
		cmocka_unit_test(test_odd_texts),
		cmocka_unit_test(test_estimate),
		cmocka_unit_test(test_protoc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
