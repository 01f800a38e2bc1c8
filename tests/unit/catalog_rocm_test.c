/* SPDX-License-Identifier: MIT */
/* ROCm's built-in definitions: complete, sound, described in words of our own, rightly shaped. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/json.h"
#include "catalog/catalog.h"
#include "catalog/read_rocm.h"
#include "formula/program.h"
#include "tacho/catalog.h"

enum { FILE_MAX = 4 << 20, RUN = 6 };

static struct tacho_catalog *catalog;

static int setup(void **state)
{
	const struct tacho_catalog_options options = {
		.size = sizeof(options), .api = "rocm", .no_environment = 1};

	return tacho_catalog_open(&options, &catalog);
}

static int teardown(void **state)
{
	tacho_catalog_close(catalog);
	return 0;
}

static const struct tacho_arch *arch_of(const char *name)
{
	const struct tacho_arch *arch;

	assert_int_equal(tacho_catalog_find_arch(catalog, name, "rocm", &arch), 0);
	return arch;
}

static const struct tacho_entry *entry_of(const char *arch, const char *name)
{
	const struct tacho_entry *entry = tacho_arch_find_entry(arch_of(arch), name);

	assert_non_null(entry);
	return entry;
}

/* Counted in ROCm's counter_defs.yaml, 1.0.0 and later, an architecture a line. */
static const struct {
	const char *arch;
	size_t counters, metrics;
} counts[] = {
	{"gfx9", 28, 47},     {"gfx900", 28, 39},   {"gfx906", 33, 53},	  {"gfx908", 243, 143},
	{"gfx90a", 261, 217}, {"gfx940", 266, 158}, {"gfx941", 266, 158}, {"gfx942", 266, 160},
	{"gfx950", 429, 206}, {"gfx10", 45, 44},    {"gfx1010", 45, 44},  {"gfx1030", 45, 44},
	{"gfx1031", 45, 44},  {"gfx1032", 45, 44},  {"gfx11", 40, 40},	  {"gfx1100", 40, 40},
	{"gfx1101", 40, 40},  {"gfx1102", 40, 40},  {"gfx1150", 31, 33},  {"gfx1151", 31, 33},
	{"gfx1152", 0, 0},    {"gfx1153", 31, 33},  {"gfx12", 36, 22},	  {"gfx1200", 36, 22},
	{"gfx1201", 36, 22},  {"gfx1250", 57, 0},
};

static void test_counts(void **state)
{
	size_t archs = 0;

	while (tacho_catalog_get_arch(catalog, archs))
		archs++;
	assert_int_equal(archs, sizeof(counts) / sizeof(counts[0]));
	for (size_t i = 0; i < archs; i++) {
		const struct tacho_arch *arch = arch_of(counts[i].arch);
		const struct tacho_entry *entry;
		size_t found[3] = {0};

		for (size_t j = 0; (entry = tacho_arch_get_entry(arch, j)); j++)
			found[entry->kind]++;
		assert_int_equal(found[TACHO_ENTRY_COUNTER], counts[i].counters);
		assert_int_equal(found[TACHO_ENTRY_METRIC], counts[i].metrics);
		assert_int_equal(found[TACHO_ENTRY_CONSTANT], 29);
		assert_string_not_equal(arch->title, "");
		assert_string_not_equal(arch->source, "");
	}
	assert_null(tacho_catalog_get_problem(catalog, 0));
}

static void test_entries(void **state)
{
	const struct tacho_entry *entry = entry_of("gfx942", "SQ_ACCUM_PREV_HIRES");

	assert_int_equal(entry->kind, TACHO_ENTRY_COUNTER);
	assert_int_equal(entry->event, 184);
	assert_string_equal(entry->block, "SQ");
	assert_int_equal(entry_of("gfx950", "SQ_ACCUM_PREV_HIRES")->event, 200);
	entry = entry_of("gfx90a", "GPU_UTIL");
	assert_int_equal(entry->kind, TACHO_ENTRY_METRIC);
	assert_string_equal(entry->notation, "infix");
	assert_string_equal(entry->expression,
			    "100*reduce(GRBM_GUI_ACTIVE,max)/reduce(GRBM_COUNT,max)");
	assert_string_equal(entry->unit, "percent");
	assert_true(entry->range_low == 0 && entry->range_high == 100);
	assert_string_equal(entry->source, "ROCprofiler-SDK 1.0.0 counter_defs.yaml (2025-08-09)");
	/* The same metric has another expression elsewhere. */
	assert_non_null(strstr(entry_of("gfx942", "FETCH_SIZE")->expression, "TCC_BUBBLE_sum*128"));
	assert_null(strstr(entry_of("gfx90a", "FETCH_SIZE")->expression, "TCC_BUBBLE"));
	assert_non_null(strstr(entry_of("gfx942", "BANDWIDTH_EA")->caveat, "negative"));
	assert_int_equal(entry_of("gfx1201", "simd_count")->kind, TACHO_ENTRY_CONSTANT);
}

