/* SPDX-License-Identifier: MIT */
#include "toy_device.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

struct toy toy;

int toy_probe(struct tacho_probe *probe, struct tacho_probe_backend *backend_info)
{
	struct tacho_device_info *info = tacho__probe_add_device_info(probe);

	if (!info)
		return TACHO_E_NOMEM;
	backend_info->usable = info->usable = 1;
	info->name = "toy";
	info->kind = "other";
	return 0;
}

static const struct tacho_block blocks[] = {
	{.name = "T", .slots = 2, .instances = 1},
	{.name = "S", .slots = 1, .instances = 6},
};

/* T: two slots for four counters. S1 has dimensions. Busy and Vendor need no slot. */
static const struct tacho_entry entries[] = {
	{.name = "T1", .block = "T", .event = 1},
	{.name = "T2", .block = "T", .event = 2},
	{.name = "T3", .block = "T", .event = 3},
	{.name = "T4", .block = "T", .event = 4},
	{.name = "S1", .block = "S", .event = 1},
	{.name = "S2", .block = "S", .event = 2},
	{.name = "Began", .event = 1, .joins = "first"},
	{.name = "Ended", .event = 1, .joins = "last"},
	{.name = "Busy", .type = TACHO_TYPE_F64, .unit = "percent", .event = 50},
	{.name = "Vendor", .type = TACHO_TYPE_F64, .unit = "percent", .event = 12},
	{.name = "Sum12",
	 .kind = TACHO_ENTRY_METRIC,
	 .type = TACHO_TYPE_F64,
	 .expression = "reduce(T1,sum)+reduce(T2,sum)"},
	{.name = "Ratio",
	 .kind = TACHO_ENTRY_METRIC,
	 .type = TACHO_TYPE_F64,
	 .unit = "percent",
	 .expression = "100*reduce(T1,sum)/reduce(T3,sum)"},
	{.name = "Split",
	 .kind = TACHO_ENTRY_METRIC,
	 .type = TACHO_TYPE_F64,
	 .expression = "reduce(T1,sum)+reduce(T2,sum)+reduce(T3,sum)"},
	{.name = "Largest",
	 .kind = TACHO_ENTRY_METRIC,
	 .type = TACHO_TYPE_F64,
	 .expression = "reduce(S1,max)"},
	{.name = "Peak",
	 .kind = TACHO_ENTRY_METRIC,
	 .type = TACHO_TYPE_F64,
	 .expression = "reduce(S2,max)"},
	{.name = "Doubled",
	 .kind = TACHO_ENTRY_METRIC,
	 .type = TACHO_TYPE_F64,
	 .expression = "2*S1"},
	{.name = "ByNone",
	 .kind = TACHO_ENTRY_METRIC,
	 .type = TACHO_TYPE_F64,
	 .expression = "reduce(T1,sum)/(reduce(T2,sum)-reduce(T2,sum))"},
	{.name = "Misfit",
	 .kind = TACHO_ENTRY_METRIC,
	 .type = TACHO_TYPE_F64,
	 .expression = "select(S1,[DIMENSION_XCC=[7]])"},
};

int toy_open(const struct tacho_probe *probe, size_t index, const struct tacho_catalog *catalog,
	     struct tacho_device **out_device)
{
	const struct tacho_arch info = {
		.name = "toy", .api = "toy", .title = "", .vendor = "", .source = ""};
	struct toy_device *device = calloc(1, sizeof(*device));
	struct tacho__arch *arch;
	int rc;

	if (!device)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a toy");
	rc = tacho__catalog_create(&device->catalog);
	if (!rc)
		rc = tacho__catalog_add_arch(device->catalog, &info, &arch);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(blocks) && !rc; i++)
		rc = tacho__arch_add_block(arch, &blocks[i]);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(entries) && !rc; i++)
		rc = tacho__arch_add_entry(arch, &entries[i], TACHO__ADD_NEW);
	if (!rc)
		rc = tacho__catalog_complete(device->catalog);
	if (rc) {
		toy_close(&device->base);
		return rc;
	}
	device->base.traits = toy.traits;
	device->base.traits.arch = tacho__arch_public(arch);
	*out_device = &device->base;
	return 0;
}

void toy_close(struct tacho_device *base)
{
	struct toy_device *device = TACHO__OWN(struct toy_device, base);
	tacho_catalog_close(device->catalog);
	free(device);
}

int toy_check_pass(struct tacho_device *base, const struct tacho_plan *plan, size_t pass)
{
	return toy.fails_check ? tacho__fail(toy.fails_check, "the test wants it", "",
					     "the pass is refused")
			       : 0;
}

