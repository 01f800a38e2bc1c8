/* SPDX-License-Identifier: MIT */
/*
 * Programs and kernels as tools hear of them. A program is told when the first of its kernels is
 * launched on an agent, a kernel when it is launched there first; both before the launch. Nothing
 * is ever freed but what names them: an id stays with its kernel.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "face/rocprofiler/rocprofiler.h"

enum {
	SERVICES_MAX = 16, /* that trace code objects, in all contexts */
	CACHED = 8,	   /* kernels that a thread launched last */
};

/* Of a context. Made while tools configure, never freed. */
struct tacho__rocp_code_service {
	uint32_t index;	     /* from 0 */
	uint32_t operations; /* a bit for each that is wanted */
	uint32_t client;
	uint64_t context;
	atomic_bool is_active;
	rocprofiler_callback_tracing_cb_t on_event;
	void *on_event_data;
};

/* Who was told of a program or kernel, and what they want to find again when it goes. */
struct audience {
	uint32_t told; /* a bit per service */
	rocprofiler_user_data_t user_data[SERVICES_MAX];
};

struct kernel {
	struct tacho__rocp_kernel base; /* first */
	struct kernel *next;		/* of its object */
	struct audience audience;
	rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t data;
};

/* A program on an agent. */
struct object {
	struct object *next;
	uint16_t api;
	uint64_t program;
	struct kernel *kernels;
	struct audience audience;
	rocprofiler_callback_tracing_code_object_load_data_t data;
};

/* What a thread knows without a lock. */
struct cached {
	unsigned generation;
	uint16_t api;
	uint64_t program, kernel, agent;
	const struct kernel *known;
};

static struct {
	pthread_mutex_t
		lock; /* recursive: tools are called with it held, so that nobody overtakes */
	pthread_once_t once;
	struct tacho__rocp_code_service *services[SERVICES_MAX];
	uint32_t service_count;
	struct object *objects, *gone;
	uint64_t object_id, kernel_id;
	atomic_uint generation; /* rises when something goes */
} code = {.once = PTHREAD_ONCE_INIT, .generation = 1};

static _Thread_local struct cached cache[CACHED];

static void make_lock(void)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&code.lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

static void lock_code(void)
{
	pthread_once(&code.once, make_lock);
	pthread_mutex_lock(&code.lock);
}

/* ---- telling; under the lock ---- */

static void call(const struct tacho__rocp_code_service *service, struct audience *audience,
		 int32_t operation, rocprofiler_callback_phase_t phase, void *payload)
{
	const rocprofiler_callback_tracing_record_t record = {
		.context_id = {service->context},
		.thread_id = (uint64_t)gettid(),
		.kind = ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT,
		.operation = operation,
		.phase = phase,
		.payload = payload,
	};

	service->on_event(record, &audience->user_data[service->index], service->on_event_data);
}

static void tell_load(const struct tacho__rocp_code_service *service, struct audience *audience,
		      int32_t operation, void *payload)
{
	uint32_t bit = UINT32_C(1) << service->index;

	if (audience->told & bit || !(service->operations >> operation & 1))
		return;
	audience->told |= bit;
	call(service, audience, operation, ROCPROFILER_CALLBACK_PHASE_LOAD, payload);
}

/* To a client's services; 0: to all. */
static void tell_unload(uint32_t client, struct audience *audience, int32_t operation,
			void *payload)
{
	for (uint32_t i = 0; i < code.service_count; i++) {
		const struct tacho__rocp_code_service *service = code.services[i];

		if (!(audience->told >> i & 1) || (client && service->client != client))
			continue;
		audience->told &= ~(UINT32_C(1) << i);
		call(service, audience, operation, ROCPROFILER_CALLBACK_PHASE_UNLOAD, payload);
	}
}

/* The object first: a tool may still want the kernels' names when it hears of it. */
static void tell_end(uint32_t client, struct object *object)
{
	tell_unload(client, &object->audience, ROCPROFILER_CODE_OBJECT_LOAD, &object->data);
	for (struct kernel *kernel = object->kernels; kernel; kernel = kernel->next)
		tell_unload(client, &kernel->audience,
			    ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER, &kernel->data);
}

