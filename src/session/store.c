/* SPDX-License-Identifier: MIT */
/* Raw values of a pass: a slot per row, all counters of the pass in it. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/shape.h"
#include "model/single.h"
#include "session/session.h"

/* Whether values of this entry are averaged where those of others are added up. */
static bool is_rate(const struct tacho_entry *entry)
{
	return !strcmp(entry->unit, "percent") || !strcmp(entry->semantic, "ratio") ||
	       !strcmp(entry->semantic, "throughput");
}

int tacho__store_init(struct tacho_session *session, uint32_t pass)
{
	const struct tacho_plan_pass *info = tacho_plan_get_pass(session->plan, pass);
	struct tacho__store *store = &session->stores[pass];

	store->raws =
		tacho__arena_get(&session->arena, (info->counter_count + 1) * sizeof(*store->raws));
	if (!store->raws)
		return TACHO_E_NOMEM;
	store->raw_count = info->counter_count;
	for (size_t i = 0; i < store->raw_count; i++) {
		const struct tacho_entry *entry = info->counters[i].entry;

		store->raws[i].is_rate = is_rate(entry);
		store->raws[i].is_first = !strcmp(entry->joins, "first");
		store->raws[i].is_last = !strcmp(entry->joins, "last");
	}
	return 0;
}

void tacho__store_finish(struct tacho__store *store)
{
	for (size_t i = 0; i < store->raw_count; i++) {
		free(store->raws[i].data.u64);
		free(store->raws[i].states);
		free(store->raws[i].coverage);
	}
	free(store->free_slots);
}

/* A shape of the session's own. */
static int keep_shape(struct tacho_session *session, struct tacho__raw *raw,
		      const struct tacho_column *column)
{
	struct tacho__arena *arena = &session->arena;
	struct tacho_column *info = &raw->column;
	size_t size = (column->instance_count + 7) / 8;

	*info = (struct tacho_column){.type = column->type, .instance_count = 1};
	if (raw->reduces)
		return 0;
	info->instance_count = column->instance_count;
	info->dimension_count = column->dimension_count;
	for (uint32_t i = 0; i < column->dimension_count; i++) {
		struct tacho_dimension *dimension = &info->dimensions[i];

		*dimension = column->dimensions[i];
		dimension->name = tacho__arena_string(arena, dimension->name);
		if (dimension->name && dimension->positions)
			dimension->positions = (uint32_t *)tacho__arena_text(
				arena, (const char *)dimension->positions,
				dimension->extent * sizeof(uint32_t));
		if (!dimension->name || (column->dimensions[i].positions && !dimension->positions))
			return TACHO_E_NOMEM;
	}
	if (column->present) {
		info->present =
			(uint8_t *)tacho__arena_text(arena, (const char *)column->present, size);
		if (!info->present)
			return TACHO_E_NOMEM;
	}
	return 0;
}

static int fail_batch(const struct tacho__batch *batch, const char *what)
{
	return tacho__fail(TACHO_E_INVAL, what, "this is a defect of the backend: report it",
			   "values for pass %u do not fit", (unsigned)batch->pass);
}

/* What the column of a batch must be: the dimensions that came first, or none when reduced. */
static int has_shape(const struct tacho__raw *raw, const struct tacho_column *column)
{
	const struct tacho_column *info = &raw->column;

	if (column->type != info->type)
		return 0;
	if (raw->reduces)
		return 1;
	if (column->instance_count != info->instance_count ||
	    column->dimension_count != info->dimension_count)
		return 0;
	for (uint32_t i = 0; i < info->dimension_count; i++)
		if (column->dimensions[i].extent != info->dimensions[i].extent ||
		    strcmp(column->dimensions[i].name, info->dimensions[i].name) != 0)
			return 0;
	return 1;
}

int tacho__store_check(struct tacho_session *session, const struct tacho__batch *batch)
{
	struct tacho__store *store;

	if (batch->pass >= session->pass_count)
		return fail_batch(batch, "the plan has no such pass");
	if (batch->row_count && !batch->keys && !batch->rows)
		return fail_batch(batch, "it is not said what the values belong to");
	store = &session->stores[batch->pass];
	for (size_t i = 0; i < store->raw_count && batch->row_count; i++) {
		const struct tacho_column *column = &batch->columns[i];

		if (column->dimension_count > TACHO_DIMENSION_MAX ||
		    column->instance_count !=
			    tacho__shape_count(column->dimensions, column->dimension_count))
			return fail_batch(batch, "the dimensions of a counter are not valid");
		if (!store->has_shape) {
			if (keep_shape(session, &store->raws[i], column))
				return TACHO_E_NOMEM;
		} else if (!has_shape(&store->raws[i], column)) {
			return fail_batch(batch, "a counter has another shape than before");
		}
	}
	if (batch->row_count)
		store->has_shape = 1;
	return 0;
}

static void *grow_one(void *array, size_t rows, size_t size)
{
	void *grown = realloc(array, rows * size);

	if (!grown)
		tacho__fail(TACHO_E_NOMEM, "", "take rows more often",
			    "no memory for the values of %zu rows", rows);
	return grown;
}

