/* SPDX-License-Identifier: MIT */
/* What a session measured, row by row, with its stacks of ranges. */
#include <stdlib.h>

#include "face/perfworks/perfworks.h"

void tacho__pw_values_drop(struct tacho__pw_values *values)
{
	if (!values || atomic_fetch_sub(&values->references, 1) > 1)
		return;
	tacho__map_finish(&values->hash);
	tacho_result_destroy(values->result);
	tacho__pw_config_drop(values->config);
	free(values->ranges);
	free(values->ids);
	free(values);
}

/* Launches are the ranges where each is one of its own; else they only lie in ranges. */
static bool is_range(const struct tacho_row *row, bool has_auto_ranges)
{
	return row->kind == (has_auto_ranges ? TACHO_ROW_LAUNCH : TACHO_ROW_RANGE);
}

/*
 * Fills the ranges; a parent has its row before those of what lies in it. Returns how many ids all
 * stacks have together.
 */
static size_t fill_ranges(struct tacho__pw_values *values, const struct tacho_result *result,
			  bool has_auto_ranges, size_t *range_of_row)
{
	const struct tacho_row *row;
	size_t ids = 0;

	for (size_t i = 0; (row = tacho_result_get_row(result, i)); i++) {
		struct tacho__pw_range *range = &values->ranges[values->count];

		if (!is_range(row, has_auto_ranges))
			continue;
		range->row = i;
		range->id = row->id;
		range->name = row->name;
		range->parent = row->parent ? range_of_row[row->parent - 1] : 0;
		range->depth = range->parent ? values->ranges[range->parent - 1].depth + 1 : 1;
		ids += range->depth;
		range_of_row[i] = ++values->count;
	}
	return ids;
}

static void fill_ids(struct tacho__pw_values *values)
{
	uint64_t *next = values->ids;

	for (size_t i = 0; i < values->count; i++) {
		struct tacho__pw_range *range = &values->ranges[i];
		const uint64_t *outer =
			range->parent ? values->ranges[range->parent - 1].ids : NULL;

		range->ids = next;
		for (size_t level = 0; level + 1 < range->depth; level++)
			*next++ = outer[level];
		*next++ = range->id;
	}
}

static uint64_t make_key(size_t parent, uint64_t id)
{
	return (id ^ (uint64_t)parent * UINT64_C(0x9e3779b97f4a7c15)) *
	       UINT64_C(0xff51afd7ed558ccd);
}

/* The range of an id in another, or in none (0): index plus 1; 0: there is none. */
static size_t find_inner(const struct tacho__pw_values *values, size_t parent, uint64_t id)
{
	size_t found = (uintptr_t)tacho__map_get(&values->hash, make_key(parent, id));

	while (found &&
	       (values->ranges[found - 1].parent != parent || values->ranges[found - 1].id != id))
		found = values->ranges[found - 1].next;
	return found;
}

/* Of several the first is found. */
static int fill_hash(struct tacho__pw_values *values)
{
	int rc = 0;

	for (size_t i = values->count; i-- > 0 && !rc;) {
		struct tacho__pw_range *range = &values->ranges[i];
		uint64_t key = make_key(range->parent, range->id);

		range->next = (uintptr_t)tacho__map_get(&values->hash, key);
		rc = tacho__map_set(&values->hash, key, (void *)(uintptr_t)(i + 1));
	}
	return rc;
}

static int fill(struct tacho__pw_values *values, const struct tacho_result *result,
		bool has_auto_ranges)
{
	size_t rows = tacho_result_get_row_count(result);
	size_t *range_of_row = calloc(rows + 1, sizeof(*range_of_row));

	values->ranges = calloc(rows + 1, sizeof(*values->ranges));
	if (range_of_row && values->ranges)
		values->ids = calloc(fill_ranges(values, result, has_auto_ranges, range_of_row) + 1,
				     sizeof(*values->ids));
	free(range_of_row);
	if (!values->ids)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu ranges", rows);
	fill_ids(values);
	return fill_hash(values);
}

