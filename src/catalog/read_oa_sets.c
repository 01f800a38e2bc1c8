/* SPDX-License-Identifier: MIT */
/* Counters of many sets become entries: one for each thing that a symbol means. */
#include "catalog/read_oa.h"

#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "catalog/arch.h"

enum { NEW, VISITING, KNOWN, LEFT_OUT };

/* No chain of references is as long in any known file. */
enum { REFERENCES_MAX = 100 };

struct work {
	const struct tacho__oa_reader *reader;
	struct tacho__oa_set **sets;
	size_t set_count;
	struct tacho__names identities; /* of definitions: text to number */
	uint32_t identity_count;
	struct tacho__names by_symbol; /* to the first metric */
	struct tacho__map by_meaning;  /* variant of a symbol to its first metric */
	uint32_t symbol_count;
};

static int visit(struct work *work, struct tacho__oa_set *set, struct tacho__oa_metric *metric,
		 int depth);

static int leave_out(struct work *work, struct tacho__oa_metric *metric, const char *message,
		     const char *name)
{
	metric->state = LEFT_OUT;
	return tacho__mistake(work->reader->definitions, metric->line, metric->entry.name, message,
			      name);
}

static int visit_reference(struct work *work, struct tacho__oa_set *set,
			   struct tacho__oa_metric *metric, const char *name, int depth,
			   struct tacho__buf *definition)
{
	struct tacho__oa_metric *other = tacho__names_get(&set->by_symbol, name);
	int rc;

	if (!other && tacho__oa_is_variable(name))
		return 0;
	if (!other)
		return leave_out(work, metric,
				 "its expression needs $%.100s, which is neither a counter of the "
				 "set nor a known variable",
				 name);
	if (other->state == VISITING || depth > REFERENCES_MAX)
		return leave_out(
			work, metric,
			"its equation comes back to itself, or never ends, through $%.100s", name);
	rc = visit(work, set, other, depth + 1);
	if (!rc && other->state == LEFT_OUT)
		return leave_out(work, metric, "it needs $%.100s, which was left out", name);
	tacho__buf_printf(definition, "\x1f%u", other->identity);
	return rc;
}

/* Its own texts and the identities of what it refers to, as one text. */
static int define(struct work *work, struct tacho__oa_set *set, struct tacho__oa_metric *metric,
		  int depth, struct tacho__buf *definition)
{
	const struct tacho_entry *entry = &metric->entry;
	const char *texts[] = {entry->expression, entry->maximum, entry->availability};
	size_t size;
	int rc = 0;

	tacho__buf_printf(definition, "%d\x1f%s\x1f%s\x1f%s\x1f%s", entry->type, entry->unit,
			  entry->expression, entry->maximum, entry->availability);
	for (size_t i = 0; i < 3; i++) {
		for (const char *at = tacho__oa_word(texts[i], &size);
		     size && !rc && metric->state == VISITING;
		     at = tacho__oa_word(at + size, &size)) {
			const char *name;

			if (*at != '$')
				continue;
			name = tacho__catalog_text(work->reader->catalog, "%.*s", (int)size - 1,
						   at + 1);
			rc = name ? visit_reference(work, set, metric, name, depth, definition)
				  : TACHO_E_NOMEM;
		}
	}
	return rc;
}

/* The number of a definition; equal ones have the same. */
static int identify(struct work *work, const struct tacho__buf *definition, uint32_t *out_identity)
{
	const char *text = tacho__buf_text(definition);
	uintptr_t known = (uintptr_t)tacho__names_get(&work->identities, text);

	if (definition->failed)
		return TACHO_E_NOMEM;
	if (!known) {
		text = tacho__catalog_text(work->reader->catalog, "%s", text);
		known = ++work->identity_count;
		if (!text || tacho__names_set(&work->identities, text, (void *)known))
			return TACHO_E_NOMEM;
	}
	*out_identity = (uint32_t)known;
	return 0;
}

