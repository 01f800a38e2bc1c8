/* SPDX-License-Identifier: MIT */
/* The SQLite export, read back with SQL. Every expected value is worked out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>

#include "base/sqlite_library.h"
#include "sample_recording.h"
#include "tacho/tacho.h"
#include "test_folder.h"
#include "sqlite_database.h"

/* ---- databases ---- */

/* ---- the file ---- */

/* All views of the contract can be read, and nothing else begins with v_. */
static void test_views(void **state)
{
	static const char *const views[] = {
		"v_run",
		"v_process",
		"v_thread",
		"v_thread_time",
		"v_device",
		"v_call",
		"v_command",
		"v_launch",
		"v_value",
		"v_kernel",
		"v_transfer",
		"v_transfer_by_kind",
		"v_metric_by_kernel",
		"v_api",
		"v_counter",
		"v_note",
		"v_metric_by_transfer",
		"v_template",
		"v_template_command",
		"v_template_kernel",
		"v_fault",
		"v_lost",
		"v_left_out",
		"v_range",
		"v_call_range",
		"v_frame",
		"v_range_by_path",
		"v_window",
		"v_sampled",
		"v_api_by_thread",
		"v_gap",
		"v_overlap",
	};
	struct database database;
	char sql[96];

	export_to(&database, sample_vadd());
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		snprintf(sql, sizeof(sql), "SELECT * FROM %s", views[i]);
		query(&database, sql);
	}
	EXPECT(&database,
	       "SELECT count(*) FROM sqlite_master WHERE type = 'view' AND name LIKE 'v\\_%' "
	       "ESCAPE '\\'",
	       "32\n");
	finish(&database);
}

static void test_ranges(void **state)
{
	struct database database;

	export_to(&database, sample_ranges());
	EXPECT(&database,
	       "SELECT id, kind, path, domain, api, thread, depth, parent, duration_ns, open, "
	       "color "
	       "FROM v_range ORDER BY id",
	       "1|nested|frame 1|NULL|tacho|4711|0|NULL|52000|0|NULL\n"
	       "2|nested|frame 1/step <1>|NULL|tacho|4711|1|1|5000|0|4281558681\n"
	       "3|nested|io, all|disk|itt|4711|0|NULL|47800|0|NULL\n"
	       "4|process|epoch|NULL|roctx|4711|0|NULL|144000|0|NULL\n"
	       "5|mark|here|NULL|nvtx|4711|1|NULL|0|0|NULL\n"
	       "6|nested|never ends|NULL|tacho|501|0|NULL|NULL|1|NULL\n");
	EXPECT(&database, "SELECT last_ns FROM v_range WHERE open", "1000000500000\n");
	EXPECT(&database, "SELECT id, position, range_id, name FROM v_call_range ORDER BY 1, 2",
	       "2|1|4|epoch\n3|1|2|step <1>\n3|2|1|frame 1\n3|3|4|epoch\n"
	       "4|1|3|io, all\n4|2|1|frame 1\n4|3|4|epoch\n");
	EXPECT(&database,
	       "SELECT path, count, open, total_ns, calls, launches, commands, device_ns "
	       "FROM v_range_by_path WHERE kind <> 'mark'",
	       "epoch|1|0|144000|3|1|2|70000\n"
	       "frame 1|1|0|52000|2|1|1|20000\n"
	       "io, all|1|0|47800|1|0|0|NULL\n"
	       "frame 1/step <1>|1|0|5000|1|1|1|20000\n"
	       "never ends|1|1|NULL|0|0|0|NULL\n");
	finish(&database);
}

