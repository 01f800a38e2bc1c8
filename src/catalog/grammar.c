/* SPDX-License-Identifier: MIT */
/* Names in the grammar become entries, each once. */
#include "catalog/grammar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const char source[] = "tacho, docs/grammar.md";

int tacho__grammar_create(struct tacho__grammar **out_grammar)
{
	struct tacho__grammar *grammar = calloc(1, sizeof(*grammar));

	if (!grammar)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for names of metrics");
	pthread_mutex_init(&grammar->lock, NULL);
	*out_grammar = grammar;
	return 0;
}

void tacho__grammar_destroy(struct tacho__grammar *grammar)
{
	if (!grammar)
		return;
	tacho__names_finish(&grammar->by_name);
	tacho__names_finish(&grammar->bases);
	tacho__arena_finish(&grammar->arena);
	pthread_mutex_destroy(&grammar->lock);
	free(grammar);
}

/*
 * The longest base that the architecture has. A name that is one as a whole has nothing behind it:
 * the counter x_sum is itself, and its sum x_sum_sum.
 */
bool tacho__grammar_parse(const struct tacho_arch *arch, const char *name, bool ignores_case,
			  struct tacho__base *out_base, struct tacho__ending *out_ending)
{
	size_t size = strlen(name);
	char base[TACHO__METRIC_NAME_MAX + 1];

	if (size > TACHO__METRIC_NAME_MAX)
		return false;
	if (tacho__base_find(arch, name, ignores_case, out_base)) {
		*out_ending = (struct tacho__ending){0};
		return true;
	}
	for (size_t i = size; i-- > 1 && size - i < TACHO__ENDING_MAX;) {
		if ((name[i] != '_' && name[i] != '.') ||
		    !tacho__ending_parse(name + i, ignores_case, out_ending))
			continue;
		snprintf(base, sizeof(base), "%.*s", (int)i, name);
		if (tacho__base_find(arch, base, ignores_case, out_base))
			return true;
	}
	return false;
}

/* The texts of an entry, before they have a place. */
struct texts {
	struct tacho__buf name, unit, description;
	struct tacho__written written;
};

static void finish_texts(struct texts *texts)
{
	tacho__buf_finish(&texts->name);
	tacho__written_finish(&texts->written);
	tacho__buf_finish(&texts->unit);
	tacho__buf_finish(&texts->description);
}

/* The base as it was spelled, but for its case, and the ending. */
static void put_name(const struct tacho_arch *arch, const struct tacho__base *base,
		     const struct tacho__ending *ending, struct tacho__buf *name)
{
	const char *own = base->entry->name;

	if (base->is_sol)
		tacho__buf_printf(name, "%.*s__sol", (int)(strlen(own) - strlen("__throughput")),
				  own);
	else if (base->is_by_unit)
		tacho__base_format(arch, base, name);
	else
		tacho__buf_put(name, own);
	tacho__buf_put(name, tacho__ending_format(ending));
}

static const struct tacho_entry *get_made(struct tacho__grammar *grammar, const char *name)
{
	const struct tacho_entry *entry;

	pthread_mutex_lock(&grammar->lock);
	entry = tacho__names_get(&grammar->by_name, name);
	pthread_mutex_unlock(&grammar->lock);
	return entry;
}

/* It is only asked where the expression says nothing. */
static const char *get_semantic(const struct tacho__ending *ending, const char *of_base)
{
	return tacho__ending_adds_up(ending) ? of_base : "ratio";
}

/* The names that numbers in the expression stand for, and the expression. */
static bool keep_expression(struct tacho__arena *arena, const struct tacho__written *written,
			    struct tacho_entry *entry)
{
	const char **inputs = tacho__arena_get(arena, (written->input_count + 1) * sizeof(*inputs));
	const char *at =
		tacho__arena_text(arena, tacho__buf_text(&written->inputs), written->inputs.size);

	entry->expression = tacho__arena_string(arena, tacho__buf_text(&written->expression));
	entry->notation = written->notation;
	entry->inputs = inputs;
	entry->input_count = written->input_count;
	if (!inputs || !at || !entry->expression)
		return false;
	for (size_t i = 0; i < written->input_count; i++, at += strlen(at) + 1)
		inputs[i] = at;
	return true;
}

/* The entry in its place; another thread may have made it meanwhile. */
static const struct tacho_entry *keep(struct tacho__grammar *grammar,
				      const struct tacho_entry *entry,
				      const struct tacho__written *written)
{
	struct tacho__arena *arena = &grammar->arena;
	struct tacho_entry *own = tacho__names_get(&grammar->by_name, entry->name);

	if (own)
		return own;
	own = tacho__arena_get(arena, sizeof(*own));
	if (!own)
		return NULL;
	*own = *entry;
	own->name = tacho__arena_string(arena, entry->name);
	own->unit = tacho__arena_string(arena, entry->unit);
	own->description = tacho__arena_string(arena, entry->description);
	if (!own->name || !own->unit || !own->description ||
	    !keep_expression(arena, written, own) ||
	    tacho__names_set(&grammar->by_name, own->name, own))
		return NULL;
	return own;
}

