/* SPDX-License-Identifier: MIT */
#include "backend/vulkan/vulkan_checks.h"

#include <stdlib.h>
#include <string.h>

#include "backend/vulkan/vulkan_library.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"

enum {
	LAYERS_MAX = 64,
	LAYERS_SHOWN = 6,
	DEVICES_MAX = 16,
	FAMILIES_MAX = 16,
	EXTENSIONS_MAX = 1024,
};

struct listener {
	tacho_check_fn fn;
	void *user;
};

static void tell(const struct listener *to, enum tacho_check_level level, const char *what,
		 struct tacho__buf *detail, const char *cause, const char *cure)
{
	struct tacho_check check = {level, what, tacho__buf_show(detail), cause, cure};

	to->fn(to->user, &check);
	tacho__buf_finish(detail);
}

static void put_version(struct tacho__buf *text, uint32_t version)
{
	tacho__buf_printf(text, "%u.%u.%u", VULKAN_VERSION_MAJOR(version),
			  VULKAN_VERSION_MINOR(version), VULKAN_VERSION_PATCH(version));
}

/* ---- loader and layers ---- */

static void check_loader(const struct listener *to, const struct vulkan *vulkan)
{
	struct tacho__buf detail = {0};

	tacho__buf_printf(&detail, "%s, Vulkan ", vulkan->dl.path);
	put_version(&detail, vulkan->version);
	tell(to, TACHO_CHECK_OK, "Vulkan loader", &detail, "", "");
}

/* What the loader is told by the environment, which decides what programs get. */
static void put_settings(struct tacho__buf *text)
{
	static const char *const names[] = {"VK_INSTANCE_LAYERS",      "VK_LAYER_PATH",
					    "VK_ADD_LAYER_PATH",       "VK_LOADER_LAYERS_ENABLE",
					    "VK_DRIVER_FILES",	       "VK_ICD_FILENAMES",
					    "VK_LOADER_LAYERS_DISABLE"};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(names); i++)
		if (getenv(names[i]))
			tacho__buf_printf(text, "%s%s=%s", text->size ? "; " : "", names[i],
					  getenv(names[i]));
}

static void check_layers(const struct listener *to, const struct vulkan *vulkan)
{
	struct vulkan_layer *layers = calloc(LAYERS_MAX, sizeof(*layers));
	uint32_t count = LAYERS_MAX;
	struct tacho__buf detail = {0};
	int32_t result = -1;

	if (layers && vulkan->enumerate_layers)
		result = vulkan->enumerate_layers(&count, layers);
	if (result == VULKAN_SUCCESS || result == VULKAN_INCOMPLETE) {
		for (uint32_t i = 0; i < count && i < LAYERS_SHOWN; i++)
			tacho__buf_printf(&detail, "%s%.256s", i ? ", " : "", layers[i].name);
		if (count > LAYERS_SHOWN)
			tacho__buf_printf(&detail, " and %u more", count - LAYERS_SHOWN);
		if (!count)
			tacho__buf_put(&detail, "none");
		tell(to, TACHO_CHECK_OK, "Vulkan layers", &detail, "", "");
	}
	free(layers);
	put_settings(&detail);
	if (detail.size)
		tell(to, TACHO_CHECK_OK, "Vulkan settings", &detail, "", "");
	tacho__buf_finish(&detail);
}

/* ---- devices ---- */

struct device {
	vulkan_handle handle;
	struct vulkan_properties_2 properties;
	struct vulkan_driver_properties driver;
	struct vulkan_queue_family families[FAMILIES_MAX];
	uint32_t family_count;
	struct vulkan_extension *extensions;
	uint32_t extension_count;
};

static bool has_extension(const struct device *device, const char *name)
{
	for (uint32_t i = 0; i < device->extension_count; i++)
		if (!strncmp(device->extensions[i].name, name, sizeof(device->extensions[i].name)))
			return true;
	return false;
}

static bool is_at_least(const struct device *device, uint32_t version)
{
	return device->properties.properties.api_version >= version;
}