/* What ROCm published later: gfx115x is as gfx1100 but for some counters, gfx1250 has its own. */
static void test_later(void **state)
{
	const struct tacho_entry *entry;

	assert_int_equal(entry_of("gfx1151", "SQ_INSTS_VALU")->event, 62);
	assert_string_equal(entry_of("gfx1153", "WRITE_SIZE")->expression,
			    entry_of("gfx1100", "WRITE_SIZE")->expression);
	assert_null(tacho_arch_find_entry(arch_of("gfx1151"), "SQ_WAIT_ANY"));
	assert_int_equal(entry_of("gfx1250", "SQ_WAVE_CYCLES")->event, 32);
	assert_int_equal(entry_of("gfx1250", "CPF_CPF_STAT_BUSY")->event, 24);
	entry = entry_of("gfx950", "SQ_LEVEL_WAVES_ACCUM");
	assert_string_equal(entry->expression, "accumulate(SQ_LEVEL_WAVES, HIGH_RES)");
	assert_string_equal(entry->unit, "wavefront-cycles");
	/* gfx908 has one interface to memory, which ROCm calls TCC_EA and TCC_EA0. */
	assert_string_equal(entry_of("gfx908", "TCC_EA_ATOMIC_sum")->name, "TCC_EA0_ATOMIC_sum");
	assert_string_equal(entry_of("gfx908", "TCC_EA0_WRREQ")->name, "TCC_EA_WRREQ");
	assert_int_equal(entry_of("gfx908", "TCC_EA_RDREQ_DRAM")->event, 102);
	assert_null(tacho_arch_find_entry(arch_of("gfx942"), "TCC_EA_ATOMIC_sum"));
}

/* Every metric compiles, and comes down to counters and constants of its architecture. */
static void test_expressions(void **state)
{
	size_t compiled = 0;

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		const struct tacho_arch *arch = arch_of(counts[i].arch);
		struct tacho__arch_scope scope;
		struct tacho__program *program;
		const struct tacho_entry *entry;

		assert_int_equal(tacho__program_create(&program), 0);
		tacho__arch_scope_init(&scope, arch, NULL);
		for (size_t j = 0; (entry = tacho_arch_get_entry(arch, j)); j++) {
			struct tacho__expression expression = {.text = entry->expression,
							       .size = strlen(entry->expression),
							       .notation = entry->notation};
			struct tacho_formula_problem problem = {0};
			const struct tacho_entry **inputs;
			size_t count, output;

			if (entry->kind != TACHO_ENTRY_METRIC)
				continue;
			if (tacho__program_add(program, &expression, -1, &scope.scope, &output,
					       &problem))
				fail_msg("%s %s: %s", arch->name, entry->name, problem.message);
			assert_int_equal(tacho_arch_list_inputs(arch, entry, &inputs, &count), 0);
			assert_true(count > 0);
			for (size_t k = 0; k < count; k++)
				assert_int_not_equal(inputs[k]->kind, TACHO_ENTRY_METRIC);
			free(inputs);
			compiled++;
		}
		tacho__program_destroy(program);
	}
	/* The sum of the column "metrics" above. */
	assert_int_equal(compiled, 47 + 39 + 53 + 143 + 217 + 158 + 158 + 160 + 206 + 5 * 44 +
					   4 * 40 + 3 * 33 + 3 * 22);
}

/* The words of a text in lower case with blanks between. */
static void put_words(const char *text, struct tacho__buf *out)
{
	int in_word = 0;

	for (; *text; text++) {
		if (isalnum((unsigned char)*text) || *text == '_') {
			if (!in_word && out->size)
				tacho__buf_char(out, ' ');
			tacho__buf_char(out, (char)tolower((unsigned char)*text));
			in_word = 1;
		} else {
			in_word = 0;
		}
	}
}

