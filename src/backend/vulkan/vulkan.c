/* SPDX-License-Identifier: MIT */
/* The backend: devices of Vulkan's loader, or the one that a program has. */
#include "backend/vulkan/vulkan.h"

#include <stdlib.h>

#include "backend/collection.h"
#include "backend/vulkan/vulkan_device.h"
#include "base/error.h"
#include "catalog/arch.h"

enum { DEVICES_MAX = 16 };

/* ---- finding ---- */

static const char *kind_of(uint32_t type)
{
	if (type == VULKAN_DEVICE_CPU)
		return "cpu";
	return type ? "gpu" : "other";
}

static void explain(struct tacho_probe *probe, struct tacho_device_info *info,
		    const struct vulkan_facts *facts)
{
	info->usable = facts->has_statistics || facts->has_graphics || facts->counter_count;
	if (info->usable)
		return;
	info->cause = tacho__probe_text(probe, "it has no queue for graphics, no pipeline "
					       "statistics and no counters of the driver");
	info->cure = tacho__probe_text(probe, "use another device, or a newer driver");
}

static int add_device(struct tacho_probe *probe, const struct vulkan *vulkan, vulkan_handle handle)
{
	struct tacho_device_info *info = tacho__probe_add_device_info(probe);
	struct vulkan_facts *facts = calloc(1, sizeof(*facts));
	int rc = info && facts ? tacho__vulkan_ask(vulkan, handle, facts) : TACHO_E_NOMEM;

	if (!rc) {
		info->name = tacho__probe_text(probe, "%.256s", facts->properties.name);
		info->id = tacho__probe_text(probe, "%s", facts->id);
		info->driver = tacho__probe_text(probe, "%s", facts->driver);
		info->vendor = tacho__probe_text(probe, "0x%04X", facts->properties.vendor);
		info->platform = "Vulkan";
		info->kind = kind_of(facts->properties.type);
		info->arch = "any";
		info->api = "vulkan";
		info->launches_only = 1;
		explain(probe, info, facts);
	}
	free(facts);
	return rc;
}

static int add_all(struct tacho_probe *probe, struct tacho_probe_backend *backend_info,
		   const struct vulkan *vulkan)
{
	vulkan_handle handles[DEVICES_MAX];
	uint32_t count = DEVICES_MAX;
	int32_t result = vulkan->enumerate_devices(vulkan->instance, &count, handles);
	int rc = 0;

	if (result < 0 || !count) {
		backend_info->cause =
			tacho__probe_text(probe, "vkEnumeratePhysicalDevices: %s",
					  result < 0 ? tacho__vulkan_error(result) : "0 devices");
		backend_info->cure = "see tacho doctor vulkan";
		return 0;
	}
	backend_info->usable = 1;
	for (uint32_t i = 0; i < count && !rc; i++)
		rc = add_device(probe, vulkan, handles[i]);
	return rc;
}

static int probe_loader(struct tacho_probe *probe, struct tacho_probe_backend *backend_info)
{
	struct vulkan vulkan;
	int32_t result;
	int rc = tacho__vulkan_open(&vulkan);

	if (rc == TACHO_E_NOMEM)
		return rc;
	if (rc) {
		backend_info->cause = tacho__probe_text(probe, "%s", tacho_error_last()->cause);
		backend_info->cure = "install Vulkan's loader (Debian: libvulkan1) and a driver";
		return 0;
	}
	backend_info->library = tacho__probe_text(probe, "%s", vulkan.dl.path);
	result = tacho__vulkan_begin(&vulkan);
	if (result) {
		backend_info->cause = tacho__probe_text(probe, "vkCreateInstance: %s",
							tacho__vulkan_error(result));
		backend_info->cure = "install a driver (Debian: mesa-vulkan-drivers)";
	} else {
		rc = add_all(probe, backend_info, &vulkan);
	}
	tacho__vulkan_close(&vulkan);
	return rc;
}

static int probe(struct tacho_probe *probe_, struct tacho_probe_backend *backend_info)
{
	const struct tacho__vulkan_handle *handle = tacho__probe_get_options(probe_)->handle;
	struct vulkan vulkan;

	if (!handle)
		return probe_loader(probe_, backend_info);
	tacho__vulkan_borrow(&vulkan, handle->get, handle->instance);
	backend_info->usable = 1;
	return add_device(probe_, &vulkan, handle->physical);
}

