/* SPDX-License-Identifier: MIT */
/* Raw counters of the OA unit and the driver's variables, as equations name them. */
#include "base/text.h"
#include "catalog/read_oa.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "catalog/arch.h"

/* No report format has as many counters of a block: PEC has 64, the most. */
enum { INDEX_MAX = 255, REGISTER_SIZE = sizeof("PERFCNT") - 1 };

struct block {
	const char *name, *description, *counter, *unit;
	uint32_t slots;
};

/* As many as the report formats of Gen8 and later have, at most. */
static const struct block blocks[] = {
	{"A", "Aggregating counters.", "Aggregating counter", "events", 36},
	{"B", "Boolean counters: clocks on which a combination of signals is true.",
	 "Boolean counter", "events", 8},
	{"C", "Counters of events that a set routes to them.", "Counter", "events", 8},
	{"PEC", "Performance event counters of Xe2 and later.", "Performance event counter",
	 "events", 64},
	{"PERFCNT", "Counters in registers of their own, which reports do not have.",
	 "General counter", "events", 2},
};

static const struct {
	const char *name, *description, *unit;
} variables[] = {
	{"EuCoresTotalCount", "Number of execution units.", ""},
	{"VectorEngineTotalCount", "Number of vector engines (execution units).", ""},
	{"EuSlicesTotalCount", "Number of slices.", ""},
	{"SliceTotalCount", "Number of slices.", ""},
	{"EuSubslicesTotalCount", "Number of subslices.", ""},
	{"EuDualSubslicesTotalCount", "Number of dual subslices.", ""},
	{"EuDualSubslicesSlice0123Count", "Number of dual subslices in slices 0 to 3.", ""},
	{"XeCoreTotalCount", "Number of Xe cores.", ""},
	{"EuThreadsCount", "Thread slots of an execution unit.", ""},
	{"VectorEngineThreadsCount", "Thread slots of a vector engine.", ""},
	{"SliceMask", "Which slices exist: one bit each.", ""},
	{"SubsliceMask", "Which subslices exist: one bit each, 3 bits a slice up to Gen10, then 8.",
	 ""},
	{"DualSubsliceMask", "Which dual subslices exist: one bit each.", ""},
	{"XeCoreMask", "Which Xe cores exist: one bit each.", ""},
	{"GpuTimestampFrequency", "Ticks of the OA timestamp in a second.", "hz"},
	{"GpuMinFrequency", "Lowest frequency of the core.", "hz"},
	{"GpuMaxFrequency", "Highest frequency of the core.", "hz"},
	{"SkuRevisionId", "PCI revision of the device.", ""},
	{"QueryMode", "1 when queries around the work are counted, 0 for periodic reports.", ""},
	{"ComputeEngineTotalCount", "Number of compute engines.", ""},
	{"CopyEngineTotalCount", "Number of copy engines.", ""},
	{"L3BankTotalCount", "Number of banks of the L3.", ""},
	{"L3NodeTotalCount", "Number of nodes of the L3.", ""},
	{"SqidiTotalCount", "Number of memory request queues (SQIDI).", ""},
	{"GeometryPipeTotalCount", "Number of geometry pipes.", ""},
	{"DepthPipeTotalCount", "Number of depth pipes.", ""},
	{"ColorPipeTotalCount", "Number of colour pipes.", ""},
};

int tacho__oa_check(const char *expression, struct tacho_formula_problem *out_problem)
{
	struct tacho__expression text = {
		.text = expression, .size = strlen(expression), .notation = "oa"};
	struct tacho__arena arena = {0};
	struct tacho__node *node;
	int rc = 0;

	if (*expression)
		rc = tacho__expression_parse(&arena, &text, &node, out_problem);
	tacho__arena_finish(&arena);
	return rc;
}

const char *tacho__oa_word(const char *at, size_t *out_size)
{
	size_t size = 0;

	while (tacho__is_blank(*at))
		at++;
	while (at[size] && !tacho__is_blank(at[size]))
		size++;
	*out_size = size;
	return at;
}

static int starts_with(const char *name, const char *start)
{
	return !strncmp(name, start, strlen(start));
}

