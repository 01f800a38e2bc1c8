/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_memory.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#include "base/clock.h"
#include "inject/attribute_env.h"
#include "inject/handles.h"
#include "inject/vulkan/vk_devices.h"

enum {
	DEVICES_MAX = 16,
	TYPE_BITS = 5,		 /* of what is kept of an allocation: its size is in front of it */
	TOLD_AT_ONCE = 1000,	 /* changes, */
	TOLD_APART_NS = 1000000, /* and one more in each such time since the first */
};

struct use {
	_Atomic(uint64_t) now, peak, count; /* bytes; allocations */
};

/* Of a physical device. */
struct memory {
	_Atomic(const void *) physical; /* NULL: free */
	struct use heaps[VK_MEMORY_HEAPS_MAX], types[VK_MEMORY_TYPES_MAX];
	_Atomic(uint64_t) unknown; /* allocations that there was no room for */
	atomic_bool is_changed;
	_Atomic(uint64_t) told, first_ns;
	atomic_flag is_telling;
};

static struct memory memories[DEVICES_MAX];
static struct tacho__handles allocations; /* VkDeviceMemory to size and type */

/* NULL: there are too many. */
static struct memory *get_memory(const void *physical)
{
	for (int i = 0; i < DEVICES_MAX; i++) {
		const void *known = atomic_load(&memories[i].physical);

		if (known == physical ||
		    (!known &&
		     (atomic_compare_exchange_strong(&memories[i].physical, &known, physical) ||
		      known == physical)))
			return &memories[i];
	}
	return NULL;
}

static void grow(struct use *use, uint64_t bytes)
{
	uint64_t now = atomic_fetch_add(&use->now, bytes) + bytes, peak = atomic_load(&use->peak);

	atomic_fetch_add(&use->count, 1);
	while (peak < now && !atomic_compare_exchange_weak(&use->peak, &peak, now))
		;
}

static struct use *heap_of(const struct vk_device *device, struct memory *memory, uint32_t type)
{
	return &memory->heaps[device->memory.types[type].heap % VK_MEMORY_HEAPS_MAX];
}

static void add(const struct vk_device *device, uint64_t handle, const struct vk_memory_info *info)
{
	struct memory *memory = get_memory(device->physical);
	uint64_t kept = info->size << TYPE_BITS | info->index;

	if (!memory)
		return;
	if (info->index >= device->memory.type_count || info->size >> (64 - TYPE_BITS) ||
	    !tacho__handles_set(&allocations, (const void *)(uintptr_t)handle, kept)) {
		atomic_fetch_add(&memory->unknown, 1);
	} else {
		grow(heap_of(device, memory, info->index), info->size);
		grow(&memory->types[info->index], info->size);
	}
	atomic_store(&memory->is_changed, true);
	tacho__vulkan_memory_tell(device, false);
}

int32_t tacho__vulkan_allocate_memory(void *device, void const *pAllocateInfo,
				      void const *pAllocator, uint64_t *pMemory)
{
	const struct vk_device *known = tacho__vulkan_device_of(device);
	int32_t rc = known->table.vkAllocateMemory(device, pAllocateInfo, pAllocator, pMemory);

	if (rc >= 0)
		add(known, *pMemory, pAllocateInfo);
	return rc;
}

/* Before: another thread may get the same handle at once. */
void tacho__vulkan_free_memory(void *device, uint64_t handle, void const *pAllocator)
{
	const struct vk_device *known = tacho__vulkan_device_of(device);
	const void *key = (const void *)(uintptr_t)handle;
	struct memory *memory = get_memory(known->physical);
	uint64_t kept = handle ? tacho__handles_get(&allocations, key) : 0;
	uint32_t type = kept & ((1u << TYPE_BITS) - 1);

	if (kept && memory) {
		tacho__handles_set(&allocations, key, 0);
		atomic_fetch_sub(&heap_of(known, memory, type)->now, kept >> TYPE_BITS);
		atomic_fetch_sub(&memory->types[type].now, kept >> TYPE_BITS);
		atomic_store(&memory->is_changed, true);
	}
	known->table.vkFreeMemory(device, handle, pAllocator);
	tacho__vulkan_memory_tell(known, false);
}

/* ---- what the recording is told ---- */

static void put_use(struct tacho__attributes *attributes, const char *key, const char *about,
		    struct use *use)
{
	tacho__attributes_add(
		attributes, key, "%s used=%" PRIu64 " peak=%" PRIu64 " allocations=%" PRIu64, about,
		atomic_load(&use->now), atomic_load(&use->peak), atomic_load(&use->count));
}

void tacho__vulkan_memory_put(const struct vk_device *device, struct tacho__attributes *attributes)
{
	const struct vk_memory_properties *properties = &device->memory;
	struct memory *memory = get_memory(device->physical);
	char key[32], about[96];

	for (uint32_t i = 0; memory && i < properties->heap_count && i < VK_MEMORY_HEAPS_MAX; i++) {
		if (!atomic_load(&memory->heaps[i].count))
			continue;
		snprintf(key, sizeof(key), "memory_heap_%" PRIu32, i);
		snprintf(about, sizeof(about), "size=%" PRIu64 " local=%d",
			 properties->heaps[i].size,
			 (properties->heaps[i].flags & VK_MEMORY_HEAP_LOCAL) != 0);
		put_use(attributes, key, about, &memory->heaps[i]);
	}
	for (uint32_t i = 0; memory && i < properties->type_count && i < VK_MEMORY_TYPES_MAX; i++) {
		if (!atomic_load(&memory->types[i].count))
			continue;
		snprintf(key, sizeof(key), "memory_type_%" PRIu32, i);
		snprintf(about, sizeof(about), "heap=%" PRIu32 " host_visible=%d",
			 properties->types[i].heap,
			 (properties->types[i].flags & VK_MEMORY_HOST_VISIBLE) != 0);
		put_use(attributes, key, about, &memory->types[i]);
	}
	if (memory && atomic_load(&memory->unknown))
		tacho__attributes_add(attributes, "memory_unknown", "%" PRIu64,
				      atomic_load(&memory->unknown));
}

/* What changes while it is told is told the next time. */
void tacho__vulkan_memory_tell(const struct vk_device *device, bool is_last)
{
	struct memory *memory = get_memory(device->physical);
	uint64_t now_ns;

	if (!memory || !atomic_load_explicit(&memory->is_changed, memory_order_relaxed))
		return;
	now_ns = tacho__clock_raw_ns();
	if (!is_last &&
	    atomic_load(&memory->told) >=
		    TOLD_AT_ONCE + (now_ns - atomic_load(&memory->first_ns)) / TOLD_APART_NS)
		return;
	if (atomic_flag_test_and_set(&memory->is_telling))
		return;
	atomic_store(&memory->is_changed, false);
	if (!atomic_fetch_add(&memory->told, 1))
		atomic_store(&memory->first_ns, now_ns);
	tacho__vulkan_tell_device(device);
	atomic_flag_clear(&memory->is_telling);
}
