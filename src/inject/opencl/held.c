/* SPDX-License-Identifier: MIT */
/*
 * A table of the events that we hold, without locks. An event lies in one of the WINDOW slots that
 * begin at its hash; it is put in once, before the program has it, and goes from held to ending
 * (while the driver releases it) to gone. A query that sees the same state before and after it
 * asked the driver, and not ending, knows whether our reference was counted, so the answer is
 * exact; one that meets the ending waits for it.
 *
 * Bound: with more than about 10,000 commands that have not ended and whose events the program has,
 * one may find no slot. Its count is then one too high until it ends.
 */
#include "inject/opencl/held.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "opencl_api.h"
#include "opencl_constants.h"

enum {
	SLOT_BITS = 16,
	WINDOW = 16,	   /* two cache lines */
	WAITS_MAX = 10000, /* for a release by the driver, which takes microseconds */
};

enum state { STATE_GONE, STATE_ENDING, STATE_HELD };

/* A slot has the event's handle, a pointer, and this bit when it is ending. 0: free. */
static const uintptr_t ending = 1;

static struct {
	_Atomic(uintptr_t) slots[(1 << SLOT_BITS) + WINDOW];
	_Atomic(void *) tokens[(1 << SLOT_BITS) + WINDOW];
} held;

static size_t window_of(const void *event)
{
	uint64_t hash = (uint64_t)(uintptr_t)event * UINT64_C(0x9E3779B97F4A7C15);

	return hash >> (64 - SLOT_BITS);
}

bool tacho__opencl_hold(void *event, void *token)
{
	size_t first = window_of(event);

	if ((uintptr_t)event & ending)
		return false;
	for (size_t i = first; i < first + WINDOW; i++) {
		uintptr_t none = 0;

		if (atomic_load_explicit(&held.slots[i], memory_order_relaxed) ||
		    !atomic_compare_exchange_strong(&held.slots[i], &none, (uintptr_t)event))
			continue;
		atomic_store(&held.tokens[i], token);
		return true;
	}
	return false;
}

size_t tacho__opencl_take(void *event, void **token)
{
	size_t first = window_of(event);

	for (size_t i = first; i < first + WINDOW; i++) {
		uintptr_t key = (uintptr_t)event;
		void *own;

		if (atomic_load(&held.slots[i]) != key)
			continue;
		own = atomic_load(&held.tokens[i]);
		if (*token && *token != own)
			continue;
		if (!atomic_compare_exchange_strong(&held.slots[i], &key, key | ending))
			return 0;
		*token = own;
		return i + 1;
	}
	return 0;
}

void tacho__opencl_let_go(void *event, size_t taken)
{
	tacho__opencl_target.clReleaseEvent(event);
	atomic_store(&held.slots[taken - 1], 0);
}

/* The driver may have given an ending event's handle to a new one, in another slot: that counts. */
static enum state find(const void *event)
{
	size_t first = window_of(event);
	enum state state = STATE_GONE;

	for (size_t i = first; i < first + WINDOW; i++) {
		uintptr_t slot = atomic_load(&held.slots[i]);

		if (slot == (uintptr_t)event)
			return STATE_HELD;
		if (slot == ((uintptr_t)event | ending))
			state = STATE_ENDING;
	}
	return state;
}

bool tacho__opencl_is_held(const void *event)
{
	return find(event) == STATE_HELD;
}

int32_t tacho__opencl_get_event_info(void *event, uint32_t param_name, size_t param_value_size,
				     void *param_value, size_t *param_value_size_ret)
{
	bool counts = param_name == CL_EVENT_REFERENCE_COUNT && param_value;
	enum state before = STATE_GONE, after;
	uint32_t count;
	int32_t rc;

	for (int waits = 0;; waits++) {
		if (counts)
			before = find(event);
		rc = tacho__opencl_target.clGetEventInfo(event, param_name, param_value_size,
							 param_value, param_value_size_ret);
		if (rc || !counts)
			return rc;
		after = find(event);
		if ((before == after && after != STATE_ENDING) || waits == WAITS_MAX)
			break;
		sched_yield();
	}
	if (after != STATE_HELD)
		return rc;
	memcpy(&count, param_value, sizeof(count));
	count--;
	memcpy(param_value, &count, sizeof(count));
	return rc;
}
