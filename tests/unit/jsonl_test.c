/* SPDX-License-Identifier: MIT */
/* The JSON lines: each is read back by the reader of our own JSON and compared with the recording.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/json.h"
#include "sample_recording.h"
#include "tacho/tacho.h"
#include "test_folder.h"

enum { LINES_MAX = 64 };

struct lines {
	struct tacho__arena arena;
	struct tacho__json *all[LINES_MAX];
	size_t count;
};

static struct lines export_lines(struct fake_recording *recording)
{
	static const struct tacho_export_options options = {.size = sizeof(options), .partial = 1};
	struct lines lines = {0};
	struct folder folder;
	char *text, *rest, *line;

	folder_make(&folder);
	assert_int_equal(tacho_recording_export(fake_recording(recording), "jsonl",
						folder_name(&folder, "x"), &options),
			 0);
	text = rest = read_text(folder_name(&folder, "x.jsonl"));
	assert_non_null(text);
	while ((line = strsep(&rest, "\n")) && *line) {
		assert_true(lines.count < LINES_MAX);
		assert_int_equal(tacho__json_parse(&lines.arena, line, strlen(line),
						   &lines.all[lines.count++]),
				 0);
	}
	assert_int_equal(folder_count(&folder), 1);
	folder_remove(&folder);
	free(text);
	return lines;
}

/* Line `index` of those with that schema; fails the test when there is none. */
static const struct tacho__json *get(const struct lines *lines, const char *schema, size_t index)
{
	for (size_t i = 0; i < lines->count; i++)
		if (!strcmp(tacho__json_string(lines->all[i], "schema", ""), schema) && !index--)
			return lines->all[i];
	fail_msg("no such line of %s", schema);
	return NULL;
}

static size_t count(const struct lines *lines, const char *schema)
{
	size_t found = 0;

	for (size_t i = 0; i < lines->count; i++)
		found += !strcmp(tacho__json_string(lines->all[i], "schema", ""), schema);
	return found;
}

static bool is_null(const struct tacho__json *json, const char *key)
{
	const struct tacho__json *member = tacho__json_get(json, key);

	return member && member->type == TACHO__JSON_NULL;
}

static void test_order_and_schemas(void **state)
{
	struct lines lines = export_lines(sample_vadd());
	static const char *const expected[] = {"tacho.run/1",  "tacho.process/1", "tacho.object/1",
					       "tacho.call/1", "tacho.object/1",  "tacho.object/1",
					       "tacho.call/1", "tacho.object/1",  "tacho.object/1",
					       "tacho.call/1", "tacho.call/1",	  "tacho.loss/1",
					       "tacho.loss/1"};

	assert_int_equal(lines.count, sizeof(expected) / sizeof(expected[0]));
	for (size_t i = 0; i < lines.count; i++)
		assert_string_equal(tacho__json_string(lines.all[i], "schema", ""), expected[i]);
	tacho__arena_finish(&lines.arena);
}

static void test_ranges(void **state)
{
	struct lines lines = export_lines(sample_ranges());
	const struct tacho__json *step = get(&lines, "tacho.range/1", 0), *ids;
	static const int64_t expected[] = {2, 1, 4};

	assert_int_equal(count(&lines, "tacho.range/1"), 6);
	assert_string_equal(tacho__json_string(step, "name", ""), "step <1>");
	assert_string_equal(tacho__json_string(step, "kind", ""), "nested");
	assert_string_equal(tacho__json_string(step, "color", ""), "#ff336699");
	assert_int_equal(tacho__json_integer(step, "parent", 0), 1);
	assert_int_equal(tacho__json_integer(step, "depth", 0), 1);
	assert_int_equal(tacho__json_integer(step, "start_ns", 0), 1000000099500);
	assert_int_equal(tacho__json_integer(step, "end_ns", 0), 1000000104500);
	assert_true(is_null(step, "domain"));
	assert_true(is_null(step, "last_ns"));
	assert_string_equal(tacho__json_string(get(&lines, "tacho.range/1", 1), "kind", ""),
			    "mark");
	assert_string_equal(tacho__json_string(get(&lines, "tacho.range/1", 4), "domain", ""),
			    "disk");
	assert_true(is_null(get(&lines, "tacho.range/1", 5), "end_ns"));
	assert_int_equal(tacho__json_integer(get(&lines, "tacho.range/1", 5), "last_ns", 0),
			 1000000500000);
	ids = tacho__json_get(get(&lines, "tacho.call/1", 2), "ranges");
	ids = ids->first;
	for (size_t i = 0; i < 3; i++, ids = ids->next)
		assert_int_equal(ids->integer, expected[i]);
	assert_null(ids);
	assert_null(tacho__json_get(get(&lines, "tacho.call/1", 0), "ranges"));
	tacho__arena_finish(&lines.arena);
}

