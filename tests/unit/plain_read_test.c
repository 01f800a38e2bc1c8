/* SPDX-License-Identifier: MIT */
/* Definitions of no vendor's form: what is read, and what is said about mistakes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "catalog/arch.h"
#include "tacho/error.h"

static const char good[] =
	"plain-definitions: 1\n"
	"source: a test\n"
	"architectures:\n"
	"- name: mine\n"
	"  api: sim\n"
	"  title: Mine\n"
	"  vendor: me\n"
	"  blocks:\n"
	"  - {name: core, slots: 4, instances: 8, events: 20, description: A core.}\n"
	"  - {name: top, slots: 1}\n"
	"  counters:\n"
	"  - {name: core__cycles, title: Cycles of Cores, block: core, event: 7, unit: cycles, "
	"width: 40, description: "
	"C.}\n"
	"  - {name: top__ticks, block: top, event: 1}\n"
	"  constants: [{name: core_count, title: Number of Cores, description: Cores.}]\n"
	"  metrics:\n"
	"  - {name: share, title: Share of Cores, unit: percent, expression: "
	"\"100*reduce(core__cycles,sum)/core_count\"}\n"
	"  models: [{name: m1, title: Mine 1, properties: {core_count: 8}}]\n";

static struct tacho_catalog *read_text(const char *text)
{
	struct tacho_catalog *catalog;

	assert_int_equal(tacho__catalog_create(&catalog), 0);
	assert_int_equal(tacho__catalog_read_text(catalog, "my.yaml", text, strlen(text), 0), 0);
	assert_int_equal(tacho__catalog_complete(catalog), 0);
	return catalog;
}

static void test_all(void **state)
{
	struct tacho_catalog *catalog = read_text(good);
	const struct tacho_arch *arch;
	const struct tacho_entry *entry;
	const struct tacho_block *block;
	const struct tacho_model *model;
	struct tacho_dimension dimensions[TACHO_DIMENSION_MAX];
	uint32_t count;
	uint64_t value;

	assert_null(tacho_catalog_get_problem(catalog, 0));
	assert_int_equal(tacho_catalog_find_arch(catalog, "mine", "sim", &arch), 0);
	assert_string_equal(arch->vendor, "me");
	assert_string_equal(arch->source, "a test");
	block = tacho_arch_find_block(arch, "core");
	assert_int_equal(block->slots, 4);
	assert_int_equal(block->instances, 8);
	assert_int_equal(block->event_count, 20);
	assert_int_equal(tacho_arch_find_block(arch, "top")->instances, 1);
	entry = tacho_arch_find_entry(arch, "core__cycles");
	assert_int_equal(entry->event, 7);
	assert_int_equal(entry->width_bits, 40);
	assert_string_equal(entry->title, "Cycles of Cores");
	assert_string_equal(tacho_arch_find_entry(arch, "top__ticks")->title, "");
	assert_string_equal(tacho_arch_find_entry(arch, "core_count")->title, "Number of Cores");
	assert_string_equal(tacho_arch_find_entry(arch, "share")->title, "Share of Cores");
	assert_string_equal(entry->block, "core");
	model = tacho_arch_find_model(arch, "m1");
	assert_int_equal(tacho__model_get(model, "core_count", &value), 1);
	assert_int_equal(value, 8);
	assert_int_equal(tacho_arch_get_dimensions(arch, entry, model, dimensions, &count), 0);
	assert_int_equal(count, 1);
	assert_string_equal(dimensions[0].name, "DIMENSION_INSTANCE");
	assert_int_equal(dimensions[0].extent, 8);
	entry = tacho_arch_find_entry(arch, "top__ticks");
	assert_int_equal(tacho_arch_get_dimensions(arch, entry, model, dimensions, &count), 0);
	assert_int_equal(count, 0);
	entry = tacho_arch_find_entry(arch, "share");
	assert_int_equal(entry->kind, TACHO_ENTRY_METRIC);
	assert_true(entry->range_high == 100);
	tacho_catalog_close(catalog);
}

/* Each costs its own entry only. */
static void test_mistakes(void **state)
{
	static const struct {
		const char *text, *message;
	} mistakes[] = {
		{"  blocks: [{slots: 1}]\n", "it has no name; add \"name\""},
		{"  blocks: [{name: b, slots: many}]\n",
		 "slots, instances or events is no number; write one"},
		{"  counters: [{name: c, block: none}]\n",
		 "its block is not among \"blocks\"; add it there"},
		{"  counters: [{name: c, width: 65}]\n",
		 "event, width or peak is no number of a sensible size; write one"},
		{"  counters: [{name: c, peak: 0}]\n",
		 "event, width or peak is no number of a sensible size; write one"},
		{"  counters: [{name: c, joins: somehow}]\n",
		 "its values join as \"somehow\"; write first or last"},
		{"  metrics: [{name: m, throughput: [none]}]\n",
		 "its part none is no counter above; write one"},
		{"  metrics: [{name: m, throughput: []}]\n",
		 "its throughput has no parts; list counters"},
		{"  metrics: [{name: m, expression: 1+}]\n", "expected"},
		{"  models: [{name: m, properties: {n: x}}]\n",
		 "the property \"n\" is no number; write one"},
	};
	char text[400];

	for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		const struct tacho_problem *problem;
		struct tacho_catalog *catalog;

		snprintf(text, sizeof(text),
			 "plain-definitions: 1\narchitectures:\n- name: a\n  api: sim\n%s"
			 "  constants: [{name: k}]\n",
			 mistakes[i].text);
		catalog = read_text(text);
		problem = tacho_catalog_get_problem(catalog, 0);
		assert_non_null(problem);
		assert_string_equal(problem->file, "my.yaml");
		assert_int_equal(problem->line, 5);
		assert_non_null(strstr(problem->message, mistakes[i].message));
		assert_null(tacho_catalog_get_problem(catalog, 1));
		assert_non_null(tacho_arch_find_entry(tacho_catalog_get_arch(catalog, 0), "k"));
		tacho_catalog_close(catalog);
	}
}

static void test_architectures(void **state)
{
	struct tacho_catalog *catalog = read_text("plain-definitions: 1\n"
						  "architectures: [{name: a}, {api: sim}]\n");

	assert_non_null(strstr(tacho_catalog_get_problem(catalog, 0)->message, "no API"));
	assert_non_null(strstr(tacho_catalog_get_problem(catalog, 1)->message, "no name"));
	assert_null(tacho_catalog_get_arch(catalog, 0));
	tacho_catalog_close(catalog);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_architectures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
