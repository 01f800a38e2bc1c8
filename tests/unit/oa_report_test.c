/* SPDX-License-Identifier: MIT */
/* Reports of Intel's OA unit: layouts, headers and ids, byte by byte. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "oa/report.h"
#include "tacho/error.h"

static const struct tacho_oa_format *format_of(const char *name, enum tacho_oa_gen gen)
{
	const struct tacho_oa_format *format;

	assert_int_equal(tacho_oa_format_find(name, gen, &format), 0);
	return format;
}

static void put32(uint8_t *bytes, size_t at, uint32_t value)
{
	for (size_t i = 0; i < 4; i++)
		bytes[at + i] = (uint8_t)(value >> 8 * i);
}

static void put64(uint8_t *bytes, size_t at, uint64_t value)
{
	put32(bytes, at, (uint32_t)value);
	put32(bytes, at + 4, (uint32_t)(value >> 32));
}

static uint64_t value_of(const struct tacho_oa_format *format, const struct tacho_oa_report *report,
			 const char *name)
{
	int index = tacho_oa_format_find_counter(format, name);

	if (index < 0)
		fail_msg("%s has no %s", format->name, name);
	return report->values[index];
}

/* Sizes and numbers as drivers have them. */
static void test_formats(void **state)
{
	static const struct {
		const char *name;
		uint32_t id, size, count;
		enum tacho_oa_gen gen;
	} rows[] = {
		{"A13", 1, 64, 13, TACHO_OA_GEN7_5},
		{"A29", 2, 128, 29, TACHO_OA_GEN7_5},
		{"A13_B8_C8", 3, 128, 29, TACHO_OA_GEN7_5},
		{"B4_C8", 4, 64, 12, TACHO_OA_GEN7_5},
		{"A45_B8_C8", 5, 256, 61, TACHO_OA_GEN7_5},
		{"B4_C8_A16", 6, 128, 28, TACHO_OA_GEN7_5},
		{"C4_B8", 7, 64, 12, TACHO_OA_GEN7_5},
		{"C4_B8", 7, 64, 12, TACHO_OA_GEN8},
		{"A12", 8, 64, 12, TACHO_OA_GEN9},
		{"A12_B8_C8", 9, 128, 28, TACHO_OA_GEN11},
		{"A32u40_A4u32_B8_C8", 10, 256, 52, TACHO_OA_GEN12},
		{"OAR_A32u40_A4u32_B8_C8", 11, 256, 52, TACHO_OA_GEN12_5},
		{"A24u40_A14u32_B8_C8", 12, 256, 54, TACHO_OA_GEN12_5},
		{"OAM_MPEC8u64_B8_C8", 13, 192, 24, TACHO_OA_GEN12_5},
		{"OAM_MPEC8u32_B8_C8", 14, 128, 24, TACHO_OA_XE2},
		{"OAC_A24u64_B8_C8", 0, 320, 40, TACHO_OA_XE2},
		{"OAC_A22u32_R2u32_B8_C8", 0, 192, 40, TACHO_OA_XE2},
		{"PEC64u64", 0, 576, 64, TACHO_OA_XE2},
		{"PEC64u64_B8_C8", 0, 640, 80, TACHO_OA_XE2},
		{"PEC64u32", 0, 320, 64, TACHO_OA_XE2},
		{"PEC32u64_G1", 0, 320, 32, TACHO_OA_XE2},
		{"PEC32u32_G2", 0, 192, 32, TACHO_OA_XE2},
		{"PEC36u64_G1_32_G2_4", 0, 320, 36, TACHO_OA_XE2},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct tacho_oa_format *format = format_of(rows[i].name, rows[i].gen);

		assert_int_equal(format->i915_id, rows[i].id);
		assert_int_equal(format->size_bytes, rows[i].size);
		assert_int_equal(format->value_count, rows[i].count + 2);
		if (rows[i].id)
			assert_ptr_equal(tacho_oa_format_find_i915(rows[i].id, rows[i].gen),
					 format);
	}
}

