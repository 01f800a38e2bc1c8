/* SPDX-License-Identifier: MIT */
/* Memory of a device, out of its attributes "memory_heap_N" and "memory_type_N". */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tacho/recording.h"

enum { HEAPS_MAX = 16, TYPES_MAX = 32 };

/* A whole number behind "NAME=", of words with blanks between them. False: it is not there. */
static bool read_number(const char *text, const char *name, uint64_t *out_number)
{
	size_t size = strlen(name);

	for (; *text; text += strcspn(text, " "), text += *text == ' ') {
		char *end;

		if (strncmp(text, name, size) != 0 || text[size] != '=')
			continue;
		*out_number = strtoull(text + size + 1, &end, 10);
		return end > text + size + 1 && (!*end || *end == ' ');
	}
	return false;
}

static bool read_use(const char *text, struct tacho_device_memory *memory)
{
	return read_number(text, "used", &memory->used_bytes) &&
	       read_number(text, "peak", &memory->peak_bytes) &&
	       read_number(text, "allocations", &memory->allocations);
}

static bool read_heap(const struct tacho_object *device, uint32_t heap,
		      struct tacho_device_memory *out_memory)
{
	struct tacho_device_memory memory = {.heap = heap, .type = -1};
	uint64_t is_local;
	char key[32];
	const char *text;

	snprintf(key, sizeof(key), "memory_heap_%" PRIu32, heap);
	text = tacho_object_get(device, key);
	if (!text || !read_use(text, &memory) || !read_number(text, "size", &memory.size_bytes) ||
	    !read_number(text, "local", &is_local))
		return false;
	memory.is_local = is_local != 0;
	*out_memory = memory;
	return true;
}

static bool read_type(const struct tacho_object *device, uint32_t type,
		      struct tacho_device_memory *out_memory)
{
	struct tacho_device_memory memory = {.type = (int32_t)type};
	uint64_t heap, is_visible;
	char key[32];
	const char *text;

	snprintf(key, sizeof(key), "memory_type_%" PRIu32, type);
	text = tacho_object_get(device, key);
	if (!text || !read_use(text, &memory) || !read_number(text, "heap", &heap) ||
	    !read_number(text, "host_visible", &is_visible) || heap >= HEAPS_MAX)
		return false;
	memory.heap = (uint32_t)heap;
	memory.is_host_visible = is_visible != 0;
	*out_memory = memory;
	return true;
}

/* A heap is followed by the types that are of it. */
int tacho_object_get_memory(const struct tacho_object *device, size_t index,
			    struct tacho_device_memory *out_memory)
{
	struct tacho_device_memory heap, type;

	for (uint32_t i = 0; device && i < HEAPS_MAX; i++) {
		if (!read_heap(device, i, &heap))
			continue;
		if (!index--) {
			*out_memory = heap;
			return 1;
		}
		for (uint32_t k = 0; k < TYPES_MAX; k++) {
			if (!read_type(device, k, &type) || type.heap != i || index--)
				continue;
			*out_memory = type;
			return 1;
		}
	}
	return 0;
}
