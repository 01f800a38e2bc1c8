/* SPDX-License-Identifier: MIT */
/* Results of several runs of one program as one. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"
#include "base/map.h"
#include "model/result.h"
#include "model/shape.h"
#include "session/session.h"

struct joined {
	struct tacho_row row; /* parent: index plus 1 among the joined rows */
	size_t *from;	      /* per result the row there, plus 1 */
	struct joined *next;  /* of the same hash */
	size_t index;
};

struct merging {
	const struct tacho_result *const *results;
	size_t count;
	struct tacho__arena arena;
	struct tacho__map known;
	struct joined **rows; /* grown by doubling, outside the arena */
	size_t row_count, row_capacity;
	struct tacho_result *result;
};

static uint64_t hash_of(const struct tacho_row *row)
{
	uint64_t hash = row->id * 0x9e3779b97f4a7c15u ^ row->parent;

	hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u ^ row->repetition;
	return hash ^ hash >> 32;
}

static int find_row(struct merging *merging, const struct tacho_row *info, struct joined **out_row)
{
	uint64_t hash = hash_of(info);
	struct joined *first = tacho__map_get(&merging->known, hash), *row;

	for (row = first; row; row = row->next) {
		if (row->row.id == info->id && row->row.parent == info->parent &&
		    row->row.repetition == info->repetition) {
			*out_row = row;
			return 0;
		}
	}
	if (tacho__array_reserve(&merging->rows, &merging->row_capacity, merging->row_count,
				 sizeof(struct joined *)))
		return TACHO_E_NOMEM;
	row = tacho__arena_get(&merging->arena, sizeof(*row));
	if (!row)
		return TACHO_E_NOMEM;
	row->row = *info;
	row->next = first;
	row->index = merging->row_count;
	row->from = tacho__arena_get(&merging->arena, merging->count * sizeof(*row->from));
	if (!row->from || tacho__map_set(&merging->known, hash, row))
		return TACHO_E_NOMEM;
	merging->rows[merging->row_count++] = row;
	*out_row = row;
	return 0;
}

/* Rows come after the rows around them. */
static int join_rows(struct merging *merging, size_t which)
{
	const struct tacho_result *result = merging->results[which];
	size_t count = tacho_result_get_row_count(result);
	uint64_t *indexes = tacho__arena_get(&merging->arena, (count + 1) * sizeof(*indexes));
	int rc = indexes ? 0 : TACHO_E_NOMEM;

	for (size_t i = 0; i < count && !rc; i++) {
		struct tacho_row info = *tacho_result_get_row(result, i);
		struct joined *row;

		info.parent = info.parent && info.parent <= i ? indexes[info.parent - 1] : 0;
		rc = find_row(merging, &info, &row);
		if (rc)
			return rc;
		if (row->from[which])
			return tacho__fail(TACHO_E_INVAL,
					   tacho__detail("row %llu \"%s\" is there twice",
							 (unsigned long long)info.id, info.name),
					   "", "the results cannot be joined");
		row->from[which] = i + 1;
		indexes[i] = row->index + 1;
	}
	return rc;
}

static int has_values(const struct tacho_result *result, const struct tacho_column *column)
{
	size_t count = result->row_count * column->instance_count;

	for (size_t i = 0; column->states && i < count; i++)
		if (!tacho__state_is_absent(column->states[i]))
			return 1;
	return !column->states && count;
}

static int is_alike(const struct tacho_column *a, const struct tacho_column *b)
{
	if (a->type != b->type || a->dimension_count != b->dimension_count)
		return 0;
	for (uint32_t i = 0; i < a->dimension_count; i++)
		if (a->dimensions[i].extent != b->dimensions[i].extent ||
		    strcmp(a->dimensions[i].name, b->dimensions[i].name) != 0)
			return 0;
	return 1;
}

