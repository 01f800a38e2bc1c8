/* SPDX-License-Identifier: MIT */
/*
 * The device "replay" serves the values of the context, all rows in every pass. "replay:ARCH" and
 * "replay:ARCH:MODEL" give it an architecture; else its columns are the counters of one of its own.
 */
#include "backend/replay/replay.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "catalog/arch.h"
#include "model/result.h"
#include "tacho/session.h"

struct tacho__unit {
	const struct tacho_result *values;
	const struct tacho_arch *arch;
	const struct tacho_model *model;
	struct tacho_catalog *own; /* of the columns alone; NULL: the context's has it */
};

struct tacho__collection {
	const struct tacho__collection_options *options;
	struct tacho__unit *unit;
	struct tacho__arena arena;
};

static int add_device(struct tacho_probe *probe, const char *wish)
{
	const struct tacho_result *values = tacho__probe_get_values(probe);
	struct tacho_device *device = tacho__probe_add_device(probe);

	if (!device)
		return TACHO_E_NOMEM;
	device->name =
		*wish ? tacho__probe_text(probe, "%s [replayed]", wish) : "values [replayed]";
	device->platform = "values";
	device->kind = "other";
	device->usable = values != NULL;
	if (!values) {
		device->cause = "the context was given no values";
		device->cure = "set .values of struct tacho_context_options";
	}
	return 0;
}

static int probe_values(struct tacho_probe *probe, struct tacho_probe_backend *about)
{
	const char *wish;
	size_t count = 0;
	int rc = 0;

	about->usable = tacho__probe_get_values(probe) != NULL;
	if (!about->usable) {
		about->cause = "the context was given no values";
		about->cure = "set .values of struct tacho_context_options";
	}
	while (!rc && (wish = tacho__probe_get_wish(probe, "replay", count))) {
		rc = add_device(probe, wish);
		count++;
	}
	return rc || count ? rc : add_device(probe, "");
}

/* An architecture whose counters are the columns. */
static int make_arch(struct tacho__unit *unit)
{
	struct tacho_arch about = {.name = "values",
				   .api = "values",
				   .title = "values of a file",
				   .vendor = "",
				   .source = "the values themselves"};
	struct tacho_block block = {.name = "VALUES", .instances = 1};
	const struct tacho_column *column;
	struct tacho__arch *arch;
	int rc = tacho__catalog_create(&unit->own);

	if (!rc)
		rc = tacho__catalog_add_arch(unit->own, &about, &arch);
	for (size_t i = 0; !rc && (column = tacho_result_get_column(unit->values, i)); i++) {
		struct tacho_entry entry = {.kind = TACHO_ENTRY_COUNTER,
					    .type = column->type,
					    .block = "VALUES",
					    .event = i};

		entry.name = tacho__catalog_text(unit->own, "%s", column->name);
		entry.unit = tacho__catalog_text(unit->own, "%s", column->unit);
		block.slots++;
		rc = entry.name && entry.unit ? tacho__arch_add_entry(arch, &entry, TACHO__ADD_NEW)
					      : TACHO_E_NOMEM;
	}
	if (!rc)
		rc = tacho__arch_add_block(arch, &block);
	if (!rc)
		rc = tacho__catalog_complete(unit->own);
	if (!rc)
		unit->arch = tacho__arch_public(arch);
	return rc;
}

static int find_arch(struct tacho__unit *unit, const struct tacho_catalog *catalog,
		     const char *wish)
{
	char name[128];
	const char *colon = strchr(wish, ':');
	size_t size = colon ? (size_t)(colon - wish) : strlen(wish);
	int rc;

	if (size >= sizeof(name))
		return tacho__fail(TACHO_E_NOTFOUND, "the name is too long", "name an architecture",
				   "there is no architecture \"%.40s...\"", wish);
	memcpy(name, wish, size);
	name[size] = '\0';
	rc = tacho_catalog_find_arch(catalog, name, NULL, &unit->arch);
	if (rc || !colon)
		return rc;
	unit->model = tacho_arch_find_model(unit->arch, colon + 1);
	return unit->model ? 0
			   : tacho__fail(TACHO_E_NOTFOUND, "", "tacho list models shows them",
					 "%s has no model \"%s\"", unit->arch->name, colon + 1);
}

