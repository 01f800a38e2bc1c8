/* SPDX-License-Identifier: MIT */
/* Session files read back: what each line says, and the same bytes once more. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <stdbool.h>

#include "tacho/exporter.h"
#include "tacho/summary.h"
#include "tacho/tacho.h"
#include "test_folder.h"
#include "import_vectors.h"

static const char long_device[] = "Advanced_GPU_with_a_name_of_more_than_thirty_bytes";

static struct tacho_recording *open_vector(const char *name)
{
	struct tacho_recording *recording = NULL;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "tests/data/codexl/import/%s", name);
	if (tacho_recording_open(source_path(path), &recording))
		fail_msg("%s: %s (%s)", path, tacho_error_last()->message,
			 tacho_error_last()->cause);
	return recording;
}

static const char *get_argument(struct tacho_cursor *cursor, size_t index, const char **out_name)
{
	const char *text = tacho_cursor_get_argument(cursor, index, out_name);

	assert_non_null(text);
	return text;
}

/* ---- the same bytes once more ---- */

/* A file that tests of the writer hold, with the version of this build in it. */
static bool copy_golden(struct folder *folder, const char *name)
{
	static const char mark[] = "@VERSION@";
	char path[128], *text, *at, *full;

	snprintf(path, sizeof(path), "tests/data/codexl/%s", name);
	text = read_text(source_path(path));
	if (!text)
		return false;
	at = strstr(text, mark);
	assert_non_null(at);
	assert_true(asprintf(&full, "%.*s%s%s", (int)(at - text), text, tacho_version(),
			     at + strlen(mark)) > 0);
	put_file(folder, name, full);
	free(full);
	free(text);
	return true;
}

static void check_round(const char *base)
{
	static const char *const suffixes[] = {".atp", ".csv", ".occupancy"};
	struct tacho_recording *recording = NULL;
	struct folder from, to;
	char name[64];
	bool has[3];

	folder_make(&from);
	folder_make(&to);
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "%s%s", base, suffixes[i]);
		has[i] = copy_golden(&from, name);
	}
	assert_int_equal(tacho_recording_open(folder_name(&from, base), &recording), 0);
	assert_int_equal(tacho_recording_export(recording, "codexl", folder_name(&to, base), NULL),
			 0);
	tacho_recording_close(recording);
	for (int i = 0; i < 3; i++) {
		char *before, *after;

		snprintf(name, sizeof(name), "%s%s", base, suffixes[i]);
		if (!has[i])
			continue;
		before = read_text(folder_name(&from, name));
		after = read_text(folder_name(&to, name));
		assert_non_null(after);
		assert_string_equal(before, after);
		free(before);
		free(after);
	}
	folder_remove(&from);
	folder_remove(&to);
}

/* A .occupancy without rows says nothing, and is no column of absent values. */
static void test_no_occupancy(void **state)
{
	struct tacho_recording *recording;
	struct folder folder;

	folder_make(&folder);
	assert_true(copy_golden(&folder, "mixed.atp"));
	assert_true(copy_golden(&folder, "mixed.occupancy"));
	assert_int_equal(tacho_recording_open(folder_name(&folder, "mixed.atp"), &recording), 0);
	assert_null(tacho_recording_get_counter(recording, 0));
	assert_null(tacho_recording_get_counting(recording));
	tacho_recording_close(recording);
	folder_remove(&folder);
}

static void test_round_trip(void **state)
{
	check_round("vadd");
	check_round("mixed");
	check_round("buffers");
	check_round("ranges");
}