/* The columns of one name: NULL where a result has no value in it. The first one has the shape. */
static int find_columns(const struct merging *merging, const char *name,
			const struct tacho_column **columns, const struct tacho_column **out_shape)
{
	*out_shape = NULL;
	for (size_t i = 0; i < merging->count; i++) {
		const struct tacho_column *column =
			tacho_result_find_column(merging->results[i], name);

		columns[i] = NULL;
		if (!column ||
		    merging->results[i]->column_count != merging->results[0]->column_count)
			return tacho__fail(
				TACHO_E_INVAL, tacho__detail("result %zu has other columns", i),
				"join results of one plan", "the results cannot be joined");
		if (!has_values(merging->results[i], column))
			continue;
		if (*out_shape && !is_alike(column, *out_shape))
			return tacho__fail(
				TACHO_E_INVAL,
				tacho__detail("%s has other dimensions in result %zu", name, i),
				"join results of one device", "the results cannot be joined");
		if (!*out_shape)
			*out_shape = column;
		columns[i] = column;
	}
	if (!*out_shape)
		*out_shape = tacho_result_find_column(merging->results[0], name);
	return 0;
}

/* Where the values of one column go. */
struct into {
	uint64_t *data;
	uint8_t *states;
	double *coverage;
	size_t instances;
};

static void copy_row(const struct tacho_column *column, size_t row, size_t to,
		     const struct into *into)
{
	for (size_t i = 0; i < into->instances; i++) {
		size_t from = row * into->instances + i, at = to * into->instances + i;
		uint8_t state = tacho_column_get_state(column, row, i);

		if (!tacho__state_is_absent(into->states[at]) || tacho__state_is_absent(state))
			continue;
		into->data[at] = column->data.u64[from];
		into->states[at] = state;
		if (into->coverage && column->coverage)
			into->coverage[at] = column->coverage[from];
	}
}

static int join_column(struct merging *merging, const char *name)
{
	const struct tacho_column **columns =
		tacho__arena_get(&merging->arena, merging->count * sizeof(*columns));
	const struct tacho_column *shape;
	struct into into = {0};
	int rc, has_coverage = 0;
	void *data;

	if (!columns)
		return TACHO_E_NOMEM;
	rc = find_columns(merging, name, columns, &shape);
	for (size_t i = 0; i < merging->count; i++)
		has_coverage |= !rc && columns[i] && columns[i]->coverage;
	if (!rc)
		rc = tacho__result_add_counted(merging->result, shape, has_coverage, &data,
					       &into.states, &into.coverage);
	if (rc)
		return rc;
	into.data = data;
	into.instances = shape->instance_count;
	memset(into.states, TACHO_STATE_ABSENT, merging->row_count * into.instances);
	for (size_t i = 0; i < merging->row_count; i++)
		for (size_t k = 0; k < merging->count; k++)
			if (columns[k] && merging->rows[i]->from[k])
				copy_row(columns[k], merging->rows[i]->from[k] - 1, i, &into);
	return 0;
}

static int merge(struct merging *merging)
{
	const struct tacho_column *column;
	int rc = 0;

	for (size_t i = 0; i < merging->count && !rc; i++)
		rc = join_rows(merging, i);
	if (!rc)
		rc = tacho__result_create(merging->row_count, &merging->result);
	for (size_t i = 0; i < merging->row_count && !rc; i++)
		rc = tacho__result_set_row(merging->result, i, &merging->rows[i]->row);
	for (size_t i = 0; !rc && (column = tacho_result_get_column(merging->results[0], i)); i++)
		rc = join_column(merging, column->name);
	return rc;
}

int tacho_session_merge(const struct tacho_result *const *results, size_t count,
			struct tacho_result **out_result)
{
	struct merging merging = {.results = results, .count = count};
	int rc;

	if ((!results && count) || !out_result)
		return tacho__fail_null(__func__);
	if (!count)
		return tacho__fail(TACHO_E_INVAL, "there are none", "give at least one result",
				   "no results can be joined");
	rc = merge(&merging);
	free(merging.rows);
	tacho__map_finish(&merging.known);
	tacho__arena_finish(&merging.arena);
	if (rc)
		tacho_result_destroy(merging.result);
	else
		*out_result = merging.result;
	return rc;
}
