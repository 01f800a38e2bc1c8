/* SPDX-License-Identifier: MIT */
/* Summaries of recordings whose every value is known: sums worked out by hand. */
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

static void test_totals(void **state)
{
	struct tacho_summary *summary = summarize(sample_mixed());
	const struct tacho_summary_totals *totals = tacho_summary_get_totals(summary);

	assert_int_equal(totals->calls, 15);
	assert_int_equal(totals->failed_calls, 1);
	/* 1000 + 1000 + 4000 + 1000 + 4 polls 1000 + 1000 + 1000 + 6000 + 6000 + 500 + 800 */
	assert_int_equal(totals->api_ns, 23300);
	assert_int_equal(totals->commands, 6);
	assert_int_equal(totals->launches, 3);
	assert_int_equal(totals->transfers, 3);
	assert_int_equal(totals->unfinished, 1);
	assert_int_equal(totals->not_credible, 1);
	assert_int_equal(totals->processes, 2);
	assert_int_equal(totals->threads, 3);
	assert_int_equal(totals->has_wall, 0);
	assert_int_equal(totals->losses.no_window, 2);
	assert_int_equal(totals->losses.waits, 5);
	tacho_summary_destroy(summary);

	summary = summarize(sample_vadd());
	totals = tacho_summary_get_totals(summary);
	assert_int_equal(totals->has_wall, 1);
	assert_int_equal(totals->wall_ns, 2000000);
	tacho_summary_destroy(summary);
}

/* Four polls in a row, of 200 ns each, over 6,000 ns: the thread was in them for 800. */
static void test_repeats(void **state)
{
	static struct fake_call calls[16];
	struct fake_recording recording = *sample_mixed();
	const struct tacho_summary_line *line;
	struct tacho_summary *summary;
	size_t poll = 0;
	uint64_t calls_before, total_before, api_before;

	assert_true(recording.call_count <= 16);
	memcpy(calls, recording.calls, recording.call_count * sizeof(calls[0]));
	while (strcmp(calls[poll].call.function->name, "clGetEventInfo"))
		poll++;
	summary = summarize(&recording);
	line = find(summary, TACHO_BY_API, "clGetEventInfo", "");
	calls_before = line->count;
	total_before = line->total_ns;
	api_before = tacho_summary_get_totals(summary)->api_ns;
	tacho_summary_destroy(summary);
	total_before -= calls[poll].call.end_ns - calls[poll].call.start_ns;
	api_before -= calls[poll].call.end_ns - calls[poll].call.start_ns;
	calls[poll].call.repeats = 3;
	calls[poll].call.end_ns = calls[poll].call.start_ns + 6000;
	calls[poll].call.busy_ns = 800;
	recording.calls = calls;
	summary = summarize(&recording);
	line = find(summary, TACHO_BY_API, "clGetEventInfo", "");
	assert_int_equal(line->count, calls_before + 3);
	assert_int_equal(line->total_ns, total_before + 800);
	assert_int_equal(line->min_ns, 200);
	assert_int_equal(tacho_summary_get_totals(summary)->api_ns, api_before + 800);
	tacho_summary_destroy(summary);
}

static void test_gaps(void **state)
{
	struct tacho_summary *summary = summarize(sample_gaps());
	const struct tacho_losses *losses = &tacho_summary_get_totals(summary)->losses;

	assert_int_equal(losses->no_window, 2); /* of the process */
	assert_int_equal(losses->missing, 12);
	assert_int_equal(losses->untimed, 3);
	assert_true(has_note(summary, "12 calls are in parts of files that are missing"));
	assert_true(has_note(summary, "The recording is not finished"));
	tacho_summary_destroy(summary);
}

