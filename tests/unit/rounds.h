/* SPDX-License-Identifier: MIT */
/*
 * How often a test repeats what it does. A sanitizer makes it some ten times slower, so a build
 * with one takes the least; TACHO_LONG=1, as ./check --long sets it, asks each build for one step
 * more.
 */
#ifndef TACHO_TESTS_ROUNDS_H
#define TACHO_TESTS_ROUNDS_H

#include <stdlib.h>
#include <string.h>

static inline unsigned rounds_of(unsigned least, unsigned usual, unsigned full)
{
	const char *text = getenv("TACHO_LONG");
	int is_long = text && !strcmp(text, "1");

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	(void)full;
	return is_long ? usual : least;
#else
	(void)least;
	return is_long ? full : usual;
#endif
}

#endif
