/* SPDX-License-Identifier: MIT */
/* Regular expressions from outside: those that libc can be trusted with. */
#ifndef TACHO_BASE_REGEX_H
#define TACHO_BASE_REGEX_H

#include <regex.h>

/* How names of counters and kernels say that they are one: "regex:RE". */
#define TACHO__REGEX_PREFIX "regex:"

/*
 * Compiles a POSIX extended expression that is only asked whether it matches. INVAL says what is
 * wrong with it, and for what would need too much time or memory. Owned: regfree().
 */
int tacho__regex_compile(const char *text, regex_t *out_regex);

#endif