/* What ran is known, and when; not of what. */
static void test_command_buffers(void **state)
{
	const struct tacho_summary_totals *totals;
	const struct tacho_summary_device *device;
	struct tacho_recording *recording;
	struct tacho_summary *summary;
	struct folder folder;

	folder_make(&folder);
	assert_true(copy_golden(&folder, "buffers.atp"));
	assert_int_equal(tacho_recording_open(folder_name(&folder, "buffers.atp"), &recording), 0);
	assert_int_equal(tacho_summary_create(recording, &summary), 0);
	totals = tacho_summary_get_totals(summary);
	assert_int_equal(totals->templates, 4);
	assert_int_equal(totals->launches, 0);
	assert_int_equal(totals->transfers, 0);
	assert_string_equal(tacho_summary_get_line(summary, TACHO_BY_KERNEL, 0)->name,
			    "command buffer (contents not known)");
	assert_int_equal(tacho_summary_get_line(summary, TACHO_BY_KERNEL, 0)->total_ns, 90000);
	device = tacho_summary_get_device(summary, 0);
	assert_int_equal(device->busy_ns, 90000);
	assert_int_equal(device->idle_ns, 12000);
	assert_int_equal(device->unknown_ns, 18000); /* from the one that has no times on */
	tacho_summary_destroy(summary);
	tacho_recording_close(recording);
	folder_remove(&folder);
}

/* Of the current call's row. */
static const struct tacho_column *column(struct tacho_cursor *cursor, size_t index)
{
	return tacho_result_get_column(tacho_cursor_get_row(cursor)->result, index);
}

/* ---- OpenCL ---- */

static void check_launch(struct tacho_cursor *cursor)
{
	const struct tacho_call *call = get_call(cursor, "clEnqueueNDRangeKernel");
	const struct tacho_command *command = call->command;

	assert_int_equal(call->thread, 101);
	assert_int_equal(call->index, 1);
	assert_int_equal(call->start_ns, 2000);
	assert_int_equal(call->end_ns, 2500);
	assert_string_equal(call->result, "CL_SUCCESS");
	assert_string_equal(call->caller, "step all (/home/u/nbody.c:40)");
	assert_non_null(command);
	assert_int_equal(command->kind, TACHO_COMMAND_KERNEL);
	assert_int_equal(command->code, 0x11f0);
	assert_int_equal(command->state, TACHO_STATE_OK);
	assert_int_equal(command->queued_ns, 2100);
	assert_int_equal(command->submit_ns, 2200);
	assert_int_equal(command->start_ns, 3000);
	assert_int_equal(command->end_ns, 9000);
	assert_string_equal(command->device->name, long_device);
	assert_string_equal(tacho_object_get(command->device, "board_name"), "Radeon Pro");
	assert_string_equal(tacho_object_get(command->device, "pcie_device_id"), "67df");
	assert_string_equal(tacho_object_get(command->device, "compute_units"), "36");
	assert_string_equal(command->kernel->name, "step");
	assert_int_equal(command->kernel->id, 7);
	assert_true(command->kernel->handle == 0x1C70010);
	assert_string_equal(tacho_object_get(command->kernel, "vgprs"), "24");
	assert_string_equal(tacho_object_get(command->kernel, "sgprs"), "18");
	assert_string_equal(tacho_object_get(command->kernel, "local_bytes"), "2048");
	assert_int_equal(command->queue->id, 1);
	assert_true(command->queue->handle == 0x1C5F2A0);
	assert_true(command->queue->context->handle == 0x1C50000);
	assert_int_equal(command->dimensions, 2);
	assert_int_equal(command->global[0], 64);
	assert_int_equal(command->global[1], 16);
	assert_true(command->has_local);
	assert_int_equal(command->local[0], 16);
	assert_int_equal(command->local[1], 4);
	assert_int_equal(command->first_launch, 1);
	assert_non_null(tacho_cursor_get_row(cursor));
	assert_true(tacho_cursor_get_row(cursor)->is_counted);
	assert_int_equal(column(cursor, 0)->states[0], TACHO_STATE_ABSENT); /* FCStacks */
	assert_int_equal(column(cursor, 1)->states[0], TACHO_STATE_OK);
	assert_true(column(cursor, 1)->data.f64[0] == 16);
	assert_true(column(cursor, 2)->data.f64[0] == 97.25);
	assert_int_equal(column(cursor, 3)->states[0], TACHO_STATE_ABSENT); /* L2Hit */
}

