/* SPDX-License-Identifier: MIT */
/* The devices of the contexts that were made known so far. */
#include <pthread.h>

#include "base/array.h"
#include "face/perfworks/perfworks.h"

static struct {
	pthread_mutex_t lock;
	struct tacho__arena arena; /* of the devices and their names */
	struct tacho__pw_device **list;
	size_t count, capacity;
} devices = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* FNV-1a, with the NUL: "ab" and "c" are not "a" and "bc". */
static uint64_t add_text(uint64_t print, const char *text)
{
	const char *at = text ? text : "";

	do
		print = (print ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
	while (*at++);
	return print;
}

static uint64_t make_print(const struct tacho_device *unit)
{
	const struct tacho_device_info *info = tacho_device_get_info(unit);
	const struct tacho_arch *arch = tacho_device_get_arch(unit);
	const struct tacho_model *model = tacho_device_get_model(unit);
	const struct tacho_entry *entry;
	uint64_t print = UINT64_C(0xcbf29ce484222325);

	print = add_text(print, info->backend);
	print = add_text(print, info->name);
	print = add_text(print, info->platform);
	print = add_text(print, info->driver);
	print = add_text(print, arch->name);
	print = add_text(print, arch->api);
	print = add_text(print, model ? model->name : "");
	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++) {
		print = add_text(print, entry->name);
		print = add_text(print, entry->expression);
	}
	return print;
}

/* Under the lock. NULL: no memory. */
static struct tacho__pw_device *add_device(uint64_t print, const char *name)
{
	struct tacho__pw_device *device = tacho__arena_get(&devices.arena, sizeof(*device));

	if (!device || tacho__array_reserve(&devices.list, &devices.capacity, devices.count,
					    sizeof(*devices.list)))
		return NULL;
	pthread_mutex_init(&device->lock, NULL);
	device->index = devices.count;
	device->print = print;
	device->name = tacho__arena_string(&devices.arena, name);
	if (!device->name)
		return NULL;
	devices.list[devices.count++] = device;
	return device;
}

NVPA_Status tacho__pw_device_note(struct tacho_device *unit, struct tacho__pw_device **out_device)
{
	const char *name = tacho_device_get_info(unit)->name;
	uint64_t print = make_print(unit);
	struct tacho__pw_device *device;
	size_t i = 0;

	pthread_mutex_lock(&devices.lock);
	while (i < devices.count && devices.list[i]->print != print)
		i++;
	device = i < devices.count ? devices.list[i] : add_device(print, name);
	pthread_mutex_unlock(&devices.lock);
	if (!device)
		return tacho__pw_fail_memory();
	*out_device = device;
	return NVPA_STATUS_SUCCESS;
}

NVPA_Status tacho__pw_device_get(size_t index, struct tacho__pw_device **out_device)
{
	struct tacho__pw_device *device;
	size_t count;

	pthread_mutex_lock(&devices.lock);
	count = devices.count;
	device = index < count ? devices.list[index] : NULL;
	pthread_mutex_unlock(&devices.lock);
	if (!device)
		return tacho__pw_fail(
			NVPA_STATUS_INVALID_ARGUMENT,
			tacho__detail("contexts of %zu devices were made known", count),
			"ask NVPA_Context_GetDeviceIndex for it", "there is no device %zu", index);
	*out_device = device;
	return NVPA_STATUS_SUCCESS;
}

NVPA_Status NVPA_GetDeviceCount(size_t *pCount)
{
	if (!pCount)
		return tacho__pw_fail_null("pCount");
	pthread_mutex_lock(&devices.lock);
	*pCount = devices.count;
	pthread_mutex_unlock(&devices.lock);
	return NVPA_STATUS_SUCCESS;
}

NVPA_Status NVPA_Device_GetName(size_t deviceIndex, const char **pName)
{
	struct tacho__pw_device *device = NULL;
	NVPA_Status status =
		pName ? tacho__pw_device_get(deviceIndex, &device) : tacho__pw_fail_null("pName");

	if (!status)
		*pName = device->name;
	return status;
}
