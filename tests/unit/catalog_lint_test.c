/* SPDX-License-Identifier: MIT */
/*
 * What is wrong in definitions without being malformed: the rules run over everything that is
 * built in, and over definitions with known faults, which they must find.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/map.h"
#include "catalog/arch.h"
#include "formula/node.h"
#include "tacho/catalog.h"
#include "tacho/error.h"

enum { REPORT_MAX = 40 };

/* One line a fault: "RULE api/arch NAME: detail". */
static struct tacho__buf report;
static size_t fault_count;

__attribute__((format(printf, 4, 5))) static void fault(const char *rule,
							const struct tacho_arch *arch,
							const struct tacho_entry *entry,
							const char *format, ...)
{
	va_list list;

	if (++fault_count > REPORT_MAX)
		return;
	tacho__buf_printf(&report, "%s %s/%s %s: ", rule, arch->api, arch->name, entry->name);
	va_start(list, format);
	tacho__buf_vprintf(&report, format, list);
	va_end(list);
	tacho__buf_char(&report, '\n');
}

/* The expression of a throughput is tacho's own. */
static int is_gpa(const struct tacho_entry *entry)
{
	return !strcmp(entry->notation, "gpa") && !entry->part_count;
}

/* Percentages for which the vendor states no largest value, and which may exceed 100. */
static int is_open_ended(const struct tacho_arch *arch, const struct tacho_entry *entry)
{
	static const char *const known[][2] = {
		{"oa", "*Bottleneck"},
		{"oa", "*Stall"},
		{"rocm", "vL1dBufCoalesceRate"},
	};

	/* Intel's files state no maximum of anything from Xe2 on. */
	if (!strcmp(arch->name, "lnl") || !strcmp(arch->name, "bmg") || !strcmp(arch->name, "ptl"))
		return 1;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(known); i++)
		if (!strcmp(arch->api, known[i][0]) && !fnmatch(known[i][1], entry->name, 0))
			return 1;
	return 0;
}

static void lint_words(const struct tacho_arch *arch, const struct tacho_entry *entry)
{
	if (!*entry->unit)
		fault("unit", arch, entry, "none");
	if (!*entry->description)
		fault("description", arch, entry, "none");
	if (!*entry->source)
		fault("source", arch, entry, "none");
	if (!*entry->expression && !entry->part_count && !*entry->caveat)
		fault("expression", arch, entry, "none, and no caveat says why");
	if (!strcmp(entry->unit, "percent") && isnan(entry->range_low) &&
	    !is_open_ended(arch, entry))
		fault("range", arch, entry, "a percentage without range");
	/* a utilization of ROCm or OA may be good or bad either way */
	if (is_gpa(entry) && !isnan(entry->range_low) && !*entry->better && !*entry->advice)
		fault("better", arch, entry, "a range, but which end is good is not said");
	if (*entry->better && strcmp(entry->better, "lower") && strcmp(entry->better, "higher"))
		fault("better", arch, entry, "is \"%s\"", entry->better);
}

/* How often each name is used; values are counts + 1. */
static void count_names(const struct tacho__node *node, struct tacho__names *names)
{
	if (node->op == TACHO__OP_NAME) {
		uintptr_t count = (uintptr_t)tacho__names_get(names, node->name);

		assert_int_equal(tacho__names_set(names, node->name, (void *)(count + 1)), 0);
	}
	for (size_t i = 0; i < node->operand_count; i++)
		count_names(node->operands[i], names);
}

/* The name without the number of the block's instance: "TA#_BUSY". */
static void family_of(const struct tacho_arch *arch, const char *input, char *out, size_t size)
{
	const struct tacho_entry *counter = tacho_arch_find_entry(arch, input);
	size_t block, digits = 0;

	if (!counter || counter->kind != TACHO_ENTRY_COUNTER ||
	    strncmp(input, counter->block, strlen(counter->block)) != 0) {
		snprintf(out, size, "%s", input);
		return;
	}
	block = strlen(counter->block);
	while (digits < block && isdigit((unsigned char)input[block - 1 - digits]))
		digits++;
	snprintf(out, size, "%.*s%s%s", (int)(block - digits), input, digits ? "#" : "",
		 input + block);
}

/* Blocks whose names differ from this counter's in the last number only. */
static size_t count_instances(const struct tacho_arch *arch, const char *input)
{
	const struct tacho_entry *counter = tacho_arch_find_entry(arch, input);
	const char *name = counter->block;
	const struct tacho_block *block;
	size_t count = 0, stem = strlen(name);

	while (stem && isdigit((unsigned char)name[stem - 1]))
		stem--;
	for (size_t i = 0; (block = tacho_arch_get_block(arch, i)); i++)
		if (!strncmp(block->name, name, stem) && block->name[stem] &&
		    strspn(block->name + stem, "0123456789") == strlen(block->name + stem))
			count++;
	return count;
}

