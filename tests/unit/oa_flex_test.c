/* SPDX-License-Identifier: MIT */
/* Flexible EU events: every combination, and every register that Intel published for Gen8. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tacho/catalog.h"
#include "tacho/error.h"
#include "tacho/oa.h"

/*
 * The document's tables, one row an event: coarse filters 0 to 8, fine filters 0 to A. Y supported,
 * ? depends on the GPU, u listed and not defined, . not supported.
 */
static const struct {
	uint32_t increment;
	const char *coarse, *fine;
} matrix[] = {
	{0, "YYYYYYYYY", "YYYYY?.YYYY"}, {1, "YYYYYYYYY", "YYYYY?.YYYY"},
	{2, "YYYYYYYYY", "Y....YuYYYY"}, {3, "Y......YY", "Y......YYYY"},
	{4, "Y......YY", "Y....YuYYYY"}, {5, "Y......YY", "Y......YYYY"},
	{8, "Y......YY", "Y......YYYY"},
};

static char expect(const struct tacho_oa_flex *event)
{
	char coarse, fine;

	for (size_t i = 0; i < sizeof(matrix) / sizeof(matrix[0]); i++) {
		if (matrix[i].increment != event->increment)
			continue;
		coarse = event->coarse < 9 ? matrix[i].coarse[event->coarse] : '.';
		fine = event->fine < 11 ? matrix[i].fine[event->fine] : '.';
		return coarse == '.' ? '.' : fine;
	}
	return '.';
}

/* All 4096: 279 valid and 18 that depend on the GPU are the 297; 12 are undefined. */
static void test_matrix(void **state)
{
	unsigned counts[4] = {0};

	for (uint32_t code = 0; code < 4096; code++) {
		struct tacho_oa_flex event = tacho_oa_flex_decode(code, 0);
		struct tacho_oa_flex_meaning meaning;
		enum tacho_oa_flex_verdict verdict = TACHO_OA_FLEX_REFUSED;

		switch (expect(&event)) {
		case 'Y': verdict = TACHO_OA_FLEX_VALID; break;
		case '?': verdict = TACHO_OA_FLEX_IMPLEMENTATION; break;
		case 'u': verdict = TACHO_OA_FLEX_UNDEFINED; break;
		}
		tacho_oa_flex_explain(&event, &meaning);
		if (meaning.verdict != verdict)
			fail_msg("%u/%u/%u is %s, and should be %s", event.increment, event.coarse,
				 event.fine, tacho_oa_flex_verdict_to_string(meaning.verdict),
				 tacho_oa_flex_verdict_to_string(verdict));
		assert_int_equal(*meaning.reason == '\0', verdict == TACHO_OA_FLEX_VALID);
		counts[verdict]++;
	}
	assert_int_equal(counts[TACHO_OA_FLEX_VALID], 279);
	assert_int_equal(counts[TACHO_OA_FLEX_IMPLEMENTATION], 18);
	assert_int_equal(counts[TACHO_OA_FLEX_UNDEFINED], 12);
	assert_int_equal(counts[TACHO_OA_FLEX_REFUSED], 4096 - 309);
}

/* Every code survives as bits of both halves and as text. */
static void test_round_trip(void **state)
{
	for (uint32_t code = 0; code < 4096; code++) {
		struct tacho_oa_flex event = tacho_oa_flex_decode(code, 0), again;
		char text[TACHO_OA_FLEX_TEXT_MAX];

		assert_int_equal(event.increment, code & 15);
		assert_int_equal(event.coarse, code >> 4 & 15);
		assert_int_equal(event.fine, code >> 8);
		assert_int_equal(tacho_oa_flex_encode(&event, 0, 0xff000fff), 0xff000000 | code);
		assert_int_equal(tacho_oa_flex_encode(&event, 1, 0xff000abc),
				 0xff000abc | code << 12);
		again = tacho_oa_flex_decode(code << 12, 1);
		assert_memory_equal(&again, &event, sizeof(event));
		tacho_oa_flex_format(&event, text);
		assert_int_equal(tacho_oa_flex_parse(text, &again), 0);
		assert_memory_equal(&again, &event, sizeof(event));
	}
}