/* No two values share a byte, none lies outside, and the counts are those of the runs. */
static void test_layouts_are_sound(void **state)
{
	const struct tacho_oa_format *format;

	for (size_t i = 0; (format = tacho_oa_format_get(i)); i++) {
		uint8_t taken[1024] = {0};
		size_t count = TACHO__OA_HEADER_VALUES;
		const struct tacho__oa_layout *layout = tacho__oa_layout(format);

		for (const struct tacho__oa_run *run = layout->runs; run->count; run++) {
			size_t bytes = run->width_bits == 64 ? 8 : 4;

			count += run->count;
			for (size_t k = 0; k < run->count; k++) {
				for (size_t b = 0; b < bytes; b++)
					taken[run->offset + k * bytes + b]++;
				if (run->width_bits == 40)
					taken[run->high + k]++;
			}
		}
		assert_int_equal(count, format->value_count);
		assert_true(count <= TACHO_OA_VALUE_MAX);
		for (size_t b = 0; b < sizeof(taken); b++) {
			size_t header = layout->header == TACHO__OA_HEADER_WIDE	   ? 32
					: layout->header == TACHO__OA_HEADER_CLOCK ? 16
										   : 12;
			int most = b >= header && b < format->size_bytes;

			if (taken[b] > most)
				fail_msg("%s: byte %zu holds %d values", format->name, b, taken[b]);
		}
	}
}

static void test_find(void **state)
{
	const struct tacho_oa_format *format;

	assert_int_equal(format_of("a45_b8_c8", 0)->i915_id, 5);
	assert_int_equal(tacho_oa_format_find("A45_B8_C8", TACHO_OA_GEN8, &format),
			 TACHO_E_NOTFOUND);
	assert_non_null(strstr(tacho_error_last()->cure, "A32u40_A4u32_B8_C8"));
	assert_null(strstr(tacho_error_last()->cure, "PEC64u64"));
	assert_null(tacho_oa_format_find_i915(10, TACHO_OA_GEN7_5));
	assert_null(tacho_oa_format_find_i915(0, TACHO_OA_XE2));
	assert_ptr_equal(tacho_oa_format_find_xe(0x00010105, TACHO_OA_XE2),
			 format_of("PEC64u64", 0));
	assert_ptr_equal(tacho_oa_format_find_xe(0x01010105, TACHO_OA_XE2),
			 format_of("PEC64u64_B8_C8", 0));
	assert_ptr_equal(tacho_oa_format_find_xe(0x0500, TACHO_OA_GEN12),
			 format_of("A32u40_A4u32_B8_C8", 0));
	assert_ptr_equal(tacho_oa_format_find_xe(0x0500, TACHO_OA_GEN12_5),
			 format_of("A24u40_A14u32_B8_C8", 0));
	assert_null(tacho_oa_format_find_xe(UINT32_MAX, TACHO_OA_GEN7_5));
	assert_string_equal(tacho_oa_format_get_usual(TACHO_OA_GEN7_5)->name, "A45_B8_C8");
	assert_string_equal(tacho_oa_format_get_usual(TACHO_OA_GEN9)->name, "A32u40_A4u32_B8_C8");
	assert_string_equal(tacho_oa_format_get_usual(TACHO_OA_GEN12_5)->name,
			    "A24u40_A14u32_B8_C8");
	assert_string_equal(tacho_oa_format_get_usual(TACHO_OA_XE2)->name, "PEC64u64");
}

static void test_generations(void **state)
{
	static const struct {
		const char *name;
		enum tacho_oa_gen gen;
	} rows[] = {
		{"hsw", TACHO_OA_GEN7_5},      {"CHV", TACHO_OA_GEN8},
		{"bdw-gt2", TACHO_OA_GEN8},    {"sklgt2", TACHO_OA_GEN9},
		{"icl", TACHO_OA_GEN11},       {"tglgt2", TACHO_OA_GEN12},
		{"acmgt3", TACHO_OA_GEN12_5},  {"lnl", TACHO_OA_XE2},
		{"gen12.5", TACHO_OA_GEN12_5}, {"gen12", TACHO_OA_GEN12},
	};
	enum tacho_oa_gen gen;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(tacho_oa_gen_find(rows[i].name, &gen), 0);
		assert_int_equal(gen, rows[i].gen);
	}
	assert_int_equal(tacho_oa_gen_find("gfx942", &gen), TACHO_E_NOTFOUND);
	assert_string_equal(tacho_oa_gen_to_string(TACHO_OA_GEN7_5), "gen7.5");
	assert_string_equal(tacho_oa_gen_to_string(3), "");
}