/* Calls `on_run` for every RUN words in sequence; the text is cut in place. */
static void each_run(const char *text, void (*on_run)(const char *run, void *user), void *user)
{
	struct tacho__buf words = {0};
	const char *at;

	put_words(text, &words);
	for (at = tacho__buf_text(&words); *at;) {
		const char *end = at;
		char run[512];
		int count = 0;

		for (; *end; end++)
			if (*end == ' ' && ++count == RUN)
				break;
		if (!*end && count < RUN - 1)
			break;
		snprintf(run, sizeof(run), "%.*s", (int)(end - at), at);
		on_run(run, user);
		at = strchr(at, ' ');
		if (!at)
			break;
		at++;
	}
	tacho__buf_finish(&words);
}

struct upstream {
	struct tacho__arena arena;
	struct tacho__names runs, texts; /* of RUN words; whole descriptions to names */
	const char *name;		 /* whose description is looked at */
};

static void learn_run(const char *run, void *user)
{
	struct upstream *upstream = user;

	assert_int_equal(tacho__names_set(&upstream->runs,
					  tacho__arena_string(&upstream->arena, run),
					  (void *)upstream->name),
			 0);
}

static void check_run(const char *run, void *user)
{
	struct upstream *upstream = user;
	const char *whose = tacho__names_get(&upstream->runs, run);

	if (whose)
		fail_msg("%s says \"%s\", as ROCm says of %s", upstream->name, run, whose);
}

/* 0 when there is nothing to compare with. */
static int learn_upstream(struct upstream *upstream)
{
	const char *path = "../shared/data/rocm/counter_defs-1.0.0-schema1-20250809.yaml";
	const char *root = getenv("TACHO_SOURCE_ROOT");
	const struct tacho__yaml *counters;
	const struct tacho__yaml *tree;
	struct tacho__buf text = {0};
	char full[4096];

	snprintf(full, sizeof(full), "%s/%s", root ? root : ".", path);
	if (tacho__fs_read(full, FILE_MAX, &text)) {
		tacho__buf_finish(&text);
		print_message("skipped: %s is absent\n", path);
		return 0;
	}
	assert_int_equal(
		tacho__yaml_parse(&upstream->arena, path, tacho__buf_text(&text), text.size, &tree),
		0);
	tacho__buf_finish(&text);
	counters = tacho__yaml_get(tacho__yaml_get(tree, "rocprofiler-sdk"), "counters");
	assert_non_null(counters);
	for (const struct tacho__yaml *each = counters->first; each; each = each->next) {
		upstream->name = tacho__yaml_string(each, "name", "");
		each_run(tacho__yaml_string(each, "description", ""), learn_run, upstream);
		assert_int_equal(
			tacho__names_set(&upstream->texts, upstream->name,
					 (void *)tacho__yaml_string(each, "description", "")),
			0);
	}
	return 1;
}

static void check_words(struct upstream *upstream, const struct tacho_entry *entry)
{
	const char *theirs = tacho__names_get(&upstream->texts, entry->name);

	upstream->name = entry->name;
	if (theirs && *theirs && !strcmp(theirs, entry->description))
		fail_msg("%s has ROCm's description", entry->name);
	each_run(entry->description, check_run, upstream);
	each_run(entry->advice, check_run, upstream);
	each_run(entry->caveat, check_run, upstream);
}

/* The words are our own: no description of ROCm's, and no 6 words of one in sequence. */
static void test_own_words(void **state)
{
	struct upstream upstream = {0};

	if (learn_upstream(&upstream)) {
		assert_true(upstream.runs.count > 1000);
		for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
			const struct tacho_arch *arch = arch_of(counts[i].arch);
			const struct tacho_entry *entry;

			for (size_t j = 0; (entry = tacho_arch_get_entry(arch, j)); j++)
				check_words(&upstream, entry);
		}
	}
	tacho__names_finish(&upstream.runs);
	tacho__names_finish(&upstream.texts);
	tacho__arena_finish(&upstream.arena);
}

