/* SPDX-License-Identifier: MIT */
/* The contexts that were made known, by the pointers that programs have for them. */
#include <pthread.h>
#include <stdlib.h>

#include "base/arena.h"
#include "face/perfworks/perfworks.h"

/* What a pointer stands for. It stays when its context goes: pointers come again. */
struct slot {
	struct slot *next;
	void *handle;
	_Atomic(struct tacho__pw_context *) context; /* NULL: none at present */
};

static struct {
	pthread_mutex_t lock; /* of all here; not held while a device is asked */
	pthread_cond_t given_back;
	struct tacho__arena arena;   /* of the slots */
	struct tacho__map by_handle; /* to struct slot */
	struct slot *first;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER, .given_back = PTHREAD_COND_INITIALIZER};

/* Most threads have one context: its slot is found without the lock. */
static _Thread_local struct slot *last_slot;

static struct slot *find_slot(void *handle)
{
	struct slot *slot = last_slot;

	if (slot && slot->handle == handle)
		return slot;
	pthread_mutex_lock(&known.lock);
	slot = tacho__map_get(&known.by_handle, (uintptr_t)handle);
	pthread_mutex_unlock(&known.lock);
	if (slot)
		last_slot = slot;
	return slot;
}

static struct tacho__pw_context *find_context(void *handle)
{
	struct slot *slot = find_slot(handle);

	return slot ? atomic_load_explicit(&slot->context, memory_order_acquire) : NULL;
}

/* Under the lock. NULL: no memory. */
static struct slot *get_slot(void *handle)
{
	struct slot *slot = tacho__map_get(&known.by_handle, (uintptr_t)handle);

	if (slot)
		return slot;
	slot = tacho__arena_get(&known.arena, sizeof(*slot));
	if (!slot || tacho__map_set(&known.by_handle, (uintptr_t)handle, slot))
		return NULL;
	slot->handle = handle;
	slot->next = known.first;
	known.first = slot;
	return slot;
}

static void drop_context(struct tacho__pw_context *context)
{
	if (context->session)
		tacho__pw_session_end(context);
	tacho__pw_close(context);
	free(context);
}

/* Another thread may have been faster: its context stays. */
static NVPA_Status publish(struct tacho__pw_context *context,
			   struct tacho__pw_context **out_context)
{
	struct tacho__pw_context *faster;
	struct slot *slot;

	pthread_mutex_lock(&known.lock);
	slot = get_slot(context->handle);
	faster = slot ? atomic_load(&slot->context) : NULL;
	if (slot && !faster)
		atomic_store(&slot->context, context);
	pthread_mutex_unlock(&known.lock);
	*out_context = faster ? faster : context;
	if (slot && !faster)
		return NVPA_STATUS_SUCCESS;
	drop_context(context);
	return slot ? NVPA_STATUS_SUCCESS : tacho__pw_fail_memory();
}

/* model: of a simulated device, or NULL. */
static NVPA_Status make_known(void *handle, enum tacho__pw_origin origin, const char *model,
			      struct tacho__pw_context **out_context)
{
	struct tacho__pw_context *context = calloc(1, sizeof(*context));
	NVPA_Status status;

	if (!context)
		return tacho__pw_fail_memory();
	context->handle = handle;
	context->origin = origin;
	status = tacho__pw_open(context, model);
	if (!status)
		return publish(context, out_context);
	drop_context(context);
	return status;
}

static const char *get_model(void)
{
	const char *model = getenv("TACHO_SIM");

	return model && *model ? model : NULL;
}

static NVPA_Status fail_current(void *handle, void *current)
{
	if (!tacho__pw_has_graphics())
		return tacho__pw_fail(NVPA_STATUS_DRIVER_NOT_LOADED,
				      "neither libEGL.so.1 nor libGLX.so.0 is in the process",
				      "make the context before, and make it current",
				      "%p is no context of OpenGL", handle);
	return tacho__pw_fail(NVPA_STATUS_INVALID_THREAD_STATE,
			      current ? tacho__detail("%p is", current) : "none is",
			      "make it current on this thread before",
			      "the OpenGL context %p is not current on this thread", handle);
}

NVPA_Status tacho__pw_context_find(void *handle, struct tacho__pw_context **out_context)
{
	struct tacho__pw_context *context = find_context(handle);

	if (context) {
		*out_context = context;
		return NVPA_STATUS_SUCCESS;
	}
	if (!handle)
		return tacho__pw_fail_null("context");
	if (handle == tacho__pw_current())
		return make_known(handle, TACHO__PW_GRAPHICS, get_model(), out_context);
	return tacho__pw_fail(
		NVPA_STATUS_OBJECT_NOT_REGISTERED,
		"nobody made it known, and it is not the OpenGL context of this thread",
		"call the function that registers a context of its kind, or make it "
		"current",
		"%p is no context", handle);
}

