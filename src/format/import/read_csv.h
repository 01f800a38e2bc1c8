/* SPDX-License-Identifier: MIT */
/*
 * Reading the .csv and .occupancy session files: rows about launches. Rows are split when they are
 * asked for; everything points into the file's text.
 */
#ifndef TACHO_FORMAT_IMPORT_READ_CSV_H
#define TACHO_FORMAT_IMPORT_READ_CSV_H

#include "format/import/import_header.h"
#include "format/import/span.h"
#include "tacho/result.h"

/* What a column holds. */
enum tacho__csv_role {
	TACHO__CSV_IGNORED,
	TACHO__CSV_METHOD, /* kernel, its number and device in one */
	TACHO__CSV_KERNEL,
	TACHO__CSV_DEVICE,
	TACHO__CSV_THREAD,
	TACHO__CSV_CALL,
	TACHO__CSV_GLOBAL,
	TACHO__CSV_LOCAL,
	TACHO__CSV_TIME,
	TACHO__CSV_BYTES,	/* of a transfer */
	TACHO__CSV_KERNEL_FACT, /* an attribute of the kernel in this launch */
	TACHO__CSV_DEVICE_FACT,
	TACHO__CSV_COUNTER,
	TACHO__CSV_ROLES
};

struct tacho__csv_column {
	struct tacho__span title;
	enum tacho__csv_role role;
	const char *key;      /* of a fact: the attribute */
	const char *unit;     /* of a counter, "" when not known */
	enum tacho_type type; /* of a counter */
	size_t counter;	      /* which one of the recording it is */
};

struct tacho__csv_row {
	struct tacho__span line;
	uint32_t thread;
	uint64_t call;
	bool has_thread, has_call;
	size_t next; /* in .occupancy files: the next row of the same thread and kernel; 0: none */
};

struct tacho__csv_file {
	bool is_occupancy;
	char separator;
	const char *
		decimal; /* what stands before decimals: a comma, too, where it separates nothing */
	struct tacho__csv_column *columns; /* owned */
	size_t column_count, column_capacity;
	size_t roles[TACHO__CSV_ROLES]; /* number of the column + 1; 0: none */
	struct tacho__csv_row *rows;	/* owned; in the order of the file */
	size_t row_count, row_capacity;
	size_t *by_call; /* owned: rows by thread and call, when they have both */
	size_t by_call_count;
	uint64_t unreadable; /* bytes of what is no row, such as a line with too few cells */
};

/* PARSE for what is no such file, NOMEM. `name` is for messages. */
int tacho__csv_read(const char *name, struct tacho__span text, bool is_occupancy,
		    struct tacho__import_header *header, struct tacho__csv_file *out_file);
void tacho__csv_file_finish(struct tacho__csv_file *file);

/* Splits the row into column_count cells without blanks around them; {0} for those it lacks. */
void tacho__csv_split(const struct tacho__csv_file *file, struct tacho__span line,
		      struct tacho__span *out_cells);

/* The cell of a role, {0} when there is none or it says that the value is not known. */
struct tacho__span tacho__csv_get(const struct tacho__csv_file *file,
				  const struct tacho__span *cells, enum tacho__csv_role role);
/* "NA", "NULL" and nothing at all stand for what is not known. */
bool tacho__csv_is_known(struct tacho__span cell);

/* The first row about this call, NULL when there is none. */
const struct tacho__csv_row *tacho__csv_find(const struct tacho__csv_file *file, uint32_t thread,
					     uint64_t call);

/* "KERNEL__kNUMBER_DEVICEn" in its parts; number and n are 0 when it does not have them. */
struct tacho__csv_method {
	struct tacho__span kernel, device;
	uint32_t number, device_number;
};
void tacho__csv_parse_method(struct tacho__span text, const struct tacho__import_header *header,
			     struct tacho__csv_method *out_method);

#endif
