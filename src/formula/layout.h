/* SPDX-License-Identifier: MIT */
/* How the values of a row lie: which dimensions, and which positions have no unit. */
#ifndef TACHO_FORMULA_LAYOUT_H
#define TACHO_FORMULA_LAYOUT_H

#include "base/arena.h"
#include "base/buf.h"
#include "formula/node.h"
#include "tacho/result.h"

struct tacho__layout {
	uint32_t count;
	struct tacho_dimension dimensions[TACHO_DIMENSION_MAX];
	size_t instances;
	const uint8_t *present; /* as in tacho_column; NULL: all */
};

/* Whether a unit exists at an instance. */
static inline int tacho__layout_has(const struct tacho__layout *layout, size_t instance)
{
	return !layout->present || (layout->present[instance / 8] >> (instance % 8) & 1);
}

/* NULL when all are present, else the bitmap. */
const uint8_t *tacho__layout_trim(const uint8_t *present, size_t instances);

/* "[DIMENSION_XCC=8, DIMENSION_INSTANCE=16]", "a single value". */
void tacho__layout_format(const struct tacho__layout *layout, struct tacho__buf *buf);

/*
 * The layout in which all operands fit: dimensions of extent 1 count as missing, the operand with
 * the most values gives the order, the others have a part of its dimensions with the same
 * positions. Presence is left out. Returns 0, or -1 when they do not fit together.
 */
int tacho__layout_align(const struct tacho__layout *const *operands, size_t count,
			struct tacho__layout *out_layout);

/*
 * For each instance of `to` the one of `from` that belongs to it; NULL when they are the same. In
 * the arena. NOMEM.
 */
int tacho__layout_map(struct tacho__arena *arena, const struct tacho__layout *from,
		      const struct tacho__layout *to, const uint32_t **out_map);

/*
 * Takes dimensions away; no names: all of them. 0, or the number plus one of a name that is neither
 * known nor there.
 */
size_t tacho__layout_reduce(const struct tacho__layout *from, const char *const *names,
			    size_t count, struct tacho__layout *out_layout);

/*
 * Keeps positions. out_map as in tacho__layout_map(). INVAL with a text about it in `why`, NOMEM.
 */
int tacho__layout_select(struct tacho__arena *arena, const struct tacho__layout *from,
			 const struct tacho__selection *selections, size_t count,
			 struct tacho__layout *out_layout, const uint32_t **out_map,
			 struct tacho__buf *why);

#endif
