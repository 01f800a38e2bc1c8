/* SPDX-License-Identifier: MIT */
/* Devices whose launches are counted: in counting.json, and found again by what drivers tell. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tacho/error.h"
#include "tacho/sys/counting.h"

#define ANY TACHO_COUNTING_NUMBER_UNKNOWN

static const struct tacho_counting_device chosen[] = {
	{"cpu", "Portable", "", "", 1, false},
	{"GPU X #0", "Own", "GPU-11223344", "0000:1b:00.0", 0, true},
};

/* As a process reads what the command wrote. */
static struct tacho_counting *read_again(const struct tacho_counting_device *devices, size_t count)
{
	const struct tacho_counting counting = {
		.title = "",
		.run_count = 1,
		.only_pass = -1,
		.replay = TACHO_REPLAY_NONE,
		.select = {.devices = devices, .device_count = count},
	};
	struct tacho_counting *again = NULL;
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	assert_non_null(stream);
	tacho_counting_write(&counting, stream);
	fclose(stream);
	assert_int_equal(tacho_counting_parse(text, size, &again), 0);
	free(text);
	return again;
}

static void test_file(void **state)
{
	struct tacho_counting *again = read_again(chosen, 2);

	assert_int_equal(again->select.device_count, 2);
	assert_string_equal(again->select.devices[0].name, "cpu");
	assert_string_equal(again->select.devices[0].platform, "Portable");
	assert_int_equal(again->select.devices[0].number, 1);
	assert_false(again->select.devices[0].is_known_by_place);
	assert_string_equal(again->select.devices[1].id, "GPU-11223344");
	assert_string_equal(again->select.devices[1].pci, "0000:1b:00.0");
	assert_true(again->select.devices[1].is_known_by_place);
	assert_true(tacho_counting_is_selective(again));
	tacho_counting_destroy(again);
	again = read_again(NULL, 0);
	assert_false(tacho_counting_is_selective(again));
	assert_true(tacho_counting_selects_device(again, &chosen[0]));
	tacho_counting_destroy(again);
}

static void test_selects(void **state)
{
	static const struct {
		struct tacho_counting_device met;
		bool selected;
	} cases[] = {
		{{"cpu", "Portable", "", "", 1, false}, true},
		{{"cpu", "Portable", "", "", 0, false}, false}, /* the other of its name */
		{{"cpu", "Portable", "", "", ANY, false}, true},
		{{"cpu", "Another", "", "", 1, false}, false},
		{{"cpu", "", "", "", 1, false}, true},
		/* ids decide, however they are written, then places, whatever it is called */
		{{"X", "CL", "11223344", "0000:99:00.0", 0, false}, true},
		{{"X", "CL", "99999999", "0000:1b:00.0", 0, false}, false},
		{{"X", "CL", "another form", "0000:1B:00.0", 0, false}, true},
		{{"X", "CL", "", "0000:1c:00.0", 0, false}, false},
		/* one of the platform that tells neither may be it */
		{{"X", "Own", "", "", 0, false}, true},
		{{"GPU X #0", "CL", "", "", 0, false}, false},
	};
	struct tacho_counting *counting = read_again(chosen, 2);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(tacho_counting_selects_device(counting, &cases[i].met),
				 cases[i].selected);
	tacho_counting_destroy(counting);
}

static void test_wrong(void **state)
{
	static const char text[] = "{\"schema\": \"tacho.counting/1\", \"replay\": \"none\", "
				   "\"columns\": [], \"select\": {\"devices\": [{}]}}";
	struct tacho_counting *counting = NULL;

	assert_int_equal(tacho_counting_parse(text, sizeof(text) - 1, &counting), TACHO_E_PARSE);
	assert_string_equal(tacho_error_last()->message, "counting.json: \"devices\" is wrong");
	assert_null(counting);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_selects),
		cmocka_unit_test(test_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