int tacho__oa_is_variable(const char *name)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(variables); i++)
		if (!strcmp(variables[i].name, name))
			return 1;
	/* later generations name more of the same kinds: GtSlice2XeCore3, L3BankMask ... */
	return starts_with(name, "GtSlice") || starts_with(name, "GtXeCore") ||
	       tacho__ends_with(name, "TotalCount") || tacho__ends_with(name, "Mask");
}

int tacho__oa_add_variable(const struct tacho__oa_reader *reader, const char *name)
{
	struct tacho_entry entry = {
		.name = name,
		.kind = TACHO_ENTRY_CONSTANT,
		.description = "Variable of the driver that tells about the device.",
		.source = "variables of Intel's metric sets",
	};

	if (tacho__arch_get_exact(tacho__arch_public(reader->arch), name))
		return 0;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(variables); i++) {
		if (!strcmp(variables[i].name, name)) {
			entry.description = variables[i].description;
			entry.unit = variables[i].unit;
		}
	}
	if (starts_with(name, "GtSlice") || starts_with(name, "GtXeCore"))
		entry.description = "1 when this part of the GPU exists, else 0.";
	return tacho__arch_add_entry(reader->arch, &entry, TACHO__ADD_NEW);
}

static const struct block *find_block(const char *name, size_t size)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(blocks); i++)
		if (strlen(blocks[i].name) == size && !strncmp(blocks[i].name, name, size))
			return &blocks[i];
	return NULL;
}

static int add_block(const struct tacho__oa_reader *reader, const struct block *known,
		     uint32_t index)
{
	struct tacho_block block = {
		.name = known->name, .description = known->description, .slots = known->slots};
	const struct tacho_block *there =
		tacho_arch_find_block(tacho__arch_public(reader->arch), known->name);

	if (there && there->slots > index)
		return 0;
	if (there)
		block = *there;
	if (block.slots <= index)
		block.slots = index + 1;
	return tacho__arch_add_block(reader->arch, &block);
}

/* GPU_TIME and GPU_CLOCK: one each, in no block. */
static int add_clock(const struct tacho__oa_reader *reader, const char *name)
{
	int is_time = !strcmp(name, "GPU_TIME");
	struct tacho_entry entry = {
		.name = name,
		.kind = TACHO_ENTRY_COUNTER,
		.type = TACHO_TYPE_U64,
		.description = is_time ? "Ticks of the OA timestamp." : "Clocks of the GPU's core.",
		.unit = is_time ? "ticks" : "cycles",
		.source = reader->source,
	};

	return tacho__arch_add_entry(reader->arch, &entry, TACHO__ADD_NEW);
}

/* Of the aggregating counters A7 to A20 count what the set writes into EU_PERF_CNTL0 to 6. */
int tacho__oa_is_programmed(const char *block, uint64_t event)
{
	if (!block || !*block)
		return 0;
	return strcmp(block, "A") != 0 || (event >= 7 && event <= 20);
}

static int add_counter(const struct tacho__oa_reader *reader, const char *kind, size_t kind_size,
		       const char *index_text)
{
	unsigned long index = strtoul(index_text, NULL, 0);
	const struct block *block = find_block(kind, kind_size);
	struct tacho_entry entry = {.kind = TACHO_ENTRY_COUNTER, .source = reader->source};
	int is_clock = kind_size > 4 && starts_with(kind, "GPU_");

	if (index > INDEX_MAX)
		return tacho__fail(TACHO_E_PARSE, "", "correct the equation",
				   "it reads %.*s %lu, and no report has so many counters",
				   (int)kind_size, kind, index);
	if (!block && !is_clock)
		return 0; /* the parser of equations knows what can be read */
	entry.name = is_clock ? tacho__catalog_text(reader->catalog, "%.*s", (int)kind_size, kind)
			      : tacho__catalog_text(reader->catalog, "%s%lu", block->name, index);
	if (!entry.name)
		return TACHO_E_NOMEM;
	if (tacho__arch_get_exact(tacho__arch_public(reader->arch), entry.name))
		return 0;
	if (is_clock)
		return add_clock(reader, entry.name);
	entry.block = block->name;
	entry.event = index;
	entry.is_programmed = (uint32_t)tacho__oa_is_programmed(block->name, index);
	entry.unit = block->unit;
	entry.description = tacho__catalog_text(reader->catalog,
						"%s %lu, as the reports of the OA unit have it.",
						block->counter, index);
	if (!entry.description || add_block(reader, block, (uint32_t)index))
		return TACHO_E_NOMEM;
	return tacho__arch_add_entry(reader->arch, &entry, TACHO__ADD_NEW);
}

