/* SPDX-License-Identifier: MIT */
/* Hash maps: 64-bit numbers or strings to pointers. Not for hot paths of profiled programs. */
#ifndef TACHO_BASE_MAP_H
#define TACHO_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct tacho__map_entry {
	uint64_t key;
	void *value; /* NULL: free */
};

/* {0} is an empty map. */
struct tacho__map {
	struct tacho__map_entry *entries;
	size_t capacity, count;
};

/* Handles are aligned pointers: the bits in the middle of the product come from all below them. */
static inline size_t tacho__map_home(const struct tacho__map *map, uint64_t key)
{
	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (map->capacity - 1);
}

/* The entry of `key`, or the free one where it belongs. The map has room. */
static inline struct tacho__map_entry *tacho__map_find(const struct tacho__map *map, uint64_t key)
{
	size_t i = tacho__map_home(map, key);

	while (map->entries[i].value && map->entries[i].key != key)
		i = (i + 1) & (map->capacity - 1);
	return &map->entries[i];
}

void tacho__map_finish(struct tacho__map *map);
/* NULL when the key is not there. */
static inline void *tacho__map_get(const struct tacho__map *map, uint64_t key)
{
	return map->capacity ? tacho__map_find(map, key)->value : NULL;
}
/* Adds or replaces; value is not NULL. TACHO_E_NOMEM. */
int tacho__map_set(struct tacho__map *map, uint64_t key, void *value);

struct tacho__names_entry {
	const char *key; /* NULL: free */
	uint64_t hash;
	void *value;
};

/* {0} is an empty map. Keys are borrowed and must outlive the map. */
struct tacho__names {
	struct tacho__names_entry *entries;
	size_t capacity, count;
};

void tacho__names_finish(struct tacho__names *names);
void *tacho__names_get(const struct tacho__names *names, const char *key);
/* One whose key is that but for the case of ASCII letters. */
void *tacho__names_get_folded(const struct tacho__names *names, const char *key);
int tacho__names_set(struct tacho__names *names, const char *key, void *value);

#endif
