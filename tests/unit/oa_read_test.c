/* SPDX-License-Identifier: MIT */
/* Reading Intel OA definitions of users, MDAPI's XML and YAML: all known files, and mistakes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "catalog/arch.h"
#include "tacho/catalog.h"
#include "tacho/error.h"

static const struct tacho_arch *arch_of(struct tacho_catalog *of, const char *name)
{
	const struct tacho_arch *arch;

	assert_int_equal(tacho_catalog_find_arch(of, name, "oa", &arch), 0);
	return arch;
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

static uint64_t property(const struct tacho_model *model, const char *name)
{
	for (size_t i = 0; i < model->property_count; i++)
		if (!strcmp(model->properties[i].name, name))
			return model->properties[i].value;
	fail_msg("%s has no %s", model->name, name);
	return 0;
}

/* Every metric comes down to counters and constants. */
static void check_metrics(const struct tacho_arch *arch)
{
	const struct tacho_entry *entry, **inputs;
	size_t count;

	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++) {
		if (entry->kind != TACHO_ENTRY_METRIC)
			continue;
		if (tacho_arch_list_inputs(arch, entry, &inputs, &count))
			fail_msg("%s %s: %s", arch->name, entry->name, tacho_error_last()->message);
		for (size_t j = 0; j < count; j++)
			assert_int_not_equal(inputs[j]->kind, TACHO_ENTRY_METRIC);
		free(inputs);
	}
}

/* Counted with another program in each file. */
static const struct {
	const char *file, *arch;
	size_t sets, counters, registers;
} files[] = {
	{"oa-chv.xml", "chv", 14, 577, 1651},
	{"oa-bdw.xml", "bdw", 24, 863, 3525},
	{"oa-hsw.xml", "hsw", 6, 313, 302},
	{"oa-icl.xml", "icl", 20, 723, 2005},
	{"oa-sklgt2.xml", "sklgt2", 22, 721, 2062},
	{"oa-tglgt2.xml", "tglgt2", 26, 574, 2420},
	{"oa-lnl.xml", "lnl", 9, 394, 1520},
	{"igt-xe-oa-lnl.xml", "lnl", 14, 524, 1728},
	{"oa-acmgt1.xml", "acmgt1", 345, 2727, 33904},
};

static void check_file(size_t index)
{
	char name[64];
	const char *path;
	size_t sets = 0, counters = 0, registers = 0;
	const struct tacho_arch *arch;
	const struct tacho_set *set;
	struct tacho_catalog *own;

	snprintf(name, sizeof(name), "data/intel/%s", files[index].file);
	path = shared_path(name);
	assert_int_equal(tacho__catalog_create(&own), 0); /* nothing built in */
	assert_int_equal(tacho__catalog_read_file(own, path, 0), 0);
	assert_int_equal(tacho__catalog_complete(own), 0);
	assert_null(tacho_catalog_get_problem(own, 0));
	arch = arch_of(own, files[index].arch);
	for (; (set = tacho_arch_get_set(arch, sets)); sets++) {
		counters += set->entry_count;
		registers += set->register_count;
		assert_int_equal(strlen(set->guid), 36);
		for (size_t i = 0; i < set->entry_count; i++)
			assert_true(*set->entries[i]->file && *set->entries[i]->description);
	}
	assert_int_equal(sets, files[index].sets);
	assert_int_equal(counters, files[index].counters);
	assert_int_equal(registers, files[index].registers);
	check_metrics(arch);
	tacho_catalog_close(own);
}

static void test_all_shared_files_load(void **state)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(files); i++)
		check_file(i);
}

/* A catalog with nothing but this text; *out_rc is what reading it gave. */
static struct tacho_catalog *read_text(const char *text, int *out_rc)
{
	struct tacho_catalog *own;

	assert_int_equal(tacho__catalog_create(&own), 0);
	*out_rc = tacho__catalog_read_text(own, "my.file", text, strlen(text), 0);
	assert_int_equal(tacho__catalog_complete(own), 0);
	return own;
}

