/* SPDX-License-Identifier: MIT */
/* Lists of names made short. */
#ifndef TACHO_CLI_FOLD_H
#define TACHO_CLI_FOLD_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The names with blanks between, each once; runs that differ in their last digit only are joined:
 * "gfx908 gfx90a gfx940-942". Order as given, so give them sorted. Owned.
 */
char *cli_fold_names(const char *const *names, size_t count);

/*
 * Whether `name` differs from the one before in one whole number only, which is greater by one;
 * then *out_number is this number. "TA0_BUSY", "TA1_BUSY".
 */
bool cli_fold_is_next(const char *before, const char *name, size_t *out_number);

/*
 * How many names from `first` on follow each other so, in the same place: at least 1.
 */
size_t cli_fold_get_run(const char *const *names, size_t count, size_t first);
/* "TA[0-15]_BUSY" for the first and last name of a run, which may be the same. Owned. */
char *cli_fold_format_run(const char *first, const char *last);

#endif
