/* SPDX-License-Identifier: MIT */
/* The files that names stand for: each itself, and of folders what is in them. */
#ifndef TACHO_FORMAT_FOREIGN_FOREIGN_NAMES_H
#define TACHO_FORMAT_FOREIGN_FOREIGN_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct tacho__foreign_name {
	const char *path;
	bool is_found; /* in a folder, not named itself */
	bool is_left;  /* a folder that was not looked into, or no file at all */
};

/* {0} at first. */
struct tacho__foreign_names {
	struct tacho__arena arena;
	struct tacho__foreign_name *all;
	size_t count, capacity;
};

/*
 * Adds the file, or all in the folder and those in it, a few deep, in their natural order.
 * Recordings of tacho's are not looked into. NOTFOUND, PERM, IO, NOMEM; PARSE: they are too many.
 */
int tacho__foreign_names_add(struct tacho__foreign_names *names, const char *path);
void tacho__foreign_names_finish(struct tacho__foreign_names *names);

/* Whether the folder is, or was, a recording of tacho's own. */
bool tacho__foreign_is_own(const char *path);

#endif