static void test_text(void **state)
{
	static const struct {
		const char *text;
		struct tacho_oa_flex event;
		const char *formatted;
	} good[] = {
		{"fpu0/ps/ternary", {0, 5, 2}, "fpu0/ps/ternary"},
		{"FPU1", {1, 0, 0}, "fpu1"},
		{"send/start", {2, 0, 5}, "send/none/start"},
		{"both/row1", {3, 8, 0}, "both/row1"},
		{"some//eu3", {4, 0, 10}, "some/none/eu3"},
		{"stall/none/none", {5, 0, 0}, "stall"},
		{"threads/row0/eu0", {8, 7, 7}, "threads/row0/eu0"},
		{"2/0/0x6", {2, 0, 6}, "send/none/0x6"},
		{"6/9/15", {6, 9, 15}, "0x6/0x9/0xf"},
	};
	static const char *const bad[] = {
		"",	      "fpu2",	  "fpu0/xs",	   "fpu0/ternary/ps",
		"fpu0/ps/ps", "16",	  "fpu0/ps/mov/x", "-1",
		"fpu0/0x",    "fpu0/ps ", "0x10",	   "fpu0/123456789"};
	struct tacho_oa_flex event;
	char text[TACHO_OA_FLEX_TEXT_MAX];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(tacho_oa_flex_parse(good[i].text, &event), 0);
		assert_memory_equal(&event, &good[i].event, sizeof(event));
		tacho_oa_flex_format(&event, text);
		assert_string_equal(text, good[i].formatted);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (tacho_oa_flex_parse(bad[i], &event) != TACHO_E_PARSE)
			fail_msg("\"%s\" is accepted", bad[i]);
	assert_int_equal(tacho_oa_flex_parse("fpu0/xs", &event), TACHO_E_PARSE);
	assert_non_null(strstr(tacho_error_last()->cure, "row1"));
	assert_non_null(strstr(tacho_error_last()->cure, "ternary"));
}

/* What a count is divided by. */
static void test_shares(void **state)
{
	static const struct {
		const char *text;
		uint32_t eu_share, factor;
	} rows[] = {
		{"fpu0", 1, 1},
		{"fpu0/ps/ternary", 1, 1},
		{"fpu0/row0", 2, 1},
		{"some/eu2", 4, 1},
		{"stall/row1/eu3", 8, 1},
		{"threads", 1, 8},
		{"threads/row0/eu0", 8, 8},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tacho_oa_flex event;
		struct tacho_oa_flex_meaning meaning;

		assert_int_equal(tacho_oa_flex_parse(rows[i].text, &event), 0);
		tacho_oa_flex_explain(&event, &meaning);
		assert_int_equal(meaning.eu_share, rows[i].eu_share);
		assert_int_equal(meaning.factor, rows[i].factor);
	}
}

/*
 * 7 threads on each of 16 EUs, all the time: the integrator fires 7 times in 8 clocks, and the
 * share is 1. 1000 clocks: 1000 * 16 * 7 / 8 = 14000.
 */
static void test_occupancy_of_seven_threads(void **state)
{
	const struct tacho_oa_flex event = {8, 0, 0};
	struct tacho_oa_flex_meaning meaning;

	tacho_oa_flex_explain(&event, &meaning);
	assert_int_equal(14000 * meaning.factor / (16 / meaning.eu_share) / 7 / 1000, 1);
	assert_non_null(strstr(meaning.caveat, "7"));
}

static void test_registers(void **state)
{
	static const uint32_t addresses[] = {0xe458, 0xe558, 0xe658, 0xe758,
					     0xe45c, 0xe55c, 0xe65c};

	for (unsigned i = 0; i < 7; i++) {
		assert_int_equal(tacho_oa_flex_find_register(addresses[i]), i);
		assert_int_equal(tacho_oa_flex_get_address(2 * i), addresses[i]);
		assert_int_equal(tacho_oa_flex_get_address(2 * i + 1), addresses[i]);
	}
	assert_int_equal(tacho_oa_flex_find_register(0xe45a), -1);
	assert_int_equal(tacho_oa_flex_get_address(14), 0);
}

static uint32_t value_of(const struct tacho_set *set, unsigned number)
{
	for (size_t i = 0; i < set->register_count; i++)
		if (tacho_oa_flex_find_register(set->registers[i].address) == (int)number)
			return set->registers[i].value;
	fail_msg("%s does not write EU_PERF_CNTL%u", set->name, number);
	return 0;
}