/* Good1 and Good2 with all that can be wrong between them, a mistake a line from line 4 on. */
static const char mistakes[] =
	"<metrics version='1' colour='blue'>\n"
	"<set symbol_name='S' chipset='New1' name='T' hw_config_guid='no-guid' smell='sweet'>\n"
	"<counter symbol_name='Good1' data_type='uint64' units='x' equation='A 7 READ' "
	"weight='1'/>\n"
	"<counter symbol_name='' data_type='uint64' equation='1'/>\n"
	"<counter symbol_name='Type' data_type='text' equation='1'/>\n"
	"<counter symbol_name='Empty' data_type='uint64'/>\n"
	"<counter symbol_name='Good1' data_type='uint64' equation='1'/>\n"
	"<counter symbol_name='Broken' data_type='uint64' equation='A 7 READ UADD'/>\n"
	"<counter symbol_name='When' data_type='uint64' equation='1' availability='$SliceMask "
	"AND'/>\n"
	"<counter symbol_name='Typo' data_type='uint64' equation='$GpuCoreClock'/>\n"
	"<counter symbol_name='Loop' data_type='uint64' equation='$Pool'/>\n"
	"<counter symbol_name='Pool' data_type='uint64' equation='$Loop'/>\n"
	"<counter symbol_name='Far' data_type='uint64' equation='A 4000 READ'/>\n"
	"<register_config type='NOA'>\n"
	"<register type='NOA' address='0x10' value='0x1'/>\n"
	"<register type='NOA' address='zehn' value='0x1'/>\n"
	"<register type='NOA' address='0x10' value='0x100000000'/>\n"
	"<register type='XYZ' address='0x10' value='0x1'/>\n"
	"<register type='NOA' address='0x10' value='0xffffffff'/>\n"
	"</register_config>\n"
	"<register_config type='WHAT'><register address='0x1' value='0x1'/></register_config>\n"
	"<counter symbol_name='Good2' data_type='float' units='x' equation='$Good1 2 FDIV'/>\n"
	"<later><counter symbol_name='Deep'/></later>\n"
	"</set>\n"
	"<set symbol_name='S' chipset='New1'><counter symbol_name='Twice'/></set>\n"
	"<set chipset='New1'><counter symbol_name='Nameless'/></set>\n"
	"</metrics>\n";

static void expect_problem(const struct tacho_catalog *own, uint32_t line, const char *entry,
			   const char *words)
{
	const struct tacho_problem *problem;

	for (size_t i = 0; (problem = tacho_catalog_get_problem(own, i)); i++) {
		if (problem->line == line && !strcmp(problem->entry, entry)) {
			assert_string_equal(problem->file, "my.file");
			if (!strstr(problem->message, words))
				fail_msg("line %u: %s", line, problem->message);
			return;
		}
	}
	fail_msg("no problem with %s in line %u", entry, line);
}

static void test_mistakes_cost_one_entry_each(void **state)
{
	int rc;
	struct tacho_catalog *own = read_text(mistakes, &rc);
	const struct tacho_arch *arch = arch_of(own, "new1");
	const struct tacho_set *set = tacho_arch_find_set(arch, "S");
	size_t count = 0;

	assert_int_equal(rc, 0);
	expect_problem(own, 2, "S", "no GUID");
	expect_problem(own, 4, "", "symbol_name");
	expect_problem(own, 5, "Type", "\"text\"");
	expect_problem(own, 6, "Empty", "no equation");
	expect_problem(own, 7, "Good1", "twice");
	expect_problem(own, 8, "Broken", "equation, column 10");
	expect_problem(own, 9, "When", "availability, column");
	expect_problem(own, 10, "Typo", "$GpuCoreClock,");
	expect_problem(own, 11, "Loop", "left out");
	expect_problem(own, 12, "Pool", "comes back to itself");
	expect_problem(own, 13, "Far", "4000");
	expect_problem(own, 16, "S", "32 bits");
	expect_problem(own, 17, "S", "32 bits");
	expect_problem(own, 18, "S", "XYZ");
	expect_problem(own, 21, "S", "WHAT");
	expect_problem(own, 25, "S", "twice");
	expect_problem(own, 26, "", "symbol_name");
	while (tacho_catalog_get_problem(own, count))
		count++;
	assert_int_equal(count, 17);
	assert_int_equal(set->entry_count, 2);
	assert_string_equal(set->entries[0]->name, "Good1");
	assert_string_equal(set->entries[0]->file, "my.file:3");
	assert_string_equal(set->entries[1]->name, "Good2");
	assert_int_equal(set->entries[1]->type, TACHO_TYPE_F64);
	assert_int_equal(set->register_count, 2);
	assert_int_equal(set->registers[1].value, 0xffffffff);
	assert_string_equal(set->guid, "");
	assert_int_equal(tacho_arch_find_entry(arch, "A7")->event, 7);
	assert_string_equal(arch->title, "Intel NEW1");
	tacho_catalog_close(own);
}