static void test_run_and_processes(void **state)
{
	struct lines lines = export_lines(sample_mixed());
	const struct tacho__json *run = get(&lines, "tacho.run/1", 0), *process, *loss;

	assert_string_equal(tacho__json_string(run, "arguments", ""), "-c './vadd;\n./b'");
	assert_true(is_null(run, "end_ns"));
	assert_true(is_null(run, "exit_status"));
	assert_true(is_null(run, "why_empty"));
	assert_int_equal(tacho__json_integer(run, "start_ns", 0), 1000000000000);
	process = get(&lines, "tacho.process/1", 1);
	assert_int_equal(tacho__json_integer(process, "process", 0), 1);
	assert_int_equal(tacho__json_integer(process, "pid", 0), 9000);
	assert_string_equal(tacho__json_string(process, "loader", ""), "/usr/lib/libOpenCL.so.1");
	assert_true(is_null(get(&lines, "tacho.process/1", 0), "loader"));
	assert_true(is_null(process, "uncounted"));
	assert_true(is_null(process, "uncounted_ns"));
	loss = get(&lines, "tacho.loss/1", 0);
	assert_int_equal(tacho__json_integer(loss, "no_window", 0), 2);
	assert_int_equal(tacho__json_integer(loss, "waits", 0), 5);
	assert_int_equal(count(&lines, "tacho.loss/1"), 3);
	assert_true(is_null(get(&lines, "tacho.loss/1", 2), "process"));
	assert_int_equal(count(&lines, "tacho.fault/1"), 0);
	tacho__arena_finish(&lines.arena);
}

/* How long threads ran, a line for each reading. */
static void test_thread_times(void **state)
{
	struct fake_recording recording = *sample_vadd();
	const struct tacho_thread_time times[] = {
		{.process = recording.processes, .thread = 4711, .at_ns = 5, .run_ns = 2},
		{.process = recording.processes,
		 .thread = 4711,
		 .at_ns = 9,
		 .run_ns = 4,
		 .waited_ns = 1},
		{.process = NULL},
	};
	const struct tacho__json *line;
	struct lines lines = export_lines(&recording);

	assert_int_equal(count(&lines, "tacho.thread_time/1"), 0);
	tacho__arena_finish(&lines.arena);
	recording.thread_times = times;
	lines = export_lines(&recording);
	assert_int_equal(count(&lines, "tacho.thread_time/1"), 2);
	line = get(&lines, "tacho.thread_time/1", 1);
	assert_int_equal(tacho__json_integer(line, "thread", 0), 4711);
	assert_int_equal(tacho__json_integer(line, "at_ns", 0), 9);
	assert_int_equal(tacho__json_integer(line, "run_ns", 0), 4);
	assert_int_equal(tacho__json_integer(line, "waited_ns", 0), 1);
	tacho__arena_finish(&lines.arena);
}

