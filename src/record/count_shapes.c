/* SPDX-License-Identifier: MIT */
#include "record/count_shapes.h"

#include <string.h>

#include "base/error.h"
#include "model/shape.h"
#include "record/stream_reader.h"

enum { NAME_MAX_BYTES = 128, NUMBER_BYTES = 9 };

/* ---- packing ---- */

static size_t bitmap_bytes(const struct tacho_column *shape)
{
	return shape->present ? (shape->instance_count + 7) / 8 : 0;
}

static size_t count_positions(const struct tacho_dimension *dimension)
{
	return dimension->positions ? dimension->extent : 0;
}

/* The most that it can take. */
static size_t bound_bytes(const struct tacho_column *shape)
{
	size_t bytes = 3 * NUMBER_BYTES + bitmap_bytes(shape) + TACHO__PACK_SLACK;

	for (uint32_t i = 0; i < shape->dimension_count; i++) {
		const struct tacho_dimension *dimension = &shape->dimensions[i];

		bytes += strnlen(dimension->name, NAME_MAX_BYTES + 1) +
			 NUMBER_BYTES * (3 + count_positions(dimension));
	}
	return bytes;
}

static bool is_packable(const struct tacho_column *shape)
{
	for (uint32_t i = 0; i < shape->dimension_count; i++)
		if (strlen(shape->dimensions[i].name) > NAME_MAX_BYTES)
			return false;
	return bound_bytes(shape) <= TACHO__COUNT_SHAPE_BYTES;
}

uint32_t tacho__count_shape_pack(uint32_t index, const struct tacho_column *shape, uint8_t *buffer)
{
	struct tacho__pack pack;

	if (!is_packable(shape))
		return 0;
	tacho__pack_begin(&pack, buffer);
	tacho__pack_u64(&pack, index);
	tacho__pack_u64(&pack, shape->dimension_count);
	for (uint32_t i = 0; i < shape->dimension_count; i++) {
		const struct tacho_dimension *dimension = &shape->dimensions[i];
		size_t size = strlen(dimension->name), positions = count_positions(dimension);

		tacho__pack_u64(&pack, size);
		tacho__pack_bytes(&pack, dimension->name, size);
		tacho__pack_u64(&pack, dimension->extent);
		tacho__pack_u64(&pack, positions);
		for (size_t k = 0; k < positions; k++)
			tacho__pack_u64(&pack, dimension->positions[k]);
	}
	tacho__pack_u64(&pack, bitmap_bytes(shape));
	if (shape->present)
		tacho__pack_bytes(&pack, shape->present, bitmap_bytes(shape));
	return (uint32_t)(pack.at - buffer);
}

/* ---- unpacking ---- */

static int unpack_name(struct tacho__unpack *unpack, struct tacho__arena *arena,
		       struct tacho_dimension *dimension)
{
	uint64_t size = tacho__unpack_u64(unpack);
	const uint8_t *bytes = tacho__unpack_bytes(unpack, size);

	if (!bytes || !size || size > NAME_MAX_BYTES)
		return TACHO_E_PARSE;
	for (uint64_t i = 0; i < size; i++)
		if (bytes[i] <= ' ' || bytes[i] > '~')
			return TACHO_E_PARSE;
	dimension->name = tacho__arena_text(arena, (const char *)bytes, size);
	return dimension->name ? 0 : TACHO_E_NOMEM;
}

static int unpack_positions(struct tacho__unpack *unpack, struct tacho__arena *arena,
			    struct tacho_dimension *dimension)
{
	uint64_t count = tacho__unpack_u64(unpack), position;
	uint32_t *positions;

	if (!count)
		return 0;
	/* two numbers take at least a byte */
	if (count != dimension->extent || count > 2 * (uint64_t)(unpack->end - unpack->at) + 2)
		return TACHO_E_PARSE;
	positions = tacho__arena_get(arena, count * sizeof(*positions));
	if (!positions)
		return TACHO_E_NOMEM;
	for (uint64_t i = 0; i < count; i++) {
		position = tacho__unpack_u64(unpack);
		if (position > UINT32_MAX || (i && position <= positions[i - 1]))
			return TACHO_E_PARSE;
		positions[i] = (uint32_t)position;
	}
	dimension->positions = positions;
	return 0;
}

static int unpack_dimension(struct tacho__unpack *unpack, struct tacho__arena *arena,
			    struct tacho_dimension *dimension)
{
	uint64_t extent;
	int rc = unpack_name(unpack, arena, dimension);

