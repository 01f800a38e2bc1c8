/* SPDX-License-Identifier: MIT */
/* What names a device: tacho list's words, ids and places; and what stays ambiguous. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tacho/sys/devices.h"

/* Two GPUs of one kind, the first found in two ways, a CPU, and a platform without a device. */
static const struct tacho_device_info list[] = {
	{.backend = "cl",
	 .name = "GPU X",
	 .platform = "Vendor CL",
	 .usable = 1,
	 .found_only = 1,
	 .id = "11223344-0000",
	 .pci = "0000:1b:00.0"},
	{.backend = "cl",
	 .name = "(no device)",
	 .platform = "Empty",
	 .id = "",
	 .pci = "",
	 .found_only = 1},
	{.backend = "count",
	 .name = "GPU X #0",
	 .platform = "Own",
	 .usable = 1,
	 .id = "GPU-11223344-0000",
	 .pci = "0000:1b:00.0"},
	{.backend = "count",
	 .name = "GPU X #1",
	 .platform = "Own",
	 .usable = 1,
	 .id = "GPU-99223344-0000",
	 .pci = "0001:1b:00.0"},
	{.backend = "cl",
	 .name = "a cpu",
	 .platform = "Portable",
	 .usable = 1,
	 .id = "",
	 .pci = "",
	 .found_only = 1},
};
enum { COUNT = sizeof(list) / sizeof(list[0]) };

/* A bit for each that fits. */
static unsigned match(const char *selector)
{
	const struct tacho_device_info *devices[COUNT];
	bool fits[COUNT];
	unsigned bits = 0;
	size_t found;

	for (size_t i = 0; i < COUNT; i++)
		devices[i] = &list[i];
	found = tacho_devices_match(devices, COUNT, selector, fits);
	for (size_t i = 0; i < COUNT; i++)
		bits |= (unsigned)fits[i] << i;
	assert_int_equal(found, __builtin_popcount(bits));
	return bits;
}

static void test_match(void **state)
{
	static const struct {
		const char *selector;
		unsigned bits;
	} cases[] = {
		{"GPU X", 1}, /* a whole name beats parts of others */
		{"cl:gpu x", 1},
		{"gpu x #1", 8},
		{"#", 4 | 8},
		{"cl", 1 | 16}, /* the backend; what cannot be used is no choice */
		{"cl:", 1 | 16},
		{"empty", 2},
		{"portable", 16},
		{"own", 4 | 8},
		{"GPU-99", 8},
		{"11223344-0000", 1},
		{"GPU-11223344-0000", 4},
		{"0000:1b:00.0", 1 | 4},
		{"0001:1b:00.0", 8},
		{"0001:1B:00", 8},
		{"1b:00.0", 1 | 4 | 8},
		{"1b:00", 1 | 4 | 8},
		{"1b:0", 0},
		{"count:cpu", 0},
		{"nothing", 0},
		{"", 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(match(cases[i].selector), cases[i].bits);
}

static void test_same(void **state)
{
	assert_true(
		tacho_devices_are_same(&list[0], &list[2])); /* one writes its id without GPU- */
	assert_false(tacho_devices_are_same(&list[2], &list[3]));
	assert_false(tacho_devices_are_same(&list[1], &list[4])); /* nothing is known of both */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
