/* SPDX-License-Identifier: MIT */
#include "format/foreign/foreign_names.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/text.h"

enum {
	DEPTH_MAX = 4, /* of folders in the one that is named */
	FOUND_MAX = 4096,
};

static const char *join(struct tacho__arena *arena, const char *folder, const char *name)
{
	struct tacho__buf path = {0};

	tacho__buf_printf(&path, "%s%s%s", folder, tacho__ends_with(folder, "/") ? "" : "/", name);
	return tacho__buf_keep(&path, arena);
}

bool tacho__foreign_is_own(const char *path)
{
	struct tacho__arena arena = {0};
	const char *meta = join(&arena, path, "meta.json");
	mode_t kind = 0;
	bool is_own = tacho__ends_with(path, ".tacho") || tacho__ends_with(path, ".tacho/") ||
		      (meta && !tacho__fs_get_kind(meta, &kind) && kind == S_IFREG);

	tacho__arena_finish(&arena);
	return is_own;
}

static int add(struct tacho__foreign_names *names, const struct tacho__foreign_name *name)
{
	return tacho__array_add(&names->all, &names->capacity, &names->count, name, sizeof(*name));
}

static int add_found(struct tacho__foreign_names *names, const char *path, unsigned depth);

static int add_folder(struct tacho__foreign_names *names, const char *path, unsigned depth)
{
	size_t room = FOUND_MAX - names->count;
	struct tacho__fs_names inside;
	const char *file;
	int rc = tacho__fs_list(&names->arena, path, room + 1, &inside);

	if (rc)
		return rc;
	if (inside.count > room)
		rc = tacho__fail(TACHO_E_PARSE,
				 tacho__detail("at most %d files are looked at", FOUND_MAX),
				 "name the files of the recording", "%s has too many files", path);
	for (size_t i = 0; i < inside.count && !rc; i++) {
		file = join(&names->arena, path, inside.names[i]);
		rc = file ? add_found(names, file, depth) : TACHO_E_NOMEM;
	}
	free(inside.names);
	return rc;
}

static int add_found(struct tacho__foreign_names *names, const char *path, unsigned depth)
{
	struct tacho__foreign_name name = {.path = path, .is_found = true};
	mode_t kind = 0;
	int rc = tacho__fs_get_kind(path, &kind);

	if (!rc && kind == S_IFDIR && depth < DEPTH_MAX && !tacho__foreign_is_own(path))
		return add_folder(names, path, depth + 1);
	name.is_left = rc || kind != S_IFREG;
	return add(names, &name);
}

int tacho__foreign_names_add(struct tacho__foreign_names *names, const char *path)
{
	struct tacho__foreign_name name = {.path = tacho__arena_string(&names->arena, path)};
	mode_t kind = 0;
	int rc = name.path ? tacho__fs_get_kind(path, &kind) : TACHO_E_NOMEM;

	if (rc)
		return rc;
	if (!kind)
		return tacho__fs_fail(ENOENT, "open", path);
	if (names->count >= FOUND_MAX)
		return tacho__fail(TACHO_E_PARSE, "", "name a folder of fewer",
				   "more than %d files are no recording", FOUND_MAX);
	return kind == S_IFDIR && !tacho__foreign_is_own(path) ? add_folder(names, name.path, 0)
							       : add(names, &name);
}

void tacho__foreign_names_finish(struct tacho__foreign_names *names)
{
	free(names->all);
	tacho__arena_finish(&names->arena);
	*names = (struct tacho__foreign_names){0};
}
