/* SPDX-License-Identifier: MIT */
/* The catalog as a whole: opened, filled, completed, closed. */
#include "catalog/catalog.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"
#include "base/options.h"
#include "catalog/arch.h"
#include "catalog/grammar.h"
#include "catalog/library.h"

int tacho__catalog_create(struct tacho_catalog **out_catalog)
{
	struct tacho_catalog *catalog = calloc(1, sizeof(*catalog));

	pthread_mutexattr_t attributes;

	if (!catalog)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a catalog");
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&catalog->lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
	*out_catalog = catalog;
	return 0;
}

static void finish_arch(struct tacho__arch *arch)
{
	tacho__grammar_destroy(arch->grammar);
	tacho__names_finish(&arch->by_name);
	tacho__names_finish(&arch->by_alias);
	tacho__names_finish(&arch->by_block);
	tacho__names_finish(&arch->by_family);
	free(arch->entries);
	free(arch->blocks);
	free(arch->sets);
	free(arch->set_names);
	free(arch->models);
	tacho__library_part_close(arch->library);
}

void tacho_catalog_close(struct tacho_catalog *catalog)
{
	if (!catalog)
		return;
	for (size_t i = 0; i < catalog->arch_count; i++)
		finish_arch(catalog->archs[i]);
	free(catalog->archs);
	free(catalog->problems);
	tacho__arena_finish(&catalog->arena);
	pthread_mutex_destroy(&catalog->lock);
	free(catalog);
}

/*
 * Leaves out the architectures that nobody asked for: of these only the files were read that define
 * the wanted one too. None is called `name`: all were read, and stay to be compared with.
 */
static void keep_arch(struct tacho_catalog *catalog, const char *name)
{
	size_t kept = 0, wanted = 0;

	for (size_t i = 0; i < catalog->arch_count; i++)
		wanted += !strcasecmp(catalog->archs[i]->arch.name, name);
	for (size_t i = 0; wanted && i < catalog->arch_count; i++) {
		struct tacho__arch *arch = catalog->archs[i];

		if (strcasecmp(arch->arch.name, name))
			finish_arch(arch);
		else
			catalog->archs[kept++] = arch;
	}
	if (wanted)
		catalog->arch_count = kept;
}

int tacho__catalog_open(const struct tacho_catalog_options *options, int is_lean,
			struct tacho_catalog **out_catalog)
{
	struct tacho_catalog_options known;
	struct tacho_catalog *catalog = NULL;
	int rc = tacho__options_take(&known, sizeof(known), options, "tacho_catalog_options");
	if (!rc)
		rc = tacho__catalog_create(&catalog);
	if (rc)
		return rc;
	rc = tacho__catalog_read_builtins(catalog, known.arch, known.api, is_lean);
	if (!rc)
		rc = tacho__catalog_read_libraries(catalog, known.arch, known.api);
	for (size_t i = 0; !rc && i < known.definition_count; i++)
		rc = tacho__catalog_read_file(catalog, known.definitions[i], 0);
	if (!rc && !known.no_environment)
		rc = tacho__catalog_read_environment(catalog);
	if (!rc && known.arch)
		keep_arch(catalog, known.arch);
	if (!rc)
		rc = tacho__catalog_complete(catalog);
	if (rc)
		tacho_catalog_close(catalog);
	else
		*out_catalog = catalog;
	return rc;
}

int tacho_catalog_open(const struct tacho_catalog_options *options,
		       struct tacho_catalog **out_catalog)
{
	if (!out_catalog)
		return tacho__fail_null(__func__);
	return tacho__catalog_open(options, 0, out_catalog);
}

const struct tacho_problem *tacho_catalog_get_problem(const struct tacho_catalog *catalog,
						      size_t index)
{
	return catalog && index < catalog->problem_count ? &catalog->problems[index] : NULL;
}

const struct tacho_arch *tacho_catalog_get_arch(const struct tacho_catalog *catalog, size_t index)
{
	return catalog && index < catalog->arch_count ? &catalog->archs[index]->arch : NULL;
}

struct tacho__arena *tacho__catalog_arena(struct tacho_catalog *catalog)
{
	return &catalog->arena;
}

struct tacho__arch *tacho__catalog_find_arch(struct tacho_catalog *catalog, const char *name,
					     const char *api)
{
	for (size_t i = 0; i < catalog->arch_count; i++)
		if (!strcmp(catalog->archs[i]->arch.name, name) &&
		    !strcmp(catalog->archs[i]->arch.api, api))
			return catalog->archs[i];
	return NULL;
}

static void fill(const char **to, const char *from)
{
	if (!*to || !**to)
		*to = from ? from : "";
}

