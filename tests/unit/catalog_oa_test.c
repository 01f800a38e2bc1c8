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
	const char *file;
	int is_older; /* the same sets, with fewer counters */
	size_t metric, first_reg, counters, registers, sets;
	char kind[8], availability[64];
	uint8_t seen[4096]; /* registers of the set */
};

static const char *attribute(const char **attributes, const char *name)
{
	for (size_t i = 0; attributes[i]; i += 2)
		if (!strcmp(attributes[i], name))
			return attributes[i + 1];
	return "";
}

/* As the XML has it, but for runs of blanks, and "$SET.SYMBOL" for what it calls "$SYMBOL". */
static void expect_text(const struct comparison *c, const char *own, const char *theirs)
{
	const char *const all = own;

	while (*theirs == ' ')
		theirs++;
	while (*own || *theirs) {
		size_t word = strcspn(own, " "), set = strcspn(own, ".");

		if (*own != *theirs)
			fail_msg("%s, set %s: \"%s\" is not \"%s\" at the end", c->file,
				 c->set->name, all, theirs);
		if (*theirs == ' ')
			while (theirs[1] == ' ')
				theirs++;
		own += *own == '$' && set < word ? set + 1 : 1;
		theirs++;
		while (!*own && *theirs == ' ')
			theirs++;
	}
}

static void compare_texts(const struct tacho_entry *entry, const char *description)
{
	struct tacho__buf theirs = {0}, own = {0};

	assert_true(*entry->description);
	normalize(description, &theirs);
	normalize(entry->description, &own);
	if (!strcmp(tacho__buf_text(&own), tacho__buf_text(&theirs)))
		fail_msg("%s has the text of its source: %s", entry->name, description);
	check_words(entry->name, entry->description, theirs.text);
	check_words(entry->name, entry->caveat, theirs.text);
	tacho__buf_finish(&theirs);
	tacho__buf_finish(&own);
}

static const char *symbol_of(const struct tacho_entry *entry)
{
	const char *dot = strchr(entry->name, '.');

	return dot ? dot + 1 : entry->name;
}

static void compare_counter(struct comparison *c, const char **attributes)
{
	const char *symbol = attribute(attributes, "symbol_name");
	const struct tacho_entry *entry;

	while (c->is_older && c->metric < c->set->entry_count &&
	       strcmp(symbol_of(c->set->entries[c->metric]), symbol))
		c->metric++;
	assert_true(c->metric < c->set->entry_count);
	entry = c->set->entries[c->metric++];
	c->counters++;
	assert_string_equal(symbol_of(entry), symbol);
	compare_texts(entry, attribute(attributes, "description"));
	if (c->is_older)
		return;
	expect_text(c, entry->unit, attribute(attributes, "units"));
	expect_text(c, entry->expression, attribute(attributes, "equation"));
	expect_text(c, entry->maximum, attribute(attributes, "max_equation"));
	expect_text(c, entry->availability, attribute(attributes, "availability"));
	assert_int_equal(entry->type, strcmp(attribute(attributes, "data_type"), "float")
					      ? TACHO_TYPE_U64
					      : TACHO_TYPE_F64);
	/* what counts alike is one entry, with the words of the first set that has it */
	if (!strcmp(c->file, "data/intel/oa-chv.xml") ||
	    !strcmp(c->file, "data/intel/oa-bdw.xml")) {
		expect_text(c, entry->title, attribute(attributes, "name"));
		expect_text(c, entry->semantic, attribute(attributes, "semantic_type"));
		expect_text(c, entry->group, attribute(attributes, "mdapi_group"));
	}
}

/* The next one of its configuration: priorities may have moved that. */
static void compare_register(struct comparison *c, const char **attributes)
{
	const struct tacho_register *own;
	size_t i = c->first_reg;

	while (i < c->set->register_count &&
	       (c->seen[i] || strcmp(c->set->registers[i].kind, c->kind) ||
		strcmp(c->set->registers[i].availability, c->availability)))
		i++;
	assert_true(i < c->set->register_count && i < sizeof(c->seen));
	own = &c->set->registers[i];
	assert_int_equal(own->address, strtoul(attribute(attributes, "address"), NULL, 0));
	assert_int_equal(own->value, strtoul(attribute(attributes, "value"), NULL, 0));
	c->seen[i] = 1;
	c->first_reg = i + 1;
	c->registers++;
}