/* Gen8: low words at 16, high bytes at 160. */
static void test_gen8(void **state)
{
	const struct tacho_oa_format *format = format_of("A32u40_A4u32_B8_C8", TACHO_OA_GEN8);
	struct tacho_oa_report report;
	uint8_t bytes[256] = {0};

	put32(bytes, 0, 0x02080018);
	put32(bytes, 4, 0xfffffff0);
	put32(bytes, 8, 0x1234);
	put32(bytes, 12, 0x80000001);
	put32(bytes, 16, 0xffffffff); /* A0 */
	bytes[160] = 0xff;
	put32(bytes, 16 + 4 * 7, 5); /* A7, whose upper register the document lacks */
	bytes[167] = 0x12;
	put32(bytes, 16 + 4 * 31, 31);
	bytes[191] = 1;
	put32(bytes, 144, 32);
	put32(bytes, 156, 35);
	put32(bytes, 192, 100);
	put32(bytes, 220, 107);
	put32(bytes, 224, 200);
	put32(bytes, 252, 207);
	assert_int_equal(tacho_oa_report_decode(format, bytes, sizeof(bytes), &report), 0);
	assert_int_equal(report.id, 0x02080018);
	assert_int_equal(report.context, 0x1234);
	assert_int_equal(value_of(format, &report, "GPU_TIME"), 0xfffffff0);
	assert_int_equal(value_of(format, &report, "GPU_CLOCK"), 0x80000001);
	assert_int_equal(value_of(format, &report, "A0"), 0xffffffffffull);
	assert_int_equal(value_of(format, &report, "A7"), 0x1200000005ull);
	assert_int_equal(value_of(format, &report, "A31"), 0x10000001full);
	assert_int_equal(value_of(format, &report, "A32"), 32);
	assert_int_equal(value_of(format, &report, "A35"), 35);
	assert_int_equal(value_of(format, &report, "B0"), 100);
	assert_int_equal(value_of(format, &report, "B7"), 107);
	assert_int_equal(value_of(format, &report, "C0"), 200);
	assert_int_equal(value_of(format, &report, "C7"), 207);
	assert_int_equal(tacho_oa_format_find_counter(format, "A36"), -1);
	assert_int_equal(tacho_oa_report_decode(format, bytes, 255, &report), TACHO_E_PARSE);
}

static void test_haswell(void **state)
{
	const struct tacho_oa_format *format = format_of("A45_B8_C8", TACHO_OA_GEN7_5);
	struct tacho_oa_counter counter;
	struct tacho_oa_report report;
	uint8_t bytes[256] = {0};

	put32(bytes, 12, 1000);
	put32(bytes, 12 + 4 * 44, 1044);
	put32(bytes, 192, 2000);
	put32(bytes, 252, 3007);
	assert_int_equal(tacho_oa_report_decode(format, bytes, sizeof(bytes), &report), 0);
	assert_int_equal(value_of(format, &report, "A0"), 1000);
	assert_int_equal(value_of(format, &report, "A44"), 1044);
	assert_int_equal(value_of(format, &report, "B0"), 2000);
	assert_int_equal(value_of(format, &report, "C7"), 3007);
	/* It has no clock, and nobody says what A4 counts. */
	assert_int_equal(tacho_oa_format_find_counter(format, "GPU_CLOCK"), -1);
	assert_int_equal(tacho_oa_format_get_counter(format, 1, &counter), 0);
	assert_int_equal(counter.width_bits, 0);
	assert_int_equal(tacho_oa_format_get_counter(format, 2 + 4, &counter), 0);
	assert_string_equal(counter.name, "A4");
	assert_true(counter.is_undefined);
	assert_int_equal(tacho_oa_format_get_counter(format, 2 + 5, &counter), 0);
	assert_false(counter.is_undefined);
	assert_int_equal(tacho_oa_format_get_counter(format, 63, &counter), TACHO_E_INVAL);
}