/* ---- opening ---- */

static void close_device(struct tacho_device *base)
{
	struct vulkan_device *device = TACHO__OWN(struct vulkan_device, base);

	if (!device->is_borrowed && device->vulkan.dl.handle)
		tacho__vulkan_close(&device->vulkan);
	tacho__known_finish(&device->own);
	free(device);
}

static int find_physical(struct vulkan_device *device, size_t index)
{
	vulkan_handle handles[DEVICES_MAX];
	uint32_t count = DEVICES_MAX;
	int32_t result = tacho__vulkan_begin(&device->vulkan);

	if (!result)
		result = device->vulkan.enumerate_devices(device->vulkan.instance, &count, handles);
	if (result < 0 || index >= count)
		return tacho__fail(TACHO_E_NODEVICE,
				   result < 0 ? tacho__vulkan_error(result)
					      : tacho__detail("%u devices now", count),
				   "see tacho doctor vulkan",
				   "the Vulkan device that was found is gone");
	device->physical = handles[index];
	return 0;
}

static int find_driver(struct vulkan_device *device, const struct tacho_probe *probe_, size_t index)
{
	const struct tacho__vulkan_handle *handle = tacho__probe_get_options(probe_)->handle;
	int rc = 0;

	if (handle) {
		tacho__vulkan_borrow(&device->vulkan, handle->get, handle->instance);
		device->is_borrowed = true;
		device->physical = handle->physical;
	} else {
		rc = tacho__vulkan_open(&device->vulkan);
		if (!rc)
			rc = find_physical(device, index);
	}
	return rc ? rc : tacho__vulkan_ask(&device->vulkan, device->physical, &device->facts);
}

static int fill_device(struct vulkan_device *device, const struct tacho_probe *probe_, size_t index,
		       const struct tacho_catalog *catalog)
{
	const struct tacho_arch *standard;
	int rc = find_driver(device, probe_, index);

	if (!rc)
		rc = tacho__catalog_create(&device->own.catalog);
	if (!rc)
		rc = tacho__known_find_definition(&device->own, catalog, "any", "vulkan",
						  &standard);
	return rc ? rc : tacho__vulkan_fill_catalog(device, standard);
}

static void set_modes(struct tacho_device *device)
{
	device->traits.modes[TACHO_MODE_DEFAULT].levels = 1;
	device->traits.modes[TACHO_MODE_SERIALIZED].cause =
		"a program's commands run as they were recorded, and nothing waits for them";
	device->traits.modes[TACHO_MODE_PIPELINED].cause =
		"each command is counted by itself, and commands lie in no others";
}

static int open_device(const struct tacho_probe *probe_, size_t index,
		       const struct tacho_catalog *catalog, struct tacho_device **out_device)
{
	struct vulkan_device *device = calloc(1, sizeof(*device));
	int rc;

	if (!device)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a Vulkan device");
	rc = fill_device(device, probe_, index, catalog);
	if (rc) {
		close_device(&device->base);
		return rc;
	}
	device->base.traits = (struct tacho__device_traits){
		.arch = tacho__arch_public(device->own.arch),
		.model = tacho_arch_get_model(tacho__arch_public(device->own.arch), 0),
		.replays = 1u << TACHO_REPLAY_PROCESS | 1u << TACHO_REPLAY_NONE |
			   1u << TACHO_REPLAY_ROTATE,
	};
	set_modes(&device->base);
	*out_device = &device->base;
	return 0;
}

const struct tacho__backend tacho__backend_vulkan = {
	.name = "vulkan",
	.summary = "queries around commands of Vulkan programs, and counters of its drivers",
	.probe = probe,
	.open = open_device,
	.close = close_device,
	.plan = tacho__vulkan_plan,
	.begin = tacho__vulkan_begin_collection,
	.begin_pass = tacho__collection_begin_pass,
	.end_pass = tacho__collection_end_pass,
	.begin_range = tacho__vulkan_begin_range,
	.end_range = tacho__vulkan_end_range,
	.end = tacho__vulkan_end_collection,
};