int toy_begin(struct tacho_device *device, const struct tacho__collection_options *options,
	      struct tacho__collection **out_collection)
{
	*out_collection = tacho__collection_create(sizeof(struct toy_collection), options);
	return *out_collection ? 0 : TACHO_E_NOMEM;
}

static size_t count_open(const struct toy_collection *collection)
{
	size_t count = 0;

	for (size_t i = 0; i < collection->range_count; i++)
		count += collection->ranges[i].is_open;
	return count;
}

int toy_pass_begin(struct tacho__collection *base, uint32_t pass)
{
	struct toy_collection *collection = TACHO__OWN(struct toy_collection, base);
	int rc = 0;

	pthread_mutex_lock(&collection->base.lock);
	if (toy.fails_pass_begin)
		rc = tacho__fail(toy.fails_pass_begin, "the test wants it", "try again",
				 "the pass does not begin");
	else if (collection->has_pass || count_open(collection))
		rc = tacho__fail(TACHO_E_VENDOR, "", "", "a pass is open");
	else
		collection->has_pass = 1;
	collection->pass = pass;
	collection->passes_begun += !rc;
	pthread_mutex_unlock(&collection->base.lock);
	return rc;
}

int toy_pass_end(struct tacho__collection *base)
{
	struct toy_collection *collection = TACHO__OWN(struct toy_collection, base);
	int rc = 0;

	pthread_mutex_lock(&collection->base.lock);
	if (toy.fails_pass_end)
		rc = tacho__fail(toy.fails_pass_end, "the test wants it", "try again",
				 "the pass does not end");
	else if (!collection->has_pass || count_open(collection))
		rc = tacho__fail(TACHO_E_VENDOR, "", "", "no pass is open, or a range is");
	collection->has_pass = 0;
	collection->passes_ended++;
	pthread_mutex_unlock(&collection->base.lock);
	return rc;
}

/* Under the lock. */
static struct toy_range *find_range(struct toy_collection *collection, uint64_t key)
{
	for (size_t i = 0; i < collection->range_count; i++)
		if (collection->ranges[i].key == key &&
		    (collection->ranges[i].is_open || collection->ranges[i].is_due))
			return &collection->ranges[i];
	return NULL;
}

static struct toy_range *new_range(struct toy_collection *collection)
{
	for (size_t i = 0; i < collection->range_count; i++)
		if (!collection->ranges[i].is_open && !collection->ranges[i].is_due)
			return &collection->ranges[i];
	return collection->range_count < TOY_RANGES ? &collection->ranges[collection->range_count++]
						    : NULL;
}

/* What a session must not do in a pass of this mode. Under the lock. */
static int is_misplaced(const struct toy_collection *collection, uint64_t parent)
{
	const struct tacho_plan *plan = collection->base.options->plan;
	uint32_t mode = tacho_plan_get_pass(plan, collection->pass)->mode;

	if (mode == TACHO_MODE_PIPELINED)
		return parent || (!toy.is_shared && count_open(collection));
	return parent && toy.traits.modes[mode].levels == 1;
}

int toy_range_begin(struct tacho__collection *base, uint64_t key, uint64_t parent)
{
	struct toy_collection *collection = TACHO__OWN(struct toy_collection, base);
	struct toy_range *range;
	int rc = 0;

	pthread_mutex_lock(&collection->base.lock);
	range = find_range(collection, key);
	if (toy.fails_range_begin)
		rc = tacho__fail(toy.fails_range_begin, "the test wants it", "",
				 "the range does not begin");
	else if (range || !key || !collection->has_pass ||
		 (parent && !find_range(collection, parent)) || is_misplaced(collection, parent))
		rc = tacho__fail(TACHO_E_VENDOR, "", "", "the range cannot be");
	else if (!(range = new_range(collection)))
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "too many ranges");
	else
		*range = (struct toy_range){
			.key = key, .parent = parent, .pass = collection->pass, .is_open = 1};
	pthread_mutex_unlock(&collection->base.lock);
	return rc;
}

