/* SPDX-License-Identifier: MIT */
/*
 * The way in through the loader: it finds our manifest in VK_ADD_LAYER_PATH and our name in
 * VK_INSTANCE_LAYERS, and asks us for each function. What goes wrong here leaves the program's
 * calls as they would be without us.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "inject/vulkan/vk_clock.h"
#include "inject/vulkan/vk_counting.h"
#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_features.h"
#include "inject/vulkan/vk_host.h"
#include "inject/vulkan/vk_performance.h"
#include "inject/vulkan/vk_queries.h"
#include "inject/vulkan/vk_unknown.h"
#include "intercept/intercept.h"
#include "record/writer.h"
#include "tacho/export.h"
#include "vulkan_constants.h"

TACHO_API int32_t vkNegotiateLoaderLayerInterfaceVersion(struct vk_negotiation *negotiation);

enum { EXTENSIONS_MAX = 1024 };

static bool is_recording(void)
{
	return atomic_load_explicit(&tacho__intercept.active, memory_order_relaxed);
}

/* ---- giving out functions ---- */

static bool is_named(const struct tacho__vulkan_entry *entry, const char *name)
{
	return !strcmp(entry->name, name);
}

/* What keeps track of instances and devices is ours whether something is recorded or not. */
static bool is_needed(const struct tacho__vulkan_entry *entry)
{
	return is_recording() || is_named(entry, "vkGetDeviceProcAddr") ||
	       is_named(entry, "vkCreateDevice") || is_named(entry, "vkDestroyDevice") ||
	       is_named(entry, "vkDestroyInstance");
}

/* Only where there is one below us. */
static void *choose(const struct tacho__vulkan_entry *entry, void *next)
{
	return next && entry && is_needed(entry) ? entry->wrapper : next;
}

void *tacho__vulkan_get_instance_function(void *instance, char const *pName)
{
	const struct tacho__vulkan_entry *entry = tacho__vulkan_find(pName);
	const struct tacho__vulkan_dispatch *table;

	/* Layers above us, such as MangoHud, ask for vkCreateDevice without an instance, too. */
	if (entry && (entry->level == TACHO__LEVEL_GLOBAL ||
		      (!instance && is_named(entry, "vkCreateDevice"))))
		return entry->wrapper;
	table = instance ? tacho__vulkan_next(instance) : NULL;
	return table ? choose(entry, table->vkGetInstanceProcAddr(instance, pName)) : NULL;
}

/* Of an extension that only we asked for. */
static bool is_hidden(const struct vk_device *device, const char *name)
{
	return (device->hides_calibration && !strcmp(name, "vkGetCalibratedTimestampsEXT")) ||
	       (device->hides_performance && (!strcmp(name, "vkAcquireProfilingLockKHR") ||
					      !strcmp(name, "vkReleaseProfilingLockKHR"))) ||
	       (device->hides_host_reset && !strcmp(name, "vkResetQueryPoolEXT"));
}

void *tacho__vulkan_get_device_function(void *device, char const *pName)
{
	const struct tacho__vulkan_entry *entry = tacho__vulkan_find(pName);
	struct vk_device *known = tacho__vulkan_device_of(device);
	void *next;

	if (!known || is_hidden(known, pName))
		return NULL;
	next = known->table.vkGetDeviceProcAddr(device, pName);
	if (next && !entry)
		tacho__vulkan_note_unknown(pName);
	return choose(entry, next);
}

int32_t vkNegotiateLoaderLayerInterfaceVersion(struct vk_negotiation *negotiation)
{
	int error = errno;

	if (!negotiation || negotiation->type != VK_NEGOTIATE_INTERFACE)
		return VK_ERROR_INITIALIZATION_FAILED;
	if (negotiation->version > VK_LAYER_INTERFACE_VERSION)
		negotiation->version = VK_LAYER_INTERFACE_VERSION;
	negotiation->get_instance_function = (vk_get_function)tacho__vulkan_get_instance_function;
	negotiation->get_device_function = (vk_get_function)tacho__vulkan_get_device_function;
	negotiation->get_physical_device_function = NULL;
	tacho__record_add_table(TACHO__API_ID, tacho__vulkan_table, tacho__vulkan_table_size);
	tacho__record_start();
	if (is_recording())
		tacho__vulkan_counting_start();
	errno = error;
	return VK_SUCCESS;
}

/* ---- instances ---- */

/* Where the loader says who is next: advanced for the one below. */
static struct vk_loader_info *find_link(const void *next, int32_t type)
{
	for (const struct vk_chain *at = next; at; at = at->next) {
		struct vk_loader_info *info = (struct vk_loader_info *)(uintptr_t)at;

		if (at->type == type && info->function == VK_LOADER_LINK_INFO)
			return info;
	}
	return NULL;
}

