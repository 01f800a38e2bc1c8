/* SPDX-License-Identifier: MIT */
/*
 * Collections of ranges. The library keeps what it counts in an image of ranges that are known by
 * name; the n-th range of a pass is called n, so that each pass adds to the n-th range of the one
 * before. Images hold a bounded number of ranges, each more than the one before it (struct chunk).
 *
 * Pass 0 is set up as the caller's own replay, in which the library goes from pass to pass by
 * itself. Any other pass that is wanted alone, as where the program runs once for each, is set up
 * by its number, as the library's replay of applications has it.
 *
 * Values are asked for as soon as a pass is over: those whose last inputs came with it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/collection.h"
#include "backend/cupti/cupti_chip.h"
#include "backend/cupti/cupti_profiler.h"
#include "base/array.h"
#include "base/error.h"

enum {
	FIRST_RANGES = 8,     /* of the first image */
	RANGES_MAX = 1024,    /* of any: the library is said to refuse more than some 2000 */
	DATA_MAX = 256 << 20, /* bytes of all images of a collection */
	BATCH_ROWS = 64,
	KERNELS_MAX = 64, /* in one range of the library's own replay */
	NAME_MAX_ = 24,
};

/* An image of the library's, and the ranges that are in it. */
struct chunk {
	uint8_t *data;
	size_t size;
	size_t first, max;
};

struct collection {
	struct tacho__collection base;
	struct tacho__cupti_device *device;
	bool is_vendor;
	bool starts_over; /* one pass is all that its ranges get: images are used again */
	pthread_mutex_t lock;
	struct tacho__cupti_program *program; /* of the pass that is open */
	uint32_t local;			      /* the pass, as the program counts them */
	bool is_set;			      /* the library has the chunk's image, and ... */
	uint32_t next;			      /* ... begins this pass of it when it is started */
	bool is_started;
	struct chunk *chunks; /* of the program */
	size_t chunk_count, chunk_capacity, at_chunk;
	size_t data_bytes;
	uint64_t *keys; /* of the ranges of the pass; 0: delivered */
	size_t key_count, key_capacity, pending;
	uint64_t open;		   /* key of the range that is open; 0: none */
	struct tacho__rows **rows; /* one per pass of the plan; NULL: not needed so far */
};

static struct collection *own(struct tacho__collection *base)
{
	return TACHO__OWN(struct collection, base);
}

static int fail(const struct collection *collection, enum tacho__cupti_call call, int status)
{
	return tacho__cupti_fail_on(collection->device, call, status);
}

/* A call that takes nothing but the profiler. */
static int call_profiler(const struct collection *collection, enum tacho__cupti_call call)
{
	struct tacho__cupti_profiler_only params = {.profiler =
							    collection->device->profiler->object};
	int status = tacho__cupti_call(call, &params);

	return status ? fail(collection, call, status) : 0;
}

/* ---- images ---- */

static int fill_chunk(struct collection *collection, struct chunk *chunk)
{
	struct tacho__cupti_data data = {.profiler = collection->device->profiler->object,
					 .size = chunk->size,
					 .bytes = chunk->data};
	int status;

	memset(chunk->data, 0, chunk->size);
	status = tacho__cupti_call(TACHO__CUPTI_RANGE_MAKE_DATA, &data);
	return status ? fail(collection, TACHO__CUPTI_RANGE_MAKE_DATA, status) : 0;
}

static int get_size(struct collection *collection, struct chunk *chunk)
{
	const struct tacho__cupti_program *program = collection->program;
	size_t max = collection->is_vendor ? KERNELS_MAX : chunk->max;
	struct tacho__cupti_data_size params = {.profiler = collection->device->profiler->object,
						.names = program->names,
						.count = program->count,
						.range_max = max,
						.node_max = (uint32_t)max};
	int status = tacho__cupti_call(TACHO__CUPTI_RANGE_GET_SIZE, &params);

	if (status)
		return fail(collection, TACHO__CUPTI_RANGE_GET_SIZE, status);
	if (!params.size || params.size > DATA_MAX - collection->data_bytes)
		return tacho__fail(TACHO_E_NOMEM,
				   tacho__detail("%zu bytes for %zu ranges, beside %zu",
						 params.size, max, collection->data_bytes),
				   "count fewer ranges or counters at a time",
				   "the values of ranges do not fit");
	chunk->size = params.size;
	return 0;
}

