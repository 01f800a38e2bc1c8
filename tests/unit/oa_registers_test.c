/* SPDX-License-Identifier: MIT */
/* Registers of Intel's OA unit by name and address, and their bits both ways. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "tacho/error.h"
#include "tacho/oa.h"

static struct tacho_oa_register find(const char *name, enum tacho_oa_gen gen)
{
	struct tacho_oa_register found;

	if (tacho_oa_register_find(name, gen, &found) != 0)
		fail_msg("%s: %s", name, tacho_error_last()->message);
	return found;
}

static const struct tacho_oa_field *field_of(const struct tacho_oa_register *one, const char *name)
{
	for (size_t i = 0; i < one->field_count; i++)
		if (!strcmp(one->fields[i].name, name))
			return &one->fields[i];
	fail_msg("%s has no field %s", one->name, name);
	return NULL;
}

static void test_addresses(void **state)
{
	static const struct {
		const char *name;
		enum tacho_oa_gen gen;
		uint32_t address;
	} rows[] = {
		{"OAPERF_A0", TACHO_OA_GEN8, 0x2800},
		{"OAPERF_A7", TACHO_OA_GEN8, 0x2838},
		{"OAPERF_A7_UPPER", TACHO_OA_GEN8, 0x283c}, /* the document has a gap here */
		{"OAPERF_A31_UPPER", TACHO_OA_GEN8, 0x28fc},
		{"OAPERF_A32", TACHO_OA_GEN8, 0x2900},
		{"OAPERF_A35", TACHO_OA_GEN8, 0x290c},
		{"GPU_TICKS", TACHO_OA_GEN8, 0x2910},
		{"OAPERF_B7", TACHO_OA_GEN8, 0x293c},
		{"OAPERF_C0", TACHO_OA_GEN8, 0x2940},
		{"OAPERF_A20_FREE_UPPER", TACHO_OA_GEN8, 0x297c},
		{"OAPERF_A44", TACHO_OA_GEN7_5, 0x28b0},
		{"OAG_PERF_A37", TACHO_OA_GEN12, 0xdb28},
		{"OAG_PERF_C7", TACHO_OA_GEN12, 0xdad0},
		{"OACONTROL", TACHO_OA_GEN7_5, 0x2360},
		{"OACONTROL", TACHO_OA_GEN8, 0x2b00},
		{"OAG_OACONTROL", TACHO_OA_GEN12, 0xdaf4},
		{"OASTARTTRIG8", TACHO_OA_GEN8, 0x272c},
		{"OAREPORTTRIG1", TACHO_OA_GEN7_5, 0x2740},
		{"OAREPORTTRIG8", TACHO_OA_GEN11, 0x275c},
		{"OACEC0_0", TACHO_OA_GEN8, 0x2770},
		{"OACEC7_1", TACHO_OA_GEN8, 0x27ac},
		{"EU_PERF_CNTL0", TACHO_OA_GEN8, 0xe458},
		{"EU_PERF_CNTL3", TACHO_OA_GEN8, 0xe758},
		{"EU_PERF_CNTL4", TACHO_OA_GEN8, 0xe45c},
		{"EU_PERF_CNTL6", TACHO_OA_GEN8, 0xe65c},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tacho_oa_register found = find(rows[i].name, rows[i].gen);
		char address[16];

		assert_int_equal(found.address, rows[i].address);
		snprintf(address, sizeof(address), "0x%x", rows[i].address);
		found = find(address, rows[i].gen);
		assert_string_equal(found.name, rows[i].name);
	}
	assert_string_equal(find("oacontrol", 0).name, "OACONTROL");
}

static void test_unknown(void **state)
{
	struct tacho_oa_register found;

	assert_int_equal(tacho_oa_register_find("OACONTORL", TACHO_OA_GEN8, &found),
			 TACHO_E_NOTFOUND);
	assert_non_null(strstr(tacho_error_last()->cure, "OACONTROL"));
	assert_int_equal(tacho_oa_register_find("", 0, &found), TACHO_E_NOTFOUND);
	assert_int_equal(tacho_oa_register_find("0x1", 0, &found), TACHO_E_NOTFOUND);
	assert_int_equal(tacho_oa_register_find("OAG_OACONTROL", TACHO_OA_GEN8, &found),
			 TACHO_E_NOTFOUND);
	assert_int_equal(tacho_oa_register_get(100000, &found), TACHO_E_NOTFOUND);
}