static void tell_object(const struct tacho__rocp_code_service *service, struct object *object)
{
	tell_load(service, &object->audience, ROCPROFILER_CODE_OBJECT_LOAD, &object->data);
}

static void tell_kernel(const struct tacho__rocp_code_service *service, struct kernel *kernel)
{
	tell_load(service, &kernel->audience, ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER,
		  &kernel->data);
}

/* Takes it out of the list first: a tool may cause another launch or end. */
static void unload(struct object **link)
{
	struct object *object = *link;

	*link = object->next;
	object->next = code.gone;
	code.gone = object;
	atomic_fetch_add(&code.generation, 1);
	tell_end(0, object);
}

/* ---- finding; under the lock ---- */

static struct object *find_object(const struct tacho__launch *launch, rocprofiler_agent_id_t agent)
{
	struct object *object = code.objects;

	while (object && (object->program != launch->program || object->api != launch->api ||
			  object->data.agent_id.handle != agent.handle))
		object = object->next;
	if (object)
		return object;
	object = calloc(1, sizeof(*object));
	if (!object)
		return NULL;
	object->api = launch->api;
	object->program = launch->program;
	object->data.size = sizeof(object->data);
	object->data.code_object_id = ++code.object_id;
	object->data.agent_id = agent;
	object->data.uri = "";
	object->next = code.objects;
	code.objects = object;
	return object;
}

static struct kernel *find_kernel(struct object *object, const struct tacho__launch *launch)
{
	struct kernel *kernel = object->kernels;
	char *name;

	while (kernel && strcmp(kernel->base.name, launch->name) != 0)
		kernel = kernel->next;
	if (kernel)
		return kernel;
	kernel = calloc(1, sizeof(*kernel));
	name = strdup(launch->name);
	if (!kernel || !name) {
		free(kernel);
		free(name);
		return NULL;
	}
	kernel->base.id = ++code.kernel_id;
	kernel->base.name = name;
	kernel->base.code_object_id = object->data.code_object_id;
	kernel->data.size = sizeof(kernel->data);
	kernel->data.kernel_id = kernel->base.id;
	kernel->data.code_object_id = kernel->base.code_object_id;
	kernel->data.kernel_name = name;
	kernel->data.kernel_object = launch->kernel;
	kernel->data.group_segment_size = tacho__rocp_clamp(launch->local_bytes);
	kernel->data.private_segment_size = tacho__rocp_clamp(launch->private_bytes);
	kernel->next = object->kernels;
	object->kernels = kernel;
	return kernel;
}

static struct cached *get_cached(const struct tacho__launch *launch)
{
	uint64_t hash = launch->kernel * UINT64_C(0x9E3779B97F4A7C15);

	return &cache[(hash >> 32) % CACHED];
}

static bool is_of(const struct cached *cached, const struct tacho__launch *launch, uint64_t agent)
{
	return cached->generation == atomic_load(&code.generation) &&
	       cached->kernel == launch->kernel && cached->program == launch->program &&
	       cached->api == launch->api && cached->agent == agent &&
	       !strcmp(cached->known->base.name, launch->name);
}

const struct tacho__rocp_kernel *tacho__rocp_kernel_find(const struct tacho__launch *launch,
							 rocprofiler_agent_id_t agent)
{
	struct cached *cached = get_cached(launch);
	unsigned generation = atomic_load(&code.generation);
	struct kernel *kernel = NULL;
	struct object *object;

	if (is_of(cached, launch, agent.handle))
		return &cached->known->base;
	lock_code();
	object = find_object(launch, agent);
	if (object)
		kernel = find_kernel(object, launch);
	for (uint32_t i = 0; kernel && i < code.service_count; i++)
		if (atomic_load(&code.services[i]->is_active)) {
			tell_object(code.services[i], object);
			tell_kernel(code.services[i], kernel);
		}
	pthread_mutex_unlock(&code.lock);
	if (!kernel) {
		tacho__rocp_log_error("a launch is not counted: there is no memory");
		return NULL;
	}
	*cached = (struct cached){generation,	  launch->api,	launch->program,
				  launch->kernel, agent.handle, kernel};
	return &kernel->base;
}