static void test_whole_files_that_are_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"<metrics><set></metrics>", "line 1, column 17"},
		{"<metrics", "no definitions"},
		{"<sets/>", "no definitions"},
		{"<?xml version='1.0'?><!DOCTYPE metrics [<!ENTITY a 'b'>]><metrics>&a;</metrics>",
		 "not read"},
		{"<metrics>&a;</metrics>", "malformed XML"},
		{"<metrics></metrics><metrics/>", "malformed XML"},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(cases); i++) {
		int rc;
		struct tacho_catalog *own = read_text(cases[i].text, &rc);

		assert_int_equal(rc, TACHO_E_PARSE);
		if (!strstr(tacho_error_last()->message, cases[i].message))
			fail_msg("%s: %s", cases[i].text, tacho_error_last()->message);
		assert_null(tacho_catalog_get_arch(own, 0));
		tacho_catalog_close(own);
	}
}

static const char yaml_mistakes[] = "oa-definitions: 1\n"
				    "architecture: new2\n"
				    "blocks:\n"
				    "  A: {slots: 2}\n"
				    "  Q: {slots: none}\n"
				    "counters:\n"
				    "  A1: {width: 40}\n"
				    "  A0: {width: 65}\n"
				    "metrics:\n"
				    "  Good: {type: u64, equation: A 1 READ 2 UMUL, unit: x}\n"
				    "  Kind: {type: int, equation: A 1 READ}\n"
				    "  None: {type: u64}\n"
				    "  Bad: {type: u64, equation: A READ}\n"
				    "  Marks: {type: u64, equation: '1', watermarks: [5, 3]}\n"
				    "  Good: {type: f64, equation: '1'}\n"
				    "  Flat: 3\n"
				    "  Needs: {type: u64, equation: $Nobody}\n"
				    "sets:\n"
				    "  S:\n"
				    "    metrics: [Good, Missing]\n"
				    "    registers:\n"
				    "      - {kind: OA}\n"
				    "      - kind: NOA\n"
				    "        writes: |\n"
				    "          9888: 1 2\n"
				    "          9889: zwei 3\n"
				    "      - {kind: BLA, writes: '1: 2'}\n"
				    "models:\n"
				    "  m: {properties: {EuCoresTotalCount: many}}\n"
				    "  n: {properties: {EuCoresTotalCount: 5}}\n";

static void test_mistakes_in_yaml(void **state)
{
	int rc;
	struct tacho_catalog *own = read_text(yaml_mistakes, &rc);
	const struct tacho_arch *arch = arch_of(own, "new2");
	const struct tacho_set *set = tacho_arch_find_set(arch, "S");
	size_t count = 0;

	assert_int_equal(rc, 0);
	expect_problem(own, 5, "Q", "slots");
	expect_problem(own, 8, "A0", "64");
	expect_problem(own, 11, "Kind", "\"int\"");
	expect_problem(own, 12, "None", "equation");
	expect_problem(own, 13, "Bad", "column 3");
	expect_problem(own, 14, "Marks", "lower one first");
	expect_problem(own, 15, "Good", "twice");
	expect_problem(own, 16, "Flat", "mapping");
	expect_problem(own, 17, "Needs", "$Nobody");
	expect_problem(own, 20, "S", "\"Missing\"");
	expect_problem(own, 22, "S", "writes");
	expect_problem(own, 26, "S", "\"zwei\"");
	expect_problem(own, 27, "S", "kind");
	expect_problem(own, 29, "m", "\"EuCoresTotalCount\" is no number");
	while (tacho_catalog_get_problem(own, count))
		count++;
	assert_int_equal(count, 14);
	assert_int_equal(tacho_arch_find_entry(arch, "Good")->type, TACHO_TYPE_U64);
	assert_int_equal(tacho_arch_find_entry(arch, "A1")->width_bits, 40);
	assert_int_equal(set->entry_count, 1);
	assert_int_equal(set->register_count, 3);
	assert_int_equal(set->registers[2].address, 0x9889);
	assert_int_equal(set->registers[2].value, 3);
	assert_int_equal(tacho_arch_find_model(arch, "m")->property_count, 0);
	assert_int_equal(property(tacho_arch_find_model(arch, "n"), "EuCoresTotalCount"), 5);
	tacho_catalog_close(own);
	own = read_text("oa-definitions: 2\n", &rc);
	assert_int_equal(rc, TACHO_E_PARSE);
	tacho_catalog_close(own);
}

