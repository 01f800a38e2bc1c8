/* SPDX-License-Identifier: MIT */
#include "inject/opencl/spares.h"

#include <errno.h>
#include <pthread.h>

#include "inject/opencl/cl_settle.h"
#include "opencl_api.h"
#include "opencl_constants.h"

enum { SPARES_MAX = 64 };

static struct {
	pthread_mutex_t lock;
	struct tacho__spare kept[SPARES_MAX]; /* the oldest first */
	size_t count;
	uint64_t bytes;
} spares = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A memory object holds its context by itself. */
static void release(const struct tacho__spare *spare)
{
	if (!spare->is_svm) {
		tacho__opencl_target.clReleaseMemObject(spare->memory);
		return;
	}
	tacho__opencl_target.clSVMFree(spare->context, spare->memory);
	tacho__opencl_target.clReleaseContext(spare->context);
}

/* NULL when there is none. */
static void *make(const struct tacho__spare *spare)
{
	int32_t error;
	void *memory;

	if (!spare->is_svm)
		return tacho__opencl_target.clCreateBuffer(spare->context, CL_MEM_READ_WRITE,
							   spare->bytes, NULL, &error);
	if (tacho__opencl_target.clRetainContext(spare->context))
		return NULL;
	memory =
		tacho__opencl_target.clSVMAlloc(spare->context, CL_MEM_READ_WRITE, spare->bytes, 0);
	if (!memory)
		tacho__opencl_target.clReleaseContext(spare->context);
	return memory;
}

/* Takes it out of the list. */
static struct tacho__spare take(size_t index)
{
	struct tacho__spare spare = spares.kept[index];

	spares.bytes -= spare.bytes;
	spares.count--;
	for (size_t i = index; i < spares.count; i++)
		spares.kept[i] = spares.kept[i + 1];
	return spare;
}

static bool find(struct tacho__spare *spare)
{
	for (size_t i = 0; i < spares.count; i++) {
		const struct tacho__spare *kept = &spares.kept[i];

		if (kept->context != spare->context || kept->bytes != spare->bytes ||
		    kept->is_svm != spare->is_svm)
			continue;
		*spare = take(i);
		return true;
	}
	return false;
}

bool tacho__spare_get(struct tacho__spare *spare, uint64_t limit_bytes)
{
	bool found;

	pthread_mutex_lock(&spares.lock);
	found = find(spare);
	while (!found && spares.count && spares.bytes + spare->bytes > limit_bytes) {
		const struct tacho__spare oldest = take(0);

		release(&oldest);
	}
	pthread_mutex_unlock(&spares.lock);
	if (found)
		return true;
	spare->memory = make(spare);
	return spare->memory != NULL;
}

void tacho__spare_put(const struct tacho__spare *spare)
{
	pthread_mutex_lock(&spares.lock);
	if (spares.count == SPARES_MAX) {
		const struct tacho__spare oldest = take(0);

		release(&oldest);
	}
	spares.kept[spares.count++] = *spare;
	spares.bytes += spare->bytes;
	pthread_mutex_unlock(&spares.lock);
}

void tacho__spares_drop(const void *context)
{
	int error = errno;

	pthread_mutex_lock(&spares.lock);
	for (size_t i = spares.count; i-- > 0;) {
		struct tacho__spare gone;

		if (context && spares.kept[i].context != context)
			continue;
		gone = take(i);
		release(&gone);
	}
	pthread_mutex_unlock(&spares.lock);
	errno = error;
}

/* After the program gave a reference back: ours must not be what keeps the context. */
void tacho__opencl_released_context(int32_t result, void *context)
{
	if (result == CL_SUCCESS)
		tacho__spares_drop(context);
}

/*
 * A program may give its context back first, which its queues then keep, and ours would outlive
 * them.
 */
void tacho__opencl_released_queue(int32_t result)
{
	if (result == CL_SUCCESS)
		tacho__spares_drop(NULL);
}

int32_t tacho__opencl_get_context_info(void *context, uint32_t param_name, size_t param_value_size,
				       void *param_value, size_t *param_value_size_ret)
{
	if (param_name == CL_CONTEXT_REFERENCE_COUNT) {
		tacho__spares_drop(context);
		tacho__opencl_settle();
	}
	return tacho__opencl_target.clGetContextInfo(context, param_name, param_value_size,
						     param_value, param_value_size_ret);
}
