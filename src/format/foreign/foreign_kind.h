/* SPDX-License-Identifier: MIT */
/* Which files are read as values though they are recordings. */
#ifndef TACHO_FORMAT_FOREIGN_FOREIGN_KIND_H
#define TACHO_FORMAT_FOREIGN_FOREIGN_KIND_H

#include <stdbool.h>

/* Whether a regular file is no text, or a table whose values stand one in a line. As
 * tacho__foreign_bytes_open(). */
int tacho__foreign_has_values(const char *path, bool *out_has);

#endif
