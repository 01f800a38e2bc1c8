/* SPDX-License-Identifier: MIT */
/* Lines of a table of sums as they are kept: foreign_sums.c sums_lines.c. */
#ifndef TACHO_FORMAT_FOREIGN_SUMS_LINES_H
#define TACHO_FORMAT_FOREIGN_SUMS_LINES_H

#include <stdbool.h>

#include "model/row.h"
#include "tacho/sums.h"

/* By enum tacho_sums_column. */
struct tacho__foreign_sums_line {
	const char *name;
	size_t number;	       /* in its table */
	uint8_t known, nought; /* a bit for each column; of sizes that are rounded to nothing */
	union tacho__number numbers[TACHO_SUMS_COLUMNS];
};

struct tacho__foreign_sums_lines {
	struct tacho_sums about;
	size_t number; /* of the table */
	struct tacho__foreign_sums_line *lines;
	size_t count, capacity;
};

extern const struct tacho__foreign_sums_about {
	const char *name;
	bool is_whole; /* else a real number */
	bool is_size;  /* a time or bytes */
} tacho__foreign_sums_columns[TACHO_SUMS_COLUMNS];

/* Puts the lines in order, and makes a result of them. Owned: tacho_result_destroy(). NOMEM. */
int tacho__foreign_make_sums(struct tacho__foreign_sums_lines *lines,
			     struct tacho_result **out_result);

#endif