int tacho__catalog_add_arch(struct tacho_catalog *catalog, const struct tacho_arch *info,
			    struct tacho__arch **out_arch)
{
	struct tacho__arch *arch = tacho__catalog_find_arch(catalog, info->name, info->api);

	if (!arch) {
		if (tacho__array_reserve(&catalog->archs, &catalog->arch_capacity,
					 catalog->arch_count, sizeof(struct tacho__arch *)))
			return TACHO_E_NOMEM;
		arch = tacho__arena_get(&catalog->arena, sizeof(*arch));
		if (!arch || tacho__grammar_create(&arch->grammar))
			return TACHO_E_NOMEM;
		arch->catalog = catalog;
		arch->arch = *info;
		catalog->archs[catalog->arch_count++] = arch;
	}
	if (arch->put_off && tacho__arch_read_rest(arch))
		return tacho_error_last()->code;
	fill(&arch->arch.title, info->title);
	fill(&arch->arch.vendor, info->vendor);
	fill(&arch->arch.source, info->source);
	if (!arch->arch.pass_cap)
		arch->arch.pass_cap = info->pass_cap;
	*out_arch = arch;
	return 0;
}

void tacho__catalog_drop_arch(struct tacho_catalog *catalog)
{
	finish_arch(catalog->archs[--catalog->arch_count]);
}

static const char *format_text(struct tacho_catalog *catalog, const char *format, va_list list)
{
	char shorter[256];
	va_list again;
	char *text = NULL;
	int size;

	va_copy(again, list);
	size = vsnprintf(shorter, sizeof(shorter), format, again);
	va_end(again);
	if (size == 0)
		return "";
	if (size > 0 && (size_t)size < sizeof(shorter))
		return tacho__arena_text(&catalog->arena, shorter, (size_t)size);
	if (size > 0)
		text = tacho__arena_get(&catalog->arena, (size_t)size + 1);
	if (text)
		vsnprintf(text, (size_t)size + 1, format, list);
	return text;
}

const char *tacho__catalog_text(struct tacho_catalog *catalog, const char *format, ...)
{
	const char *text;
	va_list list;

	va_start(list, format);
	text = format_text(catalog, format, list);
	va_end(list);
	return text;
}

int tacho__catalog_add_problem(struct tacho_catalog *catalog, const char *file, uint32_t line,
			       const char *entry, const char *format, ...)
{
	struct tacho_problem problem = {.line = line};
	va_list list;

	if (tacho__array_reserve(&catalog->problems, &catalog->problem_capacity,
				 catalog->problem_count, sizeof(problem)))
		return TACHO_E_NOMEM;
	va_start(list, format);
	problem.message = format_text(catalog, format, list);
	va_end(list);
	problem.file = tacho__catalog_text(catalog, "%s", file ? file : "");
	problem.entry = tacho__catalog_text(catalog, "%s", entry ? entry : "");
	if (!problem.message || !problem.file || !problem.entry)
		return TACHO_E_NOMEM;
	catalog->problems[catalog->problem_count++] = problem;
	return 0;
}

/* Names of sets become pointers; a name that nobody has is left out, and a problem. */
static int complete_set(struct tacho__arch *arch, size_t index)
{
	struct tacho_set *set = &arch->sets[index];
	const struct tacho_entry **entries =
		tacho__arena_get(&arch->catalog->arena, (set->entry_count + 1) * sizeof(*entries));
	size_t count = 0;
	int rc = 0;

	if (!entries)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < set->entry_count && !rc; i++) {
		const char *name = arch->set_names[index][i];
		const struct tacho_entry *entry = tacho__arch_get_exact(&arch->arch, name);

		if (entry)
			entries[count++] = entry;
		else
			rc = tacho__catalog_add_problem(
				arch->catalog, "", 0, set->name,
				"the set names \"%s\", which %s does not have; define it or take "
				"it out of the set",
				name, arch->arch.name);
	}
	set->entries = entries;
	set->entry_count = count;
	return rc;
}

int tacho__arch_complete(struct tacho__arch *arch)
{
	int rc = 0;

	for (size_t i = 0; i < arch->set_count && !rc; i++)
		rc = complete_set(arch, i);
	return rc ? rc : tacho__grammar_complete(arch);
}

int tacho__catalog_complete(struct tacho_catalog *catalog)
{
	int rc = 0;

	for (size_t i = 0; i < catalog->arch_count && !rc; i++)
		if (!catalog->archs[i]->put_off)
			rc = tacho__arch_complete(catalog->archs[i]);
	catalog->is_complete = 1;
	return rc;
}