static int add_chunk(struct collection *collection)
{
	size_t count = collection->chunk_count;
	struct chunk chunk = {.max = FIRST_RANGES};
	int rc;

	if (count) {
		const struct chunk *last = &collection->chunks[count - 1];

		chunk.first = last->first + last->max;
		chunk.max = last->max * 2 < RANGES_MAX ? last->max * 2 : RANGES_MAX;
	}
	rc = get_size(collection, &chunk);
	if (rc)
		return rc;
	chunk.data = malloc(chunk.size);
	if (!chunk.data)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for values");
	rc = fill_chunk(collection, &chunk);
	if (!rc)
		rc = tacho__array_add(&collection->chunks, &collection->chunk_capacity,
				      &collection->chunk_count, &chunk, sizeof(chunk));
	if (rc)
		free(chunk.data);
	else
		collection->data_bytes += chunk.size;
	return rc;
}

static void drop_chunks(struct collection *collection)
{
	for (size_t i = 0; i < collection->chunk_count; i++)
		free(collection->chunks[i].data);
	collection->chunk_count = collection->at_chunk = 0;
	collection->data_bytes = 0;
	collection->is_set = false;
}

/* ---- the library's profiler ---- */

static int set_config(struct collection *collection)
{
	const struct tacho__cupti_program *program = collection->program;
	const struct chunk *chunk = &collection->chunks[collection->at_chunk];
	struct tacho__cupti_set_config params = {
		.profiler = collection->device->profiler->object,
		.config_size = program->config.size,
		.config = program->config.bytes,
		.data_size = chunk->size,
		.data = chunk->data,
		.ranges =
			collection->is_vendor ? TACHO__CUPTI_AUTO_RANGES : TACHO__CUPTI_USER_RANGES,
		.replay = collection->is_vendor ? TACHO__CUPTI_REPLAY_KERNEL
			  : collection->local	? TACHO__CUPTI_REPLAY_APPLICATION
						: TACHO__CUPTI_REPLAY_USER,
		.range_max = collection->is_vendor ? KERNELS_MAX : chunk->max,
		.levels = 1,
		.first_level = 1,
		.pass = collection->local,
		.level = 1,
	};
	int status = tacho__cupti_call(TACHO__CUPTI_RANGE_SET_CONFIG, &params);

	if (status)
		return fail(collection, TACHO__CUPTI_RANGE_SET_CONFIG, status);
	collection->is_set = true;
	collection->next = collection->local;
	return 0;
}

static int start(struct collection *collection)
{
	int rc = 0;

	if (collection->is_started)
		return 0;
	if (collection->at_chunk == collection->chunk_count)
		rc = add_chunk(collection);
	if (!rc && (!collection->is_set || collection->next != collection->local))
		rc = set_config(collection);
	if (!rc)
		rc = call_profiler(collection, TACHO__CUPTI_RANGE_START);
	collection->is_started = !rc;
	return rc;
}

/* The library counts passes, too: it must come to the same. */
static int check_stop(const struct collection *collection, const struct tacho__cupti_stop *stop)
{
	size_t count = collection->program->config.pass_count;
	bool is_last = collection->is_vendor || collection->local + 1 == count;

	if (is_last == !!stop->all_submitted)
		return 0;
	return tacho__fail(TACHO_E_PASSES,
			   tacho__detail("behind pass %u of %zu it says that %s",
					 collection->local + 1, count,
					 is_last ? "passes are missing" : "all passes are over"),
			   "report it, with the version of CUPTI",
			   "NVIDIA's library counts other passes than it planned");
}