static void on_element(void *user, const char *element, const char **attributes)
{
	struct comparison *c = user;

	if (!strcmp(element, "set")) {
		c->set = tacho_arch_find_set(c->arch, attribute(attributes, "hw_config_guid"));
		assert_non_null(c->set);
		assert_string_equal(c->set->name, attribute(attributes, "symbol_name"));
		expect_text(c, c->set->title, attribute(attributes, "name"));
		c->metric = 0;
		memset(c->seen, 0, sizeof(c->seen));
		c->sets++;
	} else if (!strcmp(element, "counter")) {
		compare_counter(c, attributes);
	} else if (!strcmp(element, "register_config")) {
		snprintf(c->kind, sizeof(c->kind), "%s", attribute(attributes, "type"));
		snprintf(c->availability, sizeof(c->availability), "%s",
			 attribute(attributes, "availability"));
		c->first_reg = 0;
	} else if (!strcmp(element, "register")) {
		compare_register(c, attributes);
	}
}

static void on_end(void *user, const char *element)
{
	const struct comparison *c = user;

	if (strcmp(element, "set"))
		return;
	if (!c->is_older)
		assert_int_equal(c->metric, c->set->entry_count);
	for (size_t i = 0; i < c->set->register_count; i++)
		assert_true(c->seen[i]);
}

/* What the files have, counted with another program; an older one has fewer counters. */
static const struct {
	const char *file, *arch;
	size_t sets, counters, registers;
	int is_older;
} files[] = {
	{"igt-i915/oa-adl.xml", "adl", 26, 574, 2363},
	{"igt-i915/oa-bxt.xml", "bxt", 18, 604, 1447},
	{"igt-i915/oa-cflgt2.xml", "cflgt2", 21, 691, 1504},
	{"igt-i915/oa-cflgt3.xml", "cflgt3", 21, 692, 1561},
	{"igt-i915/oa-cnl.xml", "cnl", 15, 628, 1632},
	{"igt-i915/oa-dg1.xml", "dg1", 26, 576, 2466},
	{"igt-i915/oa-ehl.xml", "ehl", 19, 703, 1900},
	{"igt-i915/oa-glk.xml", "glk", 16, 575, 1321},
	{"igt-i915/oa-icl.xml", "icl", 20, 723, 2005},
	{"igt-i915/oa-kblgt2.xml", "kblgt2", 21, 691, 1504},
	{"igt-i915/oa-kblgt3.xml", "kblgt3", 21, 692, 1561},
	{"igt-i915/oa-mtlgt2.xml", "mtlgt2", 152, 1438, 9571},
	{"igt-i915/oa-mtlgt3.xml", "mtlgt3", 254, 2368, 17283},
	{"igt-i915/oa-rkl.xml", "rkl", 23, 482, 1616},
	{"igt-i915/oa-sklgt2.xml", "sklgt2", 22, 721, 2062},
	{"igt-i915/oa-sklgt3.xml", "sklgt3", 21, 692, 1561},
	{"igt-i915/oa-sklgt4.xml", "sklgt4", 21, 690, 1615},
	{"igt-i915/oa-tglgt1.xml", "tglgt1", 23, 483, 1642},
	{"igt-i915/oa-tglgt2.xml", "tglgt2", 26, 574, 2420},
	{"igt-xe-oa-lnl.xml", "lnl", 14, 524, 1728},
	{"igt-xe/oa-acmgt1.xml", "acmgt1", 2, 43, 91},
	{"igt-xe/oa-acmgt2.xml", "acmgt2", 2, 53, 79},
	{"igt-xe/oa-acmgt3.xml", "acmgt3", 2, 53, 75},
	{"igt-xe/oa-adl.xml", "adl", 2, 47, 151},
	{"igt-xe/oa-bmg.xml", "bmg", 14, 556, 1840},
	{"igt-xe/oa-dg1.xml", "dg1", 2, 47, 158},
	{"igt-xe/oa-lnl.xml", "lnl", 14, 524, 1728},
	{"igt-xe/oa-mtlgt2.xml", "mtlgt2", 2, 51, 70},
	{"igt-xe/oa-mtlgt3.xml", "mtlgt3", 2, 51, 84},
	{"igt-xe/oa-ptl.xml", "ptl", 14, 524, 1726},
	{"igt-xe/oa-pvc.xml", "pvc", 2, 59, 174},
	{"igt-xe/oa-rkl.xml", "rkl", 2, 47, 159},
	{"igt-xe/oa-tglgt1.xml", "tglgt1", 2, 47, 154},
	{"igt-xe/oa-tglgt2.xml", "tglgt2", 2, 47, 153},
	{"oa-acmgt1.xml", "acmgt1", 345, 2727, 33904},
	{"oa-bdw.xml", "bdw", 24, 863, 3525},
	{"oa-chv.xml", "chv", 14, 577, 1651},
	{"oa-hsw.xml", "hsw", 6, 313, 302},
	{"oa-icl.xml", "icl", 20, 723, 2005},
	{"oa-lnl.xml", "lnl", 9, 394, 1520, 1},
	{"oa-sklgt2.xml", "sklgt2", 22, 721, 2062},
	{"oa-tglgt2.xml", "tglgt2", 26, 574, 2420},
};

