/* SPDX-License-Identifier: MIT */
/*
 * Tables of sums while files are read. A reader says which columns a table has and gives its lines;
 * where no file has a row of a single call or launch, they become those of the recording.
 */
#ifndef TACHO_FORMAT_FOREIGN_FOREIGN_SUMS_H
#define TACHO_FORMAT_FOREIGN_FOREIGN_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tacho/sums.h"

struct tacho__foreign;

/* Where the columns of a table stand, and what they are in. */
struct tacho__foreign_sums_titles {
	int name;			   /* the place of the lines' names */
	int places[TACHO_SUMS_COLUMNS];	   /* -1: the table has none */
	double scales[TACHO_SUMS_COLUMNS]; /* from a cell to ns or bytes; 0: not known */
};

/* No place is known yet, and all scales are 1. */
void tacho__foreign_sums_clear(struct tacho__foreign_sums_titles *titles);

/* Which table a line is of. Texts are borrowed until the line is added. */
struct tacho__foreign_sums_table {
	enum tacho_sums_kind kind;
	bool is_of_bytes;
	const char *path, *part;
};

struct tacho__foreign_sums_lines;

/* {0} at first. */
struct tacho__foreign_sums {
	struct tacho__foreign_sums_lines *tables;
	size_t table_count, table_capacity;
	uint64_t line_count, name_bytes;
	const char *why, *cure;
};

/*
 * What the sums are of, and what keeps rows: "it has sums of nvprof ..., and no row of a single
 * one". Literals; of several the first stays.
 */
void tacho__foreign_explain_sums(struct tacho__foreign *foreign, const char *why, const char *cure);
/*
 * A line of a table; *out_is_one is false when the cells are none: without a name, or with neither
 * a count nor a total. PARSE: there are more than any program has; NOMEM.
 */
int tacho__foreign_add_sums(struct tacho__foreign *foreign,
			    const struct tacho__foreign_sums_table *table,
			    const struct tacho__foreign_sums_titles *titles, char *const *cells,
			    size_t cell_count, bool *out_is_one);

/* Behind all files: the recording has the tables, or a note says that they are left out. NOMEM. */
int tacho__foreign_finish_sums(struct tacho__foreign *foreign);
void tacho__foreign_close_sums(struct tacho__foreign_sums *sums);

#endif
