/* SPDX-License-Identifier: MIT */
/* ROCm definitions of a user's own: both forms, what they replace, and what mistakes cost. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"
#include "catalog/arch.h"
#include "catalog/read_rocm.h"
#include "test_folder.h"

enum { FILE_MAX = 4 << 20 };

static struct tacho_catalog *open_catalog(void)
{
	const struct tacho_catalog_options options = {
		.size = sizeof(options), .api = "rocm", .no_environment = 1};
	struct tacho_catalog *catalog;

	assert_int_equal(tacho_catalog_open(&options, &catalog), 0);
	return catalog;
}

static struct tacho_catalog *read_into(struct tacho_catalog *catalog, const char *text)
{
	assert_int_equal(tacho__catalog_read_text(catalog, "my.yaml", text, strlen(text), 0), 0);
	return catalog;
}

static const struct tacho_entry *find(const struct tacho_catalog *catalog, const char *arch,
				      const char *name)
{
	const struct tacho_arch *found;
	const struct tacho_entry *entry;

	assert_int_equal(tacho_catalog_find_arch(catalog, arch, "rocm", &found), 0);
	for (size_t i = 0; (entry = tacho_arch_get_entry(found, i)); i++)
		if (!strcmp(entry->name, name))
			return entry;
	return NULL;
}

#define LIST "rocprofiler-sdk:\n  counters-schema-version: 1\n  counters:\n"

/* One mistake on `line` of entry `entry`, with `part` in the message; GOOD is there all the same.
 */
static void check_mistake(const char *text, uint32_t line, const char *entry, const char *part)
{
	struct tacho_catalog *catalog = read_into(open_catalog(), text);
	const struct tacho_problem *problem = tacho_catalog_get_problem(catalog, 0);

	assert_non_null(problem);
	if (!strstr(problem->message, part))
		fail_msg("\"%s\" is not in: %s", part, problem->message);
	assert_string_equal(problem->file, "my.yaml");
	assert_int_equal(problem->line, line);
	assert_string_equal(problem->entry, entry);
	assert_null(tacho_catalog_get_problem(catalog, 1));
	assert_non_null(find(catalog, "gfx942", "GOOD"));
	tacho_catalog_close(catalog);
}

#define GOOD_LIST \
	"  - {name: GOOD, definitions: [{architectures: [gfx942], expression: SQ_WAVES}]}\n"
#define GOOD_MAP "GOOD: {architectures: {gfx942: {expression: SQ_WAVES}}}\n"

static void test_list_form(void **state)
{
	struct tacho_catalog *catalog = read_into(
		open_catalog(), LIST "  - name: MINE\n"
				     "    description: of all\n"
				     "    unit: percent\n"
				     "    range: [0, 100]\n"
				     "    better: lower\n"
				     "    advice: do less\n"
				     "    properties: []\n"
				     "    definitions:\n"
				     "    - architectures: [gfx90a, gfx942]\n"
				     "      expression: 100*reduce(SQ_WAVES,sum)/CU_NUM\n"
				     "    - architectures: [gfx1100]\n"
				     "      description: of this one\n"
				     "      block: SQ\n"
				     "      event: 0x10\n"
				     "  - name: SQ_WAVES\n"
				     "    description: replaced\n"
				     "    definitions:\n"
				     "    - {architectures: [gfx942], block: SQ, event: 99}\n");
	const struct tacho_entry *entry = find(catalog, "gfx942", "MINE");

	assert_null(tacho_catalog_get_problem(catalog, 0));
	assert_int_equal(entry->kind, TACHO_ENTRY_METRIC);
	assert_string_equal(entry->description, "of all");
	assert_string_equal(entry->unit, "percent");
	assert_true(entry->range_low == 0 && entry->range_high == 100);
	assert_string_equal(entry->better, "lower");
	assert_string_equal(entry->advice, "do less");
	assert_string_equal(entry->expression, "100*reduce(SQ_WAVES,sum)/CU_NUM");
	assert_string_equal(entry->file, "my.yaml:12");
	assert_string_equal(entry->source, "my.yaml");
	entry = find(catalog, "gfx1100", "MINE");
	assert_int_equal(entry->kind, TACHO_ENTRY_COUNTER);
	assert_string_equal(entry->description, "of this one");
	assert_int_equal(entry->event, 16);
	assert_null(find(catalog, "gfx908", "MINE"));
	assert_int_equal(find(catalog, "gfx942", "SQ_WAVES")->event, 99);
	assert_string_equal(find(catalog, "gfx942", "SQ_WAVES")->description, "replaced");
	assert_int_not_equal(find(catalog, "gfx90a", "SQ_WAVES")->event, 99);
	assert_string_equal(find(catalog, "gfx90a", "SQ_WAVES")->file, "");
	tacho_catalog_close(catalog);
}