static void check_unit(const struct tacho_entry *entry)
{
	static const char *const units[] = {
		"percent",
		"ratio",
		"cycles",
		"request-cycles",
		"requests",
		"accesses",
		"lines",
		"sectors",
		"bytes",
		"kilobytes",
		"units",
		"bytes/cycle",
		"lanes",
		"wavefronts",
		"wavefronts/unit",
		"instructions/wavefront",
		"operations",
		"operations/cycle",
		"instructions",
		"quad-cycles",
		"workgroups",
		"dispatches",
		"events",
		"items",
		"transfers",
		"512 operations",
		"64 bytes",
		"SIMD-cycles",
		"unit-cycles",
		"wavefront-cycles",
		"instruction-cycles",
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i], entry->unit))
			return;
	fail_msg("%s has the unit \"%s\"", entry->name, entry->unit);
}

/* The unit that the expression alone tells, "" when it does not. */
static const char *unit_of(const char *expression)
{
	size_t size = strlen(expression);

	if (!strncmp(expression, "100*", 4) && !strstr(expression, "TCP_TOTAL_ACCESSES"))
		return "percent";
	if (size > 5 && !strcmp(expression + size - 5, "/1024"))
		return "kilobytes";
	return "";
}

/* A value of GRBM_GUI_ACTIVE goes on longer than a kernel: who divides by it says so. */
static void lint_span(const struct tacho_arch *arch, const struct tacho_entry *entry)
{
	int several = !strncmp(arch->name, "gfx94", 5) || !strcmp(arch->name, "gfx950");

	if (!strstr(entry->expression, "/reduce(GRBM_GUI_ACTIVE"))
		return;
	if (!strstr(entry->caveat, "GRBM_GUI_ACTIVE") ||
	    (several && !strstr(entry->caveat, "sums over dies")))
		fail_msg("%s %s does not say what GRBM_GUI_ACTIVE spans: %s", arch->name,
			 entry->name, entry->caveat);
}

static void lint(const struct tacho_arch *arch, const struct tacho_entry *entry)
{
	const char *unit = unit_of(entry->expression), *text = entry->description;
	int has_range = entry->range_low == entry->range_low;
	const struct tacho_block *block;

	if (entry->kind != TACHO_ENTRY_CONSTANT)
		check_unit(entry);
	if (entry->kind != TACHO_ENTRY_CONSTANT && (strlen(text) < 15 || !strchr(text, ' ')))
		fail_msg("%s %s has no description", arch->name, entry->name);
	if (*text && (text[strlen(text) - 1] != '.' || islower((unsigned char)*text)))
		fail_msg("%s: \"%s\" is no sentence", entry->name, text);
	if (*unit && strcmp(unit, entry->unit))
		fail_msg("%s %s is %s, not %s", arch->name, entry->name, unit, entry->unit);
	if (!strcmp(entry->unit, "percent") && has_range &&
	    (entry->range_low != 0 || entry->range_high != 100))
		fail_msg("%s has a strange range for percent", entry->name);
	if (has_range && !(entry->range_low < entry->range_high))
		fail_msg("%s has an empty range", entry->name);
	if (entry->kind == TACHO_ENTRY_METRIC && tacho_arch_find_block(arch, entry->block) != NULL)
		fail_msg("%s is a metric with a block", entry->name);
	if (entry->kind == TACHO_ENTRY_COUNTER && !tacho_arch_find_block(arch, entry->block))
		fail_msg("%s %s: no block %s", arch->name, entry->name, entry->block);
	block = tacho_arch_find_block(arch, entry->block);
	if (block && block->event_count && entry->event >= block->event_count)
		fail_msg("%s %s: no such event", arch->name, entry->name);
	assert_string_not_equal(entry->source, "");
	lint_span(arch, entry);
}

static void test_lint(void **state)
{
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		const struct tacho_arch *arch = arch_of(counts[i].arch);
		const struct tacho_entry *entry;

		for (size_t j = 0; (entry = tacho_arch_get_entry(arch, j)); j++)
			lint(arch, entry);
	}
}

/* "XCC 8 INSTANCE 1" of a counter on a model. */
static const char *shape_of(const char *arch_name, const char *counter, const char *model_name)
{
	static char text[256];
	const struct tacho_arch *arch = arch_of(arch_name);
	const struct tacho_model *model = tacho_arch_find_model(arch, model_name);
	struct tacho_dimension dimensions[TACHO_DIMENSION_MAX];
	uint32_t count;
	size_t size = 0;

	assert_non_null(model);
	assert_int_equal(tacho_arch_get_dimensions(arch, entry_of(arch_name, counter), model,
						   dimensions, &count),
			 0);
	text[0] = '\0';
	for (uint32_t i = 0; i < count; i++)
		size += (size_t)snprintf(text + size, sizeof(text) - size, "%s%s %u", i ? " " : "",
					 dimensions[i].name + strlen("DIMENSION_"),
					 dimensions[i].extent);
	return text;
}

