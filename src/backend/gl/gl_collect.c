/* SPDX-License-Identifier: MIT */
/*
 * A collection: GL objects for each range, made on the thread that has the context. Values are read
 * in drain(), in the order in which ranges ended; objects are used again, and deleted in end().
 */
#include <stdlib.h>

#include "backend/gl/gl_private.h"
#include "base/error.h"

enum { ROWS_MAX = 64, SLOTS_MAX = 16 };

struct pass {
	struct tacho__gl_program program;
	struct tacho__gl_slot *free; /* of no range */
	size_t slot_count;
};

struct range {
	struct tacho__device_range base;
	struct pass *pass;
	struct tacho__gl_slot *slot;
	bool is_lost; /* its end could not be told to the driver */
};

struct gl_collection {
	struct tacho__collection base; /* of struct range */
	struct tacho__gl_device *device;
	struct tacho__arena arena;
	struct pass *passes;
	size_t pass_count;
	uint32_t witness; /* a query object of ours, to see that the context is still the same */
	struct tacho__gl_clock clock;
	void *own; /* what the driver calls the device's context; NULL: not known */
};

int tacho__gl_begin(struct tacho_device *base, const struct tacho__collection_options *options,
		    struct tacho__collection **out_collection)
{
	struct tacho__gl_device *device = TACHO__OWN(struct tacho__gl_device, base);
	struct gl_collection *collection;
	const struct tacho_plan_pass *info;
	int rc = 0;

	if (options->pid)
		return tacho__fail(TACHO_E_UNSUPPORTED, "a context belongs to this process",
				   "leave pid of the session's options 0",
				   "OpenGL counts no other processes");
	collection = tacho__collection_create(sizeof(*collection), options);
	if (!collection)
		return TACHO_E_NOMEM;
	collection->device = device;
	collection->base.range_size = sizeof(struct range);
	while (tacho_plan_get_pass(options->plan, collection->pass_count))
		collection->pass_count++;
	collection->passes = tacho__arena_get(
		&collection->arena, (collection->pass_count + 1) * sizeof(*collection->passes));
	if (!collection->passes)
		rc = TACHO_E_NOMEM;
	for (size_t i = 0; !rc && (info = tacho_plan_get_pass(options->plan, i)); i++) {
		rc = tacho__gl_program_make(device, &collection->arena, info,
					    &collection->passes[i].program);
	}
	if (rc) {
		tacho__arena_finish(&collection->arena);
		tacho__collection_destroy(&collection->base);
		return rc;
	}
	*out_collection = &collection->base;
	return 0;
}

/* A context that was destroyed, and another made at the same address, has no object of ours. */
static bool is_stale(const struct gl_collection *collection)
{
	return collection->witness && !collection->device->gl.is_query(collection->witness);
}

/* The same as in each pass is looked at by the driver's word, where it has one. */
static int check_current(struct gl_collection *collection)
{
	const struct tacho__gl *gl = &collection->device->gl;
	void *own = gl->get_own ? gl->get_own() : NULL;
	int rc;

	if (own && own == __atomic_load_n(&collection->own, __ATOMIC_RELAXED))
		return 0;
	rc = tacho__gl_check_current(collection->device);
	if (!rc)
		__atomic_store_n(&collection->own, own, __ATOMIC_RELAXED);
	return rc;
}

static int check_context(struct gl_collection *collection)
{
	int rc;

	__atomic_store_n(&collection->own, NULL, __ATOMIC_RELAXED);
	rc = check_current(collection);
	if (rc || !is_stale(collection))
		return rc;
	return tacho__collection_fail(
		&collection->base,
		tacho__fail(TACHO_E_LOST, "its query objects are gone",
			    "open the device again, with the context that is there now",
			    "the OpenGL context was destroyed and another made in its place"));
}

int tacho__gl_begin_pass(struct tacho__collection *base, uint32_t pass)
{
	struct gl_collection *collection = TACHO__OWN(struct gl_collection, base);
	int rc = check_context(collection);

	return rc ? rc : tacho__collection_begin_pass(base, pass);
}

static void free_slot(const struct range *range)
{
	range->slot->next = range->pass->free;
	range->pass->free = range->slot;
}

/* Ranges whose end the driver did not hear of, because the context was not current then. */
static void end_lost(struct gl_collection *collection)
{
	struct tacho__device_range *each, *next;

	for (each = collection->base.open; each; each = next) {
		struct range *range = TACHO__OWN(struct range, each);

		next = each->next;
		if (!__atomic_load_n(&range->is_lost, __ATOMIC_RELAXED))
			continue;
		tacho__gl_slot_end(collection->device, &range->pass->program, range->slot);
		free_slot(range);
		tacho__collection_drop_range(&collection->base, each);
	}
}

static int check_room(const struct gl_collection *collection, const struct pass *pass)
{
	if (!collection->base.open)
		return 0;
	if (pass->program.is_serialized)
		return tacho__fail(
			TACHO_E_BUSY, "another range is open, which has the GPU for itself",
			"end it before, or count pipelined", "serialized ranges cannot overlap");
	if (pass->program.only_times)
		return 0;
	return tacho__fail(TACHO_E_BUSY,
			   "OpenGL allows one active query of a kind; another range is open",
			   "end it before, or count times alone",
			   "ranges that overlap cannot be counted in one pass");
}

/* The first is made alone, then as many as there are: most passes have few ranges. */
static int add_slots(struct gl_collection *collection, struct pass *pass)
{
	size_t count = pass->slot_count ? pass->slot_count : 1;
	int rc;

	if (count > SLOTS_MAX)
		count = SLOTS_MAX;
	if (pass->program.has_monitor || pass->program.has_perf)
		count = 1; /* hardware may be set aside for each */
	rc = tacho__gl_slots_create(collection->device, &pass->program, &collection->arena, count,
				    &pass->free);
	if (!rc)
		pass->slot_count += count;
	return rc;
}

