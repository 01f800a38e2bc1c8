/* SPDX-License-Identifier: MIT */
#include "analyze/rules/tracked.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tacho/error.h"

enum { CAPACITY_MIN = 64 };

static size_t home_of(const struct tacho__tracked_table *table, const struct tacho_process *process,
		      enum tacho__thing thing, uint64_t handle)
{
	uint64_t mix = handle ^ (uint64_t)thing << 56 ^ (uint64_t)(uintptr_t)process << 17;

	mix *= UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(mix >> 32) & (table->capacity - 1);
}

/* Where the thing is, or where it belongs. */
static struct tacho__tracked *place_of(const struct tacho__tracked_table *table,
				       const struct tacho_process *process, enum tacho__thing thing,
				       uint64_t handle)
{
	size_t i = home_of(table, process, thing, handle);

	for (;; i = (i + 1) & (table->capacity - 1)) {
		struct tacho__tracked *entry = &table->entries[i];

		if (!entry->refs ||
		    (entry->handle == handle && entry->thing == thing && entry->process == process))
			return entry;
	}
}

void tacho__tracked_finish(struct tacho__tracked_table *table)
{
	free(table->entries);
	memset(table, 0, sizeof(*table));
}

struct tacho__tracked *tacho__tracked_find(const struct tacho__tracked_table *table,
					   const struct tacho_process *process,
					   enum tacho__thing thing, uint64_t handle)
{
	struct tacho__tracked *entry;

	if (!table->count)
		return NULL;
	entry = place_of(table, process, thing, handle);
	return entry->refs ? entry : NULL;
}

static int grow(struct tacho__tracked_table *table)
{
	struct tacho__tracked_table larger = {
		.capacity = table->capacity ? table->capacity * 2 : CAPACITY_MIN,
		.count = table->count,
		.untracked = table->untracked,
	};

	larger.entries = calloc(larger.capacity, sizeof(*larger.entries));
	if (!larger.entries)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu objects",
				   larger.capacity);
	for (size_t i = 0; i < table->capacity; i++) {
		const struct tacho__tracked *entry = &table->entries[i];

		if (entry->refs)
			*place_of(&larger, entry->process, entry->thing, entry->handle) = *entry;
	}
	free(table->entries);
	*table = larger;
	return 0;
}

int tacho__tracked_add(struct tacho__tracked_table *table, const struct tacho_process *process,
		       enum tacho__thing thing, uint64_t handle,
		       struct tacho__tracked **out_tracked)
{
	struct tacho__tracked *entry = tacho__tracked_find(table, process, thing, handle);
	int rc = 0;

	if (!entry && table->count >= TACHO__TRACKED_MAX) {
		table->untracked++;
		*out_tracked = NULL;
		return 0;
	}
	if (!entry && (table->count + 1) * 4 > table->capacity * 3)
		rc = grow(table);
	if (rc)
		return rc;
	if (!entry) {
		entry = place_of(table, process, thing, handle);
		table->count++;
	}
	memset(entry, 0, sizeof(*entry));
	entry->handle = handle;
	entry->process = process;
	entry->thing = thing;
	entry->function = "";
	entry->refs = 1;
	*out_tracked = entry;
	return 0;
}

void tacho__tracked_remove(struct tacho__tracked_table *table, struct tacho__tracked *tracked)
{
	size_t mask = table->capacity - 1, hole = (size_t)(tracked - table->entries);

	/* Those behind it move up, where that keeps them at or behind their home. */
	for (size_t i = (hole + 1) & mask; table->entries[i].refs; i = (i + 1) & mask) {
		const struct tacho__tracked *entry = &table->entries[i];
		size_t home = home_of(table, entry->process, entry->thing, entry->handle);

		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		table->entries[hole] = *entry;
		hole = i;
	}
	memset(&table->entries[hole], 0, sizeof(table->entries[hole]));
	table->count--;
}