/* What is not known of the machine is null, and not there when nothing is. */
static void test_machine(void **state)
{
	static const struct tacho_machine_fact facts[] = {
		{.name = "cpu governor", .start = "powersave", .end = "powersave", .is_setting = 1},
		{.name = "cpu throttled", .start = "", .end = "3 times"},
		{.name = NULL},
	};
	struct fake_recording recording = *sample_vadd();
	const struct tacho__json *item;
	struct lines lines;
	size_t found = 1;

	lines = export_lines(&recording);
	item = tacho__json_items(get(&lines, "tacho.run/1", 0), "machine", &found);
	assert_null(item);
	assert_int_equal(found, 0);
	tacho__arena_finish(&lines.arena);
	recording.facts = facts;
	lines = export_lines(&recording);
	item = tacho__json_items(get(&lines, "tacho.run/1", 0), "machine", &found);
	assert_int_equal(found, 2);
	assert_string_equal(tacho__json_string(item, "name", ""), "cpu governor");
	assert_string_equal(tacho__json_string(item, "start", ""), "powersave");
	assert_true(tacho__json_get(item, "setting")->boolean);
	item = item->next;
	assert_true(is_null(item, "start"));
	assert_string_equal(tacho__json_string(item, "end", ""), "3 times");
	assert_false(tacho__json_get(item, "setting")->boolean);
	tacho__arena_finish(&lines.arena);
}

static void test_gaps(void **state)
{
	struct lines lines = export_lines(sample_gaps());
	const struct tacho__json *fault = get(&lines, "tacho.fault/1", 0);
	const struct tacho__json *loss = get(&lines, "tacho.loss/1", 1), *run, *left_out;

	assert_string_equal(tacho__json_string(fault, "text", ""),
			    "s/calls-1.bin cannot be read: Input/output error (errno 5), 4096 "
			    "bytes, 12 calls");
	assert_int_equal(tacho__json_integer(fault, "error", 0), 5);
	assert_int_equal(tacho__json_integer(fault, "calls", 0), 12);
	fault = get(&lines, "tacho.fault/1", 1);
	assert_string_equal(tacho__json_string(fault, "text", ""), "s/calls-2.bin is missing");
	assert_true(is_null(fault, "error"));
	assert_true(is_null(fault, "calls"));
	assert_int_equal(count(&lines, "tacho.fault/1"), 2);
	assert_true(is_null(loss, "process"));
	assert_int_equal(tacho__json_integer(loss, "missing", 0), 12);
	assert_int_equal(tacho__json_integer(loss, "untimed", 0), 3);
	left_out = get(&lines, "tacho.left_out/1", 0);
	assert_string_equal(tacho__json_string(left_out, "function", ""), "clGetEventInfo");
	assert_int_equal(tacho__json_integer(left_out, "calls", 0), 30);
	run = get(&lines, "tacho.run/1", 0);
	assert_int_equal(tacho__json_integer(run, "max_bytes", 0), 1 << 30);
	assert_true(is_null(run, "ring_bytes"));
	assert_true(is_null(run, "ring_calls"));
	tacho__arena_finish(&lines.arena);
}

/* Without leave nothing is written of such a recording, in any format. */
static void test_not_whole(void **state)
{
	const struct tacho_format *format;
	struct folder folder;

	folder_make(&folder);
	for (size_t i = 0; (format = tacho_format_get(i)); i++) {
		assert_int_equal(tacho_recording_export(fake_recording(sample_gaps()), format->name,
							folder_name(&folder, "x"), NULL),
				 TACHO_E_LOST);
		assert_non_null(strstr(tacho_error_last()->cause, "s/calls-1.bin cannot be read"));
		assert_int_equal(tacho_error_last()->vendor_code, 5);
	}
	assert_int_equal(folder_count(&folder), 0);
	folder_remove(&folder);
}

static void test_objects(void **state)
{
	struct lines lines = export_lines(sample_vadd());
	const struct tacho__json *device = get(&lines, "tacho.object/1", 0), *kernel;

	assert_string_equal(tacho__json_string(device, "kind", ""), "device");
	assert_string_equal(tacho__json_string(device, "name", ""), "gfx803");
	assert_string_equal(
		tacho__json_string(tacho__json_get(device, "attributes"), "platform_vendor", ""),
		"Advanced Micro Devices, Inc.");
	assert_null(tacho__json_get(tacho__json_get(device, "attributes"), "driver"));
	kernel = get(&lines, "tacho.object/1", 4);
	assert_string_equal(tacho__json_string(kernel, "handle", ""), "0x1C70010");
	assert_int_equal(tacho__json_integer(kernel, "program", 0), 1);
	assert_true(is_null(kernel, "device"));
	assert_int_equal(tacho__json_integer(kernel, "process", -1), 0);
	tacho__arena_finish(&lines.arena);
}