/* Room for twice as many rows. Arrays that were grown already stay grown when memory ends. */
static int grow(struct tacho__store *store)
{
	size_t capacity = store->capacity ? (size_t)store->capacity * 2 : 16;

	if (capacity > UINT32_MAX / 2)
		return tacho__fail(TACHO_E_NOMEM, "", "take rows more often",
				   "there are too many rows");
	for (size_t i = 0; i < store->raw_count; i++) {
		struct tacho__raw *raw = &store->raws[i];
		size_t instances = raw->column.instance_count;
		void *grown = grow_one(raw->data.u64, capacity, instances * sizeof(uint64_t));

		if (!grown)
			return TACHO_E_NOMEM;
		raw->data.u64 = grown;
		grown = grow_one(raw->states, capacity, instances);
		if (!grown)
			return TACHO_E_NOMEM;
		raw->states = grown;
		if (!raw->coverage)
			continue;
		grown = grow_one(raw->coverage, capacity, instances * sizeof(double));
		if (!grown)
			return TACHO_E_NOMEM;
		raw->coverage = grown;
	}
	store->capacity = (uint32_t)capacity;
	return 0;
}

static int get_slot(struct tacho__store *store, uint32_t *out_slot)
{
	if (store->free_count) {
		*out_slot = store->free_slots[--store->free_count];
		return 0;
	}
	if (store->used == store->capacity && grow(store))
		return TACHO_E_NOMEM;
	*out_slot = store->used++;
	return 0;
}

static int need_coverage(struct tacho__store *store, struct tacho__raw *raw)
{
	size_t count = (size_t)store->capacity * raw->column.instance_count;

	if (raw->coverage)
		return 0;
	raw->coverage = grow_one(NULL, store->capacity,
				 raw->column.instance_count * sizeof(*raw->coverage));
	for (size_t i = 0; raw->coverage && i < count; i++)
		raw->coverage[i] = 1;
	return raw->coverage ? 0 : TACHO_E_NOMEM;
}

/* One row of a column as it is stored: as it came, or reduced to `number`. */
struct value {
	const void *data;
	const uint8_t *states; /* NULL: all ok */
	const double *coverage;
	uint64_t number;
	uint8_t state;
	double part;
};

static void read_value(const struct tacho__raw *raw, const struct tacho_column *column,
		       size_t index, struct value *value)
{
	size_t skip = index * column->instance_count;
	struct tacho__value_in in = {.column = column,
				     .data = column->data.u64 + skip,
				     .states = column->states ? column->states + skip : NULL,
				     .coverage = column->coverage ? column->coverage + skip : NULL,
				     .is_rate = raw->is_rate};

	*value = (struct value){.data = in.data, .states = in.states, .coverage = in.coverage};
	if (!raw->reduces || column->instance_count == 1)
		return;
	tacho__values_reduce(&in, &value->number, &value->state, &value->part);
	value->data = &value->number;
	value->states = &value->state;
	value->coverage = column->coverage ? &value->part : NULL;
}

static void put_first(struct tacho__raw *raw, size_t slot, const struct value *value)
{
	size_t count = raw->column.instance_count, skip = slot * count;

	memcpy(raw->data.u64 + skip, value->data, count * sizeof(uint64_t));
	if (value->states)
		memcpy(raw->states + skip, value->states, count);
	else
		memset(raw->states + skip, TACHO_STATE_OK, count);
	for (size_t i = 0; raw->coverage && i < count; i++)
		raw->coverage[skip + i] = value->coverage ? value->coverage[i] : 1;
}

/* One more value, of the same instance. */
static void join_whole(const struct tacho__raw *raw, uint64_t more, uint64_t *value, uint8_t *state)
{
	if (raw->is_first || raw->is_last) {
		*value = (more < *value) == raw->is_first ? more : *value;
	} else if (__builtin_add_overflow(*value, more, value)) {
		*value = UINT64_MAX;
		*state = tacho__state_worse(*state, TACHO_STATE_OVERFLOW);
	}
}

static void join_real(const struct tacho__raw *raw, double more, double *value)
{
	if (raw->is_first || raw->is_last)
		*value = (more < *value) == raw->is_first ? more : *value;
	else
		*value += more;
}

/* Sums of values, and of coverage: taking divides. */
static void put_more(struct tacho__raw *raw, size_t slot, const struct value *value)
{
	size_t count = raw->column.instance_count, skip = slot * count;

	for (size_t i = 0; i < count; i++) {
		size_t at = skip + i;
		const uint64_t *whole = value->data;
		const double *real = value->data;

		if (value->states)
			raw->states[at] = tacho__state_worse(raw->states[at], value->states[i]);
		if (raw->coverage)
			raw->coverage[at] += value->coverage ? value->coverage[i] : 1;
		if (raw->column.type == TACHO_TYPE_F64)
			join_real(raw, real[i], &raw->data.f64[at]);
		else
			join_whole(raw, whole[i], &raw->data.u64[at], &raw->states[at]);
	}
}

bool tacho__session_adds_up(const struct tacho_session *session, uint32_t pass)
{
	return session->is_rotating || session->options.accumulates ||
	       session->passes[pass].is_pipelined;
}

int tacho__store_put(struct tacho_session *session, const struct tacho__batch *batch, size_t index,
		     struct tacho__row *row)
{
	struct tacho__store *store = &session->stores[batch->pass];
	struct tacho__place *place = &row->places[batch->pass];
	uint32_t slot;

	if (place->count && !tacho__session_adds_up(session, batch->pass))
		return fail_batch(batch, "a row has values in this pass already");
	if (!place->slot) {
		if (get_slot(store, &slot))
			return TACHO_E_NOMEM;
		place->slot = slot + 1;
	}
	for (size_t i = 0; i < store->raw_count; i++)
		if (batch->columns[i].coverage && need_coverage(store, &store->raws[i]))
			return TACHO_E_NOMEM;
	for (size_t i = 0; i < store->raw_count; i++) {
		struct tacho__raw *raw = &store->raws[i];
		struct value value;

		read_value(raw, &batch->columns[i], index, &value);
		if (place->count)
			put_more(raw, place->slot - 1, &value);
		else
			put_first(raw, place->slot - 1, &value);
	}
	place->count++;
	return 0;
}