static void test_kernels(void **state)
{
	struct tacho_summary *summary = summarize(sample_mixed());
	const struct tacho_summary_line *line = tacho_summary_get_line(summary, TACHO_BY_KERNEL, 0);

	assert_int_equal(tacho_summary_get_line_count(summary, TACHO_BY_KERNEL), 2);
	assert_string_equal(line->name, "vadd");
	assert_string_equal(line->device, "gfx803");
	assert_int_equal(line->count, 2);
	assert_int_equal(line->measured, 2);
	assert_int_equal(line->total_ns, 50000);
	assert_int_equal(line->min_ns, 20000);
	assert_int_equal(line->max_ns, 30000);
	assert_int_equal(line->has_first, 1);
	assert_int_equal(line->first_ns, 20000);
	assert_int_equal(line->state, TACHO_STATE_OK);
	assert_string_equal(line->reason, "");
	line = tacho_summary_get_line(summary, TACHO_BY_KERNEL, 1);
	assert_string_equal(line->name, "odd, name");
	assert_int_equal(line->count, 1);
	assert_int_equal(line->measured, 0);
	assert_int_equal(line->has_first, 0);
	assert_int_equal(line->state, TACHO_STATE_ABSENT);
	assert_string_equal(line->reason, "the driver counts 0, 1, 2, 3");
	assert_null(tacho_summary_get_line(summary, TACHO_BY_KERNEL, 2));
	tacho_summary_destroy(summary);
}

static void test_transfers_and_queues(void **state)
{
	struct tacho_summary *summary = summarize(sample_mixed());
	const struct tacho_summary_line *line;

	line = tacho_summary_get_line(summary, TACHO_BY_TRANSFER, 0);
	assert_string_equal(line->name, "read");
	assert_string_equal(line->device, "gfx803 #2"); /* the second of that name */
	assert_int_equal(line->total_ns, 1005);
	assert_int_equal(line->bytes, 1000);
	line = find(summary, TACHO_BY_TRANSFER, "unmap", "gfx803 #2");
	assert_int_equal(line->total_ns, 1000);
	assert_int_equal(line->bytes, 0);
	line = find(summary, TACHO_BY_TRANSFER, "read", "gfx803");
	assert_int_equal(line->measured, 0);
	assert_int_equal(line->state, TACHO_STATE_ABSENT);

	line = find(summary, TACHO_BY_QUEUE, "queue 1", "gfx803");
	assert_int_equal(line->pid, 4711);
	assert_int_equal(line->count, 3);
	assert_int_equal(line->measured, 2);
	assert_int_equal(line->launches, 2);
	assert_int_equal(line->total_ns, 50000);
	assert_int_equal(line->bytes, 64);
	assert_int_equal(line->state, TACHO_STATE_LOST);
	assert_int_equal(find(summary, TACHO_BY_QUEUE, "queue 3", "gfx803 #2")->total_ns, 2005);
	assert_int_equal(find(summary, TACHO_BY_QUEUE, "queue 2", "Some CPU")->pid, 9000);
	tacho_summary_destroy(summary);
}

static void test_host_lines(void **state)
{
	struct tacho_summary *summary = summarize(sample_mixed());
	const struct tacho_summary_line *line;

	line = find(summary, TACHO_BY_THREAD, "poller", "");
	assert_int_equal(line->pid, 4711);
	assert_int_equal(line->thread, 501);
	assert_int_equal(line->count, 10);
	assert_int_equal(line->total_ns, 15300);
	assert_int_equal(line->min_ns, 100);
	assert_int_equal(line->max_ns, 6000);
	line = find(summary, TACHO_BY_THREAD, "main", "");
	assert_int_equal(line->launches, 2);
	assert_int_equal(line->total_ns, 5000);
	line = find(summary, TACHO_BY_PROCESS, "vadd", "");
	assert_int_equal(line->total_ns, 20300);
	assert_int_equal(line->count, 12);
	line = find(summary, TACHO_BY_PROCESS, "python3", "");
	assert_int_equal(line->total_ns, 3000);
	assert_int_equal(line->failed, 1);
	line = find(summary, TACHO_BY_API, "clEnqueueNDRangeKernel", "");
	assert_int_equal(line->count, 3);
	assert_int_equal(line->total_ns, 6000);
	assert_int_equal(line->launches, 3);
	line = find(summary, TACHO_BY_API, "clGetEventInfo", "");
	assert_int_equal(line->count, 6);
	assert_int_equal(line->total_ns, 1800);
	tacho_summary_destroy(summary);
}