static void test_calls(void **state)
{
	struct lines lines = export_lines(sample_vadd());
	const struct tacho__json *call = get(&lines, "tacho.call/1", 2), *command, *arguments;

	assert_string_equal(tacho__json_string(call, "function", ""), "clEnqueueNDRangeKernel");
	assert_int_equal(tacho__json_integer(call, "thread", 0), 4711);
	assert_int_equal(tacho__json_integer(call, "end_ns", 0), 1000000104000);
	arguments = tacho__json_get(call, "arguments");
	assert_string_equal(tacho__json_string(arguments, "global_work_size", ""), "[1024]");
	command = tacho__json_get(call, "command");
	assert_string_equal(tacho__json_string(command, "state", ""), "ok");
	assert_true(is_null(command, "reason"));
	assert_int_equal(tacho__json_integer(command, "start_ns", 0), 1000000120000);
	assert_int_equal(tacho__json_integer(command, "uncertainty_ns", 0), 150);
	assert_string_equal(tacho__json_string(tacho__json_get(command, "kernel"), "name", ""),
			    "vadd");
	assert_int_equal(tacho__json_get(command, "global")->first->integer, 1024);
	assert_null(tacho__json_get(command, "global")->first->next);
	assert_int_equal(tacho__json_get(command, "local")->first->integer, 64);
	assert_true(is_null(get(&lines, "tacho.call/1", 0), "command"));
	command = tacho__json_get(get(&lines, "tacho.call/1", 1), "command");
	assert_int_equal(tacho__json_integer(command, "bytes", 0), 4096);
	tacho__arena_finish(&lines.arena);
}

/* What is not known is null, never 0, and says why. */
static void test_unknown(void **state)
{
	struct lines lines = export_lines(sample_mixed());
	const struct tacho__json *command;

	command = tacho__json_get(get(&lines, "tacho.call/1", 8), "command");
	assert_string_equal(tacho__json_string(command, "state", ""), "absent");
	assert_string_equal(tacho__json_string(command, "reason", ""),
			    "the driver counts 0, 1, 2, 3");
	assert_true(is_null(command, "queued_ns") && is_null(command, "submit_ns"));
	assert_true(is_null(command, "start_ns") && is_null(command, "end_ns"));
	assert_true(is_null(command, "uncertainty_ns") && is_null(command, "clock"));
	command = tacho__json_get(get(&lines, "tacho.call/1", 9), "command");
	assert_string_equal(tacho__json_string(command, "state", ""), "lost");
	command = tacho__json_get(get(&lines, "tacho.call/1", 3), "command");
	assert_true(is_null(command, "local")); /* the driver chose */
	assert_int_equal(tacho__json_get(command, "global")->first->next->integer, 8);
	command = tacho__json_get(get(&lines, "tacho.call/1", 11), "command");
	assert_true(is_null(command, "bytes"));
	tacho__arena_finish(&lines.arena);
}

static uint64_t template_of(const struct lines *lines, size_t call)
{
	const struct tacho__json *command =
		tacho__json_get(get(lines, "tacho.call/1", call), "command");

	assert_string_equal(tacho__json_string(command, "kind", ""), "command buffer");
	return (uint64_t)tacho__json_integer(tacho__json_get(command, "template"), "id", 0);
}