int toy_range_end(struct tacho__collection *base, uint64_t key)
{
	struct toy_collection *collection = TACHO__OWN(struct toy_collection, base);
	struct toy_range *range;
	int rc = 0;

	pthread_mutex_lock(&collection->base.lock);
	range = find_range(collection, key);
	if (!range || !range->is_open)
		rc = tacho__fail(TACHO_E_VENDOR, "", "", "no such range is open");
	else if (toy.fails_range_end)
		rc = tacho__fail(toy.fails_range_end, "the test wants it", "",
				 "the range does not end");
	if (range)
		range->is_open = 0;
	if (!rc) {
		collection->ended++;
		range->is_due = !toy.loses_every || collection->ended % (uint64_t)toy.loses_every;
		pthread_cond_broadcast(&collection->base.changed);
	}
	pthread_mutex_unlock(&collection->base.lock);
	return rc || toy.is_async ? rc : toy_flush(base);
}

int toy_drain(struct tacho__collection *collection, uint64_t timeout_ns)
{
	return toy_flush(collection);
}

void toy_end(struct tacho__collection *collection)
{
	tacho__collection_destroy(collection);
}

const struct tacho__backend toy_backend = {
	.name = "toy",
	.summary = "a device of tests",
	.probe = toy_probe,
	.open = toy_open,
	.close = toy_close,
	.check_pass = toy_check_pass,
	.begin = toy_begin,
	.begin_pass = toy_pass_begin,
	.end_pass = toy_pass_end,
	.begin_range = toy_range_begin,
	.end_range = toy_range_end,
	.drain = toy_drain,
	.end = toy_end,
};

/* Values of one counter for some rows. */
struct values {
	struct tacho_column column;
	union tacho__number data[TOY_BATCH * TOY_INSTANCES];
};

static void set_values(struct values *values, const struct tacho_entry *entry, int keeps,
		       const struct toy_row *rows, size_t count)
{
	int has_instances = !strcmp(entry->block, "S"), is_one = entry->event == 2;

	memset(values, 0, sizeof(*values));
	values->column.type = entry->type;
	values->column.instance_count = 1;
	values->column.data.u64 = &values->data[0].whole;
	if (has_instances && (keeps || !toy.sums_itself)) {
		values->column.dimension_count = 2;
		values->column.dimensions[0] =
			(struct tacho_dimension){.name = "DIMENSION_XCC", .extent = 2};
		values->column.dimensions[1] =
			(struct tacho_dimension){.name = "DIMENSION_INSTANCE", .extent = 3};
		values->column.instance_count = TOY_INSTANCES;
	}
	for (size_t i = 0; i < count; i++) {
		if (values->column.instance_count > 1)
			for (uint64_t k = 0; k < TOY_INSTANCES; k++)
				values->data[i * TOY_INSTANCES + k].whole =
					!is_one				    ? (k + 1) * rows[i].work
					: k == rows[i].work % TOY_INSTANCES ? rows[i].work
									    : 0;
		else if (has_instances) /* 1 + 2 + ... + 6 */
			values->data[i].whole = (is_one ? 1 : 21) * rows[i].work;
		else if (entry->type == TACHO_TYPE_F64)
			values->data[i].real = (double)entry->event;
		else
			values->data[i].whole = entry->event * rows[i].work;
	}
}

/* Where the counters of a pass begin in the list of what to keep. */
static const uint8_t *keeps_of(const struct toy_collection *collection, uint32_t pass)
{
	const uint8_t *keeps = collection->base.options->keeps;

	for (uint32_t i = 0; i < pass; i++)
		keeps += tacho_plan_get_pass(collection->base.options->plan, i)->counter_count;
	return keeps;
}

int toy_deliver(struct tacho__collection *base, uint32_t pass, const struct toy_row *rows,
		size_t count, uint64_t lost_rows)
{
	const struct toy_collection *collection = TACHO__OWN(struct toy_collection, base);
	const struct tacho_plan_pass *info = tacho_plan_get_pass(base->options->plan, pass);
	const uint8_t *keeps = keeps_of(collection, pass);
	struct tacho_column columns[TOY_COUNTERS];
	struct values values[TOY_COUNTERS];
	struct tacho_row abouts[TOY_BATCH];
	uint64_t keys[TOY_BATCH];
	struct tacho__batch batch = {
		.pass = pass, .row_count = count, .columns = columns, .lost_rows = lost_rows};

	for (size_t i = 0; i < info->counter_count; i++) {
		set_values(&values[i], info->counters[i].entry, keeps[i], rows, count);
		columns[i] = values[i].column;
	}
	for (size_t i = 0; i < count; i++) {
		keys[i] = rows[i].key;
		if (rows[i].row)
			abouts[i] = *rows[i].row;
	}
	if (count && rows[0].row)
		batch.rows = abouts;
	else if (count)
		batch.keys = keys;
	return tacho__collection_deliver(base, &batch);
}

