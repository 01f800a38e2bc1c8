/* SPDX-License-Identifier: MIT */
/* The devices of the contexts that were made known so far, and the numbers of their metrics. */
#include <pthread.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/array.h"
#include "face/perfworks/perfworks.h"

enum { METRIC_BITS = 32 }; /* of a metric's number: above them is its device's, from 1 */

struct tacho__pw_device {
	size_t index;
	uint64_t print; /* of what makes it another device than others */
	const char *name;
	struct tacho__names by_name; /* to struct tacho__pw_metric */
	struct tacho__pw_metric **metrics;
	size_t count, capacity;
	/* All there are, in the order of the definitions; NULL: nobody has asked as yet. */
	const struct tacho__pw_metric **listed;
	size_t listed_count;
};

static struct {
	pthread_mutex_t lock;
	struct tacho__arena arena; /* of devices, metrics and texts */
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

size_t tacho__pw_device_index(const struct tacho__pw_device *device)
{
	return device->index;
}

const char *tacho__pw_device_name(const struct tacho__pw_device *device)
{
	return device->name;
}

/* Under the lock. NULL: no memory. */
static struct tacho__pw_metric *add_metric(struct tacho__pw_device *device,
					   const struct tacho_entry *entry)
{
	struct tacho__pw_metric *metric = tacho__arena_get(&devices.arena, sizeof(*metric));

	if (!metric || tacho__array_reserve(&device->metrics, &device->capacity, device->count,
					    sizeof(*device->metrics)))
		return NULL;
	metric->id = (uint64_t)(device->index + 1) << METRIC_BITS | (device->count + 1);
	metric->name = tacho__arena_string(&devices.arena, entry->name);
	metric->unit = tacho__arena_string(&devices.arena, entry->unit);
	metric->description = tacho__arena_string(&devices.arena, entry->description);
	if (!metric->name || !metric->unit || !metric->description ||
	    tacho__names_set(&device->by_name, metric->name, metric))
		return NULL;
	device->metrics[device->count++] = metric;
	return metric;
}

NVPA_Status tacho__pw_device_number(struct tacho__pw_device *device,
				    const struct tacho_entry *entry,
				    const struct tacho__pw_metric **out_metric)
{
	const struct tacho__pw_metric *metric;

	pthread_mutex_lock(&devices.lock);
	metric = tacho__names_get(&device->by_name, entry->name);
	if (!metric)
		metric = add_metric(device, entry);
	pthread_mutex_unlock(&devices.lock);
	if (!metric)
		return tacho__pw_fail_memory();
	*out_metric = metric;
	return NVPA_STATUS_SUCCESS;
}

NVPA_Status tacho__pw_device_find(struct tacho__pw_device *device, NVPA_MetricId id,
				  const struct tacho__pw_metric **out_metric)
{
	uint64_t number = id & ((UINT64_C(1) << METRIC_BITS) - 1);
	const struct tacho__pw_metric *metric = NULL;

	pthread_mutex_lock(&devices.lock);
	if (id >> METRIC_BITS == device->index + 1 && number && number <= device->count)
		metric = device->metrics[number - 1];
	pthread_mutex_unlock(&devices.lock);
	if (!metric)
		return tacho__pw_fail(NVPA_STATUS_INVALID_METRIC_ID,
				      tacho__detail("it is none of device %zu", device->index),
				      "ask NVPA_Activity_FindMetricByName of the activity for it",
				      "there is no metric 0x%llx", (unsigned long long)id);
	*out_metric = metric;
	return NVPA_STATUS_SUCCESS;
}

struct listing {
	const struct tacho__pw_metric **list;
	size_t count, capacity;
};

static NVPA_Status list_entries(struct tacho__pw_device *device, const struct tacho_arch *arch,
				struct listing *listing)
{
	const struct tacho__pw_metric *metric;
	const struct tacho_entry *entry;
	NVPA_Status status = NVPA_STATUS_SUCCESS;

	for (size_t i = 0; !status && (entry = tacho_arch_get_entry(arch, i)); i++) {
		if (entry->kind == TACHO_ENTRY_CONSTANT)
			continue;
		status = tacho__pw_device_number(device, entry, &metric);
		if (!status && tacho__array_add(&listing->list, &listing->capacity, &listing->count,
						&metric, sizeof(metric)))
			status = tacho__pw_fail_memory();
	}
	return status;
}

/* Another thread may have been faster. */
static void keep_listing(struct tacho__pw_device *device, struct listing *listing)
{
	pthread_mutex_lock(&devices.lock);
	if (!device->listed) {
		device->listed = listing->list;
		device->listed_count = listing->count;
		listing->list = NULL;
	}
	pthread_mutex_unlock(&devices.lock);
}

static bool is_listed(struct tacho__pw_device *device)
{
	bool is;

	pthread_mutex_lock(&devices.lock);
	is = device->listed != NULL;
	pthread_mutex_unlock(&devices.lock);
	return is;
}

NVPA_Status tacho__pw_device_list(struct tacho__pw_device *device,
				  const struct tacho__pw_metric *const **out_list,
				  size_t *out_count)
{
	struct tacho__pw_context *context = NULL;
	struct listing listing = {0};
	NVPA_Status status = NVPA_STATUS_SUCCESS;

	if (!is_listed(device)) {
		status = tacho__pw_context_borrow(device, &context);
		if (status)
			return status;
		status = list_entries(device, tacho_device_get_arch(context->unit), &listing);
		tacho__pw_context_give_back(context);
		if (!status)
			keep_listing(device, &listing);
		free(listing.list);
	}
	if (!status) {
		*out_list = device->listed;
		*out_count = device->listed_count;
	}
	return status;
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