/* The events of the two basic sets, as people read them. */
static void test_published_sets(void **state)
{
	static const struct {
		const char *set, *events[14];
	} rows[] = {
		{"RenderBasic",
		 {"some", "stall", "both", "fpu0/vs", "fpu1/vs", "send/vs", "!some/vs", "!stall/vs",
		  "fpu0/ps", "fpu1/ps", "send/ps", "!both/ps", "!some/ps", "!stall/ps"}},
		{"ComputeBasic",
		 {"some", "stall", "both", "fpu0", "fpu1", "send", "threads", "threads/row0/eu0",
		  "threads/row0", "threads/row1", "threads/none/eu0", "threads/none/eu1",
		  "threads/none/eu2", "threads/none/eu3"}},
	};
	struct tacho_catalog *catalog;
	const struct tacho_arch *arch;

	assert_int_equal(tacho_catalog_open(NULL, &catalog), 0);
	for (size_t a = 0; a < 2; a++) {
		assert_int_equal(tacho_catalog_find_arch(catalog, a ? "bdw" : "chv", "oa", &arch),
				 0);
		for (size_t i = 0; i < 2; i++)
			for (unsigned k = 0; k < 14; k++) {
				const struct tacho_set *set =
					tacho_arch_find_set(arch, rows[i].set);
				const char *text = rows[i].events[k];
				struct tacho_oa_flex event =
					tacho_oa_flex_decode(value_of(set, k / 2), k % 2);
				struct tacho_oa_flex_meaning meaning;
				char got[TACHO_OA_FLEX_TEXT_MAX];

				tacho_oa_flex_format(&event, got);
				tacho_oa_flex_explain(&event, &meaning);
				assert_string_equal(got, text + (*text == '!'));
				assert_int_equal(meaning.verdict, *text == '!'
									  ? TACHO_OA_FLEX_REFUSED
									  : TACHO_OA_FLEX_VALID);
			}
	}
	tacho_catalog_close(catalog);
}

/* What the sets of an architecture program altogether. */
struct survey {
	unsigned sets, triples, violations[16][16];
	uint8_t seen[4096];
};

static void survey(const struct tacho_arch *arch, struct survey *out)
{
	const struct tacho_set *set;

	memset(out, 0, sizeof(*out));
	for (size_t i = 0; (set = tacho_arch_get_set(arch, i)); i++) {
		unsigned registers = 0;

		for (size_t k = 0; k < set->register_count; k++) {
			const struct tacho_register *one = &set->registers[k];

			if (strcmp(one->kind, "FLEX") != 0)
				continue;
			registers++;
			assert_true(tacho_oa_flex_find_register(one->address) >= 0);
			assert_int_equal(one->value >> 24, 0);
			for (unsigned half = 0; half < 2; half++) {
				struct tacho_oa_flex event = tacho_oa_flex_decode(one->value, half);
				struct tacho_oa_flex_meaning meaning;
				uint32_t code = tacho_oa_flex_encode(&event, 0, 0);

				tacho_oa_flex_explain(&event, &meaning);
				out->triples += !out->seen[code];
				out->seen[code] = 1;
				assert_true(meaning.verdict == TACHO_OA_FLEX_VALID ||
					    meaning.verdict == TACHO_OA_FLEX_REFUSED);
				if (meaning.verdict == TACHO_OA_FLEX_REFUSED)
					out->violations[event.increment][event.coarse]++;
			}
		}
		assert_true(registers <= TACHO_OA_FLEX_REGISTERS);
		out->sets += registers > 0;
	}
}

/* The numbers were counted in Mesa's files with another program. */
static void test_all_published(void **state)
{
	struct tacho_catalog *catalog;
	const struct tacho_arch *arch;
	struct survey found;
	unsigned others = 0;

	assert_int_equal(tacho_catalog_open(NULL, &catalog), 0);
	assert_int_equal(tacho_catalog_find_arch(catalog, "chv", "oa", &arch), 0);
	survey(arch, &found);
	assert_int_equal(found.sets, 13);
	assert_int_equal(found.triples, 33);
	assert_int_equal(found.violations[4][1], 12);
	assert_int_equal(found.violations[5][1], 12);
	assert_int_equal(found.violations[3][5], 11);
	assert_int_equal(found.violations[4][5], 12);
	assert_int_equal(found.violations[5][5], 12);
	for (unsigned coarse = 2; coarse <= 6; coarse++)
		if (coarse != 5) {
			assert_int_equal(found.violations[4][coarse], 1);
			assert_int_equal(found.violations[5][coarse], 1);
		}
	for (unsigned increment = 0; increment < 16; increment++)
		for (unsigned coarse = 0; coarse < 16; coarse++)
			others += found.violations[increment][coarse];
	assert_int_equal(others, 12 + 12 + 11 + 12 + 12 + 8);
	assert_int_equal(tacho_catalog_find_arch(catalog, "bdw", "oa", &arch), 0);
	survey(arch, &found);
	assert_int_equal(found.sets, 21);
	assert_int_equal(found.triples, 41);
	tacho_catalog_close(catalog);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matrix),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_occupancy_of_seven_threads),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_published_sets),
		cmocka_unit_test(test_all_published),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
