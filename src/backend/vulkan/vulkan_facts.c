/* SPDX-License-Identifier: MIT */
/* What a physical device is, and which queries it has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/vulkan/vulkan_device.h"
#include "base/error.h"

enum { FAMILIES_MAX = 32, EXTENSIONS_MAX = 1024 };

static int find_performance(const struct vulkan *vulkan, vulkan_handle physical,
			    bool *out_has_driver_properties, bool *out_has_performance)
{
	struct vulkan_extension *extensions = calloc(EXTENSIONS_MAX, sizeof(*extensions));
	uint32_t count = EXTENSIONS_MAX;

	*out_has_driver_properties = *out_has_performance = false;
	if (!extensions)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a device's extensions");
	if (vulkan->enumerate_extensions(physical, NULL, &count, extensions) < 0)
		count = 0;
	for (uint32_t i = 0; i < count && i < EXTENSIONS_MAX; i++) {
		*out_has_performance |= !strcmp(extensions[i].name, VULKAN_PERFORMANCE_QUERY);
		*out_has_driver_properties |=
			!strcmp(extensions[i].name, "VK_KHR_driver_properties");
	}
	free(extensions);
	return 0;
}

static void put_id(char out_id[40], const uint8_t uuid[16])
{
	static const uint8_t nobody[16];
	size_t used = 0;

	out_id[0] = '\0';
	for (int i = 0; i < 16 && memcmp(uuid, nobody, sizeof(nobody)); i++)
		used += (size_t)snprintf(out_id + used, 40 - used, "%s%02x",
					 i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
}

/* Software drivers have an id that is the same on every machine: it names no device. */
static void name_device(const struct vulkan *vulkan, vulkan_handle physical, bool has_driver,
			struct vulkan_facts *facts)
{
	struct vulkan_driver_properties driver = {.type = VULKAN_TYPE_DRIVER_PROPERTIES};
	struct vulkan_id_properties id = {.type = VULKAN_TYPE_ID_PROPERTIES};
	struct vulkan_properties_2 all = {.type = VULKAN_TYPE_PROPERTIES_2, .next = &id};

	snprintf(facts->driver, sizeof(facts->driver), "0x%X", facts->properties.driver_version);
	if (!vulkan->get_properties_2 || facts->properties.api_version < VULKAN_VERSION(1, 1))
		return;
	if (has_driver || facts->properties.api_version >= VULKAN_VERSION(1, 2))
		id.next = &driver;
	vulkan->get_properties_2(physical, &all);
	if (facts->properties.type != VULKAN_DEVICE_CPU)
		put_id(facts->id, id.device_uuid);
	if (*driver.name)
		snprintf(facts->driver, sizeof(facts->driver), "%.100s %.180s", driver.name,
			 driver.info);
}

static bool can_count(const struct vulkan *vulkan, vulkan_handle physical)
{
	struct vulkan_feature_pair counters = {.type = VULKAN_TYPE_PERFORMANCE_QUERY_FEATURES};
	struct vulkan_features_2 features = {.type = VULKAN_TYPE_FEATURES_2, .next = &counters};

	if (!vulkan->get_features_2 || !vulkan->enumerate_counters || !vulkan->get_passes)
		return false;
	vulkan->get_features_2(physical, &features);
	return counters.first != 0;
}

/* Counters are a family's: that with the most of them is taken. */
static void find_families(const struct vulkan *vulkan, vulkan_handle physical,
			  struct vulkan_facts *facts)
{
	struct vulkan_queue_family families[FAMILIES_MAX] = {{0}};
	uint32_t count = tacho__vulkan_ask_families(vulkan, physical, families, FAMILIES_MAX);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t counters = 0;

		facts->has_graphics |= (families[i].flags & VULKAN_QUEUE_GRAPHICS) != 0;
		facts->has_compute |= (families[i].flags & VULKAN_QUEUE_COMPUTE) != 0;
		if (!facts->has_performance ||
		    !(families[i].flags & (VULKAN_QUEUE_GRAPHICS | VULKAN_QUEUE_COMPUTE)) ||
		    vulkan->enumerate_counters(physical, i, &counters, NULL, NULL) < 0 ||
		    counters <= facts->counter_count)
			continue;
		facts->counter_count = counters;
		facts->family = i;
	}
}

static const char *explain_counters(const struct vulkan_facts *facts, bool has_extension)
{
	if (facts->counter_count)
		return "";
	if (!has_extension)
		return "the driver has no counters of its own: it lacks " VULKAN_PERFORMANCE_QUERY;
	return facts->has_performance ? "the driver has " VULKAN_PERFORMANCE_QUERY
					" and lists no counters by it"
				      : "the driver has " VULKAN_PERFORMANCE_QUERY
					" and says that its counters cannot be counted "
					"(performanceCounterQueryPools is 0)";
}

int tacho__vulkan_ask(const struct vulkan *vulkan, vulkan_handle physical,
		      struct vulkan_facts *out_facts)
{
	struct vulkan_facts facts = {.driver = ""};
	struct vulkan_features features = {.has_statistics = 0};
	bool has_driver, has_performance;
	int rc = find_performance(vulkan, physical, &has_driver, &has_performance);

	if (rc)
		return rc;
	vulkan->get_properties(physical, &facts.properties);
	vulkan->get_features(physical, &features);
	facts.has_statistics = features.has_statistics;
	facts.has_precise_occlusion = features.has_precise_occlusion;
	facts.has_performance = has_performance && can_count(vulkan, physical);
	name_device(vulkan, physical, has_driver, &facts);
	find_families(vulkan, physical, &facts);
	facts.why_no_counters = explain_counters(&facts, has_performance);
	*out_facts = facts;
	return 0;
}
