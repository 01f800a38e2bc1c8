/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_devices.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "inject/attribute_env.h"
#include "inject/handles.h"
#include "inject/vulkan/vk_clock.h"
#include "inject/vulkan/vk_commands.h"
#include "inject/vulkan/vk_jobs.h"
#include "inject/vulkan/vk_labels.h"
#include "inject/vulkan/vk_memory.h"
#include "intercept/intercept.h"
#include "tacho/recording.h"

enum {
	VALID_BITS_MIN = 32, /* fewer wrap around while a command runs */
	/* Flags of queues that write times, but may not reset the queries. */
	KEEPING_TIME = VK_QUEUE_TRANSFER | VK_QUEUE_DECODE | VK_QUEUE_ENCODE,
};

static struct tacho__handles queues; /* VkQueue to struct vk_queue */

struct vk_device *tacho__vulkan_device_of(const void *handle)
{
	return (struct vk_device *)(uintptr_t)tacho__vulkan_next(handle);
}

/* ---- what the recording is told ---- */

static void tell(uint32_t kind, uint64_t handle, const struct tacho__attributes *attributes)
{
	const struct tacho__made made = {.api = TACHO__API_ID,
					 .kind = kind,
					 .handle = handle,
					 .attributes = attributes->text};

	tacho__intercept_made(&made);
}

static const char *name_type(int32_t type)
{
	return type == VK_DEVICE_TYPE_CPU ? "cpu" : type ? "gpu" : "other";
}

static void tell_device(struct vk_device *device, const struct vk_device_properties *properties)
{
	struct tacho__attributes attributes = {.size = 0};

	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "name", "%.*s", VK_DEVICE_NAME_BYTES, properties->name);
	tacho__attributes_add(&attributes, "type", "%s", name_type(properties->type));
	tacho__attributes_add(&attributes, "platform_name", "Vulkan");
	tacho__attributes_add(&attributes, "vendor_id", "0x%" PRIX32, properties->vendor);
	tacho__attributes_add(&attributes, "device_id", "0x%" PRIX32, properties->device);
	tacho__attributes_add(&attributes, "driver", "0x%" PRIX32, properties->driver_version);
	if (device->is_calibrated)
		tacho__attributes_add(&attributes, "clock_uncertainty_ns", "%" PRIu64,
				      device->uncertainty_ns);
	device->facts = strdup(attributes.text);
	tacho__vulkan_memory_put(device, &attributes);
	tell(TACHO_OBJECT_DEVICE, (uintptr_t)device->physical, &attributes);
	attributes.size = 0;
	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "devices", "0x%" PRIXPTR, (uintptr_t)device->physical);
	tell(TACHO_OBJECT_CONTEXT, (uintptr_t)device->handle, &attributes);
}

void tacho__vulkan_tell_device(const struct vk_device *device)
{
	struct tacho__attributes attributes;

	if (!device->facts)
		return;
	attributes.size = strlen(device->facts);
	memcpy(attributes.text, device->facts, attributes.size + 1);
	tacho__vulkan_memory_put(device, &attributes);
	tell(TACHO_OBJECT_DEVICE, (uintptr_t)device->physical, &attributes);
}

/* `name`: that the program gave it, when it had been told without; "": none. */
static void tell_queue(const struct vk_queue *queue, const char *name)
{
	const struct vk_device *device = queue->device;
	struct tacho__attributes attributes = {.size = 0};

	attributes.text[0] = '\0';
	if (*name)
		tacho__attributes_add(&attributes, "name", "%.*s", VK_NAME_BYTES - 1, name);
	else
		tacho__attributes_add(&attributes, "name", "family %" PRIu32, queue->family);
	if (*name)
		tacho__attributes_add(&attributes, "renamed", "1");
	tacho__attributes_add(&attributes, "device", "0x%" PRIXPTR, (uintptr_t)device->physical);
	tacho__attributes_add(&attributes, "context", "0x%" PRIXPTR, (uintptr_t)device->handle);
	if (queue->family < device->family_count) {
		tacho__attributes_add(&attributes, "flags", "0x%" PRIX32,
				      device->families[queue->family].flags);
		tacho__attributes_add(&attributes, "valid_bits", "%" PRIu32,
				      device->families[queue->family].valid_bits);
	}
	tell(TACHO_OBJECT_QUEUE, (uintptr_t)queue->handle, &attributes);
}