static int visit(struct work *work, struct tacho__oa_set *set, struct tacho__oa_metric *metric,
		 int depth)
{
	struct tacho__buf definition = {0};
	int rc;

	if (metric->state != NEW)
		return 0;
	metric->state = VISITING;
	rc = define(work, set, metric, depth, &definition);
	if (!rc && metric->state == VISITING) {
		rc = identify(work, &definition, &metric->identity);
		metric->state = KNOWN;
	}
	tacho__buf_finish(&definition);
	return rc;
}

/* Puts a metric to the first one of its symbol and meaning. */
static int place(struct work *work, struct tacho__oa_metric *metric)
{
	struct tacho__oa_metric *symbol = tacho__names_get(&work->by_symbol, metric->entry.name);
	struct tacho__oa_metric *first;
	uint64_t key;

	if (!symbol) {
		symbol = metric;
		symbol->symbol = ++work->symbol_count;
		if (tacho__names_set(&work->by_symbol, metric->entry.name, metric))
			return TACHO_E_NOMEM;
	}
	metric->of_symbol = symbol;
	key = (uint64_t)symbol->symbol << 32 | metric->identity;
	first = tacho__map_get(&work->by_meaning, key);
	if (!first) {
		first = metric->last_same = metric;
		symbol->variants++;
		metric->is_main = symbol == metric;
		if (tacho__map_set(&work->by_meaning, key, metric))
			return TACHO_E_NOMEM;
	} else {
		first->last_same->next_same = metric;
		first->last_same = metric;
	}
	metric->first = first;
	return 0;
}

/* The entry's name and aliases, once all sets are known. */
static int name_metric(struct work *work, struct tacho__oa_metric *metric)
{
	struct tacho_catalog *catalog = work->reader->catalog;
	const char *symbol = metric->entry.name, **aliases;
	size_t count = 1;

	metric->name = symbol;
	if (metric->of_symbol->variants == 1)
		return 0;
	metric->name = tacho__catalog_text(catalog, "%s.%s", metric->set, symbol);
	for (struct tacho__oa_metric *same = metric; same; same = same->next_same)
		count++;
	aliases = tacho__arena_get(tacho__catalog_arena(catalog), count * sizeof(*aliases));
	if (!metric->name || !aliases)
		return TACHO_E_NOMEM;
	metric->entry.aliases = aliases;
	if (metric->is_main)
		aliases[metric->entry.alias_count++] = symbol;
	for (struct tacho__oa_metric *same = metric->next_same; same; same = same->next_same) {
		const char *alias = tacho__catalog_text(catalog, "%s.%s", same->set, symbol);

		if (!alias)
			return TACHO_E_NOMEM;
		aliases[metric->entry.alias_count++] = alias;
	}
	return 0;
}

/* A reference to what the bare symbol does not mean gets the full name: "$SET.SYMBOL". */
static int qualify(struct work *work, const struct tacho__oa_set *set, const char **expression)
{
	struct tacho__buf text = {0};
	int is_changed = 0, rc;
	size_t size;

	for (const char *at = tacho__oa_word(*expression, &size); size;
	     at = tacho__oa_word(at + size, &size)) {
		struct tacho__oa_metric *other = NULL;
		char name[128] = "";

		if (*at == '$' && size < sizeof(name)) {
			memcpy(name, at + 1, size - 1);
			other = tacho__names_get(&set->by_symbol, name);
		}
		if (text.size)
			tacho__buf_char(&text, ' ');
		if (other && other->first && !other->first->is_main) {
			tacho__buf_printf(&text, "$%s", other->first->name);
			is_changed = 1;
		} else {
			tacho__buf_add(&text, at, size);
		}
	}
	if (is_changed)
		*expression =
			tacho__catalog_text(work->reader->catalog, "%s", tacho__buf_text(&text));
	rc = text.failed || !*expression ? TACHO_E_NOMEM : 0;
	tacho__buf_finish(&text);
	return rc;
}

