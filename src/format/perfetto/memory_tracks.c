/* SPDX-License-Identifier: MIT */
/* Memory that the program allocated of a device: a track for each heap, below the device. */
#include <inttypes.h>

#include "base/error.h"
#include "format/perfetto/fields.h"
#include "format/perfetto/perfetto.h"

enum { HEAP_BITS = 8 };

struct heap {
	uint64_t uuid;
	uint64_t used_bytes; /* of its last sample */
};

static int add_heap(struct tacho__perfetto *trace, const struct tacho_object *device,
		    uint32_t number, struct heap **out_heap)
{
	static const struct tacho_entry counter = {
		.unit = "bytes",
		.description = "memory that the program has allocated of this heap"};
	struct heap *heap = tacho__arena_get(&trace->arena, sizeof(*heap));
	uint64_t parent_uuid;
	int rc = tacho__perfetto_get_device(trace, device, device->process, &parent_uuid);

	if (rc || !heap ||
	    tacho__map_set(&trace->heaps, (uint64_t)device->id << HEAP_BITS | number, heap))
		return TACHO_E_NOMEM;
	heap->uuid = ++trace->uuid;
	heap->used_bytes = UINT64_MAX;
	tacho__buf_clear(&trace->scratch);
	tacho__buf_printf(&trace->scratch, "memory of heap %" PRIu32, number);
	tacho__perfetto_describe_counter(trace, heap->uuid, parent_uuid, number, &counter,
					 tacho__buf_text(&trace->scratch));
	*out_heap = heap;
	return trace->scratch.failed ? TACHO_E_NOMEM : 0;
}

void tacho__perfetto_put_memory(void *user, const struct tacho_object *device, uint64_t time_ns,
				const struct tacho_device_memory *memory)
{
	struct tacho__perfetto *trace = user;
	struct heap *heap;

	if (trace->rc || memory->type >= 0 || memory->heap >> HEAP_BITS || !time_ns)
		return;
	heap = tacho__map_get(&trace->heaps, (uint64_t)device->id << HEAP_BITS | memory->heap);
	if (!heap)
		trace->rc = add_heap(trace, device, memory->heap, &heap);
	if (trace->rc || heap->used_bytes == memory->used_bytes)
		return;
	heap->used_bytes = memory->used_bytes;
	tacho__perfetto_begin_event(trace, time_ns, PF_COUNTER, heap->uuid);
	tacho__proto_add_unsigned(&trace->packets, PF_EVENT_COUNTER_VALUE, memory->used_bytes);
	tacho__perfetto_end_event(trace);
}
