/* SPDX-License-Identifier: MIT */
#include "backend/intel/intel_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"

void tacho__intel_rows_finish(struct tacho__intel_rows *rows)
{
	free(rows->indices);
	free(rows->values);
	free(rows->states);
	free(rows->columns);
	*rows = (struct tacho__intel_rows){0};
}

int tacho__intel_rows_init(struct tacho__intel_rows *rows, const struct tacho_oa_format *format,
			   const struct tacho_plan_pass *info, uint32_t pass,
			   const struct tacho__sink *sink)
{
	size_t room = info->counter_count + 1;

	*rows = (struct tacho__intel_rows){
		.sink = sink,
		.pass = pass,
		.count = info->counter_count,
		.indices = calloc(room, sizeof(*rows->indices)),
		.values = calloc(room, sizeof(*rows->values)),
		.states = calloc(room, sizeof(*rows->states)),
		.columns = calloc(room, sizeof(*rows->columns)),
	};
	if (!rows->indices || !rows->values || !rows->states || !rows->columns) {
		tacho__intel_rows_finish(rows);
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a pass");
	}
	for (size_t i = 0; i < rows->count; i++) {
		const struct tacho_entry *entry = info->counters[i].entry;

		rows->indices[i] = tacho_oa_format_find_counter(format, entry->name);
		rows->columns[i] = (struct tacho_column){.name = entry->name,
							 .unit = entry->unit,
							 .type = entry->type,
							 .instance_count = 1,
							 .data.u64 = &rows->values[i],
							 .states = &rows->states[i],
							 .note = ""};
	}
	return 0;
}

static void fill(struct tacho__intel_rows *rows, const struct tacho_oa_sums *sums)
{
	for (size_t i = 0; i < rows->count; i++) {
		int index = rows->indices[i];
		double real;

		rows->values[i] = 0;
		rows->states[i] = TACHO_STATE_ABSENT;
		if (index < 0 || !sums->interval_count)
			continue;
		rows->values[i] = sums->values[index];
		rows->states[i] = sums->states[index];
		if (rows->columns[i].type == TACHO_TYPE_U64)
			continue;
		real = (double)sums->values[index];
		memcpy(&rows->values[i], &real, sizeof(real));
	}
}

static int deliver(struct tacho__intel_rows *rows, const uint64_t *key, const struct tacho_row *row,
		   uint64_t lost_rows, const struct tacho_oa_sums *sums)
{
	const struct tacho__batch batch = {.pass = rows->pass,
					   .row_count = 1,
					   .keys = key,
					   .rows = row,
					   .columns = rows->columns,
					   .lost_rows = lost_rows};

	fill(rows, sums);
	return rows->sink->deliver(rows->sink->user, &batch);
}

int tacho__intel_rows_deliver_range(struct tacho__intel_rows *rows, uint64_t key,
				    const struct tacho_oa_sums *sums)
{
	return deliver(rows, &key, NULL, 0, sums);
}

int tacho__intel_rows_deliver_window(struct tacho__intel_rows *rows, uint64_t number,
				     uint64_t end_ns, uint64_t lost_rows,
				     const struct tacho_oa_sums *sums)
{
	char name[TACHO__NUMBER_MAX];
	const struct tacho_row row = {.id = number, .name = name};

	tacho__number_format_seconds(end_ns, name);
	return deliver(rows, NULL, &row, lost_rows, sums);
}