static void ask_device(const struct vulkan *vulkan, struct device *device)
{
	struct vulkan_properties *properties = &device->properties.properties;

	vulkan->get_properties(device->handle, properties);
	device->family_count =
		tacho__vulkan_ask_families(vulkan, device->handle, device->families, FAMILIES_MAX);
	device->extension_count = EXTENSIONS_MAX;
	if (vulkan->enumerate_extensions(device->handle, NULL, &device->extension_count,
					 device->extensions) < 0)
		device->extension_count = 0;
	device->driver.type = VULKAN_TYPE_DRIVER_PROPERTIES;
	device->properties.type = VULKAN_TYPE_PROPERTIES_2;
	device->properties.next = &device->driver;
	if (vulkan->get_properties_2 && is_at_least(device, VULKAN_VERSION(1, 1)) &&
	    (is_at_least(device, VULKAN_VERSION(1, 2)) ||
	     has_extension(device, "VK_KHR_driver_properties")))
		vulkan->get_properties_2(device->handle, &device->properties);
}

static void put_flags(struct tacho__buf *text, uint32_t flags)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} names[] = {
		{VULKAN_QUEUE_GRAPHICS, "graphics"},   {VULKAN_QUEUE_COMPUTE, "compute"},
		{VULKAN_QUEUE_TRANSFER, "transfer"},   {VULKAN_QUEUE_SPARSE, "sparse"},
		{VULKAN_QUEUE_PROTECTED, "protected"}, {VULKAN_QUEUE_VIDEO_DECODE, "decode"},
		{VULKAN_QUEUE_VIDEO_ENCODE, "encode"},
	};
	const char *before = "";

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(names); i++) {
		if (!(flags & names[i].flag))
			continue;
		tacho__buf_printf(text, "%s%s", before, names[i].name);
		before = "+";
	}
}

/* Its name and driver, then each family of queues. */
static void put_device(struct tacho__buf *text, const struct device *device)
{
	const struct vulkan_properties *properties = &device->properties.properties;

	tacho__buf_printf(text, "%.256s", properties->name);
	if (*device->driver.name)
		tacho__buf_printf(text, " (%.256s %.256s)", device->driver.name,
				  device->driver.info);
	tacho__buf_put(text, ", Vulkan ");
	put_version(text, properties->api_version);
	for (uint32_t i = 0; i < device->family_count; i++) {
		const struct vulkan_queue_family *family = &device->families[i];

		tacho__buf_printf(text, "; %u queue%s for ", family->count,
				  family->count == 1 ? "" : "s");
		put_flags(text, family->flags);
		if (family->valid_bits)
			tacho__buf_printf(text, ", times of %u bits", family->valid_bits);
		else
			tacho__buf_put(text, ", without times");
	}
}

/* How many counters the queues of a device have through VK_KHR_performance_query. */
static uint32_t count_counters(const struct vulkan *vulkan, const struct device *device)
{
	uint32_t most = 0;

	for (uint32_t i = 0; vulkan->enumerate_counters && i < device->family_count; i++) {
		uint32_t count = 0;

		if (!vulkan->enumerate_counters(device->handle, i, &count, NULL, NULL) &&
		    count > most)
			most = count;
	}
	return most;
}

static void put_ability(struct tacho__buf *text, bool is_there, const char *name)
{
	tacho__buf_printf(text, "%s%s%s", text->size ? ", " : "", is_there ? "" : "no ", name);
}