static void check_counters(struct tacho_recording *recording)
{
	static const char *const names[] = {"FCStacks",
					    "Wavefronts",
					    "VALUBusy",
					    "L2Hit",
					    "Number of VGPR used",
					    "Number of SGPR used",
					    "Amount of LDS used",
					    "Work-group size",
					    "Wavefronts per work-group",
					    "Global work size",
					    "Nbr VGPR-limited waves",
					    "Nbr SGPR-limited waves",
					    "Nbr LDS-limited waves",
					    "Nbr of WG-limited waves",
					    "Kernel occupancy"};
	const size_t count = sizeof(names) / sizeof(names[0]);

	for (size_t i = 0; i < count; i++)
		assert_string_equal(tacho_recording_get_counter(recording, i)->name, names[i]);
	assert_null(tacho_recording_get_counter(recording, count));
	assert_string_equal(tacho_recording_get_counter(recording, count - 1)->unit, "percent");
	assert_int_equal(tacho_recording_get_counter(recording, 1)->type, TACHO_TYPE_F64);
	assert_non_null(tacho_recording_get_counting(recording));
}

static void check_run(const struct tacho_run *run)
{
	assert_string_equal(run->application, "/home/u/nbody");
	assert_string_equal(run->arguments, "--steps 3; \"two words\"");
	assert_string_equal(run->working_directory, "/home/u");
	assert_string_equal(run->os_name, "Ubuntu Build farm");
	assert_string_equal(run->os_release, "4.15.0");
	assert_string_equal(run->generator, "profiler 5.6.7262");
	assert_int_equal(run->end_ns, 0);
	assert_int_equal(run->exit_status, -1);
	assert_non_null(strstr(run->import_note, "clRetainEvent,clReleaseEvent"));
	assert_non_null(strstr(run->import_note, "1 row of the .csv is left out"));
	assert_non_null(strstr(run->import_note, "1 row of the .occupancy is left out"));
}

/* What stands before the first launch. */
static void check_first_calls(struct tacho_cursor *cursor)
{
	const struct tacho_call *call;
	const char *name;

	call = get_call(cursor, "clCreateBuffer");
	assert_int_equal(call->thread, 99);
	assert_true(call->failed);
	assert_null(call->caller);
	assert_string_equal(get_argument(cursor, 4, &name), "[CL_INVALID_BUFFER_SIZE]");
	assert_string_equal(name, "errcode_ret");
	assert_string_equal(tacho_cursor_format_arguments(cursor, ", "),
			    "0x1C50000, CL_MEM_READ_ONLY, 0, NULL, [CL_INVALID_BUFFER_SIZE]");

	call = get_call(cursor, "clCreateKernel");
	assert_false(call->failed);
	assert_string_equal(call->result, "0x1C70010");
	assert_string_equal(call->caller, "main (/home/u/nbody.c:12)");
	assert_string_equal(get_argument(cursor, 1, &name), "\"step; 1\"");
	assert_null(tacho_cursor_get_argument(cursor, 3, &name));
}

static void test_opencl(void **state)
{
	struct tacho_recording *recording = open_vector("nbody.atp");
	struct tacho_cursor *cursor = open_cursor(recording);
	const struct tacho_run *run = tacho_recording_get_run(recording);
	const struct tacho_call *call;

	check_run(run);
	check_counters(recording);

	check_first_calls(cursor);
	check_launch(cursor);
	assert_int_equal(column(cursor, 4)->data.u64[0], 24);
	assert_true(column(cursor, 14)->data.f64[0] == 80);

	call = get_call(cursor, "clEnqueueAcquireD3D10ObjectsKHR_that_fills_it_x");
	assert_int_equal(call->start_ns, 3000);
	assert_int_equal(call->function->number, 69);
	assert_string_equal(call->caller, "0x4005d0+0x12");

	call = get_call(cursor, "clEnqueueNDRangeKernel");
	assert_true(call->failed);
	assert_null(call->command);
	assert_null(call->caller);

	call = get_call(cursor, "clGetEventInfo");
	assert_int_equal(call->repeats, 4);
	assert_int_equal(call->index, 4);
	assert_null(call->caller); /* its line is another function's */
	call = get_call(cursor, "clEnqueueReadBuffer");
	assert_int_equal(call->index, 9);
	assert_int_equal(call->command->kind, TACHO_COMMAND_READ);
	assert_true(call->command->has_bytes);
	assert_int_equal(call->command->bytes, 4096);
	assert_string_equal(call->command->device->name, long_device);
	assert_true(column(cursor, 1)->states[0] & TACHO_MARK_FOREIGN);
	get_call(cursor, "clFinish");
	check_end(cursor);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
}

