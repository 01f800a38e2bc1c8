/* SPDX-License-Identifier: MIT */
/* Decoding the packed arguments of a call: as text, and as the few values that roles need. */
#ifndef TACHO_RECORD_CALL_FORMAT_H
#define TACHO_RECORD_CALL_FORMAT_H

#include "base/buf.h"
#include "base/pack.h"
#include "record/call_table.h"

/* What a decoded argument was, besides text. */
struct tacho__value {
	uint64_t scalar;  /* as it was packed; signed ones as two's complement */
	uint64_t list[3]; /* the first elements of a list */
	uint64_t count;	  /* of a list */
	uint64_t product; /* of a list's elements; 0 when it was cut or empty */
	bool present;	  /* it was not NULL, and an output was written */
};

/*
 * Decodes one argument. `buf` may be NULL: no text then. `values` are those of the function's
 * arguments so far (a query's value needs the query).
 */
void tacho__call_decode(const struct tacho__show *show, struct tacho__unpack *unpack,
			const struct tacho__function *function, const struct tacho__value *values,
			struct tacho__buf *buf, struct tacho__value *out_value);

#endif
