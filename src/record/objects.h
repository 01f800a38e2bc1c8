/* SPDX-License-Identifier: MIT */
/* The things that a process's API made, found by handle as of now: a reused handle is a new thing.
 */
#ifndef TACHO_RECORD_OBJECTS_H
#define TACHO_RECORD_OBJECTS_H

#include "base/arena.h"
#include "base/demangle.h"
#include "base/map.h"
#include "tacho/recording.h"

enum { TACHO__OBJECT_KINDS = TACHO_OBJECT_KERNEL + 1 };

struct tacho__object {
	struct tacho_object object;
	char *text;  /* its attributes, "key=value" lines */
	char *lines; /* the same, cut into the pairs */
	struct tacho__pair {
		const char *key, *value;
	} * pairs;
	size_t pair_count, pair_room;
	size_t room;				/* of text and of lines */
	const struct tacho_object *launched_on; /* kernels: the device of the last launch */
};

/* Over all processes of a cursor. {0} is empty. */
struct tacho__objects {
	struct tacho__arena arena;
	struct tacho__object **all; /* in order of creation */
	size_t count, capacity;
	uint32_t ids[TACHO__OBJECT_KINDS]; /* the last one given */
	struct tacho__demangler demangler;
	struct tacho__names written; /* names of kernels that were demangled -> their symbols */
};

void tacho__objects_finish(struct tacho__objects *objects);

/*
 * Takes a thing into account. `handles` is the process's map of what is there now. A kernel or
 * device that is told of again is changed, not made. Kinds that are not known are left out. The
 * name of a kernel as a compiler mangled it becomes its attribute "symbol", and its name what the
 * author wrote, where a C++ library is there that knows; of two symbols that are written alike the
 * second has its symbol behind it, so that they stay two. NOMEM.
 */
int tacho__objects_add(struct tacho__objects *objects, struct tacho__map *handles,
		       const struct tacho_process *process, uint32_t api, uint32_t kind,
		       uint64_t handle, const uint8_t *text, uint64_t size);

/* What the handle stands for now, NULL when nothing was told. */
const struct tacho_object *tacho__objects_find(const struct tacho__map *handles, uint32_t api,
					       uint32_t kind, uint64_t handle);

#endif