static void compare_xml(size_t index)
{
	struct comparison c = {.arch = arch_of(catalog, files[index].arch),
			       .is_older = files[index].is_older};
	struct tacho__buf text = {0};
	XML_Parser xml;
	char name[64];

	snprintf(name, sizeof(name), "data/intel/%s", files[index].file);
	c.file = name;
	read_shared(name, &text); /* or skips: what is allocated before it would leak */
	xml = XML_ParserCreate(NULL);
	XML_SetUserData(xml, &c);
	XML_SetElementHandler(xml, on_element, on_end);
	assert_int_equal(XML_Parse(xml, text.text, (int)text.size, 1), XML_STATUS_OK);
	assert_int_equal(c.sets, files[index].sets);
	assert_int_equal(c.counters, files[index].counters);
	assert_int_equal(c.registers, files[index].registers);
	XML_ParserFree(xml);
	tacho__buf_finish(&text);
}

static void test_sets_are_what_intel_has(void **state)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(files); i++)
		compare_xml(i);
}

/* The same in a lone clone: what each platform has, of all its files. */
static void test_nothing_is_missing(void **state)
{
	static const struct {
		const char *arch;
		size_t sets, counters, registers;
	} expected[] = {
		{"acmgt1", 345, 2727, 33904}, {"acmgt2", 2, 53, 79},
		{"acmgt3", 2, 53, 75},	      {"adl", 26, 574, 2363},
		{"bdw", 24, 863, 3525},	      {"bmg", 14, 556, 1840},
		{"bxt", 18, 604, 1447},	      {"cflgt2", 21, 691, 1504},
		{"cflgt3", 21, 692, 1561},    {"chv", 14, 577, 1651},
		{"cnl", 15, 628, 1632},	      {"dg1", 26, 576, 2466},
		{"ehl", 19, 703, 1900},	      {"glk", 16, 575, 1321},
		{"hsw", 6, 313, 302},	      {"icl", 20, 723, 2005},
		{"kblgt2", 21, 691, 1504},    {"kblgt3", 21, 692, 1561},
		{"lnl", 14, 524, 1728},	      {"mtlgt2", 152, 1438, 9571},
		{"mtlgt3", 254, 2368, 17283}, {"ptl", 14, 524, 1726},
		{"pvc", 2, 59, 174},	      {"rkl", 23, 482, 1616},
		{"sklgt2", 22, 721, 2062},    {"sklgt3", 21, 692, 1561},
		{"sklgt4", 21, 690, 1615},    {"tglgt1", 23, 483, 1642},
		{"tglgt2", 26, 574, 2420},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(expected); i++) {
		const struct tacho_arch *arch = arch_of(catalog, expected[i].arch);
		size_t sets = 0, counters = 0, registers = 0;
		const struct tacho_set *set;

		for (; (set = tacho_arch_get_set(arch, sets)); sets++) {
			counters += set->entry_count;
			registers += set->register_count;
			assert_int_equal(strlen(set->guid), 36);
			assert_ptr_equal(tacho_arch_find_set(arch, set->guid), set);
			for (size_t k = 0; k < set->entry_count; k++)
				assert_true(*set->entries[k]->description);
		}
		assert_int_equal(sets, expected[i].sets);
		assert_int_equal(counters, expected[i].counters);
		assert_int_equal(registers, expected[i].registers);
		assert_true(check_metrics(arch) > 0);
	}
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
		cmocka_unit_test(test_sets_are_what_intel_has),
		cmocka_unit_test(test_nothing_is_missing),
		cmocka_unit_test(test_raw_descriptions_are_our_own),
	};

	return cmocka_run_group_tests_name("catalog_oa", tests, setup, teardown);
}
