/* SPDX-License-Identifier: MIT */
#include "gpa_splitter.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES_MAX = 256 };

struct pass {
	uint32_t *counters;
	size_t count;
	uint8_t *has; /* by counter */
	bool is_timed;
};

struct passes {
	const struct gpa_catalog *catalog;
	struct pass list[PASSES_MAX];
	size_t count;
	uint32_t cap;
};

static void *get(size_t size)
{
	void *memory = calloc(1, size ? size : 1);

	if (!memory)
		abort();
	return memory;
}

static void finish(struct passes *passes)
{
	for (size_t i = 0; i < passes->count; i++) {
		free(passes->list[i].counters);
		free(passes->list[i].has);
	}
	passes->count = 0;
}

static struct pass *open_pass(struct passes *passes)
{
	struct pass *pass = &passes->list[passes->count++];

	if (passes->count >= PASSES_MAX)
		abort();
	memset(pass, 0, sizeof(*pass));
	pass->counters = get(passes->catalog->counter_count * sizeof(*pass->counters));
	pass->has = get(passes->catalog->counter_count);
	return pass;
}

/* Different events of the stage that the pass has; SIZE_MAX: it has those of another stage. */
static size_t count_stage(const struct passes *passes, const struct pass *pass,
			  const struct gpa_counter *counter, bool *out_has)
{
	size_t count = 0;

	*out_has = false;
	for (size_t i = 0; i < pass->count; i++) {
		const struct gpa_counter *other = &passes->catalog->counters[pass->counters[i]];
		bool is_new = true;

		if (!other->stage)
			continue;
		if (other->stage != counter->stage)
			return SIZE_MAX;
		*out_has |= other->event == counter->event;
		for (size_t k = 0; k < i && is_new; k++) {
			const struct gpa_counter *before =
				&passes->catalog->counters[pass->counters[k]];

			is_new = !before->stage || before->event != other->event;
		}
		count += is_new;
	}
	return count;
}

/* Whether one more counter may enter the pass. */
static bool admits(const struct passes *passes, const struct pass *pass, uint32_t index)
{
	const struct gpa_counter *counter = &passes->catalog->counters[index];
	uint32_t used = 0;
	size_t staged;
	bool has;

	if (pass->count && (pass->is_timed || counter->is_time))
		return false;
	if (pass->count + 1 > passes->cap)
		return false;
	for (size_t i = 0; i < pass->count; i++)
		used += passes->catalog->counters[pass->counters[i]].block == counter->block;
	if (used + 1 > passes->catalog->block_slots[counter->block])
		return false;
	if (!counter->stage)
		return true;
	staged = count_stage(passes, pass, counter, &has);
	return staged != SIZE_MAX && (has || staged + 1 <= passes->catalog->stage_slots);
}

static void enter(struct passes *passes, struct pass *pass, uint32_t index)
{
	pass->counters[pass->count++] = index;
	pass->has[index] = 1;
	pass->is_timed |= passes->catalog->counters[index].is_time;
}

static void leave(struct pass *pass, size_t count)
{
	while (pass->count > count)
		pass->has[pass->counters[--pass->count]] = 0;
}

/* The counters of one metric into the first pass that takes each. */
static void split_alone(struct passes *passes, const struct gpa_metric *metric)
{
	for (size_t i = 0; i < metric->count; i++) {
		size_t at = 0;

		while (at < passes->count && !passes->list[at].has[metric->counters[i]] &&
		       !admits(passes, &passes->list[at], metric->counters[i]))
			at++;
		if (at == passes->count)
			open_pass(passes);
		if (!passes->list[at].has[metric->counters[i]])
			enter(passes, &passes->list[at], metric->counters[i]);
	}
}

static bool has_all(const struct pass *pass, const struct pass *part)
{
	for (size_t i = 0; i < part->count; i++)
		if (!pass->has[part->counters[i]])
			return false;
	return true;
}

static bool is_anywhere(const struct passes *passes, const struct pass *part)
{
	for (size_t i = 0; i < passes->count; i++)
		if (has_all(&passes->list[i], part))
			return true;
	return false;
}

/* Puts a part into a pass wholly, or leaves the pass as it was. */
static bool put(struct passes *passes, struct pass *pass, const struct pass *part)
{
	size_t before = pass->count;

	for (size_t i = 0; i < part->count; i++) {
		if (pass->has[part->counters[i]])
			continue;
		if (!admits(passes, pass, part->counters[i])) {
			leave(pass, before);
			return false;
		}
		enter(passes, pass, part->counters[i]);
	}
	return true;
}

/* All parts from a pass on, or nothing changed. */
static bool put_from(struct passes *passes, size_t start, const struct passes *parts)
{
	size_t before[PASSES_MAX] = {0}, pass_count = passes->count;
	bool good = true;

	for (size_t i = 0; i < passes->count; i++)
		before[i] = passes->list[i].count;
	for (size_t part = 0; part < parts->count && good; part++) {
		if (is_anywhere(passes, &parts->list[part]))
			continue;
		while (passes->count <= start + part)
			open_pass(passes);
		good = put(passes, &passes->list[start + part], &parts->list[part]);
	}
	if (good)
		return true;
	for (size_t i = 0; i < pass_count; i++) {
		leave(&passes->list[i], before[i]);
		if (!before[i])
			passes->list[i].is_timed = false;
	}
	while (passes->count > pass_count) {
		passes->count--;
		free(passes->list[passes->count].counters);
		free(passes->list[passes->count].has);
	}
	return false;
}

static size_t drop_empty(const struct passes *passes)
{
	size_t count = 0;

	for (size_t i = 0; i < passes->count; i++)
		count += passes->list[i].count > 0;
	return count;
}

static size_t consolidate(const struct gpa_catalog *catalog,
			  const struct gpa_metric *const *metrics, size_t count)
{
	struct passes *parts = get(count * sizeof(*parts));
	struct passes *passes = get(sizeof(*passes));
	size_t result;

	passes->catalog = catalog;
	passes->cap = catalog->cap;
	for (size_t i = 0; i < count; i++) {
		parts[i].catalog = catalog;
		parts[i].cap = UINT32_MAX;
		split_alone(&parts[i], metrics[i]);
		for (size_t k = 0; k < parts[i].count; k++)
			if (parts[i].list[k].count > passes->cap)
				passes->cap = (uint32_t)parts[i].list[k].count;
	}
	for (size_t i = 0; i < count; i++) {
		size_t start = 0;

		while (!put_from(passes, start, &parts[i]))
			start++;
	}
	result = drop_empty(passes);
	finish(passes);
	for (size_t i = 0; i < count; i++)
		finish(&parts[i]);
	free(parts);
	free(passes);
	return result;
}

size_t gpa_splitter_count(const struct gpa_catalog *catalog,
			  const struct gpa_metric *const *metrics, size_t count,
			  enum gpa_splitter how)
{
	struct passes *passes;
	size_t result = 0;

	if (how == GPA_CONSOLIDATED)
		return consolidate(catalog, metrics, count);
	passes = get(sizeof(*passes));
	passes->catalog = catalog;
	passes->cap = 300; /* the other splitters' own limit */
	for (size_t i = 0; i < count; i++) {
		split_alone(passes, metrics[i]);
		if (how == GPA_MAX_PER_PASS)
			continue;
		result += passes->count;
		finish(passes);
	}
	if (how == GPA_MAX_PER_PASS)
		result = passes->count;
	finish(passes);
	free(passes);
	return result;
}
