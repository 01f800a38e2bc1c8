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

/* ---- reports: ncu_rep.c ncu_result.c ---- */

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

/* A value as it is told: a whole number is a real one, too. */
struct tacho__ncu_value {
	bool is_real, is_whole;
	double real;
	uint64_t whole;
	struct tacho__proto_field text; /* without bytes: it is none */
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
/* A fact of a device: as a line that tacho knows, else under its own name. */
void tacho__ncu_put_attribute(struct tacho__buf *text, const char *name,
			      const struct tacho__ncu_value *value);

#endif
