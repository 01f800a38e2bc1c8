/* SPDX-License-Identifier: MIT */
#include "backend/rocm/rocm_library.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dl.h"
#include "base/fs.h"
#include "base/text.h"

enum { FOLDERS_MAX = 256 };

/* tacho's drop-in needs libtacho, whose name then stands in the file; AMD's library does not. */
static bool is_ours(const char *path)
{
	static const char needed[] = "libtacho.so";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat stat;
	bool found = false;
	void *bytes;

	if (fd < 0)
		return false;
	if (!fstat(fd, &stat) && S_ISREG(stat.st_mode) && stat.st_size > 0) {
		bytes = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (bytes != MAP_FAILED) {
			found = memmem(bytes, (size_t)stat.st_size, needed, sizeof(needed) - 1);
			munmap(bytes, (size_t)stat.st_size);
		}
	}
	close(fd);
	return found;
}

/* What stands behind ".so." in the name of the file that links lead to. */
static void read_version(struct tacho__rocm_library *library)
{
	char real[PATH_MAX];
	const char *number;

	if (!realpath(library->path, real))
		return;
	number = strstr(tacho__base_name(real), ".so.");
	if (number && strchr(number + 4, '.'))
		snprintf(library->version, sizeof(library->version), "%.31s", number + 4);
}

/* Whether this is it. What is wrong with it is the cause when none is found. */
static bool try(struct tacho__rocm_library *library, const char *name)
{
	struct tacho__dl_answer answer;

	tacho__dl_try(name, &answer);
	if (!answer.loads) {
		snprintf(library->cause, sizeof(library->cause), "%s", answer.error);
		library->cure = "install ROCm again, with all that it needs";
		return false;
	}
	if (answer.path[0] != '/' || is_ours(answer.path))
		return false;
	snprintf(library->path, sizeof(library->path), "%s", answer.path);
	read_version(library);
	return true;
}

static bool try_folder(struct tacho__rocm_library *library, const char *root, const char *folder)
{
	char path[PATH_MAX];
	int size = snprintf(path, sizeof(path), "%sopt/%s/lib/" TACHO__ROCM_LIBRARY, root, folder);

	return size < (int)sizeof(path) && !access(path, F_OK) && try(library, path);
}

static bool try_versions(struct tacho__rocm_library *library, const char *root)
{
	struct tacho__arena arena = {0};
	struct tacho__fs_names names = {0};
	char path[PATH_MAX];
	bool found = false;

	if (snprintf(path, sizeof(path), "%sopt", root) < (int)sizeof(path) &&
	    !tacho__fs_list(&arena, path, FOLDERS_MAX, &names))
		for (size_t i = names.count; i-- > 0 && !found;)
			if (!strncmp(names.names[i], "rocm-", 5))
				found = try_folder(library, root, names.names[i]);
	free(names.names);
	tacho__arena_finish(&arena);
	return found;
}

void tacho__rocm_library_find(const char *root, struct tacho__rocm_library *out_library)
{
	struct tacho__rocm_library *library = out_library;
	bool found;

	memset(library, 0, sizeof(*library));
	found = try(library, TACHO__ROCM_LIBRARY);
	/* that the linker does not know it says nothing about the folders of ROCm */
	library->cause[0] = '\0';
	if (found || try_folder(library, root, "rocm") || try_versions(library, root)) {
		library->cause[0] = '\0';
		library->cure = "";
		return;
	}
	if (library->cause[0])
		return;
	snprintf(library->cause, sizeof(library->cause),
		 "the dynamic linker does not find " TACHO__ROCM_LIBRARY
		 ", and %sopt/rocm/lib does not have it",
		 root);
	library->cure = "install ROCm 7.0 or newer (package rocprofiler-sdk), or put its folder "
			"into LD_LIBRARY_PATH";
}