static int add_metric(struct work *work, struct tacho__oa_set *set, struct tacho__oa_metric *metric)
{
	const struct tacho__oa_reader *reader = work->reader;
	struct tacho_entry *entry = &metric->entry;
	const char *texts[] = {entry->expression, entry->maximum, entry->availability};
	const struct tacho_entry *there =
		tacho__arch_get_exact(tacho__arch_public(reader->arch), metric->name);
	int rc = 0;

	if (there && there->kind != TACHO_ENTRY_METRIC)
		return leave_out(work, metric,
				 "%.100s is the name of a raw counter or a variable; rename it",
				 metric->name);
	for (size_t i = 0; i < 3 && !rc; i++)
		rc = tacho__oa_add_inputs(reader, texts[i]);
	if (rc == TACHO_E_PARSE)
		return leave_out(work, metric, "%.200s", tacho_error_last()->message);
	if (!rc)
		rc = qualify(work, set, &entry->expression);
	if (!rc)
		rc = qualify(work, set, &entry->maximum);
	if (!rc)
		rc = tacho__oa_finish_metric(reader, metric->line, metric->low_watermark,
					     metric->high_watermark, entry);
	entry->name = metric->name;
	return rc ? rc : tacho__arch_add_entry(reader->arch, entry, TACHO__ADD_OR_REPLACE);
}

static int for_each(struct work *work, int (*call)(struct work *work, struct tacho__oa_set *set,
						   struct tacho__oa_metric *metric))
{
	int rc = 0;

	for (size_t i = 0; i < work->set_count; i++)
		for (size_t j = 0; j < work->sets[i]->metric_count && !rc; j++)
			if (work->sets[i]->metrics[j]->state != LEFT_OUT)
				rc = call(work, work->sets[i], work->sets[i]->metrics[j]);
	return rc;
}

static int visit_one(struct work *work, struct tacho__oa_set *set, struct tacho__oa_metric *metric)
{
	return visit(work, set, metric, 0);
}

static int place_one(struct work *work, struct tacho__oa_set *set, struct tacho__oa_metric *metric)
{
	return place(work, metric);
}

static int name_one(struct work *work, struct tacho__oa_set *set, struct tacho__oa_metric *metric)
{
	return metric->first == metric ? name_metric(work, metric) : 0;
}

static int add_one(struct work *work, struct tacho__oa_set *set, struct tacho__oa_metric *metric)
{
	return metric->first == metric ? add_metric(work, set, metric) : 0;
}

static int add_set(struct work *work, struct tacho__oa_set *set)
{
	struct tacho__arena *arena = tacho__catalog_arena(work->reader->catalog);
	const char **names = tacho__arena_get(arena, (set->metric_count + 1) * sizeof(*names));
	struct tacho_register *registers =
		tacho__arena_get(arena, (set->register_count + 1) * sizeof(*registers));
	size_t count = 0;

	if (!names || !registers)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < set->metric_count; i++)
		if (set->metrics[i]->state == KNOWN && set->metrics[i]->first->state == KNOWN)
			names[count++] = set->metrics[i]->first->name;
	if (set->register_count)
		memcpy(registers, set->registers, set->register_count * sizeof(*registers));
	set->set.registers = registers;
	set->set.register_count = set->register_count;
	set->set.is_exclusive = 1;
	return tacho__arch_add_set(work->reader->arch, &set->set, names, count);
}

int tacho__oa_add_sets(const struct tacho__oa_reader *reader, struct tacho__oa_set **sets,
		       size_t count)
{
	struct work work = {.reader = reader, .sets = sets, .set_count = count};
	int rc = for_each(&work, visit_one);

	if (!rc)
		rc = for_each(&work, place_one);
	if (!rc)
		rc = for_each(&work, name_one);
	if (!rc)
		rc = for_each(&work, add_one);
	for (size_t i = 0; i < count && !rc; i++)
		rc = add_set(&work, sets[i]);
	tacho__names_finish(&work.identities);
	tacho__names_finish(&work.by_symbol);
	tacho__map_finish(&work.by_meaning);
	return rc;
}