static void test_map_form(void **state)
{
	static const char *const heads[] = {"", "schema-version: 1\n"};

	for (size_t i = 0; i < 2; i++) {
		char text[1024];
		struct tacho_catalog *catalog;
		const struct tacho_entry *entry;

		snprintf(text, sizeof(text),
			 "%s"
			 "MeanOccupancyPerCU:\n"
			 "  architectures:\n"
			 "    gfx942/gfx941/gfx940:\n"
			 "      block:\n"
			 "      event:\n"
			 "      expression: accumulate(SQ_LEVEL_WAVES,HIGH_RES)/CU_NUM\n"
			 "    gfx90a:\n"
			 "      expression: SQ_WAVES/2\n"
			 "      description: halved\n"
			 "  description: mine\n"
			 "NEW_EVENT:\n"
			 "  architectures: {gfx1010/gfx942: {block: TCC, event: 7}}\n",
			 heads[i]);
		catalog = read_into(open_catalog(), text);
		assert_null(tacho_catalog_get_problem(catalog, 0));
		entry = find(catalog, "gfx941", "MeanOccupancyPerCU");
		assert_string_equal(entry->expression,
				    "accumulate(SQ_LEVEL_WAVES,HIGH_RES)/CU_NUM");
		assert_string_equal(entry->description, "mine");
		assert_string_equal(find(catalog, "gfx90a", "MeanOccupancyPerCU")->description,
				    "halved");
		assert_string_equal(find(catalog, "gfx950", "MeanOccupancyPerCU")->file, "");
		assert_int_equal(find(catalog, "gfx1010", "NEW_EVENT")->event, 7);
		assert_string_equal(find(catalog, "gfx942", "NEW_EVENT")->block, "TCC");
		tacho_catalog_close(catalog);
	}
}

static void test_metric_with_block(void **state)
{
	check_mistake("BAD:\n  architectures:\n    gfx942:\n      expression: SQ_WAVES\n"
		      "      block: SQ\n" GOOD_MAP,
		      3, "BAD", "an expression and a block");
	check_mistake(LIST "  - name: BAD\n    definitions:\n"
			   "    - {architectures: [gfx942], expression: SQ_WAVES, block: SQ, "
			   "event: 1}\n" GOOD_LIST,
		      6, "BAD", "an expression and a block");
}

static void test_metric_with_event(void **state)
{
	check_mistake("BAD: {architectures: {gfx942: {expression: SQ_WAVES, event: 4}}}\n" GOOD_MAP,
		      1, "BAD", "an expression and an event");
}

static void test_counter_without_block(void **state)
{
	check_mistake("BAD: {architectures: {gfx942: {event: 4}}}\n" GOOD_MAP, 1, "BAD",
		      "an event without a block");
}

static void test_counter_without_event(void **state)
{
	check_mistake("BAD: {architectures: {gfx942: {block: SQ}}}\n" GOOD_MAP, 1, "BAD",
		      "a block without an event");
}

static void test_neither(void **state)
{
	check_mistake(GOOD_MAP "BAD: {architectures: {gfx942: {description: x}}}\n", 2, "BAD",
		      "neither block and event nor an expression");
	check_mistake(GOOD_MAP "BAD: {architectures: {gfx942: }}\n", 2, "BAD", "no mapping");
}