/* DG2: 32-bit counters leave holes among the high bytes, and A36 and A37 are in them. */
static void test_dg2_holes(void **state)
{
	const struct tacho_oa_format *format = format_of("A24u40_A14u32_B8_C8", TACHO_OA_GEN12_5);
	struct tacho_oa_report report;
	uint8_t bytes[256] = {0};

	put32(bytes, 28, 3); /* A3 */
	put32(bytes, 32, 4); /* A4 */
	bytes[164] = 0xa4;   /* its high byte */
	put32(bytes, 16 + 4 * 23, 23);
	bytes[183] = 0xb7;
	put32(bytes, 112, 24);
	put32(bytes, 128, 28);
	bytes[188] = 0xbc;
	put32(bytes, 140, 31);
	bytes[191] = 0xbf;
	put32(bytes, 156, 35);
	put32(bytes, 160, 0x36363636);
	put32(bytes, 184, 0x37373737);
	assert_int_equal(tacho_oa_report_decode(format, bytes, sizeof(bytes), &report), 0);
	assert_int_equal(value_of(format, &report, "A3"), 3);
	assert_int_equal(value_of(format, &report, "A4"), 0xa400000004ull);
	assert_int_equal(value_of(format, &report, "A23"), 0xb700000017ull);
	assert_int_equal(value_of(format, &report, "A24"), 24);
	assert_int_equal(value_of(format, &report, "A28"), 0xbc0000001cull);
	assert_int_equal(value_of(format, &report, "A31"), 0xbf0000001full);
	assert_int_equal(value_of(format, &report, "A35"), 35);
	assert_int_equal(value_of(format, &report, "A36"), 0x36363636);
	assert_int_equal(value_of(format, &report, "A37"), 0x37373737);
}

static void test_wide_header(void **state)
{
	const struct tacho_oa_format *format = format_of("PEC64u64", TACHO_OA_XE2);
	struct tacho_oa_report report;
	uint8_t bytes[576] = {0};

	put64(bytes, 0, 0xdeadbeef00080000ull);
	put64(bytes, 8, 0xff00000000000123ull); /* 56 bits of it count */
	put32(bytes, 16, 77);
	put64(bytes, 24, 0x123456789abcdef0ull);
	put64(bytes, 32, UINT64_MAX);
	put64(bytes, 32 + 8 * 63, 63);
	assert_int_equal(tacho_oa_report_decode(format, bytes, sizeof(bytes), &report), 0);
	assert_int_equal(report.id, 0x00080000);
	assert_int_equal(report.context, 77);
	assert_int_equal(value_of(format, &report, "GPU_TIME"), 0x123);
	assert_true(value_of(format, &report, "GPU_CLOCK") == 0x123456789abcdef0ull);
	assert_true(value_of(format, &report, "PEC0") == UINT64_MAX);
	assert_int_equal(value_of(format, &report, "PEC63"), 63);

	format = format_of("OAC_A24u64_B8_C8", TACHO_OA_XE2);
	put64(bytes, 160, 0x2828282828ull);
	put32(bytes, 256, 9);
	assert_int_equal(tacho_oa_report_decode(format, bytes, 320, &report), 0);
	assert_true(value_of(format, &report, "A28") == 0x2828282828ull);
	assert_int_equal(value_of(format, &report, "C0"), 9);

	format = format_of("OAM_MPEC8u32_B8_C8", TACHO_OA_GEN12_5);
	put32(bytes, 60, 7);
	put32(bytes, 64, 8);
	assert_int_equal(tacho_oa_report_decode(format, bytes, 128, &report), 0);
	assert_int_equal(value_of(format, &report, "A7"), 7);
	assert_int_equal(value_of(format, &report, "B0"), 8);
}

/* Every value of every format survives, at its full width. */
static void test_encode(void **state)
{
	const struct tacho_oa_format *format;

	for (size_t i = 0; (format = tacho_oa_format_get(i)); i++) {
		struct tacho_oa_report report = {.id = 0x12345678, .context = 42}, again;
		uint8_t bytes[1024];

		for (size_t k = 0; k < format->value_count; k++) {
			uint32_t width = tacho__oa_width(format, k);
			uint64_t value = (k + 1) * 0x9e3779b97f4a7c15ull;

			report.values[k] = width ? value >> (64 - width) : 0;
		}
		memset(bytes, 0xee, sizeof(bytes));
		memset(&again, 0, sizeof(again));
		tacho__oa_report_encode(format, &report, bytes);
		assert_int_equal(bytes[format->size_bytes], 0xee);
		assert_int_equal(tacho_oa_report_decode(format, bytes, format->size_bytes, &again),
				 0);
		assert_int_equal(again.id, report.id);
		assert_int_equal(again.context, report.context);
		assert_memory_equal(again.values, report.values,
				    format->value_count * sizeof(report.values[0]));
	}
}

