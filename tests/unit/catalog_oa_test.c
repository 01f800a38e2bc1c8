/* SPDX-License-Identifier: MIT */
/* Intel's OA definitions: complete, sound, in words of our own. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <expat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"
#include "catalog/arch.h"
#include "tacho/catalog.h"

enum { FILE_MAX = 16 << 20, RUN = 6 };

static struct tacho_catalog *catalog;

static int setup(void **state)
{
	const struct tacho_catalog_options options = {
		.size = sizeof(options), .api = "oa", .no_environment = 1};

	return tacho_catalog_open(&options, &catalog);
}

static int teardown(void **state)
{
	tacho_catalog_close(catalog);
	return 0;
}

static const struct tacho_arch *arch_of(struct tacho_catalog *of, const char *name)
{
	const struct tacho_arch *arch;

	assert_int_equal(tacho_catalog_find_arch(of, name, "oa", &arch), 0);
	return arch;
}

static const struct tacho_entry *entry_of(const char *arch, const char *name)
{
	const struct tacho_entry *entry = tacho_arch_find_entry(arch_of(catalog, arch), name);

	if (!entry)
		fail_msg("%s has no %s", arch, name);
	return entry;
}

/* A file beside the checkout; skips the test when it is not there. */
static const char *shared_path(const char *name)
{
	static char path[512];
	const char *root = getenv("TACHO_SOURCE_ROOT");

	snprintf(path, sizeof(path), "%s/../shared/%s", root ? root : ".", name);
	if (access(path, R_OK)) {
		print_message("../shared/%s is absent: not compared\n", name);
		skip();
	}
	return path;
}

static void read_shared(const char *name, struct tacho__buf *out_text)
{
	assert_int_equal(tacho__fs_read(shared_path(name), FILE_MAX, out_text), 0);
}

/* The GUIDs that the kernel knows the sets by, and what each set has. */
static const struct {
	const char *name, *guid;
	size_t counters, noa, oa, flex;
} chv_sets[] = {
	{"RenderBasic", "9d8a3af5-c02c-4a4a-b947-f1672469e0fb", 50, 73, 5, 7},
	{"ComputeBasic", "f522a89c-ecd1-4522-8331-3383c54af5f5", 42, 43, 4, 7},
	{"RenderPipeProfile", "a9ccc03d-a943-4e6b-9cd6-13e063075927", 44, 82, 20, 7},
	{"HDCAndSF", "33af8252-7a51-4aa3-b0ba-1b946f209d7b", 43, 99, 8, 7},
	{"L3_1", "78f52900-5317-4417-8067-966fbf215a1f", 40, 92, 22, 7},
	{"L3_2", "0db4fe4a-2648-4064-bd6a-89c06d0c27b3", 40, 79, 22, 7},
	{"L3_3", "0de6539e-33b4-4aee-83c4-9ab45a579b94", 40, 95, 22, 7},
	{"L3_4", "be74c9d6-268f-4d7f-b2e8-8d91d4441883", 40, 94, 22, 7},
	{"RasterizerAndPixelBackend", "31bc1ff3-8d09-4497-9d79-59c4f943b502", 46, 115, 18, 7},
	{"Sampler_1", "05450fec-bb5c-4b0a-8995-e03631168a34", 42, 127, 12, 7},
	{"Sampler_2", "883c8a56-8767-4de8-beec-a99462c6674b", 42, 115, 12, 7},
	{"TDL_1", "eb97e523-d9ac-48a9-b7f8-9cc909ddbf14", 48, 152, 18, 7},
	{"TDL_2", "dff6158e-8409-452c-be76-91c9946330bd", 48, 156, 18, 7},
	{"TestOa", "4a534b07-cba3-414d-8d60-874830e883aa", 12, 13, 22, 0},
};

static size_t count_registers(const struct tacho_set *set, const char *kind)
{
	size_t count = 0;

	for (size_t i = 0; i < set->register_count; i++)
		count += !strcmp(set->registers[i].kind, kind);
	return count;
}

static void test_chv_has_its_14_sets(void **state)
{
	const struct tacho_arch *arch = arch_of(catalog, "chv");
	size_t count = TACHO__ARRAY_SIZE(chv_sets);

	assert_null(tacho_arch_get_set(arch, count));
	for (size_t i = 0; i < count; i++) {
		const struct tacho_set *set = tacho_arch_get_set(arch, i);

		assert_string_equal(set->name, chv_sets[i].name);
		assert_string_equal(set->guid, chv_sets[i].guid);
		assert_int_equal(set->is_exclusive, 1);
		assert_int_equal(set->entry_count, chv_sets[i].counters);
		assert_int_equal(count_registers(set, "NOA"), chv_sets[i].noa);
		assert_int_equal(count_registers(set, "OA"), chv_sets[i].oa);
		assert_int_equal(count_registers(set, "FLEX"), chv_sets[i].flex);
		assert_ptr_equal(tacho_arch_find_set(arch, chv_sets[i].guid), set);
	}
}