static void test_shapes(void **state)
{
	/* 8 engines; 104 units in 8 arrays: 13 in each, and one more */
	assert_string_equal(shape_of("gfx90a", "SQ_WAVES", "mi210"), "INSTANCE 1 SHADER_ENGINE 8");
	assert_string_equal(shape_of("gfx90a", "TCC_HIT", "mi210"), "INSTANCE 32");
	assert_string_equal(shape_of("gfx90a", "TA_TA_BUSY", "mi210"),
			    "INSTANCE 14 SHADER_ENGINE 8");
	/* 8 dies of 4 engines; 304 units in 32 arrays: 9.5, so 10, and one more */
	assert_string_equal(shape_of("gfx942", "SQ_WAVES", "mi300x"),
			    "XCC 8 INSTANCE 1 SHADER_ENGINE 4");
	assert_string_equal(shape_of("gfx942", "TCC_HIT", "mi300x"), "XCC 8 INSTANCE 16");
	assert_string_equal(shape_of("gfx942", "TCP_TOTAL_READ", "mi300x"),
			    "XCC 8 INSTANCE 11 SHADER_ENGINE 4");
	assert_string_equal(shape_of("gfx942", "GRBM_COUNT", "mi300x"), "XCC 8 INSTANCE 1");
	/* 4 engines of 2 arrays each; the sequencer of gfx10 is not counted by array */
	assert_string_equal(shape_of("gfx1030", "SQ_WAVES", "rx6900xt"),
			    "INSTANCE 1 SHADER_ENGINE 4");
	assert_string_equal(shape_of("gfx1030", "GL2C_HIT", "rx6900xt"), "INSTANCE 32");
	/* 96 units are 48 pairs (WGP) in 12 arrays; 64 are 32 in 8 */
	assert_string_equal(shape_of("gfx1100", "SQ_WAVES", "rx7900xtx"),
			    "WGP 4 SHADER_ENGINE 6 SHADER_ARRAY 2");
	assert_string_equal(shape_of("gfx1201", "SQ_WAVES", "rx9070xt"),
			    "WGP 4 SHADER_ENGINE 4 SHADER_ARRAY 2");
	assert_string_equal(shape_of("gfx1201", "TA_TA_BUSY", "rx9070xt"),
			    "INSTANCE 2 SHADER_ENGINE 4 SHADER_ARRAY 2");
}

/* Properties of the model, and what is worked out from them alone. */
static void test_constants(void **state)
{
	const struct tacho_arch *arch = arch_of("gfx942");
	const struct tacho_model *model = tacho_arch_find_model(arch, "mi300x");
	double value = -1;

	assert_int_equal(
		tacho_arch_get_constant(arch, entry_of("gfx942", "simd_count"), model, &value), 0);
	assert_true(value == 1216);
	assert_int_equal(tacho_arch_get_constant(arch, entry_of("gfx942", "CU_NUM"), model, &value),
			 0);
	assert_true(value == 304);
	assert_int_equal(
		tacho_arch_get_constant(arch, entry_of("gfx942", "hive_id"), model, &value),
		TACHO_E_NOTFOUND);
	assert_int_equal(
		tacho_arch_get_constant(arch, entry_of("gfx942", "SQ_WAVES"), model, &value),
		TACHO_E_INVAL);
	assert_int_equal(
		tacho_arch_get_constant(arch, entry_of("gfx942", "VALUBusy"), model, &value),
		TACHO_E_INVAL);
	assert_true(value == 304);
	(void)state;
}

