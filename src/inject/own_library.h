/* SPDX-License-Identifier: MIT */
/* The library that is loaded into programs, under a path that all loaders take. */
#ifndef TACHO_INJECT_OWN_LIBRARY_H
#define TACHO_INJECT_OWN_LIBRARY_H

#include <limits.h>
#include <stdbool.h>

struct tacho__library {
	char path[PATH_MAX]; /* to be given to loaders */
	char file[PATH_MAX]; /* the file itself */
	char links[64];	     /* folder of links made for it, "" if none was needed */
};

/*
 * Finds it: TACHO_INJECT_LIBRARY, else in the folder tacho beside libtacho, else where the build
 * leaves it. Loaders split lists of paths at blanks and colons; for a path that has some, links are
 * made in a new folder. UNSUPPORTED: there is none. IO, PERM.
 */
int tacho__library_find(struct tacho__library *out_library);

/* libtacho's own file; "" when this code was linked into a program. PERM, IO. */
int tacho__library_find_core(char out_file[PATH_MAX]);

/*
 * The file of another library of tacho's: in the folder tacho beside libtacho, else in `folder` of
 * the build that libtacho is in. "" when it is not there.
 */
void tacho__library_find_other(const char *name, const char *folder, char out_file[PATH_MAX]);

/* Removes the links. */
void tacho__library_finish(struct tacho__library *library);

/* Whether a path can stand in a list that loaders split. */
bool tacho__library_is_safe(const char *path);

#endif
