/* SPDX-License-Identifier: MIT */
/* Entries by a list of names, globs and sets. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/nearest.h"
#include "catalog/arch.h"

enum { HINT_COUNT = 3 };

struct list {
	const struct tacho_arch *arch;
	struct tacho__map seen; /* pointers to entries */
	const struct tacho_entry **entries;
	size_t count, capacity;
};

static int add(struct list *list, const struct tacho_entry *entry)
{
	if (tacho__map_get(&list->seen, (uintptr_t)entry))
		return 0;
	if (tacho__map_set(&list->seen, (uintptr_t)entry, list))
		return TACHO_E_NOMEM;
	return tacho__array_add(&list->entries, &list->capacity, &list->count, &entry,
				sizeof(entry));
}

/* There is a way to a number: a device counts it, or a formula is known. */
static int is_countable(const struct tacho_entry *entry)
{
	return entry->kind == TACHO_ENTRY_COUNTER ||
	       (entry->kind == TACHO_ENTRY_METRIC && *entry->expression);
}

static int fail_word(const struct list *list, const char *word)
{
	const struct tacho_entry *near[HINT_COUNT];
	size_t count = tacho_arch_find_nearest(list->arch, word, near, HINT_COUNT);
	struct tacho__buf text = {0};
	int rc;

	for (size_t i = 0; i < count; i++)
		tacho__buf_printf(&text, "%s%s", i ? ", " : "the nearest names are ",
				  near[i]->name);
	rc = tacho__fail(TACHO_E_NOTFOUND, "", tacho__buf_text(&text),
			 "%s has no counter, metric or set \"%s\"", list->arch->name, word);
	tacho__buf_finish(&text);
	return rc;
}

static int add_set(struct list *list, const char *name)
{
	const struct tacho_set *set = tacho_arch_find_set(list->arch, name);
	const void *things[HINT_COUNT];
	unsigned scores[HINT_COUNT];
	struct tacho__nearest nearest = {things, scores, HINT_COUNT, 0};
	struct tacho__buf text = {0};
	int rc = 0;

	for (size_t i = 0; set && i < set->entry_count && !rc; i++)
		rc = add(list, set->entries[i]);
	if (set)
		return rc;
	for (size_t i = 0; (set = tacho_arch_get_set(list->arch, i)); i++)
		tacho__nearest_offer(&nearest, set->name, tacho_nearest_score(name, set->name));
	for (size_t i = 0; i < nearest.used; i++)
		tacho__buf_printf(&text, "%s%s", i ? ", " : "the nearest names are ",
				  (const char *)things[i]);
	rc = tacho__fail(TACHO_E_NOTFOUND, nearest.used ? "" : "it has no sets",
			 tacho__buf_text(&text), "%s has no set \"%s\"", list->arch->name, name);
	tacho__buf_finish(&text);
	return rc;
}

static int add_fitting(struct list *list, int of_commands, const char *glob, int flags,
		       size_t *out_found)
{
	const struct tacho_entry *entry;
	int rc = 0;

	for (size_t i = 0; !rc; i++) {
		entry = of_commands ? tacho_command_get_entry(i)
				    : tacho_arch_get_entry(list->arch, i);
		if (!entry)
			break;
		if (!is_countable(entry) || fnmatch(glob, entry->name, flags))
			continue;
		++*out_found;
		rc = add(list, entry);
	}
	return rc;
}

/* Names with the case as written, else names with case ignored; its own, else those of commands. */
static int add_glob(struct list *list, const char *glob)
{
	size_t found = 0;
	int rc = add_fitting(list, 0, glob, 0, &found);

	if (!rc && !found)
		rc = add_fitting(list, 0, glob, FNM_CASEFOLD, &found);
	if (!rc && !found)
		rc = add_fitting(list, 1, glob, 0, &found);
	return rc || found ? rc : fail_word(list, glob);
}

static int add_word(struct list *list, const char *word)
{
	const struct tacho_entry *entry = tacho_arch_find_entry(list->arch, word);

	if (entry)
		return add(list, entry);
	if (!strncasecmp(word, "set:", 4))
		return add_set(list, word + 4);
	if (!strcasecmp(word, "all"))
		return add_glob(list, "*");
	if (strpbrk(word, "*?["))
		return add_glob(list, word);
	return fail_word(list, word);
}

/* The word without blanks around it. */
static char *trim(char *word)
{
	size_t length;

	word += strspn(word, " \t\r\n");
	length = strlen(word);
	while (length && strchr(" \t\r\n", word[length - 1]))
		word[--length] = '\0';
	return word;
}

int tacho_arch_list_entries(const struct tacho_arch *arch, const char *list_text,
			    const struct tacho_entry ***out_entries, size_t *out_count)
{
	struct list list = {.arch = arch};
	char *copy, *rest, *word;
	int rc = 0;

	if (!arch || !list_text || !out_entries || !out_count)
		return tacho__fail_null(__func__);
	copy = rest = strdup(list_text);
	if (!copy)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a list of names");
	while (!rc && (word = strsep(&rest, ",")) != NULL) {
		word = trim(word);
		if (*word)
			rc = add_word(&list, word);
	}
	if (!rc && !list.count)
		rc = tacho__fail(TACHO_E_NOTFOUND, tacho__detail("the list is \"%s\"", list_text),
				 "name counters, metrics, \"set:NAME\" or \"all\"",
				 "nothing is named");
	free(copy);
	tacho__map_finish(&list.seen);
	if (rc) {
		free(list.entries);
		return rc;
	}
	*out_entries = list.entries;
	*out_count = list.count;
	return 0;
}
