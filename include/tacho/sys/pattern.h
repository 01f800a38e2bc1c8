/* SPDX-License-Identifier: MIT */
/* Words that choose names: a name, a glob, or "regex:RE". For the command: no ABI promise. */
#ifndef TACHO_SYS_PATTERN_H
#define TACHO_SYS_PATTERN_H

#include <tacho/export.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tacho_pattern;

enum tacho_pattern_flags {
	TACHO_PATTERN_IGNORE_CASE = 1,
	TACHO_PATTERN_PART = 2 /* what is neither glob nor expression may be a part of the name */
};

/*
 * A word with one of "*?[" in it is a glob, which has to fit the whole name, or to be the name
 * itself; behind "regex:" stands a POSIX extended expression, which may match anywhere in it. INVAL
 * says what is wrong with one, and with one that would need too much time or memory: longer than
 * 1,000 characters, with a back-reference, repeating more than 1,000 times. Owned; free with
 * tacho_pattern_destroy(). NOMEM.
 */
TACHO_API int tacho_pattern_create(const char *text, unsigned flags,
				   struct tacho_pattern **out_pattern);
TACHO_API int tacho_pattern_fits(const struct tacho_pattern *pattern, const char *name);
TACHO_API void tacho_pattern_destroy(struct tacho_pattern *pattern);

/* Whether the word is a glob or "regex:RE", and not a name. */
TACHO_API int tacho_pattern_is_one(const char *text);

#ifdef __cplusplus
}
#endif

#endif