/* ---- the end of programs ---- */

void tacho__rocp_program_unload(uint16_t api, uint64_t program)
{
	struct object **link = &code.objects;

	lock_code();
	while (*link)
		if ((*link)->api == api && (*link)->program == program)
			unload(link);
		else
			link = &(*link)->next;
	pthread_mutex_unlock(&code.lock);
}

void tacho__rocp_code_finalize(uint32_t client)
{
	lock_code();
	for (struct object *object = code.objects; object; object = object->next)
		tell_end(client, object);
	pthread_mutex_unlock(&code.lock);
}

/* ---- services ---- */

void tacho__rocp_code_on_start(struct tacho__rocp_context *context)
{
	struct tacho__rocp_code_service *service = context->code;

	if (!service || atomic_exchange(&service->is_active, true))
		return;
	tacho__launches_resume();
	lock_code();
	for (struct object *object = code.objects; object; object = object->next) {
		tell_object(service, object);
		for (struct kernel *kernel = object->kernels; kernel; kernel = kernel->next)
			tell_kernel(service, kernel);
	}
	pthread_mutex_unlock(&code.lock);
}

void tacho__rocp_code_on_stop(struct tacho__rocp_context *context)
{
	if (context->code && atomic_exchange(&context->code->is_active, false))
		tacho__launches_pause();
}

/* A bit for each operation; `operations` NULL or none: all. */
static rocprofiler_status_t read_operations(const rocprofiler_tracing_operation_t *operations,
					    size_t count, uint32_t *out_wanted)
{
	uint32_t wanted = 0;

	for (size_t i = 0; operations && i < count; i++) {
		if (operations[i] < 0 || operations[i] >= ROCPROFILER_CODE_OBJECT_LAST)
			return ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND;
		wanted |= operations[i] ? 1u << operations[i] : UINT32_MAX;
	}
	*out_wanted = operations && count ? wanted : UINT32_MAX;
	return ROCPROFILER_STATUS_SUCCESS;
}

static rocprofiler_status_t add_service(struct tacho__rocp_context *context,
					const struct tacho__rocp_code_service *from)
{
	struct tacho__rocp_code_service *service = malloc(sizeof(*service));
	bool has_room;

	if (!service || !tacho__rocp_launches_subscribe()) {
		free(service);
		return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	}
	*service = *from;
	lock_code();
	has_room = code.service_count < SERVICES_MAX;
	if (has_room) {
		service->index = code.service_count;
		code.services[code.service_count++] = service;
		context->code = service;
	}
	pthread_mutex_unlock(&code.lock);
	if (!has_room)
		free(service);
	return has_room ? ROCPROFILER_STATUS_SUCCESS : ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
}

rocprofiler_status_t rocprofiler_configure_callback_tracing_service(
	rocprofiler_context_id_t context_id, rocprofiler_callback_tracing_kind_t kind,
	const rocprofiler_tracing_operation_t *operations, size_t operations_count,
	rocprofiler_callback_tracing_cb_t callback, void *callback_args)
{
	struct tacho__rocp_code_service service = {
		.context = context_id.handle, .on_event = callback, .on_event_data = callback_args};
	struct tacho__rocp_context *context;
	rocprofiler_status_t status;

	if (tacho__rocp_is_locked())
		return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
	context = tacho__rocp_context_get(context_id.handle);
	if (!context)
		return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
	service.client = context->client;
	if (kind <= ROCPROFILER_CALLBACK_TRACING_NONE || kind >= ROCPROFILER_CALLBACK_TRACING_LAST)
		return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
	if (kind != ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT)
		return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
	if (!callback)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	if (context->code)
		return ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED;
	status = read_operations(operations, operations_count, &service.operations);
	return status ? status : add_service(context, &service);
}
