/* SPDX-License-Identifier: MIT */
/* Reading the records of one chunk (chunk.h) that lies in memory. Nothing in it is trusted. */
#ifndef TACHO_RECORD_CHUNK_READER_H
#define TACHO_RECORD_CHUNK_READER_H

#include "base/pack.h"
#include "record/chunk.h"

struct tacho__chunk_values {
	uint16_t kind;
	bool is_passed_over; /* what of it has no slot */
	uint8_t *values;     /* owned */
	uint32_t size, capacity;
};

struct tacho__chunk_reader {
	struct tacho__chunk_header header;
	const uint8_t *at, *end; /* in the payload; borrowed from the caller */
	const uint8_t *slots;
	uint32_t slots_left, records_left;
	uint64_t last_end;
	struct tacho__chunk_values *kinds; /* owned, kept from chunk to chunk */
	unsigned kind_count, kind_capacity;
	/* Which kinds nobody asks for but for their slots; NULL: all are given out. */
	bool (*passes_over)(const void *user, uint16_t kind);
	const void *user;
};

/* One record, of either version. */
struct tacho__record {
	uint16_t kind;
	bool has_slot;
	bool is_torn_slot;	     /* its checksum is wrong */
	struct tacho__slot slot;     /* done is 0 when its times never came */
	uint64_t start, end;	     /* ticks; equal when it is no call */
	uint64_t more, sum;	     /* calls that it stands for besides, and the ticks of all */
	struct tacho__unpack unpack; /* behind the ticks; borrowed until the next read */
	uint32_t size;		     /* of the record, in bytes */
};

/* What a header says that is none. */
enum tacho__chunk_fault {
	TACHO__CHUNK_GOOD = 0,
	TACHO__CHUNK_NONE,   /* it is no header, or a damaged one */
	TACHO__CHUNK_NEWER,  /* of a version to come */
	TACHO__CHUNK_DAMAGED /* the payload is not what was written */
};

enum tacho__chunk_fault tacho__chunk_check_header(const struct tacho__chunk_header *header);

void tacho__chunk_reader_finish(struct tacho__chunk_reader *reader);

/* Begins with the chunk at `bytes`, which holds header->bytes of it. Checks the payload. */
enum tacho__chunk_fault tacho__chunk_open(struct tacho__chunk_reader *reader, const uint8_t *bytes);

/* Of a reader that was never used, or lately finished. */
static inline void tacho__chunk_reader_pass_over(struct tacho__chunk_reader *reader,
						 bool (*passes_over)(const void *user,
								     uint16_t kind),
						 const void *user)
{
	reader->passes_over = passes_over;
	reader->user = user;
}

/* 1 and a record, 0 at the end, TACHO_E_PARSE when the rest makes no sense, TACHO_E_NOMEM. */
int tacho__chunk_next(struct tacho__chunk_reader *reader, struct tacho__record *out_record);

#endif