/* All instances of a block are inputs when one of several is. */
static void lint_instances(const struct tacho_arch *arch, const struct tacho_entry *entry)
{
	char(*families)[128] = calloc(entry->input_count + 1, sizeof(*families));

	assert_non_null(families);
	for (size_t i = 0; i < entry->input_count; i++)
		family_of(arch, entry->inputs[i], families[i], sizeof(families[i]));
	for (size_t i = 0; i < entry->input_count; i++) {
		size_t count = 1, instances, is_first = 1;

		if (!strchr(families[i], '#'))
			continue;
		for (size_t j = 0; j < i; j++)
			is_first &= strcmp(families[i], families[j]) != 0;
		for (size_t j = i + 1; j < entry->input_count; j++)
			count += !strcmp(families[i], families[j]);
		if (!is_first)
			continue;
		instances = count_instances(arch, entry->inputs[i]);
		if (count != instances && !*entry->caveat)
			fault("instances", arch, entry, "%zu of %zu of %s", count, instances,
			      families[i]);
	}
	free(families);
}

/* The operands of an n-ary sum or maximum that are counters are of one kind of block. */
static void lint_folds(const struct tacho_arch *arch, const struct tacho_entry *entry,
		       const struct tacho__node *node)
{
	const char *first = NULL;

	for (size_t i = 0; i < node->operand_count; i++) {
		const struct tacho__node *operand = node->operands[i];
		size_t size;

		lint_folds(arch, entry, operand);
		if ((node->op != TACHO__OP_SUM_OF && node->op != TACHO__OP_MAX_OF) ||
		    operand->op != TACHO__OP_NAME)
			continue;
		if (!first)
			first = operand->name;
		size = strcspn(first, "0123456789");
		if (strcspn(operand->name, "0123456789") != size ||
		    strncmp(first, operand->name, size) != 0)
			fault("fold", arch, entry, "%s and %s in one sum or maximum", first,
			      operand->name);
	}
}

static void lint_inputs(const struct tacho_arch *arch, const struct tacho_entry *entry,
			const struct tacho__node *node)
{
	struct tacho__names names = {0};

	count_names(node, &names);
	for (size_t i = 0; i < entry->input_count; i++) {
		const struct tacho_entry *input = tacho_arch_find_entry(arch, entry->inputs[i]);

		if (!input || strcmp(input->name, entry->inputs[i]))
			fault("resolve", arch, entry, "%s is not known", entry->inputs[i]);
		else if (!tacho__names_get(&names, entry->inputs[i]) && !*entry->caveat)
			fault("unused", arch, entry, "%s", entry->inputs[i]);
	}
	tacho__names_finish(&names);
}

static bool has_input(const struct tacho_entry *entry, const char *ending)
{
	for (size_t i = 0; i < entry->input_count; i++) {
		size_t size = strlen(entry->inputs[i]);

		if (size >= strlen(ending) &&
		    !strcmp(entry->inputs[i] + size - strlen(ending), ending))
			return true;
	}
	return false;
}

/* A share of time is of the time that the formula divides by: all cycles, or the active ones. */
static void lint_share(const struct tacho_arch *arch, const struct tacho_entry *entry)
{
	bool is_of_all = strstr(entry->description, "elapsed time") != NULL;
	bool is_of_active = strstr(entry->description, "GPU's active time") != NULL;
	bool has_all = has_input(entry, "GRBM_PERF_SEL_COUNT");

	if (is_of_all && !has_all)
		fault("share", arch, entry, "it divides by no count of all cycles");
	if (is_of_active && (has_all || !has_input(entry, "GRBM_PERF_SEL_GUI_ACTIVE")))
		fault("share", arch, entry, "it divides by no count of active cycles");
}

static void lint_expression(const struct tacho_arch *arch, const struct tacho_entry *entry)
{
	struct tacho__expression expression = tacho__entry_expression(entry);
	struct tacho_formula_problem problem = {0};
	struct tacho__arena arena = {0};
	struct tacho__node *node;

	if (tacho__expression_parse(&arena, &expression, &node, &problem)) {
		fault("parse", arch, entry, "column %zu: %s", problem.column, problem.message);
	} else if (is_gpa(entry)) {
		lint_inputs(arch, entry, node);
		lint_instances(arch, entry);
		lint_folds(arch, entry, node);
		lint_share(arch, entry);
	}
	tacho__arena_finish(&arena);
}

/*
 * The same equation over another event on another generation, although this generation has that
 * event too: the values mean different things.
 */