/* Takes one range that is due, the last one first. */
static int take_due(struct toy_collection *collection, struct toy_range *out_range)
{
	int found = 0;

	pthread_mutex_lock(&collection->base.lock);
	for (size_t i = collection->range_count; i-- > 0 && !found;) {
		if (!collection->ranges[i].is_due)
			continue;
		found = 1;
		*out_range = collection->ranges[i];
		collection->ranges[i].is_due = 0;
	}
	pthread_mutex_unlock(&collection->base.lock);
	return found;
}

/* One thread at a time: who drains finds nothing left that another one has taken and not delivered.
 */
int toy_flush(struct tacho__collection *base)
{
	static pthread_mutex_t flushing = PTHREAD_MUTEX_INITIALIZER;
	struct toy_range range;
	int rc = 0;

	pthread_mutex_lock(&flushing);
	while (!rc && take_due(TACHO__OWN(struct toy_collection, base), &range))
		rc = toy_deliver(base, range.pass,
				 &(struct toy_row){.key = range.key, .work = range.work}, 1, 0);
	pthread_mutex_unlock(&flushing);
	return rc;
}

void toy_work(struct tacho_session *session, uint64_t amount)
{
	struct toy_collection *collection = TACHO__OWN(struct toy_collection, session->collection);

	pthread_mutex_lock(&collection->base.lock);
	for (size_t i = 0; i < collection->range_count; i++)
		if (collection->ranges[i].is_open)
			collection->ranges[i].work += amount;
	pthread_mutex_unlock(&collection->base.lock);
}

void toy_work_in(struct tacho_session *session, uint64_t key, uint64_t amount)
{
	struct toy_collection *collection = TACHO__OWN(struct toy_collection, session->collection);
	struct toy_range *range;

	key = tacho__collection_find_key(&collection->base, key);
	pthread_mutex_lock(&collection->base.lock);
	for (; (range = find_range(collection, key)); key = range->parent)
		range->work += amount;
	pthread_mutex_unlock(&collection->base.lock);
}

void bench_open(struct bench *bench, const struct tacho__backend *backend)
{
	const struct tacho_catalog_options catalog = {
		.size = sizeof(catalog), .arch = "any", .api = "cl", .no_environment = 1};
	const struct tacho_context_options options = {.size = sizeof(options), .catalog = &catalog};
	const struct tacho_device_info *info;

	memset(bench, 0, sizeof(*bench));
	bench->table[0] = backend;
	assert_int_equal(tacho__context_create(&options, bench->table, &bench->context), 0);
	info = tacho_context_get_device_info(bench->context, 0);
	assert_non_null(info);
	assert_int_equal(tacho_device_open(bench->context, info, &bench->device), 0);
}

int bench_plan(struct bench *bench, const char *names, const struct tacho_plan_options *options)
{
	struct tacho_config_entry wanted[16] = {0};
	char text[256], *rest = text, *name;
	size_t count = 0;
	int rc;

	tacho_plan_destroy(bench->plan);
	tacho_config_destroy(bench->config);
	bench->plan = NULL;
	bench->config = NULL;
	strcpy(text, names);
	while ((name = strsep(&rest, ","))) {
		char *mode = strchr(name, ':'), *mark = strchr(name, '!');

		wanted[count].keeps_instances = mark != NULL;
		if (mode)
			wanted[count].mode =
				mode[1] == 's' ? TACHO_MODE_SERIALIZED : TACHO_MODE_PIPELINED;
		if (mode)
			*mode = '\0';
		if (mark)
			*mark = '\0';
		wanted[count++].name = name;
	}
	rc = tacho_config_create(tacho_device_get_arch(bench->device), NULL, wanted, count,
				 &bench->config);
	return rc ? rc : tacho_device_plan(bench->device, bench->config, options, &bench->plan);
}

void bench_close(struct bench *bench)
{
	tacho_plan_destroy(bench->plan);
	tacho_config_destroy(bench->config);
	tacho_device_close(bench->device);
	tacho_context_destroy(bench->context);
	memset(&toy, 0, sizeof(toy));
}

double value_of(const struct tacho_result *result, const char *column, size_t row)
{
	const struct tacho_column *found = tacho_result_find_column(result, column);

	assert_non_null(found);
	return tacho_column_get_value(found, row, 0);
}

uint8_t state_of(const struct tacho_result *result, const char *column, size_t row)
{
	const struct tacho_column *found = tacho_result_find_column(result, column);

	assert_non_null(found);
	return tacho_column_get_state(found, row, 0);
}