static int stop(struct collection *collection)
{
	struct tacho__cupti_stop params = {.profiler = collection->device->profiler->object};
	struct tacho__cupti_decode decode = {.profiler = params.profiler};
	int rc, status = tacho__cupti_call(TACHO__CUPTI_RANGE_STOP, &params);

	collection->is_started = false;
	if (status)
		return fail(collection, TACHO__CUPTI_RANGE_STOP, status);
	rc = check_stop(collection, &params);
	if (rc)
		return rc;
	collection->next = collection->local + 1;
	if (params.all_submitted)
		collection->is_set = false;
	status = tacho__cupti_call(TACHO__CUPTI_RANGE_DECODE, &decode);
	return status ? fail(collection, TACHO__CUPTI_RANGE_DECODE, status) : 0;
}

/* ---- values ---- */

static struct tacho__rows *get_rows(struct collection *collection, uint32_t pass)
{
	if (!collection->rows[pass])
		collection->rows[pass] = tacho__rows_create(
			tacho_plan_get_pass(collection->base.options->plan, pass), BATCH_ROWS);
	return collection->rows[pass];
}

/* What of an image is being delivered. */
struct delivery {
	struct collection *collection;
	const struct chunk *chunk;
	uint32_t pass; /* of the plan */
	struct tacho__rows *rows;
	const char **names; /* of its counters */
	double *values;
	uint64_t keys[BATCH_ROWS];
	size_t count;
};

static int flush(struct delivery *delivery)
{
	const struct tacho__batch batch = {.pass = delivery->pass,
					   .row_count = delivery->count,
					   .keys = delivery->keys,
					   .columns = delivery->rows->columns};

	delivery->count = 0;
	return batch.row_count ? tacho__collection_deliver(&delivery->collection->base, &batch) : 0;
}

static int evaluate(const struct delivery *delivery, size_t index)
{
	const struct collection *collection = delivery->collection;
	struct tacho__cupti_evaluate params = {.host = collection->program->host,
					       .data = delivery->chunk->data,
					       .data_size = delivery->chunk->size,
					       .range = index,
					       .names = delivery->names,
					       .count = delivery->rows->counter_count,
					       .values = delivery->values};
	int status = params.count ? tacho__cupti_call(TACHO__CUPTI_EVALUATE, &params) : 0;

	return status ? fail(collection, TACHO__CUPTI_EVALUATE, status) : 0;
}

/* What was not collected is no number, which the library says by one that is none. */
static int put_row(struct delivery *delivery, uint64_t key, const double *values)
{
	for (size_t i = 0; i < delivery->rows->counter_count; i++) {
		double value = values ? values[i] : NAN;
		bool is_there = isfinite(value);
		bool is_whole = is_there && value >= 0 && value < 0x1p64;

		tacho__rows_put(delivery->rows, i, delivery->count, is_whole ? (uint64_t)value : 0,
				is_there ? value : 0,
				is_there ? TACHO_STATE_OK : TACHO_STATE_ABSENT);
	}
	delivery->keys[delivery->count++] = key;
	return delivery->count == BATCH_ROWS ? flush(delivery) : 0;
}

/* The number of the range in the image; SIZE_MAX: it has no name of tacho's. */
static size_t find_number(const struct chunk *chunk, size_t index)
{
	struct tacho__cupti_range_info params = {
		.bytes = chunk->data, .size = chunk->size, .range = index, .delimiter = "/"};
	char *end;
	unsigned long long number;

	if (tacho__cupti_call(TACHO__CUPTI_RANGE_GET_NAME, &params) || !params.name ||
	    *params.name < '0' || *params.name > '9' ||
	    strnlen(params.name, NAME_MAX_) >= NAME_MAX_)
		return SIZE_MAX;
	number = strtoull(params.name, &end, 10);
	return *end ? SIZE_MAX : (size_t)number;
}