	if (rc)
		return rc;
	extent = tacho__unpack_u64(unpack);
	if (extent > TACHO__COUNT_VALUES_MAX)
		return TACHO_E_PARSE;
	dimension->extent = (uint32_t)extent;
	return unpack_positions(unpack, arena, dimension);
}

static int unpack_present(struct tacho__unpack *unpack, struct tacho__arena *arena,
			  struct tacho_column *column)
{
	uint64_t size = tacho__unpack_u64(unpack);
	const uint8_t *bytes = tacho__unpack_bytes(unpack, size);

	if (!size)
		return 0;
	if (!bytes || size != (column->instance_count + 7) / 8)
		return TACHO_E_PARSE;
	column->present = (uint8_t *)tacho__arena_text(arena, (const char *)bytes, size);
	return column->present ? 0 : TACHO_E_NOMEM;
}

int tacho__count_shape_unpack(struct tacho__unpack *unpack, struct tacho__arena *arena,
			      uint32_t *out_index, struct tacho_column *out_column)
{
	struct tacho_column column = {.name = "", .unit = "", .description = "", .note = ""};
	uint64_t index = tacho__unpack_u64(unpack), count = tacho__unpack_u64(unpack);
	int rc = 0;

	if (index > UINT32_MAX || !count || count > TACHO_DIMENSION_MAX)
		return TACHO_E_PARSE;
	column.dimension_count = (uint32_t)count;
	for (uint32_t i = 0; i < count && !rc; i++)
		rc = unpack_dimension(unpack, arena, &column.dimensions[i]);
	if (rc)
		return rc;
	column.instance_count = tacho__shape_count(column.dimensions, column.dimension_count);
	if (!column.instance_count || column.instance_count > TACHO__COUNT_VALUES_MAX)
		return TACHO_E_PARSE;
	rc = unpack_present(unpack, arena, &column);
	if (rc || unpack->bad)
		return rc ? rc : TACHO_E_PARSE;
	*out_index = (uint32_t)index;
	*out_column = column;
	return 0;
}

static bool dimension_is_same(const struct tacho_dimension *a, const struct tacho_dimension *b)
{
	return a->extent == b->extent && !strcmp(a->name, b->name) &&
	       !a->positions == !b->positions &&
	       (!a->positions ||
		!memcmp(a->positions, b->positions, a->extent * sizeof(*a->positions)));
}

bool tacho__count_shape_is_same(const struct tacho_column *a, const struct tacho_column *b)
{
	if (a->dimension_count != b->dimension_count || !a->present != !b->present)
		return false;
	for (uint32_t i = 0; i < a->dimension_count; i++)
		if (!dimension_is_same(&a->dimensions[i], &b->dimensions[i]))
			return false;
	for (size_t i = 0; a->present && i < a->instance_count; i++)
		if (tacho_column_is_present(a, i) != tacho_column_is_present(b, i))
			return false;
	return true;
}

/* ---- those of a recording ---- */

static uint64_t make_key(uint32_t process, size_t index)
{
	return (uint64_t)process << 32 | index;
}

/* 1, 0 when the column has another one, TACHO_E_PARSE when rows would be too large, or NOMEM. */
static int offer(struct tacho__count_shapes *shapes, size_t index, const struct tacho_column *shape)
{
	struct tacho_column *kept;

	if (shapes->columns[index])
		return tacho__count_shape_is_same(shapes->columns[index], shape);
	if (shape->instance_count > TACHO__COUNT_VALUES_MAX - shapes->value_count)
		return TACHO_E_PARSE;
	kept = tacho__arena_get(&shapes->arena, sizeof(*kept));
	if (!kept)
		return TACHO_E_NOMEM;
	*kept = *shape;
	shapes->columns[index] = kept;
	shapes->value_count += shape->instance_count;
	return 1;
}

/* What no process of tacho's writes is damage. */
static int take(struct tacho__count_shapes *shapes, struct tacho_recording *recording,
		uint32_t process, struct tacho__record *record)
{
	const struct tacho_counting *counting = recording->counting;
	struct tacho_column shape;
	uint32_t index;
	int rc = tacho__count_shape_unpack(&record->unpack, &shapes->arena, &index, &shape);

	if (rc)
		return rc;
	if (index >= counting->column_count || counting->columns[index].from != TACHO_FROM_SESSION)
		return TACHO_E_PARSE;
	rc = offer(shapes, index, &shape);
	if (rc)
		return rc < 0 ? rc : 0;
	return tacho__map_set(&shapes->conflicts, make_key(process, index), shapes);
}

