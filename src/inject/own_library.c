/* SPDX-License-Identifier: MIT */
#include "inject/own_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/fs.h"
#include "inject/elf_tables.h"

#define NAME	  "libtacho-inject.so"
#define CORE_NAME "libtacho.so.0"

/* Below the folder of libtacho: installed, and in a build folder. */
static const char *const places[] = {"tacho/" NAME, "src/inject/library/" NAME};

int tacho__library_find_core(char out_file[PATH_MAX])
{
	char file[PATH_MAX];
	Dl_info info;

	if (!dladdr((const void *)tacho__library_find_core, &info) || !info.dli_fname) {
		out_file[0] = '\0';
		return 0;
	}
	if (!realpath(info.dli_fname, file))
		return tacho__fs_fail(errno, "find", info.dli_fname);
	if (strncmp(strrchr(file, '/') + 1, "libtacho.so", 11))
		file[0] = '\0';
	strcpy(out_file, file);
	return 0;
}

void tacho__library_find_other(const char *name, const char *folder, char out_file[PATH_MAX])
{
	const char *const folders[] = {"tacho", folder};
	char core[PATH_MAX];

	out_file[0] = '\0';
	if (tacho__library_find_core(core) || !*core)
		return;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(folders); i++) {
		int size = snprintf(out_file, PATH_MAX, "%.*s/%s/%s",
				    (int)(strrchr(core, '/') - core), core, folders[i], name);

		if (size < PATH_MAX && !access(out_file, R_OK))
			return;
	}
	out_file[0] = '\0';
}

static bool is_library(const char *file)
{
	struct tacho__elf elf = {0};
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return false;
	tacho__elf_read(fd, &elf);
	close(fd);
	return elf.is_native;
}

static int find_file(const char *core, char out_file[PATH_MAX])
{
	const char *path = getenv("TACHO_INJECT_LIBRARY");
	int folder = (int)(*core ? strrchr(core, '/') - core : 0);

	if (path) {
		if (realpath(path, out_file) && is_library(out_file))
			return 0;
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   tacho__detail("TACHO_INJECT_LIBRARY=%s is no library that loads "
						 "here",
						 path),
				   "unset it, or set it to the path of " NAME,
				   "there is no library to load into programs");
	}
	for (size_t i = 0; *core && i < TACHO__ARRAY_SIZE(places); i++) {
		int size = snprintf(out_file, PATH_MAX, "%.*s/%s", folder, core, places[i]);

		if (size < PATH_MAX && is_library(out_file))
			return 0;
	}
	return tacho__fail(TACHO_E_UNSUPPORTED,
			   *core ? tacho__detail("%.*s has no tacho/" NAME, folder, core)
				 : "TACHO_INJECT_LIBRARY is not set",
			   "install tacho again, or set TACHO_INJECT_LIBRARY to the path of " NAME,
			   "there is no library to load into programs");
}

bool tacho__library_is_safe(const char *path)
{
	return path[strcspn(path, ": \t\n;$")] == '\0';
}

static int link_into(const char *folder, const char *name, const char *target)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return symlink(target, path) ? tacho__fs_fail(errno, "create", path) : 0;
}

static int make_links(struct tacho__library *library, const char *core)
{
	const char *base = getenv("XDG_RUNTIME_DIR");
	int rc;

	if (!base || base[0] != '/' || strlen(base) > 32 || !tacho__library_is_safe(base) ||
	    access(base, W_OK | X_OK))
		base = "/tmp";
	snprintf(library->links, sizeof(library->links), "%s/tacho-XXXXXX", base);
	if (!mkdtemp(library->links)) { /* 0700 */
		rc = tacho__fs_fail(errno, "create", library->links);
		library->links[0] = '\0';
		return rc;
	}
	rc = link_into(library->links, NAME, library->file);
	if (!rc && *core)
		rc = link_into(library->links, CORE_NAME, core);
	snprintf(library->path, sizeof(library->path), "%s/%s", library->links, NAME);
	return rc;
}

int tacho__library_find(struct tacho__library *out_library)
{
	struct tacho__library library = {0};
	char core[PATH_MAX];
	int rc;

	rc = tacho__library_find_core(core);
	if (!rc)
		rc = find_file(core, library.file);
	if (rc)
		return rc;
	if (tacho__library_is_safe(library.file))
		strcpy(library.path, library.file);
	else
		rc = make_links(&library, core);
	if (rc)
		tacho__library_finish(&library);
	else
		*out_library = library;
	return rc;
}

void tacho__library_finish(struct tacho__library *library)
{
	static const char *const names[] = {NAME, CORE_NAME};

	if (library->links[0]) {
		for (size_t i = 0; i < TACHO__ARRAY_SIZE(names); i++) {
			char path[128];

			snprintf(path, sizeof(path), "%s/%s", library->links, names[i]);
			unlink(path);
		}
		rmdir(library->links);
	}
	memset(library, 0, sizeof(*library));
}
