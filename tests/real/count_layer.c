/* SPDX-License-Identifier: MIT */
/*
 * A witness: an OpenCL layer that does nothing but count clEnqueueNDRangeKernel calls that
 * succeeded, and write the number to the file named by COUNT_FILE when the process ends. It shares
 * no code with the recorder and needs no headers, so that tests have a number of their own.
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	SLOT_ENQUEUE = 59, /* of clEnqueueNDRangeKernel in the loaders' table, CL/cl_icd.h */
	LAYER_INFO_VERSION = 0x4240,
	LAYER_VERSION_100 = 100,
};

typedef int32_t (*enqueue_fn)(void *queue, void *kernel, uint32_t dimensions, const size_t *offset,
			      const size_t *global, const size_t *local, uint32_t wait_count,
			      void *const *waits, void **event);

static struct {
	void *table[SLOT_ENQUEUE + 1];
	enqueue_fn enqueue;
	atomic_ulong launches;
} witness;

static int32_t count_enqueue(void *queue, void *kernel, uint32_t dimensions, const size_t *offset,
			     const size_t *global, const size_t *local, uint32_t wait_count,
			     void *const *waits, void **event)
{
	int32_t status = witness.enqueue(queue, kernel, dimensions, offset, global, local,
					 wait_count, waits, event);

	if (status == 0)
		atomic_fetch_add(&witness.launches, 1);
	return status;
}

__attribute__((destructor)) static void write_count(void)
{
	const char *path = getenv("COUNT_FILE");
	FILE *file = path && witness.enqueue ? fopen(path, "a") : NULL;

	if (!file)
		return;
	fprintf(file, "%lu\n", atomic_load(&witness.launches));
	fclose(file);
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
	if (count <= SLOT_ENQUEUE || !target || !out_count || !out)
		return -30;
	witness.enqueue = (enqueue_fn)target[SLOT_ENQUEUE];
	witness.table[SLOT_ENQUEUE] = (void *)count_enqueue;
	*out_count = SLOT_ENQUEUE + 1;
	*out = witness.table;
	return 0;
}
