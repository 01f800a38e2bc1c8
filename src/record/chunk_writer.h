/* SPDX-License-Identifier: MIT */
/* Making chunks (chunk.h) out of records. */
#ifndef TACHO_RECORD_CHUNK_WRITER_H
#define TACHO_RECORD_CHUNK_WRITER_H

#include "record/chunk.h"

/* A record that is to be written. */
struct tacho__chunk_record {
	uint16_t kind;
	bool is_poll; /* equal ones in a row may become one */
	bool has_slot;
	struct tacho__slot slot; /* not sealed; done may be 0 */
	uint32_t slot_number;	 /* the keeper's own */
	uint64_t start, end;
	const uint8_t *values; /* a multiple of 8 bytes */
	uint32_t size;
};

struct tacho__chunk_kind {
	uint32_t size;
	uint8_t values[TACHO__CHUNK_VALUES_MAX];
};

/* The last record, while it may still grow. */
struct tacho__chunk_run {
	bool is_open;
	unsigned number; /* of its kind */
	uint64_t start, end, more, sum;
};

struct tacho__chunk_writer {
	struct tacho__chunk_header header;
	uint8_t payload[TACHO__CHUNK_MAX];
	uint32_t size;
	struct tacho__slot slots[TACHO__CHUNK_MAX / sizeof(struct tacho__slot)];
	uint32_t slot_numbers[TACHO__CHUNK_MAX / sizeof(struct tacho__slot)];
	uint16_t numbers[TACHO__CHUNK_KINDS_MAX]; /* of kinds, side by side for the search */
	struct tacho__chunk_kind kinds[TACHO__CHUNK_KINDS_MAX];
	unsigned kind_count;
	uint64_t last_end;
	struct tacho__chunk_run run;
};

/* Begins a chunk. The header's stream, process, first_* and recording are the caller's to set. */
void tacho__chunk_begin(struct tacho__chunk_writer *writer);

/* False when the record does not fit any more: end the chunk, begin another. */
bool tacho__chunk_add(struct tacho__chunk_writer *writer, const struct tacho__chunk_record *record);

/* Writes the chunk into `buffer` of TACHO__CHUNK_MAX bytes; returns its size, 0 without records. */
uint32_t tacho__chunk_end(struct tacho__chunk_writer *writer, uint8_t *buffer);

#endif