/* EU_PERF_CNTL0 to 6 of RenderBasic: "EuActive" is event 4 in the low field of the first. */
static void test_flex_registers_of_render_basic(void **state)
{
	static const uint32_t writes[][2] = {{0xe458, 0x00005004}, {0xe558, 0x00010003},
					     {0xe658, 0x00012011}, {0xe758, 0x00015014},
					     {0xe45c, 0x00051050}, {0xe55c, 0x00053052},
					     {0xe65c, 0x00055054}};
	const struct tacho_set *set = tacho_arch_find_set(arch_of(catalog, "chv"), "renderbasic");
	size_t found = 0;

	for (size_t i = 0; i < set->register_count; i++) {
		if (strcmp(set->registers[i].kind, "FLEX"))
			continue;
		assert_int_equal(set->registers[i].address, writes[found][0]);
		assert_int_equal(set->registers[i].value, writes[found][1]);
		found++;
	}
	assert_int_equal(found, 7);
}

static void test_raw_counters(void **state)
{
	static const char *const archs[] = {"chv", "bdw"};
	/* what is known not to be as it seems */
	static const struct {
		const char *name, *word;
	} caveats[] = {
		{"A0", "MI_SEMAPHORE_MBOX"},
		{"A7", "A7_UPPER"},
		{"A9", "hybrid"},
		{"A20", "FPU0"},
		{"A21", "in part"},
		{"A23", "stencil"},
		{"A24", "oMask"},
		{"A25", "MSAA"},
		{"A26", "render targets"},
		{"A27", "render targets"},
		{"A28", "A29"},
		{"A29", "bound by the samplers"},
		{"A30", "A34"},
		{"A31", "Atomics"},
		{"A32", "two rows"},
		{"A33", "no row"},
		{"A34", "A30"},
		{"A35", "two rows"},
		{"PERFCNT0", "queries"},
		{"GPU_TIME", "343.6 s"},
	};
	char name[8];

	for (size_t a = 0; a < TACHO__ARRAY_SIZE(archs); a++) {
		for (unsigned i = 0; i < 36 + 8 + 8; i++) {
			const struct tacho_entry *entry;
			unsigned index = i < 36 ? i : (i - 36) % 8;
			char block[2] = {i < 36 ? 'A' : i < 44 ? 'B' : 'C', 0};

			snprintf(name, sizeof(name), "%s%u", block, index);
			entry = entry_of(archs[a], name);
			assert_int_equal(entry->kind, TACHO_ENTRY_COUNTER);
			assert_int_equal(entry->width_bits, i < 32 ? 40 : 32);
			assert_string_equal(entry->block, block);
			assert_int_equal(entry->event, index);
			assert_true(*entry->description && *entry->source && *entry->unit);
		}
		assert_int_equal(entry_of(archs[a], "GPU_TIME")->width_bits, 32);
		assert_int_equal(entry_of(archs[a], "GPU_CLOCK")->width_bits, 32);
		for (size_t i = 0; i < TACHO__ARRAY_SIZE(caveats); i++)
			if (!strstr(entry_of(archs[a], caveats[i].name)->caveat, caveats[i].word))
				fail_msg("%s: %s", caveats[i].name,
					 entry_of(archs[a], caveats[i].name)->caveat);
		assert_int_equal(tacho_arch_find_block(arch_of(catalog, archs[a]), "A")->slots, 36);
		assert_int_equal(tacho_arch_find_block(arch_of(catalog, archs[a]), "B")->slots, 8);
		assert_int_equal(tacho_arch_find_block(arch_of(catalog, archs[a]), "C")->slots, 8);
	}
}

static uint64_t property(const struct tacho_model *model, const char *name)
{
	for (size_t i = 0; i < model->property_count; i++)
		if (!strcmp(model->properties[i].name, name))
			return model->properties[i].value;
	fail_msg("%s has no %s", model->name, name);
	return 0;
}

