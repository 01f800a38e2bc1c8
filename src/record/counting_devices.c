/* SPDX-License-Identifier: MIT */
#include "record/counting_devices.h"

#include <string.h>
#include <strings.h>

#include "base/error.h"

enum { DEVICES_MAX = 4096 };

/* ---- which ---- */

/* Some write their ids so, some without it. */
static const char *skip_prefix(const char *id)
{
	return strncasecmp(id, "GPU-", 4) == 0 ? id + 4 : id;
}

static bool is_same(const struct tacho_counting_device *a, const struct tacho_counting_device *b)
{
	bool has_platform = *a->platform && *b->platform;
	const char *a_id = skip_prefix(a->id), *b_id = skip_prefix(b->id);

	if (*a_id && strlen(a_id) == strlen(b_id))
		return strcasecmp(a_id, b_id) == 0;
	if (*a->pci && *b->pci)
		return strcasecmp(a->pci, b->pci) == 0;
	if (a->is_known_by_place)
		return has_platform && strcmp(a->platform, b->platform) == 0;
	return strcmp(a->name, b->name) == 0 &&
	       (!has_platform || strcmp(a->platform, b->platform) == 0) &&
	       (a->number == b->number || a->number == TACHO_COUNTING_NUMBER_UNKNOWN ||
		b->number == TACHO_COUNTING_NUMBER_UNKNOWN);
}

bool tacho_counting_selects_device(const struct tacho_counting *counting,
				   const struct tacho_counting_device *device)
{
	const struct tacho_counting_select *select = &counting->select;

	for (size_t i = 0; i < select->device_count; i++)
		if (is_same(&select->devices[i], device))
			return true;
	return !select->device_count;
}

/* ---- the file ---- */

static int refuse(const char *cause)
{
	return tacho__fail(TACHO_E_PARSE, cause, "let tacho record write it again",
			   "%s: \"devices\" is wrong", TACHO_COUNTING_FILE);
}

static bool is_true(const struct tacho__json *json, const char *key)
{
	const struct tacho__json *value = tacho__json_get(json, key);

	return value && value->type == TACHO__JSON_BOOL && value->boolean;
}

int tacho__counting_read_devices(struct tacho__arena *arena, const struct tacho__json *json,
				 struct tacho_counting_select *select)
{
	size_t count;
	const struct tacho__json *item = tacho__json_items(json, "devices", &count);
	struct tacho_counting_device *devices;
	int64_t number;

	if (count > DEVICES_MAX)
		return refuse("it has too many items");
	devices = tacho__arena_get(arena, (count + 1) * sizeof(*devices));
	if (!devices)
		return TACHO_E_NOMEM;
	select->devices = devices;
	select->device_count = count;
	for (; item; item = item->next, devices++) {
		number = tacho__json_integer(item, "number", -1);
		*devices = (struct tacho_counting_device){
			.name = tacho__json_string(item, "name", ""),
			.platform = tacho__json_string(item, "platform", ""),
			.id = tacho__json_string(item, "id", ""),
			.pci = tacho__json_string(item, "pci", ""),
			.number = number < 0 || number >= TACHO_COUNTING_NUMBER_UNKNOWN
					  ? TACHO_COUNTING_NUMBER_UNKNOWN
					  : (uint32_t)number,
			.is_known_by_place = is_true(item, "by_place"),
		};
		if (!*devices->name)
			return refuse("an item lacks its name");
	}
	return 0;
}

void tacho__counting_write_devices(const struct tacho_counting_select *select,
				   struct tacho_json *json)
{
	tacho_json_begin_array(json, "devices");
	for (size_t i = 0; i < select->device_count; i++) {
		const struct tacho_counting_device *device = &select->devices[i];

		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "name", device->name);
		tacho_json_add_string(json, "platform", device->platform);
		tacho_json_add_string(json, "id", device->id);
		tacho_json_add_string(json, "pci", device->pci);
		tacho_json_add_known(json, "number",
				     device->number != TACHO_COUNTING_NUMBER_UNKNOWN,
				     device->number);
		tacho_json_add_bool(json, "by_place", device->is_known_by_place);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}
