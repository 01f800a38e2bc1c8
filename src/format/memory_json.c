/* SPDX-License-Identifier: MIT */
#include "format/memory_json.h"

void tacho__memory_add_json(struct tacho_json *json, const struct tacho_device_memory *memory)
{
	bool is_heap = memory->type < 0;

	tacho_json_add_unsigned(json, "heap", memory->heap);
	tacho_json_add_known(json, "type", !is_heap, (uint64_t)memory->type);
	tacho_json_add_known(json, "size_bytes", is_heap, memory->size_bytes);
	tacho_json_add_unsigned(json, "peak_bytes", memory->peak_bytes);
	tacho_json_add_unsigned(json, "used_bytes", memory->used_bytes);
	tacho_json_add_unsigned(json, "allocations", memory->allocations);
	if (is_heap)
		tacho_json_add_bool(json, "local", memory->is_local != 0);
	else
		tacho_json_add_bool(json, "host_visible", memory->is_host_visible != 0);
}
