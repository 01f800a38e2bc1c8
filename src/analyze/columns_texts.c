/* SPDX-License-Identifier: MIT */
/* Texts, each once, by number. */
#include <stdlib.h>
#include <string.h>

#include "analyze/columns.h"
#include "base/array.h"
#include "base/error.h"

static uint32_t add_new(struct tacho__texts *texts, const char *text)
{
	uint32_t number = (uint32_t)texts->count;
	const char *copy = tacho__arena_string(&texts->arena, text);

	if (!copy || texts->count >= TACHO_UNKNOWN_32 ||
	    tacho__array_add(&texts->texts, &texts->capacity, &texts->count, &copy, sizeof(copy)) ||
	    tacho__names_set(&texts->numbers, copy, (void *)(uintptr_t)texts->count)) {
		texts->arena.failed = true;
		return 0;
	}
	return number;
}

uint32_t tacho__texts_add(struct tacho__texts *texts, const char *text)
{
	size_t slot = ((uintptr_t)text >> 3) % TACHO__TEXT_CACHE;
	uintptr_t known;
	uint32_t number;

	if (!text || !*text)
		return 0;
	number = texts->cache[slot].number;
	if (texts->cache[slot].at == text && !strcmp(texts->texts[number], text))
		return number;
	/* the number plus 1; NULL says that there is none */
	known = (uintptr_t)tacho__names_get(&texts->numbers, text);
	number = known ? (uint32_t)(known - 1) : add_new(texts, text);
	texts->cache[slot].at = text;
	texts->cache[slot].number = number;
	return number;
}

int tacho__texts_create(struct tacho__texts **out_texts)
{
	struct tacho__texts *texts = calloc(1, sizeof(*texts));

	if (!texts)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for texts");
	atomic_init(&texts->holders, 1);
	add_new(texts, "");
	if (texts->arena.failed) {
		tacho__texts_release(texts);
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for texts");
	}
	*out_texts = texts;
	return 0;
}

void tacho__texts_release(struct tacho__texts *texts)
{
	if (!texts || atomic_fetch_sub(&texts->holders, 1) > 1)
		return;
	tacho__names_finish(&texts->numbers);
	tacho__arena_finish(&texts->arena);
	free(texts->texts);
	free(texts);
}