static void test_models(void **state)
{
	static const struct {
		const char *arch, *name;
		uint64_t eus, slices, subslices, slice_mask, subslice_mask;
	} models[] = {
		{"chv", "bsw", 16, 1, 2, 1, 3},
		{"chv", "chv-12eu", 12, 1, 2, 1, 3},
		{"bdw", "bdw-gt2", 24, 1, 3, 1, 7},
		{"bdw", "bdw-gt3", 48, 2, 6, 3, 0x3f},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(models); i++) {
		const struct tacho_model *model =
			tacho_arch_find_model(arch_of(catalog, models[i].arch), models[i].name);

		assert_non_null(model);
		assert_int_equal(property(model, "EuCoresTotalCount"), models[i].eus);
		assert_int_equal(property(model, "EuSlicesTotalCount"), models[i].slices);
		assert_int_equal(property(model, "EuSubslicesTotalCount"), models[i].subslices);
		assert_int_equal(property(model, "SliceMask"), models[i].slice_mask);
		assert_int_equal(property(model, "SubsliceMask"), models[i].subslice_mask);
		assert_int_equal(property(model, "EuThreadsCount"), 7);
		assert_int_equal(property(model, "GpuTimestampFrequency"), 12500000);
		assert_non_null(strstr(model->source, "specifications"));
	}
	assert_null(tacho_arch_find_model(arch_of(catalog, "bdw"), "bsw"));
}

static void test_names_of_what_differs_between_sets(void **state)
{
	/* read in RenderBasic as C6, in ComputeBasic as C0 */
	assert_string_equal(entry_of("chv", "GtiReadThroughput")->name,
			    "RenderBasic.GtiReadThroughput");
	assert_string_equal(entry_of("chv", "ComputeBasic.GtiReadThroughput")->expression,
			    "C 0 READ 64 UMUL");
	assert_string_equal(entry_of("bdw", "ComputeL3Cache.GtiReadThroughput")->name,
			    "RenderBasic.GtiReadThroughput");
	assert_string_equal(entry_of("chv", "GpuBusy")->name, "GpuBusy");
	assert_true(entry_of("chv", "GpuBusy")->range_high == 100);
	assert_true(isnan(entry_of("chv", "GpuTime")->range_high));
	assert_string_equal(entry_of("chv", "VsBottleneck")->better, "lower");
	assert_non_null(strstr(entry_of("chv", "VsBottleneck")->advice, "30 %"));
	assert_string_equal(entry_of("chv", "GpuTime")->title, "GPU Time Elapsed");
	assert_string_equal(entry_of("chv", "GpuTime")->semantic, "duration");
	assert_string_equal(entry_of("chv", "GpuTime")->file, "");
	assert_non_null(strstr(entry_of("chv", "GpuTime")->source, "Mesa 25.0.7"));
}

static void parse_all(const struct tacho_entry *entry)
{
	const char *texts[] = {entry->expression, entry->maximum, entry->availability};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(texts); i++) {
		struct tacho__expression expression = {
			.text = texts[i], .size = strlen(texts[i]), .notation = "oa"};
		struct tacho_formula_problem problem = {0};
		struct tacho__arena arena = {0};
		struct tacho__node *node;

		if (*texts[i] && tacho__expression_parse(&arena, &expression, &node, &problem))
			fail_msg("%s: %s: %s", entry->name, texts[i], problem.message);
		tacho__arena_finish(&arena);
	}
}

/* Each "$Name" of a condition is a constant of the architecture. */
static void check_condition(const struct tacho_arch *arch, const char *condition)
{
	char name[64];

	for (const char *at = strchr(condition, '$'); at; at = strchr(at + 1, '$')) {
		const struct tacho_entry *entry;

		assert_int_equal(sscanf(at + 1, "%63s", name), 1);
		entry = tacho_arch_find_entry(arch, name);
		if (!entry || entry->kind != TACHO_ENTRY_CONSTANT || !*entry->description)
			fail_msg("%s: %s is no constant", condition, name);
	}
}

/* Every metric parses and comes down to counters and constants. Returns how many there are. */
static size_t check_metrics(const struct tacho_arch *arch)
{
	const struct tacho_entry *entry, **inputs;
	size_t count = 0, input_count;

	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++) {
		if (entry->kind != TACHO_ENTRY_METRIC)
			continue;
		count++;
		parse_all(entry);
		check_condition(arch, entry->availability);
		if (tacho_arch_list_inputs(arch, entry, &inputs, &input_count))
			fail_msg("%s %s: %s", arch->name, entry->name, tacho_error_last()->message);
		for (size_t j = 0; j < input_count; j++)
			assert_int_not_equal(inputs[j]->kind, TACHO_ENTRY_METRIC);
		free(inputs);
	}
	return count;
}

