/* SPDX-License-Identifier: MIT */
/* The OA unit's triggers and comparators, clock by clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "oa/triggers.h"
#include "tacho/catalog.h"
#include "tacho/oa.h"

static void write(struct tacho__oa_boolean_unit *unit, uint32_t address, uint32_t value)
{
	tacho__oa_boolean_write(unit, address, value);
}

/* The published TestOa: on 6 n clocks B0 is 0, B1 and B2 6 n, then n times 3, 2, 2, 1 and 4. */
static void test_test_oa(void **state)
{
	static const uint64_t expected[] = {0, 6000, 6000, 3000, 2000, 2000, 1000, 4000};
	struct tacho__oa_boolean_unit unit = {0};
	const struct tacho_arch *arch;
	struct tacho_catalog *catalog;
	const struct tacho_set *set;

	(void)state;
	assert_int_equal(tacho_catalog_open(NULL, &catalog), 0);
	assert_int_equal(tacho_catalog_find_arch(catalog, "chv", "oa", &arch), 0);
	set = tacho_arch_find_set(arch, "TestOa");
	assert_non_null(set);
	for (size_t i = 0; i < set->register_count; i++)
		if (!strcmp(set->registers[i].kind, "OA"))
			write(&unit, set->registers[i].address, set->registers[i].value);
	for (uint64_t clock = 0; clock < 6000; clock++)
		assert_int_equal(tacho__oa_boolean_clock(&unit, 0, tacho__oa_test_pattern(clock)),
				 0);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(unit.b[i], expected[i]);
	tacho_catalog_close(catalog);
}

/* All 16 inputs of a trigger see signal 5. */
static void select_signal_5(struct tacho__oa_boolean_unit *unit, uint32_t first)
{
	write(unit, first + 8, 0x55555555);
	write(unit, first + 12, 0x55555555);
}

enum { SIGNAL_5 = 1 << 5 };

