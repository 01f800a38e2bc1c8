/* SPDX-License-Identifier: MIT */
/* All names that the grammar has for an architecture, as bases and endings. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "catalog/grammar.h"

struct list {
	const struct tacho_arch *arch;
	struct tacho_metric_base *bases;
	size_t count, capacity;
	struct tacho__names families; /* names of bases of families that are in the list */
};

static int list_endings(const struct tacho_arch *arch, const struct tacho__base *base,
			uint64_t *out_endings)
{
	enum tacho__base_kind kind = tacho__base_kind(arch, base);
	struct tacho__ending ending;
	uint64_t endings = 0;

	if (kind == TACHO__BASE_UNKNOWN)
		return TACHO_E_NOMEM;
	for (size_t i = 0; tacho__ending_get(i, &ending); i++) {
		bool has = false;

		if (tacho__grammar_has(arch, base, kind, &ending, &has))
			return TACHO_E_NOMEM;
		if (has)
			endings |= UINT64_C(1) << i;
	}
	*out_endings = endings;
	return 0;
}

/* The text, once for all lists. NULL: no memory. */
static const char *intern(struct tacho__grammar *grammar, const char *text)
{
	const char *own;

	pthread_mutex_lock(&grammar->lock);
	own = tacho__names_get(&grammar->bases, text);
	if (!own) {
		own = tacho__arena_string(&grammar->arena, text);
		if (own && tacho__names_set(&grammar->bases, own, (void *)own))
			own = NULL;
	}
	pthread_mutex_unlock(&grammar->lock);
	return own;
}

static const char *keep_name(const struct list *list, const struct tacho__base *base)
{
	struct tacho__buf text = {0};
	const char *name = NULL;

	tacho__base_format(list->arch, base, &text);
	if (!text.failed)
		name = intern(tacho__arch_of(list->arch)->grammar, tacho__buf_text(&text));
	tacho__buf_finish(&text);
	return name;
}

static int add(struct list *list, const struct tacho__base *base, const char *name)
{
	struct tacho_metric_base added = {
		.name = name, .entry = base->entry, .is_of_family = base->family != NULL};
	int rc = list_endings(list->arch, base, &added.endings);

	return rc ? rc
		  : tacho__array_add(&list->bases, &list->capacity, &list->count, &added,
				     sizeof(added));
}

static bool is_base(const struct tacho_entry *entry)
{
	return entry->kind == TACHO_ENTRY_COUNTER ||
	       (entry->kind == TACHO_ENTRY_METRIC && *entry->expression);
}

/* That of the family of a counter's block, once, unless the name means something else. */
static int add_family(struct list *list, const struct tacho_entry *entry)
{
	struct tacho__base base, found;
	struct tacho__ending ending;
	const char *name;

	if (!tacho__base_of_family(list->arch, entry, &base))
		return 0;
	name = keep_name(list, &base);
	if (!name)
		return TACHO_E_NOMEM;
	if (tacho__names_get(&list->families, name) ||
	    !tacho__grammar_parse(list->arch, name, false, &found, &ending) || !found.family)
		return 0;
	if (tacho__names_set(&list->families, name, (void *)name))
		return TACHO_E_NOMEM;
	return add(list, &found, name);
}

int tacho_arch_list_metric_bases(const struct tacho_arch *arch,
				 struct tacho_metric_base **out_bases, size_t *out_count)
{
	struct list list = {.arch = arch};
	const struct tacho_entry *entry;
	int rc = 0;

	if (!arch || !out_bases || !out_count)
		return tacho__fail_null(__func__);
	/* of an architecture whose names a library makes it has none */
	for (size_t i = 0;
	     !rc && tacho__arch_of(arch)->grammar && (entry = tacho_arch_get_entry(arch, i)); i++) {
		const struct tacho__base base = {.entry = entry};
		const char *name = is_base(entry) ? keep_name(&list, &base) : NULL;

		if (is_base(entry))
			rc = name ? add(&list, &base, name) : TACHO_E_NOMEM;
	}
	for (size_t i = 0;
	     !rc && tacho__arch_of(arch)->grammar && (entry = tacho_arch_get_entry(arch, i)); i++)
		rc = add_family(&list, entry);
	tacho__names_finish(&list.families);
	if (rc) {
		free(list.bases);
		return rc;
	}
	*out_bases = list.bases;
	*out_count = list.count;
	return 0;
}

int tacho_arch_format_metric_name(const struct tacho_arch *arch, const struct tacho_entry *entry,
				  char **out_text)
{
	const struct tacho__base base = {.entry = entry};
	struct tacho__buf text = {0};

	if (!arch || !entry || !out_text)
		return tacho__fail_null(__func__);
	if (entry->kind == TACHO_ENTRY_CONSTANT)
		return tacho__fail(TACHO_E_INVAL, "it is a constant", "name a counter or metric",
				   "%s has no name in the grammar", entry->name);
	if (!tacho__arch_of(arch)->grammar)
		return tacho__fail(TACHO_E_INVAL, "names are those of the vendor's library",
				   "take the entry's own name", "%s has no grammar", arch->name);
	tacho__base_format(arch, &base, &text);
	if (text.failed) {
		tacho__buf_finish(&text);
		return TACHO_E_NOMEM;
	}
	*out_text = text.text;
	return 0;
}