static void lint_generations(const struct tacho_catalog *catalog, const struct tacho_arch *arch,
			     const struct tacho_entry *entry)
{
	const struct tacho_arch *other;

	for (size_t i = 0; (other = tacho_catalog_get_arch(catalog, i)); i++) {
		const struct tacho_entry *twin;

		if (other == arch || strcmp(other->api, arch->api) != 0)
			continue;
		twin = tacho_arch_find_entry(other, entry->name);
		if (!twin || twin->input_count != entry->input_count ||
		    strcmp(twin->expression, entry->expression) != 0)
			continue;
		for (size_t j = 0; j < entry->input_count; j++) {
			const char *name = twin->inputs[j];
			const struct tacho_entry *here;

			if (!strcmp(name, entry->inputs[j]))
				continue;
			here = tacho_arch_find_entry(arch, name);
			if (here && !strcmp(here->name, name) && !(*entry->caveat && *twin->caveat))
				fault("generations", arch, entry, "%s, but %s on %s",
				      entry->inputs[j], name, other->name);
		}
	}
}

/* Of a throughput: each part is of a peak, in cycles that are counted. */
static void lint_parts(const struct tacho_arch *arch, const struct tacho_entry *entry)
{
	for (size_t i = 0; i < entry->part_count; i++) {
		const struct tacho_entry *part = tacho_arch_find_entry(arch, entry->parts[i]);
		const struct tacho_block *block = tacho_arch_find_block(arch, part->block);

		if (!(part->peak > 0))
			fault("peak", arch, entry, "%s has none", part->name);
		if (!block || !*block->elapsed)
			fault("elapsed", arch, entry, "nobody counts the cycles of %s", part->name);
	}
}

/* What a block names is there, and its cycles are its own. */
static void lint_block(const struct tacho_arch *arch, const struct tacho_block *block)
{
	const struct tacho_entry as_entry = {.name = block->name};
	const char *const cycles[] = {block->elapsed, block->active};

	if (*block->parent && !tacho_arch_find_block(arch, block->parent))
		fault("parent", arch, &as_entry, "%s is not known", block->parent);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(cycles); i++) {
		const struct tacho_entry *entry = tacho_arch_find_entry(arch, cycles[i]);

		if (*cycles[i] && (!entry || strcmp(entry->block, block->name) != 0))
			fault("cycles", arch, &as_entry, "%s is not its own", cycles[i]);
	}
}

static void lint(const struct tacho_catalog *catalog)
{
	const struct tacho_arch *arch;

	tacho__buf_clear(&report);
	fault_count = 0;
	for (size_t i = 0; (arch = tacho_catalog_get_arch(catalog, i)); i++) {
		const struct tacho_entry *entry;
		const struct tacho_block *block;

		for (size_t j = 0; (block = tacho_arch_get_block(arch, j)); j++)
			lint_block(arch, block);
		for (size_t j = 0; (entry = tacho_arch_get_entry(arch, j)); j++) {
			if (entry->kind != TACHO_ENTRY_METRIC)
				continue;
			lint_words(arch, entry);
			if (*entry->expression)
				lint_expression(arch, entry);
			lint_parts(arch, entry);
			if (is_gpa(entry))
				lint_generations(catalog, arch, entry);
		}
	}
}

static void test_built_in(void **state)
{
	struct tacho_catalog_options options = {.size = sizeof(options), .no_environment = 1};
	struct tacho_catalog *catalog;

	assert_int_equal(tacho_catalog_open(&options, &catalog), 0);
	lint(catalog);
	if (fault_count) /* cmocka's messages are short */
		fprintf(stderr, "%s", tacho__buf_text(&report));
	assert_int_equal(fault_count, 0);
	tacho_catalog_close(catalog);
}