/* Sections that only tacho writes: names of arguments, remarks, kinds of commands. */
static void test_other_apis(void **state)
{
	static const char text[] =
		"TraceFileVersion=3.2\n=====demo API Trace Output=====\n5\n3\n"
		"D_OK = demoLaunch ( stream=0x10;name=\"a;b\" )\n"
		"void = graph_kernel ( grid=[4,1] ) /*no call*/\n"
		"D_BAD = demoQuery ( size=8 ) /*failed*/ /*3 consecutive calls*/\n"
		"=====demo Timestamp Output=====\n5\n3\n"
		"7    demoLaunch  100  200\n"
		"146  graph_kernel  300  300  9  kernel  250  250  300  340  0  0x10  0  0x20  GPU "
		" "
		"0x30  k  {64}  {32}\n"
		"146  demoQuery  400  430\n";
	struct tacho_recording *recording = NULL;
	const struct tacho_call *call;
	struct tacho_cursor *cursor;
	struct folder folder;
	const char *name;

	folder_make(&folder);
	put_file(&folder, "a.atp", text);
	assert_int_equal(tacho_recording_open(folder_name(&folder, "a.atp"), &recording), 0);
	cursor = open_cursor(recording);
	call = get_call(cursor, "demoLaunch");
	assert_string_equal(call->function->api, "demo");
	assert_int_equal(call->function->number, 7);
	assert_string_equal(get_argument(cursor, 1, &name), "\"a;b\"");
	assert_string_equal(name, "name");
	assert_false(call->failed || call->is_bare || call->command);
	call = get_call(cursor, "graph_kernel");
	assert_true(call->is_bare);
	assert_int_equal(call->command->kind, TACHO_COMMAND_KERNEL);
	assert_string_equal(call->command->kernel->name, "k");
	assert_int_equal(call->command->start_ns, 300);
	assert_int_equal(call->command->global[0], 64);
	call = get_call(cursor, "demoQuery");
	assert_true(call->failed);
	assert_int_equal(call->repeats, 2);
	check_end(cursor);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
	folder_remove(&folder);
}

static void test_summary(void **state)
{
	struct tacho_recording *recording = open_vector("nbody.atp");
	const struct tacho_summary_totals *totals;
	struct tacho_summary *summary = NULL;

	assert_int_equal(tacho_summary_create(recording, &summary), 0);
	totals = tacho_summary_get_totals(summary);
	assert_int_equal(totals->calls, 8 + 4); /* lines, repeats */
	assert_int_equal(totals->failed_calls, 2);
	assert_int_equal(totals->launches, 1);
	assert_int_equal(totals->transfers, 1);
	assert_int_equal(totals->has_wall, 0);
	/* 500 + 500 + 100 + 500 + 1000 + 10500 + 100 + 20700 */
	assert_int_equal(totals->api_ns, 33900);
	assert_int_equal(tacho_summary_get_line(summary, TACHO_BY_KERNEL, 0)->total_ns, 6000);
	tacho_summary_destroy(summary);
	tacho_recording_close(recording);
}

/* Prefixes of older writers, DOS line ends, two parts with the same thread. */
static void test_older_writers(void **state)
{
	struct tacho_recording *recording = open_vector("codexl1.atp");
	struct tacho_cursor *cursor = open_cursor(recording);

	assert_string_equal(tacho_recording_get_run(recording)->application, "C:\\vadd.exe");
	for (uint64_t i = 0; i < 2; i++) {
		const struct tacho_call *call = get_call(cursor, "clFlush");

		assert_int_equal(call->start_ns, 10);
		assert_int_equal(call->index, i);
		assert_string_equal(tacho_cursor_format_arguments(cursor, ";"), "0x1");
	}
	check_end(cursor);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
}

