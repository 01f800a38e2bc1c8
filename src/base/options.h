/* SPDX-License-Identifier: MIT */
/* Options of callers that were compiled against another version of the headers. */
#ifndef TACHO_BASE_OPTIONS_H
#define TACHO_BASE_OPTIONS_H

#include <stddef.h>

/*
 * Fills `own`, a struct of options whose first member is its size, with what the caller has given:
 * a smaller struct has zeros behind it, NULL is all zeros. `type` is the struct's name, for
 * messages. INVAL: its size cannot be one. VERSION: it is larger, and asks behind the end of `own`
 * for something that this library does not know; the cause names the first such byte.
 */
int tacho__options_take(void *own, size_t own_size, const void *given, const char *type);

#endif
