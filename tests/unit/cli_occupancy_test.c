/* SPDX-License-Identifier: MIT */
/* tacho occupancy of a recording: each kernel in the work-groups in which it was launched. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/fs.h"
#include "cli.h"
#include "occupancy/occupancy.h"
#include "sample_recording.h"
#include "tacho/tacho.h"

static struct fake_recording opened;

static const struct cli_occupancy_settings unset = {
	.vector = CLI_OCCUPANCY_UNSET,
	.accumulation = CLI_OCCUPANCY_UNSET,
	.scalar = CLI_OCCUPANCY_UNSET,
	.local = CLI_OCCUPANCY_UNSET,
	.group = CLI_OCCUPANCY_UNSET,
	.wave = CLI_OCCUPANCY_UNSET,
};

static struct tacho__buf bytes;
static struct tacho_blob blob;

static void keep(struct fake_recording *recording, const char *object)
{
	char path[PATH_MAX];

	opened = *recording;
	if (!object)
		return;
	snprintf(path, sizeof(path), "%s/tests/data/occupancy/%s", getenv("TACHO_SOURCE_ROOT"),
		 object);
	tacho__buf_clear(&bytes);
	assert_int_equal(tacho__fs_read(path, 1 << 20, &bytes), 0);
	blob = (struct tacho_blob){
		.kind = "binary", .bytes = (const unsigned char *)bytes.text, .size = bytes.size};
	for (size_t i = 0; i < opened.object_count && !blob.program; i++)
		if (opened.objects[i]->object.kind == TACHO_OBJECT_KERNEL)
			blob.program = opened.objects[i]->object.program;
	opened.blobs = &blob;
	opened.blob_count = 1;
}

static void test_launches(void **state)
{
	struct cli_occupancy list = {.rows = NULL};
	int status = CLI_OK;

	keep(sample_vadd(), "gfx803-v4.o");
	opened.repeat = 3;
	assert_true(
		cli_occupancy_from_recording(&unset, fake_recording(&opened), "x", &list, &status));
	assert_int_equal(list.count, 1);
	assert_string_equal(list.rows[0].kernel, "vadd");
	assert_string_equal(list.rows[0].device, "gfx803");
	assert_string_equal(list.rows[0].arch, "gfx803");
	assert_null(list.rows[0].why);
	assert_int_equal(list.rows[0].launches, 3);
	assert_int_equal(list.rows[0].use.group_size, 64);
	assert_false(list.rows[0].group_is_assumed);
	assert_int_equal(list.rows[0].occupancy.waves, 40);
	cli_occupancy_finish(&list);
}

/* Sizes that nobody stated are assumed and marked; kernels without a program say why. */
static void test_unknown(void **state)
{
	struct cli_occupancy_settings settings = unset;
	struct cli_occupancy list = {.rows = NULL};
	int status = CLI_OK;

	keep(sample_mixed(), "gfx803-v4.o");
	assert_true(
		cli_occupancy_from_recording(&unset, fake_recording(&opened), "x", &list, &status));
	assert_int_equal(list.count, 3);
	assert_int_equal(list.rows[0].use.group_size, 64);
	assert_int_equal(list.rows[1].use.group_size, 256);
	assert_true(list.rows[1].group_is_assumed);
	assert_non_null(list.rows[2].why);
	cli_occupancy_finish(&list);

	settings.group = 128;
	settings.vector = 130;
	assert_true(cli_occupancy_from_recording(&settings, fake_recording(&opened), "x", &list,
						 &status));
	assert_int_equal(list.count, 2);
	assert_int_equal(list.rows[0].use.group_size, 128);
	assert_int_equal(list.rows[0].launches, 2);
	assert_int_equal(list.rows[0].occupancy.waves, 4); /* 256 / 132 on each of 4 SIMDs */
	cli_occupancy_finish(&list);
}

/* Kernels that ran as a whole are launches as well: vadd twice in each of three, scale once. */
static void test_command_buffers(void **state)
{
	struct cli_occupancy list = {.rows = NULL};
	int status = CLI_OK;

	keep(sample_buffers(), "gfx803-v4.o");
	assert_true(
		cli_occupancy_from_recording(&unset, fake_recording(&opened), "x", &list, &status));
	assert_int_equal(list.count, 2);
	assert_string_equal(list.rows[0].kernel, "vadd");
	assert_string_equal(list.rows[0].device, "gfx803");
	assert_null(list.rows[0].why);
	assert_int_equal(list.rows[0].launches, 6);
	assert_int_equal(list.rows[0].use.group_size, 64);
	assert_string_equal(list.rows[1].kernel, "scale"); /* the program has none of that name */
	assert_non_null(list.rows[1].why);
	assert_int_equal(list.rows[1].launches, 3);
	cli_occupancy_finish(&list);
}

static void test_nothing_kept(void **state)
{
	struct cli_occupancy list = {.rows = NULL};
	int status = CLI_OK;

	keep(sample_vadd(), NULL);
	assert_false(
		cli_occupancy_from_recording(&unset, fake_recording(&opened), "x", &list, &status));
	assert_int_equal(status, CLI_NOTHING);
	cli_occupancy_finish(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_launches),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_command_buffers),
		cmocka_unit_test(test_nothing_kept),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	tacho__buf_finish(&bytes);
	return failed;
}
