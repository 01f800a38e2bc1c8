/* SPDX-License-Identifier: MIT */
#include "format/html/html_series.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/varint.h"
#include "format/html/html_text.h"
#include "tacho/result.h"

enum { CHUNK_ROWS = 2048, NAME_BYTES = 300 };

void tacho__html_series_finish(struct tacho__html_series *series)
{
	for (size_t i = 0; i < series->column_count; i++) {
		free(series->columns[i].values);
		free(series->columns[i].states);
	}
	free(series->rows);
	tacho__html_level_finish(&series->level);
}

/* Columns have room for as many as rows have. */
static int grow(struct tacho__html_series *series)
{
	size_t before = series->capacity;
	int rc = tacho__array_reserve(&series->rows, &series->capacity, series->count,
				      sizeof(*series->rows));

	if (rc || series->capacity == before)
		return rc;
	for (size_t i = 0; i < series->column_count; i++) {
		struct tacho__html_series_column *column = &series->columns[i];
		double *values =
			reallocarray(column->values, series->capacity, sizeof(*column->values));
		uint8_t *states;

		column->values = values ? values : column->values;
		states = realloc(column->states, series->capacity);
		column->states = states ? states : column->states;
		if (!values || !states) {
			series->capacity = before;
			return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for values");
		}
	}
	return 0;
}

/* Every second one goes. */
static void thin(struct tacho__html_series *series)
{
	size_t kept = 0;

	for (size_t i = 0; i < series->count; i += 2, kept++) {
		series->rows[kept] = series->rows[i];
		for (size_t k = 0; k < series->column_count; k++) {
			series->columns[k].values[kept] = series->columns[k].values[i];
			series->columns[k].states[kept] = series->columns[k].states[i];
		}
	}
	series->count = kept;
	series->stride *= 2;
}

int tacho__html_series_add(struct tacho__html_series *series,
			   const struct tacho__html_series_row *row, const double *values,
			   const uint8_t *states)
{
	int rc;

	series->stride = series->stride ? series->stride : 1;
	if (series->seen++ % series->stride)
		return 0;
	rc = grow(series);
	if (rc)
		return rc;
	for (size_t i = 0; i < series->column_count; i++) {
		series->columns[i].values[series->count] = values[i];
		series->columns[i].states[series->count] = states[i];
	}
	series->rows[series->count++] = *row;
	if (series->count * series->column_count > series->values_max)
		thin(series);
	return 0;
}

/* ---- chunks ---- */

static uint8_t *put_rows(uint8_t *at, const struct tacho__html_series_row *rows, size_t count)
{
	const struct tacho__html_series_row first = {.start_ns = rows[0].start_ns};

	for (int column = 0; column < 4; column++)
		for (size_t i = 0; i < count; i++) {
			const struct tacho__html_series_row *row = &rows[i],
							    *last = i ? row - 1 : &first;
			uint64_t numbers[] = {
				tacho__varint_fold((int64_t)(row->start_ns - last->start_ns)),
				row->time_ns, tacho__varint_fold((int64_t)(row->call - last->call)),
				row->name};

			at = tacho__varint_put(at, numbers[column]);
		}
	return at;
}

static uint8_t *put_values(uint8_t *at, const struct tacho__html_series_column *column, size_t from,
			   size_t count)
{
	memcpy(at, &column->states[from], count);
	at += count;
	for (size_t i = 0; i < count; i++) {
		uint64_t bits;

		memcpy(&bits, &column->values[from + i], sizeof(bits));
		for (int shift = 0; shift < 64; shift += 8)
			*at++ = (uint8_t)(bits >> shift);
	}
	return at;
}

static int add_chunk(struct tacho__html_series *series, struct tacho__html_store *store,
		     size_t from, size_t count, uint8_t *room)
{
	struct tacho__html_chunk chunk = {
		.from_ns = series->rows[from].start_ns, .call_low = UINT64_MAX, .count = count};
	uint8_t *at = put_rows(room, &series->rows[from], count);
	int rc;

	for (size_t i = from; i < from + count; i++) {
		const struct tacho__html_series_row *row = &series->rows[i];
		uint64_t end_ns = row->start_ns + row->time_ns;

		chunk.reach_ns = end_ns > chunk.reach_ns ? end_ns : chunk.reach_ns;
		chunk.call_low = row->call < chunk.call_low ? row->call : chunk.call_low;
		chunk.call_high = row->call > chunk.call_high ? row->call : chunk.call_high;
	}
	for (size_t i = 0; i < series->column_count; i++)
		at = put_values(at, &series->columns[i], from, count);
	rc = tacho__html_store_add(store, room, (size_t)(at - room), TACHO__HTML_NUMBERS,
				   &chunk.piece);
	return rc ? rc
		  : tacho__array_add(&series->level.chunks, &series->level.capacity,
				     &series->level.count, &chunk, sizeof(chunk));
}

