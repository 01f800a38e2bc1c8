/* SPDX-License-Identifier: MIT */
/*
 * CSV: RFC 4180, and, read only, what programs write that do not escape quotes. A quote inside a
 * quoted cell that neither is doubled nor stands before a comma or the end of the line is a
 * character, and so is one that nothing closes within 64 KiB. A file that does not escape quotes in
 * one line, because only then its cells are as many as the first line's, does not in later ones.
 */
#ifndef TACHO_FORMAT_CSV_H
#define TACHO_FORMAT_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tacho/sys/csv.h"

struct tacho__csv_span {
	char *start, *end; /* with the quotes */
};

/* From a cell that begins between both ends, what closes its quotes is at `at` or behind. */
struct tacho__csv_search {
	const char *from;
	char *at;
};

struct tacho__csv_reader {
	const char *name; /* of the file, for messages */
	char *at, *end;
	size_t line; /* where the last record began, from 1 */
	size_t next_line;
	size_t column_count; /* of the first record; 0 before it */
	/* The cell that surplus commas belong to, because its quotes were not escaped; -1: none. */
	ptrdiff_t text_column;
	struct tacho__csv_span *spans;
	char **cells; /* of the last record */
	size_t span_capacity, cell_capacity;
	bool is_unescaped;		      /* quotes are known not to be escaped */
	struct tacho__csv_search searches[2]; /* of unescaped and of escaped quotes */
};

/*
 * Begins at the first record. `text` has `size` bytes and room for one more; it is changed, and
 * cells point into it.
 */
void tacho__csv_reader_begin(struct tacho__csv_reader *csv, const char *name, char *text,
			     size_t size);
void tacho__csv_reader_finish(struct tacho__csv_reader *csv);

/*
 * Reads the next record that is no empty line; *out_count is 0 at the end. The cells live as long
 * as the text, the array until the next call. PARSE with the line when the number of cells is not
 * that of the first record; NOMEM.
 */
int tacho__csv_reader_next(struct tacho__csv_reader *csv, char ***out_cells, size_t *out_count);

#endif