/* Faults that shipped definitions had, or could have; each name is that of the rule. */
static const char faulty[] =
	"gpa-definitions: 1\n"
	"source: faults\n"
	"architectures:\n"
	"- {name: old, api: test, events: [e], blocks: [{name: 'T[0..3]', events: 9, slots: 2},\n"
	"    {name: S, events: 9, slots: 2}]}\n"
	"- {name: new, api: test, events: [e], blocks: [{name: 'T[0..3]', events: 9, slots: 2},\n"
	"    {name: S, events: 9, slots: 2}]}\n"
	"events: {e: {T: {A: 1}, S: {A: 1, FLAT: 2, FLAT_LDS: 3}}}\n"
	"metrics:\n"
	"- {name: unused, unit: items, text: t, variants: [{where: [test-old], inputs: "
	"['T[0..3]_A',\n"
	"    S_A], equation: '0,1,max,3,max,4,/'}]}\n"
	"- {name: instances, unit: items, text: t, variants: [{where: [test-old],\n"
	"    inputs: ['T[0..2]_A'], equation: '0..2,sum3'}]}\n"
	"- {name: fold, unit: items, text: t, variants: [{where: [test-old], inputs: "
	"['T[0..3]_A',\n"
	"    S_A], equation: '0..4,sum5'}]}\n"
	"- {name: share, unit: items, text: of the elapsed time, variants: [{where: [test-old],\n"
	"    equation: '(1)'}]}\n"
	"- {name: unit, text: t, variants: [{where: [test-old], equation: '(1)'}]}\n"
	"- {name: description, unit: u, variants: [{where: [test-old], equation: '(1)'}]}\n"
	"- {name: range, unit: percent, text: t, variants: [{where: [test-old], equation: "
	"'(1)'}]}\n"
	"- {name: better, unit: u, text: t, range: [0, 1], variants: [{where: [test-old],\n"
	"    equation: '(1)'}]}\n"
	"- {name: generations, unit: items, text: t, variants: [\n"
	"    {where: [test-old], inputs: [S_A, S_FLAT], equation: '0,1,-'},\n"
	"    {where: [test-new], inputs: [S_A, S_FLAT_LDS], equation: '0,1,-'}]}\n"
	"- {name: other, unit: items, text: t, variants: [{where: [test-old, test-new],\n"
	"    inputs: [S_FLAT_LDS], equation: '0'}]}\n"
	"- {name: told, unit: items, text: t, caveat: c, variants: [{where: [test-old],\n"
	"    inputs: ['T[0..2]_A', S_A], equation: '0,2,+'}]}\n"
	"- {name: sound, unit: percent, text: t, range: [0, 100], better: lower, variants: [\n"
	"    {where: [test-old], inputs: ['T[0..3]_A', S_A], equation: '0..3,max4,4,/'}]}\n";

static const char faulty_units[] =
	"plain-definitions: 1\n"
	"source: faults\n"
	"architectures:\n"
	"- name: plain\n"
	"  api: test\n"
	"  blocks: [{name: b, parent: none, elapsed: c__cycles}, {name: c, elapsed: c__cycles},\n"
	"    {name: d}]\n"
	"  counters: [{name: b__n, block: b, event: 1, unit: items, description: d, peak: 1},\n"
	"    {name: c__cycles, block: c, event: 1, unit: cycles, description: d, peak: 1},\n"
	"    {name: c__n, block: c, event: 2, unit: items, description: d},\n"
	"    {name: d__n, block: d, event: 1, unit: items, description: d, peak: 1}]\n"
	"  metrics: [{name: peak, unit: percent, description: d, throughput: [c__n, c__cycles]},\n"
	"    {name: elapsed, unit: percent, description: d, throughput: [d__n]}]\n";

static void write_file(char *path, const char *text)
{
	int file = mkstemp(path);

	assert_true(file >= 0);
	assert_int_equal(write(file, text, strlen(text)), (int)strlen(text));
	close(file);
}

static void test_faults(void **state)
{
	static const char *const expected[] = {
		"unused test/old unused: T2_A\n",
		"instances test/old instances: 3 of 4 of T#_A\n",
		"fold test/old fold: T0_A and S_A in one sum or maximum\n",
		"share test/old share: it divides by no count of all cycles\n",
		"unit test/old unit: ",
		"description test/old description: ",
		"range test/old range: ",
		"better test/old better: ",
		"generations test/old generations: S_FLAT, but S_FLAT_LDS on new\n",
		"parent test/plain b: none is not known\n",
		"cycles test/plain b: c__cycles is not its own\n",
		"peak test/plain peak: c__n has none\n",
		"elapsed test/plain elapsed: nobody counts the cycles of d__n\n",
	};
	char path[] = "/tmp/tacho-lint-XXXXXX", units_path[] = "/tmp/tacho-lint-XXXXXX";
	const char *const paths[] = {path, units_path};
	struct tacho_catalog_options options = {
		.size = sizeof(options),
		.api = "test", /* and of what is built in all: it is sound */
		.definitions = paths,
		.definition_count = 2,
		.no_environment = 1};
	struct tacho_catalog *catalog;

	write_file(path, faulty);
	write_file(units_path, faulty_units);
	assert_int_equal(tacho_catalog_open(&options, &catalog), 0);
	unlink(path);
	unlink(units_path);
	assert_null(tacho_catalog_get_problem(catalog, 0));
	lint(catalog);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(expected); i++)
		if (!strstr(tacho__buf_text(&report), expected[i]))
			fail_msg("not found: %s in\n%s", expected[i], tacho__buf_text(&report));
	assert_int_equal(fault_count, TACHO__ARRAY_SIZE(expected));
	tacho_catalog_close(catalog);
}

static int finish(void **state)
{
	tacho__buf_finish(&report);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_built_in),
	};

	return cmocka_run_group_tests(tests, NULL, finish);
}
