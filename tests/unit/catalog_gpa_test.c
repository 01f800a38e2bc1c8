/* SPDX-License-Identifier: MIT */
/*
 * GPUPerfAPI's definitions: compared one to one with those that AMD published, and with the names
 * and footnotes of its user guide.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/json.h"
#include "catalog/catalog.h"
#include "tacho/catalog.h"
#include "gpa_catalog.h"

/* "0..2,sum3" as "0,1,2,sum3". */
static void expand_equation(const char *equation, struct tacho__buf *out)
{
	tacho__buf_clear(out);
	for (const char *at = equation; *at;) {
		size_t size = strcspn(at, ",");
		unsigned first, last;

		if (out->size)
			tacho__buf_char(out, ',');
		if (memchr(at, '.', size) && sscanf(at, "%u..%u", &first, &last) == 2) {
			for (unsigned i = first; i <= last; i++)
				tacho__buf_printf(out, "%s%u", i > first ? "," : "", i);
		} else {
			tacho__buf_add(out, at, size);
		}
		at += size + (at[size] == ',');
	}
}

/* The equations that tacho does not use as they were published. */
static int is_mended(const char *api, const char *generation, const char *name)
{
	if (!strcmp(name, "WriteUnitStalled"))
		return 1;
	if (!strcmp(name, "CSWriteUnitStalled"))
		return !strcmp(generation, "gfx6");
	if (!strcmp(name, "MemUnitBusy"))
		return !strcmp(api, "hsa") && !strcmp(generation, "gfx7");
	if (!strcmp(name, "CSFetchSize") || !strcmp(name, "CSWriteSize"))
		return !strcmp(api, "dx11") && !strcmp(generation, "gfx9");
	if (!strcmp(name, "CSALUStalledByLDS"))
		return !strcmp(api, "dx11") && strcmp(generation, "gfx6") != 0;
	return 0;
}

static void compare_inputs(const struct tacho_arch *arch, const struct tacho_entry *entry,
			   const struct tacho__json *json)
{
	const struct tacho__json *name = tacho__json_get(json, "inputs")->first;
	const struct tacho__json *index = tacho__json_get(json, "input_index")->first;
	size_t i = 0;

	for (; name; name = name->next, index = index->next, i++) {
		const struct tacho_entry *counter;
		const struct tacho_block *block;

		assert_true(i < entry->input_count);
		assert_string_equal(entry->inputs[i], name->string);
		counter = tacho_arch_find_entry(arch, name->string);
		assert_non_null(counter);
		assert_string_equal(counter->name, name->string);
		assert_int_equal(counter->kind, TACHO_ENTRY_COUNTER);
		block = tacho_arch_find_block(arch, counter->block);
		assert_non_null(block);
		assert_int_equal(block->first_index + counter->event, index->integer);
		assert_true(counter->event < block->event_count);
	}
	assert_int_equal(entry->input_count, i);
}

static void compare_metric(const struct tacho_arch *arch, const struct tacho_entry *entry,
			   const struct tacho__json *json)
{
	static const char *const units[][2] = {
		{"percentage", "percent"},  {"items", "items"}, {"milliseconds", "milliseconds"},
		{"kilobytes", "kilobytes"}, {"bytes", "bytes"},
	};
	const char *usage = tacho__json_string(json, "usage", "");
	struct tacho__buf equation = {0};
	int mended = is_mended(arch->api, arch->name, entry->name), is_known = 0;

	assert_string_equal(entry->name, tacho__json_string(json, "name", ""));
	assert_int_equal(entry->kind, TACHO_ENTRY_METRIC);
	assert_int_equal(entry->type, TACHO_TYPE_F64);
	assert_string_equal(tacho__json_string(json, "type", ""), "float64");
	assert_string_equal(entry->group, tacho__json_string(json, "group", ""));
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(units); i++)
		is_known |= !strcmp(usage, units[i][0]) && !strcmp(entry->unit, units[i][1]);
	assert_true(is_known);
	expand_equation(entry->expression, &equation);
	if ((strcmp(tacho__buf_text(&equation), tacho__json_string(json, "comp", "")) != 0) !=
	    mended)
		fail_msg("%s %s %s: %s", arch->api, arch->name, entry->name,
			 tacho__buf_text(&equation));
	assert_int_equal(strstr(entry->caveat, "published equation") != NULL &&
				 strstr(entry->caveat, "tacho ") != NULL,
			 mended);
	tacho__buf_finish(&equation);
	compare_inputs(arch, entry, json);
}

