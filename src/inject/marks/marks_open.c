/* SPDX-License-Identifier: MIT */
#include "inject/marks/marks_open.h"

#include <stdatomic.h>

#include "inject/marks/marks_source.h"

/* How far from its own place a key may be. */
enum { REACH = 64 };

/* The low bits of a state; above them it counts, so that a place which was emptied and filled again
 * while somebody looked at it has another state. */
enum { FREE = 0, CLAIMED = 1, OPEN = 2, STATE_MASK = 3, STATE_STEP = 4 };

static struct place {
	atomic_ullong state;
	atomic_ullong words[TACHO__OPEN_WORDS];
	atomic_ullong range;
} places[TACHO__OPEN_MAX];

static uint32_t hash(const struct tacho__open_key *key)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < TACHO__OPEN_WORDS; i++)
		value = (value ^ key->words[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(value >> 32);
}

static struct place *get(uint32_t start, unsigned step)
{
	return &places[(start + step) % TACHO__OPEN_MAX];
}

static bool has_key(const struct place *place, const struct tacho__open_key *key)
{
	for (unsigned i = 0; i < TACHO__OPEN_WORDS; i++)
		if (atomic_load_explicit(&place->words[i], memory_order_relaxed) != key->words[i])
			return false;
	return true;
}

int tacho__open_claim(const struct tacho__open_key *key)
{
	uint32_t start = hash(key);

	for (unsigned step = 0; step < REACH; step++) {
		struct place *place = get(start, step);
		unsigned long long state =
			atomic_load_explicit(&place->state, memory_order_relaxed);

		if ((state & STATE_MASK) == FREE &&
		    atomic_compare_exchange_strong(&place->state, &state, state | CLAIMED))
			return (int)(place - places);
	}
	tacho__source_lose(TACHO__LOST_OPEN);
	return -1;
}

void tacho__open_fill(int place, const struct tacho__open_key *key, uint64_t range)
{
	struct place *filled = &places[place];

	for (unsigned i = 0; i < TACHO__OPEN_WORDS; i++)
		atomic_store_explicit(&filled->words[i], key->words[i], memory_order_relaxed);
	atomic_store_explicit(&filled->range, range, memory_order_relaxed);
	atomic_fetch_add_explicit(&filled->state, OPEN - CLAIMED, memory_order_release);
}

uint64_t tacho__open_take(const struct tacho__open_key *key)
{
	uint32_t start = hash(key);

	for (unsigned step = 0; step < REACH; step++) {
		struct place *place = get(start, step);
		unsigned long long state =
			atomic_load_explicit(&place->state, memory_order_acquire);
		uint64_t range = atomic_load_explicit(&place->range, memory_order_relaxed);

		if ((state & STATE_MASK) != OPEN || !has_key(place, key))
			continue;
		/* what was read belongs together when the state is still the same */
		if (atomic_compare_exchange_strong(&place->state, &state,
						   (state & ~(unsigned long long)STATE_MASK) +
							   STATE_STEP))
			return range;
	}
	return 0;
}