static int count_ranges(const struct collection *collection, const struct chunk *chunk,
			size_t *out_count)
{
	struct tacho__cupti_data_info params = {.bytes = chunk->data, .size = chunk->size};
	int status = tacho__cupti_call(TACHO__CUPTI_RANGE_GET_COUNT, &params);
	size_t max = collection->is_vendor ? KERNELS_MAX : chunk->max;

	if (status)
		return fail(collection, TACHO__CUPTI_RANGE_GET_COUNT, status);
	*out_count = params.range_count < max ? params.range_count : max;
	return 0;
}

/* Ranges that the image lacks were dropped by the library: the session counts them as lost. */
static int deliver_ranges(struct delivery *delivery)
{
	struct collection *collection = delivery->collection;
	const struct chunk *chunk = delivery->chunk;
	size_t count = 0;
	int rc = count_ranges(collection, chunk, &count);

	for (size_t i = 0; i < count && !rc; i++) {
		size_t number = find_number(chunk, i);
		uint64_t key;

		if (number < chunk->first || number >= collection->key_count ||
		    number - chunk->first >= chunk->max || !collection->keys[number])
			continue;
		rc = evaluate(delivery, i);
		key = collection->keys[number];
		collection->keys[number] = 0;
		if (!rc)
			rc = put_row(delivery, key, delivery->values);
	}
	return rc ? rc : flush(delivery);
}

static int prepare_delivery(struct collection *collection, uint32_t pass, struct delivery *delivery,
			    struct tacho__arena *arena)
{
	const struct tacho_plan_pass *plan =
		tacho_plan_get_pass(collection->base.options->plan, pass);

	delivery->collection = collection;
	delivery->chunk = &collection->chunks[collection->at_chunk];
	delivery->pass = pass;
	delivery->rows = get_rows(collection, pass);
	delivery->names =
		tacho__arena_get(arena, (plan->counter_count + 1) * sizeof(*delivery->names));
	delivery->values =
		tacho__arena_get(arena, (plan->counter_count + 1) * sizeof(*delivery->values));
	if (!delivery->rows || !delivery->names || !delivery->values)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < plan->counter_count; i++) {
		delivery->names[i] = tacho__cupti_name_whole(arena, plan->counters[i].entry);
		if (!delivery->names[i])
			return TACHO_E_NOMEM;
	}
	return 0;
}

static int deliver_pass(struct collection *collection)
{
	struct tacho__arena arena = {0};
	struct delivery delivery = {.count = 0};
	int rc = prepare_delivery(collection, collection->base.pass, &delivery, &arena);

	if (!rc)
		rc = deliver_ranges(&delivery);
	tacho__arena_finish(&arena);
	return rc;
}

/* ---- passes ---- */

/* Ends what is started, and delivers it. */
static int conclude(struct collection *collection)
{
	int rc;

	if (!collection->is_started)
		return 0;
	rc = stop(collection);
	if (!rc)
		rc = deliver_pass(collection);
	collection->pending = 0;
	if (!rc && collection->starts_over) {
		collection->key_count = 0;
		rc = fill_chunk(collection, &collection->chunks[collection->at_chunk = 0]);
		collection->is_set = false;
	}
	return rc;
}

static void choose_program(struct collection *collection, uint32_t pass)
{
	const struct tacho_plan *plan = collection->base.options->plan;
	uint32_t mode = tacho_plan_get_pass(plan, pass)->mode;
	struct tacho__cupti_program *program = &collection->device->profiler->programs[mode];
	bool goes_on = program == collection->program && pass - program->first > collection->local;

	if (!goes_on) /* other counters, or the passes once more */
		drop_chunks(collection);
	collection->program = program;
	collection->local = pass - program->first;
	collection->at_chunk = 0;
	if (collection->chunk_count > 1)
		collection->is_set = false;
	collection->key_count = 0;
	collection->starts_over = collection->is_vendor || program->config.pass_count == 1 ||
				  collection->base.options->replay != TACHO_REPLAY_CALLER;
}

