/* SPDX-License-Identifier: MIT */
/* Session files of a recording that kept its programs, on devices whose limits are known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>

#include "base/buf.h"
#include "base/fs.h"
#include "sample_recording.h"
#include "tacho/tacho.h"
#include "test_folder.h"

static struct tacho__buf read_object(const char *name)
{
	struct tacho__buf bytes = {0};
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/tests/data/occupancy/%s", getenv("TACHO_SOURCE_ROOT"),
		 name);
	assert_int_equal(tacho__fs_read(path, 1 << 20, &bytes), 0);
	return bytes;
}

/* The program of the recording's first kernel. */
static const struct tacho_object *find_program(const struct fake_recording *recording)
{
	for (size_t i = 0; i < recording->object_count; i++)
		if (recording->objects[i]->object.kind == TACHO_OBJECT_KERNEL)
			return recording->objects[i]->object.program;
	return NULL;
}

static char *export_with(const char *object, const char *suffix)
{
	struct tacho__buf bytes = read_object(object);
	struct fake_recording recording = *sample_vadd();
	const struct tacho_blob blobs[] = {
		{.program = find_program(&recording),
		 .kind = "source",
		 .bytes = (const unsigned char *)"kernel",
		 .size = 6},
		{.program = find_program(&recording),
		 .kind = "binary",
		 .bytes = (const unsigned char *)bytes.text,
		 .size = bytes.size},
	};
	struct folder folder;
	char name[32], *text;

	recording.blobs = blobs;
	recording.blob_count = 2;
	folder_make(&folder);
	assert_int_equal(tacho_recording_export(fake_recording(&recording), "codexl",
						folder_name(&folder, "x"), NULL),
			 0);
	snprintf(name, sizeof(name), "x%s", suffix);
	text = read_text(folder_name(&folder, name));
	assert_non_null(text);
	folder_remove(&folder);
	tacho__buf_finish(&bytes);
	return text;
}

/* vadd on gfx803: 5 VGPRs, 9 SGPRs, no LDS, groups of 64 out of 1024. */
static void test_row(void **state)
{
	static const char row[] = "4711,vadd,gfx803,NA,40,40,256,800,65536,5,9,0,64,64,1,1024,16,"
				  "1024,NA,40,40,40,40,100,8,4\n";
	char *text = export_with("gfx803-v4.o", ".occupancy"), *at;

	assert_non_null(strstr(text, "# KernelCount=1\n"));
	at = strstr(text, "Number of SIMDs per CU\n");
	assert_non_null(at);
	assert_string_equal(strchr(at, '\n') + 1, row);
	free(text);
	text = export_with("gfx803-v4.o", ".csv");
	assert_non_null(strstr(text, ", 0, 5, 9, 0\n"));
	free(text);
}

/* Another chip's code: neither a row nor numbers. */
static void test_other_device(void **state)
{
	char *text = export_with("gfx900-v3.o", ".occupancy");

	assert_non_null(strstr(text, "# KernelCount=0\n"));
	assert_non_null(strstr(text, "Number of SIMDs per CU\n"));
	free(text);
	text = export_with("gfx900-v3.o", ".csv");
	assert_non_null(strstr(text, ", 0, NA, NA, NA\n"));
	free(text);
	text = export_with("tile.cu", ".occupancy");
	assert_non_null(strstr(text, "# KernelCount=0\n"));
	free(text);
}

static void test_kept(void **state)
{
	struct tacho__buf bytes = read_object("gfx900-v3.o"), more = read_object("gfx90a-v4.o");
	static const struct tacho_object program = {.kind = TACHO_OBJECT_PROGRAM, .name = ""};
	struct fake_object kernels = {
		.object = {.kind = TACHO_OBJECT_KERNEL, .name = "tile", .program = &program}};
	struct fake_object devices = {
		.object = {.kind = TACHO_OBJECT_DEVICE, .name = "gfx900:xnack-"}};
	struct tacho_object *kernel = &kernels.object, *device = &devices.object;
	struct tacho_blob blob = {.program = &program,
				  .kind = "binary",
				  .bytes = (const unsigned char *)bytes.text,
				  .size = bytes.size};
	struct tacho_compiled_kernel found;
	struct tacho_kept *kept;

	assert_int_equal(tacho_kept_create(&kept), 0);
	assert_int_equal(tacho_kept_find(kept, kernel, device, &found), TACHO_E_NOTFOUND);
	assert_non_null(strstr(tacho_error_last()->cure, "--keep-programs"));
	tacho_kept_add(kept, &blob);
	blob.bytes = (const unsigned char *)more.text;
	blob.size = more.size;
	tacho_kept_add(kept, &blob);
	assert_int_equal(tacho_kept_find(kept, kernel, device, &found), 0);
	assert_int_equal(found.local_bytes, 4096);
	device->name = "gfx90a";
	assert_int_equal(tacho_kept_find(kept, kernel, device, &found), TACHO_E_NOTFOUND);
	kernel->name = "both";
	assert_int_equal(tacho_kept_find(kept, kernel, device, &found), 0);
	device->name = "Some Card"; /* says nothing of the architecture */
	assert_int_equal(tacho_kept_find(kept, kernel, device, &found), 0);
	assert_int_equal(tacho_kept_find(kept, NULL, device, &found), TACHO_E_NOTFOUND);
	tacho_kept_destroy(kept);
	tacho_kept_destroy(NULL);
	tacho__buf_finish(&bytes);
	tacho__buf_finish(&more);
}

