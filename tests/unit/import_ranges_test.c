/* SPDX-License-Identifier: MIT */
/* Markers of session files, read as ranges, in every form that their writers have. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "import_vectors.h"
#include "tacho/tacho.h"
#include "test_folder.h"

/* "KIND DOMAIN/NAME START-END depth; ", in the order in which they are delivered. */
static void add_range(void *user, const struct tacho_named_range *range)
{
	static const char *const kinds[] = {"?", "nested", "process", "mark"};

	assert_string_equal(range->api, "AMDTActivityLogger");
	tacho__buf_printf(user, "%s %s/%s %" PRIu64 "-%" PRIu64 "%s on %" PRIu32 " in %s; ",
			  kinds[range->kind], range->domain, range->name, range->start_ns,
			  range->end_ns, range->is_open ? "?" : "", range->thread,
			  range->parent ? range->parent->name : "-");
}

/* The ranges and, as "NAME[RANGES]; ", the calls. Valid until the next call. */
static const char *read_all(const char *path)
{
	static struct tacho__buf found;
	struct tacho_recording *recording = NULL;
	const struct tacho_call *call;
	struct tacho_cursor *cursor;

	tacho__buf_clear(&found);
	assert_int_equal(tacho_recording_open(path, &recording), 0);
	cursor = open_cursor(recording);
	tacho_cursor_on_range(cursor, add_range, &found);
	while (tacho_cursor_next(cursor, &call) == 1) {
		tacho__buf_printf(&found, "%s[", call->function->name);
		for (size_t i = 0; i < call->range_count; i++)
			tacho__buf_printf(&found, "%s%s", i ? "," : "", call->ranges[i]->name);
		tacho__buf_put(&found, "]; ");
	}
	assert_int_equal(tacho_cursor_next(cursor, &call), 0);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
	return tacho__buf_text(&found);
}

static const char *read_text_file(const char *text)
{
	struct folder folder;
	const char *found;

	folder_make(&folder);
	put_file(&folder, "a.atp", text);
	found = read_all(folder_name(&folder, "a.atp"));
	folder_remove(&folder);
	return found;
}

#define CALLS                                                                          \
	"TraceFileVersion=3.2\n"                                                       \
	"=====ocl API Trace Output=====\n7\n2\n"                                       \
	"CL_SUCCESS = clFlush ( 0x1 )\n"                                               \
	"CL_SUCCESS = clFinish ( 0x1 )\n"                                              \
	"=====ocl Timestamp Output=====\n7\n2\n"                                       \
	"50   clFlush                                      100                  200\n" \
	"51   clFinish                                     300                  400\n"

static void test_calls(void **state)
{
	assert_string_equal(
		read_text_file(CALLS "=====Perfmarker Output=====\n7\n4\n"
				     "clBeginPerfMarker  outer  50  Default\n"
				     "clBeginPerfMarker  inner  250  Default\n"
				     "clEndPerfMarker  450\n"
				     "clEndPerfMarker  500\n"),
		"clFlush[outer]; clFinish[inner,outer]; "
		"nested /inner 250-450 on 7 in outer; nested /outer 50-500 on 7 in -; ");
	/* Not all of a call lies in them: begun later, ended earlier, on another thread. */
	assert_string_equal(read_text_file(CALLS "=====Perfmarker Output=====\n7\n4\n"
						 "clBeginPerfMarker  late  150  Default\n"
						 "clEndPerfMarker  250\n"
						 "clBeginPerfMarker  early  260  Default\n"
						 "clEndPerfMarker  350\n"
						 "8\n2\n"
						 "clBeginPerfMarker  other  1  Default\n"
						 "clEndPerfMarker  900\n"),
			    "clFlush[]; nested /late 150-250 on 7 in -; "
			    "nested /early 260-350 on 7 in -; clFinish[]; "
			    "nested /other 1-900 on 8 in -; ");
}

