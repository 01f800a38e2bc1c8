/* SPDX-License-Identifier: MIT */
/*
 * The least that an OpenCL layer can cost: it forwards through its own table and does nothing else.
 * It wraps the functions that clcost measures (clGetKernelInfo, clEnqueueNDRangeKernel, clFinish);
 * the loader sends all others to the driver by itself. Needs no OpenCL headers.
 */
#include <stddef.h>
#include <stdint.h>

enum {
	/* Places in the loaders' table, CL/cl_icd.h. */
	SLOT_KERNEL_INFO = 39,
	SLOT_FINISH = 47,
	SLOT_ENQUEUE = 59,
	SLOTS = 60,
	INVALID_VALUE = -30,
	LAYER_API_VERSION = 0x4240,
	LAYER_API_VERSION_100 = 100,
};

typedef int32_t (*kernel_info_fn)(void *kernel, uint32_t name, size_t size, void *value,
				  size_t *out_size);
typedef int32_t (*finish_fn)(void *queue);
typedef int32_t (*enqueue_fn)(void *queue, void *kernel, uint32_t dimensions, const size_t *offset,
			      const size_t *global, const size_t *local, uint32_t wait_count,
			      void *const *waits, void **event);

static void *next[SLOTS];

static int32_t forward_kernel_info(void *kernel, uint32_t name, size_t size, void *value,
				   size_t *out_size)
{
	return ((kernel_info_fn)next[SLOT_KERNEL_INFO])(kernel, name, size, value, out_size);
}

static int32_t forward_finish(void *queue)
{
	return ((finish_fn)next[SLOT_FINISH])(queue);
}

static int32_t forward_enqueue(void *queue, void *kernel, uint32_t dimensions, const size_t *offset,
			       const size_t *global, const size_t *local, uint32_t wait_count,
			       void *const *waits, void **event)
{
	return ((enqueue_fn)next[SLOT_ENQUEUE])(queue, kernel, dimensions, offset, global, local,
						wait_count, waits, event);
}

static void *const table[SLOTS] = {
	[SLOT_KERNEL_INFO] = (void *)forward_kernel_info,
	[SLOT_FINISH] = (void *)forward_finish,
	[SLOT_ENQUEUE] = (void *)forward_enqueue,
};

int32_t clGetLayerInfo(uint32_t name, size_t size, void *value, size_t *out_size);
int32_t clInitLayer(uint32_t count, void *const *target, uint32_t *out_count, void *const **out);

int32_t clGetLayerInfo(uint32_t name, size_t size, void *value, size_t *out_size)
{
	if (name != LAYER_API_VERSION || (value && size < sizeof(uint32_t)))
		return INVALID_VALUE;
	if (value)
		*(uint32_t *)value = LAYER_API_VERSION_100;
	if (out_size)
		*out_size = sizeof(uint32_t);
	return 0;
}

int32_t clInitLayer(uint32_t count, void *const *target, uint32_t *out_count, void *const **out)
{
	if (count < SLOTS || !target || !out_count || !out)
		return INVALID_VALUE;
	for (size_t i = 0; i < SLOTS; i++)
		next[i] = target[i];
	*out_count = SLOTS;
	*out = table;
	return 0;
}
