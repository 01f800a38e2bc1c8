/* SPDX-License-Identifier: MIT */
/* Contexts: made while tools configure, then started and stopped from any thread. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "face/rocprofiler/rocprofiler.h"

enum { CONTEXTS_MAX = 1024 };

enum state { IDLE, CHANGING, ACTIVE };

struct context {
	struct tacho__rocp_context shared; /* first: what others get */
	atomic_int state;		   /* changed with the lock */
	atomic_bool is_discarded;
	pthread_t changer; /* while it is CHANGING */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t settled = PTHREAD_COND_INITIALIZER; /* some context is CHANGING no longer */
static struct context *_Atomic contexts[CONTEXTS_MAX + 1];
static atomic_uint context_count;

static struct context *find(uint64_t handle)
{
	struct context *context;

	if (!handle || handle > CONTEXTS_MAX)
		return NULL;
	context = atomic_load(&contexts[handle]);
	return context && !atomic_load(&context->is_discarded) ? context : NULL;
}

struct tacho__rocp_context *tacho__rocp_context_get(uint64_t handle)
{
	struct context *context = find(handle);

	return context ? &context->shared : NULL;
}

bool tacho__rocp_context_is_active(const struct tacho__rocp_context *context)
{
	return atomic_load(&((const struct context *)context)->state) == ACTIVE;
}

struct tacho__rocp_context *tacho__rocp_context_get_active(size_t index)
{
	unsigned count = tacho__rocp_is_over() ? 0 : atomic_load(&context_count);

	for (unsigned i = 1; i <= count; i++) {
		struct context *context = atomic_load(&contexts[i]);

		if (atomic_load(&context->state) == ACTIVE && !index--)
			return &context->shared;
	}
	return NULL;
}

rocprofiler_status_t rocprofiler_create_context(rocprofiler_context_id_t *context_id)
{
	rocprofiler_status_t status = ROCPROFILER_STATUS_SUCCESS;
	struct context *context;
	unsigned handle;

	if (!context_id)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	if (context_id->handle)
		return ROCPROFILER_STATUS_ERROR_CONTEXT_ID_NOT_ZERO;
	if (tacho__rocp_is_locked())
		return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
	context = calloc(1, sizeof(*context));
	if (!context)
		return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	context->shared.client = tacho__rocp_client();
	pthread_mutex_lock(&lock);
	handle = atomic_load(&context_count) + 1;
	if (handle <= CONTEXTS_MAX) {
		context_id->handle = context->shared.handle = handle;
		atomic_store(&contexts[handle], context);
		atomic_store(&context_count, handle);
	} else {
		free(context);
		status = ROCPROFILER_STATUS_ERROR_CONTEXT_ERROR;
	}
	pthread_mutex_unlock(&lock);
	return status;
}

/* Launches are counted for one context at a time. */
static bool has_rival(const struct context *context)
{
	unsigned count = atomic_load(&context_count);

	for (unsigned i = 1; context->shared.dispatch && i <= count; i++) {
		const struct context *other = atomic_load(&contexts[i]);

		if (other != context && other->shared.dispatch &&
		    atomic_load(&other->state) != IDLE)
			return true;
	}
	return false;
}

/*
 * Makes the context CHANGING when it is in the state `from`, once nobody else changes it. Else
 * false with the status: `otherwise` in another state, CONTEXT_ERROR within a callback of its own
 * change.
 */
static bool begin(struct context *context, enum state from, rocprofiler_status_t otherwise,
		  rocprofiler_status_t *out_status)
{
	rocprofiler_status_t status = ROCPROFILER_STATUS_SUCCESS;
	bool is_begun = false;

	pthread_mutex_lock(&lock);
	while (context->state == CHANGING && !pthread_equal(context->changer, pthread_self()))
		pthread_cond_wait(&settled, &lock);
	if (context->state == CHANGING) {
		status = ROCPROFILER_STATUS_ERROR_CONTEXT_ERROR;
	} else if (context->state != (int)from) {
		status = otherwise;
	} else if (from == IDLE && has_rival(context)) {
		status = ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT;
	} else {
		context->state = CHANGING;
		context->changer = pthread_self();
		is_begun = true;
	}
	pthread_mutex_unlock(&lock);
	*out_status = status;
	return is_begun;
}

static void settle(struct context *context, enum state state)
{
	pthread_mutex_lock(&lock);
	context->state = state;
	pthread_cond_broadcast(&settled);
	pthread_mutex_unlock(&lock);
}

static rocprofiler_status_t start(struct context *context)
{
	rocprofiler_status_t status;

	if (!begin(context, IDLE, ROCPROFILER_STATUS_SUCCESS, &status))
		return status;
	if (context->shared.devices)
		status = tacho__rocp_device_on_start(&context->shared);
	if (!status && context->shared.code)
		tacho__rocp_code_on_start(&context->shared);
	if (!status && context->shared.dispatch)
		tacho__rocp_dispatch_on_start(&context->shared);
	settle(context, status ? IDLE : ACTIVE);
	return status;
}

static rocprofiler_status_t stop(struct context *context)
{
	rocprofiler_status_t status;

	if (!begin(context, ACTIVE, ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND, &status))
		return status;
	if (context->shared.dispatch)
		tacho__rocp_dispatch_on_stop(&context->shared);
	if (context->shared.code)
		tacho__rocp_code_on_stop(&context->shared);
	if (context->shared.devices)
		tacho__rocp_device_on_stop(&context->shared);
	settle(context, IDLE);
	return status;
}

rocprofiler_status_t rocprofiler_start_context(rocprofiler_context_id_t context_id)
{
	struct context *context = find(context_id.handle);
	int finalized;

	if (!context)
		return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
	rocprofiler_is_finalized(&finalized);
	if (finalized)
		return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
	return start(context);
}

rocprofiler_status_t rocprofiler_stop_context(rocprofiler_context_id_t context_id)
{
	struct context *context = find(context_id.handle);

	if (!context)
		return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
	return tacho__rocp_is_over() ? ROCPROFILER_STATUS_SUCCESS : stop(context);
}

rocprofiler_status_t rocprofiler_context_is_active(rocprofiler_context_id_t context_id, int *status)
{
	const struct context *context = find(context_id.handle);

	if (!status)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	*status = context && atomic_load(&context->state) == ACTIVE;
	return context ? ROCPROFILER_STATUS_SUCCESS : ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
}

rocprofiler_status_t rocprofiler_context_is_valid(rocprofiler_context_id_t context_id, int *status)
{
	const struct context *context = find(context_id.handle);

	if (!status)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	*status = context != NULL;
	return context ? ROCPROFILER_STATUS_SUCCESS : ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
}

void tacho__rocp_contexts_stop(uint32_t client)
{
	unsigned count = atomic_load(&context_count);

	for (unsigned i = 1; i <= count; i++) {
		struct context *context = atomic_load(&contexts[i]);

		if (context->shared.client == client)
			stop(context);
	}
}

void tacho__rocp_contexts_discard(uint32_t client)
{
	unsigned count = atomic_load(&context_count);

	tacho__rocp_contexts_stop(client);
	for (unsigned i = 1; i <= count; i++) {
		struct context *context = atomic_load(&contexts[i]);

		if (context->shared.client == client)
			atomic_store(&context->is_discarded, true);
	}
}
