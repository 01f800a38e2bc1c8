/* SPDX-License-Identifier: MIT */
#include "record/rows_devices.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"

struct tacho__met_device {
	struct tacho__met_device *next;
	const struct tacho_object *object;
	const char *why;
};

static const char *get(const struct tacho_object *device, const char *key)
{
	const char *text = tacho_object_get(device, key);

	return text ? text : "";
}

static bool is_selected(const struct tacho_counting *counting, const struct tacho_object *device)
{
	const char *number = get(device, "number");
	const struct tacho_counting_device met = {
		.name = device->name,
		.platform = get(device, "platform_name"),
		.id = get(device, "uuid"),
		.pci = get(device, "pci"),
		.number = *number ? (uint32_t)strtoul(number, NULL, 10)
				  : TACHO_COUNTING_NUMBER_UNKNOWN,
	};

	return tacho_counting_selects_device(counting, &met);
}

static const char *explain(struct tacho__arena *arena, const struct tacho_counting *counting,
			   const struct tacho_object *device)
{
	const struct tacho_counting_device *chosen = counting->select.devices;
	struct tacho__buf text = {0};

	tacho__buf_printf(&text, "it ran on another device than %s%s: %s", chosen->name,
			  counting->select.device_count > 1 ? " and others that were chosen" : "",
			  device->name);
	return tacho__buf_keep(&text, arena);
}

int tacho__met_devices_judge(struct tacho__met_devices *met, const struct tacho_counting *counting,
			     const struct tacho_object *device, const char **out_why)
{
	struct tacho__met_device *found = met->all;

	*out_why = "";
	if (!counting->select.device_count)
		return 0;
	if (!device) {
		*out_why = "it is not known on which device it ran";
		return 0;
	}
	while (found && found->object != device)
		found = found->next;
	if (!found) {
		found = tacho__arena_get(&met->arena, sizeof(*found));
		if (!found)
			return TACHO_E_NOMEM;
		found->object = device;
		found->why =
			is_selected(counting, device) ? "" : explain(&met->arena, counting, device);
		if (!found->why)
			return TACHO_E_NOMEM;
		found->next = met->all;
		met->all = found;
	}
	*out_why = found->why;
	return 0;
}

void tacho__met_devices_finish(struct tacho__met_devices *met)
{
	tacho__arena_finish(&met->arena);
}
