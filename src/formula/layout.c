/* SPDX-License-Identifier: MIT */
#include "formula/layout.h"

#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "model/shape.h"

/* An operand may lack these; any other name must be one of its dimensions. */
static const char *const known[] = {
	"DIMENSION_XCC",	  "DIMENSION_AID", "DIMENSION_SHADER_ENGINE", "DIMENSION_AGENT",
	"DIMENSION_SHADER_ARRAY", "DIMENSION_WGP", "DIMENSION_INSTANCE",
};
static const char no_dimension[] = "DIMENSION_NONE";

static int is_known(const char *name)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(known); i++)
		if (strcmp(known[i], name) == 0)
			return 1;
	return strcmp(no_dimension, name) == 0;
}

const uint8_t *tacho__layout_trim(const uint8_t *present, size_t instances)
{
	for (size_t i = 0; present && i < instances; i++)
		if (!(present[i / 8] >> (i % 8) & 1))
			return present;
	return NULL;
}

void tacho__layout_format(const struct tacho__layout *layout, struct tacho__buf *buf)
{
	const char *before = "[";

	for (uint32_t i = 0; i < layout->count; i++) {
		const struct tacho_dimension *dimension = &layout->dimensions[i];

		tacho__buf_printf(buf, "%s%s=%u", before, dimension->name, dimension->extent);
		if (dimension->positions)
			tacho__buf_printf(buf, " from position %u", dimension->positions[0]);
		before = ", ";
	}
	tacho__buf_put(buf, layout->count ? "]" : "a single value");
}

static const struct tacho_dimension *find(const struct tacho__layout *layout, const char *name)
{
	int i = tacho__shape_find(layout->dimensions, layout->count, name);

	return i < 0 ? NULL : &layout->dimensions[i];
}

static uint32_t position_of(const struct tacho_dimension *dimension, uint32_t index)
{
	return dimension->positions ? dimension->positions[index] : index;
}

static int same_positions(const struct tacho_dimension *a, const struct tacho_dimension *b)
{
	if (a->extent != b->extent)
		return 0;
	if (!a->positions && !b->positions)
		return 1;
	for (uint32_t i = 0; i < a->extent; i++)
		if (position_of(a, i) != position_of(b, i))
			return 0;
	return 1;
}

/* Whether the larger dimensions of `part` are dimensions of `whole`. */
static int is_part(const struct tacho__layout *part, const struct tacho__layout *whole)
{
	for (uint32_t i = 0; i < part->count; i++) {
		const struct tacho_dimension *other;

		if (part->dimensions[i].extent == 1)
			continue;
		other = find(whole, part->dimensions[i].name);
		if (!other || !same_positions(&part->dimensions[i], other))
			return 0;
	}
	return 1;
}

/* Operands that are single values have no say. */
static int all_have(const struct tacho__layout *const *operands, size_t count,
		    const struct tacho_dimension *dimension)
{
	for (size_t i = 0; i < count; i++) {
		const struct tacho_dimension *other = find(operands[i], dimension->name);

		if (operands[i]->count && (!other || !same_positions(dimension, other)))
			return 0;
	}
	return 1;
}

int tacho__layout_align(const struct tacho__layout *const *operands, size_t count,
			struct tacho__layout *out_layout)
{
	const struct tacho__layout *widest = operands[0];
	struct tacho__layout layout = {0};

	for (size_t i = 1; i < count; i++)
		if (operands[i]->instances > widest->instances ||
		    (operands[i]->instances == widest->instances && !widest->count))
			widest = operands[i];
	for (size_t i = 0; i < count; i++)
		if (!is_part(operands[i], widest))
			return -1;
	layout.instances = widest->instances;
	for (uint32_t i = 0; i < widest->count; i++)
		if (widest->dimensions[i].extent > 1 ||
		    all_have(operands, count, &widest->dimensions[i]))
			layout.dimensions[layout.count++] = widest->dimensions[i];
	*out_layout = layout;
	return 0;
}

/* How far instances lie apart along each dimension; the last runs fastest. */
static void get_strides(const struct tacho__layout *layout, size_t *out_strides)
{
	size_t stride = 1;

	for (uint32_t i = layout->count; i-- > 0; stride *= layout->dimensions[i].extent)
		out_strides[i] = stride;
}

int tacho__layout_map(struct tacho__arena *arena, const struct tacho__layout *from,
		      const struct tacho__layout *to, const uint32_t **out_map)
{
	size_t strides[TACHO_DIMENSION_MAX], steps[TACHO_DIMENSION_MAX];
	uint8_t is_same = from->instances == to->instances;
	uint32_t *map = tacho__arena_get(arena, to->instances * sizeof(*map));

	if (!map)
		return TACHO_E_NOMEM;
	get_strides(from, strides);
	for (uint32_t i = 0; i < to->count; i++) {
		int other =
			tacho__shape_find(from->dimensions, from->count, to->dimensions[i].name);

		steps[i] = other < 0 || from->dimensions[other].extent == 1 ? 0 : strides[other];
	}
	for (size_t j = 0; j < to->instances; j++) {
		size_t rest = j, index = 0;

		for (uint32_t i = to->count; i-- > 0; rest /= to->dimensions[i].extent)
			index += rest % to->dimensions[i].extent * steps[i];
		map[j] = (uint32_t)index;
		is_same &= index == j;
	}
	*out_map = is_same ? NULL : map;
	return 0;
}

