/* SPDX-License-Identifier: MIT */
/*
 * The records of counters that were sampled beside the program, in windows of time.
 *
 * Whoever samples is no process of the recording. Its records are those of stream 0, the keeper's:
 * what describes them lies in control.bin, the windows in pieces of calls, where a ring lets go of
 * both together. Readers that do not know them leave all of it out. Packed, behind the record's own
 * tick, each as tacho__pack_u64() does, texts as size and bytes:
 *
 *   SAMPLED         number, window_ns, flags (bit 0: simulated), columns, device
 *   SAMPLED_COLUMN  number, column, type, name, unit, description, semantic
 *   WINDOW          number, index, start_ns, end_ns, uncertainty_ns, count, then count times
 *                   flags, bits, and coverage if `flags` says so
 *   SAMPLED_END     number, windows, lost, cause, cure
 *
 * number: of the sampling, from 0. index: of the window in it, from 0: one that is not there was
 * lost. Times are of the host's CLOCK_MONOTONIC. The values are those of the columns, in their
 * order; flags and coverage are as in values.h. windows: how many indices were given. lost: what
 * the device dropped before it told of it. cause and cure: why sampling ended before the program,
 * "" when it did not.
 */
#ifndef TACHO_RECORD_WINDOW_RECORDS_H
#define TACHO_RECORD_WINDOW_RECORDS_H

#include <stdbool.h>

#include "base/pack.h"
#include "tacho/result.h"

enum {
	TACHO__SAMPLED_COLUMNS_MAX = 256,
	TACHO__SAMPLED_TEXT_MAX = 512,
	/* Of any of these records, with slack. */
	TACHO__SAMPLED_BYTES = 7 * 1024,
};

struct tacho__sampled {
	uint32_t number;
	uint64_t window_ns;
	bool is_simulated;
	uint32_t column_count;
	const char *device;
};

struct tacho__sampled_column {
	uint32_t number, column;
	enum tacho_type type;
	const char *name, *unit, *description, *semantic;
};

struct tacho__sampled_end {
	uint32_t number;
	uint64_t windows, lost;
	const char *cause, *cure;
};

struct tacho__window {
	uint32_t number;
	uint64_t index;
	uint64_t start_ns, end_ns, uncertainty_ns;
	uint32_t count;
};

/* A value of a window: the bits of a number of the column's type. */
struct tacho__window_value {
	uint64_t bits;
	double coverage;
	uint8_t state;
};

/* Each packs into TACHO__SAMPLED_BYTES and returns the size. */
uint32_t tacho__sampled_pack(const struct tacho__sampled *sampled, uint8_t *buffer);
uint32_t tacho__sampled_pack_column(const struct tacho__sampled_column *column, uint8_t *buffer);
uint32_t tacho__sampled_pack_end(const struct tacho__sampled_end *end, uint8_t *buffer);
/* A row of a result; its columns have one value each, at most TACHO__SAMPLED_COLUMNS_MAX. */
uint32_t tacho__window_pack(const struct tacho__window *window, const struct tacho_result *result,
			    size_t row, uint8_t *buffer);

/* A text of a record: not terminated. */
struct tacho__sampled_text {
	const char *text;
	size_t size;
};

/*
 * What follows the tick. False when the record cannot be. Texts come behind the numbers, in their
 * order: each with tacho__sampled_unpack_text().
 */
bool tacho__sampled_unpack(struct tacho__unpack *unpack, struct tacho__sampled *out_sampled);
bool tacho__sampled_unpack_column(struct tacho__unpack *unpack,
				  struct tacho__sampled_column *out_column);
bool tacho__sampled_unpack_end(struct tacho__unpack *unpack, struct tacho__sampled_end *out_end);
bool tacho__sampled_unpack_text(struct tacho__unpack *unpack, struct tacho__sampled_text *out_text);
/* Then tacho__window_unpack_value() `count` times. */
bool tacho__window_unpack(struct tacho__unpack *unpack, struct tacho__window *out_window);
bool tacho__window_unpack_value(struct tacho__unpack *unpack,
				struct tacho__window_value *out_value);

#endif
