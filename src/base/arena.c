/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct tacho__arena_block {
	struct tacho__arena_block *next;
	size_t used, size;
	alignas(max_align_t) unsigned char bytes[];
};

/* Each block is twice as large as the one before: many arenas hold little, and live briefly. */
enum { FIRST_BYTES = 1024, BLOCK_BYTES = 64 * 1024 };

void tacho__arena_finish(struct tacho__arena *arena)
{
	while (arena->blocks) {
		struct tacho__arena_block *next = arena->blocks->next;

		free(arena->blocks);
		arena->blocks = next;
	}
	arena->failed = false;
}

static size_t get_room(const struct tacho__arena_block *last, size_t wanted)
{
	size_t room = last ? last->size * 2 : FIRST_BYTES;

	if (room > BLOCK_BYTES)
		room = BLOCK_BYTES;
	return room < wanted ? wanted : room;
}

void *tacho__arena_get(struct tacho__arena *arena, size_t size)
{
	struct tacho__arena_block *block = arena->blocks;
	size_t aligned = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	void *bytes;

	if (aligned < size)
		goto no_memory;
	if (!block || block->size - block->used < aligned) {
		size_t room = get_room(block, aligned);

		block = calloc(1, sizeof(*block) + room);
		if (!block)
			goto no_memory;
		block->size = room;
		block->next = arena->blocks;
		arena->blocks = block;
	}
	bytes = block->bytes + block->used;
	block->used += aligned;
	return bytes;
no_memory:
	arena->failed = true;
	tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu bytes", size);
	return NULL;
}

char *tacho__arena_text(struct tacho__arena *arena, const char *text, size_t size)
{
	char *copy = tacho__arena_get(arena, size + 1);

	if (copy && size)
		memcpy(copy, text, size);
	return copy;
}

char *tacho__arena_string(struct tacho__arena *arena, const char *string)
{
	return tacho__arena_text(arena, string, strlen(string));
}