/* A block that no definition uses, and models that say too little. */
static void test_dimensions_alone(void **state)
{
	const struct tacho_arch *arch = arch_of("gfx942");
	const struct tacho_block memory = {.name = "UMC", .instances = 16, .attributes = ""};
	const struct tacho_model *mi300x = tacho_arch_find_model(arch, "mi300x");
	struct tacho_property properties[8] = {
		{"array_count", 32},  {"simd_arrays_per_engine", 1},
		{"simd_count", 1216}, {"simd_per_cu", 4},
		{"num_xcc", 8},
	};
	struct tacho_model model = {.name = "m", .properties = properties, .property_count = 5};
	struct tacho_dimension dimensions[TACHO_DIMENSION_MAX];
	uint32_t count = 77;

	assert_int_equal(tacho__rocm_dimensions(arch, &memory, mi300x, dimensions, &count), 0);
	assert_int_equal(count, 2);
	assert_string_equal(dimensions[0].name, "DIMENSION_AID");
	assert_int_equal(dimensions[0].extent, 4);
	assert_int_equal(dimensions[1].extent, 16);

	assert_int_equal(tacho__rocm_dimensions(arch, &memory, &model, dimensions, &count), 0);
	model.property_count = 4; /* no dies stated: one */
	assert_int_equal(tacho__rocm_dimensions(arch, &memory, &model, dimensions, &count), 0);
	assert_int_equal(count, 1);
	count = 77;
	model.property_count = 3;
	assert_int_equal(tacho__rocm_dimensions(arch, &memory, &model, dimensions, &count),
			 TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->cause, "simd_per_cu"));
	assert_int_equal(count, 77);
	model.property_count = 5;
	for (size_t i = 0; i < 5; i++) {
		static const uint64_t bad[] = {0, UINT64_MAX, 1 << 20};
		uint64_t good = properties[i].value;

		for (size_t j = 0; j < 3; j++) {
			properties[i].value = bad[j];
			assert_int_equal(
				tacho__rocm_dimensions(arch, &memory, &model, dimensions, &count),
				TACHO_E_UNSUPPORTED);
		}
		properties[i].value = good;
	}
	properties[4].value = 33; /* more dies than engines */
	assert_int_equal(tacho__rocm_dimensions(arch, &memory, &model, dimensions, &count),
			 TACHO_E_UNSUPPORTED);
	assert_int_equal(tacho__rocm_dimensions(arch, &memory, NULL, dimensions, &count),
			 TACHO_E_UNSUPPORTED);
}

static void check_block(const char *arch, const char *name, uint32_t slots, uint32_t instances,
			uint64_t low, uint64_t high)
{
	const struct tacho_block *block = tacho_arch_find_block(arch_of(arch), name);

	assert_non_null(block);
	assert_int_equal(block->slots, slots);
	assert_int_equal(block->instances, instances);
	assert_int_equal(block->accumulate_low, low);
	assert_int_equal(block->accumulate_high, high);
	assert_string_not_equal(block->description, "");
}

static void test_blocks(void **state)
{
	check_block("gfx906", "SQ", 8, 1, 0, 0);
	check_block("gfx9", "TCC", 4, 16, 0, 0);
	check_block("gfx908", "TCC", 4, 32, 0, 0);
	check_block("gfx908", "SQ", 8, 1, 0, 0);
	check_block("gfx90a", "SQ", 8, 1, 1, 185);
	check_block("gfx90a", "TA", 2, 16, 0, 0);
	check_block("gfx942", "SQ", 8, 1, 1, 184);
	check_block("gfx942", "TCC", 4, 16, 0, 0);
	check_block("gfx950", "SQ", 8, 1, 1, 200);
	check_block("gfx1030", "GL2C", 4, 32, 0, 0);
	check_block("gfx1100", "SQ", 8, 1, 1, 1);
	/* The tables say 16; there are 8 registers. */
	check_block("gfx1200", "SQ", 8, 1, 0, 0);
	check_block("gfx12", "GL2C", 4, 16, 0, 0);
	check_block("gfx1201", "GL2C", 4, 32, 0, 0);
	check_block("gfx942", "CPC", 2, 1, 0, 0);
	check_block("gfx942", "SPI", 6, 1, 0, 0);
	assert_string_equal(tacho_arch_find_block(arch_of("gfx11"), "SQ")->attributes, "Se Sq Sa");
	assert_null(tacho_arch_find_block(arch_of("gfx1100"), "TCC"));
}

static uint64_t property_of(const struct tacho_model *model, const char *name)
{
	for (size_t i = 0; i < model->property_count; i++)
		if (!strcmp(model->properties[i].name, name))
			return model->properties[i].value;
	fail_msg("%s has no %s", model->name, name);
	return 0;
}

