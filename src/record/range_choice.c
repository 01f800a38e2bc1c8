/* SPDX-License-Identifier: MIT */
/*
 * A name is matched once: what came of it is kept in a table without locks, by the name's hash, so
 * that a range costs a look into it. Two names at one place take turns there.
 */
#include "record/range_choice.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "intercept/marks.h"
#include "tacho/sys/counting.h"

enum { PLACES = 1024, PATH_BYTES_MAX = 4000 };

static struct {
	const struct tacho_counting *counting; /* kept for good */
	atomic_ullong known[PLACES];	       /* a hash, whose last bit says what came of it */
} choice;

static uint64_t hash_name(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (*name)
		hash = (hash ^ (unsigned char)*name++) * UINT64_C(0x100000001b3); /* FNV-1a */
	return hash | 2; /* never what an empty place has */
}

static bool chooses(const char *name)
{
	uint64_t hash = hash_name(name);
	atomic_ullong *place = &choice.known[hash >> 32 & (PLACES - 1)];
	uint64_t known = atomic_load_explicit(place, memory_order_relaxed);

	if (known >> 1 != hash >> 1) {
		known = (hash & ~UINT64_C(1)) | tacho_counting_selects_range(choice.counting, name);
		atomic_store_explicit(place, known, memory_order_relaxed);
	}
	return known & 1;
}

void tacho__range_choice_read(void)
{
	const char *path = getenv(TACHO_COUNTING_VARIABLE);
	struct tacho_counting *counting;

	if (!path || path[0] != '/' || strlen(path) > PATH_BYTES_MAX ||
	    tacho_counting_read(path, &counting))
		return; /* who counts reads it too, and says what is wrong with it */
	if (!counting->select.range_count) {
		tacho_counting_destroy(counting);
		return;
	}
	choice.counting = counting;
	tacho__marks_choose(chooses);
}
