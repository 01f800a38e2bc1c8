/* SPDX-License-Identifier: MIT */
/*
 * Which instances the values of a counter are of (TACHO__RECORD_COUNT_SHAPE). Only the device that
 * counts knows it, so the counted process tells it, once for each counter that has several, before
 * its first row. It lies in control.bin: a ring does not drop it. Packed, each as tacho__pack_u64()
 * does, behind the record's own tick:
 *
 *   column, dimensions, then for each: name (size, bytes), extent, positions, and so many
 *   numbers; then the presence bitmap (size, bytes)
 *
 * positions: as many as the extent says, or 0 when they are 0 ... extent - 1. Without a bitmap,
 * which has size 0, all exist.
 */
#ifndef TACHO_RECORD_COUNT_SHAPES_H
#define TACHO_RECORD_COUNT_SHAPES_H

#include "base/arena.h"
#include "base/map.h"
#include "base/pack.h"
#include "record/reader.h"
#include "tacho/result.h"

enum {
	TACHO__COUNT_SHAPE_BYTES = 7 * 1024, /* of a record, and slack */
	TACHO__COUNT_VALUES_MAX = 1 << 20,   /* of all columns of a row together */
};

/* Packs the shape into TACHO__COUNT_SHAPE_BYTES; returns the size, 0 when it is too large. */
uint32_t tacho__count_shape_pack(uint32_t index, const struct tacho_column *shape, uint8_t *buffer);

/*
 * Reads what follows the tick, which was read: dimensions, instances and presence of *out_column,
 * in the arena. PARSE without a text when that is no shape; NOMEM.
 */
int tacho__count_shape_unpack(struct tacho__unpack *unpack, struct tacho__arena *arena,
			      uint32_t *out_index, struct tacho_column *out_column);

bool tacho__count_shape_is_same(const struct tacho_column *a, const struct tacho_column *b);

/* The shapes of a recording's columns. {0} has none. */
struct tacho__count_shapes {
	struct tacho__arena arena;
	const struct tacho_column **columns; /* NULL: the column has one value */
	size_t count;
	size_t value_count;	     /* of a row */
	struct tacho__map conflicts; /* process and column, where another shape was told */
};

/* Of `count` columns, none of which has one. NOMEM. */
int tacho__count_shapes_init(struct tacho__count_shapes *shapes, size_t count);
void tacho__count_shapes_finish(struct tacho__count_shapes *shapes);
/* What all processes told; the first of them is right. NOMEM. */
int tacho__count_shapes_read(struct tacho__count_shapes *shapes, struct tacho_recording *recording);
/* The shapes of a result's columns, copied. NOMEM. */
int tacho__count_shapes_take(struct tacho__count_shapes *shapes, const struct tacho_result *result);
/* Those of a further run: copied where there is none, else a conflict there, of process 0. NOMEM.
 */
int tacho__count_shapes_join(struct tacho__count_shapes *shapes,
			     struct tacho__count_shapes *further);

/* Whether the process has told another shape of the column than the one that is known. */
bool tacho__count_shapes_differ(const struct tacho__count_shapes *shapes, uint32_t process,
				size_t index);

#endif