/* ---- devices ---- */

/*
 * GPUs that draw a tile at a time write the time of a tile, not of a draw, where a draw is timed;
 * so do Mesa's and Google's drivers for CPUs. By the numbers of vendors that the registry gives or
 * PCI does.
 */
static bool does_draw_by_tile(const struct vk_device_properties *properties)
{
	static const uint32_t vendors[] = {0x13B5 /* Arm */, 0x5143 /* Qualcomm */,
					   0x1010 /* Imagination */, 0x14E4 /* Broadcom */,
					   0x106B /* Apple */};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(vendors); i++)
		if (properties->vendor == vendors[i])
			return true;
	return properties->type == VK_DEVICE_TYPE_CPU;
}

static void take_families(struct vk_device *device)
{
	const struct tacho__vulkan_dispatch *vk = &device->instance->table;
	uint32_t count = 0;

	/* SwiftShader fills whatever there is room for */
	vk->vkGetPhysicalDeviceQueueFamilyProperties(device->physical, &count, NULL);
	if (count > VK_FAMILIES_MAX)
		count = VK_FAMILIES_MAX;
	vk->vkGetPhysicalDeviceQueueFamilyProperties(device->physical, &count, device->families);
	device->family_count = count;
}

static bool find_memory(struct vk_device *device)
{
	const uint32_t wanted = VK_MEMORY_HOST_VISIBLE | VK_MEMORY_HOST_COHERENT;
	struct vk_memory_properties *memory = &device->memory;

	device->instance->table.vkGetPhysicalDeviceMemoryProperties(device->physical, memory);
	if (memory->type_count > VK_MEMORY_TYPES_MAX)
		memory->type_count = VK_MEMORY_TYPES_MAX;
	for (uint32_t i = 0; i < memory->type_count; i++)
		if ((memory->types[i].flags & wanted) == wanted) {
			device->memory_index = i;
			return true;
		}
	return false;
}

/* A group of several GPUs runs a command on each of them: no query tells of which. */
static bool is_group(const struct vk_device_info *info)
{
	for (const struct vk_chain *at = info->next; at; at = at->next)
		if (at->type == VK_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO &&
		    ((const struct vk_device_group_info *)(const void *)at)->count > 1)
			return true;
	return false;
}

bool tacho__vulkan_is_family_timed(const struct vk_device *device, uint32_t family)
{
	const struct vk_family_properties *properties;

	if (!device->can_time || family >= device->family_count)
		return false;
	properties = &device->families[family];
	return properties->valid_bits >= VALID_BITS_MIN &&
	       (properties->flags & VK_RESETTING ||
		tacho__vulkan_is_family_by_host(device, family));
}

bool tacho__vulkan_is_family_by_host(const struct vk_device *device, uint32_t family)
{
	uint32_t flags = family < device->family_count ? device->families[family].flags : 0;

	return device->resets_by_host && flags & KEEPING_TIME && !(flags & VK_RESETTING);
}

void tacho__vulkan_describe_device(struct vk_device *device, const struct vk_device_info *info)
{
	struct vk_device_properties properties = {0};

	device->instance->table.vkGetPhysicalDeviceProperties(device->physical, &properties);
	memcpy(&device->period_ns, (const char *)properties.limits + VK_PERIOD_AT,
	       sizeof(device->period_ns));
	device->draws_by_tile = does_draw_by_tile(&properties);
	device->wants_draws = getenv("TACHO_TIME_DRAWS") != NULL;
	take_families(device);
	for (uint32_t i = 0; i < info->queue_count; i++)
		device->queue_total += info->queues[i].count;
	device->can_time = find_memory(device) && device->period_ns > 0 && !is_group(info) &&
			   device->set_loader_data;
	tacho__vulkan_clock_begin(device);
	tell_device(device, &properties);
}