size_t tacho__layout_reduce(const struct tacho__layout *from, const char *const *names,
			    size_t count, struct tacho__layout *out_layout)
{
	struct tacho__layout layout = {.instances = 1};

	for (size_t i = 0; i < count; i++)
		if (!is_known(names[i]) && !find(from, names[i]))
			return i + 1;
	for (uint32_t i = 0; count && i < from->count; i++) {
		size_t k = 0;

		while (k < count && strcmp(names[k], from->dimensions[i].name))
			k++;
		if (k < count)
			continue;
		layout.dimensions[layout.count++] = from->dimensions[i];
		layout.instances *= from->dimensions[i].extent;
	}
	*out_layout = layout;
	return 0;
}

/* Which index of a dimension has this position; its extent when none has. */
static uint32_t find_position(const struct tacho_dimension *dimension, uint32_t position)
{
	for (uint32_t i = 0; dimension->positions && i < dimension->extent; i++)
		if (dimension->positions[i] == position)
			return i;
	return !dimension->positions && position < dimension->extent ? position : dimension->extent;
}

static int fail_position(const struct tacho__layout *layout, const char *name, uint32_t position,
			 struct tacho__buf *why)
{
	const struct tacho_dimension *dimension = find(layout, name);

	tacho__buf_printf(why, "select(): there is no position %u of %s", position, name);
	if (!dimension)
		tacho__buf_put(why, ", a dimension that the operand lacks: it has position 0 only");
	else if (!dimension->positions)
		tacho__buf_printf(why, ": the last is %u", dimension->extent - 1);
	tacho__buf_put(why, "; the operand is ");
	tacho__layout_format(layout, why);
	return TACHO_E_INVAL;
}

/* A dimension that the operand lacks: its single position is 0. */
static int check_missing(const struct tacho__layout *layout,
			 const struct tacho__selection *selection, struct tacho__buf *why)
{
	const char *name = selection->dimension;

	if (!is_known(name)) {
		tacho__buf_printf(why, "select(): the operand has no dimension %s: it is ", name);
		tacho__layout_format(layout, why);
		return TACHO_E_INVAL;
	}
	for (size_t i = 0; strcmp(name, no_dimension) && i < selection->count; i++)
		if (selection->positions[i])
			return fail_position(layout, name, selection->positions[i], why);
	return 0;
}

/* Applies one selection to a layout; out_kept: the indexes that stay, in the arena. */
static int select_one(struct tacho__arena *arena, struct tacho__layout *layout, int which,
		      const struct tacho__selection *selection, uint32_t **out_kept,
		      struct tacho__buf *why)
{
	struct tacho_dimension *dimension = &layout->dimensions[which];
	uint32_t *kept = tacho__arena_get(arena, selection->count * sizeof(*kept));
	uint32_t *positions = tacho__arena_get(arena, selection->count * sizeof(*positions));
	uint8_t is_whole = 1;

	if (!kept || !positions)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < selection->count; i++) {
		kept[i] = find_position(dimension, selection->positions[i]);
		if (kept[i] == dimension->extent)
			return fail_position(layout, dimension->name, selection->positions[i], why);
		positions[i] = selection->positions[i];
		is_whole &= positions[i] == i;
	}
	layout->instances = layout->instances / dimension->extent * selection->count;
	dimension->extent = (uint32_t)selection->count;
	dimension->positions = is_whole ? NULL : positions;
	if (!selection->keeps) {
		layout->count--;
		memmove(dimension, dimension + 1,
			(layout->count - (uint32_t)which) * sizeof(*dimension));
	}
	*out_kept = kept;
	return 0;
}

/* The map of one selection, which keeps the indexes `kept` of dimension `which`, after `before`. */
static uint32_t *extend_map(struct tacho__arena *arena, const struct tacho__layout *from, int which,
			    const uint32_t *kept, size_t kept_count, const uint32_t *before)
{
	size_t strides[TACHO_DIMENSION_MAX], inner, extent = from->dimensions[which].extent;
	size_t count = from->instances / extent * kept_count;
	uint32_t *map = tacho__arena_get(arena, count * sizeof(*map));

	get_strides(from, strides);
	inner = strides[which];
	for (size_t j = 0; map && j < count; j++) {
		size_t outer = j / inner / kept_count;
		size_t index = (outer * extent + kept[j / inner % kept_count]) * inner + j % inner;

		map[j] = before ? before[index] : (uint32_t)index;
	}
	return map;
}

int tacho__layout_select(struct tacho__arena *arena, const struct tacho__layout *from,
			 const struct tacho__selection *selections, size_t count,
			 struct tacho__layout *out_layout, const uint32_t **out_map,
			 struct tacho__buf *why)
{
	struct tacho__layout layout = *from;
	uint32_t *map = NULL, *kept = NULL;
	int rc = 0;

	layout.present = NULL;
	for (size_t i = 0; !rc && i < count; i++) {
		struct tacho__layout before = layout;
		int which =
			tacho__shape_find(layout.dimensions, layout.count, selections[i].dimension);

		if (!selections[i].count) {
			tacho__buf_put(why, "select(): no position is named");
			return TACHO_E_INVAL;
		}
		if (which < 0) {
			rc = check_missing(&layout, &selections[i], why);
			continue;
		}
		rc = select_one(arena, &layout, which, &selections[i], &kept, why);
		if (rc)
			break;
		map = extend_map(arena, &before, which, kept, selections[i].count, map);
		if (!map)
			rc = TACHO_E_NOMEM;
	}
	if (rc)
		return rc;
	*out_layout = layout;
	*out_map = map;
	return 0;
}
