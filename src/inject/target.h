/* SPDX-License-Identifier: MIT */
/* The program that is to be launched: where it is, and whether it can be recorded. */
#ifndef TACHO_INJECT_TARGET_H
#define TACHO_INJECT_TARGET_H

#include <limits.h>

/* Finds `name` as execvp would. NOTFOUND, PERM, NOMEM. *out_path is absolute and owned. */
int tacho__program_find(const char *name, char **out_path);

/*
 * Whether the program at the absolute `path` can be recorded. Scripts are followed to their
 * interpreter; a file of an unknown kind is left to the kernel. UNSUPPORTED, NOTFOUND (of an
 * interpreter), PERM. out_binary gets the ELF file that will run, "" when there is none.
 */
int tacho__program_check(const char *path, char out_binary[PATH_MAX]);

#endif