/* What a user's file says about a built-in architecture holds. */
static void test_a_file_replaces_what_is_built_in(void **state)
{
	static const char text[] =
		"<metrics><set symbol_name='RenderBasic' chipset='CHV' name='Mine'>"
		"<counter symbol_name='GpuBusy' description='Mine.' data_type='float'"
		" units='percent' equation='A 0 READ 50 UMUL $GpuCoreClocks FDIV'/>"
		"<counter symbol_name='GpuCoreClocks' data_type='uint64' units='cycles'"
		" equation='GPU_CLOCK 0 READ'/></set></metrics>";
	struct tacho_catalog *own;
	const struct tacho_arch *chv;

	assert_int_equal(tacho__catalog_create(&own), 0);
	assert_int_equal(tacho__catalog_read_builtins(own, "chv", "oa", 0), 0);
	assert_int_equal(tacho__catalog_read_text(own, "mine.xml", text, sizeof(text) - 1, 0), 0);
	assert_int_equal(tacho__catalog_complete(own), 0);
	chv = arch_of(own, "chv");
	assert_string_equal(tacho_arch_find_entry(chv, "GpuBusy")->description, "Mine.");
	assert_string_equal(tacho_arch_find_entry(chv, "GpuBusy")->file, "mine.xml:1");
	assert_string_equal(tacho_arch_find_set(chv, "RenderBasic")->title, "Mine");
	assert_int_equal(tacho_arch_find_set(chv, "RenderBasic")->entry_count, 2);
	assert_int_equal(tacho_arch_find_entry(chv, "GPU_CLOCK")->width_bits, 32);
	assert_non_null(tacho_arch_find_entry(chv, "EuActive"));
	tacho_catalog_close(own);
}

/* gputop's way to read a general counter: its registers are numbered from 1. */
static void test_registers_of_gputop(void **state)
{
	static const char text[] = "<metrics version='1'>\n"
				   "<set symbol_name='Old' chipset='GPT' name='Old'>\n"
				   " <counter symbol_name='First' data_type='uint64' units='x'"
				   " equation='PERFCNT1 READ_REG'/>\n"
				   " <counter symbol_name='Second' data_type='uint64' units='x'"
				   " equation='PERFCNT2 READ_REG  100 UMUL'/>\n"
				   " <counter symbol_name='Wrong' data_type='uint64' units='x'"
				   " equation='PERFCNT0 READ_REG'/>\n"
				   " <counter symbol_name='Plain' data_type='uint64' units='x'"
				   " equation='PERFCNT1 READ'/>\n"
				   "</set>\n</metrics>\n";
	const struct tacho_entry **inputs;
	const struct tacho_arch *arch;
	size_t count;
	int rc;
	struct tacho_catalog *own = read_text(text, &rc);

	assert_int_equal(rc, 0);
	assert_string_equal(tacho_catalog_get_problem(own, 0)->entry, "Wrong");
	assert_string_equal(tacho_catalog_get_problem(own, 1)->entry, "Plain");
	assert_null(tacho_catalog_get_problem(own, 2));
	arch = arch_of(own, "gpt");
	assert_int_equal(
		tacho_arch_list_inputs(arch, tacho_arch_find_entry(arch, "First"), &inputs, &count),
		0);
	assert_int_equal(count, 1);
	assert_string_equal(inputs[0]->name, "PERFCNT0");
	free(inputs);
	assert_int_equal(tacho_arch_list_inputs(arch, tacho_arch_find_entry(arch, "Second"),
						&inputs, &count),
			 0);
	assert_string_equal(inputs[0]->name, "PERFCNT1");
	free(inputs);
	tacho_catalog_close(own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers_of_gputop),
		cmocka_unit_test(test_mistakes_cost_one_entry_each),
		cmocka_unit_test(test_whole_files_that_are_refused),
		cmocka_unit_test(test_mistakes_in_yaml),
		cmocka_unit_test(test_a_file_replaces_what_is_built_in),
		cmocka_unit_test(test_all_shared_files_load),
	};

	return cmocka_run_group_tests_name("oa_read", tests, NULL, NULL);
}