int tacho__cupti_begin_pass(struct tacho__collection *base, uint32_t pass)
{
	struct collection *collection = own(base);

	pthread_mutex_lock(&collection->lock);
	choose_program(collection, pass);
	base->pass = pass;
	pthread_mutex_unlock(&collection->lock);
	return 0;
}

int tacho__cupti_end_pass(struct tacho__collection *base)
{
	struct collection *collection = own(base);
	int rc;

	pthread_mutex_lock(&collection->lock);
	rc = conclude(collection);
	pthread_mutex_unlock(&collection->lock);
	return rc;
}

/* ---- ranges ---- */

/* The next image, when the present one is full. */
static int make_room(struct collection *collection)
{
	const struct chunk *chunk = &collection->chunks[collection->at_chunk];
	int rc;

	if (collection->at_chunk == collection->chunk_count ||
	    collection->key_count < chunk->first + chunk->max)
		return 0;
	rc = conclude(collection);
	if (!rc && !collection->starts_over) {
		collection->at_chunk++;
		collection->is_set = false;
	}
	return rc;
}

static int push_range(struct collection *collection, uint64_t key)
{
	char name[NAME_MAX_];
	struct tacho__cupti_push params = {.profiler = collection->device->profiler->object,
					   .name = name};
	int status, rc = tacho__array_add(&collection->keys, &collection->key_capacity,
					  &collection->key_count, &key, sizeof(key));

	if (rc || collection->is_vendor)
		return rc;
	snprintf(name, sizeof(name), "%zu", collection->key_count - 1);
	status = tacho__cupti_call(TACHO__CUPTI_RANGE_PUSH, &params);
	if (!status)
		return 0;
	collection->key_count--;
	return fail(collection, TACHO__CUPTI_RANGE_PUSH, status);
}

int tacho__cupti_begin_range(struct tacho__collection *base, uint64_t key, uint64_t parent)
{
	struct collection *collection = own(base);
	int rc;

	(void)parent; /* 0: others have one pass for each level */
	pthread_mutex_lock(&collection->lock);
	if (collection->open) {
		rc = tacho__fail(TACHO_E_BUSY, "a range is open that it does not lie in",
				 "end that before, or begin this one in it",
				 "%s counts one range at a time", collection->device->gpu.name);
	} else {
		rc = make_room(collection);
		if (!rc)
			rc = start(collection);
		if (!rc)
			rc = push_range(collection, key);
		if (!rc)
			collection->open = key;
	}
	pthread_mutex_unlock(&collection->lock);
	return rc;
}

/* The library ran the kernel of the range as often as it liked: values of all passes are there. */
static int deliver_kernel(struct collection *collection, uint64_t key)
{
	const struct tacho__cupti_program *program = collection->program;
	struct tacho__arena arena = {0};
	size_t count = 0;
	int rc = count_ranges(collection, &collection->chunks[0], &count);

	for (uint32_t i = 0; i < program->config.pass_count && !rc; i++) {
		struct delivery delivery = {.count = 0};

		rc = prepare_delivery(collection, program->first + i, &delivery, &arena);
		if (!rc && count == 1)
			rc = evaluate(&delivery, 0);
		if (!rc)
			rc = put_row(&delivery, key, count == 1 ? delivery.values : NULL);
		if (!rc)
			rc = flush(&delivery);
	}
	tacho__arena_finish(&arena);
	return rc;
}

static int end_kernel(struct collection *collection, uint64_t key)
{
	int rc = stop(collection);

	if (!rc)
		rc = deliver_kernel(collection, key);
	collection->key_count = 0;
	collection->is_set = false;
	return rc ? rc : fill_chunk(collection, &collection->chunks[0]);
}

