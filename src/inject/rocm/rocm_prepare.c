/* SPDX-License-Identifier: MIT */
/* Bringing the recorder into programs that use HIP or HSA: as a tool of AMD's profiling library. */
#include "inject/rocm/rocm_prepare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/rocm/kfd.h"
#include "backend/rocm/rocm.h"
#include "backend/rocm/rocm_library.h"
#include "base/error.h"
#include "inject/own_library.h"

#define NAME	 "libtacho-rocm.so"
#define VARIABLE "ROCP_TOOL_LIBRARIES"

static void find_library(char out_file[PATH_MAX])
{
	tacho__library_find_other(NAME, "src/inject/rocm", out_file);
}

/* AMD's library is loaded by AMD's runtimes, without a loader of the system's. */
static void find_loader(struct tacho__loader *out_loader)
{
	out_loader->path[0] = '\0';
	out_loader->has_layers = true;
}

/* A path that does not load ends the program, and the list has colons between: so it is left out.
 */
static int set_layer(struct tacho__environment *environment, const char *library)
{
	char file[PATH_MAX];

	(void)library;
	find_library(file);
	return *file && !strchr(file, ':')
		       ? tacho__environment_prepend(environment, VARIABLE, file, ':')
		       : 0;
}

/* How many GPUs there are, and whether AMD's library is; NULL when nobody asks. */
static size_t look(bool *out_has_library)
{
	struct tacho__arena arena = {0};
	struct tacho__rocm_library library;
	const struct tacho__kfd_gpu *gpus;
	bool is_foreign;
	const char *root = tacho__rocm_find_root(NULL, &arena, &is_foreign);
	size_t count = 0;

	if (!root || tacho__kfd_list(&arena, root, &gpus, &count))
		count = 0;
	if (count && out_has_library) {
		tacho__rocm_library_find(root, &library);
		*out_has_library = library.path[0];
	}
	tacho__arena_finish(&arena);
	return count;
}

static void warn(struct tacho__buf *out_lines)
{
	char file[PATH_MAX];

	find_library(file);
	if (strchr(file, ':') && look(NULL))
		tacho__buf_printf(out_lines,
				  "HIP programs are not recorded: " VARIABLE
				  " cannot hold %s, which has a colon: install tacho elsewhere\n",
				  file);
}

static void explain(const struct tacho__sightings *seen, struct tacho__buf *out_text)
{
	(void)seen;
	tacho__buf_put(out_text, "its ROCm is older than 7.0, or lacks librocprofiler-register or "
				 "rocprofiler-sdk (see tacho doctor rocm), or it clears " VARIABLE);
}

static void report(tacho_check_fn fn, void *user, enum tacho_check_level level, const char *detail,
		   const char *cause, const char *cure)
{
	const struct tacho_check check = {level, "tool for ROCm", detail, cause, cure};

	fn(user, &check);
}

static size_t check(tacho_check_fn fn, void *user)
{
	bool has_library = false;
	size_t count = look(&has_library);
	char file[PATH_MAX];

	if (!count)
		return 0;
	find_library(file);
	if (*file)
		report(fn, user, TACHO_CHECK_OK, file, "", "");
	else
		report(fn, user, TACHO_CHECK_FAIL, "not found", NAME " is not beside libtacho",
		       "install tacho again");
	return *file && has_library ? count : 0;
}

const struct tacho__injection tacho__injection_rocm = {
	.api = "rocm",
	.api_name = "ROCm",
	.is_tool = true,
	.find_loader = find_loader,
	.set_layer = set_layer,
	.warn = warn,
	.explain = explain,
	.check = check,
};
