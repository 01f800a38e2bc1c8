/* SPDX-License-Identifier: MIT */
/*
 * Values over time: rows with a start and an end, and a number in each column; the counters of
 * launches. A page holds them in chunks as it holds marks (html_levels.h), and an overview of each
 * column: least, mean and largest value in equal parts of the time.
 *
 * A chunk is columns again, varints first: start (folded difference to the one before, the first
 * one to the chunk's), time, call (folded likewise), name; then for each column of values a byte
 * of state for each row and its number, a double, little-endian.
 */
#ifndef TACHO_FORMAT_HTML_HTML_SERIES_H
#define TACHO_FORMAT_HTML_HTML_SERIES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "format/html/html_levels.h"

enum {
	TACHO__HTML_SERIES_COLUMNS_MAX = 24,
	TACHO__HTML_SERIES_PARTS = 256, /* of an overview */
};

struct tacho__html_series_column {
	const char *name, *unit; /* borrowed */
	bool adds_up, is_simulated;
	double *values;
	uint8_t *states;
};

struct tacho__html_series_row {
	uint64_t start_ns, time_ns, call;
	uint32_t name;
};

struct tacho__html_series {
	const char *kind;  /* "launches" or "windows"; static */
	const char *label; /* borrowed */
	size_t values_max; /* of all columns: beyond, one row in `stride` is kept */
	uint64_t seen, stride;
	struct tacho__html_series_column columns[TACHO__HTML_SERIES_COLUMNS_MAX];
	size_t column_count;
	struct tacho__html_series_row *rows;
	size_t count, capacity;
	struct tacho__html_level level;
};

void tacho__html_series_finish(struct tacho__html_series *series);
/* A number for each column, with its state. NOMEM. */
int tacho__html_series_add(struct tacho__html_series *series,
			   const struct tacho__html_series_row *row, const double *values,
			   const uint8_t *states);
/* NOMEM. */
int tacho__html_series_write(struct tacho__html_series *series, struct tacho__html_store *store);
/* As JSON: what it is, its chunks and overviews; times are from `first_ns` on. */
void tacho__html_series_put(FILE *stream, const struct tacho__html_series *series,
			    uint64_t first_ns, uint64_t last_ns);

#endif
