/* SPDX-License-Identifier: MIT */
/* The architecture of a device: the standard queries that it has, and why not the others. */
#include <string.h>

#include "backend/vulkan/vulkan_device.h"
#include "base/error.h"
#include "catalog/arch.h"

enum {
	TYPE_OCCLUSION = 0,
	TYPE_STATISTICS = 1,
	TYPE_TIMESTAMP = 2,
	NUMBER_AT = 32, /* of an event: its type is below */
	COMPUTE_BIT = 10,
};

static const char no_times[] = "tacho has the times of commands without counting: device_time";
static const char no_feedback[] = "tacho puts no queries of transform feedback around commands";
static const char no_statistics[] =
	"the driver has no pipeline statistics (pipelineStatisticsQuery is 0)";
static const char no_precise[] =
	"the driver counts no samples, it tells only whether there are any "
	"(occlusionQueryPrecise is 0)";
static const char no_graphics[] = "the device has no queue for graphics";
static const char no_compute[] = "the device has no queue for compute";

const struct tacho__vulkan_counter *tacho__vulkan_get_counter(const struct vulkan_device *device,
							      const struct tacho_entry *entry)
{
	return tacho__map_get(&device->own.counters, (uintptr_t)entry);
}

/* NULL: it can be counted. */
static const char *explain(const struct vulkan_facts *facts, uint32_t type, uint32_t number)
{
	bool is_compute = type == TYPE_STATISTICS && number == COMPUTE_BIT;

	if (type == TYPE_TIMESTAMP)
		return no_times;
	if (type != TYPE_STATISTICS && type != TYPE_OCCLUSION)
		return no_feedback;
	if (is_compute ? !facts->has_compute : !facts->has_graphics)
		return is_compute ? no_compute : no_graphics;
	if (type == TYPE_STATISTICS)
		return facts->has_statistics ? NULL : no_statistics;
	return number && !facts->has_precise_occlusion ? no_precise : NULL;
}

static int add_query(struct vulkan_device *device, const struct tacho_entry *definition)
{
	uint32_t type = (uint32_t)definition->event;
	uint32_t number = (uint32_t)(definition->event >> NUMBER_AT);
	const char *reason = explain(&device->facts, type, number);
	const struct tacho__vulkan_counter how = {
		.query =
			type == TYPE_OCCLUSION ? TACHO__VULKAN_OCCLUSION : TACHO__VULKAN_STATISTICS,
		.scope = TACHO__VULKAN_COMMAND,
		.storage = VULKAN_STORAGE_UINT64,
		.type = (uint8_t)definition->type,
		.is_precise = type == TYPE_OCCLUSION && number,
		.index = number,
	};

	if (reason)
		return tacho__known_refuse(device->own.arch, definition, reason);
	return tacho__known_add_counter(&device->own, definition, &how, sizeof(how));
}

static int add_queries(struct vulkan_device *device, const struct tacho_arch *standard)
{
	const struct tacho_entry *entry;
	int rc = 0;

	for (size_t i = 0; !rc && (entry = tacho_arch_get_entry(standard, i)); i++)
		if (entry->kind == TACHO_ENTRY_COUNTER)
			rc = add_query(device, entry);
	return rc;
}

static int add_arch(struct vulkan_device *device, const struct tacho_arch *standard)
{
	struct tacho_arch arch = *standard;

	arch.title =
		tacho__catalog_text(device->own.catalog, "%.256s", device->facts.properties.name);
	return arch.title ? tacho__catalog_add_arch(device->own.catalog, &arch, &device->own.arch)
			  : TACHO_E_NOMEM;
}

static int add_blocks(struct vulkan_device *device, const struct tacho_arch *standard)
{
	const struct tacho_block *block;
	int rc = 0;

	for (size_t i = 0; !rc && (block = tacho_arch_get_block(standard, i)); i++) {
		struct tacho_block own = *block;

		own.description = "a query of the API that is begun and ended around each draw, "
				  "dispatch and trace";
		rc = tacho__arch_add_block(device->own.arch, &own);
	}
	return rc;
}

int tacho__vulkan_fill_catalog(struct vulkan_device *device, const struct tacho_arch *standard)
{
	int rc = add_arch(device, standard);

	if (!rc)
		rc = add_blocks(device, standard);
	if (!rc)
		rc = add_queries(device, standard);
	if (!rc)
		rc = tacho__known_add_metrics(&device->own, standard);
	if (!rc)
		rc = tacho__known_add_sets(&device->own, standard);
	if (!rc)
		rc = tacho__vulkan_add_counters(device);
	if (!rc)
		rc = tacho__known_add_model(&device->own, standard, device->facts.properties.name,
					    NULL, 0);
	return rc ? rc : tacho__catalog_complete(device->own.catalog);
}
