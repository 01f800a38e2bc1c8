/* SPDX-License-Identifier: MIT */
/* What the fakes of other libraries use of this one. */
#include "fake_driver.h"

static void observe(struct fake_cuda_observer *observer)
{
	for (uint32_t i = 0; i < FAKE_CUDA_OBSERVERS_MAX; i++) {
		struct fake_cuda_observer *none = NULL;

		observer->number = i;
		if (atomic_compare_exchange_strong(&fake_driver.observers[i], &none, observer))
			return;
	}
	abort();
}

static void set_clock(uint64_t (*clock)(void))
{
	fake_driver.clock = clock;
}

static int run(const struct fake_cuda_work *work)
{
	CUstream stream = NULL;
	struct fake_op *op;
	uint64_t number;

	pthread_mutex_lock(&fake_driver.lock);
	for (CUstream known = fake_driver.streams; known && !stream; known = known->next)
		if (known->id == work->stream_id && !known->is_dead)
			stream = known;
	pthread_mutex_unlock(&fake_driver.lock);
	if (!stream || work->kind != FAKE_CUDA_KERNEL)
		return CUDA_ERROR_INVALID_HANDLE;
	op = fake_op_new(stream, FAKE_CUDA_KERNEL);
	op->work = *work;
	op->work.is_own = true;
	number = fake_enqueue(stream, op);
	fake_wait_point((struct fake_point){stream, number}, UINT64_MAX);
	return CUDA_SUCCESS;
}

static const struct fake_cuda_work *last_launch(void)
{
	struct fake_thread *thread = fake_thread_get();

	return thread->has_last ? &thread->last : NULL;
}

static uint32_t context_id(CUcontext context)
{
	return fake_context_is(context) ? context->id : 0;
}

static int context_device(CUcontext context)
{
	return fake_context_is(context) ? context->device : -1;
}

static uint32_t stream_id(CUcontext context, CUstream handle, bool per_thread)
{
	struct fake_thread *thread = fake_thread_get();
	bool outer = thread->per_thread;
	CUstream stream;

	if (!handle && !per_thread)
		return fake_context_is(context) ? context->null_stream->id : 0;
	thread->per_thread = per_thread;
	stream = fake_stream_find(handle);
	thread->per_thread = outer;
	return stream ? stream->id : 0;
}

static uint64_t node_id(CUgraphNode node)
{
	return node->id;
}

static uint32_t graph_id(CUgraph graph)
{
	return graph->id;
}

static uint32_t exec_id(CUgraphExec exec)
{
	return ((CUgraph)exec)->id;
}

static bool is_initialized(void)
{
	return fake_driver.is_initialized && !fake_driver.is_forked;
}

extern const struct fake_cuda_hooks fake_cuda_hooks;
EXPORT const struct fake_cuda_hooks fake_cuda_hooks = {
	.observe = observe,
	.now = fake_now,
	.set_clock = set_clock,
	.call_begin = fake_call_begin,
	.call_end = fake_call_end,
	.run = run,
	.last_launch = last_launch,
	.wait = fake_wait_context,
	.memory_save = fake_memory_save,
	.memory_restore = fake_memory_restore,
	.memory_free = fake_memory_free,
	.context_id = context_id,
	.context_device = context_device,
	.current_context = fake_context,
	.stream_id = stream_id,
	.node_id = node_id,
	.graph_id = graph_id,
	.exec_id = exec_id,
	.function_name = fake_name_function,
	.is_initialized = is_initialized,
	.has_word = fake_has_word,
	.get_word = fake_get_word,
	.log = fake_log,
};
