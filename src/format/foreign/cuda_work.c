/* SPDX-License-Identifier: MIT */
#include "format/foreign/cuda_work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

bool tacho__cuda_is_failure(int64_t result)
{
	return result != 0 && result != 600;
}

enum tacho_command_kind tacho__cuda_copy(int64_t kind, const char **out_name)
{
	static const struct {
		const char *name;
		enum tacho_command_kind kind;
	} copies[] = {
		{"memcpy", TACHO_COMMAND_COPY},
		{"memcpy HtoD", TACHO_COMMAND_WRITE},
		{"memcpy DtoH", TACHO_COMMAND_READ},
		{"memcpy HtoA", TACHO_COMMAND_WRITE},
		{"memcpy AtoH", TACHO_COMMAND_READ},
		{"memcpy AtoA", TACHO_COMMAND_COPY},
		{"memcpy AtoD", TACHO_COMMAND_COPY},
		{"memcpy DtoA", TACHO_COMMAND_COPY},
		{"memcpy DtoD", TACHO_COMMAND_COPY},
		{"memcpy HtoH", TACHO_COMMAND_COPY},
		{"memcpy PtoP", TACHO_COMMAND_COPY},
		{"unified memory HtoD", TACHO_COMMAND_WRITE},
		{"unified memory DtoH", TACHO_COMMAND_READ},
		{"unified memory DtoD", TACHO_COMMAND_COPY},
	};

	if (kind < 0 || kind >= (int64_t)TACHO__ARRAY_SIZE(copies))
		kind = 0;
	*out_name = copies[kind].name;
	return copies[kind].kind;
}

int tacho__cuda_queue(struct tacho__foreign *foreign, uint32_t process, uint64_t context,
		      uint64_t stream, uint64_t device, uint32_t *out_queue)
{
	uint64_t handle = (context + 1) << 32 | ((stream + 1) & UINT32_MAX);
	struct tacho__buf text = {0};
	uint32_t thing;
	int rc;

	*out_queue = tacho__foreign_find(foreign, process, TACHO_OBJECT_QUEUE, handle);
	if (*out_queue)
		return 0;
	tacho__buf_printf(&text, "number=%" PRIu64 "\n", context);
	rc = tacho__foreign_thing(foreign, process, TACHO_OBJECT_CONTEXT, context + 1, &text,
				  &thing);
	tacho__buf_clear(&text);
	tacho__buf_printf(&text,
			  "number=%" PRIu64 "\nname=stream %" PRIu64 "\ncontext=0x%" PRIX64
			  "\ndevice=0x%" PRIX64 "\n",
			  stream, stream, context + 1, device + 1);
	if (!rc)
		rc = tacho__foreign_thing(foreign, process, TACHO_OBJECT_QUEUE, handle, &text,
					  out_queue);
	tacho__buf_finish(&text);
	return rc;
}

int tacho__cuda_cell_device(struct tacho__foreign *foreign, uint32_t process, const char *cell,
			    uint32_t *out_device, uint64_t *out_number)
{
	const char *open = strrchr(cell, '(');
	struct tacho__buf text = {0};
	int rc;

	*out_number = open ? strtoull(open + 1, NULL, 10) & UINT32_MAX : 0;
	if (!*cell)
		return 0;
	tacho__buf_printf(&text, "type=gpu\nvendor=NVIDIA\nnumber=%" PRIu64 "\nname=%.*s\n",
			  *out_number,
			  open && open > cell ? (int)(open - cell - 1) : (int)strlen(cell), cell);
	rc = tacho__foreign_thing(foreign, process, TACHO_OBJECT_DEVICE, *out_number + 1, &text,
				  out_device);
	tacho__buf_finish(&text);
	return rc;
}

static bool get(const struct tacho__foreign_csv *csv, int place, uint64_t *out_value)
{
	return tacho__foreign_csv_unsigned(tacho__foreign_csv_cell(csv, place), out_value);
}

void tacho__cuda_cell_sizes(const struct tacho__foreign_csv *csv, const int grid[3],
			    const int block[3], struct tacho__foreign_command *command)
{
	uint64_t groups[3], sizes[3];

	for (int i = 0; i < 3; i++)
		if (!get(csv, grid[i], &groups[i]) || !get(csv, block[i], &sizes[i]))
			return;
	tacho__foreign_set_groups(command, groups, sizes);
}

void tacho__cuda_row_sizes(const struct tacho__foreign_query *query, int grid, int block,
			   struct tacho__foreign_command *command)
{
	int64_t groups[3], sizes[3];

	for (int i = 0; i < 3; i++)
		if (!tacho__foreign_query_int(query, grid + i, &groups[i]) || groups[i] < 0 ||
		    !tacho__foreign_query_int(query, block + i, &sizes[i]) || sizes[i] < 0)
			return;
	tacho__foreign_set_groups(command, (const uint64_t *)groups, (const uint64_t *)sizes);
}