static void test_gaps(void **state)
{
	struct database database;

	export_to(&database, sample_gaps());
	EXPECT(&database, "SELECT path, what, error, bytes, calls FROM v_fault",
	       "s/calls-1.bin|cannot be read|5|4096|12\ns/calls-2.bin|is missing|NULL|NULL|NULL\n");
	EXPECT(&database, "SELECT function, calls FROM v_left_out", "clGetEventInfo|30\n");
	EXPECT(&database, "SELECT no_window, missing, untimed, unreadable_bytes FROM v_lost",
	       "2|12|3|4096\n");
	EXPECT(&database, "SELECT whole, unfinished, max_bytes, ring_bytes FROM v_run",
	       "0|1|1073741824|NULL\n");
	EXPECT(&database, "SELECT count(*) FROM v_note WHERE text LIKE '%v_fault%'", "1\n");
	finish(&database);
	export_to(&database, sample_vadd());
	EXPECT(&database, "SELECT whole, unfinished, max_bytes FROM v_run", "1|0|NULL\n");
	finish(&database);
}

static void test_run_and_processes(void **state)
{
	struct database database;

	export_to(&database, sample_mixed());
	EXPECT(&database,
	       "SELECT application, arguments, host, os_release, start_ns, end_ns, wall_ns, "
	       "exit_status, why_empty FROM v_run",
	       "/bin/sh|-c './vadd;\n./b'|h|6.1.0|1000000000000|NULL|NULL|NULL|NULL\n");
	EXPECT(&database,
	       "SELECT process, pid, parent_pid, command, loader, no_window, waits, uncounted_ns "
	       "FROM v_process",
	       "0|4711|1|/home/u/vadd -n 1024|NULL|2|5|NULL\n"
	       "1|9000|4711|python3 a.py|/usr/lib/libOpenCL.so.1|0|0|NULL\n");
	EXPECT(&database, "SELECT * FROM v_note",
	       "process 0|calls or records are missing: v_process counts them\n");
	EXPECT(&database,
	       "SELECT pid, thread, thread_name, calls, failed, api_ns FROM v_thread ORDER BY 2",
	       "4711|501|poller|10|0|15300\n"
	       "4711|4711|main|2|0|5000\n"
	       "9000|9000|NULL|3|1|3000\n");
	finish(&database);
}

static void test_thread_times(void **state)
{
	struct fake_recording recording = *sample_mixed();
	const struct tacho_thread_time times[] = {
		{.process = recording.processes, .thread = 501, .at_ns = 5, .run_ns = 2},
		{.process = recording.processes + 1, .thread = 9000, .at_ns = 9, .waited_ns = 1},
		{.process = NULL},
	};
	struct database database;

	recording.thread_times = times;
	export_to(&database, &recording);
	EXPECT(&database,
	       "SELECT pid, thread, thread_name, at_ns, run_ns, waited_ns FROM v_thread_time",
	       "4711|501|poller|5|2|0\n9000|9000|NULL|9|0|1\n");
	finish(&database);
}

static void test_objects(void **state)
{
	struct database database;

	export_to(&database, sample_mixed());
	EXPECT(&database, "SELECT id, pid, name, label, handle, type, driver FROM v_device",
	       "1|4711|gfx803|gfx803|0x1C10000|gpu|NULL\n"
	       "2|9000|Some CPU|Some CPU|0x2C10000|cpu|6.0\n"
	       "3|4711|gfx803|gfx803 #2|0x1C10800|NULL|NULL\n");
	EXPECT(&database, "SELECT id, context, device FROM queue", "1|1|1\n2|NULL|2\n3|1|3\n");
	EXPECT(&database, "SELECT id, handle, name, context, program FROM kernel",
	       "1|0x1C70010|vadd|1|1\n2|0x2C70010|odd, name|NULL|NULL\n");
	EXPECT(&database, "SELECT key, value FROM attribute WHERE kind = 'kernel'",
	       "local_bytes|0\nlocal_bytes|x\n");
	finish(&database);
}

/* ---- calls and commands ---- */