/* Longest first, equal ones by name. */
static void test_order(void **state)
{
	struct tacho_summary *summary = summarize(sample_mixed());

	for (int key = TACHO_BY_KERNEL; key <= TACHO_BY_TRANSFER; key++) {
		const struct tacho_summary_line *last = NULL, *line;

		for (size_t i = 0; (line = tacho_summary_get_line(summary, key, i)); i++) {
			if (last)
				assert_true(last->total_ns > line->total_ns ||
					    (last->total_ns == line->total_ns &&
					     strcmp(last->name, line->name) <= 0));
			last = line;
		}
	}
	/* both took 6,000 ns */
	assert_string_equal(tacho_summary_get_line(summary, TACHO_BY_API, 1)->name,
			    "clEnqueueNDRangeKernel");
	assert_string_equal(tacho_summary_get_line(summary, TACHO_BY_API, 2)->name,
			    "clEnqueueUnmapMemObject");
	tacho_summary_destroy(summary);
}

static void test_devices(void **state)
{
	struct tacho_summary *summary = summarize(sample_mixed());
	const struct tacho_summary_device *device = tacho_summary_get_device(summary, 0);

	assert_int_equal(device->device->id, 1);
	assert_int_equal(device->commands, 3);
	assert_int_equal(device->measured, 2);
	assert_int_equal(device->busy_ns, 40000); /* the launches overlap by 10,000 */
	assert_int_equal(device->idle_ns, 0);
	assert_int_equal(device->uncertainty_ns, 150);
	assert_int_equal(device->state, TACHO_STATE_OK);
	assert_string_equal(device->clock, "CLOCK_MONOTONIC_RAW");
	device = tacho_summary_get_device(summary, 1);
	assert_int_equal(device->device->id, 2);
	assert_int_equal(device->state, TACHO_STATE_ABSENT);
	assert_string_equal(device->reason, "the driver counts 0, 1, 2, 3");
	device = tacho_summary_get_device(summary, 2);
	assert_int_equal(device->device->id, 3);
	assert_int_equal(device->busy_ns, 2005);
	assert_int_equal(device->idle_ns, 98995); /* 204,005 to 303,000 */
	assert_null(tacho_summary_get_device(summary, 3));
	tacho_summary_destroy(summary);
}

/* Nine launches in three executions; the fourth, of which nothing is known, leaves a doubt. */
static void test_command_buffers(void **state)
{
	struct tacho_summary *summary = summarize(sample_buffers());
	const struct tacho_summary_totals *totals = tacho_summary_get_totals(summary);
	const struct tacho_summary_line *line = tacho_summary_get_line(summary, TACHO_BY_KERNEL, 0);
	const struct tacho_summary_device *device = tacho_summary_get_device(summary, 0);
	const struct tacho_summary_part *part;

	assert_int_equal(totals->commands, 4);
	assert_int_equal(totals->templates, 4);
	assert_int_equal(totals->launches, 9);
	assert_int_equal(totals->template_launches, 9);
	assert_int_equal(totals->transfers, 0);
	assert_int_equal(totals->not_credible, 1);
	assert_int_equal(tacho_summary_get_line_count(summary, TACHO_BY_KERNEL), 2);
	assert_int_equal(tacho_summary_get_line_count(summary, TACHO_BY_TRANSFER), 0);
	assert_string_equal(line->name, "command buffer (3 kernels)");
	assert_int_equal(line->is_template, 1);
	assert_int_equal(line->count, 3);
	assert_int_equal(line->measured, 3);
	assert_int_equal(line->total_ns, 90000);
	assert_int_equal(line->max_ns, 40000);
	part = tacho_summary_get_part(summary, TACHO_BY_KERNEL, 0, 0);
	assert_string_equal(part->name, "vadd");
	assert_int_equal(part->count, 6);
	part = tacho_summary_get_part(summary, TACHO_BY_KERNEL, 0, 1);
	assert_string_equal(part->name, "scale");
	assert_int_equal(part->count, 3);
	assert_null(tacho_summary_get_part(summary, TACHO_BY_KERNEL, 0, 2));
	assert_null(tacho_summary_get_part(summary, TACHO_BY_KERNEL, 1, 0));
	assert_null(tacho_summary_get_part(summary, TACHO_BY_KERNEL, 2, 0));
	assert_null(tacho_summary_get_part(summary, TACHO_BY_API, 0, 0));
	line = tacho_summary_get_line(summary, TACHO_BY_KERNEL, 1);
	assert_string_equal(line->name, "command buffer (contents not known)");
	assert_int_equal(line->measured, 0);
	assert_int_equal(line->state, TACHO_STATE_ABSENT);
	assert_int_equal(find(summary, TACHO_BY_QUEUE, "queue 1", "gfx803")->launches, 9);
	assert_int_equal(find(summary, TACHO_BY_PROCESS, "vadd", "")->launches, 9);

	/* From 20,000 to 140,000: idle for 10,000, then from 80,000 to 82,000, and from 98,000. */
	assert_int_equal(device->commands, 4);
	assert_int_equal(device->measured, 3);
	assert_int_equal(device->busy_ns, 90000);
	assert_int_equal(device->idle_ns, 14000);
	assert_int_equal(device->unknown_ns, 16000);
	assert_int_equal(device->state, TACHO_STATE_LOST);
	assert_string_equal(device->reason,
			    "the driver tells when it ended, but not when it began");
	assert_true(has_note(summary, "1 command buffer on gfx803 is taken to start when all in "
				      "front had ended"));
	assert_true(has_note(summary, "What 1 execution of command buffers ran is not known (the "
				      "recorder could not follow what it holds)"));
	tacho_summary_destroy(summary);
}

