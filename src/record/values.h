/* SPDX-License-Identifier: MIT */
/*
 * The records of what was counted for launches (TACHO__RECORD_VALUES).
 *
 * A row belongs to the call of that thread with that start tick, which is the first value of the
 * call's own record. Any thread writes it; of a launch that was waited for its own thread does, in
 * front of the call's record. A row with many values has several records, one after the other in
 * its stream. Packed, each as tacho__pack_u64() does, behind the
 * record's own tick:
 *
 *   thread, start tick, seen, left, note (size, bytes), count, then count times
 *   column, instance, flags, bits, and coverage if `flags` says so
 *
 * left: bits 0-31 how many records of the row follow, bits 32-63 how many it has, 0 where that is
 * not told. instance: 0 is the counter's only value; else it is of an instance, whose number is one
 * less; count_shapes.h tells which instances there are. flags: bits 0-7 the state with its marks,
 * bit 8 the bits are those of a double, bit 9 a coverage follows, as the bits of a double; without
 * it is 1. A column of counting.json that has no value in a row is absent there.
 */
#ifndef TACHO_RECORD_VALUES_H
#define TACHO_RECORD_VALUES_H

#include "base/pack.h"
#include "intercept/intercept.h"

enum {
	TACHO__VALUES_PER_RECORD = 128,
	TACHO__VALUES_NOTE_MAX = 512,
	TACHO__VALUES_BYTES = 6 * 1024, /* of a record with all of this, and slack */
};

/* What precedes the values in a record. */
struct tacho__values_head {
	uint64_t tick; /* of writing */
	uint32_t thread;
	uint64_t start; /* tick of the launch's call */
	uint64_t seen;	/* bit n: pass n was run */
	uint32_t left;	/* records of this row that follow */
	uint32_t total; /* records of this row; 0: not told */
	uint32_t count;
	const char *note; /* not terminated */
	uint32_t note_size;
};

/* How many records the row has: at least one. */
uint32_t tacho__values_record_count(const struct tacho__counts *counts);

/* Packs record `index` of the row into TACHO__VALUES_BYTES; returns the size. */
uint32_t tacho__values_pack(const struct tacho__counts *counts, uint32_t index, uint8_t *buffer);

/*
 * Reads what follows the tick, which was read; then tacho__values_unpack() `count` times. False
 * when the record cannot be.
 */
bool tacho__values_unpack_head(struct tacho__unpack *unpack, struct tacho__values_head *out_head);
bool tacho__values_unpack(struct tacho__unpack *unpack, struct tacho__count *out_count);

#endif