static int read_stream(struct tacho__count_shapes *shapes, struct tacho_recording *recording,
		       uint32_t process, const struct tacho__reader_stream *stream)
{
	struct tacho__stream_reader reader;
	struct tacho__record record;
	int rc;

	tacho__stream_reader_init(&reader, recording, stream);
	while ((rc = tacho__stream_reader_next(&reader, &record)) == 1) {
		if (record.kind == TACHO__RECORD_COUNT_SHAPE)
			rc = take(shapes, recording, process, &record);
		if (rc == TACHO_E_PARSE)
			rc = tacho__fault_add_of_file(
				recording, 0, "tells instances of a counter that cannot be", 0,
				record.size, 0, stream->chunks[reader.next_chunk - 1].offset);
		if (rc < 0)
			break;
	}
	tacho__stream_reader_finish(&reader);
	return rc < 0 ? rc : 0;
}

/* Streams of control.bin, which version 1 does not have. */
static bool is_kept(const struct tacho__reader_stream *stream)
{
	return !stream->path && stream->chunk_count && !stream->chunks[0].file;
}

int tacho__count_shapes_init(struct tacho__count_shapes *shapes, size_t count)
{
	shapes->count = shapes->value_count = count;
	shapes->columns =
		tacho__arena_get(&shapes->arena, (count + 1) * sizeof(shapes->columns[0]));
	return shapes->columns ? 0 : TACHO_E_NOMEM;
}

int tacho__count_shapes_read(struct tacho__count_shapes *shapes, struct tacho_recording *recording)
{
	int rc = 0;

	for (size_t i = 0; i < recording->process_count; i++) {
		const struct tacho__process *process = recording->processes[i];

		for (size_t k = 0; k < process->stream_count && !rc; k++)
			if (is_kept(&process->streams[k]))
				rc = read_stream(shapes, recording, process->process.index,
						 &process->streams[k]);
	}
	return rc;
}

void tacho__count_shapes_finish(struct tacho__count_shapes *shapes)
{
	tacho__map_finish(&shapes->conflicts);
	tacho__arena_finish(&shapes->arena);
}

/* Its memory may end before. */
static int copy(struct tacho__arena *arena, struct tacho_column *shape)
{
	for (uint32_t i = 0; i < shape->dimension_count; i++) {
		struct tacho_dimension *dimension = &shape->dimensions[i];

		dimension->name = tacho__arena_string(arena, dimension->name);
		if (dimension->positions)
			dimension->positions = (const uint32_t *)(const void *)tacho__arena_text(
				arena, (const char *)dimension->positions,
				dimension->extent * sizeof(*dimension->positions));
	}
	if (shape->present)
		shape->present = (const uint8_t *)tacho__arena_text(
			arena, (const char *)shape->present, bitmap_bytes(shape));
	return arena->failed ? TACHO_E_NOMEM : 0;
}

/* As offer(), from memory that may end. */
static int offer_copy(struct tacho__count_shapes *shapes, size_t index,
		      const struct tacho_column *shape)
{
	struct tacho_column own = *shape;
	int rc = shapes->columns[index] ? 0 : copy(&shapes->arena, &own);

	return rc ? rc : offer(shapes, index, &own);
}

int tacho__count_shapes_take(struct tacho__count_shapes *shapes, const struct tacho_result *result)
{
	const struct tacho_column *column;
	int rc = 0;

	for (size_t i = 0; i < shapes->count && (column = tacho_result_get_column(result, i)); i++)
		if (column->dimension_count && rc >= 0)
			rc = offer_copy(shapes, i, column);
	return rc == TACHO_E_NOMEM ? rc : 0;
}

int tacho__count_shapes_join(struct tacho__count_shapes *shapes,
			     struct tacho__count_shapes *further)
{
	int rc = 0;

	for (size_t i = 0; i < shapes->count && i < further->count && rc != TACHO_E_NOMEM; i++) {
		if (!further->columns[i])
			continue;
		rc = offer_copy(shapes, i, further->columns[i]);
		if (rc != 1 && rc != TACHO_E_NOMEM)
			rc = tacho__map_set(&further->conflicts, make_key(0, i), further);
	}
	return rc == TACHO_E_NOMEM ? rc : 0;
}

bool tacho__count_shapes_differ(const struct tacho__count_shapes *shapes, uint32_t process,
				size_t index)
{
	return shapes->conflicts.count &&
	       tacho__map_get(&shapes->conflicts, make_key(process, index)) != NULL;
}
