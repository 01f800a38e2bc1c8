/* SPDX-License-Identifier: MIT */
#include "format/html/html_known.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum {
	ENTRIES = 1 << 15, /* the newest ones, 4 MiB */
	SLOTS = 1 << 16,   /* in pairs: a key has two places */
};

struct entry {
	uint64_t of;
	uint32_t number;
	uint32_t size; /* of the key */
	char bytes[TACHO__HTML_KNOWN_BYTES];
};

/* Entries lie in the order in which they came, so those that are used together are close. */
struct tacho__html_known_table {
	struct entry entries[ENTRIES];
	uint32_t slots[SLOTS]; /* one more than the entry that is there, or was; 0: none */
	uint32_t next;	       /* the entry that goes, or is free */
};

void tacho__html_known_finish(struct tacho__html_known *known)
{
	free(known->table);
	known->table = NULL;
}

static uint64_t stir(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

/* The first of the two slots where it can be. */
static size_t find_pair(const struct tacho__html_key *key)
{
	const char *at = key->bytes;
	size_t left = key->size;
	uint64_t hash = stir(key->of, left), word;

	for (; left >= sizeof(word); left -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = stir(hash, word);
	}
	word = 0;
	if (left)
		memcpy(&word, at, left);
	return (size_t)(stir(hash, word) >> 20) % SLOTS & ~(size_t)1;
}

static bool is_it(const struct entry *entry, const struct tacho__html_key *key)
{
	return entry->of == key->of && entry->size == key->size &&
	       (!key->size || memcmp(entry->bytes, key->bytes, key->size) == 0);
}

bool tacho__html_known_find(const struct tacho__html_known *known,
			    const struct tacho__html_key *key, uint32_t *out_number)
{
	const uint32_t *slot;

	if (!known->table || key->size > TACHO__HTML_KNOWN_BYTES)
		return false;
	slot = &known->table->slots[find_pair(key)];
	for (int i = 0; i < 2; i++, slot++)
		if (*slot && is_it(&known->table->entries[*slot - 1], key)) {
			*out_number = known->table->entries[*slot - 1].number;
			return true;
		}
	return false;
}

/* Aligned as lines of a cache are: of a short key one is read. */
static struct tacho__html_known_table *make_table(void)
{
	struct tacho__html_known_table *table;
	const size_t line = 64, size = (sizeof(*table) + line - 1) / line * line;

	table = aligned_alloc(line, size);
	if (!table)
		return NULL;
	memset(table->slots, 0, sizeof(table->slots));
	table->next = 0;
	return table;
}

int tacho__html_known_add(struct tacho__html_known *known, const struct tacho__html_key *key,
			  uint32_t number)
{
	struct entry *entry;
	uint32_t *slots;

	if (key->size > TACHO__HTML_KNOWN_BYTES)
		return 0;
	if (!known->table)
		known->table = make_table();
	if (!known->table)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for texts that were told");
	slots = &known->table->slots[find_pair(key)];
	entry = &known->table->entries[known->table->next];
	entry->of = key->of;
	entry->number = number;
	entry->size = (uint32_t)key->size;
	if (key->size)
		memcpy(entry->bytes, key->bytes, key->size);
	slots[1] = slots[0];
	slots[0] = ++known->table->next;
	known->table->next %= ENTRIES;
	return 0;
}