static void compare_blocks(const struct tacho_arch *arch, const struct tacho__json *file)
{
	const struct tacho__json *json = tacho__json_get(file, "blocks")->first;
	size_t i = 0;

	for (; json; json = json->next, i++) {
		const struct tacho_block *block = tacho_arch_get_block(arch, i);
		const char *stage = tacho__json_string(json, "sq_stage", "");
		int64_t stage_slots = tacho__json_integer(file, "sq_slots_per_stage", -1);

		assert_non_null(block);
		assert_string_equal(block->name, tacho__json_string(json, "name", ""));
		assert_int_equal(block->event_count, tacho__json_integer(json, "counters", -1));
		assert_int_equal(block->slots, tacho__json_integer(json, "slots", -1));
		assert_int_equal(block->first_index, tacho__json_integer(json, "first_index", -1));
		assert_string_equal(block->stage, stage);
		assert_int_equal(block->stage_slots, *stage ? stage_slots : 0);
		assert_int_equal(block->instances, 1);
		assert_string_equal(block->attributes,
				    strcmp(block->name, "GPUTime") ? "" : "alone");
	}
	if (tacho_arch_get_block(arch, i)) { /* those of the queries */
		assert_string_equal(tacho_arch_get_block(arch, i++)->name, "D3D11");
		assert_string_equal(tacho_arch_get_block(arch, i)->name, "D3D11_QUERY_TIMESTAMP");
		assert_string_equal(tacho_arch_get_block(arch, i++)->attributes, "apart");
	}
	assert_null(tacho_arch_get_block(arch, i));
}

static size_t compare_file(const char *api, const char *generation)
{
	const struct tacho_arch *arch = find(generation, api);
	struct tacho__arena arena = {0};
	struct tacho__buf text = {0};
	struct tacho__json *file;
	const struct tacho_entry *entry;
	const struct tacho__json *json;
	char name[64];
	size_t count = 0;

	snprintf(name, sizeof(name), "data/gpa/%s-%s.json", api, generation);
	read_file(shared_path(name), &text);
	assert_int_equal(tacho__json_parse(&arena, text.text, text.size, &file), 0);
	compare_blocks(arch, file);
	assert_int_equal(arch->pass_cap, 120);
	for (json = tacho__json_get(file, "counters")->first; json; json = json->next, count++) {
		entry = tacho_arch_get_entry(arch, count);
		assert_non_null(entry);
		compare_metric(arch, entry, json);
	}
	entry = tacho_arch_get_entry(arch, count); /* no further metrics but queries */
	assert_true(entry->kind != TACHO_ENTRY_METRIC || !strcmp(entry->group, "D3D11"));
	tacho__buf_finish(&text);
	tacho__arena_finish(&arena);
	return count;
}

static void test_published(void **state)
{
	static const char *const apis[] = {"cl", "gl", "dx11", "hsa"};
	size_t count = 0;

	if (!shared_path("data/gpa/cl-gfx6.json"))
		skip();
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(apis); i++)
		for (size_t j = 0; j < TACHO__ARRAY_SIZE(gcn); j++)
			if (i != 3 || j != 0) /* HSA begins with gfx7 */
				count += compare_file(apis[i], gcn[j]);
	/* 18+20+20+21 cl, 68+90+90+84 twice, 20+20+20 hsa */
	assert_int_equal(count, 79 + 2 * 332 + 60);
}