static bool add_instance(struct vk_instance *instance, void *handle, vk_get_function get,
			 const struct vk_instance_info *info)
{
	instance->handle = handle;
	instance->version = info->application ? info->application->api_version : 0;
	tacho__vulkan_fill(&instance->table, get, handle, TACHO__LEVEL_INSTANCE);
	instance->table.vkGetInstanceProcAddr = (void *(*)(void *, char const *))get;
	return tacho__vulkan_set_table(handle, &instance->table);
}

typedef int32_t (*create_instance_fn)(void const *, void const *, void **);
typedef void (*destroy_fn)(void *, void const *);

int32_t tacho__vulkan_create_instance(void const *pCreateInfo, void const *pAllocator,
				      void **pInstance)
{
	struct vk_loader_info *link = find_link(((const struct vk_chain *)pCreateInfo)->next,
						VK_TYPE_LOADER_INSTANCE_CREATE_INFO);
	vk_get_function get =
		link && link->u.instance ? link->u.instance->get_instance_function : NULL;
	create_instance_fn create = get ? (create_instance_fn)get(NULL, "vkCreateInstance") : NULL;
	struct vk_instance *instance;
	int32_t rc;

	if (!create)
		return VK_ERROR_INITIALIZATION_FAILED;
	instance = calloc(1, sizeof(*instance));
	if (!instance)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	link->u.instance = link->u.instance->next;
	rc = create(pCreateInfo, pAllocator, pInstance);
	if (rc >= 0 && !add_instance(instance, *pInstance, get, pCreateInfo))
		rc = VK_ERROR_OUT_OF_HOST_MEMORY; /* the loader takes what is below down */
	if (rc < 0)
		free(instance);
	return rc;
}

void tacho__vulkan_destroy_instance(void *instance, void const *pAllocator)
{
	struct vk_instance *known =
		instance ? (struct vk_instance *)(uintptr_t)tacho__vulkan_next(instance) : NULL;

	if (!known)
		return;
	tacho__vulkan_set_table(instance, NULL);
	known->table.vkDestroyInstance(instance, pAllocator);
	free(known);
}

/* ---- devices ---- */

static bool asks_for(const struct vk_device_info *info, const char *extension)
{
	for (uint32_t i = 0; i < info->extension_count; i++)
		if (!strcmp(info->extensions[i], extension))
			return true;
	return false;
}

static bool offers(const struct vk_instance *instance, void *physical, const char *extension)
{
	struct vk_extension *extensions = calloc(EXTENSIONS_MAX, sizeof(*extensions));
	uint32_t count = EXTENSIONS_MAX;
	bool found = false;

	if (!extensions)
		return false;
	if (instance->table.vkEnumerateDeviceExtensionProperties(physical, NULL, &count,
								 extensions) >= 0)
		for (uint32_t i = 0; i < count && i < EXTENSIONS_MAX; i++)
			found |= !strcmp(extensions[i].name, extension);
	free(extensions);
	return found;
}

typedef int32_t (*create_device_fn)(void *, void const *, void const *, void **);

struct creation {
	create_device_fn create;
	void *physical;
	struct vk_loader_info *link;
	struct vk_device_link *below; /* what the one below us is to find there */
	const void *allocator;
};

/* Those below move the link on, so it is put right before each try. */
static int32_t try_create(const struct creation *creation, const struct vk_device_info *info,
			  void **out_device)
{
	creation->link->u.device = creation->below;
	return creation->create(creation->physical, info, creation->allocator, out_device);
}

/* With more than the program asked for; as it asked, when there is nothing to add. */
static int32_t create_changed(const struct creation *creation, const struct vk_device_info *info,
			      const struct vk_wishes *wishes, void **out_device)
{
	struct vk_changed_info changed;
	int32_t rc;

	if (!tacho__vulkan_change_info(&changed, info, wishes))
		return VK_ERROR_INITIALIZATION_FAILED;
	rc = try_create(creation, &changed.info, out_device);
	tacho__vulkan_restore_info(&changed);
	return rc;
}

/* Whether an extension is added, which the program is not to see. */
static bool add_extension(const struct creation *creation, const struct vk_device_info *info,
			  const struct vk_instance *instance, const char *name,
			  struct vk_wishes *wishes)
{
	if (asks_for(info, name) || !offers(instance, creation->physical, name))
		return false;
	wishes->extensions[wishes->extension_count++] = name;
	return true;
}

