/* SPDX-License-Identifier: MIT */
/* Memory that is freed all at once. */
#ifndef TACHO_BASE_ARENA_H
#define TACHO_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct tacho__arena_block;

/* {0} is an empty arena. */
struct tacho__arena {
	struct tacho__arena_block *blocks;
	bool failed; /* memory ran out once: what was made since is perhaps not whole */
};

void tacho__arena_finish(struct tacho__arena *arena);
/* Zeroed, aligned for anything. NULL with the error set when memory ran out. */
void *tacho__arena_get(struct tacho__arena *arena, size_t size);
/* A copy of `size` bytes with a NUL behind them. */
char *tacho__arena_text(struct tacho__arena *arena, const char *text, size_t size);
char *tacho__arena_string(struct tacho__arena *arena, const char *string);

#endif