static void test_unknown_architecture(void **state)
{
	struct tacho_catalog *catalog;

	check_mistake(LIST GOOD_LIST "  - name: BAD\n    definitions:\n"
				     "    - {architectures: [gfx942, gfx4711], expression: "
				     "SQ_WAVES}\n",
		      7, "BAD", "architecture \"gfx4711\" is not known");
	check_mistake("BAD: {architectures: {gfx942/gfx4711: {expression: SQ_WAVES}}}\n" GOOD_MAP,
		      1, "BAD", "architecture \"gfx4711\" is not known");
	check_mistake("BAD: {architectures: {gfx942/: {expression: SQ_WAVES}}}\n" GOOD_MAP, 1,
		      "BAD", "architecture \"\" is not known");
	/* The architectures that are known have it. */
	catalog = read_into(open_catalog(),
			    "BAD: {architectures: {gfx942/gfx4711: {expression: SQ_WAVES}}}\n");
	assert_non_null(find(catalog, "gfx942", "BAD"));
	tacho_catalog_close(catalog);
}

static void test_event_no_number(void **state)
{
	static const char *const bad[] = {
		"abc", "-1", "4x", "1.5", "0x", "[4]", "18446744073709551616"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char text[512];

		snprintf(text, sizeof(text),
			 "BAD:\n  architectures:\n    gfx942:\n      block: SQ\n"
			 "      event: %s\n" GOOD_MAP,
			 bad[i]);
		check_mistake(text, 5, "BAD", "is no number");
	}
}

static void test_duplicate(void **state)
{
	const char *text =
		LIST "  - name: BAD\n    definitions:\n"
		     "    - {architectures: [gfx942, gfx90a], expression: SQ_WAVES}\n"
		     "    - {architectures: [gfx942], expression: SQ_WAVES*2}\n" GOOD_LIST;
	struct tacho_catalog *catalog;

	check_mistake(text, 7, "BAD", "gfx942 defines it a second time");
	catalog = read_into(open_catalog(), text);
	assert_string_equal(find(catalog, "gfx942", "BAD")->expression, "SQ_WAVES");
	tacho_catalog_close(catalog);
	check_mistake("BAD: {architectures: {gfx942: {expression: SQ_WAVES}}}\n" GOOD_MAP
		      "BAD: {architectures: {gfx942: {expression: SQ_WAVES}}}\n",
		      3, "BAD", "a second time");
	/* Another file may replace it. */
	catalog = read_into(read_into(open_catalog(), GOOD_MAP),
			    "GOOD: {architectures: {gfx942: {expression: SQ_WAVES*3}}}\n");
	assert_null(tacho_catalog_get_problem(catalog, 0));
	assert_string_equal(find(catalog, "gfx942", "GOOD")->expression, "SQ_WAVES*3");
	tacho_catalog_close(catalog);
}

static void test_expression_malformed(void **state)
{
	check_mistake(
		"BAD:\n  architectures:\n    gfx942:\n      expression: 100*(SQ_WAVES\n" GOOD_MAP,
		4, "BAD", "does not parse: column ");
	check_mistake("BAD: {architectures: {gfx942: {expression: [1]}}}\n" GOOD_MAP, 1, "BAD",
		      "\"expression\" is a list");
}

static void test_name(void **state)
{
	check_mistake(LIST "  - definitions: [{architectures: [gfx942], block: SQ, event: "
			   "1}]\n" GOOD_LIST,
		      4, "", "the name is missing");
	check_mistake(LIST "  - {name: [a], definitions: [{architectures: [gfx942], block: SQ, "
			   "event: 1}]}\n" GOOD_LIST,
		      4, "", "\"name\" is a list");
	check_mistake(LIST "  - {name: A B, definitions: [{architectures: [gfx942], block: SQ, "
			   "event: 1}]}\n" GOOD_LIST,
		      4, "", "\"A B\" is no name");
	check_mistake(GOOD_MAP "1A: {architectures: {gfx942: {expression: SQ_WAVES}}}\n", 2, "",
		      "\"1A\" is no name");
}

