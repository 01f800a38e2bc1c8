/* SPDX-License-Identifier: MIT */
/*
 * TACHO_LONG=1, as ./check --long sets it, asks tests for full sizes; not of those that are built
 * with a sanitizer, which would take hours.
 */
#ifndef TACHO_TESTS_IS_LONG_H
#define TACHO_TESTS_IS_LONG_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool is_long(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return false;
#else
	const char *text = getenv("TACHO_LONG");

	return text && !strcmp(text, "1");
#endif
}

#endif