static void test_every_built_in_metric_resolves(void **state)
{
	assert_int_equal(check_metrics(arch_of(catalog, "chv")), 161);
	assert_int_equal(check_metrics(arch_of(catalog, "bdw")), 260);
}

/* Words of a text in lower case with single blanks around, for searching. */
static void normalize(const char *text, struct tacho__buf *out)
{
	tacho__buf_char(out, ' ');
	for (; *text; text++) {
		if (isalnum((unsigned char)*text))
			tacho__buf_char(out, (char)tolower((unsigned char)*text));
		else if (out->text[out->size - 1] != ' ')
			tacho__buf_char(out, ' ');
	}
	if (out->text[out->size - 1] != ' ')
		tacho__buf_char(out, ' ');
}

/* Fails when `own` has RUN words in a row that `theirs` (normalized) has too. */
static void check_words(const char *name, const char *own, const char *theirs)
{
	struct tacho__buf words = {0};
	const char *starts[RUN + 1] = {0};
	size_t count = 0;

	normalize(own, &words);
	for (char *at = words.text; *at; at++) {
		char saved;

		if (*at != ' ')
			continue;
		memmove(starts, starts + 1, RUN * sizeof(starts[0]));
		starts[RUN] = at;
		if (count++ < RUN)
			continue;
		saved = at[1];
		at[1] = '\0';
		if (strstr(theirs, starts[0]))
			fail_msg("%s says \"%s\", and so does its source", name, starts[0]);
		at[1] = saved;
	}
	tacho__buf_finish(&words);
}

/* The XML as a second reader sees it, compared element by element. */
struct comparison {
	const struct tacho_arch *arch;
	const struct tacho_set *set;
	size_t metric, reg, counters, registers, sets;
	char kind[8], availability[64];
};

static const char *attribute(const char **attributes, const char *name)
{
	for (size_t i = 0; attributes[i]; i += 2)
		if (!strcmp(attributes[i], name))
			return attributes[i + 1];
	return "";
}

/* As the XML has it, but for runs of blanks. */
static void expect_text(const char *own, const char *theirs)
{
	while (*own || *theirs) {
		if (*own != *theirs)
			fail_msg("\"%s\" is not \"%s\"", own, theirs);
		if (*theirs == ' ')
			while (theirs[1] == ' ')
				theirs++;
		own++;
		theirs++;
	}
}

static void compare_counter(struct comparison *c, const char **attributes)
{
	const struct tacho_entry *entry = c->set->entries[c->metric++];
	const char *symbol = attribute(attributes, "symbol_name"), *dot = strchr(entry->name, '.');
	struct tacho__buf theirs = {0};

	assert_string_equal(dot ? dot + 1 : entry->name, symbol);
	expect_text(entry->title, attribute(attributes, "name"));
	expect_text(entry->unit, attribute(attributes, "units"));
	expect_text(entry->semantic, attribute(attributes, "semantic_type"));
	expect_text(entry->group, attribute(attributes, "mdapi_group"));
	expect_text(entry->expression, attribute(attributes, "equation"));
	expect_text(entry->maximum, attribute(attributes, "max_equation"));
	expect_text(entry->availability, attribute(attributes, "availability"));
	assert_int_equal(entry->type, strcmp(attribute(attributes, "data_type"), "float")
					      ? TACHO_TYPE_U64
					      : TACHO_TYPE_F64);
	assert_true(*entry->description);
	normalize(attribute(attributes, "description"), &theirs);
	check_words(entry->name, entry->description, theirs.text);
	check_words(entry->name, entry->caveat, theirs.text);
	tacho__buf_finish(&theirs);
	c->counters++;
}

/* Where a configuration begins: priorities may have moved it. */
static size_t find_config(const struct comparison *c)
{
	size_t i = 0;

	while (i < c->set->register_count &&
	       (strcmp(c->set->registers[i].kind, c->kind) ||
		strcmp(c->set->registers[i].availability, c->availability)))
		i++;
	return i;
}

static void compare_register(struct comparison *c, const char **attributes)
{
	const struct tacho_register *own = &c->set->registers[c->reg++];

	assert_true(c->reg <= c->set->register_count);
	assert_string_equal(own->kind, c->kind);
	assert_string_equal(own->availability, c->availability);
	assert_int_equal(own->address, strtoul(attribute(attributes, "address"), NULL, 0));
	assert_int_equal(own->value, strtoul(attribute(attributes, "value"), NULL, 0));
	c->registers++;
}