/* The same word means different things: bit 25 is valid on Gen8, bit 16 on Gen9. */
static void test_ids(void **state)
{
	struct tacho_oa_report_id id;

	tacho_oa_report_id_decode(0x02080012, TACHO_OA_GEN8, TACHO_OA_SOURCE_PERIODIC, &id);
	assert_int_equal(id.reasons, TACHO_OA_REASON_TIMER);
	assert_int_equal(id.context_valid, TACHO_OA_YES);
	assert_int_equal(id.unslice_hz, 300000000); /* 18 * 50/3 MHz */
	assert_false(id.is_slice_certain);
	tacho_oa_report_id_decode(0x02080012, TACHO_OA_GEN9, TACHO_OA_SOURCE_PERIODIC, &id);
	assert_int_equal(id.context_valid, TACHO_OA_NO);
	assert_int_equal(id.slice_hz, 16666666); /* ratio 1 in bits 31 to 25 */
	assert_true(id.is_slice_certain);
	tacho_oa_report_id_decode(0x00410212, TACHO_OA_GEN9, TACHO_OA_SOURCE_PERIODIC, &id);
	assert_int_equal(id.reasons, TACHO_OA_REASON_CONTEXT_SWITCH);
	assert_int_equal(id.context_valid, TACHO_OA_YES);
	assert_int_equal(id.slice_hz, 2133333333u); /* bits 10 and 9 are 128 each: 128 * 50/3 */
	tacho_oa_report_id_decode(0x01300000, TACHO_OA_GEN8, TACHO_OA_SOURCE_PERIODIC, &id);
	assert_int_equal(id.reasons, TACHO_OA_REASON_TRIGGER2 | TACHO_OA_REASON_TRIGGER1 |
					     TACHO_OA_REASON_CLOCK_RATIO);
	/* What a caller of MI_REPORT_PERF_COUNT wrote is no reason. */
	tacho_oa_report_id_decode(0xdeadbeef, TACHO_OA_GEN9, TACHO_OA_SOURCE_MI_RPC, &id);
	assert_int_equal(id.caller_id, 0xdeadbeef);
	assert_int_equal(id.reasons, 0);
	assert_int_equal(id.context_valid, TACHO_OA_UNKNOWN);
	assert_int_equal(id.unslice_hz, 0);
	/* Haswell says nothing. */
	tacho_oa_report_id_decode(0x02080012, TACHO_OA_GEN7_5, TACHO_OA_SOURCE_PERIODIC, &id);
	assert_int_equal(id.reasons, 0);
	assert_int_equal(id.context_valid, TACHO_OA_UNKNOWN);
	/* Gen12.5: an engine, one more reason, and valid only where a context was switched. */
	tacho_oa_report_id_decode(0x0e000000, TACHO_OA_GEN12_5, TACHO_OA_SOURCE_PERIODIC, &id);
	assert_int_equal(id.reasons, TACHO_OA_REASON_MMIO_TRIGGER);
	assert_int_equal(id.engine, 3);
	assert_int_equal(id.context_valid, TACHO_OA_UNKNOWN);
	tacho_oa_report_id_decode(0x00410000, TACHO_OA_XE2, TACHO_OA_SOURCE_PERIODIC, &id);
	assert_int_equal(id.context_valid, TACHO_OA_YES);
	assert_string_equal(tacho_oa_reason_to_string(TACHO_OA_REASON_CONTEXT_SWITCH),
			    "context-switch");
	assert_string_equal(tacho_oa_reason_to_string(3), "");
}

/* Haswell's timer with exponent 5 fires at 32, 96, 160. */
static void test_timer(void **state)
{
	assert_true(tacho_oa_is_timer(32, 5));
	assert_false(tacho_oa_is_timer(64, 5));
	assert_true(tacho_oa_is_timer(96, 5));
	assert_false(tacho_oa_is_timer(33, 5));
	assert_true(tacho_oa_is_timer(1, 0));
	assert_true(tacho_oa_is_timer(0x80000000u, 31));
	assert_false(tacho_oa_is_timer(0x80000000u, 32));
}

static void test_empty(void **state)
{
	struct tacho_oa_report report = {0};

	assert_true(tacho_oa_report_is_empty(&report));
	report.id = 0x00080000;
	assert_false(tacho_oa_report_is_empty(&report));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formats),	  cmocka_unit_test(test_layouts_are_sound),
		cmocka_unit_test(test_find),	  cmocka_unit_test(test_generations),
		cmocka_unit_test(test_gen8),	  cmocka_unit_test(test_haswell),
		cmocka_unit_test(test_dg2_holes), cmocka_unit_test(test_wide_header),
		cmocka_unit_test(test_encode),	  cmocka_unit_test(test_ids),
		cmocka_unit_test(test_timer),	  cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