/* ---- HSA ---- */

static void check_hsa_packets(struct tacho_cursor *cursor)
{
	const struct tacho_object *kernel;

	check_packet(cursor, "vadd", "gfx803", 20000, 29000);
	check_packet(cursor, "void scale<float>(float*, float)", "gfx803", 30000, 45000);
	kernel = NULL;
	for (size_t i = 0; tacho_cursor_get_object(cursor, i); i++)
		if (!strcmp(tacho_cursor_get_object(cursor, i)->name,
			    "void scale<float>(float*, float)"))
			kernel = tacho_cursor_get_object(cursor, i);
	assert_non_null(kernel);
	assert_string_equal(tacho_object_get(kernel, "local_bytes"), "512");
	assert_string_equal(tacho_object_get(kernel, "private_bytes"), "16");
	check_packet(cursor, "vadd", "Fiji [Radeon R9]", 50000, 51000);
	check_packet(cursor, "", "gfx803", 60000, 61000);
}

static void test_hsa(void **state)
{
	struct tacho_recording *recording = open_vector("hsa.atp");
	struct tacho_cursor *cursor = open_cursor(recording);
	const struct tacho_call *call;
	const char *name;

	call = get_call(cursor, "hsa_init");
	assert_string_equal(call->function->api, "HSA");
	assert_int_equal(call->function->number, 1);
	assert_null(tacho_cursor_get_argument(cursor, 0, &name));
	call = get_call(cursor, "hsa_agent_get_info");
	assert_string_equal(get_argument(cursor, 0, &name),
			    "{handle=24240912,name=Intel(R) Core(TM)}");
	assert_string_equal(name, "agent");
	assert_string_equal(get_argument(cursor, 2, &name), "[a@b,c]");
	assert_string_equal(name, "value");
	call = get_call(cursor, "hsa_signal_store_relaxed");
	assert_string_equal(call->result, "");
	assert_false(call->failed);
	call = get_call(cursor, "hsa_amd_memory_async_copy");
	assert_int_equal(call->command->kind, TACHO_COMMAND_COPY);
	assert_int_equal(call->command->start_ns, 9600);
	assert_int_equal(call->command->end_ns, 9900);
	call = get_call(cursor, "hsa_ven_amd_loader_executable_iterate_loaded_code_objects");
	assert_int_equal(call->start_ns, 9950);
	assert_true(call->failed);
	check_hsa_packets(cursor);
	check_end(cursor);
	assert_non_null(strstr(tacho_recording_get_run(recording)->import_note,
			       "1 HSA packet without times is left out"));
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
}

/* ---- rows alone ---- */

static void test_stream_csv(void **state)
{
	struct tacho_recording *recording = open_vector("stream.csv");
	struct tacho_cursor *cursor = open_cursor(recording);
	const struct tacho_call *call;
	struct tacho_summary *summary = NULL;

	call = get_call(cursor, "BufHostToDevice");
	assert_int_equal(call->is_bare, 1);
	assert_int_equal(call->command->kind, TACHO_COMMAND_WRITE);
	assert_int_equal(call->command->bytes, 4096);
	call = get_call(cursor, "kernel launch");
	assert_string_equal(call->command->kernel->name, "axpy");
	assert_int_equal(call->command->global[0], 38656);
	assert_int_equal(call->command->local[0], 128);
	assert_int_equal(call->command->state, TACHO_STATE_ABSENT);
	assert_int_equal(call->command->has_duration, 1);
	assert_int_equal(call->command->duration_ns, 18939730);
	assert_true(column(cursor, 0)->data.f64[0] == 2340.03);
	assert_int_equal(tacho_recording_get_counter(recording, 1)->type, TACHO_TYPE_U64);
	assert_int_equal(column(cursor, 1)->data.u64[0], 650);
	assert_true(column(cursor, 2)->data.f64[0] == 3.52);
	call = get_call(cursor, "BufDeviceToHost");
	assert_int_equal(call->command->kind, TACHO_COMMAND_READ);
	get_call(cursor, "kernel launch");
	assert_int_equal(column(cursor, 2)->states[0], TACHO_STATE_ABSENT);
	check_end(cursor);
	tacho_cursor_close(cursor);

	assert_int_equal(tacho_summary_create(recording, &summary), 0);
	assert_int_equal(tacho_summary_get_totals(summary)->calls, 0);
	assert_int_equal(tacho_summary_get_totals(summary)->launches, 2);
	assert_int_equal(tacho_summary_get_line(summary, TACHO_BY_KERNEL, 0)->total_ns, 38939730);
	tacho_summary_destroy(summary);
	tacho_recording_close(recording);
}

