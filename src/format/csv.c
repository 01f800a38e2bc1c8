/* SPDX-License-Identifier: MIT */
/* Splits a record into spans first and changes the text only once it is known where cells end. */
#include "format/csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

/* A longer cell is a quote that nothing closes. */
enum { QUOTED_MAX = 64 * 1024 };

void tacho__csv_reader_begin(struct tacho__csv_reader *csv, const char *name, char *text,
			     size_t size)
{
	*csv = (struct tacho__csv_reader){.name = name,
					  .at = text,
					  .end = text + size,
					  .line = 1,
					  .next_line = 1,
					  .text_column = -1};
	text[size] = '\0';
}

void tacho__csv_reader_finish(struct tacho__csv_reader *csv)
{
	free(csv->spans);
	free(csv->cells);
	csv->spans = NULL;
	csv->cells = NULL;
}

static bool ends_cell(const struct tacho__csv_reader *csv, const char *at)
{
	return at >= csv->end || *at == ',' || *at == '\n' ||
	       (*at == '\r' && (at + 1 >= csv->end || at[1] == '\n'));
}

/*
 * The quote that closes the one at `start`; NULL: nothing does. No text is searched twice: behind
 * the quotes that a cell begins with, a search finds what one that began earlier found, because
 * quotes in a row are taken as pairs from their first on.
 */
static char *find_closing(struct tacho__csv_reader *csv, char *start, bool is_escaped)
{
	struct tacho__csv_search *known = &csv->searches[is_escaped];
	bool is_known = start > known->from && start < known->at, is_first = true;
	char *last = csv->end - start > QUOTED_MAX ? start + QUOTED_MAX : csv->end;
	char *at, *found = NULL;

	for (at = start + 1; at < last; at++) {
		is_first = is_first && *at == '"';
		if (is_known && !is_first && at < known->at)
			at = known->at;
		if (at >= last || (!is_escaped && *at == '\n'))
			break;
		if (*at != '"')
			continue;
		if (is_escaped && at + 1 < csv->end && at[1] == '"') {
			at++;
		} else if (ends_cell(csv, at + 1)) {
			found = at;
			break;
		}
	}
	*known = (struct tacho__csv_search){start, at};
	return found;
}

/*
 * The end of the cell at `start`. With `is_escaped` two quotes are one and lines may end inside
 * quotes, as in RFC 4180; without it only a quote before the end of a cell is special.
 */
static char *find_end(struct tacho__csv_reader *csv, char *start, bool is_escaped)
{
	char *at = start < csv->end && *start == '"' ? find_closing(csv, start, is_escaped) : NULL;

	if (at)
		return at + 1;
	/* No quotes, or none that end: they are characters like others. */
	for (at = start; !ends_cell(csv, at); at++)
		;
	return at;
}

/* Splits the record at `at`; *out_rest is where the next begins. */
static int split(struct tacho__csv_reader *csv, bool is_escaped, size_t *out_count, char **out_rest)
{
	char *at = csv->at;
	size_t count = 0;

	for (;;) {
		if (tacho__array_reserve(&csv->spans, &csv->span_capacity, count,
					 sizeof(*csv->spans)))
			return TACHO_E_NOMEM;
		csv->spans[count].start = at;
		at = find_end(csv, at, is_escaped);
		csv->spans[count++].end = at;
		if (at >= csv->end || *at != ',')
			break;
		at++;
	}
	if (at < csv->end && *at == '\r')
		at++;
	*out_count = count;
	*out_rest = at < csv->end ? at + 1 : at;
	return 0;
}

/* Cells that unescaped quotes cut in pieces become one again. */
static void join_surplus(struct tacho__csv_reader *csv, size_t *count)
{
	size_t surplus = *count - csv->column_count, at = (size_t)csv->text_column;
	struct tacho__csv_span *spans = csv->spans;

	spans[at].end = spans[at + surplus].end;
	memmove(&spans[at + 1], &spans[at + 1 + surplus],
		(*count - at - 1 - surplus) * sizeof(*spans));
	*count -= surplus;
}

/* Takes the quotes away and ends the text with NUL. */
static char *cut(const struct tacho__csv_span *span, bool is_escaped)
{
	char *start = span->start, *end = span->end, *to;

	if (end - start < 2 || *start != '"' || end[-1] != '"') {
		*end = '\0';
		return start;
	}
	start++;
	end--;
	to = start;
	for (char *from = start; from < end; from++) {
		if (is_escaped && *from == '"' && from + 1 < end && from[1] == '"')
			from++;
		*to++ = *from;
	}
	*to = '\0';
	return start;
}

static int find_cells(struct tacho__csv_reader *csv, size_t *out_count, char **out_rest,
		      bool *out_is_escaped)
{
	size_t count = 0;
	char *rest = NULL, *escaped_rest;
	int rc = split(csv, !csv->is_unescaped, &count, &rest);

	*out_is_escaped = !csv->is_unescaped;
	escaped_rest = rest;
	if (!rc && *out_is_escaped && csv->column_count && count != csv->column_count) {
		*out_is_escaped = false;
		rc = split(csv, false, &count, &rest);
	}
	if (rc)
		return rc;
	/* Else each line would be searched beyond its end in vain. */
	csv->is_unescaped |= rest < escaped_rest;
	if (csv->column_count && count > csv->column_count && csv->text_column >= 0)
		join_surplus(csv, &count);
	if (csv->column_count && count != csv->column_count)
		return tacho__fail(TACHO_E_PARSE,
				   tacho__detail("it has %zu cells, and the first line has %zu",
						 count, csv->column_count),
				   "", "cannot read line %zu of %s", csv->line, csv->name);
	*out_count = count;
	*out_rest = rest;
	return 0;
}

static void skip_empty_lines(struct tacho__csv_reader *csv)
{
	while (csv->at < csv->end && (*csv->at == '\n' || *csv->at == '\r')) {
		csv->next_line += *csv->at == '\n';
		csv->at++;
	}
	csv->line = csv->next_line;
}

int tacho__csv_reader_next(struct tacho__csv_reader *csv, char ***out_cells, size_t *out_count)
{
	char **cells, *rest = NULL;
	bool is_escaped = true;
	size_t count = 0;
	int rc;

	skip_empty_lines(csv);
	if (csv->at >= csv->end) {
		*out_count = 0;
		return 0;
	}
	rc = find_cells(csv, &count, &rest, &is_escaped);
	if (rc)
		return rc;
	if (csv->cell_capacity < count) {
		cells = realloc(csv->cells, count * sizeof(*cells));
		if (!cells)
			return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu cells", count);
		csv->cells = cells;
		csv->cell_capacity = count;
	}
	for (const char *c = csv->at; c < rest; c++)
		csv->next_line += *c == '\n';
	for (size_t i = 0; i < count; i++)
		csv->cells[i] = cut(&csv->spans[i], is_escaped);
	csv->at = rest;
	if (!csv->column_count)
		csv->column_count = count;
	*out_cells = csv->cells;
	*out_count = count;
	return 0;
}