static const struct tacho_command *first_kernel(const struct fake_recording *recording)
{
	for (size_t i = 0; i < recording->call_count; i++) {
		const struct tacho_command *command = recording->calls[i].call.command;

		if (command && command->kind == TACHO_COMMAND_KERNEL)
			return command;
	}
	fail();
	return NULL;
}

/* Told in another order than they ran in; nobody knows where the one without times did. */
static void test_gap_lines(void **state)
{
	static const struct {
		bool is_write, is_unknown;
		uint64_t start_ns, end_ns;
	} ran[] = {
		{true, false, 1000, 2000},    {false, false, 5000, 6000},
		{false, false, 2500, 4000},   {true, false, 6000, 7000},
		{false, false, 6500, 6800},   {false, false, 8000, 9000},
		{false, true, 9500, 9600},    {true, false, 10000, 10500},
		{false, false, 10600, 11000},
	};
	enum { RAN = sizeof(ran) / sizeof(ran[0]) };
	struct fake_recording recording = *sample_vadd();
	struct tacho_command commands[RAN];
	struct fake_call calls[RAN];
	const struct tacho_summary_line *line;
	struct tacho_summary *summary;
	const char *device = first_kernel(&recording)->device->name;

	for (size_t i = 0; i < RAN; i++) {
		calls[i] = recording.calls[0];
		calls[i].objects = 0;
		calls[i].call.command = &commands[i];
		commands[i] = *first_kernel(&recording);
		commands[i].start_ns = commands[i].not_before_ns = ran[i].start_ns;
		commands[i].end_ns = commands[i].not_after_ns = ran[i].end_ns;
		commands[i].state = ran[i].is_unknown ? TACHO_STATE_ABSENT : TACHO_STATE_OK;
		if (ran[i].is_write)
			commands[i].kind = TACHO_COMMAND_WRITE;
		if (ran[i].is_write)
			commands[i].kernel = NULL;
	}
	recording.calls = calls;
	recording.call_count = RAN;
	/* Who does not ask does not pay. */
	summary = summarize(&recording);
	assert_int_equal(tacho_summary_get_line_count(summary, TACHO_BY_GAP), 0);
	tacho_summary_destroy(summary);
	assert_int_equal(tacho_summary_create_with_gaps(fake_recording(&recording), &summary), 0);
	assert_int_equal(tacho_summary_get_line_count(summary, TACHO_BY_GAP), 3);
	/* 2000 to 2500, 7000 to 8000 and 10500 to 10600 */
	line = find(summary, TACHO_BY_GAP, "write -> vadd", device);
	assert_int_equal(line->count, 3);
	assert_int_equal(line->measured, 3);
	assert_int_equal(line->total_ns, 1600);
	assert_int_equal(line->min_ns, 100);
	assert_int_equal(line->max_ns, 1000);
	line = find(summary, TACHO_BY_GAP, "vadd -> vadd", device);
	assert_int_equal(line->count, 1);
	assert_int_equal(line->total_ns, 1000);
	line = find(summary, TACHO_BY_GAP, "vadd -> write", device);
	assert_int_equal(line->count, 1);
	assert_int_equal(line->measured, 0);
	assert_int_equal(line->state, TACHO_STATE_ABSENT);
	assert_string_equal(line->reason, "a command whose times are not known may have run then");
	tacho_summary_destroy(summary);
}