static int add(const struct tacho_arch *arch, const struct tacho__base *base,
	       const struct tacho__ending *ending, const struct texts *texts,
	       const struct tacho_entry **out_entry)
{
	struct tacho__grammar *grammar = tacho__arch_of(arch)->grammar;
	const char *of_base = tacho_arch_get_semantic(arch, base->entry);
	struct tacho_entry entry = {
		.name = tacho__buf_text(&texts->name),
		.kind = TACHO_ENTRY_METRIC,
		.type = TACHO_TYPE_F64,
		.description = tacho__buf_text(&texts->description),
		.group = base->entry->group,
		.unit = tacho__buf_text(&texts->unit),
		.range_low = base->entry->kind == TACHO_ENTRY_COUNTER ? 0 : NAN,
		.range_high = NAN, /* peaks may be exceeded */
		.caveat = base->entry->caveat,
		.source = source,
	};
	const struct tacho_entry *own;

	if (!of_base || texts->name.failed || texts->unit.failed || texts->description.failed ||
	    texts->written.expression.failed || texts->written.inputs.failed)
		return TACHO_E_NOMEM;
	entry.semantic = get_semantic(ending, of_base);
	tacho__entry_complete(&entry);
	pthread_mutex_lock(&grammar->lock);
	own = keep(grammar, &entry, &texts->written);
	pthread_mutex_unlock(&grammar->lock);
	*out_entry = own;
	return own ? 0 : TACHO_E_NOMEM;
}

static int make(const struct tacho_arch *arch, const struct tacho__base *base,
		const struct tacho__ending *ending, char reason[TACHO__REASON_MAX],
		const struct tacho_entry **out_entry)
{
	struct texts texts = {0};
	const struct tacho_entry *made;
	int rc = 0;

	put_name(arch, base, ending, &texts.name);
	made = get_made(tacho__arch_of(arch)->grammar, tacho__buf_text(&texts.name));
	if (made) {
		*out_entry = made;
	} else if (!tacho__grammar_write(arch, base, ending, &texts.written, reason)) {
		rc = texts.written.expression.failed ? TACHO_E_NOMEM : TACHO_E_UNSUPPORTED;
	} else {
		tacho__grammar_describe(arch, base, ending, &texts.unit, &texts.description);
		rc = add(arch, base, ending, &texts, out_entry);
	}
	finish_texts(&texts);
	return rc;
}

int tacho__grammar_find(const struct tacho_arch *arch, const char *name, bool ignores_case,
			char reason[TACHO__REASON_MAX], const struct tacho_entry **out_entry)
{
	struct tacho__ending ending;
	struct tacho__base base;

	if (!tacho__arch_of(arch)->grammar ||
	    !tacho__grammar_parse(arch, name, ignores_case, &base, &ending))
		return TACHO_E_NOTFOUND;
	if (!base.family && !ending.rollup && ending.submetric == TACHO__SUB_VALUE) {
		*out_entry = base.entry;
		return 0;
	}
	return make(arch, &base, &ending, reason, out_entry);
}

/* In percent of its peak, as an average of all cycles that passed. */
static int complete_throughput(struct tacho__arch *arch, struct tacho_entry *entry)
{
	static const struct tacho__ending ending = {.rollup = TACHO__ROLLUP_AVG,
						    .submetric = TACHO__SUB_PCT_ELAPSED};
	const struct tacho__base base = {.entry = entry};
	struct tacho__arena *arena = &arch->catalog->arena;
	struct tacho__written written = {0};
	char reason[TACHO__REASON_MAX];
	bool is_written = tacho__grammar_write(&arch->arch, &base, &ending, &written, reason);
	bool good = !written.expression.failed && !written.inputs.failed;

	if (good && is_written)
		good = keep_expression(arena, &written, entry);
	else if (good)
		entry->caveat =
			tacho__catalog_text(arch->catalog, "It cannot be worked out: %s.", reason);
	tacho__written_finish(&written);
	if (!*entry->unit)
		entry->unit = "percent";
	entry->range_low = 0;
	entry->range_high = NAN; /* peaks may be exceeded */
	return good && entry->caveat ? 0 : TACHO_E_NOMEM;
}

int tacho__grammar_complete(struct tacho__arch *arch)
{
	int rc = 0;

	for (size_t i = 0; i < arch->entry_count && !rc; i++)
		if (arch->entries[i]->part_count && !*arch->entries[i]->expression)
			rc = complete_throughput(arch, arch->entries[i]);
	return rc;
}
