/* SPDX-License-Identifier: MIT */
#include "inject/cuda/cuda_functions.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cupti/cupti_library.h"
#include "base/array.h"

struct tacho__cuda_functions tacho__cuda;

#define ROW(name, parameters) {#name, offsetof(struct tacho__cuda_functions, name)},

static const struct row {
	const char *name;
	size_t offset;
} needed[] = {TACHO__CUPTI_NEEDED(ROW)}, wanted[] = {TACHO__CUPTI_WANTED(ROW)},
  of_driver[] = {TACHO__CUDA_WANTED(ROW)};

static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8",
				    "libcupti.so"};

static bool find(void *library, const struct row *row)
{
	void *function = dlsym(library, row->name);

	memcpy((char *)&tacho__cuda + row->offset, &function, sizeof(function));
	return function;
}

/* The driver is in the process: it asked for us. A program may have opened it for itself alone. */
static void find_driver(void)
{
	void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);

	if (!library)
		library = RTLD_DEFAULT;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(of_driver); i++)
		find(library, &of_driver[i]);
	if (tacho__cuda.cuDriverGetVersion &&
	    tacho__cuda.cuDriverGetVersion(&tacho__cuda.driver_version))
		tacho__cuda.driver_version = 0;
}

static void *open_any(int flags)
{
	void *library = NULL;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(names) && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | flags);
	return library;
}

/* PyTorch brings its own; two of them in one process get in each other's way. */
static void *open_cupti(void)
{
	const char *named = secure_getenv(TACHO__CUPTI_VARIABLE);
	void *library = open_any(RTLD_NOLOAD);
	char path[PATH_MAX];

	if (!library && !(named && *named))
		library = open_any(0);
	if (!library) {
		tacho__cupti_locate(path);
		library = *path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	}
	return library;
}

static void note_path(void *library)
{
	struct link_map *map = NULL;

	if (!dlinfo(library, RTLD_DI_LINKMAP, &map) && map && map->l_name)
		snprintf(tacho__cuda.cupti_path, sizeof(tacho__cuda.cupti_path), "%s", map->l_name);
}

const char *tacho__cuda_resolve(void)
{
	void *library;

	find_driver();
	library = open_cupti();
	if (!library)
		return "libcupti was not found: install the CUDA toolkit's CUPTI, or set "
		       "TACHO_CUPTI to its file or folder";
	note_path(library);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(needed); i++)
		if (!find(library, &needed[i]))
			return "libcupti lacks functions that every version since CUDA 8 has: set "
			       "TACHO_CUPTI to another one";
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(wanted); i++)
		find(library, &wanted[i]);
	if (tacho__cuda.cuptiGetVersion)
		tacho__cuda.cuptiGetVersion(&tacho__cuda.cupti_version);
	return NULL;
}

const char *tacho__cupti_status(int status)
{
	switch (status) {
	case 1: return "INVALID_PARAMETER";
	case 7: return "INVALID_OPERATION";
	case 8: return "OUT_OF_MEMORY";
	case TACHO__CUPTI_MAX_LIMIT_REACHED: return "MAX_LIMIT_REACHED";
	case TACHO__CUPTI_NOT_INITIALIZED: return "NOT_INITIALIZED";
	case 14: return "NOT_COMPATIBLE";
	case 21: return "INVALID_KIND";
	case 27: return "NOT_SUPPORTED";
	case 35: return "INSUFFICIENT_PRIVILEGES";
	case TACHO__CUPTI_MULTIPLE_SUBSCRIBERS: return "MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED";
	case 999: return "UNKNOWN";
	default: return "";
	}
}
