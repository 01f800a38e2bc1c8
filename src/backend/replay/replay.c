/* SPDX-License-Identifier: MIT */
/*
 * The device "replay" serves the values of the context, all rows in every pass. "replay:ARCH" and
 * "replay:ARCH:MODEL" give it an architecture; else its columns are the counters of one of its own.
 */
#include "backend/replay/replay.h"

#include <stdlib.h>
#include <string.h>

#include "backend/collection.h"
#include "base/error.h"
#include "catalog/arch.h"
#include "model/result.h"

struct replay_device {
	struct tacho_device base;
	const struct tacho_result *values;
	struct tacho_catalog *own; /* of the columns alone; NULL: the context's has it */
};

struct replay_collection {
	struct tacho__collection base;
	struct replay_device *device;
	struct tacho__arena arena;
};

static int add_device(struct tacho_probe *probe, const char *argument)
{
	const struct tacho_result *values = tacho__probe_get_options(probe)->values;
	struct tacho_device_info *info = tacho__probe_add_device_info(probe);

	if (!info)
		return TACHO_E_NOMEM;
	info->name = *argument ? tacho__probe_text(probe, "%s [replayed]", argument)
			       : "values [replayed]";
	info->platform = "values";
	info->kind = "other";
	info->usable = values != NULL;
	if (!values) {
		info->cause = "the context was given no values";
		info->cure = "set .values of struct tacho_context_options";
	}
	return 0;
}

static int probe_values(struct tacho_probe *probe, struct tacho_probe_backend *backend_info)
{
	const char *argument;
	size_t count = 0;
	int rc = 0;

	backend_info->usable = tacho__probe_get_options(probe)->values != NULL;
	if (!backend_info->usable) {
		backend_info->cause = "the context was given no values";
		backend_info->cure = "set .values of struct tacho_context_options";
	}
	while (!rc && (argument = tacho__probe_get_argument(probe, "replay", count))) {
		rc = add_device(probe, argument);
		count++;
	}
	return rc || count ? rc : add_device(probe, "");
}

/* An architecture whose counters are the columns. */
static int make_arch(struct replay_device *device)
{
	struct tacho_arch info = {.name = "values",
				  .api = "values",
				  .title = "values of a file",
				  .vendor = "",
				  .source = "the values themselves"};
	struct tacho_block block = {.name = "VALUES", .instances = 1};
	const struct tacho_column *column;
	struct tacho__arch *arch;
	int rc = tacho__catalog_create(&device->own);

	if (!rc)
		rc = tacho__catalog_add_arch(device->own, &info, &arch);
	for (size_t i = 0; !rc && (column = tacho_result_get_column(device->values, i)); i++) {
		struct tacho_entry entry = {.kind = TACHO_ENTRY_COUNTER,
					    .type = column->type,
					    .block = "VALUES",
					    .event = i};

		entry.name = tacho__catalog_text(device->own, "%s", column->name);
		entry.unit = tacho__catalog_text(device->own, "%s", column->unit);
		block.slots++;
		rc = entry.name && entry.unit ? tacho__arch_add_entry(arch, &entry, TACHO__ADD_NEW)
					      : TACHO_E_NOMEM;
	}
	if (!rc)
		rc = tacho__arch_add_block(arch, &block);
	if (!rc)
		rc = tacho__catalog_complete(device->own);
	if (!rc)
		device->base.traits.arch = tacho__arch_public(arch);
	return rc;
}

static int find_arch(struct replay_device *device, const struct tacho_catalog *catalog,
		     const char *argument)
{
	char name[128];
	const char *colon = strchr(argument, ':');
	size_t size = colon ? (size_t)(colon - argument) : strlen(argument);
	int rc;

	if (size >= sizeof(name))
		return tacho__fail(TACHO_E_NOTFOUND, "the name is too long", "name an architecture",
				   "there is no architecture \"%.40s...\"", argument);
	memcpy(name, argument, size);
	name[size] = '\0';
	rc = tacho_catalog_find_arch(catalog, name, NULL, &device->base.traits.arch);
	if (rc || !colon)
		return rc;
	device->base.traits.model = tacho_arch_find_model(device->base.traits.arch, colon + 1);
	return device->base.traits.model
		       ? 0
		       : tacho__fail(TACHO_E_NOTFOUND, "", "tacho list models shows them",
				     "%s has no model \"%s\"", device->base.traits.arch->name,
				     colon + 1);
}

