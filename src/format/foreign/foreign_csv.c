/* SPDX-License-Identifier: MIT */
/* Where cells begin and end is found first; only then they are changed in place. */
#include "format/foreign/foreign_csv.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"

enum {
	CHUNK = 64 * 1024,
	QUOTED_MAX = 64 * 1024, /* a longer cell is a quote that nothing closes */
};

int tacho__foreign_csv_open(struct tacho__foreign_csv *csv, const char *path)
{
	*csv = (struct tacho__foreign_csv){.separator = ',', .next_line = 1};
	return tacho__foreign_bytes_open(path, &csv->bytes);
}

void tacho__foreign_csv_close(struct tacho__foreign_csv *csv)
{
	tacho__foreign_bytes_close(csv->bytes);
	free(csv->text);
	free(csv->cells);
	*csv = (struct tacho__foreign_csv){0};
}

/* More text behind what there is, which moves to the front. */
static int read_more(struct tacho__foreign_csv *csv)
{
	size_t got, used = csv->size - csv->at;
	int rc;

	if (used > TACHO__FOREIGN_RECORD_MAX)
		return tacho__fail(TACHO_E_PARSE,
				   tacho__detail("more than %d bytes without an end",
						 TACHO__FOREIGN_RECORD_MAX),
				   "", "line %llu is no line of a table",
				   (unsigned long long)csv->next_line);
	if (csv->at)
		memmove(csv->text, csv->text + csv->at, used);
	csv->size = used;
	csv->at = 0;
	if (csv->capacity < used + CHUNK + 1) {
		size_t capacity = 2 * used + CHUNK + 1;
		char *text = realloc(csv->text, capacity);

		if (!text)
			return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a line");
		csv->text = text;
		csv->capacity = capacity;
	}
	rc = tacho__foreign_bytes_read(csv->bytes, csv->text + used, CHUNK, &got);
	csv->size += got;
	csv->is_end = !rc && !got;
	return rc;
}

/* ---- where cells end ---- */

static bool is_line_end(const char *at, const char *end)
{
	return at >= end || *at == '\n' || (*at == '\r' && (at + 1 >= end || at[1] == '\n'));
}

/* The quote that closes the one at `start`; NULL: nothing does. */
static char *find_closing(const struct tacho__foreign_csv *csv, char *start)
{
	char *end = csv->text + csv->size;
	char *last = end - start > QUOTED_MAX ? start + QUOTED_MAX : end;

	for (char *at = start + 1; at < last; at++) {
		if (*at != '"')
			continue;
		if (at + 1 < end && at[1] == '"')
			at++;
		else if (is_line_end(at + 1, end) || at[1] == csv->separator)
			return at;
	}
	return NULL;
}

/* Behind the cell at `start`; NULL: what closes it may come behind the text. */
static char *skip_cell(const struct tacho__foreign_csv *csv, char *start)
{
	char *end = csv->text + csv->size;
	char *at = start;

	if (start < end && *start == '"') {
		at = find_closing(csv, start);
		if (!at && !csv->is_end && end - start <= QUOTED_MAX)
			return NULL;
		at = at ? at : start;
	}
	while (!is_line_end(at, end) && *at != csv->separator)
		at++;
	return at;
}

static int add_cell(struct tacho__foreign_csv *csv, size_t count, char *start)
{
	int rc = tacho__array_reserve(&csv->cells, &csv->cell_capacity, count, sizeof(char *));

	if (!rc)
		csv->cells[count] = start;
	return rc;
}

/* 1 with the cells' starts and the end of the record; 0: it may go on behind the text. */
static int find_cells(struct tacho__foreign_csv *csv, size_t *out_count, char **out_end)
{
	char *end = csv->text + csv->size, *at = csv->text + csv->at;
	int rc;

	for (*out_count = 0;; at++) {
		rc = add_cell(csv, (*out_count)++, at);
		if (rc)
			return rc;
		at = skip_cell(csv, at);
		if (!at)
			return 0;
		if (is_line_end(at, end))
			break;
	}
	*out_end = at;
	if (at >= end || (*at == '\r' && at + 1 >= end))
		return csv->is_end;
	return 1;
}

/* ---- cells ---- */

static void unquote(char *cell, char *end)
{
	char *to = cell, *from = cell + 1;

	if (*cell != '"' || end - cell < 2 || end[-1] != '"')
		return;
	for (end--; from < end; from++) {
		if (*from == '"' && from + 1 < end && from[1] == '"')
			from++;
		*to++ = *from;
	}
	*to = '\0';
}

/* Ends each cell where the separator stood. */
static void finish_cells(struct tacho__foreign_csv *csv, size_t count, char *end)
{
	uint64_t lines = 1;

	for (char *at = csv->cells[0]; at < end; at++)
		lines += *at == '\n';
	csv->line = csv->next_line;
	csv->next_line += lines;
	*end = '\0';
	for (size_t i = 0; i < count; i++) {
		char *cell_end = i + 1 < count ? csv->cells[i + 1] - 1 : end;

		*cell_end = '\0';
		unquote(csv->cells[i], cell_end);
	}
}

int tacho__foreign_csv_next(struct tacho__foreign_csv *csv, char ***out_cells, size_t *out_count)
{
	char *end = NULL;
	int rc = 0;

	*out_count = 0;
	while (!rc && !(csv->is_end && csv->at == csv->size)) {
		rc = csv->at < csv->size ? find_cells(csv, out_count, &end) : 0;
		if (!rc)
			rc = read_more(csv);
	}
	if (rc != 1)
		*out_count = 0;
	csv->cell_count = *out_count;
	if (rc != 1)
		return rc;
	csv->at = (size_t)(end - csv->text);
	csv->is_open = csv->at == csv->size;
	if (csv->at < csv->size)
		csv->at += *end == '\r' && csv->at + 1 < csv->size ? 2 : 1;
	finish_cells(csv, *out_count, end);
	*out_cells = csv->cells;
	return 0;
}

int tacho__foreign_csv_find(char *const *cells, size_t count, const char *title)
{
	for (size_t i = 0; i < count; i++)
		if (!strcasecmp(cells[i], title))
			return (int)i;
	return -1;
}

const char *tacho__foreign_csv_get(char *const *cells, size_t count, int place)
{
	return place >= 0 && (size_t)place < count ? cells[place] : "";
}

const char *tacho__foreign_csv_cell(const struct tacho__foreign_csv *csv, int place)
{
	return tacho__foreign_csv_get(csv->cells, csv->cell_count, place);
}

bool tacho__foreign_csv_unsigned(const char *cell, uint64_t *out_value)
{
	uint64_t value = 0;

	for (const char *at = cell; *at; at++) {
		unsigned digit = (unsigned)(*at - '0');

		if (digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return false;
	}
	*out_value = value;
	return *cell != '\0';
}

bool tacho__foreign_csv_integer(const char *cell, int64_t *out_value)
{
	bool is_negative = *cell == '-';
	uint64_t value;

	if (!tacho__foreign_csv_unsigned(cell + is_negative, &value) || value > INT64_MAX)
		return false;
	*out_value = is_negative ? -(int64_t)value : (int64_t)value;
	return true;
}

bool tacho__foreign_csv_real(const char *cell, double *out_value)
{
	return !tacho__number_parse(cell, strlen(cell), out_value);
}