static void test_counts(void **state)
{
	size_t equations = 0, none = 0, queries = 0;

	for (size_t i = 0; i < NAMES; i++) {
		equations += !strcmp(lines[i].kind, "equation");
		none += !strcmp(lines[i].kind, "none");
		queries += !strcmp(lines[i].kind, "query");
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(lines[i].name, lines[j].name);
	}
	assert_int_equal(equations, 110);
	assert_int_equal(none, 91);
	assert_int_equal(queries, 29);
}

/* What the guide does not know: gfx9's. */
static void test_gfx9(void **state)
{
	static const char *const gone[] = {"DSBusy", "DSTime", "DSVerticesIn", "DSVALUBusy",
					   "CSCacheHit"};

	assert_true(has("gfx9", "cl", "L1CacheHit") && has("gfx9", "cl", "L2CacheHit"));
	assert_true(has("gfx9", "hsa", "L2CacheHit"));
	assert_false(has("gfx9", "hsa", "L1CacheHit"));
	assert_false(has("gfx9", "cl", "CacheHit"));
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(gone); i++) {
		assert_true(has("gfx8", "gl", gone[i]));
		assert_false(has("gfx9", "gl", gone[i]));
		assert_false(has("gfx9", "dx11", gone[i]));
	}
	assert_true(has("gfx9", "dx11", "CSL1CacheHit") && has("gfx9", "gl", "CSL2CacheHit"));
}

static size_t read_cells(char *line, char *cells[10])
{
	size_t count = 0;

	for (char *at = strstr(line, "| "); at && count < 10; at = strstr(at + 2, " | ")) {
		cells[count++] = at + (at == line ? 2 : 3);
		if (at != line)
			*at = '\0';
	}
	if (count && strstr(cells[count - 1], " |"))
		*strstr(cells[count - 1], " |") = '\0';
	return count;
}

/* The table at the end of docs/gpa-definitions.md is that of the catalog, and complete. */
static void test_matrix(void **state)
{
	static const char *const apis[] = {"cl", "hsa", "gl", "dx11"};
	const char *root = getenv("TACHO_SOURCE_ROOT");
	struct tacho__buf path = {0}, text = {0};
	size_t rows = 0;
	char *rest = NULL, *table;

	tacho__buf_printf(&path, "%s/docs/gpa-definitions.md", root ? root : ".");
	read_file(tacho__buf_text(&path), &text);
	table = strstr(text.text, "## Availability");
	assert_non_null(table);
	for (char *at = strtok_r(table, "\n", &rest); at; at = strtok_r(NULL, "\n", &rest)) {
		char *cells[10];

		if (read_cells(at, cells) != 10 || !strcmp(cells[0], "counter"))
			continue;
		rows++;
		for (size_t i = 0; i < 8; i++) {
			const char *generation = i < 4 ? before_gcn[i] : gcn[i - 4];
			char expected[32] = "";

			for (size_t j = 0; j < TACHO__ARRAY_SIZE(apis); j++) {
				/* OpenCL begins with r700, HSA with gfx7 */
				if ((j == 0 && i == 0) || (j == 1 && i < 5) ||
				    !has(generation, apis[j], cells[0]))
					continue;
				if (*expected)
					strcat(expected, " ");
				strcat(expected, apis[j]);
			}
			assert_string_equal(cells[i + 2], *expected ? expected : "-");
		}
	}
	assert_int_equal(rows, NAMES + 4);
	tacho__buf_finish(&path);
	tacho__buf_finish(&text);
}

/* Each group is a set that has its metrics in their order. */
static void test_sets(void **state)
{
	const struct tacho_arch *arch;
	size_t archs = 0;

	for (size_t i = 0; (arch = tacho_catalog_get_arch(catalog, i)); i++) {
		const struct tacho_entry *entry;
		size_t metrics = 0, members = 0;
		const struct tacho_set *set;

		entry = tacho_arch_get_entry(arch, 0);
		if (!entry || strcmp(entry->notation, "gpa"))
			continue;
		archs++;
		for (size_t j = 0; (entry = tacho_arch_get_entry(arch, j)); j++)
			metrics += entry->kind == TACHO_ENTRY_METRIC;
		for (size_t j = 0; (set = tacho_arch_get_set(arch, j)); j++) {
			assert_int_equal(set->is_exclusive, 0);
			for (size_t k = 0; k < set->entry_count; k++)
				assert_string_equal(set->entries[k]->group, set->name);
			members += set->entry_count;
		}
		assert_int_equal(members, metrics);
	}
	/* 15 of GCN; before: OpenCL 3, OpenGL 4, D3D11 4; behind: 7 of 4 APIs; any: 3 */
	assert_int_equal(archs, 15 + 11 + 28 + 3);
	assert_int_equal(tacho_arch_find_set(find("gfx8", "gl"), "timing")->entry_count, 18);
	assert_int_equal(tacho_arch_find_set(find("any", "vulkan"), "D3D11")->entry_count, 29);
}

