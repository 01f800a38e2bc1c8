/* SPDX-License-Identifier: MIT */
/*
 * A table of the events that we hold, without locks. Each reference of ours lies in one of the
 * WINDOW slots that begin at the event's hash; it is put in before the program has the event, and
 * goes from held to ending (while the driver releases it) to gone. A query that sees as many before
 * and after it asked the driver, and none ending, knows how many were counted, so the answer is
 * exact; one that meets an ending waits for it.
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

/* A slot has the event's handle, a pointer, and these bits. 0: free. */
static const uintptr_t ending = 1, plain = 2, bits = 3;

static struct {
	_Atomic(uintptr_t) slots[(1 << SLOT_BITS) + WINDOW];
	_Atomic(void *) tokens[(1 << SLOT_BITS) + WINDOW];
} held;

static size_t window_of(const void *event)
{
	uint64_t hash = (uint64_t)(uintptr_t)event * UINT64_C(0x9E3779B97F4A7C15);

	return hash >> (64 - SLOT_BITS);
}

/* Returns the slot's number from 1; 0: there is no room. */
static size_t put(void *event, uintptr_t mark, void *token)
{
	size_t first = window_of(event);

	if ((uintptr_t)event & bits)
		return 0;
	for (size_t i = first; i < first + WINDOW; i++) {
		uintptr_t none = 0;

		if (atomic_load_explicit(&held.slots[i], memory_order_relaxed) ||
		    !atomic_compare_exchange_strong(&held.slots[i], &none, (uintptr_t)event | mark))
			continue;
		atomic_store(&held.tokens[i], token);
		return i + 1;
	}
	return 0;
}

bool tacho__opencl_hold(void *event, void *token)
{
	return put(event, 0, token) != 0;
}

size_t tacho__opencl_hold_plain(void *event)
{
	return put(event, plain, NULL);
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
	if (taken)
		atomic_fetch_or(&held.slots[taken - 1], ending);
	tacho__opencl_target.clReleaseEvent(event);
	if (taken)
		atomic_store(&held.slots[taken - 1], 0);
}

/* How often an event is held. */
struct found {
	uint32_t held, ending;
};

static struct found find(const void *event)
{
	size_t first = window_of(event);
	struct found found = {0};

	for (size_t i = first; i < first + WINDOW; i++) {
		uintptr_t slot = atomic_load(&held.slots[i]);

		if ((slot & ~bits) != (uintptr_t)event)
			continue;
		slot &ending ? found.ending++ : found.held++;
	}
	return found;
}

bool tacho__opencl_is_held(const void *event)
{
	return find(event).held > 0;
}

int32_t tacho__opencl_get_event_info(void *event, uint32_t param_name, size_t param_value_size,
				     void *param_value, size_t *param_value_size_ret)
{
	bool counts = param_name == CL_EVENT_REFERENCE_COUNT && param_value;
	struct found before = {0}, after;
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
		if ((before.held == after.held && !before.ending && !after.ending) ||
		    waits == WAITS_MAX)
			break;
		sched_yield();
	}
	if (!after.held)
		return rc;
	memcpy(&count, param_value, sizeof(count));
	count -= after.held;
	memcpy(param_value, &count, sizeof(count));
	return rc;
}
