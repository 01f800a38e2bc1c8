/* SPDX-License-Identifier: MIT */
#include "inject/rocm/rocm_notes.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

enum { SLOTS = 65536, AWAITED = 1 };

/* `dispatch` is stored last; a reader looks at it before and after. */
static struct slot {
	_Atomic(uint64_t) dispatch;
	_Atomic(uint64_t) tick, monotonic_ns;
	atomic_uint thread, state;
} slots[SLOTS];

static struct slot *slot_of(uint64_t dispatch)
{
	return &slots[dispatch % SLOTS];
}

static bool read_slot(struct slot *slot, struct tacho__rocm_note *out_note)
{
	uint64_t dispatch = atomic_load_explicit(&slot->dispatch, memory_order_acquire);

	*out_note = (struct tacho__rocm_note){
		.dispatch = dispatch,
		.tick = atomic_load_explicit(&slot->tick, memory_order_acquire),
		.monotonic_ns = atomic_load_explicit(&slot->monotonic_ns, memory_order_acquire),
		.thread = atomic_load_explicit(&slot->thread, memory_order_acquire),
		.is_awaited = atomic_load_explicit(&slot->state, memory_order_acquire) == AWAITED,
	};
	return dispatch && atomic_load(&slot->dispatch) == dispatch;
}

struct tacho__rocm_note tacho__rocm_note_launch(uint64_t dispatch,
						struct tacho__rocm_note *out_forgotten)
{
	struct slot *slot = slot_of(dispatch);
	struct tacho__rocm_note note;
	struct timespec now;

	*out_forgotten = (struct tacho__rocm_note){0};
	if (read_slot(slot, &note) && note.dispatch == dispatch)
		return note;
	if (note.is_awaited)
		*out_forgotten = note;
	/* the call begins before its work is queued, also when the thread is stopped in between */
	note.tick = tacho__tick();
	clock_gettime(CLOCK_MONOTONIC, &now);
	note = (struct tacho__rocm_note){
		.dispatch = dispatch,
		.tick = note.tick,
		.monotonic_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec,
		.thread = (uint32_t)gettid(),
	};
	atomic_store(&slot->dispatch, 0);
	atomic_store_explicit(&slot->state, 0, memory_order_release);
	atomic_store_explicit(&slot->tick, note.tick, memory_order_release);
	atomic_store_explicit(&slot->monotonic_ns, note.monotonic_ns, memory_order_release);
	atomic_store_explicit(&slot->thread, note.thread, memory_order_release);
	atomic_store_explicit(&slot->dispatch, dispatch, memory_order_release);
	return note;
}

bool tacho__rocm_note_find(uint64_t dispatch, struct tacho__rocm_note *out_note)
{
	return read_slot(slot_of(dispatch), out_note) && out_note->dispatch == dispatch;
}

void tacho__rocm_note_await(uint64_t dispatch)
{
	atomic_store(&slot_of(dispatch)->state, AWAITED);
}

bool tacho__rocm_note_settle(uint64_t dispatch)
{
	struct slot *slot = slot_of(dispatch);
	unsigned awaited = AWAITED;

	return atomic_load(&slot->dispatch) == dispatch &&
	       atomic_compare_exchange_strong(&slot->state, &awaited, 0);
}

bool tacho__rocm_note_next_awaited(uint32_t *index, struct tacho__rocm_note *out_note)
{
	while (*index < SLOTS)
		if (read_slot(&slots[(*index)++], out_note) && out_note->is_awaited)
			return true;
	return false;
}