/* The thread that has the context is the only one that is here, or that reads values. */
int tacho__gl_begin_range(struct tacho__collection *base, uint64_t key, uint64_t parent)
{
	struct gl_collection *collection = TACHO__OWN(struct gl_collection, base);
	struct pass *pass = &collection->passes[base->pass];
	struct range *range;
	int rc = check_current(collection);

	if (rc)
		return rc;
	end_lost(collection);
	rc = check_room(collection, pass);
	if (!rc && !pass->free)
		rc = add_slots(collection, pass);
	if (rc)
		return rc;
	range = tacho__collection_begin_range(base, key);
	if (!range)
		return TACHO_E_NOMEM;
	range->pass = pass;
	range->slot = pass->free;
	pass->free = range->slot->next;
	rc = tacho__gl_slot_begin(collection->device, &pass->program, range->slot);
	if (rc) {
		free_slot(range);
		tacho__collection_drop_range(base, &range->base);
	}
	return rc;
}

int tacho__gl_end_range(struct tacho__collection *base, uint64_t key)
{
	struct gl_collection *collection = TACHO__OWN(struct gl_collection, base);
	int rc = check_current(collection);
	struct range *range = tacho__collection_find_range(base, key);

	if (!range)
		return TACHO_E_INVAL;
	__atomic_store_n(&range->is_lost, rc != 0, __ATOMIC_RELAXED);
	if (rc)
		return rc;
	tacho__gl_slot_end(collection->device, &range->pass->program, range->slot);
	if (range->pass->program.name_count)
		collection->witness = range->slot->names[0];
	tacho__collection_end_range(base, key);
	return 0;
}

/* Ranges of one pass that were read. */
struct batch {
	struct tacho__rows *rows;
	uint64_t keys[ROWS_MAX];
	size_t count;
};

/* Reads what is ready of a pass, ROWS_MAX ranges at most; their objects are free again. */
static int read_ready(struct gl_collection *collection, const struct pass *pass,
		      struct batch *batch)
{
	const struct tacho__gl_device *device = collection->device;
	struct range *range;
	int rc = 0;

	while (!rc && batch->count < ROWS_MAX &&
	       (range = tacho__collection_get_ended(&collection->base)) && range->pass == pass &&
	       tacho__gl_slot_is_ready(device, &pass->program, range->slot)) {
		rc = tacho__gl_slot_read(device, &pass->program, range->slot, &collection->clock,
					 batch->rows, batch->count);
		if (rc)
			break;
		batch->keys[batch->count++] = range->base.key;
		free_slot(range);
		tacho__collection_drop_ended(&collection->base);
	}
	return rc;
}

/* Delivers the first ranges that ended, if they are ready. */
static int deliver_first(struct gl_collection *collection, const struct pass *pass, bool *out_any)
{
	uint32_t number = (uint32_t)(pass - collection->passes);
	struct batch batch = {
		.rows = tacho__rows_create(
			tacho_plan_get_pass(collection->base.options->plan, number), ROWS_MAX)};
	int rc = batch.rows ? read_ready(collection, pass, &batch) : TACHO_E_NOMEM;

	if (!rc && batch.count)
		rc = tacho__collection_deliver(
			&collection->base, &(struct tacho__batch){.pass = number,
								  .row_count = batch.count,
								  .keys = batch.keys,
								  .columns = batch.rows->columns});
	*out_any = batch.count > 0;
	free(batch.rows);
	return rc;
}

/* Everything that is ready. */
static int sweep(struct tacho__collection *base, bool *out_waits)
{
	const struct range *range;
	bool any = true;
	int rc = 0;

	while (!rc && any && (range = tacho__collection_get_ended(base)))
		rc = deliver_first(TACHO__OWN(struct gl_collection, base), range->pass, &any);
	*out_waits = !any;
	return rc;
}

/* Commands that wait in a buffer never end. */
static void flush(struct tacho__collection *base)
{
	TACHO__OWN(struct gl_collection, base)->device->gl.flush();
}

int tacho__gl_drain(struct tacho__collection *base, uint64_t timeout_ns)
{
	static const struct tacho__sweep how = {
		sweep, flush,
		"the driver has no results as yet; monitors that another profiler holds never "
		"have any",
		"wait longer, or end the other profiler"};
	struct gl_collection *collection = TACHO__OWN(struct gl_collection, base);
	int rc;

	if (!tacho__collection_get_ended(base))
		return 0;
	rc = check_context(collection);
	return rc ? rc : tacho__collection_sweep(base, &how, timeout_ns);
}

/* A query that is deleted while it is active would stay active. */
static void release(struct tacho__collection *base, struct tacho__device_range *each)
{
	const struct range *range = TACHO__OWN(struct range, each);

	if (each == base->open)
		tacho__gl_slot_end(TACHO__OWN(struct gl_collection, base)->device,
				   &range->pass->program, range->slot);
	free_slot(range);
}

void tacho__gl_end(struct tacho__collection *base)
{
	struct gl_collection *collection = TACHO__OWN(struct gl_collection, base);
	const struct tacho__gl_device *device = collection->device;
	bool deletes = !tacho__gl_check_current(device) && !is_stale(collection);

	if (deletes)
		tacho__collection_clear(base, release);
	for (size_t i = 0; deletes && i < collection->pass_count; i++) {
		struct pass *pass = &collection->passes[i];

		for (struct tacho__gl_slot *slot = pass->free; slot; slot = slot->next)
			tacho__gl_slot_delete(device, &pass->program, slot);
	}
	tacho__arena_finish(&collection->arena);
	tacho__collection_destroy(base);
}