/* The loader's callback that makes handles of ours look like its own. */
static vk_set_loader_data find_loader_data(const struct vk_device_info *info)
{
	for (const struct vk_chain *at = info->next; at; at = at->next) {
		const struct vk_loader_info *loader = (const void *)at;

		if (at->type == VK_TYPE_LOADER_DEVICE_CREATE_INFO &&
		    loader->function == VK_LOADER_DATA)
			return loader->u.set_loader_data;
	}
	return NULL;
}

struct vk_device *tacho__vulkan_make_device(const struct vk_instance *instance, void *physical,
					    const struct vk_device_info *info)
{
	struct vk_device *device = calloc(1, sizeof(*device));

	if (!device)
		return NULL;
	device->instance = instance;
	device->physical = physical;
	device->set_loader_data = find_loader_data(info);
	return device;
}

bool tacho__vulkan_add_device(struct vk_device *device, void *handle, vk_get_function get)
{
	device->handle = handle;
	tacho__vulkan_fill(&device->table, get, handle, TACHO__LEVEL_DEVICE);
	tacho__vulkan_fill_debug(&device->table,
				 (vk_get_function)device->instance->table.vkGetInstanceProcAddr,
				 device->instance->handle);
	device->table.vkGetDeviceProcAddr = (void *(*)(void *, char const *))get;
	return tacho__vulkan_set_table(handle, &device->table);
}

void tacho__vulkan_remove_device(struct vk_device *device)
{
	struct vk_queue *queue = atomic_load(&device->queues), *next;

	for (; queue; queue = next) {
		next = queue->next;
		tacho__vulkan_stop_worker(queue);
		tacho__handles_set(&queues, queue->handle, 0);
		free(queue->labels);
		free(queue);
	}
	tacho__vulkan_memory_tell(device, true);
	tacho__vulkan_free_lists(device);
	tacho__vulkan_set_table(device->handle, NULL);
	free(device->facts);
	free(device);
}

/* ---- queues ---- */

struct vk_queue *tacho__vulkan_find_queue(const void *handle)
{
	return (struct vk_queue *)(uintptr_t)tacho__handles_get(&queues, handle);
}

void tacho__vulkan_name_queue(uint64_t handle, const char *name)
{
	struct vk_queue *queue = tacho__vulkan_find_queue((const void *)(uintptr_t)handle);

	if (queue && *name)
		tell_queue(queue, name);
}

static void meet_queue(struct vk_device *device, uint32_t family, void *handle)
{
	struct vk_queue *queue = handle ? tacho__vulkan_find_queue(handle) : NULL;

	if (queue || !handle)
		return;
	queue = calloc(1, sizeof(*queue));
	if (!queue)
		return;
	queue->device = device;
	queue->handle = handle;
	queue->family = family;
	queue->is_timed = tacho__vulkan_is_family_timed(device, family);
	queue->is_by_host = tacho__vulkan_is_family_by_host(device, family);
	if (!tacho__handles_set(&queues, handle, (uintptr_t)queue)) {
		free(queue);
		return;
	}
	queue->next = atomic_load(&device->queues);
	while (!atomic_compare_exchange_weak(&device->queues, &queue->next, queue))
		;
	tell_queue(queue, "");
}

void tacho__vulkan_get_queue(void *device, uint32_t queueFamilyIndex, uint32_t queueIndex,
			     void **pQueue)
{
	struct vk_device *known = tacho__vulkan_device_of(device);

	known->table.vkGetDeviceQueue(device, queueFamilyIndex, queueIndex, pQueue);
	meet_queue(known, queueFamilyIndex, *pQueue);
}

/* A protected queue takes batches that are not protected beside those that are: ours are not. */
void tacho__vulkan_get_queue2(void *device, void const *pQueueInfo, void **pQueue)
{
	struct vk_device *known = tacho__vulkan_device_of(device);
	const struct vk_device_queue_info2 *info = pQueueInfo;

	known->table.vkGetDeviceQueue2(device, pQueueInfo, pQueue);
	meet_queue(known, info->family, *pQueue);
}
