/* SPDX-License-Identifier: MIT */
/* Open addressing with linear probing; at most three quarters full. */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

/* Small maps grow by more at once: what is in them is placed anew each time. */
enum { FIRST_CAPACITY = 64, SMALL_CAPACITY = 4096 };

static size_t get_bigger(size_t capacity)
{
	if (!capacity)
		return FIRST_CAPACITY;
	return capacity < SMALL_CAPACITY ? 4 * capacity : 2 * capacity;
}

/* The finalizer of splitmix64. */
static uint64_t mix(uint64_t key)
{
	key = (key ^ (key >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	key = (key ^ (key >> 27)) * UINT64_C(0x94d049bb133111eb);
	return key ^ (key >> 31);
}

/*
 * A hash that is the same for both cases of a letter, so that names are found without it, too.
 * Eight characters at a time: catalogs look for hundreds of thousands of long names.
 */
static uint64_t hash_text(const char *text)
{
	const uint64_t both_cases = UINT64_C(0x2020202020202020);
	size_t size = strlen(text);
	uint64_t hash = size, word;

	for (; size >= sizeof(word); size -= sizeof(word), text += sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		hash = (hash ^ (word | both_cases)) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	word = 0;
	memcpy(&word, text, size);
	return mix(hash ^ (word | both_cases));
}

static int no_memory(size_t count)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a map of %zu entries", count);
}

void tacho__map_finish(struct tacho__map *map)
{
	free(map->entries);
	memset(map, 0, sizeof(*map));
}

static int grow(struct tacho__map *map)
{
	struct tacho__map bigger = {.capacity = get_bigger(map->capacity), .count = map->count};

	bigger.entries = calloc(bigger.capacity, sizeof(*bigger.entries));
	if (!bigger.entries)
		return no_memory(bigger.capacity);
	for (size_t i = 0; i < map->capacity; i++)
		if (map->entries[i].value)
			*tacho__map_find(&bigger, map->entries[i].key) = map->entries[i];
	free(map->entries);
	*map = bigger;
	return 0;
}

int tacho__map_set(struct tacho__map *map, uint64_t key, void *value)
{
	struct tacho__map_entry *entry;

	if (4 * (map->count + 1) > 3 * map->capacity) {
		int rc = grow(map);

		if (rc)
			return rc;
	}
	entry = tacho__map_find(map, key);
	map->count += !entry->value;
	entry->key = key;
	entry->value = value;
	return 0;
}

static struct tacho__names_entry *find_name(const struct tacho__names *names, const char *key,
					    uint64_t hash)
{
	size_t i = hash & (names->capacity - 1);

	while (names->entries[i].key &&
	       (names->entries[i].hash != hash || strcmp(names->entries[i].key, key)))
		i = (i + 1) & (names->capacity - 1);
	return &names->entries[i];
}

void tacho__names_finish(struct tacho__names *names)
{
	free(names->entries);
	memset(names, 0, sizeof(*names));
}

void *tacho__names_get(const struct tacho__names *names, const char *key)
{
	return names->capacity ? find_name(names, key, hash_text(key))->value : NULL;
}

void *tacho__names_get_folded(const struct tacho__names *names, const char *key)
{
	uint64_t hash = hash_text(key);
	size_t i = hash & (names->capacity - 1);

	if (!names->capacity)
		return NULL;
	while (names->entries[i].key &&
	       (names->entries[i].hash != hash || strcasecmp(names->entries[i].key, key)))
		i = (i + 1) & (names->capacity - 1);
	return names->entries[i].value;
}

static int grow_names(struct tacho__names *names)
{
	struct tacho__names bigger = {.capacity = get_bigger(names->capacity),
				      .count = names->count};

	bigger.entries = calloc(bigger.capacity, sizeof(*bigger.entries));
	if (!bigger.entries)
		return no_memory(bigger.capacity);
	for (size_t i = 0; i < names->capacity; i++)
		if (names->entries[i].key)
			*find_name(&bigger, names->entries[i].key, names->entries[i].hash) =
				names->entries[i];
	free(names->entries);
	*names = bigger;
	return 0;
}

int tacho__names_set(struct tacho__names *names, const char *key, void *value)
{
	uint64_t hash = hash_text(key);
	struct tacho__names_entry *entry;

	if (4 * (names->count + 1) > 3 * names->capacity) {
		int rc = grow_names(names);

		if (rc)
			return rc;
	}
	entry = find_name(names, key, hash);
	if (!entry->key) {
		entry->key = key;
		entry->hash = hash;
		names->count++;
	}
	entry->value = value;
	return 0;
}
