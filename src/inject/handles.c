/* SPDX-License-Identifier: MIT */
/* Open addressing; keys are never removed, so a free slot ends every search. */
#include "inject/handles.h"

#include <stddef.h>

static size_t first_slot(const void *handle)
{
	return (size_t)(((uint64_t)(uintptr_t)handle * UINT64_C(0x9E3779B97F4A7C15)) >>
			(64 - TACHO__HANDLES_BITS));
}

bool tacho__handles_set(struct tacho__handles *handles, const void *handle, uint64_t value)
{
	size_t slot = first_slot(handle);

	for (size_t i = 0; i < TACHO__HANDLES_MAX; i++) {
		uintptr_t key = atomic_load_explicit(&handles->keys[slot], memory_order_acquire);

		if (!key) {
			if (atomic_compare_exchange_strong(&handles->keys[slot], &key,
							   (uintptr_t)handle))
				key = (uintptr_t)handle;
		}
		if (key == (uintptr_t)handle) {
			atomic_store_explicit(&handles->values[slot], value, memory_order_release);
			return true;
		}
		slot = (slot + 1) % TACHO__HANDLES_MAX;
	}
	return false;
}

uint64_t tacho__handles_get(const struct tacho__handles *handles, const void *handle)
{
	size_t slot = first_slot(handle);

	for (size_t i = 0; i < TACHO__HANDLES_MAX; i++) {
		uintptr_t key = atomic_load_explicit(&handles->keys[slot], memory_order_acquire);

		if (key == (uintptr_t)handle)
			return atomic_load_explicit(&handles->values[slot], memory_order_acquire);
		if (!key)
			break;
		slot = (slot + 1) % TACHO__HANDLES_MAX;
	}
	return 0;
}