static void close_device(struct tacho_device *base)
{
	struct replay_device *device = TACHO__OWN(struct replay_device, base);
	tacho_catalog_close(device->own);
	free(device);
}

static int open_device(const struct tacho_probe *probe, size_t index,
		       const struct tacho_catalog *catalog, struct tacho_device **out_device)
{
	const char *argument = tacho__probe_get_argument(probe, "replay", index);
	struct replay_device *device = calloc(1, sizeof(*device));
	int rc;

	if (!device)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for values to replay");
	device->values = tacho__probe_get_options(probe)->values;
	rc = argument ? find_arch(device, catalog, argument) : make_arch(device);
	device->base.traits.replays = TACHO__REPLAYS_RANGES | 1u << TACHO_REPLAY_VENDOR;
	for (size_t i = TACHO_MODE_DEFAULT + 1; i < TACHO_MODE_COUNT; i++)
		device->base.traits.modes[i].cause =
			"the values were counted elsewhere, nobody tells how";
	if (rc)
		close_device(&device->base);
	else
		*out_device = &device->base;
	return rc;
}

static int begin(struct tacho_device *device, const struct tacho__collection_options *options,
		 struct tacho__collection **out_collection)
{
	struct replay_collection *collection =
		tacho__collection_create(sizeof(*collection), options);

	if (!collection)
		return TACHO_E_NOMEM;
	collection->device = TACHO__OWN(struct replay_device, device);
	*out_collection = &collection->base;
	return 0;
}

/* What the values lack is absent. */
static int make_absent(struct replay_collection *collection, const struct tacho_entry *entry,
		       struct tacho_column *out_column)
{
	size_t rows = collection->device->values->row_count;
	uint8_t *states = tacho__arena_get(&collection->arena, rows + 1);
	uint64_t *data = tacho__arena_get(&collection->arena, (rows + 1) * sizeof(*data));

	if (!states || !data)
		return TACHO_E_NOMEM;
	memset(states, TACHO_STATE_ABSENT, rows);
	*out_column = (struct tacho_column){
		.type = entry->type, .instance_count = 1, .data.u64 = data, .states = states};
	return 0;
}

static int deliver(struct replay_collection *collection, uint32_t number)
{
	const struct tacho_plan_pass *pass =
		tacho_plan_get_pass(collection->base.options->plan, number);
	const struct tacho_result *values = collection->device->values;
	struct tacho_column *columns =
		tacho__arena_get(&collection->arena, (pass->counter_count + 1) * sizeof(*columns));
	int rc = 0;

	if (!columns)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < pass->counter_count && !rc; i++) {
		const struct tacho_entry *entry = pass->counters[i].entry;
		const struct tacho_column *column = tacho_result_find_column(values, entry->name);

		for (size_t k = 0; k < entry->alias_count && !column; k++)
			column = tacho_result_find_column(values, entry->aliases[k]);
		if (column)
			columns[i] = *column;
		else
			rc = make_absent(collection, entry, &columns[i]);
	}
	return rc ? rc
		  : tacho__collection_deliver(&collection->base,
					      &(struct tacho__batch){.pass = number,
								     .row_count = values->row_count,
								     .rows = values->rows,
								     .columns = columns});
}

static int begin_pass(struct tacho__collection *base, uint32_t pass)
{
	struct replay_collection *collection = TACHO__OWN(struct replay_collection, base);
	int rc = deliver(collection, pass);

	if (collection->base.options->replay != TACHO_REPLAY_VENDOR)
		return rc;
	for (uint32_t i = pass + 1; !rc && tacho_plan_get_pass(collection->base.options->plan, i);
	     i++)
		rc = deliver(collection, i);
	return rc;
}

static void end(struct tacho__collection *base)
{
	struct replay_collection *collection = TACHO__OWN(struct replay_collection, base);
	tacho__arena_finish(&collection->arena);
	tacho__collection_destroy(base);
}

const struct tacho__backend tacho__backend_replay = {
	.name = "replay",
	.summary = "values that were counted elsewhere",
	.is_named_only = 1,
	.probe = probe_values,
	.open = open_device,
	.close = close_device,
	.begin = begin,
	.begin_pass = begin_pass,
	.end_pass = tacho__collection_end_pass,
	.end = end,
};