/* A command whose device is not known leaves a doubt about each. */
static void test_unknown_device(void **state)
{
	struct fake_recording recording = *sample_buffers();
	struct tacho_command untimed = *recording.calls[2].call.command;
	struct fake_call calls[4];
	const struct tacho_summary_device *device;
	struct tacho_summary *summary;

	memcpy(calls, recording.calls, sizeof(calls));
	untimed.device = NULL;
	untimed.queue = NULL;
	calls[2].call.command = &untimed;
	recording.calls = calls;
	summary = summarize(&recording);
	device = tacho_summary_get_device(summary, 0);
	assert_int_equal(device->commands, 3);
	assert_int_equal(device->measured, 3);
	assert_int_equal(device->busy_ns, 90000);
	assert_int_equal(device->idle_ns, 14000);
	assert_int_equal(device->unknown_ns, 16000);
	assert_string_equal(device->reason, "commands ran on a device that is not known");
	tacho_summary_destroy(summary);
}

/* Work that nobody saw may have run whenever the device looks idle. */
static void test_unseen_work(void **state)
{
	struct fake_recording recording = *sample_buffers();
	struct tacho_process process = recording.processes[0];
	struct fake_object gpu = *recording.objects[0];
	struct tacho_command commands[] = {*recording.calls[0].call.command,
					   *recording.calls[1].call.command};
	struct fake_call calls[] = {recording.calls[0], recording.calls[1]};
	const struct tacho_summary_device *device;
	struct tacho_summary *summary;

	process.unwatched = "enqueueGraph (its arguments are not known)";
	process.has_unseen_work = 1;
	gpu.object.process = &process;
	for (size_t i = 0; i < 2; i++) {
		commands[i].kind = TACHO_COMMAND_KERNEL;
		commands[i].contents = NULL;
		commands[i].queue = NULL;
		commands[i].device = &gpu.object;
		calls[i].call.command = &commands[i];
	}
	recording.processes = &process;
	recording.calls = calls;
	recording.call_count = 2;
	summary = summarize(&recording);
	device = tacho_summary_get_device(summary, 0);
	assert_int_equal(device->busy_ns, 50000);
	assert_int_equal(device->idle_ns, 0);
	assert_int_equal(device->unknown_ns, 10000);
	assert_string_equal(device->reason,
			    "work that was given to it by functions that are not recorded");
	assert_true(has_note(summary, "got functions that are not recorded: enqueueGraph (its "
				      "arguments are not known). Work that they gave to devices is "
				      "not in this report."));
	tacho_summary_destroy(summary);
}

static void test_notes(void **state)
{
	struct tacho_summary *summary = summarize(sample_mixed());

	assert_true(has_note(summary, "2 calls were not recorded: no window was free"));
	assert_true(has_note(summary, "1 command has no end: the program ended before it did."));
	assert_true(has_note(summary, "1 command on Some CPU has no times: the driver counts 0, 1, "
				      "2, 3."));
	assert_true(
		has_note(summary, "clCreateContext failed with CL_INVALID_DEVICE (1 time). PoCL"));
	assert_true(has_note(summary, "POCL_CACHE_DIR"));
	assert_true(has_note(summary, "When the run ended is not known"));
	assert_false(has_note(summary, "No call was recorded"));
	assert_false(has_note(summary, "Calls that failed"));
	tacho_summary_destroy(summary);

	summary = summarize(sample_vadd());
	assert_non_null(tacho_summary_get_note(summary, 0)); /* the lost calls, and nothing else */
	assert_null(tacho_summary_get_note(summary, 1));
	tacho_summary_destroy(summary);
}