int tacho__oa_add_raw(const struct tacho__oa_reader *reader, const char *name, uint32_t width_bits,
		      const char *unit, const char *description)
{
	size_t letters = strcspn(name, "0123456789");
	const struct block *block = find_block(name, letters);
	struct tacho_entry entry = {
		.name = name,
		.kind = TACHO_ENTRY_COUNTER,
		.type = TACHO_TYPE_U64,
		.width_bits = width_bits,
		.unit = unit,
		.description = description,
		.source = reader->source,
	};

	if (block) {
		entry.block = block->name;
		entry.event = strtoul(name + letters, NULL, 10);
		entry.is_programmed = (uint32_t)tacho__oa_is_programmed(entry.block, entry.event);
		if (add_block(reader, block, (uint32_t)entry.event))
			return TACHO_E_NOMEM;
	}
	return tacho__arch_add_entry(reader->arch, &entry, TACHO__ADD_NEW);
}

int tacho__oa_add_inputs(const struct tacho__oa_reader *reader, const char *expression)
{
	const char *words[2] = {"", ""}; /* the two before */
	size_t sizes[2] = {0, 0}, size;
	int rc = 0;

	for (const char *at = tacho__oa_word(expression, &size); size && !rc;
	     at = tacho__oa_word(at + size, &size)) {
		if (size == 4 && !strncmp(at, "READ", 4) && sizes[0]) {
			rc = add_counter(reader, words[0], sizes[0], words[1]);
		} else if (size == 8 && !strncmp(at, "READ_REG", 8) && sizes[1] > REGISTER_SIZE) {
			unsigned long number = strtoul(words[1] + REGISTER_SIZE, NULL, 10);
			char index[24]; /* registers are numbered from 1 */

			snprintf(index, sizeof(index), "%lu", number - 1);
			rc = add_counter(reader, words[1], REGISTER_SIZE, index);
		} else if (*at == '$' && size > 1) {
			const char *name =
				tacho__catalog_text(reader->catalog, "%.*s", (int)size - 1, at + 1);

			if (!name)
				return TACHO_E_NOMEM;
			if (tacho__oa_is_variable(name))
				rc = tacho__oa_add_variable(reader, name);
		}
		words[0] = words[1];
		sizes[0] = sizes[1];
		words[1] = at;
		sizes[1] = size;
	}
	return rc;
}

int tacho__oa_finish_metric(const struct tacho__oa_reader *reader, uint32_t line,
			    uint32_t low_watermark, uint32_t high_watermark,
			    struct tacho_entry *metric)
{
	const char *maximum = metric->maximum ? metric->maximum : "";
	double high;

	metric->kind = TACHO_ENTRY_METRIC;
	metric->notation = "oa";
	metric->source = reader->source;
	metric->range_low = metric->range_high = NAN;
	if (!tacho__number_parse(maximum, strlen(maximum), &high) && isfinite(high)) {
		metric->range_low = 0;
		metric->range_high = high;
	}
	if (high_watermark && !metric->advice)
		metric->advice = tacho__catalog_text(
			reader->catalog,
			"Up to %u %% is usual; from %u %% on this limits the work.", low_watermark,
			high_watermark);
	if (!reader->definitions->is_builtin)
		metric->file = tacho__catalog_text(reader->catalog, "%s:%u",
						   reader->definitions->file, line);
	if ((high_watermark && !metric->advice) ||
	    (!reader->definitions->is_builtin && !metric->file))
		return TACHO_E_NOMEM;
	return 0;
}
