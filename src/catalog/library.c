/* SPDX-License-Identifier: MIT */
/* Architectures of vendors' libraries: when these are asked, and what they said. */
#include "catalog/library.h"

#include <fnmatch.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "catalog/arch.h"
#include "catalog/grammar.h"

enum { NAME_MAX_BYTES = 1024 };

/* What was asked so far stays: entries have one address each. */
struct tacho__library_part {
	const struct tacho__arch_library *library;
	void *user;
	pthread_mutex_t lock; /* of what follows */
	struct tacho__arena arena;
	struct tacho__names by_name;
};

int tacho__library_is_like(const char *globs, const char *name)
{
	char glob[64];

	while (*globs) {
		size_t size = strcspn(globs, " ");

		if (size < sizeof(glob)) {
			memcpy(glob, globs, size);
			glob[size] = '\0';
			if (!fnmatch(glob, name, FNM_CASEFOLD))
				return 1;
		}
		globs += size + (globs[size] == ' ');
	}
	return 0;
}

static int is_asked(const struct tacho__library *library, const char *arch, const char *api)
{
	if ((!arch && !api) || (!api && library->is_named_only))
		return 0;
	return (!api || !strcasecmp(api, library->api)) &&
	       (!arch || tacho__library_is_like(library->archs, arch));
}

int tacho__catalog_asks_library(const char *arch, const char *api)
{
	for (size_t i = 0; tacho__libraries[i]; i++)
		if (is_asked(tacho__libraries[i], arch, api))
			return 1;
	return 0;
}

int tacho__catalog_read_libraries(struct tacho_catalog *catalog, const char *arch, const char *api)
{
	int rc = 0;

	for (size_t i = 0; tacho__libraries[i] && !rc; i++)
		if (is_asked(tacho__libraries[i], arch, api))
			rc = tacho__libraries[i]->read(catalog, arch);
	return rc;
}

int tacho__catalog_set_missing(struct tacho_catalog *catalog, const char *cause, const char *cure)
{
	catalog->missing_cause = tacho__catalog_text(catalog, "%s", cause);
	catalog->missing_cure = tacho__catalog_text(catalog, "%s", cure);
	return catalog->missing_cause && catalog->missing_cure ? 0 : TACHO_E_NOMEM;
}

void tacho__schedule_finish(struct tacho__schedule *schedule)
{
	tacho__arena_finish(&schedule->arena);
}

int tacho__arch_set_library(struct tacho__arch *arch, const struct tacho__arch_library *library,
			    void *user)
{
	struct tacho__library_part *part = calloc(1, sizeof(*part));

	if (!part) {
		library->close(user);
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a catalog");
	}
	part->library = library;
	part->user = user;
	pthread_mutex_init(&part->lock, NULL);
	tacho__library_part_close(arch->library);
	arch->library = part;
	tacho__grammar_destroy(arch->grammar); /* its names are the library's */
	arch->grammar = NULL;
	return 0;
}

void tacho__library_part_close(struct tacho__library_part *part)
{
	if (!part)
		return;
	part->library->close(part->user);
	tacho__names_finish(&part->by_name);
	tacho__arena_finish(&part->arena);
	pthread_mutex_destroy(&part->lock);
	free(part);
}

const struct tacho__arch_library *tacho__arch_get_library(const struct tacho_arch *arch,
							  void **out_user)
{
	const struct tacho__library_part *part = tacho__arch_of(arch)->library;

	if (!part)
		return NULL;
	*out_user = part->user;
	return part->library;
}

static struct tacho_entry *make_entry(struct tacho__library_part *part, const char *name)
{
	struct tacho_entry made = {0}, *entry;

	if (part->library->describe(part->user, name, &part->arena, &made) || !made.name)
		return NULL;
	entry = tacho__names_get(&part->by_name, made.name);
	if (entry)
		return entry;
	entry = tacho__arena_get(&part->arena, sizeof(*entry));
	if (!entry)
		return NULL;
	*entry = made;
	tacho__entry_complete(entry);
	return tacho__names_set(&part->by_name, entry->name, entry) ? NULL : entry;
}

const struct tacho_entry *tacho__arch_ask_library(const struct tacho_arch *arch, const char *name)
{
	struct tacho__library_part *part = tacho__arch_of(arch)->library;
	struct tacho_entry *entry;

	if (!part || strnlen(name, NAME_MAX_BYTES) == NAME_MAX_BYTES)
		return NULL;
	pthread_mutex_lock(&part->lock);
	entry = tacho__names_get(&part->by_name, name);
	if (!entry)
		entry = make_entry(part, name);
	pthread_mutex_unlock(&part->lock);
	return entry;
}

const char *tacho__arch_explain_missing(const struct tacho_arch *arch, const char *name)
{
	struct tacho__library_part *part = tacho__arch_of(arch)->library;
	const char *why;

	if (!part || !part->library->explain)
		return "";
	pthread_mutex_lock(&part->lock);
	why = part->library->explain(part->user, name);
	pthread_mutex_unlock(&part->lock);
	return why;
}
