/* SPDX-License-Identifier: MIT */
/* Names of files that the user gives. */
#ifndef TACHO_CLI_NAME_H
#define TACHO_CLI_NAME_H

#include <stdbool.h>

/*
 * Expands %h (host), %p (process id), %r (rank of a parallel job, 0 without one), %q{NAME}
 * (environment variable) and %%. *out_name is owned. False: the pattern is wrong, and that was
 * said.
 */
bool cli_name_expand(const char *pattern, char **out_name);

/* The recording's name without slashes at its end and without ".tacho": base of exports. Owned. */
char *cli_name_get_base(const char *recording);

/*
 * The first of `format`'s files at `base` that is there, owned. NULL when there is none, with errno
 * 0, or when that cannot be known.
 */
char *cli_name_find_export(const char *base, const char *format);

#endif