static void test_types(void **state)
{
	check_mistake(LIST "  - BAD\n" GOOD_LIST, 4, "", "is no mapping");
	check_mistake(LIST "  - {name: BAD}\n" GOOD_LIST, 4, "BAD", "no list \"definitions\"");
	check_mistake(LIST "  - {name: BAD, definitions: []}\n" GOOD_LIST, 4, "BAD",
		      "no list \"definitions\"");
	check_mistake(LIST "  - {name: BAD, definitions: [7]}\n" GOOD_LIST, 4, "BAD",
		      "the definition is no mapping");
	check_mistake(LIST "  - {name: BAD, definitions: [{block: SQ, event: 1}]}\n" GOOD_LIST, 4,
		      "BAD", "no list \"architectures\"");
	check_mistake(LIST "  - {name: BAD, definitions: [{architectures: {a: b}, block: SQ, "
			   "event: 1}]}\n" GOOD_LIST,
		      4, "BAD", "no list \"architectures\"");
	check_mistake(LIST "  - {name: BAD, definitions: [{architectures: [[gfx942]], block: SQ, "
			   "event: 1}]}\n" GOOD_LIST,
		      4, "BAD", "an item of \"architectures\" is no text");
	check_mistake(LIST "  - {name: BAD, definitions: [{architectures: [gfx942], block: [SQ], "
			   "event: 1}]}\n" GOOD_LIST,
		      4, "BAD", "\"block\" is no text");
	check_mistake("BAD: text\n" GOOD_MAP, 1, "BAD", "it is no mapping");
	check_mistake("BAD: {expression: SQ_WAVES}\n" GOOD_MAP, 1, "BAD",
		      "no mapping \"architectures\"");
	check_mistake("BAD: {architectures: [gfx942]}\n" GOOD_MAP, 1, "BAD",
		      "no mapping \"architectures\"");
	/* A wrong note about an entry costs the note. */
	check_mistake("GOOD: {architectures: {gfx942: {expression: SQ_WAVES}}, description: [a]}\n",
		      1, "GOOD", "\"description\" is a list");
	check_mistake("GOOD: {architectures: {gfx942: {expression: SQ_WAVES}}, range: [5, 1]}\n", 1,
		      "GOOD", "\"range\" is not two rising numbers");
	check_mistake("GOOD: {architectures: {gfx942: {expression: SQ_WAVES}}, better: more}\n", 1,
		      "GOOD", "write lower or higher");
}

static void test_not_ours(void **state)
{
	static const char *const others[] = {"gpa-definitions: {architectures: {a: b}}\n",
					     "oa-definitions: {architectures: 1}\n", "just text\n",
					     "[a, b]\n", "a: 1\n"};
	struct tacho__arena arena = {0};
	struct tacho_catalog *catalog;
	const struct tacho__yaml *root;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_int_equal(tacho__yaml_parse(&arena, "", others[i], strlen(others[i]), &root),
				 0);
		assert_int_equal(tacho__rocm_is(root), 0);
		assert_int_equal(tacho__rocm_blocks_is(root), 0);
	}
	tacho__arena_finish(&arena);
	/* A list form without its list is no such file at all. */
	catalog = open_catalog();
	assert_int_equal(
		tacho__catalog_read_text(catalog, "my.yaml", "rocprofiler-sdk: 1\n", 19, 0),
		TACHO_E_PARSE);
	assert_non_null(strstr(tacho_error_last()->cause, "no list \"counters\""));
	tacho_catalog_close(catalog);
}

/* The line of ROCm's document, and one of its older files. */
static void test_xml(void **state)
{
	static const struct {
		const char *text, *cure;
	} lines[] = {
		{"<metric name=\"MeanOccupancyPerCU\" "
		 "expr=accumulate(SQ_LEVEL_WAVES,HIGH_RES)/reduce(GRBM_GUI_ACTIVE,max)/CU_NUM "
		 "descr=\"Mean of it.\"></metric>\n<metric name=\"B\" event=7></metric>",
		 "MeanOccupancyPerCU: {architectures: {gfx90a/gfx942: {expression: "
		 "\"accumulate(SQ_LEVEL_WAVES,HIGH_RES)/reduce(GRBM_GUI_ACTIVE,max)/CU_NUM\"}}, "
		 "description: \"Mean of it.\"}"},
		{"<gfx9>\n  <metric name='SQ_X' block=SQ event=4 descr='a \"b\"'></metric>",
		 "SQ_X: {architectures: {gfx90a/gfx942: {block: SQ, event: 4}}, description: "
		 "\"a b\"}"},
		{"<metric ", "NAME: {architectures: {gfx90a/gfx942: {expression: \"\"}}"},
		{"<metric name=\"A", "A: {architectures"},
		{"<metric name=", "NAME: {architectures"},
	};
	struct tacho_catalog *catalog = open_catalog();

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_int_equal(tacho__catalog_read_text(catalog, "my.xml", lines[i].text,
							  strlen(lines[i].text), 0),
				 TACHO_E_PARSE);
		if (!strstr(tacho_error_last()->cure, lines[i].cure))
			fail_msg("%s", tacho_error_last()->cure);
		assert_non_null(strstr(tacho_error_last()->message, "my.xml"));
	}
	assert_int_equal(tacho__rocm_xml_is("<metrics>", 9), 0);
	assert_int_equal(tacho__rocm_xml_is("<metric", 7), 0);
	tacho_catalog_close(catalog);
}

