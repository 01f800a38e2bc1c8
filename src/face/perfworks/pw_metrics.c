/* SPDX-License-Identifier: MIT */
/* The numbers and texts of a device's metrics, and all that it has. */
#include <stdlib.h>

#include "base/array.h"
#include "base/buf.h"
#include "face/perfworks/perfworks.h"

enum { METRIC_BITS = 32 }; /* of a metric's number: above them is its device's, from 1 */

/* Under the lock. NULL: no memory. */
static struct tacho__pw_metric *add_metric(struct tacho__pw_device *device, const char *name)
{
	struct tacho__pw_metric *metric = tacho__arena_get(&device->arena, sizeof(*metric));

	if (!metric || tacho__array_reserve(&device->metrics, &device->capacity, device->count,
					    sizeof(*device->metrics)))
		return NULL;
	metric->id = (uint64_t)(device->index + 1) << METRIC_BITS | (device->count + 1);
	metric->name = tacho__arena_string(&device->arena, name);
	if (!metric->name || tacho__names_set(&device->by_name, metric->name, metric))
		return NULL;
	device->metrics[device->count++] = metric;
	return metric;
}

/* Under the lock. */
static struct tacho__pw_metric *get_metric(struct tacho__pw_device *device, const char *name)
{
	struct tacho__pw_metric *metric = tacho__names_get(&device->by_name, name);

	return metric ? metric : add_metric(device, name);
}

/* Under the lock. The description comes last: with it all is there. */
static int describe(struct tacho__pw_device *device, struct tacho__pw_metric *metric,
		    const struct tacho_entry *entry)
{
	if (metric->description)
		return 0;
	metric->unit = tacho__arena_string(&device->arena, entry->unit);
	if (metric->unit)
		metric->description = tacho__arena_string(&device->arena, entry->description);
	return metric->description ? 0 : TACHO_E_NOMEM;
}

NVPA_Status tacho__pw_metric_number(struct tacho__pw_device *device,
				    const struct tacho_entry *entry,
				    const struct tacho__pw_metric **out_metric)
{
	struct tacho__pw_metric *metric;
	int rc;

	pthread_mutex_lock(&device->lock);
	metric = get_metric(device, entry->name);
	rc = metric ? describe(device, metric, entry) : TACHO_E_NOMEM;
	pthread_mutex_unlock(&device->lock);
	if (rc)
		return tacho__pw_fail_memory();
	*out_metric = metric;
	return NVPA_STATUS_SUCCESS;
}

NVPA_Status tacho__pw_metric_find(struct tacho__pw_device *device, NVPA_MetricId id,
				  const struct tacho__pw_metric **out_metric)
{
	uint64_t number = id & ((UINT64_C(1) << METRIC_BITS) - 1);
	const struct tacho__pw_metric *metric = NULL;

	pthread_mutex_lock(&device->lock);
	if (id >> METRIC_BITS == device->index + 1 && number && number <= device->count)
		metric = device->metrics[number - 1];
	pthread_mutex_unlock(&device->lock);
	if (!metric)
		return tacho__pw_fail(NVPA_STATUS_INVALID_METRIC_ID,
				      tacho__detail("it is none of device %zu", device->index),
				      "ask NVPA_Activity_FindMetricByName of the activity for it",
				      "there is no metric 0x%llx", (unsigned long long)id);
	*out_metric = metric;
	return NVPA_STATUS_SUCCESS;
}

bool tacho__pw_metric_has_texts(struct tacho__pw_device *device,
				const struct tacho__pw_metric *metric)
{
	bool has;

	pthread_mutex_lock(&device->lock);
	has = metric->description != NULL;
	pthread_mutex_unlock(&device->lock);
	return has;
}

/* ---- all of them ---- */

struct listing {
	struct tacho__pw_device *device;
	const struct tacho__pw_metric **list;
	size_t count, capacity;
};

static int add_name(struct listing *listing, const char *name)
{
	const struct tacho__pw_metric *metric;

	pthread_mutex_lock(&listing->device->lock);
	metric = get_metric(listing->device, name);
	pthread_mutex_unlock(&listing->device->lock);
	return metric ? tacho__array_add(&listing->list, &listing->capacity, &listing->count,
					 &metric, sizeof(metric))
		      : TACHO_E_NOMEM;
}

static int add_entries(struct listing *listing, const struct tacho_arch *arch)
{
	const struct tacho_entry *entry;
	int rc = 0;

	for (size_t i = 0; !rc && (entry = tacho_arch_get_entry(arch, i)); i++)
		if (entry->kind != TACHO_ENTRY_CONSTANT)
			rc = add_name(listing, entry->name);
	return rc;
}

/* Entries are made of names when they are asked for: there are thousands of these. */
static int add_endings(struct listing *listing, const struct tacho_metric_base *base)
{
	struct tacho__buf name = {0};
	const char *ending;
	int rc = base->is_of_family ? add_name(listing, base->name) : 0;

	for (size_t i = 0; !rc && (ending = tacho_metric_get_ending(i)); i++) {
		if (!(base->endings >> i & 1))
			continue;
		name.size = 0;
		tacho__buf_printf(&name, "%s%s", base->name, ending);
		rc = name.failed ? TACHO_E_NOMEM : add_name(listing, tacho__buf_text(&name));
	}
	tacho__buf_finish(&name);
	return rc;
}

static int add_all(struct listing *listing, const struct tacho_arch *arch)
{
	struct tacho_metric_base *bases = NULL;
	size_t count = 0;
	int rc = add_entries(listing, arch);

	if (!rc)
		rc = tacho_arch_list_metric_bases(arch, &bases, &count);
	for (size_t i = 0; i < count && !rc; i++)
		rc = add_endings(listing, &bases[i]);
	free(bases);
	return rc;
}

/* Another thread may have been faster. */
static void keep(struct listing *listing)
{
	struct tacho__pw_device *device = listing->device;

	pthread_mutex_lock(&device->lock);
	if (!device->listed) {
		device->listed = listing->list;
		device->listed_count = listing->count;
		listing->list = NULL;
	}
	pthread_mutex_unlock(&device->lock);
}

static bool is_listed(struct tacho__pw_device *device)
{
	bool is;

	pthread_mutex_lock(&device->lock);
	is = device->listed != NULL;
	pthread_mutex_unlock(&device->lock);
	return is;
}

NVPA_Status tacho__pw_metric_list(struct tacho__pw_device *device,
				  const struct tacho__pw_metric *const **out_list,
				  size_t *out_count)
{
	struct tacho__pw_context *context = NULL;
	struct listing listing = {.device = device};
	NVPA_Status status = NVPA_STATUS_SUCCESS;

	if (!is_listed(device)) {
		status = tacho__pw_context_borrow(device, &context);
		if (status)
			return status;
		if (add_all(&listing, tacho_device_get_arch(context->unit)))
			status = tacho__pw_fail_core();
		else
			keep(&listing);
		tacho__pw_context_give_back(context);
		free(listing.list);
	}
	if (!status) {
		*out_list = device->listed;
		*out_count = device->listed_count;
	}
	return status;
}
