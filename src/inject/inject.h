/* SPDX-License-Identifier: MIT */
/*
 * What the launcher knows about each API that can be recorded: how its loader is found, how a
 * program is made to load our library, and what it means when nothing was recorded. apis.c lists
 * them.
 */
#ifndef TACHO_INJECT_INJECT_H
#define TACHO_INJECT_INJECT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "inject/environment.h"
#include "tacho/sys/doctor.h"
#include "tacho/sys/launch.h"

/* The loader library of an API that a program will most likely use. */
struct tacho__loader {
	char path[PATH_MAX]; /* "" when there is none */
	bool has_layers;     /* it can load our library by itself */
};

enum { TACHO__LIBRARIES_MAX = 16 }; /* rows of the list of GPU libraries in apis.c */

/* What was seen of a program and its children, for saying why nothing was recorded. */
struct tacho__sightings {
	bool looked;	    /* at the memory of the running program */
	uint32_t processes; /* that came up with a recorder */
	enum tacho_launch_via via;
	bool mapped[TACHO__LIBRARIES_MAX];    /* by row: it was in memory */
	bool linked[TACHO__LIBRARIES_MAX];    /* by row: the program names it */
	char file[TACHO__LIBRARIES_MAX][128]; /* by row: the name of the file seen first */
};

struct tacho__injection {
	const char *api;      /* "opencl" */
	const char *api_name; /* "OpenCL", as in the list of GPU libraries */
	bool is_tool;	      /* a vendor's library loads ours, however others are brought in */
	bool names_ranges;    /* and does nothing else: it has no devices */
	/* Without a loader out_loader->path is "". Never fails. */
	void (*find_loader)(struct tacho__loader *out_loader);
	/* Makes the API's loader load `library`; a tool: one of its own. NOMEM. */
	int (*set_layer)(struct tacho__environment *environment, const char *library);
	/* What will likely go wrong with a program that uses the API: a line each, cause and cure.
	 */
	void (*warn)(struct tacho__buf *out_lines);
	/* Why a program that has the loader in memory came up without a recorder. */
	void (*explain)(const struct tacho__sightings *seen, struct tacho__buf *out_text);
	/* Tells of everything that helps or hinders; returns how many devices work. */
	size_t (*check)(tacho_check_fn fn, void *user);
	/* What it means when that tells of nothing, and the cure; NULL: its backend tells. */
	const char *lack, *lack_cure;
};

/* The APIs that can be recorded, in source order; NULL past the last. */
const struct tacho__injection *tacho__injection_get(size_t index);

/* A library by which a program reaches a GPU, by how its file's name begins. */
struct tacho__gpu_library {
	const char *prefix, *api_name;
};

/* NULL past the last. */
const struct tacho__gpu_library *tacho__gpu_library_get(size_t index);

/* The row that the file `name` (without folder) belongs to, or -1. */
int tacho__gpu_library_find(const char *name);

#endif