#define DECLARED                                                                              \
	"rocprofiler-sdk:\n  counters-schema-version: 1\n  architectures:\n"                  \
	"  - name: gfx1310\n    title: Mine\n    family: gfx1100\n    wave_size: 32\n"        \
	"    accumulate: {block: SQ, low_res: 7, high_res: 8}\n"                              \
	"    blocks: [{name: SQ, slots: 3, instances: 1, events: 9, attributes: [Se, Sq]}]\n" \
	"    constants: {simd_count: 64, simd_per_cu: 2, array_count: 4, "                    \
	"simd_arrays_per_engine: 2,\n      teapots: 7}\n"

/* An architecture that nobody knows, with all that follows: shapes, constants, blocks. */
static void test_declared(void **state)
{
	struct tacho_catalog *catalog = read_into(
		open_catalog(), DECLARED "  counters:\n"
					 "  - {name: C, definitions: [{architectures: [gfx1310], "
					 "block: SQ, event: 4}]}\n"
					 "  - {name: M, definitions: [{architectures: [gfx1310], "
					 "expression: simd_count/simd_per_cu*teapots}]}\n");
	struct tacho_dimension dimensions[TACHO_DIMENSION_MAX];
	const struct tacho_model *model;
	const struct tacho_arch *arch;
	uint32_t count;
	double value;

	assert_null(tacho_catalog_get_problem(catalog, 0));
	assert_int_equal(tacho_catalog_find_arch(catalog, "gfx1310", NULL, &arch), 0);
	assert_string_equal(arch->title, "Mine");
	model = tacho_arch_find_model(arch, "gfx1310");
	assert_non_null(model);
	assert_int_equal(tacho_arch_find_block(arch, "SQ")->slots, 3);
	assert_int_equal(tacho_arch_find_block(arch, "SQ")->accumulate_high, 8);
	assert_int_equal(tacho_arch_find_block(arch, "GL2C")->slots, 4); /* the family's */
	assert_int_equal(
		tacho_arch_get_constant(arch, find(catalog, "gfx1310", "M"), model, &value), 0);
	assert_true(value == 64 / 2 * 7);
	assert_int_equal(tacho_arch_get_constant(arch, find(catalog, "gfx1310", "wave_front_size"),
						 model, &value),
			 0);
	assert_true(value == 32);
	/* gfx11's rule: work-group processors, of 32 units in 4 arrays, in place of instances */
	assert_int_equal(tacho_arch_get_dimensions(arch, find(catalog, "gfx1310", "C"), model,
						   dimensions, &count),
			 0);
	assert_int_equal(count, 2);
	assert_string_equal(dimensions[0].name, "DIMENSION_WGP");
	assert_int_equal(dimensions[0].extent, 4);
	assert_int_equal(dimensions[1].extent, 2);
	tacho_catalog_close(catalog);
}

/* One mistake in a declaration, which costs what it is in; the rest of the file is read. */
static void check_declaration(const char *item, uint32_t line, const char *entry, const char *part)
{
	char text[1024];

	snprintf(text, sizeof(text), "rocprofiler-sdk:\n  architectures:\n  - %s\n  counters:\n%s",
		 item, GOOD_LIST);
	check_mistake(text, line, entry, part);
}