static void test_calls(void **state)
{
	struct database database;

	export_to(&database, sample_vadd());
	EXPECT(&database,
	       "SELECT id, pid, thread, thread_index, api, function, start_ns, end_ns, "
	       "duration_ns, "
	       "result, failed, kind FROM v_call",
	       "1|4711|4711|0|opencl|clGetPlatformIDs|1000000000100|1000000002500|2400|CL_SUCCESS|"
	       "0|NULL\n"
	       "2|4711|4711|1|opencl|clEnqueueWriteBuffer|1000000010000|1000000090000|80000|"
	       "CL_SUCCESS|0|write\n"
	       "3|4711|4711|2|opencl|clEnqueueNDRangeKernel|1000000100000|1000000104000|4000|"
	       "CL_SUCCESS|0|kernel\n"
	       "4|4711|4711|3|opencl|clFinish|1000000105000|1000000150000|45000|CL_SUCCESS|0|"
	       "NULL\n");
	EXPECT(&database, "SELECT arguments FROM v_call WHERE id = 1",
	       "{\"num_entries\": \"1\", \"platforms\": \"[0x7F1A2B3C4D50]\", "
	       "\"num_platforms\": \"NULL\"}\n");
	EXPECT(&database, "SELECT json_extract(arguments, '$.size') FROM v_call WHERE id = 2",
	       "4096\n");
	EXPECT(&database, "SELECT arguments FROM v_call WHERE id = 4",
	       "{\"command_queue\": \"0x1C5F2A0\"}\n"); /* nothing of longer ones before it */
	EXPECT(&database, "SELECT id, kind, bytes, duration_ns, bytes_per_second FROM v_transfer",
	       "2|write|4096|50000|81920000.0\n");
	EXPECT(&database,
	       "SELECT id, kernel, device, queue, queued_ns, submit_ns, start_ns, end_ns, "
	       "duration_ns, queued_delay_ns, submit_delay_ns, uncertainty_ns, dimensions, "
	       "global_x, global_y, local_x, first_launch, counted FROM v_launch",
	       "3|vadd|gfx803|1|1000000101000|1000000102000|1000000120000|1000000140000|20000|1000|"
	       "18000|150|1|1024|1|64|1|NULL\n");
	EXPECT(&database, "SELECT command, code, clock, call_start_ns FROM v_command WHERE id = 3",
	       "CL_COMMAND_NDRANGE_KERNEL|4592|CLOCK_MONOTONIC_RAW|1000000100000\n");
	finish(&database);
}

/* What is not known is NULL, and says why. */
static void test_unknown(void **state)
{
	struct database database;

	export_to(&database, sample_mixed());
	EXPECT(&database,
	       "SELECT kind, state, reason, queued_ns, submit_ns, start_ns, end_ns, duration_ns, "
	       "uncertainty_ns, clock FROM v_command WHERE state <> 'ok'",
	       "kernel|absent|the driver counts 0, 1, 2, "
	       "3|NULL|NULL|NULL|NULL|NULL|NULL|NULL\n"
	       "read|lost|the program ended before the command "
	       "did|NULL|NULL|NULL|NULL|NULL|NULL|NULL\n");
	EXPECT(&database, "SELECT global_x, global_y, local_x FROM v_launch WHERE dimensions = 2",
	       "16|8|NULL\n"); /* the driver chose */
	EXPECT(&database, "SELECT bytes, bytes_per_second FROM v_transfer WHERE kind = 'unmap'",
	       "NULL|NULL\n");
	EXPECT(&database, "SELECT DISTINCT result, failed FROM v_call WHERE failed", "NULL|1\n");
	EXPECT(&database, "SELECT result FROM v_call WHERE function = 'clSVMFree'", "NULL\n");
	EXPECT(&database, "SELECT number FROM function WHERE name = 'clSVMFree'", "NULL\n");
	finish(&database);
}

