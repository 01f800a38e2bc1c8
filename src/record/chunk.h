/* SPDX-License-Identifier: MIT */
/*
 * The files of a recording, version 2. docs/recording.md tells it to people.
 *
 * control.bin and calls-<n>.bin are sequences of chunks, each of one stream, each readable by
 * itself: a header, the payload, padding to 8 bytes, then the slots of its commands in the order of
 * their records.
 *
 * The payload is a sequence of records. V is an unsigned LEB128 number, F a folded signed one
 * (base/varint.h):
 *
 *   V token       bit 0 it has a slot, bit 1 its values are those of the last record of its kind in
 *                 this chunk, bit 2 it stands for several calls; above them the number of its kind
 *   u16 kind      little endian, only when the number is new: they count up from 0 in each chunk
 *   F start       tick, from the end of the record before; from first_tick for the first
 *   V duration    of calls only: to the end, of the last one when it stands for several
 *   V more, V sum when it stands for several: how many more, and the sum of all their durations
 *   V size * 2 + d, bytes     unless bit 1 is set: the packed values. d: for each 8 of them a mask
 *                 of those that differ from the last record of its kind, which has the same size,
 *                 and those bytes
 *
 * Values read as in version 1, behind its ticks. Structural records (API 0) never use bit 1 or d.
 * Ticks are TSC cycles or CLOCK_MONOTONIC_RAW nanoseconds; anchors tie them to the clocks.
 */
#ifndef TACHO_RECORD_CHUNK_H
#define TACHO_RECORD_CHUNK_H

#include <stdbool.h>
#include <stdint.h>

#include "record/wire.h"

#define TACHO__CHUNK_MAGIC  UINT32_C(0x4b4e4843) /* "CHNK" */
#define TACHO__CALLS_FORMAT "calls-%u.bin"

enum {
	TACHO__CHUNK_VERSION = 2,
	TACHO__CHUNK_MAX = 128 * 1024, /* with header and slots */
	TACHO__CHUNK_KINDS_MAX = 256,
	TACHO__CHUNK_VALUES_MAX = 8 * 1024, /* packed values of a record */
};

struct tacho__chunk_header {
	uint32_t magic;
	uint16_t version, header_bytes;
	uint32_t bytes;		/* of the chunk; a multiple of 8 */
	uint32_t payload_bytes; /* without the padding */
	uint32_t stream;	/* its number in the recording; 0: the keeper's */
	uint32_t process;	/* its number in the recording, plus 1; 0: none */
	uint64_t first_record;	/* how many records of its stream lie in chunks before this one, */
	uint64_t first_call;	/* and how many calls */
	uint64_t first_tick;	/* the end of the first record, or before */
	uint32_t records, calls, slots;
	uint32_t recording; /* CRC-32C of the recording's stamp */
	uint32_t flags;
	uint32_t payload_crc;
	uint32_t reserved;
	uint32_t header_crc; /* of the header without this */
};

_Static_assert(sizeof(struct tacho__chunk_header) == 80, "the layout of files");

/*
 * `done` of a slot in a file has in bits 8 to 31 a checksum of the rest, because slots are filled
 * after the chunk was written.
 */
void tacho__slot_seal(struct tacho__slot *slot);
bool tacho__slot_is_whole(const struct tacho__slot *slot);

#endif