int tacho__cupti_end_range(struct tacho__collection *base, uint64_t key)
{
	struct collection *collection = own(base);
	int rc;

	pthread_mutex_lock(&collection->lock);
	if (collection->open != key) {
		rc = tacho__fail(TACHO_E_INVAL, "", "", "a range ends that did not begin");
	} else {
		collection->open = 0;
		collection->pending++;
		rc = collection->is_vendor ? end_kernel(collection, key)
					   : call_profiler(collection, TACHO__CUPTI_RANGE_POP);
		if (rc)
			tacho__collection_fail(base, rc);
	}
	pthread_mutex_unlock(&collection->lock);
	return rc;
}

int tacho__cupti_drain(struct tacho__collection *base, uint64_t timeout_ns)
{
	struct collection *collection = own(base);
	int rc;

	(void)timeout_ns; /* the library waits for what was ended, and only for that */
	pthread_mutex_lock(&collection->lock);
	if (collection->open && collection->pending)
		rc = tacho__fail(TACHO_E_TIMEOUT, "values come when no range is open",
				 "end the range that is open", "the values are not there yet");
	else
		rc = collection->open ? 0 : conclude(collection);
	pthread_mutex_unlock(&collection->lock);
	return rc;
}

/* ---- the whole ---- */

/* What is there of the plan, before anything runs. */
static int make_programs(struct tacho__cupti_device *device,
			 const struct tacho__collection_options *options)
{
	const struct tacho_plan_pass *pass;
	struct tacho__cupti_program *program;
	uint32_t mode = TACHO_MODE_COUNT;
	int rc = 0;

	for (size_t i = 0; !rc && (pass = tacho_plan_get_pass(options->plan, i)); i++) {
		if (pass->mode == mode)
			continue;
		if (mode != TACHO_MODE_COUNT && options->replay == TACHO_REPLAY_VENDOR)
			return tacho__fail(TACHO_E_UNSUPPORTED, "the list has several modes",
					   "name the entries in one mode alone",
					   "NVIDIA's library replays one mode at a time");
		mode = pass->mode;
		rc = tacho__cupti_make_program(device, options->plan, mode, &program);
	}
	return rc;
}

static size_t count_passes(const struct tacho_plan *plan)
{
	size_t count = 0;

	while (tacho_plan_get_pass(plan, count))
		count++;
	return count;
}

int tacho__cupti_begin(struct tacho_device *base, const struct tacho__collection_options *options,
		       struct tacho__collection **out_collection)
{
	struct tacho__cupti_device *device = TACHO__OWN(struct tacho__cupti_device, base);
	struct tacho__cupti_profiler *profiler;
	struct collection *collection;
	int rc;

	if (!device->live)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   "NVIDIA's library counts ranges in the program that has the "
				   "context of CUDA",
				   "let tacho run the program: tacho stat -m ... -- PROGRAM",
				   "%s counts no ranges of this process", device->gpu.name);
	rc = tacho__cupti_open_profiler(device, &profiler);
	if (!rc)
		rc = make_programs(device, options);
	if (rc)
		return rc;
	collection = tacho__collection_create(sizeof(*collection), options);
	if (!collection)
		return TACHO_E_NOMEM;
	pthread_mutex_init(&collection->lock, NULL);
	collection->device = device;
	collection->is_vendor = options->replay == TACHO_REPLAY_VENDOR;
	collection->rows =
		tacho__arena_get(&collection->base.arena,
				 (count_passes(options->plan) + 1) * sizeof(*collection->rows));
	if (!collection->rows) {
		tacho__cupti_end(&collection->base);
		return TACHO_E_NOMEM;
	}
	*out_collection = &collection->base;
	return 0;
}

void tacho__cupti_end(struct tacho__collection *base)
{
	struct collection *collection = own(base);
	size_t count = count_passes(base->options->plan);

	if (collection->open && !collection->is_vendor)
		call_profiler(collection, TACHO__CUPTI_RANGE_POP);
	if (collection->is_started)
		stop(collection);
	for (size_t i = 0; collection->rows && i < count; i++)
		free(collection->rows[i]);
	drop_chunks(collection);
	free(collection->chunks);
	free(collection->keys);
	pthread_mutex_destroy(&collection->lock);
	tacho__collection_destroy(base);
}