static void put_abilities(struct tacho__buf *text, const struct vulkan *vulkan,
			  const struct device *device)
{
	struct vulkan_feature_pair reset = {.type = VULKAN_TYPE_HOST_QUERY_RESET_FEATURES},
				   counters = {.type = VULKAN_TYPE_PERFORMANCE_QUERY_FEATURES};
	struct vulkan_features_2 features = {.type = VULKAN_TYPE_FEATURES_2};
	bool has_reset = is_at_least(device, VULKAN_VERSION(1, 2)) ||
			 has_extension(device, "VK_EXT_host_query_reset");
	bool has_counters = has_extension(device, VULKAN_PERFORMANCE_QUERY);

	if (has_reset)
		features.next = &reset;
	if (has_counters) {
		counters.next = features.next;
		features.next = &counters;
	}
	if (vulkan->get_features_2 && is_at_least(device, VULKAN_VERSION(1, 1)))
		vulkan->get_features_2(device->handle, &features);
	put_ability(text,
		    has_extension(device, "VK_EXT_calibrated_timestamps") ||
			    has_extension(device, "VK_KHR_calibrated_timestamps"),
		    "calibrated times");
	put_ability(text, reset.first != 0, "resetting queries on the host");
	put_ability(text, features.features.has_statistics != 0, "pipeline statistics");
	put_ability(text, counters.first != 0, "counters of the driver");
	if (counters.first)
		tacho__buf_printf(text, " (%u)", count_counters(vulkan, device));
}

static bool has_times(const struct device *device)
{
	for (uint32_t i = 0; i < device->family_count; i++)
		if (device->families[i].valid_bits)
			return true;
	return false;
}

static bool check_device(const struct listener *to, const struct vulkan *vulkan,
			 struct device *device)
{
	struct tacho__buf detail = {0};

	ask_device(vulkan, device);
	put_device(&detail, device);
	if (!device->family_count)
		tell(to, TACHO_CHECK_FAIL, "Vulkan device", &detail, "it has no queue",
		     "use another device, or another version of its driver");
	else if (!has_times(device))
		tell(to, TACHO_CHECK_WARN, "Vulkan device", &detail,
		     "none of its queues has time stamps (timestampValidBits is 0)",
		     "expect calls and commands, but no device times");
	else
		tell(to, TACHO_CHECK_OK, "Vulkan device", &detail, "", "");
	put_abilities(&detail, vulkan, device);
	tell(to, TACHO_CHECK_OK, "Vulkan abilities", &detail, "", "");
	return device->family_count != 0;
}

static size_t check_devices(const struct listener *to, const struct vulkan *vulkan)
{
	vulkan_handle handles[DEVICES_MAX];
	uint32_t count = DEVICES_MAX;
	struct device *device = calloc(1, sizeof(*device));
	struct tacho__buf none = {0};
	size_t working = 0;
	int32_t result = vulkan->enumerate_devices(vulkan->instance, &count, handles);

	if (device)
		device->extensions = calloc(EXTENSIONS_MAX, sizeof(*device->extensions));
	if (result < 0 || !count)
		tell(to, TACHO_CHECK_WARN, "Vulkan devices", &none,
		     result < 0 ? tacho__vulkan_error(result) : "its drivers found 0 devices",
		     "see vulkaninfo --summary; check that you may open /dev/dri/renderD* (group "
		     "render)");
	else if (!device || !device->extensions)
		tell(to, TACHO_CHECK_FAIL, "Vulkan devices", &none, "memory ran out",
		     "try again with more memory");
	else
		for (uint32_t i = 0; i < count; i++) {
			struct vulkan_extension *extensions = device->extensions;

			*device = (struct device){.handle = handles[i], .extensions = extensions};
			working += check_device(to, vulkan, device);
		}
	if (device)
		free(device->extensions);
	free(device);
	return working;
}

size_t tacho__vulkan_check(tacho_check_fn fn, void *user)
{
	const struct listener to = {fn, user};
	struct tacho__buf none = {0};
	struct vulkan vulkan;
	size_t working = 0;
	int32_t result;

	if (tacho__vulkan_open(&vulkan))
		return 0;
	check_loader(&to, &vulkan);
	check_layers(&to, &vulkan);
	result = tacho__vulkan_begin(&vulkan);
	if (result)
		tell(&to, TACHO_CHECK_WARN, "Vulkan drivers", &none, tacho__vulkan_error(result),
		     "install a driver: mesa-vulkan-drivers (apt, dnf), vulkan-radeon, "
		     "vulkan-intel or vulkan-swrast (pacman), or the GPU maker's");
	else
		working = check_devices(&to, &vulkan);
	tacho__vulkan_close(&vulkan);
	return working;
}
