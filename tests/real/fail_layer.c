/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL layer under tacho that makes the driver refuse to bring memory back. Buffers made
 * without memory of the host are taken for tacho's copies, so it fits programs that make none.
 *
 *	FAIL_RESTORES=some	the first copy out of tacho's after a launch works, those after it
 *				are refused some times
 *	FAIL_RESTORES=all	all are refused
 *
 * Reads and writes that do not wait are refused always: the way through the host.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "opencl_api.h"

enum {
	LAYER_INFO_VERSION = 0x4240,
	LAYER_VERSION_100 = 100,
	OUT_OF_RESOURCES = -5,
	REFUSALS = 7, /* more than one round of tries */
	BUFFERS_MAX = 4096,
	USES_HOST = 8 | 32,
};

static struct {
	struct tacho__opencl_dispatch target, table;
	bool refuses_all;
	atomic_size_t count;
	_Atomic(void *) buffers[BUFFERS_MAX]; /* of tacho */
	atomic_bool has_run;		      /* a launch, since the last copy to tacho's */
	atomic_uint restores;		      /* since the last launch */
} layer;

static void *create_buffer(void *context, uint64_t flags, size_t size, void *host, int32_t *error)
{
	void *buffer = layer.target.clCreateBuffer(context, flags, size, host, error);
	size_t at;

	if (!buffer || flags & USES_HOST)
		return buffer;
	at = atomic_fetch_add(&layer.count, 1);
	if (at < BUFFERS_MAX)
		atomic_store(&layer.buffers[at], buffer);
	return buffer;
}

static bool is_tachos(void *buffer)
{
	size_t count = atomic_load(&layer.count);

	for (size_t i = 0; i < count && i < BUFFERS_MAX; i++)
		if (atomic_load(&layer.buffers[i]) == buffer)
			return true;
	return false;
}

static bool is_refused(void *from, void *to)
{
	if (is_tachos(to))
		atomic_store(&layer.has_run, false);
	if (!is_tachos(from))
		return false;
	if (layer.refuses_all)
		return true;
	return atomic_load(&layer.has_run) && atomic_fetch_add(&layer.restores, 1) % (REFUSALS + 1);
}

static int32_t copy_buffer(void *queue, void *from, void *to, size_t from_at, size_t to_at,
			   size_t size, uint32_t wait_count, void *const *waits, void **event)
{
	return is_refused(from, to)
		       ? OUT_OF_RESOURCES
		       : layer.target.clEnqueueCopyBuffer(queue, from, to, from_at, to_at, size,
							  wait_count, waits, event);
}

static int32_t copy_to_image(void *queue, void *from, void *to, size_t from_at,
			     const size_t *origin, const size_t *region, uint32_t wait_count,
			     void *const *waits, void **event)
{
	return is_refused(from, to)
		       ? OUT_OF_RESOURCES
		       : layer.target.clEnqueueCopyBufferToImage(queue, from, to, from_at, origin,
								 region, wait_count, waits, event);
}

static int32_t read_buffer(void *queue, void *buffer, uint32_t blocks, size_t at, size_t size,
			   void *host, uint32_t wait_count, void *const *waits, void **event)
{
	return !blocks ? OUT_OF_RESOURCES
		       : layer.target.clEnqueueReadBuffer(queue, buffer, blocks, at, size, host,
							  wait_count, waits, event);
}

static int32_t launch(void *queue, void *kernel, uint32_t dimensions, const size_t *offset,
		      const size_t *global, const size_t *local, uint32_t wait_count,
		      void *const *waits, void **event)
{
	atomic_store(&layer.restores, 0);
	atomic_store(&layer.has_run, true);
	return layer.target.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
						   wait_count, waits, event);
}

int32_t clGetLayerInfo(uint32_t name, size_t size, void *value, size_t *out_size);
int32_t clInitLayer(uint32_t count, void *const *target, uint32_t *out_count, void *const **out);

int32_t clGetLayerInfo(uint32_t name, size_t size, void *value, size_t *out_size)
{
	if (name != LAYER_INFO_VERSION || (value && size < sizeof(uint32_t)))
		return -30;
	if (value)
		*(uint32_t *)value = LAYER_VERSION_100;
	if (out_size)
		*out_size = sizeof(uint32_t);
	return 0;
}

int32_t clInitLayer(uint32_t count, void *const *target, uint32_t *out_count, void *const **out)
{
	const char *what = getenv("FAIL_RESTORES");
	size_t bytes = count * sizeof(void *);

	if (!target || !out_count || !out || !what)
		return -30;
	memcpy(&layer.target, target, bytes < sizeof(layer.target) ? bytes : sizeof(layer.target));
	layer.refuses_all = !strcmp(what, "all");
	layer.table.clCreateBuffer = create_buffer;
	layer.table.clEnqueueCopyBuffer = copy_buffer;
	layer.table.clEnqueueCopyBufferToImage = copy_to_image;
	layer.table.clEnqueueReadBuffer = read_buffer;
	layer.table.clEnqueueNDRangeKernel = launch;
	*out_count = TACHO__DISPATCH_COUNT;
	*out = (void *const *)&layer.table;
	return 0;
}
