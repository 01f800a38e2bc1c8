/* SPDX-License-Identifier: MIT */
/*
 * Handles are numbers in the clothes of pointers: the slot that holds the object, and how often it
 * was used before. Programs that destroy something twice, or use it afterwards, get an error.
 */
#include <pthread.h>

#include "base/array.h"
#include "face/perfworks/perfworks.h"

enum {
	INDEX_BITS = 24,  /* of objects at the same time */
	ALIGNED_BITS = 4, /* that stay 0, as in pointers of malloc */
};

struct slot {
	void *object; /* NULL: free */
	enum tacho__pw_kind kind;
	uint32_t generation;
	uint32_t next_free; /* index plus 1 */
};

static struct {
	pthread_mutex_t lock;
	struct slot *slots;
	size_t count, capacity;
	uint32_t first_free; /* index plus 1 */
} live = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char *const kinds[TACHO__PW_KIND_COUNT] = {
	[TACHO__PW_ACTIVITY_OPTIONS] = "NVPA_ActivityOptions",
	[TACHO__PW_ACTIVITY] = "NVPA_Activity",
	[TACHO__PW_METRIC_OPTIONS] = "NVPA_MetricOptions",
	[TACHO__PW_CONFIG] = "NVPA_Config",
	[TACHO__PW_RESULTS] = "NVPA_Results",
};

static uintptr_t make_handle(uint32_t number)
{
	uintptr_t generation = live.slots[number - 1].generation;

	return (generation << INDEX_BITS | number) << ALIGNED_BITS;
}

/* Under the lock. */
static int get_free(uint32_t *out_number)
{
	if (live.first_free) {
		*out_number = live.first_free;
		live.first_free = live.slots[live.first_free - 1].next_free;
		return 0;
	}
	if (live.count + 1 >= (size_t)1 << INDEX_BITS ||
	    tacho__array_reserve(&live.slots, &live.capacity, live.count, sizeof(*live.slots)))
		return TACHO_E_NOMEM;
	live.slots[live.count++] = (struct slot){0};
	*out_number = (uint32_t)live.count;
	return 0;
}

NVPA_Status tacho__pw_live_add(enum tacho__pw_kind kind, void *object, void **out_handle)
{
	uint32_t number;
	int rc;

	pthread_mutex_lock(&live.lock);
	rc = get_free(&number);
	if (!rc) {
		live.slots[number - 1].object = object;
		live.slots[number - 1].kind = kind;
		*out_handle = (void *)make_handle(number);
	}
	pthread_mutex_unlock(&live.lock);
	return rc ? tacho__pw_fail_memory() : NVPA_STATUS_SUCCESS;
}

/* Under the lock. NULL: none of this kind. */
static struct slot *find_slot(enum tacho__pw_kind kind, const void *handle)
{
	uint32_t number =
		(uint32_t)((uintptr_t)handle >> ALIGNED_BITS) & (((uint32_t)1 << INDEX_BITS) - 1);
	struct slot *slot;

	if (!number || number > live.count || make_handle(number) != (uintptr_t)handle)
		return NULL;
	slot = &live.slots[number - 1];
	return slot->object && slot->kind == kind ? slot : NULL;
}

static void *fail_handle(enum tacho__pw_kind kind, const void *handle)
{
	if (!handle)
		tacho__pw_fail_null(kinds[kind]);
	else
		tacho__pw_fail(NVPA_STATUS_INVALID_ARGUMENT,
			       "it was never made, or was destroyed before", "make one",
			       "%p is no %s", handle, kinds[kind]);
	return NULL;
}

void *tacho__pw_live_get(enum tacho__pw_kind kind, const void *handle)
{
	struct slot *slot;
	void *object;

	pthread_mutex_lock(&live.lock);
	slot = find_slot(kind, handle);
	object = slot ? slot->object : NULL;
	pthread_mutex_unlock(&live.lock);
	return object ? object : fail_handle(kind, handle);
}

void *tacho__pw_live_remove(enum tacho__pw_kind kind, const void *handle)
{
	struct slot *slot;
	void *object = NULL;

	pthread_mutex_lock(&live.lock);
	slot = find_slot(kind, handle);
	if (slot) {
		object = slot->object;
		slot->object = NULL;
		slot->generation++;
		slot->next_free = live.first_free;
		live.first_free = (uint32_t)(slot - live.slots) + 1;
	}
	pthread_mutex_unlock(&live.lock);
	return object ? object : fail_handle(kind, handle);
}
