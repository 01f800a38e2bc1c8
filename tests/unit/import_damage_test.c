/* SPDX-License-Identifier: MIT */
/* Session files that are not whole, or none: what is refused, and what is told. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tacho/tacho.h"
#include "test_folder.h"
#include "import_vectors.h"

static int open_text(const char *name, const char *text)
{
	struct tacho_recording *recording = NULL;
	struct folder folder;
	int rc;

	folder_make(&folder);
	put_file(&folder, name, text);
	rc = tacho_recording_open(folder_name(&folder, name), &recording);
	tacho_recording_close(recording);
	folder_remove(&folder);
	return rc;
}

static void test_refusals(void **state)
{
	struct tacho_recording *recording = NULL;

	assert_int_equal(tacho_recording_open(source_path("tests/data/codexl/import/graphics.atp"),
					      &recording),
			 TACHO_E_VERSION);
	assert_non_null(strstr(tacho_error_last()->cause, "version 1"));
	assert_int_equal(open_text("a.atp", "PNG\n"), TACHO_E_PARSE);
	assert_int_equal(open_text("a.csv", ""), TACHO_E_PARSE);
	assert_int_equal(open_text("a.csv", "x, y\n1, 2\n"), TACHO_E_PARSE);
	assert_int_equal(open_text("a.occupancy", "Method, x\n"), TACHO_E_PARSE);
	assert_int_equal(tacho_recording_open("/nowhere/a.atp", &recording), TACHO_E_NOTFOUND);
	assert_int_equal(tacho_recording_open("/nowhere/a", &recording), TACHO_E_NOTFOUND);
	assert_null(recording);
}

/* A file that ends anywhere is read as far as it goes, and what is missing is told. */
static void test_cut_files(void **state)
{
	char *text = read_text(source_path("tests/data/codexl/import/nbody.atp"));
	size_t size = strlen(text);

	for (size_t cut = size; cut > 30; cut -= cut > 60 ? 29 : 1) {
		text[cut] = '\0';
		assert_int_equal(open_text("a.atp", text), 0);
	}
	free(text);
}

/* Its faults are written into a text that stays until the next call. */
static uint64_t count_unreadable(const char *text, const char **out_faults)
{
	static char faults[512];
	struct tacho_recording *recording = NULL;
	const struct tacho_fault *fault;
	struct folder folder;
	uint64_t bytes;

	folder_make(&folder);
	put_file(&folder, "a.atp", text);
	assert_int_equal(tacho_recording_open(folder_name(&folder, "a.atp"), &recording), 0);
	bytes = tacho_recording_get_process(recording, 0)->losses.unreadable;
	*faults = '\0';
	for (size_t i = 0; (fault = tacho_recording_get_fault(recording, i)); i++) {
		char *words;

		assert_int_equal(tacho_fault_format(fault, &words), 0);
		snprintf(faults + strlen(faults), sizeof(faults) - strlen(faults), "%s;", words);
		free(words);
	}
	*out_faults = faults;
	assert_int_equal(tacho_recording_check(recording), TACHO_E_LOST);
	tacho_recording_close(recording);
	folder_remove(&folder);
	return bytes;
}

static void test_damage_is_counted(void **state)
{
	const char *faults;

	assert_int_equal(count_unreadable("TraceFileVersion=3.2\n"
					  "=====ocl API Trace Output=====\n1\n2\n"
					  "CL_SUCCESS = clFlush ( 0x1 )\n"
					  "CL_SUCCESS = clFinish ( 0x1 )\n"
					  "=====ocl Timestamp Output=====\n1\n2\n"
					  "50 clFlush 10 20\n"
					  "damaged\n",
					  &faults),
			 8);
	assert_string_equal(faults, "");
	assert_int_equal(count_unreadable("TraceFileVersion=3.2\n"
					  "=====ocl API Trace Output=====\n1\n1\n"
					  "CL_SUCCESS = clFlush ( 0x1 )\n"
					  "=====no such section=====\nabc\n",
					  &faults),
			 4);
	assert_string_equal(faults, "a.atp has calls without times, which are left out, 1 call;");
	assert_int_equal(count_unreadable("TraceFileVersion=3.2\n"
					  "=====ocl Stack Trace Output=====\n1\n2\n"
					  "clFlush\tmain\t12\tx.c\n",
					  &faults),
			 0);
	assert_string_equal(faults, "a.atp ends early: a part of it has fewer lines than it says;");
}

/* The examples that were made from the writers' source, when they are at hand. */
static void test_reference(void **state)
{
	struct tacho_recording *recording = NULL;
	struct tacho_cursor *cursor;
	const struct tacho_column *column;
	const struct tacho_call *call;

	if (access(source_path("../shared/data/codexl"), F_OK)) {
		print_message("skipped: ../shared/data/codexl is absent\n");
		skip();
	}
	assert_int_equal(
		tacho_recording_open(source_path("../shared/data/codexl/hsa.atp"), &recording), 0);
	cursor = open_cursor(recording);
	get_call(cursor, "hsa_init");
	check_packet(cursor, "vadd", "gfx803", 20000, 40000);
	get_call(cursor, "hsa_shut_down");
	check_end(cursor);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);

	assert_int_equal(tacho_recording_open(source_path("../shared/data/codexl/ocl"), &recording),
			 0);
	cursor = open_cursor(recording);
	get_call(cursor, "clGetPlatformIDs");
	call = get_call(cursor, "clEnqueueWriteBuffer");
	assert_int_equal(call->command->bytes, 4096);
	call = get_call(cursor, "clEnqueueNDRangeKernel");
	assert_string_equal(call->command->kernel->name, "vadd");
	get_call(cursor, "clFinish");
	check_end(cursor);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);

	assert_int_equal(
		tacho_recording_open(source_path("../shared/data/codexl/ocl.csv"), &recording), 0);
	cursor = open_cursor(recording);
	get_call(cursor, "kernel launch");
	column = tacho_result_get_column(tacho_cursor_get_row(cursor)->result, 0);
	assert_true(column->data.f64[0] == 16);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_cut_files),
		cmocka_unit_test(test_damage_is_counted),
		cmocka_unit_test(test_reference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
