/* SPDX-License-Identifier: MIT */
/* What the readers and writers of values share. */
#ifndef TACHO_FORMAT_VALUES_FILE_H
#define TACHO_FORMAT_VALUES_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "model/result.h"
#include "tacho/sys/values.h"

/* Readers; `name` is of the file, for messages. Errors and ownership as tacho_values_parse(). */
int tacho__values_read_json(const char *name, const char *text, size_t size,
			    struct tacho_result **out_result);
int tacho__values_read_csv(const char *name, const char *text, size_t size,
			   struct tacho_result **out_result);

/* The members of a value that docs/values.md lists from "value" on. */
void tacho__values_add(struct tacho_json *json, const struct tacho_column *column, size_t row,
		       size_t instance);

/* The columns besides a value's own are NAME and one of these. */
#define TACHO__STATE_SUFFIX    ":state"
#define TACHO__COVERAGE_SUFFIX ":coverage"

/* A state as it is written: "ok", "lost", "ok div0 default". False for a text that is none. */
bool tacho__state_parse(const char *text, uint8_t *out_state);
void tacho__state_write(FILE *stream, uint8_t state);

/*
 * A CSV of one or more results that have the same columns: looks at each, then writes their rows.
 * What is looked for is which values need columns for states and coverages.
 */
struct tacho__csv_table {
	FILE *stream;
	const char *ranges; /* a column "ranges" has this in the row; NULL: there is none */
	const char *remark; /* a last column, "recording", has this in each row; NULL: none */
	bool has_device;    /* some row has one */
	bool has_failed;    /* memory ran out for a title */
	uint8_t *extras;    /* of each value of a row; owned */
	size_t count;
};

/* NOMEM. */
int tacho__csv_table_look(struct tacho__csv_table *table, const struct tacho_result *result);
/* NOMEM. */
int tacho__csv_table_write_header(struct tacho__csv_table *table,
				  const struct tacho_result *result);
void tacho__csv_table_write_row(struct tacho__csv_table *table, const struct tacho_row *info,
				const struct tacho_result *result, size_t row);
void tacho__csv_table_finish(struct tacho__csv_table *table);

#endif
