/* SPDX-License-Identifier: MIT */
/* Tables of sums among those that "nsys stats --format csv" prints. */
#ifndef TACHO_FORMAT_FOREIGN_NSYS_SUMS_H
#define TACHO_FORMAT_FOREIGN_NSYS_SUMS_H

#include "format/foreign/foreign.h"
#include "format/foreign/foreign_csv.h"

/* The table that is read. {0} but for `foreign` at first. */
struct tacho__nsys_sums {
	struct tacho__foreign *foreign;
	struct tacho__foreign_sums_titles titles;
	enum tacho_sums_kind kind;
	bool is_of_bytes;
	int category, grid, block; /* places of what says more of a line; -1 */
	struct tacho__buf part;	   /* the table's title, where the tool prints it */
	struct tacho__buf name;
	double size_scale; /* of sizes, where the table's title tells it; 0 */
	uint64_t lines, odd;
};

/* Whether a title has this name, whatever its unit; *out_unit is the unit and what follows, or "".
 */
bool tacho__nsys_has_title(const char *title, const char *name, const char **out_unit);

void tacho__nsys_sums_finish(struct tacho__nsys_sums *sums);
/* A line between tables: " ** CUDA API Summary (cuda_api_sum):". NOMEM. */
int tacho__nsys_sums_take_heading(struct tacho__nsys_sums *sums, const char *line);
/* Whether a record is the titles of such a table, which begins then. */
bool tacho__nsys_sums_begin(struct tacho__nsys_sums *sums, const struct tacho__foreign_csv *csv,
			    const char *path);
/* A record of the table. NOMEM, PARSE. */
int tacho__nsys_sums_take_row(struct tacho__nsys_sums *sums, const struct tacho__foreign_csv *csv,
			      const char *path);

#endif