static void test_fields(void **state)
{
	static const char *const constants[] = {"NUM_SHADER_ENGINES", "NUM_SIMDS", "SU_CLOCKS_PRIM",
						"NUM_PRIM_PIPES", "TS_FREQ"};
	static const struct {
		const char *arch, *name;
		uint64_t engines, simds; /* engines x units of each x 4 */
	} models[] = {
		{"gfx6", "hd7970", 2, 2 * 16 * 4},
		{"gfx7", "r9-290x", 4, 4 * 11 * 4},
		{"gfx8", "rx480", 4, 4 * 9 * 4},
		{"gfx9", "vega64", 4, 4 * 16 * 4},
	};
	const struct tacho_entry *entry =
		tacho_arch_find_entry(find("gfx8", "cl"), "MemUnitStalled");

	assert_true(entry->range_low == 0 && entry->range_high == 100);
	assert_string_equal(entry->better, "lower");
	assert_string_not_equal(entry->advice, "");
	entry = tacho_arch_find_entry(find("r700", "gl"), "TexCostOfFiltering");
	assert_true(entry->range_low == 100 && isnan(entry->range_high));
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(models); i++) {
		const struct tacho_arch *arch = find(models[i].arch, "gl");
		const struct tacho_model *model = tacho_arch_find_model(arch, models[i].name);

		for (size_t j = 0; j < TACHO__ARRAY_SIZE(constants); j++) {
			entry = tacho_arch_find_entry(arch, constants[j]);
			assert_non_null(entry);
			assert_int_equal(entry->kind, TACHO_ENTRY_CONSTANT);
			assert_string_not_equal(entry->description, "");
			assert_string_not_equal(entry->unit, "");
		}
		assert_non_null(model);
		assert_int_equal(model->property_count, 4);
		assert_string_equal(model->properties[0].name, "NUM_SHADER_ENGINES");
		assert_int_equal(model->properties[0].value, models[i].engines);
		assert_string_equal(model->properties[1].name, "NUM_SIMDS");
		assert_int_equal(model->properties[1].value, models[i].simds);
	}
	/* the numbers of the APIs themselves */
	assert_int_equal(tacho_arch_find_entry(find("any", "gl"), "GL_SAMPLES_PASSED")->event,
			 0x8914);
	assert_int_equal(
		tacho_arch_find_entry(find("any", "gl"), "GL_PRIMITIVES_GENERATED_3")->event,
		0x8c87 | (uint64_t)3 << 32);
	assert_int_equal(tacho_arch_find_entry(find("any", "vulkan"),
					       "VK_QUERY_TRANSFORM_FEEDBACK_STREAM_PRIMITIVES_"
					       "NEEDED_2")
				 ->event,
			 1000028004 | (uint64_t)2 << 32 | (uint64_t)1 << 48);
}