/* False: it cannot be made so, and nothing is counted. */
static bool create_counted(const struct creation *creation, const struct vk_device_info *info,
			   struct vk_device *device, struct vk_wishes *wishes, void **out_device)
{
	tacho__vulkan_wish(device->passes, wishes);
	tacho__vulkan_performance_wish(device, asks_for(info, VK_PERFORMANCE_EXTENSION), wishes);
	device->hides_performance =
		wishes->performance &&
		add_extension(creation, info, device->instance, VK_PERFORMANCE_EXTENSION, wishes);
	if (create_changed(creation, info, wishes, out_device) >= 0)
		return true;
	device->passes = NULL;
	device->hides_performance = false;
	tacho__vulkan_counting_give_up(
		"the program's device cannot be made with what counting needs",
		"name other counters, or record without -m, which gives times");
	return false;
}

/* For queues of the program that reset no queries. */
static void wish_host_reset(const struct creation *creation, const struct vk_device_info *info,
			    struct vk_device *device, struct vk_wishes *wishes)
{
	enum vk_host_reset way =
		tacho__vulkan_host_find(device->instance, creation->physical, info);

	if (way == VK_HOST_RESET_BY_EXTENSION) {
		device->hides_host_reset = add_extension(creation, info, device->instance,
							 VK_HOST_RESET_EXTENSION, wishes);
		wishes->host_reset =
			device->hides_host_reset || asks_for(info, VK_HOST_RESET_EXTENSION);
	} else {
		wishes->host_reset = way == VK_HOST_RESET_BY_VERSION;
	}
	device->resets_by_host = wishes->host_reset;
}

/* With all that is wanted, else without what counting needs, else without resets by the host, else
 * as the program asked. */
static int32_t create(const struct creation *creation, const struct vk_device_info *info,
		      struct vk_device *device, void **out_device)
{
	struct vk_wishes clocks = {.extension_count = 0}, wishes, more;

	device->hides_calibration =
		is_recording() &&
		add_extension(creation, info, device->instance, VK_CALIBRATION_EXTENSION, &clocks);
	wishes = clocks;
	if (is_recording())
		wish_host_reset(creation, info, device, &wishes);
	more = wishes;
	if (device->passes && create_counted(creation, info, device, &more, out_device))
		return VK_SUCCESS;
	if (wishes.host_reset && create_changed(creation, info, &wishes, out_device) >= 0)
		return VK_SUCCESS;
	device->resets_by_host = device->hides_host_reset = false;
	if (device->hides_calibration && create_changed(creation, info, &clocks, out_device) >= 0)
		return VK_SUCCESS;
	device->hides_calibration = false;
	return try_create(creation, info, out_device);
}

/* Who is below us, from the loader's link; false: there is none. */
static bool find_below(struct creation *creation, const struct vk_instance *instance,
		       const struct vk_device_info *info, vk_get_function *out_get)
{
	struct vk_loader_info *link = find_link(info->next, VK_TYPE_LOADER_DEVICE_CREATE_INFO);
	struct vk_device_link *own = link ? link->u.device : NULL;

	if (!instance || !own)
		return false;
	creation->link = link;
	creation->below = own->next;
	creation->create =
		(create_device_fn)own->get_instance_function(instance->handle, "vkCreateDevice");
	*out_get = own->get_device_function;
	return creation->create != NULL;
}

int32_t tacho__vulkan_create_device(void *physicalDevice, void const *pCreateInfo,
				    void const *pAllocator, void **pDevice)
{
	const struct vk_device_info *info = pCreateInfo;
	struct vk_instance *instance =
		(struct vk_instance *)(uintptr_t)tacho__vulkan_next(physicalDevice);
	struct creation creation = {.physical = physicalDevice, .allocator = pAllocator};
	struct vk_device *device;
	vk_get_function get;
	int32_t rc;

	if (!find_below(&creation, instance, info, &get))
		return VK_ERROR_INITIALIZATION_FAILED;
	device = tacho__vulkan_make_device(instance, physicalDevice, info);
	if (!device)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	if (is_recording())
		device->passes = tacho__vulkan_counting_open(instance, physicalDevice);
	rc = create(&creation, info, device, pDevice);
	if (rc >= 0 && !tacho__vulkan_add_device(device, *pDevice, get)) {
		((destroy_fn)get(*pDevice, "vkDestroyDevice"))(*pDevice, pAllocator);
		rc = VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	if (rc < 0) {
		free(device);
		return rc;
	}
	device->is_calibrated =
		device->hides_calibration || asks_for(info, VK_CALIBRATION_EXTENSION);
	if (device->hides_performance)
		tacho__vulkan_performance_begin(device);
	if (is_recording())
		tacho__vulkan_describe_device(device, info);
	return rc;
}

void tacho__vulkan_destroy_device(void *device, void const *pAllocator)
{
	struct vk_device *known = device ? tacho__vulkan_device_of(device) : NULL;
	destroy_fn destroy;

	if (!known)
		return;
	destroy = known->table.vkDestroyDevice;
	tacho__vulkan_performance_end(known);
	tacho__vulkan_remove_device(known);
	destroy(device, pAllocator);
}