/* Each state of a command buffer is a line in front of its first execution. */
static void test_command_buffers(void **state)
{
	static const char *const expected[] = {
		"tacho.template/1", "tacho.call/1", "tacho.call/1",
		"tacho.template/1", "tacho.call/1", "tacho.template/1",
		"tacho.call/1",	    "tacho.loss/1", "tacho.loss/1"};
	struct lines lines = export_lines(sample_buffers());
	const struct tacho__json *template, *command;
	size_t first = lines.count - sizeof(expected) / sizeof(expected[0]);

	for (size_t i = first; i < lines.count; i++)
		assert_string_equal(tacho__json_string(lines.all[i], "schema", ""),
				    expected[i - first]);
	template = get(&lines, "tacho.template/1", 0);
	assert_string_equal(tacho__json_string(template, "name", ""), "command buffer (3 kernels)");
	assert_int_equal(tacho__json_integer(template, "version", 0), 1);
	command = tacho__json_get(template, "commands")->first;
	assert_string_equal(tacho__json_string(tacho__json_get(command, "kernel"), "name", ""),
			    "vadd");
	assert_int_equal(tacho__json_get(command, "global")->first->integer, 1024);
	assert_int_equal(tacho__json_integer(command->next, "bytes", 0), 4096);
	assert_null(command->next->next->next->next);
	template = get(&lines, "tacho.template/1", 1);
	assert_false(tacho__json_get(template, "known")->boolean);
	assert_null(tacho__json_get(template, "commands")->first);
	template = get(&lines, "tacho.template/1", 2);
	command = tacho__json_get(template, "commands")->first;
	assert_int_equal(tacho__json_get(command, "global")->first->integer, 2048);
	assert_int_equal(template_of(&lines, 0), 1);
	assert_int_equal(template_of(&lines, 1), 1);
	assert_int_equal(template_of(&lines, 2), 2);
	assert_int_equal(template_of(&lines, 3), 3);
	command = tacho__json_get(get(&lines, "tacho.call/1", 2), "command");
	assert_true(is_null(command, "start_ns") && is_null(command, "end_ns"));
	assert_true(is_null(tacho__json_get(command, "template"), "kernels"));
	tacho__arena_finish(&lines.arena);
}

static void test_estimate(void **state)
{
	struct fake_recording recordings[] = {*sample_vadd(), *sample_mixed(), *sample_vadd(),
					      *sample_buffers()};
	struct folder folder;
	struct stat status;
	uint64_t estimate;

	recordings[1].repeat = recordings[2].repeat = recordings[3].repeat = 3000;
	for (size_t i = 0; i < sizeof(recordings) / sizeof(recordings[0]); i++) {
		folder_make(&folder);
		assert_int_equal(tacho_recording_export(fake_recording(&recordings[i]), "jsonl",
							folder_name(&folder, "x"), NULL),
				 0);
		assert_int_equal(stat(folder_name(&folder, "x.jsonl"), &status), 0);
		assert_int_equal(tacho_recording_estimate(fake_recording(&recordings[i]), "jsonl",
							  &estimate),
				 0);
		assert_in_range(estimate, (uint64_t)status.st_size / 2,
				(uint64_t)status.st_size * 2);
		folder_remove(&folder);
	}
}

/* Growth that fails is an error that names the file, and no half file stays. */
static void test_no_room(void **state)
{
	const struct rlimit narrow = {.rlim_cur = 20000, .rlim_max = RLIM_INFINITY};
	static const char *const formats[] = {"jsonl", "codexl"};
	struct fake_recording recording = *sample_vadd();
	struct rlimit before;
	struct folder folder;

	recording.repeat = 1000;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	for (size_t i = 0; i < 2; i++) {
		int rc;

		folder_make(&folder);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &narrow), 0);
		rc = tacho_recording_export(fake_recording(&recording), formats[i],
					    folder_name(&folder, "x"), NULL);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
		assert_int_equal(rc, TACHO_E_IO);
		assert_int_equal(tacho_error_last()->vendor_code, EFBIG);
		assert_non_null(strstr(tacho_error_last()->message, folder.path));
		assert_int_equal(folder_count(&folder), 0);
		folder_remove(&folder);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_and_schemas),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_run_and_processes),
		cmocka_unit_test(test_thread_times),
		cmocka_unit_test(test_machine),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_not_whole),
		cmocka_unit_test(test_objects),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_command_buffers),
		cmocka_unit_test(test_estimate),
		cmocka_unit_test(test_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
