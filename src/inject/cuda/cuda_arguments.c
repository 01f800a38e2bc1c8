/* SPDX-License-Identifier: MIT */
#include "inject/cuda/cuda_arguments.h"

#include <string.h>

#include "inject/arguments.h"
#include "inject/cuda/cuda_calls.h"
#include "inject/handles.h"

enum { ATTRIBUTES_MAX = 64, SHAPE_BITS = 21 };

static struct tacho__handles shapes; /* of functions: three sizes in one number, plus 1 */

/* ---- calls but launches ---- */

static uint64_t read_field(const struct tacho__cuda_field *field, const void *params)
{
	const char *at = (const char *)params + field->offset;
	uint64_t value = 0;

	memcpy(&value, at, field->bytes);
	if (field->kind == 'i' && field->bytes == sizeof(int32_t))
		value = (uint64_t)(int64_t)(int32_t)value;
	return value;
}

static const void *read_pointer(const struct tacho__cuda_field *field, const void *params)
{
	return (const void *)(uintptr_t)read_field(field, params);
}

/* What the field says of the size of the command, 1 when nothing. */
static uint64_t get_factor(const struct tacho__cuda_field *field, const void *params)
{
	const struct tacho__cuda_copy_2d *flat;
	const struct tacho__cuda_copy_3d *deep;

	switch (field->kind) {
	case 'a': flat = read_pointer(field, params); return flat->width_bytes * flat->height;
	case 'b':
		deep = read_pointer(field, params);
		return deep->width_bytes * deep->height * deep->depth;
	default: return field->is_factor ? read_field(field, params) : 1;
	}
}

void *tacho__cuda_get_stream(const struct tacho__cuda_function *function, const void *params)
{
	for (uint32_t i = 0; i < function->field_count; i++)
		if (function->fields[i].kind == 'q')
			return (void *)(uintptr_t)read_field(&function->fields[i], params);
	return NULL;
}

/* The driver has taken the call: what its pointers point to is there. */
struct tacho__cuda_work tacho__cuda_get_work(const struct tacho__cuda_function *function,
					     const void *params)
{
	struct tacho__cuda_work work = {.bytes = function->scale};

	for (uint32_t i = 0; i < function->field_count; i++) {
		const struct tacho__cuda_field *field = &function->fields[i];

		work.bytes *= get_factor(field, params);
	}
	return work;
}

static void pack_output(const void *pointer, bool ok, struct tacho__pack *pack)
{
	uint64_t value;

	if (!tacho__pack_output(pack, pointer, ok))
		return;
	memcpy(&value, pointer, sizeof(value));
	tacho__pack_u64(pack, value);
}

void tacho__cuda_pack_arguments(const struct tacho__cuda_function *function, const void *params,
				bool ok, struct tacho__pack *pack)
{
	for (uint32_t i = 0; i < function->field_count; i++) {
		const struct tacho__cuda_field *field = &function->fields[i];

		switch (field->kind) {
		case '-': break;
		case 'i': tacho__pack_i64(pack, (int64_t)read_field(field, params)); break;
		case 'o': pack_output(read_pointer(field, params), ok, pack); break;
		case 's': tacho__pack_string(pack, ok ? read_pointer(field, params) : NULL); break;
		default: tacho__pack_u64(pack, read_field(field, params));
		}
	}
}

/* ---- launches ---- */

void tacho__cuda_note_block_shape(const void *params)
{
	const struct tacho__cuda_block_shape_params *shape = params;
	uint64_t packed = 0;

	for (int i = 2; i >= 0; i--)
		packed = packed << SHAPE_BITS |
			 ((uint32_t)shape->block[i] & ((UINT32_C(1) << SHAPE_BITS) - 1));
	tacho__handles_set(&shapes, shape->function, packed + 1);
}

static void find_block_shape(struct tacho__cuda_launch *launch)
{
	uint64_t packed = tacho__handles_get(&shapes, launch->function);

	for (int i = 0; i < 3; i++)
		launch->block[i] = packed ? (uint32_t)((packed - 1) >> (i * SHAPE_BITS)) &
						    ((UINT32_C(1) << SHAPE_BITS) - 1)
					  : 1;
}

