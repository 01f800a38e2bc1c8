/* SPDX-License-Identifier: MIT */
/* Nsight Compute's files, what their readers share: ncu_*.c. */
#ifndef TACHO_FORMAT_FOREIGN_NCU_H
#define TACHO_FORMAT_FOREIGN_NCU_H

#include "base/proto_read.h"
#include "format/foreign/foreign.h"

#define TACHO__NCU_NO_TIMES "Nsight Compute does not say when a kernel ran"

enum { TACHO__NCU_UNIT_MAX = 32 };

/*
 * The unit of a metric by its name, as the grammar of these names has it: of percentages, times,
 * cycles and bytes; "" of others. At most TACHO__NCU_UNIT_MAX bytes.
 */
void tacho__ncu_unit(const char *name, char *out_unit);

/* ---- launches: ncu_launch.c ---- */

/* A value as it is told: a whole number is a real one, too. */
struct tacho__ncu_value {
	bool is_real, is_whole;
	double real;
	uint64_t whole;
	struct tacho__proto_field text; /* without bytes: it is none */
};

/* A launch, as it is told piece by piece. {0} at first. */
struct tacho__ncu_launch {
	struct tacho__foreign_command command; /* its process and the key of its values */
	struct tacho__buf device;	       /* "key=value" lines about it; owned */
	uint32_t name;			       /* a text; 0: none */
	const char *reason;		       /* why there are no times; NULL: the usual one */
	uint64_t context, stream, device_number;
	uint64_t grid[3], block[3]; /* groups, and the size of one */
	uint64_t registers, shared_bytes, dynamic_bytes, duration_ns;
	bool has_stream, has_device, has_registers, has_shared, has_dynamic, has_duration;
};

#define TACHO__NCU_DEVICE "device__attribute_"

/* A fact of a device under its own name, and as a line that tacho knows. */
void tacho__ncu_put_attribute(struct tacho__buf *text, const char *name,
			      const struct tacho__ncu_value *value);

/* Of metrics that say more of their launch; in their base unit. */
void tacho__ncu_take_metric(struct tacho__ncu_launch *launch, const char *name, double real);
/* IO, NOMEM. */
int tacho__ncu_add_launch(struct tacho__foreign *foreign, struct tacho__ncu_launch *launch);

/* ---- reports: ncu_rep.c ncu_session.c ncu_result.c ---- */

/* A device as a session describes it: "key=value" lines. */
struct tacho__ncu_device {
	uint64_t number;
	struct tacho__buf text;
};

struct tacho__ncu_rep {
	struct tacho__foreign *foreign;
	const char *path;
	uint64_t file; /* its number among those that are opened together, from 1 */
	uint64_t version, start_s;
	bool has_generator, is_cut;
	/* All texts of the file, in the order in which they stand: numbers of foreign->texts. */
	uint32_t *strings;
	size_t string_count, string_capacity;
	uint64_t string_bytes;
	struct tacho__map counters; /* a text -> its counter, or -1 where there is none */
	struct tacho__ncu_device *devices;
	size_t device_count, device_capacity;
	/* Launches; and what is left out. */
	uint64_t launches, ranges, instances, texts, unnamed;
};

/* What is behind the header of a block. */
struct tacho__ncu_block {
	uint64_t sources, results, ranges, payload;
};

struct tacho__ncu_value tacho__ncu_read_value(const struct tacho__proto_field *field);
/* The text of a field; "" when it has none, and ended where it has a zero. NOMEM. */
int tacho__ncu_text(struct tacho__foreign *foreign, const struct tacho__proto_field *field,
		    uint32_t *out_text);

/* No code of an error: the bytes are no message. */
enum { TACHO__NCU_NO_MESSAGE = 2 };

/* What a header says of its block, and of the run when `is_told`. NO_MESSAGE; PARSE, NOMEM. */
int tacho__ncu_take_header(struct tacho__ncu_rep *rep, const uint8_t *bytes, size_t size,
			   bool is_told, struct tacho__ncu_block *out_block);
/* A launch with its values. NO_MESSAGE; IO, NOMEM. */
int tacho__ncu_take_result(struct tacho__ncu_rep *rep, const uint8_t *bytes, size_t size);
/* ---- tables: ncu_csv.c ncu_number.c ---- */

enum tacho__ncu_number_kind {
	TACHO__NCU_NUMBER,
	TACHO__NCU_NUMBER_NONE,	     /* "n/a", a word, nothing */
	TACHO__NCU_NUMBER_AMBIGUOUS, /* "1.234", where nothing says what the point is */
};

struct tacho__ncu_number {
	enum tacho__ncu_number_kind kind;
	double real;
	bool is_doubtful; /* "(!)" stands with it */
	bool has_parts;	  /* "3 (1; 2)" */
};

/* What a cell says about the point of the locale that it was written in: '.', ',' or 0. */
char tacho__ncu_find_point(const char *cell);
/* Times ten to that power. */
struct tacho__ncu_number tacho__ncu_read_number(const char *cell, char point, int power);
/*
 * The unit as tacho has it, and the power of ten that makes a value of the cell's unit one of it:
 * of "Kbyte/s" "bytes/second" and 3. At most TACHO__NCU_UNIT_MAX bytes.
 */
int tacho__ncu_base_unit(const char *cell, char *out_unit);

#endif