NVPA_Status tacho__pw_context_borrow(const struct tacho__pw_device *device,
				     struct tacho__pw_context **out_context)
{
	struct tacho__pw_context *context = NULL;

	pthread_mutex_lock(&known.lock);
	for (struct slot *slot = known.first; slot && !context; slot = slot->next) {
		context = atomic_load(&slot->context);
		if (context && context->device != device)
			context = NULL;
	}
	if (context)
		context->borrowers++;
	pthread_mutex_unlock(&known.lock);
	if (!context)
		return tacho__pw_fail(NVPA_STATUS_OBJECT_NOT_REGISTERED,
				      "all of its contexts were forgotten", "register one of them",
				      "%s cannot be asked", device->name);
	*out_context = context;
	return NVPA_STATUS_SUCCESS;
}

void tacho__pw_context_give_back(struct tacho__pw_context *context)
{
	pthread_mutex_lock(&known.lock);
	if (!--context->borrowers)
		pthread_cond_broadcast(&known.given_back);
	pthread_mutex_unlock(&known.lock);
}

NVPA_Status tacho__pw_context_fail(const struct tacho__pw_context *context)
{
	if (context->origin == TACHO__PW_GRAPHICS && !context->has_own_work &&
	    tacho__pw_current() != context->handle)
		return fail_current(context->handle, tacho__pw_current());
	return tacho__pw_fail_core();
}

static NVPA_Status register_context(void *handle, enum tacho__pw_origin origin)
{
	const char *model = origin == TACHO__PW_UNIT ? NULL : get_model();
	struct tacho__pw_context *context = find_context(handle);
	void *current;

	if (!handle)
		return tacho__pw_fail_null("context");
	if (context && context->origin != origin)
		return tacho__pw_fail(
			NVPA_STATUS_INVALID_ARGUMENT, "it was made known as something else",
			"call NVPA_UnregisterContext before", "%p cannot be registered", handle);
	if (context)
		return NVPA_STATUS_SUCCESS;
	if (origin == TACHO__PW_GRAPHICS && !model) {
		current = tacho__pw_current();
		if (current != handle)
			return fail_current(handle, current);
	}
	return make_known(handle, origin, model, &context);
}

NVPA_Status NVPA_GL_RegisterContext(void *ctx)
{
	return register_context(ctx, TACHO__PW_GRAPHICS);
}

NVPA_Status NVPA_CL_RegisterCommandQueue(void *queue)
{
	return register_context(queue, TACHO__PW_QUEUE);
}

NVPA_Status NVPA_Tacho_RegisterDevice(void *device)
{
	return register_context(device, TACHO__PW_UNIT);
}

NVPA_Status NVPA_Sim_CreateContext(const char *model, void **pCtx)
{
	struct tacho__pw_context *context;
	NVPA_Status status;

	if (!model || !pCtx)
		return tacho__pw_fail_null(model ? "pCtx" : "model");
	status = make_known(NULL, TACHO__PW_SIMULATED, model, &context);
	if (!status)
		*pCtx = context->handle;
	return status;
}

/* Nobody finds it any more; threads that plan with it are waited for. */
static struct tacho__pw_context *withdraw(void *handle)
{
	struct tacho__pw_context *context = NULL;
	struct slot *slot;

	pthread_mutex_lock(&known.lock);
	slot = tacho__map_get(&known.by_handle, (uintptr_t)handle);
	if (slot)
		context = atomic_exchange(&slot->context, NULL);
	while (context && context->borrowers)
		pthread_cond_wait(&known.given_back, &known.lock);
	pthread_mutex_unlock(&known.lock);
	return context;
}

NVPA_Status NVPA_UnregisterContext(void *ctx)
{
	struct tacho__pw_context *context = ctx ? withdraw(ctx) : NULL;

	if (!ctx)
		return tacho__pw_fail_null("context");
	if (!context)
		return tacho__pw_fail(NVPA_STATUS_OBJECT_NOT_REGISTERED,
				      "it was not made known, or was forgotten before",
				      "register it before", "%p is no context", ctx);
	drop_context(context);
	return NVPA_STATUS_SUCCESS;
}

NVPA_Status NVPA_Context_GetDeviceIndex(void *ctx, size_t sliIndex, size_t *pDeviceIndex)
{
	struct tacho__pw_context *context = NULL;
	NVPA_Status status = pDeviceIndex ? tacho__pw_context_find(ctx, &context)
					  : tacho__pw_fail_null("pDeviceIndex");

	if (!status && sliIndex)
		status = tacho__pw_fail(NVPA_STATUS_INVALID_ARGUMENT, "contexts have one GPU each",
					"ask for 0", "the context has no GPU %zu", sliIndex);
	if (!status)
		*pDeviceIndex = context->device->index;
	return status;
}