/* ---- what a driver states, of kernels whose programs nobody kept ---- */

static const struct fake_object h100 = {
	.object = {.kind = TACHO_OBJECT_DEVICE, .id = 1, .name = "NVIDIA H100 80GB HBM3"},
	.attributes = {{"compute_capability", "9.0"}, {"compute_units", "132"}}};
static const struct fake_object tiled = {
	.object = {.kind = TACHO_OBJECT_KERNEL, .id = 1, .name = "tiled"},
	.attributes = {{"registers", "40"}, {"local_bytes", "8192"}, {"private_bytes", "16"}}};

static const struct tacho_command tiled_launch = {.kind = TACHO_COMMAND_KERNEL,
						  .name = "kernel",
						  .device = &h100.object,
						  .kernel = &tiled.object,
						  .dimensions = 2,
						  .has_local = 1,
						  .global = {2048, 1024, 1},
						  .local = {32, 8, 1},
						  .reason = "",
						  .clock = "",
						  .extra_local_bytes = 49152,
						  .has_extra_local = 1};

static char *export_stated(const struct tacho_command *command, const char *format,
			   const char *file)
{
	static const struct fake_object *const objects[] = {&h100, &tiled};
	struct fake_recording recording = *sample_vadd();
	struct fake_call call = recording.calls[2];
	struct folder folder;
	char *text;

	call.call.command = command;
	call.objects = 0;
	recording.calls = &call;
	recording.call_count = 1;
	recording.objects = objects;
	recording.object_count = 2;
	folder_make(&folder);
	assert_int_equal(tacho_recording_export(fake_recording(&recording), format,
						folder_name(&folder, "x"), NULL),
			 0);
	text = read_text(folder_name(&folder, file));
	assert_non_null(text);
	folder_remove(&folder);
	return text;
}

/*
 * 256 threads are 8 warps. Registers: 512 / 40 = 12 warps on each of 4 parts. Shared memory: 228 KB
 * / (8 + 48 + 1) KB are 4 blocks.
 */
static void test_stated(void **state)
{
	static const char row[] =
		"4711,tiled,NVIDIA_H100_80GB_HBM3,132,64,32,255,NA,233472,40,NA,57344,32,256,8,"
		"1024,32,2097152,NA,48,64,32,64,50,NA,4\n";
	char *text = export_stated(&tiled_launch, "codexl", "x.occupancy"), *at;
	struct tacho_command smaller = tiled_launch;

	assert_non_null(strstr(text, "# KernelCount=1\n"));
	at = strstr(text, "Number of SIMDs per CU\n");
	assert_non_null(at);
	assert_string_equal(strchr(at, '\n') + 1, row);
	free(text);
	text = export_stated(&tiled_launch, "codexl", "x.csv");
	assert_non_null(strstr(text, ", 57344, 40, NA, 4\n"));
	free(text);
	text = export_stated(&tiled_launch, "html", "x.html");
	assert_non_null(strstr(text, "<span class=\"name\">tiled</span></th><td>sm_90 SM</td>"));
	assert_non_null(strstr(text, ">32 of 64<"));
	assert_non_null(strstr(text, "<td>shared memory</td>"));
	free(text);
	/* without what the launch asked for: 48 warps, by the registers */
	smaller.has_extra_local = 0;
	text = export_stated(&smaller, "codexl", "x.occupancy");
	assert_non_null(strstr(text, ",48,64,64,64,75,NA,4\n"));
	free(text);
}

static int find_with(const struct fake_object *kernel, const struct fake_object *device,
		     struct tacho_compiled_kernel *out_kernel)
{
	struct tacho_kept *kept;
	int rc;

	assert_int_equal(tacho_kept_create(&kept), 0);
	rc = tacho_kept_find(kept, &kernel->object, &device->object, out_kernel);
	tacho_kept_destroy(kept);
	return rc;
}

/* Enough is stated, or nothing is taken from it. */
static void test_stated_enough(void **state)
{
	struct fake_object kernel = tiled, device = h100;
	struct tacho_compiled_kernel found;

	assert_int_equal(find_with(&kernel, &device, &found), 0);
	assert_string_equal(found.arch, "sm_90");
	assert_int_equal(found.vector, 40);
	assert_int_equal(found.local_bytes, 8192);
	assert_int_equal(found.scratch_bytes, 16);
	device.attributes[0].value = "12.9";
	assert_int_equal(find_with(&kernel, &device, &found), TACHO_E_NOTFOUND);
	assert_non_null(strstr(tacho_error_last()->message, "\"sm_129\""));
	device.attributes[0].value = "nine";
	assert_int_equal(find_with(&kernel, &device, &found), TACHO_E_NOTFOUND);
	assert_non_null(strstr(tacho_error_last()->cause, "which GPU"));
	device = h100;
	kernel.attributes[0].value = "-40";
	assert_int_equal(find_with(&kernel, &device, &found), TACHO_E_NOTFOUND);
	kernel = tiled;
	kernel.attributes[1].key = "bytes";
	assert_int_equal(find_with(&kernel, &device, &found), TACHO_E_NOTFOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_row),	      cmocka_unit_test(test_other_device),
		cmocka_unit_test(test_kept),	      cmocka_unit_test(test_stated),
		cmocka_unit_test(test_stated_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