/* A file of a user: mistakes cost their entry, what is right is added. */
static const char user_text[] =
	"gpa-definitions: 1\n"
	"source: mine\n"
	"architectures:\n"
	"- {name: gfx8, api: cl, events: [e], blocks: [{name: 'X[0..1]', events: 9, slots: 2}]}\n"
	"events: {e: {X: {A: 3, B: [4, cycles, Busy cycles]}}}\n"
	"metrics:\n"
	"- {name: Good, group: General, unit: items, text: t, variants: [{where: [cl-gfx8], "
	"inputs: ['X[0..1]_B',\n"
	"    SQ_SQ_PERF_SEL_WAVES], equation: '0,1,+,2,/'}]}\n"
	"- {name: NoInput, variants: [{where: [cl-gfx8], inputs: [X0_C], equation: '0'}]}\n"
	"- {name: BadEquation, variants: [{where: [cl-gfx8], inputs: [X0_A], equation: '0,+'}]}\n"
	"- {name: BadRange, range: [5, x], variants: [{where: [cl-gfx8], equation: '(1)'}]}\n"
	"- {name: Upside, range: [5, 1], variants: [{where: [cl-gfx8], equation: '(1)'}]}\n"
	"- {name: NoArch, variants: [{where: [cl-gfx1], equation: '(1)'}]}\n"
	"- {name: Nothing, variants: [{where: [cl-gfx8]}]}\n"
	"- {name: BadPattern, variants: [{where: [cl-gfx8], inputs: ['X[3..1]_A'], equation: "
	"'0'}]}\n"
	"- {name: Huge, variants: [{where: [cl-gfx8], inputs: ['X[0..99999999]_A'], equation: "
	"'0'}]}\n"
	"- {name: Replaced, variants: [{where: [cl-gfx8], equation: '(1)'}]}\n"
	"- 7\n"
	"models:\n"
	"- {name: m, where: gfx8, P: 5}\n"
	"- {name: n, where: gfx8, P: five}\n";

static void test_user(void **state)
{
	static const char *const bad[] = {"NoInput", "BadEquation", "BadRange", "Upside", "NoArch",
					  "Nothing", "BadPattern",  "Huge",	"",	  "n"};
	char path[] = "/tmp/tacho-gpa-XXXXXX";
	const char *const paths[] = {path};
	struct tacho_catalog_options options = {.size = sizeof(options),
						.definitions = paths,
						.definition_count = 1,
						.no_environment = 1};
	struct tacho_catalog *own;
	const struct tacho_arch *arch;
	const struct tacho_entry *entry;
	int file = mkstemp(path);
	size_t i;

	assert_true(file >= 0);
	assert_int_equal(write(file, user_text, strlen(user_text)), (int)strlen(user_text));
	close(file);
	assert_int_equal(tacho_catalog_open(&options, &own), 0);
	unlink(path);
	assert_int_equal(tacho_catalog_find_arch(own, "gfx8", "cl", &arch), 0);
	for (i = 0; i < TACHO__ARRAY_SIZE(bad); i++) {
		const struct tacho_problem *problem = tacho_catalog_get_problem(own, i);

		assert_non_null(problem);
		assert_string_equal(problem->entry, bad[i]);
		assert_string_equal(problem->file, path);
		assert_true(problem->line > 6);
		assert_string_not_equal(problem->message, "");
	}
	assert_null(tacho_catalog_get_problem(own, i));
	entry = tacho_arch_find_entry(arch, "Good");
	assert_int_equal(entry->input_count, 3);
	assert_string_equal(entry->inputs[1], "X1_B");
	assert_string_equal(entry->source, "mine");
	assert_non_null(strstr(entry->file, ":7"));
	entry = tacho_arch_find_entry(arch, "X1_B");
	assert_int_equal(entry->event, 4);
	assert_string_equal(entry->block, "X1");
	assert_string_equal(entry->unit, "cycles");
	assert_int_equal(tacho_arch_find_model(arch, "m")->properties[0].value, 5);
	assert_null(tacho_arch_find_entry(arch, "NoInput"));
	assert_int_equal(tacho_arch_find_set(arch, "General")->entry_count, 11 + 1);
	tacho_catalog_close(own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_published), cmocka_unit_test(test_counts),
		cmocka_unit_test(test_gfx9),	  cmocka_unit_test(test_sets),
		cmocka_unit_test(test_fields),	  cmocka_unit_test(test_user),
		cmocka_unit_test(test_matrix),
	};

	return cmocka_run_group_tests(tests, read_lines, close_catalog);
}