/* Three clocks of signal 5 start; then each fourth makes report 1, each fifth report 2. */
static void test_thresholds(void **state)
{
	struct tacho__oa_boolean_unit unit = {0};
	uint32_t reasons;

	(void)state;
	write(&unit, 0x2710, 3);
	write(&unit, 0x2714, 0xf0800000);
	select_signal_5(&unit, 0x2710);
	write(&unit, 0x2740, 4);
	write(&unit, 0x2744, 0x80800000);
	select_signal_5(&unit, 0x2740);
	write(&unit, 0x2750, 5);
	write(&unit, 0x2754, 0x80800000);
	select_signal_5(&unit, 0x2750);
	write(&unit, 0x2778, 3); /* B1: NOA is at least 0 */
	for (int i = 0; i < 100; i++)
		assert_int_equal(tacho__oa_boolean_clock(&unit, (uint16_t)~SIGNAL_5, 0), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(tacho__oa_boolean_clock(&unit, SIGNAL_5, 0), 0);
	/* Nothing before the start trigger. */
	assert_int_equal(unit.b[1], 0);
	for (int i = 1; i <= 20; i++) {
		reasons = tacho__oa_boolean_clock(&unit, SIGNAL_5, 0);
		assert_int_equal(reasons, (i % 4 ? 0 : 0x02) | (i % 5 ? 0 : 0x04));
	}
	assert_int_equal(unit.b[1], 20);
	/* Clocks without the signal do not count for the threshold, and stop nothing. */
	for (int i = 0; i < 10; i++)
		assert_int_equal(tacho__oa_boolean_clock(&unit, 0, 0), 0);
	assert_int_equal(unit.b[1], 30);
}

/* Edges: a level that stays counts once. */
static void test_edges(void **state)
{
	struct tacho__oa_boolean_unit unit = {0};

	(void)state;
	write(&unit, 0x2740, 0xffff0000 | 2);
	write(&unit, 0x2744, 0x80800000);
	select_signal_5(&unit, 0x2740);
	for (int i = 0; i < 5; i++)
		assert_int_equal(tacho__oa_boolean_clock(&unit, SIGNAL_5, 0), 0);
	assert_int_equal(tacho__oa_boolean_clock(&unit, 0, 0), 0);
	assert_int_equal(tacho__oa_boolean_clock(&unit, SIGNAL_5, 0), 0x02);
	assert_int_equal(tacho__oa_boolean_clock(&unit, SIGNAL_5, 0), 0);
}

/* Without a threshold the logic itself fires; a trigger that is not enabled never does. */
static void test_no_threshold(void **state)
{
	struct tacho__oa_boolean_unit unit = {0};

	(void)state;
	write(&unit, 0x2744, 0x80000000);
	select_signal_5(&unit, 0x2740);
	write(&unit, 0x2754, 0);
	assert_int_equal(tacho__oa_boolean_clock(&unit, 0, 0), 0);
	assert_int_equal(tacho__oa_boolean_clock(&unit, SIGNAL_5, 0), 0x02);
	assert_int_equal(tacho__oa_boolean_clock(&unit, SIGNAL_5, 0), 0x02);
	/* The last stage inverted: where the signal is not. */
	write(&unit, 0x2744, 0x80400000);
	assert_int_equal(tacho__oa_boolean_clock(&unit, SIGNAL_5, 0), 0);
	assert_int_equal(tacho__oa_boolean_clock(&unit, 0, 0), 0x02);
}

/* Stages: fours need all of theirs, pairs one of theirs, the last both. */
static void test_stages(void **state)
{
	struct tacho__oa_boolean_unit unit = {0};

	(void)state;
	write(&unit, 0x2744, 0x80000000);
	write(&unit, 0x2748, 0xfedcba98);
	write(&unit, 0x274c, 0x76543210); /* input n is signal n */
	assert_int_equal(tacho__oa_boolean_clock(&unit, 0x000f, 0), 0);
	assert_int_equal(tacho__oa_boolean_clock(&unit, 0x00ff, 0), 0);
	assert_int_equal(tacho__oa_boolean_clock(&unit, 0x0f0f, 0), 0x02);
	assert_int_equal(tacho__oa_boolean_clock(&unit, 0xf0f0, 0), 0x02);
	assert_int_equal(tacho__oa_boolean_clock(&unit, 0x7f07, 0), 0);
	/* Input 0 inverted: it needs signal 0 to be 0. */
	write(&unit, 0x2744, 0x80000001);
	assert_int_equal(tacho__oa_boolean_clock(&unit, 0x0f0f, 0), 0);
	assert_int_equal(tacho__oa_boolean_clock(&unit, 0x0f0e, 0), 0x02);
}

/* Each comparison with value 2, over the inputs 0 to 3 once. */
static void test_comparisons(void **state)
{
	static const uint64_t expected[] = {3, 1, 1, 2, 2, 3, 3, 4};
	struct tacho__oa_boolean_unit unit = {0};

	(void)state;
	for (uint32_t i = 0; i < 8; i++) {
		write(&unit, 0x2770 + 8 * i, 2 << 3 | i);
		write(&unit, 0x2774 + 8 * i, 0x0003fffc); /* bits 0 and 1 */
	}
	for (uint16_t input = 0; input < 4; input++)
		tacho__oa_boolean_clock(&unit, input, 0);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(unit.b[i], expected[i]);
	/* The second takes what the first says: true for input 2 alone. */
	memset(&unit, 0, sizeof(unit));
	write(&unit, 0x2770, 2 << 3 | 2);
	write(&unit, 0x2778, 1 << 19 | 1 << 3 | 2);
	for (uint16_t input = 0; input < 4; input++)
		tacho__oa_boolean_clock(&unit, input, 0);
	assert_int_equal(unit.b[0], 1);
	assert_int_equal(unit.b[1], 1);
}

/* A register's value of one field alone, as `tacho oa regs NAME=field:bits` makes it. */
static void write_field(struct tacho__oa_boolean_unit *unit, const char *name, const char *field,
			uint32_t bits)
{
	struct tacho_oa_register found, again;
	uint32_t value = 0;
	char address[16];

	assert_int_equal(tacho_oa_register_find(name, TACHO_OA_GEN8, &found), 0);
	snprintf(address, sizeof(address), "0x%x", found.address);
	assert_int_equal(tacho_oa_register_find(address, TACHO_OA_GEN8, &again), 0);
	assert_string_equal(again.name, name);
	for (size_t i = 0; i < found.field_count; i++) {
		if (strcmp(found.fields[i].name, field) != 0)
			continue;
		assert_int_equal(tacho_oa_field_set(&found.fields[i], bits, &value), 0);
		assert_int_equal(tacho_oa_field_get(&found.fields[i], value), bits);
		memset(unit, 0, sizeof(*unit));
		write(unit, found.address, value);
		return;
	}
	fail_msg("%s has no field %s", name, field);
}

static void check_trigger_fields(const char *kind, uint32_t first, unsigned index, bool is_report)
{
	struct tacho__oa_boolean_unit unit;
	struct tacho__oa_trigger *trigger = is_report ? &unit.report[index] : &unit.start[index];
	char names[4][24], field[16];

	for (unsigned i = 0; i < 4; i++)
		snprintf(names[i], sizeof(names[i]), "%s%u", kind, first + i);
	write_field(&unit, names[0], "threshold", 0x8001);
	assert_int_equal(trigger->threshold, 0x8001);
	if (is_report) {
		write_field(&unit, names[0], "edge_level", 0x8001);
		assert_int_equal(trigger->edges, 0x8001);
	}
	write_field(&unit, names[1], "invert_a", 0x8001);
	assert_int_equal(trigger->invert_inputs, 0x8001);
	write_field(&unit, names[1], "invert_b", 9);
	assert_int_equal(trigger->invert_fours, 9);
	write_field(&unit, names[1], "invert_c", 2);
	assert_int_equal(trigger->invert_pairs, 2);
	write_field(&unit, names[1], "invert_d", 1);
	assert_int_equal(trigger->invert_last, 1);
	assert_false(trigger->is_enabled || trigger->has_threshold);
	write_field(&unit, names[1], "threshold_enable", 1);
	assert_true(trigger->has_threshold && !trigger->is_enabled);
	write_field(&unit, names[1], is_report ? "report_trigger_enable" : "event_select", 1);
	assert_true(trigger->is_enabled && !trigger->has_threshold);
	for (unsigned i = 0; i < TACHO__OA_INPUTS; i++) {
		snprintf(field, sizeof(field), "noa_%u", i);
		write_field(&unit, names[i < 8 ? 3 : 2], field, 13);
		for (unsigned k = 0; k < TACHO__OA_INPUTS; k++)
			assert_int_equal(trigger->signals[k], k == i ? 13 : 0);
	}
}

/* Every register of triggers and comparators, by name and address, means what the unit does. */
static void test_registers(void **state)
{
	struct tacho__oa_boolean_unit unit;
	char name[24];

	(void)state;
	check_trigger_fields("OASTARTTRIG", 1, 0, false);
	check_trigger_fields("OASTARTTRIG", 5, 1, false);
	check_trigger_fields("OAREPORTTRIG", 1, 0, true);
	check_trigger_fields("OAREPORTTRIG", 5, 1, true);
	for (unsigned i = 0; i < TACHO__OA_COMPARATORS; i++) {
		const struct tacho__oa_comparator *comparator = &unit.comparators[i];

		snprintf(name, sizeof(name), "OACEC%u_0", i);
		write_field(&unit, name, "compare", 7);
		assert_int_equal(comparator->compare, 7);
		write_field(&unit, name, "value", 0x8001);
		assert_int_equal(comparator->value, 0x8001);
		write_field(&unit, name, "source", 2);
		assert_int_equal(comparator->source, 2);
		snprintf(name, sizeof(name), "OACEC%u_1", i);
		write_field(&unit, name, "mask", 0x8001);
		assert_int_equal(comparator->ignored, 0x8001);
		write_field(&unit, name, "consider", 0x8001);
		assert_int_equal(comparator->considered, 0x8001);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_test_oa),	  cmocka_unit_test(test_thresholds),
		cmocka_unit_test(test_edges),	  cmocka_unit_test(test_no_threshold),
		cmocka_unit_test(test_stages),	  cmocka_unit_test(test_comparisons),
		cmocka_unit_test(test_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
