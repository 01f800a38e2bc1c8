/* SPDX-License-Identifier: MIT */
/* The environment of a program that is to be launched: a copy, so that ours stays as it is. */
#ifndef TACHO_INJECT_ENVIRONMENT_H
#define TACHO_INJECT_ENVIRONMENT_H

#include <stddef.h>

struct tacho__environment {
	char **list; /* NULL at the end, for execve */
	size_t count, capacity;
};

/* A copy of this process's. NOMEM. */
int tacho__environment_copy(struct tacho__environment *out_environment);
void tacho__environment_finish(struct tacho__environment *environment);

/* Sets or replaces a variable. NOMEM. */
int tacho__environment_set(struct tacho__environment *environment, const char *name,
			   const char *value);

/* Removes a variable if it is there. Returns 0. */
int tacho__environment_unset(struct tacho__environment *environment, const char *name);

/*
 * Sets it to `value`, with `separator` and what it held before behind. A list that begins with
 * `value` already stays as it is. NOMEM.
 */
int tacho__environment_prepend(struct tacho__environment *environment, const char *name,
			       const char *value, char separator);

/* NULL when it is not set. Borrowed. */
const char *tacho__environment_get(const struct tacho__environment *environment, const char *name);

#endif