static void test_hostile_declarations(void **state)
{
	struct tacho_catalog *catalog;

	check_declaration("4", 3, "", "no mapping");
	check_declaration("{title: x}", 3, "", "missing or none");
	check_declaration("{name: 'a b'}", 3, "a b", "missing or none");
	check_declaration("{name: [a]}", 3, "", "list or a mapping");
	check_declaration("{name: a,\n    family: gfx4711}", 4, "a", "\"gfx4711\" is not known");
	check_declaration("{name: a,\n    blocks: 3}", 4, "a", "no list");
	check_declaration("{name: a, blocks: [{name: SQ, instances: 1}]}", 3, "SQ", "\"slots\"");
	check_declaration("{name: a,\n    wave_size: many}", 4, "a", "wave_size");
	check_declaration("{name: a,\n    wave_size: 0}", 4, "a", "wave_size");
	check_declaration("{name: a, constants: 4}", 3, "a", "no mapping");
	check_declaration("{name: a, constants: {\n    simd_count: x}}", 4, "a", "no number");
	check_mistake("rocprofiler-sdk:\n  architectures: gfx1\n  counters:\n" GOOD_LIST, 2, "",
		      "no list");
	/* its own family: nothing is inherited for ever; the map form has declarations, too */
	catalog = read_into(open_catalog(), "architectures: [{name: mine}, {name: mine, family: "
					    "mine}]\nC: {architectures: {mine: {block: SQ, event: "
					    "1}}}\n");
	assert_null(tacho_catalog_get_problem(catalog, 0));
	assert_non_null(find(catalog, "mine", "C"));
	assert_non_null(find(catalog, "mine", "simd_count"));
	tacho_catalog_close(catalog);
}

/* An installed ROCm's file describes what we do not, adds nothing and has no problems. */
static void test_environment(void **state)
{
	struct tacho_catalog_options options = {.size = sizeof(options), .api = "rocm"};
	const char *own;
	struct tacho_catalog *catalog;
	struct folder folder;
	FILE *file;

	folder_make(&folder);
	file = fopen(folder_name(&folder, "own.yaml"), "w");
	assert_non_null(file);
	fputs(LIST "  - {name: OWN, definitions: [{architectures: [gfx90a, gfx942], block: CPC, "
		   "event: 25}]}\n",
	      file);
	assert_int_equal(fclose(file), 0);
	own = strdup(folder_name(&folder, "own.yaml"));
	options.definitions = &own;
	options.definition_count = 1;
	file = fopen(folder_name(&folder, "counter_defs.yaml"), "w");
	assert_non_null(file);
	fputs(LIST "  - {name: OWN, description: theirs, definitions: "
		   "[{architectures: [gfx942, gfx4711], block: CPC, event: 1}]}\n"
		   "  - {name: GPUBusy, description: theirs, definitions: "
		   "[{architectures: [gfx90a], expression: '(('}]}\n"
		   "  - {name: NEW, description: theirs, definitions: "
		   "[{architectures: [gfx942], block: SQ, event: 1}]}\n"
		   "  - {name: SQ_BUSY_CYCLES, definitions: [{architectures: [gfx942]}]}\n",
	      file);
	assert_int_equal(fclose(file), 0);
	setenv("ROCPROFILER_METRICS_PATH", folder.path, 1);
	assert_int_equal(tacho_catalog_open(&options, &catalog), 0);
	assert_null(tacho_catalog_get_problem(catalog, 0));
	assert_string_equal(find(catalog, "gfx942", "OWN")->description, "theirs");
	assert_int_equal(find(catalog, "gfx942", "OWN")->event, 25);
	assert_string_equal(find(catalog, "gfx90a", "OWN")->description, "");
	assert_string_not_equal(find(catalog, "gfx90a", "GPUBusy")->description, "theirs");
	assert_null(find(catalog, "gfx942", "NEW"));
	tacho_catalog_close(catalog);

	setenv("ROCPROFILER_METRICS_PATH", "/no/such/folder", 1);
	assert_int_equal(tacho_catalog_open(&options, &catalog), 0);
	assert_null(tacho_catalog_get_problem(catalog, 0));
	assert_string_equal(tacho__rocm_environment_file(catalog),
			    "/no/such/folder/counter_defs.yaml");
	tacho_catalog_close(catalog);
	unsetenv("ROCPROFILER_METRICS_PATH");
	free((char *)own);
	catalog = open_catalog();
	assert_null(tacho__rocm_environment_file(catalog));
	tacho_catalog_close(catalog);
	folder_remove(&folder);
}

