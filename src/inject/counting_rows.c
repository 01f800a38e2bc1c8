/* SPDX-License-Identifier: MIT */
#include "inject/counting_rows.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "tacho/sim.h"

int tacho__row_writer_init(struct tacho__row_writer *writer, const struct tacho_counting *counting,
			   const struct tacho_device *device, const struct tacho_config *config)
{
	size_t entry = 0;
	int rc = 0;

	writer->counting = counting;
	writer->columns = calloc(counting->entry_count + 1, sizeof(*writer->columns));
	writer->needed = calloc(counting->entry_count + 1, sizeof(*writer->needed));
	writer->instances = calloc(counting->entry_count + 1, sizeof(*writer->instances));
	if (!writer->columns || !writer->needed || !writer->instances)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the values of a launch");
	for (size_t i = 0; i < counting->column_count; i++)
		if (counting->columns[i].from == TACHO_FROM_SESSION)
			writer->columns[entry++] = (uint32_t)i;
	for (size_t i = 0; counting->is_simulated && i < counting->entry_count && !rc; i++)
		rc = tacho_sim_get_needed_work(device, tacho_config_get_definition(config, i),
					       &writer->needed[i]);
	return rc;
}

static int add(struct tacho__row_writer *writer, size_t *count, const struct tacho__count *value)
{
	size_t capacity = writer->capacity ? writer->capacity * 2 : 64;
	void *grown = writer->counts;

	if (*count == writer->capacity) {
		grown = realloc(writer->counts, capacity * sizeof(*writer->counts));
		if (!grown)
			return tacho__fail(TACHO_E_NOMEM, "", "",
					   "no memory for the values of a launch");
		writer->counts = grown;
		writer->capacity = capacity;
	}
	writer->counts[(*count)++] = *value;
	return 0;
}

/* Readers hear of the instances before the first values of them. */
static int tell_instances(struct tacho__row_writer *writer, size_t entry,
			  const struct tacho_column *column)
{
	const struct tacho__count_shape shape = {.index = writer->columns[entry], .column = column};
	size_t *told = &writer->instances[entry];

	if (!column->dimension_count || *told == column->instance_count)
		return 0;
	if (*told)
		return tacho__fail(
			TACHO_E_INVAL,
			tacho__detail("%zu now, %zu before", column->instance_count, *told), "",
			"the device has changed the instances of %s", column->name);
	*told = column->instance_count;
	tacho__intercept_count_shape(&shape);
	return 0;
}

/* What is absent is left out, unless a mark says something about it. */
static int add_column(struct tacho__row_writer *writer, size_t entry,
		      const struct tacho_column *column, size_t row, size_t *count)
{
	size_t first = row * column->instance_count;
	uint8_t mark = writer->needed[entry] & ~writer->known ? TACHO_MARK_DEFAULT : 0;
	int rc = tell_instances(writer, entry, column);

	for (size_t i = 0; i < column->instance_count && !rc; i++) {
		struct tacho__count value = {
			.column = writer->columns[entry],
			.instance = column->dimension_count ? (uint32_t)i + 1 : 0,
			.state = tacho_column_get_state(column, row, i),
			.type = (uint8_t)column->type,
			.coverage = column->coverage ? column->coverage[first + i] : 1};

		if (!tacho_column_is_present(column, i) || value.state == TACHO_STATE_ABSENT)
			continue;
		value.state |= mark;
		if ((value.state & TACHO_STATE_MASK) != TACHO_STATE_ABSENT)
			memcpy(&value.bits,
			       column->type == TACHO_TYPE_F64
				       ? (const void *)&column->data.f64[first + i]
				       : (const void *)&column->data.u64[first + i],
			       sizeof(value.bits));
		rc = add(writer, count, &value);
	}
	return rc;
}

int tacho__row_writer_write(struct tacho__row_writer *writer, const struct tacho__row_info *info,
			    const struct tacho_result *result, uint64_t seen)
{
	struct tacho__counts counts = {.thread = info->thread ? info->thread : (uint32_t)gettid(),
				       .start = info->start,
				       .seen = seen,
				       .note = info->note};
	const struct tacho_column *column;
	int rc = 0;

	for (size_t i = 0;
	     result && info->row < tacho_result_get_row_count(result) && !rc &&
	     i < writer->counting->entry_count && (column = tacho_result_get_column(result, i));
	     i++)
		rc = add_column(writer, i, column, info->row, &counts.count);
	if (rc)
		return rc;
	if (counts.count) /* else another thread may be at them */
		counts.counts = writer->counts;
	tacho__intercept_counts(&counts);
	return 0;
}
