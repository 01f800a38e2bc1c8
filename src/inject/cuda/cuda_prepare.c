/* SPDX-License-Identifier: MIT */
/* Bringing the recorder into programs that use CUDA: the driver loads one library that we name. */
#include "inject/cuda/cuda_prepare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/cupti/cupti_library.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/fs.h"
#include "inject/own_library.h"

#define NAME	      "libtacho-cuda.so"
#define VARIABLE      "CUDA_INJECTION64_PATH"
#define ROOT_VARIABLE "TACHO_NVIDIA_ROOT"

enum { GPUS_MAX = 256 };

/* Below the folder of libtacho: installed, and in a build folder. */
static const char *const places[] = {NAME, "src/inject/cuda/" NAME};

/* "" when it is not there. */
static void find_library(char out_file[PATH_MAX])
{
	char core[PATH_MAX];
	int folder, size;

	out_file[0] = '\0';
	if (tacho__library_find_core(core) || !*core)
		return;
	folder = (int)(strrchr(core, '/') - core);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		size = snprintf(out_file, PATH_MAX, "%.*s/%s", folder, core, places[i]);
		if (size < PATH_MAX && !access(out_file, R_OK))
			return;
	}
	out_file[0] = '\0';
}

/* The driver loads it, without a loader of the system's. */
static void find_loader(struct tacho__loader *out_loader)
{
	out_loader->path[0] = '\0';
	out_loader->has_layers = true;
}

/* What the user has asked for: NULL, or a library that is not ours. There is room for one only. */
static const char *get_other(const char *named)
{
	const char *slash = named ? strrchr(named, '/') : NULL;

	if (!named || !*named || !strcmp(slash ? slash + 1 : named, NAME))
		return NULL;
	return named;
}

static int set_layer(struct tacho__environment *environment, const char *library)
{
	char file[PATH_MAX];

	(void)library;
	find_library(file);
	if (!*file || get_other(tacho__environment_get(environment, VARIABLE)))
		return 0;
	return tacho__environment_set(environment, VARIABLE, file);
}

/* GPUs that the kernel's driver shows; under WSL those are one, by Windows' driver. */
static size_t count_gpus(void)
{
	const char *root = secure_getenv(ROOT_VARIABLE);
	struct tacho__arena arena = {0};
	struct tacho__fs_names names = {0};
	char folder[PATH_MAX];
	size_t count = 0;

	snprintf(folder, sizeof(folder), "%s/proc/driver/nvidia/gpus", root ? root : "");
	if (!tacho__fs_list(&arena, folder, GPUS_MAX, &names))
		count = names.count;
	free(names.names);
	tacho__arena_finish(&arena);
	snprintf(folder, sizeof(folder), "%s/dev/dxg", root ? root : "");
	return count || access(folder, F_OK) ? count : 1;
}

static void warn(struct tacho__buf *out_lines)
{
	const char *other = get_other(getenv(VARIABLE));

	if (other)
		tacho__buf_printf(out_lines,
				  "CUDA programs are not recorded: " VARIABLE
				  " is %s, and the driver loads one library only: take it out of "
				  "the environment\n",
				  other);
}

static void explain(const struct tacho__sightings *seen, struct tacho__buf *out_text)
{
	const char *other = get_other(getenv(VARIABLE));
	char file[PATH_MAX];

	(void)seen;
	find_library(file);
	if (other)
		tacho__buf_printf(out_text, VARIABLE " is %s, which the driver loads instead",
				  other);
	else if (!*file)
		tacho__buf_put(out_text, NAME " is not beside libtacho: install tacho again");
	else
		tacho__buf_put(out_text,
			       "it did not call cuInit (nor a function of the runtime that does), "
			       "or clears " VARIABLE ", or has more rights than who started it, or "
			       "its driver is older than CUDA 10");
}

static void report(tacho_check_fn fn, void *user, enum tacho_check_level level, const char *what,
		   const char *detail, const char *cause, const char *cure)
{
	const struct tacho_check check = {level, what, detail, cause, cure};

	fn(user, &check);
}

static void check_variable(tacho_check_fn fn, void *user)
{
	const char *other = get_other(getenv(VARIABLE));

	if (other)
		report(fn, user, TACHO_CHECK_WARN, VARIABLE, other,
		       "the driver loads one library only, and this is not tacho's",
		       "take it out of the environment to record CUDA programs");
	if (getenv("CUDA_MPS_PIPE_DIRECTORY"))
		report(fn, user, TACHO_CHECK_WARN, "CUDA_MPS_PIPE_DIRECTORY",
		       getenv("CUDA_MPS_PIPE_DIRECTORY"),
		       "programs share the GPU through MPS, under which CUPTI does not count",
		       "record as ever; to count, run without MPS");
}

static size_t check(tacho_check_fn fn, void *user)
{
	size_t count = count_gpus();
	char file[PATH_MAX], cupti[PATH_MAX];

	if (!count)
		return 0;
	find_library(file);
	tacho__cupti_locate(cupti);
	if (*file)
		report(fn, user, TACHO_CHECK_OK, "tool for CUDA", file, "", "");
	else
		report(fn, user, TACHO_CHECK_FAIL, "tool for CUDA", "not found",
		       NAME " is not beside libtacho", "install tacho again");
	check_variable(fn, user);
	if (!*cupti && getenv(TACHO__CUPTI_VARIABLE))
		report(fn, user, TACHO_CHECK_WARN, "CUPTI", getenv(TACHO__CUPTI_VARIABLE),
		       TACHO__CUPTI_VARIABLE " names no libcupti",
		       "correct it, or take it out of the environment");
	return *file && !get_other(getenv(VARIABLE)) ? count : 0;
}

const struct tacho__injection tacho__injection_cuda = {
	.api = "cuda",
	.api_name = "CUDA",
	.is_tool = true,
	.find_loader = find_loader,
	.set_layer = set_layer,
	.warn = warn,
	.explain = explain,
	.check = check,
	.lack = "no NVIDIA GPU is in /proc/driver/nvidia/gpus",
	.lack_cure = "load NVIDIA's driver, nvidia: tacho doctor cupti says what hinders",
};