/* Failures with no known cause are told in one note, the most frequent ones by name. */
static void test_notes_of_other_failures(void **state)
{
	enum { KINDS = 100 };
	static char names[KINDS][32];
	static struct tacho_function functions[KINDS];
	static struct fake_call calls[KINDS + 2];
	struct fake_recording recording = *sample_vadd();
	struct tacho_summary *summary;

	for (size_t i = 0; i < KINDS + 2; i++) {
		size_t kind = i < KINDS ? i : 7;

		snprintf(names[kind], sizeof(names[kind]), "query%zu", kind);
		functions[kind] = (struct tacho_function){"sample", names[kind], 1};
		calls[i] = recording.calls[3];
		calls[i].call.function = &functions[kind];
		calls[i].call.failed = 1;
		calls[i].call.result = "INVALID\nVALUE"; /* out of a file that may hold anything */
	}
	recording.calls = calls;
	recording.call_count = KINDS + 2;
	summary = summarize(&recording);
	assert_int_equal(tacho_summary_get_totals(summary)->failed_calls, KINDS + 2);
	assert_true(
		has_note(summary, "Calls that failed: query7 with INVALID\\nVALUE (3 times), "));
	assert_true(has_note(summary, ", 97 others.")); /* 102 without 3 + 1 + 1 */
	tacho_summary_destroy(summary);
}

static void test_empty(void **state)
{
	struct fake_recording recording = *sample_vadd();
	struct tacho_summary *summary;

	recording.call_count = 0;
	summary = summarize(&recording);
	assert_true(has_note(summary, "No call was recorded: the recorder was loaded"));
	/* a process that made no call is shown with 0, which is true */
	assert_int_equal(tacho_summary_get_line(summary, TACHO_BY_PROCESS, 0)->count, 0);
	assert_int_equal(tacho_summary_get_line(summary, TACHO_BY_PROCESS, 0)->state,
			 TACHO_STATE_OK);
	assert_null(tacho_summary_get_device(summary, 0));
	tacho_summary_destroy(summary);

	recording.process_count = 0;
	recording.run.why_empty = "it is static";
	summary = summarize(&recording);
	assert_true(has_note(summary, "it is static"));
	tacho_summary_destroy(summary);
}

/* The same device and kernel in two processes are one; what is counted does not grow with calls. */
static void test_processes_share_devices(void **state)
{
	struct fake_recording recording = *sample_vadd();
	struct tacho_process processes[2] = {recording.processes[0], recording.processes[0]};
	struct fake_object gpu[2] = {*recording.objects[0], *recording.objects[0]};
	struct fake_object kernel[2] = {*recording.objects[4], *recording.objects[4]};
	struct tacho_command command[2] = {*recording.calls[2].call.command,
					   *recording.calls[2].call.command};
	struct fake_call calls[2] = {recording.calls[2], recording.calls[2]};
	const struct fake_object *objects[] = {&gpu[0], &gpu[1], &kernel[0], &kernel[1]};
	struct tacho_summary *summary;

	processes[1].index = 1;
	processes[1].pid = 5000;
	for (int i = 0; i < 2; i++) {
		gpu[i].object.process = kernel[i].object.process = &processes[i];
		gpu[i].object.id = kernel[i].object.id = i + 1;
		command[i].device = &gpu[i].object;
		command[i].kernel = &kernel[i].object;
		command[i].queue = NULL;
		calls[i].call.process = &processes[i];
		calls[i].call.command = &command[i];
		calls[i].objects = 0;
	}
	recording.processes = processes;
	recording.process_count = 2;
	recording.objects = objects;
	recording.object_count = 4;
	recording.calls = calls;
	recording.call_count = 2;
	recording.repeat = 1000;
	recording.shift_ns = 1000000;
	summary = summarize(&recording);
	assert_int_equal(tacho_summary_get_line_count(summary, TACHO_BY_KERNEL), 1);
	assert_int_equal(tacho_summary_get_line(summary, TACHO_BY_KERNEL, 0)->count, 2000);
	assert_string_equal(tacho_summary_get_line(summary, TACHO_BY_KERNEL, 0)->device, "gfx803");
	assert_int_equal(tacho_summary_get_device(summary, 0)->busy_ns, 1000 * 20000);
	assert_int_equal(tacho_summary_get_device(summary, 0)->idle_ns, 999 * 980000);
	assert_null(tacho_summary_get_device(summary, 1));
	assert_int_equal(tacho_summary_get_line_count(summary, TACHO_BY_PROCESS), 2);
	tacho_summary_destroy(summary);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_totals),
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_transfers_and_queues),
		cmocka_unit_test(test_host_lines),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_devices),
		cmocka_unit_test(test_command_buffers),
		cmocka_unit_test(test_unknown_device),
		cmocka_unit_test(test_unseen_work),
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_notes_of_other_failures),
		cmocka_unit_test(test_gap_lines),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_processes_share_devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
