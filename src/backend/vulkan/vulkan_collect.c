/* SPDX-License-Identifier: MIT */
/* A collection: each range has the values that were offered before it began. */
#include <stdlib.h>
#include <string.h>

#include "backend/collection.h"
#include "backend/vulkan/vulkan_device.h"
#include "base/error.h"

struct vulkan_collection {
	struct tacho__collection base;
	struct vulkan_device *device;
	struct tacho__rows **rows; /* of each pass; one row */
	size_t pass_count;
};

struct range {
	struct tacho__device_range base;
	bool is_filled; /* its values are in the rows of its pass: one range is open at a time */
};

void tacho__vulkan_offer(struct tacho_device *base, const uint64_t *values, const uint8_t *states)
{
	struct vulkan_device *device = TACHO__OWN(struct vulkan_device, base);

	device->values = values;
	device->states = states;
}

static void end(struct vulkan_collection *collection)
{
	for (size_t i = 0; collection->rows && i < collection->pass_count; i++)
		free(collection->rows[i]);
	free(collection->rows);
	tacho__collection_destroy(&collection->base);
}

static int make_rows(struct vulkan_collection *collection, const struct tacho_plan *plan)
{
	while (tacho_plan_get_pass(plan, collection->pass_count))
		collection->pass_count++;
	collection->rows = calloc(collection->pass_count + 1, sizeof(struct tacho__rows *));
	if (!collection->rows)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for rows");
	for (size_t i = 0; i < collection->pass_count; i++) {
		collection->rows[i] = tacho__rows_create(tacho_plan_get_pass(plan, i), 1);
		if (!collection->rows[i])
			return TACHO_E_NOMEM;
	}
	return 0;
}

int tacho__vulkan_begin_collection(struct tacho_device *base,
				   const struct tacho__collection_options *options,
				   struct tacho__collection **out_collection)
{
	struct vulkan_collection *collection =
		tacho__collection_create(sizeof(*collection), options);
	int rc;

	if (!collection)
		return TACHO_E_NOMEM;
	collection->base.range_size = sizeof(struct range);
	collection->device = TACHO__OWN(struct vulkan_device, base);
	rc = make_rows(collection, options->plan);
	if (rc)
		end(collection);
	else
		*out_collection = &collection->base;
	return rc;
}

/* What nobody offered is absent. */
int tacho__vulkan_begin_range(struct tacho__collection *base, uint64_t key, uint64_t parent)
{
	struct vulkan_collection *collection = TACHO__OWN(struct vulkan_collection, base);
	struct vulkan_device *device = collection->device;
	struct tacho__rows *rows = collection->rows[base->pass];
	struct range *range = tacho__collection_begin_range(base, key);

	(void)parent;
	if (!range)
		return TACHO_E_NOMEM;
	range->is_filled = device->values != NULL;
	if (range->is_filled) {
		memcpy(rows->values, device->values, rows->counter_count * sizeof(*rows->values));
		memcpy(rows->states, device->states, rows->counter_count);
	}
	device->values = NULL;
	return 0;
}

int tacho__vulkan_end_range(struct tacho__collection *base, uint64_t key)
{
	struct vulkan_collection *collection = TACHO__OWN(struct vulkan_collection, base);
	struct tacho__rows *rows = collection->rows[base->pass];
	const struct range *range = tacho__collection_end_range(base, key);
	const struct tacho__batch batch = {
		.pass = base->pass, .row_count = 1, .keys = &key, .columns = rows->columns};
	int rc = 0;

	if (!range)
		return TACHO_E_INVAL;
	if (!range->is_filled)
		memset(rows->states, TACHO_STATE_ABSENT, rows->counter_count);
	rc = tacho__collection_deliver(base, &batch);
	tacho__collection_drop_ended(base);
	return rc;
}

void tacho__vulkan_end_collection(struct tacho__collection *base)
{
	struct vulkan_collection *collection = TACHO__OWN(struct vulkan_collection, base);

	tacho__collection_clear(base, NULL);
	end(collection);
}
