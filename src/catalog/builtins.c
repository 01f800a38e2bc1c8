/* SPDX-License-Identifier: MIT */
/*
 * Which of the built-in files are read. A file may say in the comment that it begins with what it
 * defines: "# api: cl gl" and "# arch: gfx9 gfx10*", words or globs. Nothing said: anything.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "catalog/arch.h"
#include "catalog/library.h"
#include "catalog/read_gpa.h"
#include "catalog/read_oa.h"

/* The words of the line "# KEY: WORDS" at the text's beginning; NULL when there is no such line. */
static const char *get_header(const struct tacho__builtin *builtin, const char *key, char *out,
			      size_t out_size)
{
	const char *at = (const char *)builtin->text, *end = at + builtin->size;
	size_t key_size = strlen(key);

	while (at < end && *at == '#') {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		if (!stop)
			break;
		if ((size_t)(stop - at) > key_size + 3 && !strncmp(at, "# ", 2) &&
		    !strncmp(at + 2, key, key_size) && at[2 + key_size] == ':') {
			snprintf(out, out_size, "%.*s", (int)(stop - at - 3 - (long)key_size),
				 at + 3 + key_size);
			return out;
		}
		at = stop + 1;
	}
	return NULL;
}

static int may_define(const struct tacho__builtin *builtin, const char *key, const char *word)
{
	char line[512], *rest = NULL;

	if (!word || !get_header(builtin, key, line, sizeof(line)))
		return 1;
	for (char *glob = strtok_r(line, " ", &rest); glob; glob = strtok_r(NULL, " ", &rest))
		if (!fnmatch(glob, word, FNM_CASEFOLD))
			return 1;
	return 0;
}

static int read_builtin(struct tacho_catalog *catalog, const struct tacho__builtin *builtin)
{
	struct tacho__definitions definitions = {.catalog = catalog, .file = "", .is_builtin = 1};
	const struct tacho__yaml *root;
	int rc = tacho__yaml_parse(&catalog->arena, builtin->name, (const char *)builtin->text,
				   builtin->size, &root);

	definitions.root = root;
	return rc ? rc : tacho__catalog_read_tree(&definitions);
}

int tacho__catalog_read_builtins(struct tacho_catalog *catalog, const char *arch, const char *api,
				 int is_lean)
{
	int is_known = is_lean || (arch && tacho__catalog_asks_library(arch, api)), rc = 0;

	for (const struct tacho__builtin *builtin = tacho__builtins; builtin->name; builtin++)
		is_known |= may_define(builtin, "arch", arch) && may_define(builtin, "api", api);
	/* nobody's: all are read, so that the names nearest to it are known */
	for (const struct tacho__builtin *builtin = tacho__builtins; builtin->name && !rc;
	     builtin++)
		if (!is_known ||
		    (may_define(builtin, "arch", arch) && may_define(builtin, "api", api)))
			rc = read_builtin(catalog, builtin);
	for (size_t i = 0; i < catalog->arch_count && !rc; i++) {
		tacho__late_tables_put_off(catalog->archs[i]);
		tacho__oa_put_off(catalog->archs[i]);
	}
	return rc;
}