static void on_element(void *user, const char *element, const char **attributes)
{
	struct comparison *c = user;

	if (!strcmp(element, "set")) {
		c->set = tacho_arch_find_set(c->arch, attribute(attributes, "symbol_name"));
		assert_non_null(c->set);
		assert_string_equal(c->set->guid, attribute(attributes, "hw_config_guid"));
		expect_text(c->set->title, attribute(attributes, "name"));
		c->metric = 0;
		c->sets++;
	} else if (!strcmp(element, "counter")) {
		compare_counter(c, attributes);
	} else if (!strcmp(element, "register_config")) {
		snprintf(c->kind, sizeof(c->kind), "%s", attribute(attributes, "type"));
		snprintf(c->availability, sizeof(c->availability), "%s",
			 attribute(attributes, "availability"));
		c->reg = find_config(c);
	} else if (!strcmp(element, "register")) {
		compare_register(c, attributes);
	}
}

static void on_end(void *user, const char *element)
{
	const struct comparison *c = user;

	if (!strcmp(element, "set"))
		assert_int_equal(c->metric, c->set->entry_count);
}

static void compare_xml(const char *arch, size_t sets, size_t counters, size_t registers)
{
	struct comparison c = {.arch = arch_of(catalog, arch)};
	struct tacho__buf text = {0};
	XML_Parser xml;
	char name[64];

	snprintf(name, sizeof(name), "data/intel/oa-%s.xml", arch);
	read_shared(name, &text); /* or skips: what is allocated before it would leak */
	xml = XML_ParserCreate(NULL);
	XML_SetUserData(xml, &c);
	XML_SetElementHandler(xml, on_element, on_end);
	assert_int_equal(XML_Parse(xml, text.text, (int)text.size, 1), XML_STATUS_OK);
	assert_int_equal(c.sets, sets);
	assert_int_equal(c.counters, counters);
	assert_int_equal(c.registers, registers);
	XML_ParserFree(xml);
	tacho__buf_finish(&text);
}

static void test_chv_is_what_mesa_has(void **state)
{
	compare_xml("chv", 14, 577, 1651);
}

static void test_bdw_is_what_mesa_has(void **state)
{
	compare_xml("bdw", 24, 863, 3525);
}

/* BDW's configurations of parts of the GPU are programmed in the order of their priorities. */
static void test_priorities_order_registers(void **state)
{
	static const char *const order[] = {"$SubsliceMask 0x01 AND",
					    "$SubsliceMask 0x08 AND",
					    "$SubsliceMask 0x02 AND",
					    "$SubsliceMask 0x10 AND",
					    "$SubsliceMask 0x04 AND",
					    "$SubsliceMask 0x20 AND",
					    ""};
	const struct tacho_set *set =
		tacho_arch_find_set(arch_of(catalog, "bdw"), "ComputeExtended");
	size_t at = 0;

	for (size_t i = 0; i < set->register_count; i++) {
		if (strcmp(set->registers[i].availability, order[at]))
			at++;
		assert_string_equal(set->registers[i].availability, order[at]);
	}
	assert_int_equal(at, 6);
}

static void test_raw_descriptions_are_our_own(void **state)
{
	const struct tacho_arch *arch = arch_of(catalog, "chv");
	struct tacho__buf text = {0}, theirs = {0};
	const struct tacho_entry *entry;

	read_shared("sources/001_a4c0e1cca09ff82a.txt", &text);
	normalize(text.text, &theirs);
	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++) {
		if (entry->kind != TACHO_ENTRY_COUNTER)
			continue;
		check_words(entry->name, entry->description, theirs.text);
		check_words(entry->name, entry->caveat, theirs.text);
	}
	tacho__buf_finish(&text);
	tacho__buf_finish(&theirs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chv_has_its_14_sets),
		cmocka_unit_test(test_flex_registers_of_render_basic),
		cmocka_unit_test(test_raw_counters),
		cmocka_unit_test(test_models),
		cmocka_unit_test(test_names_of_what_differs_between_sets),
		cmocka_unit_test(test_every_built_in_metric_resolves),
		cmocka_unit_test(test_priorities_order_registers),
		cmocka_unit_test(test_chv_is_what_mesa_has),
		cmocka_unit_test(test_bdw_is_what_mesa_has),
		cmocka_unit_test(test_raw_descriptions_are_our_own),
	};

	return cmocka_run_group_tests_name("catalog_oa", tests, setup, teardown);
}