/* Blocks, models and constants of a user's own, and mistakes in them. */
static void test_blocks_file(void **state)
{
	struct tacho_catalog *catalog =
		read_into(open_catalog(),
			  "rocm-blocks:\n"
			  "  source: mine\n"
			  "  architectures: [{name: gfx4711, title: Later}, {title: x}]\n"
			  "  constants: [{name: odd_count, description: Odd.}, {}]\n"
			  "  families:\n"
			  "  - architectures: [gfx4711, gfx4712]\n"
			  "    accumulate: {block: SQ, low_res: 1, high_res: x}\n"
			  "    blocks:\n"
			  "    - {name: SQ, slots: 4, instances: 1, events: 9}\n"
			  "    - {name: TA, slots: 2, instances: 8, events: 9}\n"
			  "    - {name: TD, slots: many, instances: 8, events: 9}\n"
			  "  models:\n"
			  "  - {name: later, architecture: gfx4711, properties: {a: 1, b: c}}\n"
			  "  - {name: nowhere, architecture: gfx0}\n");
	const char *const parts[] = {
		"an architecture has no name",
		"a constant has no name",
		"\"accumulate\" lacks a number",
		"\"gfx4712\" is not known",
		"\"slots\" is no number",
		"property \"b\" is no number",
		"a known architecture, not \"gfx0\"",
	};
	const struct tacho_arch *arch;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		assert_non_null(tacho_catalog_get_problem(catalog, i));
		if (!strstr(tacho_catalog_get_problem(catalog, i)->message, parts[i]))
			fail_msg("%s", tacho_catalog_get_problem(catalog, i)->message);
	}
	assert_null(tacho_catalog_get_problem(catalog, sizeof(parts) / sizeof(parts[0])));
	assert_int_equal(tacho_catalog_find_arch(catalog, "gfx4711", "rocm", &arch), 0);
	assert_string_equal(arch->title, "Later");
	assert_string_equal(arch->source, "mine");
	assert_int_equal(tacho_arch_find_block(arch, "TA")->instances, 8);
	assert_null(tacho_arch_find_block(arch, "SQ"));
	assert_int_equal(tacho_arch_find_model(arch, "later")->property_count, 1);
	assert_int_equal(tacho_arch_find_entry(arch, "odd_count")->kind, TACHO_ENTRY_CONSTANT);
	tacho_catalog_close(catalog);
}

/* ROCm's own files of two versions read without a mistake. */
static void test_rocm_files(void **state)
{
	static const char *const paths[] = {
		"../shared/data/rocm/counter_defs-0.5.0-oldformat-20241010.yaml",
		"../shared/data/rocm/counter_defs-1.0.0-schema1-20250809.yaml"};
	const char *root = getenv("TACHO_SOURCE_ROOT");

	for (size_t i = 0; i < 2; i++) {
		struct tacho_catalog *catalog = open_catalog();
		char path[4096];
		int rc;

		snprintf(path, sizeof(path), "%s/%s", root ? root : ".", paths[i]);
		rc = tacho__catalog_read_file(catalog, path, 0);
		if (rc == TACHO_E_NOTFOUND)
			print_message("skipped: %s is absent\n", paths[i]);
		else
			assert_int_equal(rc, 0);
		if (!rc && tacho_catalog_get_problem(catalog, 0))
			fail_msg("%s", tacho_catalog_get_problem(catalog, 0)->message);
		tacho_catalog_close(catalog);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list_form),
		cmocka_unit_test(test_map_form),
		cmocka_unit_test(test_metric_with_block),
		cmocka_unit_test(test_metric_with_event),
		cmocka_unit_test(test_counter_without_block),
		cmocka_unit_test(test_counter_without_event),
		cmocka_unit_test(test_neither),
		cmocka_unit_test(test_unknown_architecture),
		cmocka_unit_test(test_event_no_number),
		cmocka_unit_test(test_duplicate),
		cmocka_unit_test(test_expression_malformed),
		cmocka_unit_test(test_name),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_not_ours),
		cmocka_unit_test(test_xml),
		cmocka_unit_test(test_declared),
		cmocka_unit_test(test_hostile_declarations),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_blocks_file),
		cmocka_unit_test(test_rocm_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