static void close_unit(struct tacho__unit *unit)
{
	tacho_catalog_close(unit->own);
	free(unit);
}

static int open_unit(const struct tacho_probe *probe, size_t index,
		     const struct tacho_catalog *catalog, struct tacho__unit **out_unit)
{
	const char *wish = tacho__probe_get_wish(probe, "replay", index);
	struct tacho__unit *unit = calloc(1, sizeof(*unit));
	int rc;

	if (!unit)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for values to replay");
	unit->values = tacho__probe_get_values(probe);
	rc = wish ? find_arch(unit, catalog, wish) : make_arch(unit);
	if (rc)
		close_unit(unit);
	else
		*out_unit = unit;
	return rc;
}

static void describe(struct tacho__unit *unit, struct tacho__unit_about *out_about)
{
	*out_about = (struct tacho__unit_about){
		.arch = unit->arch,
		.model = unit->model,
		.replays = 1u << TACHO_REPLAY_CALLER | 1u << TACHO_REPLAY_PROCESS |
			   1u << TACHO_REPLAY_VENDOR | 1u << TACHO_REPLAY_NONE,
	};
}

static int begin(struct tacho__unit *unit, const struct tacho__collection_options *options,
		 struct tacho__collection **out_collection)
{
	struct tacho__collection *collection = calloc(1, sizeof(*collection));

	if (!collection)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a collection");
	collection->options = options;
	collection->unit = unit;
	*out_collection = collection;
	return 0;
}

/* What the values lack is absent. */
static int make_absent(struct tacho__collection *collection, const struct tacho_entry *entry,
		       struct tacho_column *out_column)
{
	size_t rows = collection->unit->values->row_count;
	uint8_t *states = tacho__arena_get(&collection->arena, rows + 1);
	uint64_t *data = tacho__arena_get(&collection->arena, (rows + 1) * sizeof(*data));

	if (!states || !data)
		return TACHO_E_NOMEM;
	memset(states, TACHO_STATE_ABSENT, rows);
	*out_column = (struct tacho_column){
		.type = entry->type, .instance_count = 1, .data.u64 = data, .states = states};
	return 0;
}

static int deliver(struct tacho__collection *collection, uint32_t number)
{
	const struct tacho_plan_pass *pass = tacho_plan_get_pass(collection->options->plan, number);
	const struct tacho_result *values = collection->unit->values;
	const struct tacho__sink *sink = collection->options->sink;
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
		  : sink->deliver(sink->user, &(struct tacho__batch){.pass = number,
								     .row_count = values->row_count,
								     .rows = values->rows,
								     .columns = columns});
}

static int pass_begin(struct tacho__collection *collection, uint32_t pass)
{
	int rc = deliver(collection, pass);

	if (collection->options->replay != TACHO_REPLAY_VENDOR)
		return rc;
	for (uint32_t i = pass + 1; !rc && tacho_plan_get_pass(collection->options->plan, i); i++)
		rc = deliver(collection, i);
	return rc;
}

static int pass_end(struct tacho__collection *collection)
{
	return 0;
}

static int drain(struct tacho__collection *collection, uint64_t timeout_ns)
{
	return 0;
}

static void end(struct tacho__collection *collection)
{
	tacho__arena_finish(&collection->arena);
	free(collection);
}

const struct tacho__backend tacho__backend_replay = {
	.size = sizeof(struct tacho__backend),
	.name = "replay",
	.summary = "values that were counted elsewhere",
	.is_named_only = 1,
	.probe = probe_values,
	.open = open_unit,
	.close = close_unit,
	.describe = describe,
	.begin = begin,
	.pass_begin = pass_begin,
	.pass_end = pass_end,
	.drain = drain,
	.end = end,
};
