/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_dispatch.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "inject/handles.h"

enum { NAMES = 2048 }; /* of the index: a power of two, twice the functions or more */

static struct {
	struct tacho__handles tables; /* key to table */
	pthread_once_t once;
	uint16_t index[NAMES]; /* an entry's number plus 1, at its name's hash or behind that */
} dispatch = {.once = PTHREAD_ONCE_INIT};

static const void *key_of(const void *handle)
{
	return *(void *const *)handle;
}

/* ---- names ---- */

static size_t place_of(const char *name)
{
	uint32_t hash = 2166136261u; /* FNV-1a */

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash % NAMES;
}

static void make_index(void)
{
	_Static_assert(TACHO__FUNCTION_COUNT * 2 <= NAMES, "the index has room");
	for (size_t i = 0; i < tacho__vulkan_entry_count; i++) {
		size_t place = place_of(tacho__vulkan_entries[i].name);

		while (dispatch.index[place])
			place = (place + 1) % NAMES;
		dispatch.index[place] = (uint16_t)(i + 1);
	}
}

const struct tacho__vulkan_entry *tacho__vulkan_find(const char *name)
{
	size_t place = place_of(name);

	pthread_once(&dispatch.once, make_index);
	for (; dispatch.index[place]; place = (place + 1) % NAMES) {
		const struct tacho__vulkan_entry *entry =
			&tacho__vulkan_entries[dispatch.index[place] - 1];

		if (!strcmp(entry->name, name))
			return entry;
	}
	return NULL;
}

/* ---- tables ---- */

static void share_names(void **slots)
{
	for (size_t i = 0; i < tacho__vulkan_entry_count; i++) {
		const struct tacho__vulkan_entry *entry = &tacho__vulkan_entries[i];

		if (!slots[entry->core])
			slots[entry->core] = slots[entry->slot];
	}
	for (size_t i = 0; i < tacho__vulkan_entry_count; i++) {
		const struct tacho__vulkan_entry *entry = &tacho__vulkan_entries[i];

		if (!slots[entry->slot])
			slots[entry->slot] = slots[entry->core];
	}
}

void tacho__vulkan_fill(struct tacho__vulkan_dispatch *table, vk_get_function get, void *handle,
			int level)
{
	void **slots = (void **)table;

	_Static_assert(sizeof(*table) == TACHO__DISPATCH_COUNT * sizeof(void *),
		       "a dispatch table is an array of pointers");
	for (size_t i = 0; i < tacho__vulkan_entry_count; i++) {
		const struct tacho__vulkan_entry *entry = &tacho__vulkan_entries[i];

		if (entry->level == level)
			slots[entry->slot] = get(handle, entry->name);
	}
	share_names(slots);
}

void tacho__vulkan_fill_debug(struct tacho__vulkan_dispatch *table, vk_get_function get,
			      void *instance)
{
	void **slots = (void **)table;

	for (size_t i = 0; i < tacho__vulkan_entry_count; i++) {
		const struct tacho__vulkan_entry *entry = &tacho__vulkan_entries[i];

		if (entry->level == TACHO__LEVEL_DEVICE && !slots[entry->slot] &&
		    strstr(entry->name, "DebugUtils"))
			slots[entry->slot] = get(instance, entry->name);
	}
}

bool tacho__vulkan_set_table(const void *handle, const struct tacho__vulkan_dispatch *table)
{
	return tacho__handles_set(&dispatch.tables, key_of(handle), (uintptr_t)table);
}

const struct tacho__vulkan_dispatch *tacho__vulkan_next(const void *handle)
{
	return (const struct tacho__vulkan_dispatch *)(uintptr_t)tacho__handles_get(
		&dispatch.tables, key_of(handle));
}