/* As the activity logger pads them, long names, groups, ends that name what they end. */
static void test_forms(void **state)
{
	assert_string_equal(
		read_text_file(
			"TraceFileVersion=2.5\n=====CodeXL OpenCL Perfmarker Output=====\n"
			"7\n6\n"
			"clBeginPerfMarker   two&nbsp;words                                  "
			"      100                    my&nbsp;group\n"
			"clBeginPerfMarker   nine_and_forty_letters_that_leave_one_blank_____x "
			"200                    default\n"
			"clEndPerfMarker     300                 \n"
			"clEndPerfMarkerEx   400                 two words                    "
			"                        my&nbsp;group\n"
			"clBeginPerfMarker x 500 g\n"
			"clEndPerfMarkerEx 600 x g\n"),
		"nested /nine_and_forty_letters_that_leave_one_blank_____x 200-300 on 7 in -; "
		"nested my group/two words 100-400 on 7 in -; nested g/x 500-600 on 7 in -; ");
}

/* Groups nest each for itself; what an end names need not be what was begun last. */
static void test_groups(void **state)
{
	assert_string_equal(read_text_file("TraceFileVersion=3.2\n=====Perfmarker Output=====\n"
					   "7\n9\n"
					   "clBeginPerfMarker  a  1  g\n"
					   "clBeginPerfMarker  b  2  h\n"
					   "clEndPerfMarkerEx  3  a  g\n"
					   "clEndPerfMarker  4\n"
					   "clBeginPerfMarker  &nbsp;  5  [process]\n"
					   "clBeginPerfMarker  m  6  [mark]q\n"
					   "clEndPerfMarker  6\n"
					   "clBeginPerfMarker  last  7  Default\n"
					   "clEndPerfMarkerEx  9  unknown  h\n"),
			    "nested g/a 1-3 on 7 in -; nested h/b 2-4 on 7 in -; "
			    "mark q/m 6-6 on 7 in -; nested /last 7-9 on 7 in -; "
			    "process / 5-9? on 7 in -; ");
}

static void test_vector(void **state)
{
	const char *found = read_all(source_path("tests/data/codexl/import/nbody.atp"));
	struct tacho_recording *recording;

	assert_non_null(strstr(found, "nested physics/first steps 900-9400 on 101 in -; "));
	assert_non_null(strstr(found, "clCreateKernel[first steps]; "));
	assert_null(strstr(found, "Marker["));
	assert_int_equal(
		tacho_recording_open(source_path("tests/data/codexl/import/nbody.atp"), &recording),
		0);
	assert_int_equal(tacho_recording_get_process(recording, 0)->losses.headless_ranges, 1);
	tacho_recording_close(recording);
}

/* Ends without a beginning, beginnings without an end, damage: bounded, and counted. */
static void test_damage(void **state)
{
	enum { MANY = 20000 };
	struct tacho__buf text = {0};
	struct tacho_recording *recording;
	const struct tacho_losses *losses;
	struct folder folder;

	tacho__buf_printf(&text, "TraceFileVersion=3.2\n=====Perfmarker Output=====\n7\n%d\n",
			  3 * MANY + 3);
	for (int i = 0; i < MANY; i++)
		tacho__buf_printf(&text, "clEndPerfMarker  %d\n", i);
	for (int i = 0; i < MANY; i++)
		tacho__buf_printf(&text, "clBeginPerfMarker  n%d  %d  Default\n", i, MANY + i);
	for (int i = 0; i < MANY; i++)
		tacho__buf_printf(&text, "clBeginPerfMarker  p%d  %d  [process]\n", i,
				  2 * MANY + i);
	tacho__buf_put(&text, "clBeginPerfMarker  nothing\nclEndPerfMarkerEx\n\x01\xff\n");
	folder_make(&folder);
	put_file(&folder, "a.atp", tacho__buf_text(&text));
	assert_int_equal(tacho_recording_open(folder_name(&folder, "a.atp"), &recording), 0);
	losses = &tacho_recording_get_process(recording, 0)->losses;
	assert_int_equal(losses->headless_ranges, MANY);
	assert_int_equal(losses->deep_ranges, MANY - 256 + MANY - 1024);
	assert_int_equal(losses->unreadable, 27 + 18 + 3);
	tacho_recording_close(recording);
	folder_remove(&folder);
	tacho__buf_finish(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls),  cmocka_unit_test(test_forms),
		cmocka_unit_test(test_groups), cmocka_unit_test(test_vector),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
