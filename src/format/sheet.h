/* SPDX-License-Identifier: MIT */
/*
 * Named texts in rows, before they become columns of values. Several series, NAME[0], NAME[1] ...,
 * are the instances of one column.
 */
#ifndef TACHO_FORMAT_SHEET_H
#define TACHO_FORMAT_SHEET_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "model/result.h"

struct tacho__sheet_cell {
	const char *text; /* NULL: there is no cell, "": it is empty */
	size_t line;	  /* where it stands in the file */
};

struct tacho__series {
	const char *name;		 /* "TCC_HIT[3]" */
	struct tacho__sheet_cell *cells; /* one a row; grown as rows come */
	size_t cell_count, cell_capacity;
};

struct tacho__sheet {
	const char *name; /* of the file, for messages */
	struct tacho__series *series;
	size_t series_count, series_capacity;
	size_t row_count;
	size_t room; /* cells that all series have room for */
};

void tacho__sheet_finish(struct tacho__sheet *sheet);
/* The name is borrowed. */
int tacho__sheet_add_series(struct tacho__sheet *sheet, const char *name, size_t *out_series);
/* Puts a cell into a row, which may be new. EXISTS when one is there; PARSE when it is too much. */
int tacho__sheet_set(struct tacho__sheet *sheet, size_t series, size_t row, const char *text,
		     size_t line);

/*
 * Adds a column to the result, which has row_count rows, for each name whose cells hold a number;
 * names with other texts only are left out. PARSE for a column that has both, with the line.
 */
int tacho__sheet_build(const struct tacho__sheet *sheet, struct tacho_result *result);

#endif