static void test_sums(void **state)
{
	struct database database;

	export_to(&database, sample_mixed());
	EXPECT(&database, "SELECT * FROM v_kernel",
	       "vadd|gfx803|2|2|50000|25000.0|20000|30000|20000|ok|NULL|kernel\n"
	       "odd, name|Some CPU|1|0|NULL|NULL|NULL|NULL|NULL|absent|the driver counts 0, 1, 2, "
	       "3|kernel\n");
	EXPECT(&database, "SELECT * FROM v_transfer_by_kind",
	       "read|gfx803 #2|1|1|1005|1005.0|1005|1005|1000|ok|NULL|995024875.621891\n"
	       "unmap|gfx803 #2|1|1|1000|1000.0|1000|1000|NULL|ok|NULL|NULL\n"
	       "read|gfx803|1|0|NULL|NULL|NULL|NULL|64|absent|the program ended before the command "
	       "did|NULL\n");
	EXPECT(&database,
	       "SELECT api, calls, failed, total_ns, mean_ns, min_ns, max_ns FROM v_api "
	       "WHERE function IN ('clGetEventInfo', 'sampleCall', 'clCreateContext')",
	       "opencl|6|0|1800|300.0|100|400\n"
	       "opencl|1|1|1000|1000.0|1000|1000\n"
	       "sample|1|0|1000|1000.0|1000|1000\n");
	finish(&database);
}

/* What ran as a whole, each of its states, and what those hold. */
static void test_command_buffers(void **state)
{
	struct database database;

	export_to(&database, sample_buffers());
	EXPECT(&database,
	       "SELECT kernel, kind, launches, measured, total_ns, min_ns, max_ns, reason "
	       "FROM v_kernel",
	       "command buffer (3 kernels)|command buffer|3|3|90000|20000|40000|NULL\n"
	       "command buffer (contents not known)|command buffer|1|0|NULL|NULL|NULL|the driver "
	       "tells when it ended, but not when it began\n");
	EXPECT(&database,
	       "SELECT id, handle, version, template, known, commands, kernels, executions "
	       "FROM v_template",
	       "1|0x1C90000|1|command buffer (3 kernels)|1|4|3|2\n"
	       "2|0x1C90040|NULL|command buffer (contents not known)|0|NULL|NULL|1\n"
	       "3|0x1C90000|3|command buffer (3 kernels)|1|4|3|1\n");
	EXPECT(&database,
	       "SELECT position, kind, kernel, global_x, global_z, local_x, bytes "
	       "FROM v_template_command WHERE template_id = 3",
	       "1|kernel|vadd|2048|1|64|NULL\n2|copy|NULL|NULL|NULL|NULL|4096\n"
	       "3|kernel|scale|512|1|64|NULL\n4|kernel|vadd|1024|1|64|NULL\n");
	EXPECT(&database, "SELECT kernel, runs FROM v_template_kernel ORDER BY kernel",
	       "scale|3\nvadd|6\n");
	EXPECT(&database, "SELECT template, template_id, marked_start FROM v_command",
	       "command buffer (3 kernels)|1|0\ncommand buffer (3 kernels)|1|0\n"
	       "command buffer (contents not known)|2|0\ncommand buffer (3 kernels)|3|1\n");
	EXPECT(&database, "SELECT commands, without_times FROM v_device", "4|1\n");
	EXPECT(&database, "SELECT count(*) FROM v_launch", "0\n");
	EXPECT(&database, "PRAGMA foreign_key_check", "");
	finish(&database);
}

/* A line that is measured in part is `lost` when something never ended. */
static void test_lost(void **state)
{
	struct fake_recording recording = *sample_mixed();
	struct fake_call calls[15];
	struct tacho_command lost;
	struct database database;

	assert_int_equal(recording.call_count, 15);
	memcpy(calls, recording.calls, sizeof(calls));
	lost = *calls[3].call.command;
	lost.state = TACHO_STATE_LOST;
	lost.reason = "it never ended";
	calls[3].call.command = &lost;
	recording.calls = calls;
	export_to(&database, &recording);
	EXPECT(&database,
	       "SELECT launches, measured, total_ns, state, reason FROM v_kernel "
	       "WHERE kernel = 'vadd'",
	       "2|1|20000|lost|it never ended\n");
	finish(&database);
}

