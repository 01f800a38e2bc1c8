/* SPDX-License-Identifier: MIT */
/* Contexts, and each thread's stack of them. */
#include "fake_driver.h"

bool fake_context_is(CUcontext context)
{
	bool is = false;

	pthread_mutex_lock(&fake_driver.lock);
	for (CUcontext known = fake_driver.contexts; known && !is; known = known->next)
		is = known == context && !known->is_dead;
	pthread_mutex_unlock(&fake_driver.lock);
	return is;
}

CUcontext fake_context(void)
{
	struct fake_thread *thread = fake_thread_get();
	CUcontext context = thread->stack_count ? thread->stack[thread->stack_count - 1] : NULL;

	return context && fake_context_is(context) ? context : NULL;
}

static CUcontext make(CUdevice device, bool is_primary)
{
	CUcontext context = calloc(1, sizeof(*context));

	context->device = device;
	context->is_primary = is_primary;
	pthread_mutex_lock(&fake_driver.lock);
	context->id = ++fake_driver.context_count;
	context->next = fake_driver.contexts;
	fake_driver.contexts = context;
	pthread_mutex_unlock(&fake_driver.lock);
	context->null_stream = fake_stream_new(context, true, 0, 0);
	fake_tell(
		(struct fake_cuda_object){.event = FAKE_CUDA_CONTEXT_CREATED, .context = context});
	return context;
}

/* What has begun is waited for; the rest too, unless "abandon" says otherwise. */
static void destroy(CUcontext context)
{
	fake_tell((struct fake_cuda_object){.event = FAKE_CUDA_CONTEXT_DESTROYING,
					    .context = context});
	pthread_mutex_lock(&fake_driver.lock);
	for (CUstream stream = fake_driver.streams; stream; stream = stream->next) {
		if (stream->context != context)
			continue;
		stream->is_dead = true;
		stream->is_stopped = fake_has_word("abandon");
	}
	pthread_cond_broadcast(&fake_driver.changed);
	pthread_mutex_unlock(&fake_driver.lock);
	fake_wait_context(context, UINT64_MAX);
	pthread_mutex_lock(&fake_driver.lock);
	context->is_dead = true;
	pthread_mutex_unlock(&fake_driver.lock);
	fake_memory_lose(context);
}

static CUresult push(CUcontext context)
{
	struct fake_thread *thread = fake_thread_get();

	if (thread->stack_count == FAKE_STACK_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	thread->stack[thread->stack_count++] = context;
	return CUDA_SUCCESS;
}

CUresult fake_cuCtxCreate_v2(CUcontext *out_context, unsigned int flags, CUdevice device)
{
	(void)flags;
	if (device < 0 || device >= fake_driver.device_count)
		return CUDA_ERROR_INVALID_DEVICE;
	*out_context = make(device, false);
	return push(*out_context);
}

CUresult fake_cuCtxCreate_v4(CUcontext *out_context, CUctxCreateParams *params, unsigned int flags,
			     CUdevice device)
{
	(void)params;
	return fake_cuCtxCreate_v2(out_context, flags, device);
}

CUresult fake_cuCtxDestroy_v2(CUcontext context)
{
	struct fake_thread *thread = fake_thread_get();

	if (!fake_context_is(context) || context->is_primary)
		return CUDA_ERROR_INVALID_CONTEXT;
	destroy(context);
	if (thread->stack_count && thread->stack[thread->stack_count - 1] == context)
		thread->stack_count--;
	return CUDA_SUCCESS;
}

CUresult fake_cuDevicePrimaryCtxRetain(CUcontext *out_context, CUdevice device)
{
	static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

	if (device < 0 || device >= fake_driver.device_count)
		return CUDA_ERROR_INVALID_DEVICE;
	pthread_mutex_lock(&making);
	if (!fake_driver.primary[device] || fake_driver.primary[device]->is_dead)
		fake_driver.primary[device] = make(device, true);
	fake_driver.primary[device]->retained++;
	*out_context = fake_driver.primary[device];
	pthread_mutex_unlock(&making);
	return CUDA_SUCCESS;
}

CUresult fake_cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
	CUcontext context = device >= 0 && device < fake_driver.device_count
				    ? fake_driver.primary[device]
				    : NULL;

	if (!context || context->is_dead)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (!--context->retained)
		destroy(context);
	return CUDA_SUCCESS;
}

CUresult fake_cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)
{
	if (device < 0 || device >= fake_driver.device_count)
		return CUDA_ERROR_INVALID_DEVICE;
	*flags = 0;
	*active = fake_driver.primary[device] && !fake_driver.primary[device]->is_dead;
	return CUDA_SUCCESS;
}

CUresult fake_cuCtxPushCurrent_v2(CUcontext context)
{
	return fake_context_is(context) ? push(context) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult fake_cuCtxPopCurrent_v2(CUcontext *out_context)
{
	struct fake_thread *thread = fake_thread_get();

	if (!thread->stack_count)
		return CUDA_ERROR_INVALID_CONTEXT;
	thread->stack_count--;
	if (out_context)
		*out_context = thread->stack[thread->stack_count];
	return CUDA_SUCCESS;
}

CUresult fake_cuCtxSetCurrent(CUcontext context)
{
	struct fake_thread *thread = fake_thread_get();

	if (context && !fake_context_is(context))
		return CUDA_ERROR_INVALID_CONTEXT;
	if (thread->stack_count)
		thread->stack_count--;
	return context ? push(context) : CUDA_SUCCESS;
}

CUresult fake_cuCtxGetCurrent(CUcontext *out_context)
{
	*out_context = fake_context();
	return CUDA_SUCCESS;
}

CUresult fake_cuCtxGetDevice(CUdevice *device)
{
	CUcontext context = fake_context();

	if (!context)
		return CUDA_ERROR_INVALID_CONTEXT;
	*device = context->device;
	return CUDA_SUCCESS;
}

CUresult fake_cuCtxGetId(CUcontext context, unsigned long long *id)
{
	if (!context)
		context = fake_context();
	if (!context || !fake_context_is(context))
		return CUDA_ERROR_INVALID_CONTEXT;
	*id = context->id;
	return CUDA_SUCCESS;
}

CUresult fake_cuCtxSynchronize(void)
{
	CUcontext context = fake_context();

	if (!context)
		return CUDA_ERROR_INVALID_CONTEXT;
	fake_wait_context(context, UINT64_MAX);
	fake_tell_synchronized(context, NULL);
	return CUDA_SUCCESS;
}