int tacho__pw_values_take(struct tacho__pw_session *session, struct tacho__pw_values **out_values)
{
	struct tacho__pw_values *values = calloc(1, sizeof(*values));
	int rc;

	if (!values)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for results");
	values->references = 1;
	atomic_fetch_add(&session->config->references, 1);
	values->config = session->config;
	values->lost = tacho_session_get_lost_rows(session->core);
	rc = session->result ? 0 : tacho_session_take(session->core, &session->result);
	if (!rc)
		rc = fill(values, session->result, session->has_auto_ranges);
	if (rc) {
		tacho__pw_values_drop(values);
		return rc;
	}
	values->result = session->result;
	session->result = NULL;
	*out_values = values;
	return 0;
}

NVPA_Status NVPA_Results_Destroy(NVPA_Results *pResults)
{
	struct tacho__pw_values *values = tacho__pw_live_remove(TACHO__PW_RESULTS, pResults);

	tacho__pw_values_drop(values);
	return values ? NVPA_STATUS_SUCCESS : NVPA_STATUS_INVALID_ARGUMENT;
}

NVPA_Status NVPA_Results_GetLostRangeCount(const NVPA_Results *pResults, uint64_t *pCount)
{
	const struct tacho__pw_values *values = tacho__pw_live_get(TACHO__PW_RESULTS, pResults);

	if (!values)
		return NVPA_STATUS_INVALID_ARGUMENT;
	if (!pCount)
		return tacho__pw_fail_null("pCount");
	*pCount = values->lost;
	return NVPA_STATUS_SUCCESS;
}

NVPA_Status NVPA_Results_GetRangeCount(const NVPA_Results *pResults, size_t *pCount)
{
	const struct tacho__pw_values *values = tacho__pw_live_get(TACHO__PW_RESULTS, pResults);

	if (!values)
		return NVPA_STATUS_INVALID_ARGUMENT;
	if (!pCount)
		return tacho__pw_fail_null("pCount");
	*pCount = values->count;
	return NVPA_STATUS_SUCCESS;
}

NVPA_Status tacho__pw_values_check(const struct tacho__pw_values *values, size_t index)
{
	if (index < values->count)
		return NVPA_STATUS_SUCCESS;
	return tacho__pw_fail(NVPA_STATUS_INVALID_ARGUMENT,
			      tacho__detail("they have %zu", values->count), "count from 0",
			      "the results have no range %zu", index);
}

NVPA_Status NVPA_Results_GetRange(const NVPA_Results *pResults, size_t index, NVPA_Range *pRange)
{
	const struct tacho__pw_values *values = tacho__pw_live_get(TACHO__PW_RESULTS, pResults);
	NVPA_Status status;

	if (!values)
		return NVPA_STATUS_INVALID_ARGUMENT;
	status = pRange ? tacho__pw_values_check(values, index) : tacho__pw_fail_null("pRange");
	if (!status)
		*pRange = (NVPA_Range){.pIds = values->ranges[index].ids,
				       .depth = values->ranges[index].depth,
				       .name = values->ranges[index].name};
	return status;
}

NVPA_Status NVPA_Results_FindRange(const NVPA_Results *pResults, const uint64_t *pIds, size_t depth,
				   size_t *pIndex)
{
	const struct tacho__pw_values *values = tacho__pw_live_get(TACHO__PW_RESULTS, pResults);
	size_t found = 0, level = 0;

	if (!values)
		return NVPA_STATUS_INVALID_ARGUMENT;
	if (!pIds || !pIndex)
		return tacho__pw_fail_null(pIds ? "pIndex" : "pIds");
	do
		found = level < depth ? find_inner(values, found, pIds[level]) : found;
	while (found && ++level < depth);
	if (!found)
		return tacho__pw_fail(NVPA_STATUS_INVALID_ARGUMENT,
				      tacho__detail("nothing of its level %zu, of %zu, was begun",
						    level + 1, depth),
				      "list those there are with NVPA_Results_GetRange",
				      "the results have no such range");
	*pIndex = found - 1;
	return NVPA_STATUS_SUCCESS;
}
