/* SPDX-License-Identifier: MIT */
/* What a recording kept of its programs becomes files that cannot land anywhere else. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <sys/stat.h>

#include "sample_recording.h"
#include "tacho/tacho.h"
#include "test_folder.h"

static const struct tacho_object program = {.kind = TACHO_OBJECT_PROGRAM, .id = 7, .name = ""};

static const struct tacho_blob blobs[] = {
	{.program = &program,
	 .kind = "build_log",
	 .bytes = (const unsigned char *)"fine",
	 .size = 4},
	{.program = &program, .kind = "binary", .bytes = (const unsigned char *)"a\0b", .size = 3},
	{.program = &program, .kind = "build_log", .bytes = (const unsigned char *)"", .size = 0},
	{.kind = "../../evil", .bytes = (const unsigned char *)"x", .size = 1},
	{.kind = "///", .bytes = (const unsigned char *)"y", .size = 1},
};

static int export_programs(struct folder *folder, size_t blob_count, int overwrite)
{
	const struct tacho_export_options options = {.size = sizeof(options),
						     .overwrite = overwrite};
	struct fake_recording recording = *sample_vadd();

	recording.blobs = blobs;
	recording.blob_count = blob_count;
	return tacho_recording_export(fake_recording(&recording), "programs",
				      folder_name(folder, "x"), &options);
}

static void check_file(struct folder *folder, const char *name, const char *bytes, size_t size)
{
	char path[PATH_MAX], *text;
	struct stat status;

	snprintf(path, sizeof(path), "x.programs/%s", name);
	text = read_text(folder_name(folder, path));
	assert_non_null(text);
	assert_int_equal(stat(folder->name, &status), 0);
	assert_int_equal(status.st_size, size);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_memory_equal(text, bytes, size);
	free(text);
}

static void test_files(void **state)
{
	struct folder folder, inner;
	struct stat status;
	uint64_t estimate;

	folder_make(&folder);
	assert_int_equal(export_programs(&folder, 5, 0), 0);
	check_file(&folder, "7.build_log", "fine", 4);
	check_file(&folder, "7.binary", "a\0b", 3);
	check_file(&folder, "7-2.build_log", "", 0); /* of a second device */
	check_file(&folder, "0.evil", "x", 1);
	check_file(&folder, "0.unknown", "y", 1);
	assert_int_equal(folder_count(&folder), 1);
	snprintf(inner.path, sizeof(inner.path), "%.40s/x.programs", folder.path);
	assert_int_equal(folder_count(&inner), 5);
	assert_int_equal(stat(inner.path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0700);

	struct fake_recording recording = *sample_vadd();

	recording.blobs = blobs;
	recording.blob_count = 5;
	assert_int_equal(
		tacho_recording_estimate(fake_recording(&recording), "programs", &estimate), 0);
	assert_int_equal(estimate, 4 + 3 + 0 + 1 + 1);
	folder_remove(&folder);
}

static void test_existing_folder(void **state)
{
	struct folder folder;

	folder_make(&folder);
	assert_int_equal(export_programs(&folder, 1, 0), 0);
	assert_int_equal(export_programs(&folder, 1, 0), TACHO_E_EXISTS);
	assert_int_equal(export_programs(&folder, 1, 1), 0);
	folder_remove(&folder);
}

static void test_folder_that_is_a_link(void **state)
{
	struct folder folder, target;

	folder_make(&folder);
	folder_make(&target);
	assert_int_equal(symlink(target.path, folder_name(&folder, "x.programs")), 0);
	assert_int_equal(export_programs(&folder, 1, 1), TACHO_E_EXISTS);
	assert_int_equal(folder_count(&target), 0);
	folder_remove(&folder);
	folder_remove(&target);
}

static void test_nothing_kept(void **state)
{
	struct folder folder;

	folder_make(&folder);
	assert_int_equal(export_programs(&folder, 0, 0), TACHO_E_NOTFOUND);
	assert_non_null(strstr(tacho_error_last()->cure, "--keep-programs"));
	assert_int_equal(folder_count(&folder), 0);
	folder_remove(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_existing_folder),
		cmocka_unit_test(test_folder_that_is_a_link),
		cmocka_unit_test(test_nothing_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
