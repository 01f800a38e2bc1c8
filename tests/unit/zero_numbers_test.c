/* SPDX-License-Identifier: MIT */
/* Level Zero's numbers of Intel's GPUs: the rules of its specification, worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "backend/intel/intel_private.h"
#include "test_folder.h"

/* A machine: a folder as the kernel's, and what is found in it. */
struct machine {
	struct folder folder;
	struct tacho__arena arena;
	const struct tacho__intel_card *cards;
	size_t count;
};

static void write_file(struct machine *machine, const char *name, const char *text)
{
	FILE *file = fopen(folder_name(&machine->folder, name), "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void make_folder(struct machine *machine, const char *name)
{
	assert_int_equal(mkdir(folder_name(&machine->folder, name), 0700), 0);
}

/* A card of xe's or i915's; without tiles it shows none, as i915 does. */
static void add(struct machine *machine, unsigned number, unsigned device, const char *pci,
		unsigned tiles)
{
	char name[128], text[128];
	int end = snprintf(name, sizeof(name), "sys/class/drm/card%u", number);

	make_folder(machine, name);
	strcpy(name + end, "/device");
	make_folder(machine, name);
	strcpy(name + end, "/device/vendor");
	write_file(machine, name, "0x8086\n");
	strcpy(name + end, "/device/device");
	snprintf(text, sizeof(text), "0x%04x\n", device);
	write_file(machine, name, text);
	strcpy(name + end, "/device/uevent");
	snprintf(text, sizeof(text), "DRIVER=%s\nPCI_SLOT_NAME=%s\n", tiles ? "xe" : "i915", pci);
	write_file(machine, name, text);
	for (unsigned i = 0; i < tiles; i++) {
		snprintf(name + end, sizeof(name) - (size_t)end, "/device/tile%u", i);
		make_folder(machine, name);
	}
}

static void begin(struct machine *machine)
{
	*machine = (struct machine){.count = 0};
	folder_make(&machine->folder);
	make_folder(machine, "sys");
	make_folder(machine, "sys/class");
	make_folder(machine, "sys/class/drm");
	unsetenv("ZE_AFFINITY_MASK");
	unsetenv("ZE_FLAT_DEVICE_HIERARCHY");
	unsetenv("ZE_ENABLE_PCI_ID_DEVICE_ORDER");
}

static void look(struct machine *machine)
{
	char root[128];

	snprintf(root, sizeof(root), "%s/", machine->folder.path);
	assert_int_equal(
		tacho__intel_list_cards(&machine->arena, root, &machine->cards, &machine->count),
		0);
}

static void end(struct machine *machine)
{
	tacho__arena_finish(&machine->arena);
	folder_remove(&machine->folder);
}

static void expect(struct machine *machine, size_t index, const char *text)
{
	assert_true(index < machine->count);
	assert_string_equal(
		tacho__intel_describe_zero(&machine->arena, machine->cards, machine->count, index),
		text);
}

/* What the driver shows of the cards under a mask; in the order of the list. */
static void expect_masked(struct machine *machine, const char *mask, const char *first,
			  const char *second)
{
	setenv("ZE_AFFINITY_MASK", mask, 1);
	expect(machine, 0, first);
	expect(machine, 1, second);
	unsetenv("ZE_AFFINITY_MASK");
}

#define HIDDEN ", hidden by ZE_AFFINITY_MASK"

/* A laptop's: the processor's own graphics is card 0, and the other one is number 0. */
static void test_order(void **state)
{
	struct machine machine;

	(void)state;
	begin(&machine);
	add(&machine, 0, 0x46a6, "0000:00:02.0", 0);
	add(&machine, 1, 0x56a0, "0000:03:00.0", 1);
	add(&machine, 2, 0x1616, "0000:04:00.0", 0); /* Broadwell: not Level Zero's */
	look(&machine);
	assert_int_equal(machine.count, 3);
	expect(&machine, 0, ", Level Zero device 1");
	expect(&machine, 1, ", Level Zero device 0");
	expect(&machine, 2, "");
	setenv("ZE_ENABLE_PCI_ID_DEVICE_ORDER", "1", 1);
	expect(&machine, 0, ", Level Zero device 0");
	expect(&machine, 1, ", Level Zero device 1");
	setenv("ZE_ENABLE_PCI_ID_DEVICE_ORDER", "0", 1);
	expect_masked(&machine, "1", ", Level Zero device 0", HIDDEN);
	expect_masked(&machine, "1,0", ", Level Zero device 1", ", Level Zero device 0");
	expect_masked(&machine, "0.0", HIDDEN, ", Level Zero device 0");
	expect_masked(&machine, "", ", Level Zero device 1", ", Level Zero device 0");
	expect_masked(&machine, "default", ", Level Zero device 1", ", Level Zero device 0");
	expect_masked(&machine, "x,7,18446744073709551617", HIDDEN, HIDDEN);
	end(&machine);
}

/* Two cards of four tiles: the examples of the specification. */
static void test_tiles(void **state)
{
	struct machine machine;

	(void)state;
	begin(&machine);
	add(&machine, 0, 0x0bd5, "0000:4d:00.0", 4);
	add(&machine, 1, 0x0bd5, "0000:3a:00.0", 4);
	look(&machine);
	setenv("ZE_FLAT_DEVICE_HIERARCHY", "COMPOSITE", 1);
	expect_masked(&machine, "0, 1", ", Level Zero device 1", ", Level Zero device 0");
	expect_masked(&machine, "1", ", Level Zero device 0", HIDDEN);
	expect_masked(&machine, "0.0", HIDDEN, ", Level Zero device 0 (tile 0)");
	expect_masked(&machine, "1.1, 1.2", ", Level Zero device 0 (tiles 1, 2)", HIDDEN);
	expect_masked(&machine, "0.2, 1.3, 1.0, 0.3", ", Level Zero device 1 (tiles 0, 3)",
		      ", Level Zero device 0 (tiles 2, 3)");
	expect_masked(&machine, "0.4,1.1.0", HIDDEN, HIDDEN);
	setenv("ZE_FLAT_DEVICE_HIERARCHY", "FLAT", 1);
	expect_masked(&machine, "0, 1, 2, 3, 4, 5, 6, 7", ", Level Zero devices 4, 5, 6, 7",
		      ", Level Zero devices 0, 1, 2, 3");
	expect_masked(&machine, "1", HIDDEN, ", Level Zero device 0 (tile 1)");
	expect_masked(&machine, "7,0,3", ", Level Zero device 2 (tile 3)",
		      ", Level Zero devices 0, 1 (tiles 0, 3)");
	expect_masked(&machine, "0.1,8", HIDDEN, HIDDEN);
	unsetenv("ZE_FLAT_DEVICE_HIERARCHY");
	expect(&machine, 0, ", Level Zero devices 4, 5, 6, 7");
	end(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_tiles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
