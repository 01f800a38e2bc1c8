/* SPDX-License-Identifier: MIT */
/* Names, globs and regular expressions: the one way in which the user's words choose names. */
#ifndef TACHO_BASE_PATTERN_H
#define TACHO_BASE_PATTERN_H

#include <regex.h>
#include <stdbool.h>

#include "tacho/sys/pattern.h"

/* How names of counters and kernels say that they are a regular expression: "regex:RE". */
#define TACHO__REGEX_PREFIX "regex:"

struct tacho__pattern {
	enum { TACHO__PATTERN_NAME, TACHO__PATTERN_GLOB, TACHO__PATTERN_REGEX } kind;
	const char *text; /* borrowed */
	unsigned flags;	  /* of enum tacho_pattern_flags */
	regex_t regex;
};

/* As tacho_pattern_create(). Owned: tacho__pattern_finish(), which {0} may be given to, too. */
int tacho__pattern_init(struct tacho__pattern *out_pattern, const char *text, unsigned flags);
bool tacho__pattern_fits(const struct tacho__pattern *pattern, const char *name);
void tacho__pattern_finish(struct tacho__pattern *pattern);

#endif
