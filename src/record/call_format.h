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

/* How an argument that is a plain number reads. */
enum tacho__number_form {
	TACHO__NUMBER_NONE, /* it is none */
	TACHO__NUMBER_SIGNED,
	TACHO__NUMBER_UNSIGNED,
	TACHO__NUMBER_POINTER, /* 0xFF, and 0 is no number but "NULL" */
};

static inline enum tacho__number_form tacho__call_get_form(const struct tacho__show *show)
{
	switch (show->kind) {
	case 'i': return TACHO__NUMBER_SIGNED;
	case 'u': return TACHO__NUMBER_UNSIGNED;
	case 'x': return TACHO__NUMBER_POINTER;
	default: return TACHO__NUMBER_NONE;
	}
}

/* Whether values may have names of their own. */
static inline bool tacho__call_has_names(const struct tacho__show *show)
{
	return show->kind == 'e' || show->kind == 'b';
}

/* The name of the value, as long as the recording is open; NULL: it has none. */
const char *tacho__call_find_name(const struct tacho__show *show, uint64_t value);

#endif
