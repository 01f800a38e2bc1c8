/* SPDX-License-Identifier: MIT */
/* Buffers for registers. */
#include "formula/bound.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

enum {
	/* What a tile may take, so that it stays in a core's second cache with room to spare. */
	TILE_BYTES = 256 * 1024,
	TILE_ROWS_MAX = 512,
	LINE_BYTES = 64,
};

static int give_buffer(struct tacho__bound *bound, struct tacho__register *reg)
{
	size_t i = 0;

	while (i < bound->buffer_count &&
	       (!bound->buffers[i].is_free || bound->buffers[i].instances != reg->instances))
		i++;
	if (i == bound->buffer_count) {
		if (tacho__array_reserve(&bound->buffers, &bound->buffer_capacity, i,
					 sizeof(*bound->buffers)))
			return TACHO_E_NOMEM;
		bound->buffers[i] = (struct tacho__buffer){.instances = reg->instances};
		bound->buffer_count++;
	}
	bound->buffers[i].is_free = 0;
	reg->buffer = (uint32_t)i;
	return 0;
}

static void note_uses(struct tacho__bound *bound)
{
	for (size_t i = 0; i < bound->step_count; i++) {
		const struct tacho__step *step = &bound->steps[i];

		if (step->out != TACHO__NO_REGISTER)
			bound->registers[step->out].last_use = (uint32_t)i;
		for (uint32_t k = 0; k < step->operand_count; k++)
			bound->registers[step->operands[k]].last_use = (uint32_t)i;
	}
}

int tacho__bound_allot(struct tacho__bound *bound)
{
	size_t row_bytes = 0, widest = 1;

	note_uses(bound);
	for (size_t i = 0; i < bound->step_count; i++) {
		const struct tacho__step *step = &bound->steps[i];

		if (step->out != TACHO__NO_REGISTER && !bound->registers[step->out].is_uniform) {
			int rc = give_buffer(bound, &bound->registers[step->out]);

			if (rc)
				return rc;
		}
		for (uint32_t k = 0; k < step->operand_count; k++) {
			const struct tacho__register *reg = &bound->registers[step->operands[k]];

			if (reg->buffer != TACHO__NO_REGISTER && reg->last_use == i)
				bound->buffers[reg->buffer].is_free = 1;
		}
	}
	for (size_t i = 0; i < bound->buffer_count; i++)
		row_bytes += bound->buffers[i].instances * sizeof(uint64_t);
	for (size_t i = 0; i < bound->register_count; i++)
		if (bound->registers[i].is_input && bound->registers[i].instances > widest)
			widest = bound->registers[i].instances;
	bound->tile_rows = TILE_BYTES / (row_bytes + widest * sizeof(uint64_t));
	if (bound->tile_rows > TILE_ROWS_MAX)
		bound->tile_rows = TILE_ROWS_MAX;
	if (!bound->tile_rows)
		bound->tile_rows = 1;
	return 0;
}

/* A whole number of cache lines, and one more: buffers that all lie 4096 apart share cache sets. */
static size_t padded(size_t bytes)
{
	return (bytes / LINE_BYTES + 2) * LINE_BYTES;
}

int tacho__bound_prepare(struct tacho__bound *bound)
{
	size_t bytes = LINE_BYTES;
	unsigned char *at;

	if (bound->memory)
		return 0;
	for (size_t i = 0; i < bound->buffer_count; i++) {
		size_t values = bound->buffers[i].instances * bound->tile_rows;

		bytes += padded(values * sizeof(uint64_t)) + padded(values);
		if (bound->has_coverage)
			bytes += padded(values * sizeof(double));
	}
	bound->memory = aligned_alloc(LINE_BYTES, bytes);
	if (!bound->memory)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu bytes of values",
				   bytes);
	at = bound->memory;
	for (size_t i = 0; i < bound->buffer_count; i++) {
		struct tacho__buffer *buffer = &bound->buffers[i];
		size_t values = buffer->instances * bound->tile_rows;

		buffer->data = at;
		at += padded(values * sizeof(uint64_t));
		buffer->states = at;
		at += padded(values);
		if (!bound->has_coverage)
			continue;
		buffer->coverage = (double *)(void *)at;
		at += padded(values * sizeof(double));
	}
	return 0;
}