static void read_attributes(const struct tacho__cuda_launch_config *config,
			    struct tacho__cuda_launch *launch)
{
	uint32_t count = config->attributes ? config->attribute_count : 0;

	for (uint32_t i = 0; i < count && i < ATTRIBUTES_MAX; i++) {
		const struct tacho__cuda_launch_attribute *attribute = &config->attributes[i];

		if (attribute->id == TACHO__CUDA_LAUNCH_CLUSTER)
			memcpy(launch->cluster, attribute->value, sizeof(launch->cluster));
		if (attribute->id == TACHO__CUDA_LAUNCH_COOPERATIVE)
			launch->is_cooperative = attribute->value[0] != 0;
	}
}

static void read_config(const struct tacho__cuda_launch_ex_params *params,
			struct tacho__cuda_launch *launch)
{
	const struct tacho__cuda_launch_config *config = params->config;

	launch->function = params->function;
	launch->arguments = params->arguments;
	launch->extra = params->extra;
	launch->config = config;
	if (!config)
		return;
	memcpy(launch->grid, config->grid, sizeof(launch->grid));
	memcpy(launch->block, config->block, sizeof(launch->block));
	launch->shared_bytes = config->shared_bytes;
	launch->stream = config->stream;
	read_attributes(config, launch);
}

static void read_grid(enum tacho__cuda_role role,
		      const struct tacho__cuda_launch_grid_params *params,
		      struct tacho__cuda_launch *launch)
{
	bool is_one = role == TACHO__CUDA_LAUNCH_ONE;

	launch->function = params->function;
	launch->grid[0] = is_one ? 1 : (uint32_t)params->width;
	launch->grid[1] = is_one ? 1 : (uint32_t)params->height;
	launch->grid[2] = 1;
	launch->stream = role == TACHO__CUDA_LAUNCH_GRID_ASYNC ? params->stream : NULL;
	find_block_shape(launch);
}

static void read_plain(enum tacho__cuda_role role, const struct tacho__cuda_launch_params *params,
		       struct tacho__cuda_launch *launch)
{
	launch->function = params->function;
	memcpy(launch->grid, params->grid, sizeof(launch->grid));
	memcpy(launch->block, params->block, sizeof(launch->block));
	launch->shared_bytes = params->shared_bytes;
	launch->stream = params->stream;
	launch->arguments = params->arguments;
	launch->is_cooperative = role == TACHO__CUDA_LAUNCH_TOGETHER;
	if (!launch->is_cooperative)
		launch->extra = params->extra;
}

bool tacho__cuda_read_launch(enum tacho__cuda_role role, const void *params,
			     struct tacho__cuda_launch *out_launch)
{
	switch (role) {
	case TACHO__CUDA_LAUNCH:
	case TACHO__CUDA_LAUNCH_TOGETHER: read_plain(role, params, out_launch); break;
	case TACHO__CUDA_LAUNCH_EX: read_config(params, out_launch); break;
	default: read_grid(role, params, out_launch);
	}
	return out_launch->function != NULL;
}

/* ---- sizes ---- */

void tacho__cuda_pack_sizes(struct tacho__pack *pack, const uint32_t sizes[3])
{
	uint64_t count = sizes[0] ? 3 : 0;

	tacho__pack_u64(pack, count ? count + 1 : 0); /* 0: it has none */
	if (!count)
		return;
	tacho__pack_u64(pack, count);
	for (uint64_t i = 0; i < count; i++)
		tacho__pack_u64(pack, sizes[i]);
}

void tacho__cuda_pack_threads(struct tacho__pack *pack, const uint32_t grid[3],
			      const uint32_t block[3])
{
	tacho__pack_u64(pack, 3 + 1);
	tacho__pack_u64(pack, 3);
	for (int i = 0; i < 3; i++)
		tacho__pack_u64(pack, (uint64_t)grid[i] * block[i]);
}

uint32_t tacho__cuda_count_dimensions(const uint32_t grid[3], const uint32_t block[3])
{
	if ((uint64_t)grid[2] * block[2] > 1)
		return 3;
	return (uint64_t)grid[1] * block[1] > 1 ? 2 : 1;
}
