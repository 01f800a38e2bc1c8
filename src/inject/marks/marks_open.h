/* SPDX-License-Identifier: MIT */
/*
 * Ranges of the process that are open, by what their API calls them. A bounded table without locks;
 * of two that are open under one key the one that ends first is any of them.
 */
#ifndef TACHO_INJECT_MARKS_MARKS_OPEN_H
#define TACHO_INJECT_MARKS_MARKS_OPEN_H

#include <stdbool.h>
#include <stdint.h>

enum { TACHO__OPEN_WORDS = 4, TACHO__OPEN_MAX = 4096 };

struct tacho__open_key {
	uint64_t words[TACHO__OPEN_WORDS];
};

/* A place for the range, to be filled; -1: too many are open (told). */
int tacho__open_claim(const struct tacho__open_key *key);
void tacho__open_fill(int place, const struct tacho__open_key *key, uint64_t range);
/* The range, which is open no longer; 0: there is none. */
uint64_t tacho__open_take(const struct tacho__open_key *key);

#endif