int tacho__html_series_write(struct tacho__html_series *series, struct tacho__html_store *store)
{
	size_t row_bytes = 4 * TACHO__VARINT_MAX + 9 * series->column_count;
	uint8_t *room = malloc(CHUNK_ROWS * row_bytes);
	int rc = room ? 0 : tacho__fail(TACHO_E_NOMEM, "", "", "no memory for values");

	for (size_t i = 0; i < series->count && !rc; i += CHUNK_ROWS) {
		size_t left = series->count - i;

		rc = add_chunk(series, store, i, left < CHUNK_ROWS ? left : CHUNK_ROWS, room);
	}
	free(room);
	return rc;
}

/* ---- the overview ---- */

struct part {
	uint64_t count;
	double least, sum, largest;
};

static bool is_number(const struct tacho__html_series_column *column, size_t row)
{
	return (column->states[row] & TACHO_STATE_MASK) != TACHO_STATE_ABSENT &&
	       isfinite(column->values[row]);
}

static void put_overview(FILE *stream, const struct tacho__html_series *series,
			 const struct tacho__html_series_column *column, uint64_t first_ns,
			 uint64_t length_ns)
{
	struct part parts[TACHO__HTML_SERIES_PARTS] = {0};
	bool is_first = true;

	for (size_t i = 0; i < series->count; i++) {
		double at = (double)(series->rows[i].start_ns - first_ns) / (double)length_ns;
		double value = column->values[i];
		struct part *part;

		if (!is_number(column, i) || !(at >= 0 && at <= 1))
			continue;
		part = &parts[at < 1 ? (size_t)(at * TACHO__HTML_SERIES_PARTS)
				     : TACHO__HTML_SERIES_PARTS - 1];
		part->least = part->count ? fmin(part->least, value) : value;
		part->largest = part->count ? fmax(part->largest, value) : value;
		part->sum += value;
		part->count++;
	}
	fputs("[", stream);
	for (size_t i = 0; i < TACHO__HTML_SERIES_PARTS; i++) {
		if (!parts[i].count)
			continue;
		fprintf(stream, "%s[%zu,%.6g,%.6g,%.6g]", is_first ? "" : ",", i, parts[i].least,
			parts[i].sum / (double)parts[i].count, parts[i].largest);
		is_first = false;
	}
	fputs("]", stream);
}

void tacho__html_series_put(FILE *stream, const struct tacho__html_series *series,
			    uint64_t first_ns, uint64_t last_ns)
{
	uint64_t length_ns = last_ns > first_ns ? last_ns - first_ns : 1;

	fprintf(stream,
		"{\"kind\":\"%s\",\"rows\":%zu,\"seen\":%" PRIu64 ",\"stride\":%" PRIu64
		",\"parts\":%d,\"label\":",
		series->kind, series->count, series->seen, series->stride,
		TACHO__HTML_SERIES_PARTS);
	tacho__html_put_json(stream, series->label, NAME_BYTES);
	fputs(",\n\"chunks\":[", stream);
	for (size_t i = 0; i < series->level.count; i++) {
		fputs(i ? "," : "", stream);
		tacho__html_chunk_put(stream, &series->level.chunks[i], first_ns);
	}
	fputs("],\n\"columns\":[", stream);
	for (size_t i = 0; i < series->column_count; i++) {
		const struct tacho__html_series_column *column = &series->columns[i];

		fprintf(stream, "%s{\"name\":", i ? ",\n" : "");
		tacho__html_put_json(stream, column->name, NAME_BYTES);
		fputs(",\"unit\":", stream);
		tacho__html_put_json(stream, column->unit, NAME_BYTES);
		fprintf(stream, ",\"adds\":%d,\"simulated\":%d,\"overview\":", column->adds_up,
			column->is_simulated);
		put_overview(stream, series, column, first_ns, length_ns);
		fputs("}", stream);
	}
	fputs("]}", stream);
}
