/* SPDX-License-Identifier: MIT */
/*
 * Tables as text with commas, read record by record: files of any size, of tools that write lines
 * of other sorts in between. What the cells mean is the reader's matter.
 */
#ifndef TACHO_FORMAT_FOREIGN_FOREIGN_CSV_H
#define TACHO_FORMAT_FOREIGN_FOREIGN_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/foreign/foreign_bytes.h"

/* A longer record is damage. */
enum { TACHO__FOREIGN_RECORD_MAX = 4 * 1024 * 1024 };

/* The separator may be changed once it is open. */
struct tacho__foreign_csv {
	char separator;
	struct tacho__foreign_bytes *bytes;
	char *text; /* read, not yet given */
	size_t at, size, capacity;
	char **cells; /* of the last record */
	size_t cell_count, cell_capacity;
	uint64_t line, next_line; /* of the last record, from 1; of the next one */
	bool is_end;
	bool is_open; /* nothing ends the last record: the file may have been cut in it */
};

int tacho__foreign_csv_open(struct tacho__foreign_csv *csv, const char *path);
void tacho__foreign_csv_close(struct tacho__foreign_csv *csv);
/*
 * The cells of the next record, without their quotes; *out_count is 0 at the end, and 1, with an
 * empty cell, for an empty line. A quote that nothing closes within 64 KiB is a character, and so
 * is one inside a cell that neither is doubled nor ends it. Borrowed until the next call. IO,
 * NOMEM, PARSE.
 */
int tacho__foreign_csv_next(struct tacho__foreign_csv *csv, char ***out_cells, size_t *out_count);

/* The place of a title among cells, whatever its case; -1: it is not there. */
int tacho__foreign_csv_find(char *const *cells, size_t count, const char *title);
/* The cell at a place; "" where it is -1 or past the last. */
const char *tacho__foreign_csv_get(char *const *cells, size_t count, int place);
/* The same of the last record. */
const char *tacho__foreign_csv_cell(const struct tacho__foreign_csv *csv, int place);
/* A whole number with nothing else in the cell; false: it is none. */
bool tacho__foreign_csv_integer(const char *cell, int64_t *out_value);
bool tacho__foreign_csv_unsigned(const char *cell, uint64_t *out_value);
/* With a point, whatever the locale. */
bool tacho__foreign_csv_real(const char *cell, double *out_value);

#endif