/* What session files leave open: times of the queue, calls, and the place of a duration. */
static void test_session_files(void **state)
{
	struct fake_recording recording = *sample_mixed();
	struct tacho_command launch, read;
	struct fake_call calls[15];
	struct database database;

	memcpy(calls, recording.calls, sizeof(calls));
	launch = *calls[2].call.command;
	launch.lacks_queue_times = 1;
	launch.queued_ns = launch.submit_ns = 0;
	calls[2].call.command = &launch;
	calls[2].call.is_bare = 1;
	calls[2].call.caller = "main (vadd.c:7)";
	read = *calls[9].call.command;
	read.has_duration = 1;
	read.duration_ns = 32;
	calls[9].call.command = &read;
	calls[4].call.repeats = 4; /* 60 ns in five calls, over 100 ns */
	calls[4].call.busy_ns = 60;
	calls[0].call.repeats = 1; /* failed */
	calls[0].call.busy_ns = calls[0].call.end_ns - calls[0].call.start_ns;
	recording.run.import_note = "the occupancy is not there";
	recording.run.why_empty = "if there was no call, this is why";
	recording.run.start_ns = 0;
	recording.calls = calls;
	export_to(&database, &recording);
	EXPECT(&database,
	       "SELECT queued_ns, submit_ns, start_ns, duration_ns, queued_delay_ns, "
	       "call_start_ns FROM v_command WHERE id = 3",
	       "NULL|NULL|1000000120000|20000|NULL|NULL\n");
	EXPECT(&database, "SELECT count(*) FROM v_call WHERE id = 3", "0\n");
	EXPECT(&database, "SELECT caller FROM call WHERE id = 3", "main (vadd.c:7)\n");
	EXPECT(&database,
	       "SELECT state, start_ns, duration_ns, bytes_per_second FROM v_transfer "
	       "WHERE id = 10",
	       "lost|NULL|32|2000000000.0\n");
	EXPECT(&database,
	       "SELECT measured, total_ns, state, reason FROM v_transfer_by_kind "
	       "WHERE kind = 'read' AND device = 'gfx803'",
	       "1|32|ok|NULL\n");
	EXPECT(&database,
	       "SELECT calls, failed, total_ns, min_ns, max_ns FROM v_api WHERE function IN "
	       "('clGetEventInfo', 'clCreateContext', 'clEnqueueNDRangeKernel')",
	       "2|0|2000|1000|1000\n10|0|1760|12|400\n2|2|1000|500|500\n");
	EXPECT(&database, "SELECT thread, calls, failed FROM v_thread ORDER BY 1",
	       "501|14|0\n4711|1|0\n9000|4|2\n");
	EXPECT(&database, "SELECT import_note, why_empty, start_ns FROM v_run",
	       "the occupancy is not there|NULL|NULL\n");
	EXPECT(&database, "SELECT text FROM v_note WHERE about = 'run'",
	       "the occupancy is not there\n");
	finish(&database);
}

/* ---- values ---- */

#define COUNTER(counter_name, counter_type, counter_semantic)                     \
	{                                                                         \
		.name = counter_name, .unit = "", .description = "", .group = "", \
		.semantic = counter_semantic, .type = counter_type                \
	}

static const struct tacho_entry counters[] = {
	COUNTER("waves", TACHO_TYPE_U64, "event"),
	COUNTER("busy", TACHO_TYPE_F64, "ratio"),
	COUNTER("time", TACHO_TYPE_F64, "duration"),
	COUNTER("rest", TACHO_TYPE_U64, "event"),
	{0},
};

static const struct tacho_recorded_counting counting = {.device = "toy [simulated]",
							.is_simulated = 1,
							.pass_count = 1,
							.replay = TACHO_REPLAY_KERNEL};

