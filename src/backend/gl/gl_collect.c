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
	struct tacho__gl_slot *free, *open;
	struct tacho__gl_slot *first, **last_link; /* ended, and not read */
	size_t slot_count;
};

struct gl_collection {
	struct tacho__collection base; /* its lock is that of passes and what follows, too */
	struct tacho__gl_device *device;
	struct tacho__arena arena;
	struct pass *passes;
	size_t pass_count;
	uint32_t witness; /* a query object of ours, to see that the context is still the same */
	void *own;	  /* what the driver calls the device's context; NULL: not known */
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
	while (tacho_plan_get_pass(options->plan, collection->pass_count))
		collection->pass_count++;
	collection->passes = tacho__arena_get(
		&collection->arena, (collection->pass_count + 1) * sizeof(*collection->passes));
	if (!collection->passes)
		rc = TACHO_E_NOMEM;
	for (size_t i = 0; !rc && (info = tacho_plan_get_pass(options->plan, i)); i++) {
		struct pass *pass = &collection->passes[i];

		pass->last_link = &pass->first;
		rc = tacho__gl_program_make(device, &collection->arena, info, &pass->program);
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

static void push(struct tacho__gl_slot **list, struct tacho__gl_slot *slot)
{
	slot->next = *list;
	*list = slot;
}

static struct tacho__gl_slot *take_key(struct pass *pass, uint64_t key)
{
	struct tacho__gl_slot **link = &pass->open, *slot;

	while (*link && (*link)->key != key)
		link = &(*link)->next;
	slot = *link;
	if (slot)
		*link = slot->next;
	return slot;
}

/* Ranges whose end the driver did not hear of, because the context was not current then. */
static void end_lost(struct gl_collection *collection, struct pass *pass)
{
	struct tacho__gl_slot **link = &pass->open;

	while (*link) {
		struct tacho__gl_slot *slot = *link;

		if (!slot->is_lost) {
			link = &slot->next;
			continue;
		}
		*link = slot->next;
		tacho__gl_slot_end(collection->device, &pass->program, slot);
		slot->is_lost = false;
		push(&pass->free, slot);
	}
}

static int check_room(const struct pass *pass)
{
	if (!pass->open || pass->program.only_times)
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

static int begin_range(struct gl_collection *collection, uint64_t key)
{
	struct pass *pass = &collection->passes[collection->base.pass];
	const struct tacho__gl_device *device = collection->device;
	struct tacho__gl_slot *slot;
	int rc;

	end_lost(collection, pass);
	rc = check_room(pass);
	if (rc)
		return rc;
	if (!pass->free)
		rc = add_slots(collection, pass);
	if (rc)
		return rc;
	slot = pass->free;
	pass->free = slot->next;
	slot->key = key;
	rc = tacho__gl_slot_begin(device, &pass->program, slot);
	push(rc ? &pass->free : &pass->open, slot);
	return rc;
}

int tacho__gl_begin_range(struct tacho__collection *base, uint64_t key, uint64_t parent)
{
	struct gl_collection *collection = TACHO__OWN(struct gl_collection, base);
	int rc = check_current(collection);

	if (rc)
		return rc;
	pthread_mutex_lock(&collection->base.lock);
	rc = begin_range(collection, key);
	pthread_mutex_unlock(&collection->base.lock);
	return rc;
}

static void queue(struct pass *pass, struct tacho__gl_slot *slot)
{
	slot->next = NULL;
	*pass->last_link = slot;
	pass->last_link = &slot->next;
}

int tacho__gl_end_range(struct tacho__collection *base, uint64_t key)
{
	struct gl_collection *collection = TACHO__OWN(struct gl_collection, base);
	int rc = check_current(collection);
	struct pass *pass;
	struct tacho__gl_slot *slot;

	pthread_mutex_lock(&collection->base.lock);
	pass = &collection->passes[collection->base.pass];
	slot = take_key(pass, key);
	if (!slot) {
		rc = tacho__fail(TACHO_E_INVAL, "", "", "a range ends that did not begin");
	} else if (rc) {
		slot->is_lost = true;
		push(&pass->open, slot);
	} else {
		tacho__gl_slot_end(collection->device, &pass->program, slot);
		if (pass->program.name_count)
			collection->witness = slot->names[0];
		queue(pass, slot);
	}
	pthread_mutex_unlock(&collection->base.lock);
	return rc;
}

/* Ranges of one pass that were read. */
struct batch {
	struct tacho__rows *rows;
	uint64_t keys[ROWS_MAX];
	size_t count;
};

/* Reads the first range of the queue; its objects are free again. */
static int read_first(struct gl_collection *collection, struct pass *pass, struct batch *batch)
{
	struct tacho__gl_slot *slot = pass->first;
	int rc = tacho__gl_slot_read(collection->device, &pass->program, slot, batch->rows,
				     batch->count);

	if (rc)
		return rc;
	batch->keys[batch->count++] = slot->key;
	pass->first = slot->next;
	if (!pass->first)
		pass->last_link = &pass->first;
	push(&pass->free, slot);
	return 0;
}

/* Delivers what is ready, ROWS_MAX ranges at most. */
static int sweep(struct gl_collection *collection, struct pass *pass, bool *out_any)
{
	uint32_t number = (uint32_t)(pass - collection->passes);
	struct batch batch = {
		.rows = tacho__rows_create(
			tacho_plan_get_pass(collection->base.options->plan, number), ROWS_MAX)};
	int rc = batch.rows ? 0 : TACHO_E_NOMEM;

	pthread_mutex_lock(&collection->base.lock);
	while (!rc && pass->first && batch.count < ROWS_MAX &&
	       tacho__gl_slot_is_ready(collection->device, &pass->program, pass->first))
		rc = read_first(collection, pass, &batch);
	pthread_mutex_unlock(&collection->base.lock);
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
static int sweep_all(struct tacho__collection *base, bool *out_waits)
{
	struct gl_collection *collection = TACHO__OWN(struct gl_collection, base);
	int rc = 0;

	for (size_t i = 0; i < collection->pass_count && !rc; i++) {
		bool any = true;

		while (!rc && any && collection->passes[i].first)
			rc = sweep(collection, &collection->passes[i], &any);
		*out_waits |= collection->passes[i].first != NULL;
	}
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
		sweep_all, flush,
		"the driver has no results as yet; monitors that another profiler holds never "
		"have any",
		"wait longer, or end the other profiler"};
	struct gl_collection *collection = TACHO__OWN(struct gl_collection, base);
	bool is_empty = true;
	int rc;

	for (size_t i = 0; i < collection->pass_count; i++)
		is_empty &= !collection->passes[i].first;
	if (is_empty)
		return 0;
	rc = check_context(collection);
	return rc ? rc : tacho__collection_sweep(base, &how, timeout_ns);
}

static void delete_slots(const struct gl_collection *collection, const struct pass *pass,
			 struct tacho__gl_slot *slot)
{
	for (; slot; slot = slot->next)
		tacho__gl_slot_delete(collection->device, &pass->program, slot);
}

void tacho__gl_end(struct tacho__collection *base)
{
	struct gl_collection *collection = TACHO__OWN(struct gl_collection, base);
	bool deletes = !tacho__gl_check_current(collection->device) && !is_stale(collection);

	for (size_t i = 0; deletes && i < collection->pass_count; i++) {
		struct pass *pass = &collection->passes[i];

		/* a query that is deleted while it is active would stay active */
		for (struct tacho__gl_slot *slot = pass->open; slot; slot = slot->next)
			tacho__gl_slot_end(collection->device, &pass->program, slot);
		delete_slots(collection, pass, pass->open);
		delete_slots(collection, pass, pass->first);
		delete_slots(collection, pass, pass->free);
	}
	tacho__arena_finish(&collection->arena);
	tacho__collection_destroy(base);
}
