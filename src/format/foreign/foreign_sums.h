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
	bool is_partial; /* its shares are of other wholes than one that its lines make up */
	const char *path, *part;
};

struct tacho__foreign_sums_lines;

/* Lines of which the tool says the shares of one whole: what they add up to. */
struct tacho__foreign_shares {
	const char *path;
	double sum, slack;    /* in percent; how much of it may be rounded off */
	uint64_t lines, bare; /* of these, without a share */
};

/* {0} at first. */
struct tacho__foreign_sums {
	struct tacho__foreign_sums_lines *tables;
	size_t table_count, table_capacity;
	uint64_t line_count, name_bytes;
	const char *why, *cure;
	struct tacho__foreign_shares shares; /* of the lines that come */
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

/* ---- sums_whole.c: whether lines are missing, as far as that can be known ---- */

/*
 * The shares of the lines that follow are of one whole. When those before it do not make up theirs,
 * a note says so: the file was cut between two lines, or only some were kept.
 */
void tacho__foreign_begin_shares(struct tacho__foreign *foreign, const char *path);
/* A cell of shares as it stands, of a line that is added; "" when there is none. */
void tacho__foreign_add_share(struct tacho__foreign *foreign, const char *cell, bool is_known,
			      double percent);
/* Behind the last record of any file of lines: a note where nothing ends it. */
void tacho__foreign_note_end(struct tacho__foreign *foreign, const char *path, bool is_open);
/*
 * The same of a file of tables, of which `lines` were of tables: a note where its end may be
 * missing. PARSE: it ends before the first line of a table.
 */
int tacho__foreign_end_lines(struct tacho__foreign *foreign, const char *path, bool is_open,
			     uint64_t lines);
/*
 * Hands out each line of a text that has tables in it, and then looks at its end as above: *lines
 * are those that `take` found to be of tables. NULL: of this reading nothing is told. What `take`
 * returns but 0 ends it.
 */
int tacho__foreign_read_lines(struct tacho__foreign *foreign, const char *path,
			      int (*take)(void *user, char *line), void *user,
			      const uint64_t *lines);

/* Behind all files: the recording has the tables, or a note says that they are left out. NOMEM. */
int tacho__foreign_finish_sums(struct tacho__foreign *foreign);
void tacho__foreign_close_sums(struct tacho__foreign_sums *sums);

#endif