/* Models agree with themselves: 4 SIMDs a unit before gfx10, all units in their arrays. */
static void test_models(void **state)
{
	const struct tacho_model *model;
	size_t models = 0;

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		const struct tacho_arch *arch = arch_of(counts[i].arch);

		for (size_t j = 0; (model = tacho_arch_get_model(arch, j)); j++, models++) {
			uint64_t simds = property_of(model, "simd_per_cu");
			uint64_t units = property_of(model, "simd_count") / simds;
			uint64_t arrays = property_of(model, "array_count");

			assert_int_equal(simds, strncmp(arch->name, "gfx9", 4) ? 2 : 4);
			assert_int_equal(property_of(model, "wave_front_size"), simds * 16);
			assert_int_equal(arrays % property_of(model, "num_xcc"), 0);
			assert_true(property_of(model, "cu_per_simd_array") * arrays >= units);
			assert_true((property_of(model, "cu_per_simd_array") - 1) * arrays < units);
			assert_string_not_equal(model->title, "");
			assert_string_not_equal(model->source, "");
		}
	}
	assert_true(models >= 20);
	model = tacho_arch_find_model(arch_of("gfx942"), "mi300x");
	assert_int_equal(property_of(model, "simd_count"), 1216);
	assert_int_equal(property_of(model, "gfx_target_version"), 90402);
}

/* The suites of whole architectures: every counter has the dimensions that ROCm gave it. */
static void check_suite(const struct tacho__json *suite)
{
	static const char *const models[][2] = {{"gfx906", "mi50"},
						{"gfx908", "mi100"},
						{"gfx90a", "mi210"},
						{"gfx1030", "rx6900xt"}};
	const struct tacho__json *counters = tacho__json_get(suite, "counters");
	const struct tacho_model *model = NULL;
	const struct tacho_arch *arch = arch_of(suite->key);
	size_t checked = 0;

	for (size_t i = 0; i < 4; i++)
		if (!strcmp(models[i][0], suite->key))
			model = tacho_arch_find_model(arch, models[i][1]);
	assert_non_null(model);
	for (const struct tacho__json *each = tacho__json_get(suite, "constants")->first; each;
	     each = each->next)
		assert_int_equal(property_of(model, each->key), each->integer);
	for (const struct tacho__json *each = counters->first; each; each = each->next) {
		const struct tacho_entry *entry = entry_of(suite->key, each->key);
		const struct tacho__json *dims = tacho__json_get(each, "dims");
		struct tacho_dimension dimensions[TACHO_DIMENSION_MAX];
		uint32_t count, i = 0;

		if (entry->kind != TACHO_ENTRY_COUNTER)
			continue;
		assert_int_equal(tacho_arch_get_dimensions(arch, entry, model, dimensions, &count),
				 0);
		for (const struct tacho__json *dim = dims->first; dim; dim = dim->next, i++) {
			assert_true(i < count);
			assert_string_equal(dimensions[i].name, dim->first->string);
			assert_int_equal(dimensions[i].extent, dim->first->next->integer);
		}
		assert_int_equal(i, count);
		assert_string_equal(entry->block, tacho__json_string(each, "block", ""));
		checked++;
	}
	assert_true(checked >= 33);
}

static void test_suites(void **state)
{
	const char *path = "../shared/data/rocm/expr_cases.json";
	const char *root = getenv("TACHO_SOURCE_ROOT");
	struct tacho__arena arena = {0};
	struct tacho__buf text = {0};
	struct tacho__json *json;
	char full[4096];
	size_t suites = 0;

	snprintf(full, sizeof(full), "%s/%s", root ? root : ".", path);
	if (tacho__fs_read(full, FILE_MAX, &text)) {
		print_message("skipped: %s is absent\n", path);
		tacho__buf_finish(&text);
		return;
	}
	assert_int_equal(tacho__json_parse(&arena, tacho__buf_text(&text), text.size, &json), 0);
	for (const struct tacho__json *each = tacho__json_get(json, "arch_suites")->first; each;
	     each = each->next, suites++)
		check_suite(each);
	assert_int_equal(suites, 4);
	tacho__buf_finish(&text);
	tacho__arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),	  cmocka_unit_test(test_entries),
		cmocka_unit_test(test_later),	  cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_own_words), cmocka_unit_test(test_lint),
		cmocka_unit_test(test_shapes),	  cmocka_unit_test(test_dimensions_alone),
		cmocka_unit_test(test_constants), cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_models),	  cmocka_unit_test(test_suites),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