/* No name and no address twice in a generation; fields in order, without overlap. */
static void test_table(void **state)
{
	static const enum tacho_oa_gen gens[] = {TACHO_OA_GEN7_5, TACHO_OA_GEN8,  TACHO_OA_GEN9,
						 TACHO_OA_GEN11,  TACHO_OA_GEN12, TACHO_OA_GEN12_5};
	struct tacho_oa_register one, other;

	for (size_t i = 0; tacho_oa_register_get(i, &one) == 0; i++) {
		uint32_t used = 0;

		assert_true(strlen(one.name) + 1 < sizeof(one.name));
		for (size_t k = 0; k < one.field_count; k++)
			for (uint32_t bit = one.fields[k].low; bit <= one.fields[k].high; bit++) {
				assert_true(bit < 32 && !(used >> bit & 1));
				used |= 1u << bit;
			}
		for (size_t g = 0; g < sizeof(gens) / sizeof(gens[0]); g++) {
			if (gens[g] < one.gen_first || gens[g] > one.gen_last)
				continue;
			for (size_t k = 0; k < i; k++) {
				assert_int_equal(tacho_oa_register_get(k, &other), 0);
				if (gens[g] < other.gen_first || gens[g] > other.gen_last)
					continue;
				if (other.address == one.address ||
				    !strcasecmp(other.name, one.name))
					fail_msg("%s and %s", one.name, other.name);
			}
		}
	}
}

/* The document's list: A with its upper halves, and B, are in the power context. */
static void test_power_context(void **state)
{
	struct tacho_oa_register one;
	unsigned kept = 0;

	for (size_t i = 0; tacho_oa_register_get(i, &one) == 0; i++)
		kept += one.is_kept == TACHO_OA_YES;
	assert_int_equal(kept, 32 + 32 + 4 + 8);
	assert_int_equal(find("OAPERF_A33", TACHO_OA_GEN8).is_kept, TACHO_OA_YES);
	assert_int_equal(find("OAPERF_C0", TACHO_OA_GEN8).is_kept, TACHO_OA_UNKNOWN);
}

static void test_fields(void **state)
{
	struct tacho_oa_register control = find("OACONTROL", TACHO_OA_GEN8);
	struct tacho_oa_register haswell = find("OACONTROL", TACHO_OA_GEN7_5);
	struct tacho_oa_register compare = find("OACEC3_0", TACHO_OA_GEN8);
	struct tacho_oa_register report = find("OAREPORTTRIG2", TACHO_OA_GEN8);
	uint32_t value = 0, bits;

	/* Format 5, enabled: 5 << 2 | 1. */
	assert_int_equal(tacho_oa_field_parse(field_of(&control, "counter_select"),
					      "a32u40_a4u32_b8_c8", &bits),
			 0);
	assert_int_equal(bits, 5);
	assert_int_equal(tacho_oa_field_set(field_of(&control, "counter_select"), bits, &value), 0);
	assert_int_equal(tacho_oa_field_set(field_of(&control, "enable"), 1, &value), 0);
	assert_int_equal(value, 0x15);
	assert_string_equal(
		tacho_oa_field_to_string(
			field_of(&control, "counter_select"),
			tacho_oa_field_get(field_of(&control, "counter_select"), value)),
		"A32u40_A4u32_B8_C8");
	/* Haswell: context 0x12345, exponent 13, timer, A45_B8_C8, per context, enabled. */
	value = 0x12345u << 12 | 13u << 6 | 1u << 5 | 5u << 2 | 3;
	assert_int_equal(tacho_oa_field_get(field_of(&haswell, "context_id"), value), 0x12345);
	assert_int_equal(tacho_oa_field_get(field_of(&haswell, "timer_period"), value), 13);
	assert_int_equal(tacho_oa_field_get(field_of(&haswell, "per_context"), value), 1);
	/* A comparator: greater than 100, of the comparator before. */
	value = 1 | 100u << 3 | 1u << 19;
	assert_int_equal(tacho_oa_field_get(field_of(&compare, "value"), value), 100);
	assert_string_equal(tacho_oa_field_to_string(field_of(&compare, "compare"), 1), "greater");
	assert_string_equal(tacho_oa_field_to_string(field_of(&compare, "source"), 1), "previous");
	assert_string_equal(tacho_oa_field_to_string(field_of(&compare, "source"), 3), "");
	/* The highest bit. */
	value = 0;
	assert_int_equal(tacho_oa_field_set(field_of(&report, "report_trigger_enable"), 1, &value),
			 0);
	assert_int_equal(value, 0x80000000u);
	assert_int_equal(tacho_oa_field_set(field_of(&report, "report_trigger_enable"), 2, &value),
			 TACHO_E_INVAL);
	assert_int_equal(value, 0x80000000u);
	assert_int_equal(tacho_oa_field_parse(field_of(&compare, "compare"), "0x6", &bits), 0);
	assert_int_equal(bits, 6);
	assert_int_equal(tacho_oa_field_parse(field_of(&compare, "compare"), "more", &bits),
			 TACHO_E_PARSE);
	assert_non_null(strstr(tacho_error_last()->cure, "greater-or-equal"));
	assert_int_equal(tacho_oa_field_parse(field_of(&compare, "value"), "-1", &bits),
			 TACHO_E_PARSE);
	assert_int_equal(tacho_oa_field_parse(field_of(&compare, "value"), "", &bits),
			 TACHO_E_PARSE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses), cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_table),	  cmocka_unit_test(test_power_context),
		cmocka_unit_test(test_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