/* vadd twice or so, with these rows for the write and the launch. */
static struct fake_recording *with_values(struct fake_call calls[4], const struct fake_row *write,
					  const struct fake_row *launch, uint64_t repeat)
{
	static struct fake_recording recording;

	recording = *sample_vadd();
	memcpy(calls, recording.calls, 4 * sizeof(calls[0]));
	calls[1].values = write;
	calls[2].values = launch;
	recording.calls = calls;
	recording.counters = counters;
	recording.counting = &counting;
	recording.repeat = repeat;
	return &recording;
}

static void test_values(void **state)
{
	const struct fake_value values[] = {
		{.data.u64 = UINT64_C(18446744073709551615), .note = "", .coverage = 1},
		{.data.f64 = 12.5,
		 .state = TACHO_STATE_SCALED | TACHO_MARK_DIV0 | TACHO_MARK_DEFAULT,
		 .note = "half of it",
		 .coverage = 0.5},
		{.data.f64 = NAN, .note = "", .coverage = 1},
		{.state = TACHO_STATE_ABSENT, .note = "no such unit", .coverage = 1},
	};
	const struct fake_value foreign[] = {
		{.state = TACHO_STATE_ABSENT | TACHO_MARK_FOREIGN, .note = "", .coverage = 1},
		{.data.f64 = INFINITY, .note = "", .coverage = 1},
		{.data.f64 = 3, .state = TACHO_STATE_OVERFLOW, .note = "", .coverage = 1},
		{.data.u64 = INT64_MAX, .note = "", .coverage = 1},
	};
	const struct fake_row launch = {
		.values = values, .count = 4, .is_counted = 1, .note = "about all"};
	const struct fake_row write = {.values = foreign, .count = 4, .is_counted = 1, .note = ""};
	struct fake_call calls[4];
	struct database database;

	export_to(&database, with_values(calls, &write, &launch, 1));
	EXPECT(&database,
	       "SELECT id, kind, kernel, counter, value, exact, state, coverage, div0, is_default, "
	       "note FROM v_value",
	       "2|write|NULL|busy|Inf|NULL|ok|1.0|0|0|NULL\n"
	       "2|write|NULL|time|3.0|NULL|overflow|1.0|0|0|NULL\n"
	       "2|write|NULL|rest|9223372036854775807|NULL|ok|1.0|0|0|NULL\n"
	       "3|kernel|vadd|waves|1.84467440737096e+19|18446744073709551615|ok|1.0|0|0|about "
	       "all\n"
	       "3|kernel|vadd|busy|12.5|NULL|scaled|0.5|1|1|half of it\n"
	       "3|kernel|vadd|time|NULL|NaN|ok|1.0|0|0|about all\n"
	       "3|kernel|vadd|rest|NULL|NULL|absent|NULL|0|0|no such unit\n");
	EXPECT(&database, "SELECT typeof(value), count(*) FROM value GROUP BY 1",
	       "integer|1\nnull|2\nreal|4\n");
	/* Ratios have no total; what lacks a number has no sum. */
	EXPECT(&database,
	       "SELECT counter, count, measured, total, mean, state, coverage, div0, note "
	       "FROM v_metric_by_kernel",
	       "waves|1|1|1.84467440737096e+19|1.84467440737096e+19|ok|1.0|0|about all\n"
	       "busy|1|1|NULL|12.5|scaled|0.5|1|half of it\n"
	       "time|1|1|NULL|NULL|ok|1.0|0|about all\n"
	       "rest|1|0|NULL|NULL|absent|NULL|0|no such unit\n");
	EXPECT(&database, "SELECT kind, counter, total, state FROM v_metric_by_transfer",
	       "write|busy|NULL|ok\nwrite|time|3.0|overflow\nwrite|rest|9223372036854775807|ok\n");
	EXPECT(&database, "SELECT * FROM v_counter WHERE counter = 'waves'",
	       "waves|NULL|u64|event|NULL|NULL|0|0|0|toy [simulated]|1|kernel\n");
	EXPECT(&database, "SELECT DISTINCT counted, values_note FROM v_launch", "1|about all\n");
	finish(&database);
}