static void test_other_csv(void **state)
{
	struct tacho_recording *recording = open_vector("semicolon.csv");
	struct tacho_cursor *cursor = open_cursor(recording);
	const struct tacho_call *call = get_call(cursor, "kernel launch");

	assert_int_equal(call->thread, 12);
	assert_int_equal(call->index, 3);
	assert_string_equal(call->command->kernel->name, "mul");
	assert_string_equal(call->command->device->name, "Cypress");
	assert_int_equal(call->command->global[0], 512);
	assert_string_equal(tacho_object_get(call->command->kernel, "vgprs"), "4");
	assert_null(tacho_object_get(call->command->kernel, "sgprs"));
	assert_string_equal(tacho_recording_get_counter(recording, 1)->name, "KernelOccupancy");
	assert_true(column(cursor, 1)->data.f64[0] == 87.5);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);

	recording = open_vector("hsa_counters.csv");
	cursor = open_cursor(recording);
	call = get_call(cursor, "kernel launch");
	assert_string_equal(call->function->api, "HSA");
	assert_string_equal(call->command->kernel->name, "vadd_two");
	assert_string_equal(call->command->device->name, "gfx803");
	assert_int_equal(call->command->has_duration, 0);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
}

/* Six columns of a launch, with its CSV form, once more as it was. */
static void test_rows_round_trip(void **state)
{
	struct tacho_recording *recording = open_vector("nbody.csv");
	struct folder folder;
	char *text;

	folder_make(&folder);
	assert_int_equal(
		tacho_recording_export(recording, "codexl", folder_name(&folder, "again"), NULL),
		0);
	text = read_text(folder_name(&folder, "again.csv"));
	assert_non_null(strstr(text, "step__k7_Advanced_GPU_with_a_name_of_more_than_thirty_bytes1,"
				     " 2, 101, 30, {     64      16       1}, NULL,"
				     "         0.00600, 2048, 24, 18, 0, NA,        16.00,"
				     "        97.25, NA\n"));
	free(text);
	folder_remove(&folder);
	tacho_recording_close(recording);
}

static void test_occupancy(void **state)
{
	struct tacho_recording *recording = open_vector("old.occupancy");
	struct tacho_cursor *cursor = open_cursor(recording);
	const struct tacho_call *call = get_call(cursor, "kernel launch");

	assert_string_equal(call->command->kernel->name, "step");
	assert_string_equal(call->command->device->name, "Tahiti");
	assert_string_equal(tacho_object_get(call->command->device, "max_vgprs"), "256");
	assert_null(tacho_object_get(call->command->device, "simds_per_unit"));
	assert_int_equal(column(cursor, 0)->data.u64[0], 128);
	assert_true(column(cursor, 10)->data.f64[0] == 20);
	check_end(cursor);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
}

/* ---- what is refused ---- */

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_command_buffers),
		cmocka_unit_test(test_opencl),	   cmocka_unit_test(test_summary),
		cmocka_unit_test(test_other_apis), cmocka_unit_test(test_older_writers),
		cmocka_unit_test(test_hsa),	   cmocka_unit_test(test_stream_csv),
		cmocka_unit_test(test_other_csv),  cmocka_unit_test(test_rows_round_trip),
		cmocka_unit_test(test_occupancy),  cmocka_unit_test(test_no_occupancy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