/* Whole numbers stay exact in sums; a sum that no column holds is a real one. */
static void test_exact_sums(void **state)
{
	struct fake_value values[] = {
		{.data.u64 = (UINT64_C(1) << 60) + 1, .note = "", .coverage = 1},
		{.data.f64 = 1, .note = "", .coverage = 1},
		{.data.f64 = 0.25, .note = "", .coverage = 1},
		{.data.u64 = 5, .note = "", .coverage = 1},
	};
	const struct fake_row launch = {.values = values, .count = 4, .is_counted = 1, .note = ""};
	struct fake_call calls[4];
	struct database database;

	export_to(&database, with_values(calls, NULL, &launch, 7));
	EXPECT(&database, "SELECT counter, measured, total, min, max FROM v_metric_by_kernel",
	       "waves|7|8070450532247928839|1152921504606846977|1152921504606846977\n"
	       "busy|7|NULL|1.0|1.0\ntime|7|1.75|0.25|0.25\nrest|7|35|5|5\n");
	finish(&database);
	export_to(&database, with_values(calls, NULL, &launch, 8));
	EXPECT(&database,
	       "SELECT typeof(total), total > 9.2e18 FROM v_metric_by_kernel "
	       "WHERE counter = 'waves'",
	       "real|1\n");
	finish(&database);
}

/* Launches that took turns: the totals stand for all of them. */
static void test_turns(void **state)
{
	const struct tacho_recorded_counting turns = {
		.device = "toy", .pass_count = 2, .replay = TACHO_REPLAY_ROTATE};
	struct fake_value with[] = {{.data.u64 = 10, .note = "", .coverage = 1},
				    {.data.f64 = 4, .note = "", .coverage = 1}};
	struct fake_value without[] = {
		{.state = TACHO_STATE_ABSENT, .note = "not its turn", .coverage = 1},
		{.data.f64 = 8, .note = "", .coverage = 1}};
	const struct fake_row first = {.values = with, .count = 2, .is_counted = 1, .note = ""};
	const struct fake_row second = {.values = without, .count = 2, .is_counted = 1, .note = ""};
	const struct fake_row unselected = {.values = without, .count = 2, .note = ""};
	struct fake_recording *recording;
	struct database database;
	struct fake_call calls[4];

	recording = with_values(calls, NULL, &first, 1);
	recording->counting = &turns;
	calls[0] = calls[1] = calls[2]; /* three launches */
	calls[1].values = &second;
	export_to(&database, recording);
	EXPECT(&database,
	       "SELECT counter, count, measured, total, mean, state, coverage, note "
	       "FROM v_metric_by_kernel",
	       "waves|3|2|30|10.0|scaled|0.666666666666667|not its turn\n"
	       "busy|3|3|NULL|5.33333333333333|ok|1.0|NULL\n");
	finish(&database);
	calls[1].values = &unselected;
	export_to(&database, recording);
	EXPECT(&database, "SELECT counted FROM v_launch", "1\n0\n1\n");
	EXPECT(&database, "SELECT counter, count, measured, total, state FROM v_metric_by_kernel",
	       "waves|2|2|20|ok\nbusy|2|2|NULL|ok\n");
	finish(&database);
}

/* ---- what others may have written ---- */

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_views),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_thread_times),
		cmocka_unit_test(test_objects),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_run_and_processes),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_command_buffers),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_session_files),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_exact_sums),
		cmocka_unit_test(test_turns),
	};
	int rc;

	if (tacho__sqlite_library_open(&library)) {
		print_message("SKIP: %s\n", tacho_error_last()->message);
		return 77;
	}
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	tacho__dl_close(&library.dl);
	return rc;
}
