/* SPDX-License-Identifier: MIT */
/* Contexts, services, buffers and the loading of tools. */
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fake_private.h"

struct fake_sdk fake_sdk = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const struct {
	uint32_t kind;
	int32_t operation;
	const char *name;
} operations[] = {
	{ROCPROFILER_BUFFER_TRACING_HSA_CORE_API, 0, "hsa_init"},
	{ROCPROFILER_BUFFER_TRACING_HSA_CORE_API, 1, "hsa_signal_load_relaxed"},
	{ROCPROFILER_BUFFER_TRACING_HSA_CORE_API, 7, "hsa_signal_wait_scacquire"},
	{ROCPROFILER_BUFFER_TRACING_HSA_AMD_EXT_API, 3, "hsa_amd_memory_async_copy"},
	{ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API, 0, "hipMalloc"},
	{ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API, 2, "hipLaunchKernel"},
	{ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API, 3, "hipMemcpy"},
	{ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API, 411, "hipDeviceSynchronize"},
};
enum { OPERATIONS = sizeof(operations) / sizeof(operations[0]) };

/* ---- faults and misuse ---- */

void fake_misuse(const char *format, ...)
{
	va_list list;

	atomic_fetch_add(&fake_sdk.misuses, 1);
	fprintf(stderr, "fake: MISUSE: ");
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fputc('\n', stderr);
}

const char *fake_get(const char *name)
{
	static _Thread_local char value[128];
	const char *words = getenv("FAKE_ROCM");
	size_t size = strlen(name);

	for (; words && *words; words += strspn(words, " ")) {
		size_t length = strcspn(words, " ");

		if (length > size && !strncmp(words, name, size) && words[size] == '=') {
			snprintf(value, sizeof(value), "%.*s", (int)(length - size - 1),
				 words + size + 1);
			return value;
		}
		words += length;
	}
	return NULL;
}

int fake_has(const char *word)
{
	const char *words = getenv("FAKE_ROCM");
	size_t size = strlen(word);

	for (; words && *words; words += strspn(words, " ")) {
		size_t length = strcspn(words, " ");

		if (length == size && !strncmp(words, word, size))
			return 1;
		words += length;
	}
	return 0;
}

uint64_t fake_get_number(const char *name)
{
	const char *value = fake_get(name);

	return value ? strtoull(value, NULL, 10) : 0;
}

int fake_fails(const char *function)
{
	const char *value = fake_get("fail");
	size_t size = strlen(function);

	return value && !strncmp(value, function, size) && value[size] == ':'
		       ? atoi(value + size + 1)
		       : 0;
}

uint64_t fake_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int fake_is_open(const char *function)
{
	if (atomic_load(&fake_sdk.configuring) && !fake_sdk.is_locked)
		return 1;
	fake_misuse("%s outside of initialize", function);
	return 0;
}

/* What all functions that configure begin with. */
#define BEGIN(name)                                                           \
	do {                                                                  \
		int status_ = fake_fails(#name);                              \
		if (status_)                                                  \
			return (rocprofiler_status_t)status_;                 \
		if (!fake_is_open(#name))                                     \
			return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED; \
	} while (0)

/* ---- small functions ---- */

rocprofiler_status_t rocprofiler_get_timestamp(rocprofiler_timestamp_t *time)
{
	int status = fake_fails("get_timestamp");

	if (!time)
		fake_misuse("get_timestamp without room for the answer");
	if (!status)
		*time = fake_now();
	return (rocprofiler_status_t)status;
}

rocprofiler_status_t rocprofiler_get_version(uint32_t *major, uint32_t *minor, uint32_t *patch)
{
	if (major)
		*major = 1;
	if (minor)
		*minor = 0;
	if (patch)
		*patch = 0;
	return ROCPROFILER_STATUS_SUCCESS;
}

const char *rocprofiler_get_status_name(rocprofiler_status_t status)
{
	switch ((int)status) {
	case 1: return "ROCPROFILER_STATUS_ERROR";
	case 12: return "ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT";
	case 17: return "ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED";
	case 38: return "ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT";
	case 40: return "ROCPROFILER_STATUS_ERROR_PERMISSION_DENIED";
	default: return NULL;
	}
}

/* For tools that others wrote. */
const char *rocprofiler_get_status_string(rocprofiler_status_t status)
{
	return rocprofiler_get_status_name(status);
}

rocprofiler_status_t
rocprofiler_query_available_agents(rocprofiler_agent_version_t version,
				   rocprofiler_query_available_agents_cb_t callback,
				   size_t agent_size, void *user_data)
{
	static const rocprofiler_agent_v0_t cpu = {
		.size = sizeof(cpu),
		.id = {.handle = FAKE_AGENT_BASE + FAKE_NODE_CPU},
		.type = ROCPROFILER_AGENT_TYPE_CPU,
		.cpu_cores_count = 64,
		.name = "EPYC",
		.vendor_name = "CPU",
		.product_name = "EPYC",
		.model_name = "",
		.node_id = FAKE_NODE_CPU};
	static const rocprofiler_agent_v0_t gpu = {
		.size = sizeof(gpu),
		.id = {.handle = FAKE_AGENT_BASE + FAKE_NODE_GPU},
		.type = ROCPROFILER_AGENT_TYPE_GPU,
		.simd_count = 416,
		.cu_count = 104,
		.num_xcc = 1,
		.array_count = 8,
		.gfx_target_version = 90010,
		.name = "gfx90a",
		.vendor_name = "AMD",
		.product_name = "AMD Instinct MI210",
		.model_name = "aldebaran",
		.node_id = FAKE_NODE_GPU,
		.logical_node_id = 1};
	const void *agents[] = {&cpu, &gpu};
	int status = fake_fails("query_available_agents");

	if (status)
		return (rocprofiler_status_t)status;
	if (version != ROCPROFILER_AGENT_INFO_VERSION_0 || !callback ||
	    agent_size != sizeof(rocprofiler_agent_v0_t)) {
		fake_misuse("query_available_agents with version %d, size %zu", (int)version,
			    agent_size);
		return ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_ABI;
	}
	return callback(version, agents, 2, user_data);
}

rocprofiler_status_t rocprofiler_iterate_buffer_tracing_kind_operations(
	rocprofiler_buffer_tracing_kind_t kind,
	rocprofiler_buffer_tracing_kind_operation_cb_t callback, void *data)
{
	if (!callback)
		fake_misuse("iterate_buffer_tracing_kind_operations without a callback");
	for (uint32_t i = 0; i < OPERATIONS; i++)
		if (operations[i].kind == (uint32_t)kind &&
		    callback(kind, operations[i].operation, data))
			break;
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t
rocprofiler_query_buffer_tracing_kind_operation_name(rocprofiler_buffer_tracing_kind_t kind,
						     rocprofiler_tracing_operation_t operation,
						     const char **name, uint64_t *size)
{
	for (uint32_t i = 0; i < OPERATIONS; i++) {
		if (operations[i].kind != (uint32_t)kind || operations[i].operation != operation)
			continue;
		if (name)
			*name = operations[i].name;
		if (size)
			*size = strlen(operations[i].name);
		return ROCPROFILER_STATUS_SUCCESS;
	}
	fake_misuse("name of operation %d of kind %d", (int)operation, (int)kind);
	return ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND;
}

/* ---- contexts ---- */

static struct context *find_context(rocprofiler_context_id_t id, const char *function)
{
	if (id.handle && id.handle <= fake_sdk.context_count)
		return &fake_sdk.contexts[id.handle - 1];
	fake_misuse("%s with context %llu", function, (unsigned long long)id.handle);
	return NULL;
}

rocprofiler_status_t rocprofiler_create_context(rocprofiler_context_id_t *context)
{
	BEGIN(create_context);
	if (!context || context->handle || fake_sdk.context_count == CONTEXTS_MAX) {
		fake_misuse("create_context into a handle that is in use");
		return ROCPROFILER_STATUS_ERROR_CONTEXT_ID_NOT_ZERO;
	}
	context->handle = ++fake_sdk.context_count;
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_start_context(rocprofiler_context_id_t id)
{
	struct context *context = find_context(id, "start_context");
	int status = fake_fails("start_context");

	if (status)
		return (rocprofiler_status_t)status;
	if (!context)
		return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
	context->is_active = true;
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_stop_context(rocprofiler_context_id_t id)
{
	struct context *context = find_context(id, "stop_context");

	if (!context)
		return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
	if (!context->is_active)
		return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_STARTED;
	context->is_active = false;
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_configure_callback_tracing_service(
	rocprofiler_context_id_t id, rocprofiler_callback_tracing_kind_t kind,
	const rocprofiler_tracing_operation_t *list, size_t count,
	rocprofiler_callback_tracing_cb_t callback, void *data)
{
	struct context *context;

	BEGIN(configure_callback_tracing_service);
	context = find_context(id, "configure_callback_tracing_service");
	if (!context)
		return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
	if (!callback || (count && !list) ||
	    (kind != ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT &&
	     kind != ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH)) {
		fake_misuse("configure_callback_tracing_service of kind %d", (int)kind);
		return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
	}
	if (context->callback_of[kind])
		return ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED;
	context->callback_of[kind] = callback;
	context->callback_data[kind] = data;
	context->only_enqueue = count == 1 && list[0] == ROCPROFILER_KERNEL_DISPATCH_ENQUEUE;
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_configure_buffer_tracing_service(
	rocprofiler_context_id_t id, rocprofiler_buffer_tracing_kind_t kind,
	const rocprofiler_tracing_operation_t *list, size_t count, rocprofiler_buffer_id_t buffer)
{
	struct context *context;

	BEGIN(configure_buffer_tracing_service);
	context = find_context(id, "configure_buffer_tracing_service");
	if (!context)
		return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
	if (!buffer.handle || buffer.handle > fake_sdk.buffer_count ||
	    kind <= ROCPROFILER_BUFFER_TRACING_NONE || kind >= KINDS_MAX || (count && !list)) {
		fake_misuse("configure_buffer_tracing_service of kind %d, buffer %llu", (int)kind,
			    (unsigned long long)buffer.handle);
		return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
	}
	if (context->buffer_of[kind])
		return ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED;
	context->buffer_of[kind] = (uint32_t)buffer.handle;
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_configure_callback_dispatch_counting_service(
	rocprofiler_context_id_t id, rocprofiler_dispatch_counting_service_cb_t on_dispatch,
	void *dispatch_data, rocprofiler_dispatch_counting_record_cb_t on_values, void *values_data)
{
	struct context *context;

	BEGIN(configure_callback_dispatch_counting_service);
	context = find_context(id, "configure_callback_dispatch_counting_service");
	if (!context || !on_dispatch || !on_values)
		return ROCPROFILER_STATUS_ERROR_CONTEXT_INVALID;
	context->on_dispatch = on_dispatch;
	context->dispatch_data = dispatch_data;
	context->on_values = on_values;
	context->values_data = values_data;
	return ROCPROFILER_STATUS_SUCCESS;
}

/* For tools that others wrote: tacho's takes values by a callback. */
rocprofiler_status_t rocprofiler_configure_buffer_dispatch_counting_service(
	rocprofiler_context_id_t id, rocprofiler_buffer_id_t buffer,
	rocprofiler_dispatch_counting_service_cb_t on_dispatch, void *dispatch_data)
{
	struct context *context;

	BEGIN(configure_buffer_dispatch_counting_service);
	context = find_context(id, "configure_buffer_dispatch_counting_service");
	if (!context || !on_dispatch || !buffer.handle || buffer.handle > fake_sdk.buffer_count)
		return ROCPROFILER_STATUS_ERROR_CONTEXT_INVALID;
	context->on_dispatch = on_dispatch;
	context->dispatch_data = dispatch_data;
	context->values_buffer = (uint32_t)buffer.handle;
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_create_callback_thread(rocprofiler_callback_thread_t *thread)
{
	thread->handle = 1;
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_assign_callback_thread(rocprofiler_buffer_id_t buffer,
							rocprofiler_callback_thread_t thread)
{
	if (!buffer.handle || buffer.handle > fake_sdk.buffer_count || thread.handle != 1)
		fake_misuse("assign_callback_thread of buffer %llu",
			    (unsigned long long)buffer.handle);
	return ROCPROFILER_STATUS_SUCCESS;
}

/* ---- buffers ---- */

rocprofiler_status_t rocprofiler_create_buffer(rocprofiler_context_id_t context, size_t size,
					       size_t watermark, rocprofiler_buffer_policy_t policy,
					       rocprofiler_buffer_tracing_cb_t callback, void *data,
					       rocprofiler_buffer_id_t *buffer)
{
	BEGIN(create_buffer);
	if (!find_context(context, "create_buffer"))
		return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
	if (!callback || !buffer || !size || watermark > size ||
	    fake_sdk.buffer_count == BUFFERS_MAX ||
	    (policy != ROCPROFILER_BUFFER_POLICY_DISCARD &&
	     policy != ROCPROFILER_BUFFER_POLICY_LOSSLESS)) {
		fake_misuse("create_buffer of %zu bytes, watermark %zu, policy %d", size, watermark,
			    (int)policy);
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	}
	fake_sdk.buffers[fake_sdk.buffer_count] = (struct buffer){.watermark = watermark,
								  .callback = callback,
								  .data = data,
								  .context = context.handle};
	buffer->handle = ++fake_sdk.buffer_count;
	return ROCPROFILER_STATUS_SUCCESS;
}

void fake_sleep_late(void)
{
	uint64_t ms = fake_get_number("late");
	struct timespec time = {.tv_sec = (time_t)(ms / 1000),
				.tv_nsec = (long)(ms % 1000) * 1000000};

	if (ms)
		nanosleep(&time, NULL);
}

/* On a thread of the library's, as there. */
static void *deliver(void *user)
{
	struct buffer *buffer = user;
	uint32_t number = (uint32_t)(buffer - fake_sdk.buffers) + 1;

	fake_sleep_late();
	for (size_t i = 0; fake_has("shuffle") && i < buffer->count / 2; i++) {
		rocprofiler_record_header_t *header = buffer->headers[i];

		buffer->headers[i] = buffer->headers[buffer->count - 1 - i];
		buffer->headers[buffer->count - 1 - i] = header;
	}
	buffer->callback((rocprofiler_context_id_t){.handle = buffer->context},
			 (rocprofiler_buffer_id_t){.handle = number}, buffer->headers,
			 buffer->count, buffer->data, buffer->dropped);
	for (size_t i = 0; i < buffer->count; i++) {
		/* what a tool keeps of it is seen to be wrong */
		memset(buffer->headers[i]->payload, 0xa5, 32);
		free(buffer->headers[i]->payload);
		free(buffer->headers[i]);
	}
	buffer->count = buffer->used = 0;
	buffer->dropped = 0;
	return NULL;
}

/* With the lock. */
static void flush(struct buffer *buffer)
{
	pthread_t thread;

	if ((buffer->count || buffer->dropped) && !pthread_create(&thread, NULL, deliver, buffer))
		pthread_join(thread, NULL);
}

rocprofiler_status_t rocprofiler_flush_buffer(rocprofiler_buffer_id_t id)
{
	rocprofiler_status_t status;

	if (!id.handle || id.handle > fake_sdk.buffer_count) {
		fake_misuse("flush_buffer of %llu", (unsigned long long)id.handle);
		return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
	}
	status = fake_sdk.flushes++ < fake_get_number("busy") ? ROCPROFILER_STATUS_ERROR_BUFFER_BUSY
							      : ROCPROFILER_STATUS_SUCCESS;
	if (status)
		return status;
	pthread_mutex_lock(&fake_sdk.lock);
	flush(&fake_sdk.buffers[id.handle - 1]);
	pthread_mutex_unlock(&fake_sdk.lock);
	return ROCPROFILER_STATUS_SUCCESS;
}

static void put(uint32_t number, uint32_t category, uint32_t kind, const void *record, size_t size)
{
	struct buffer *buffer = &fake_sdk.buffers[number - 1];
	rocprofiler_record_header_t *header;
	uint64_t drop = fake_get_number("drop");

	pthread_mutex_lock(&fake_sdk.lock);
	if (drop && ++buffer->seen % drop == 0) {
		buffer->dropped++;
	} else {
		header = calloc(1, sizeof(*header));
		header->category = category;
		header->kind = kind;
		header->payload = malloc(size);
		memcpy(header->payload, record, size);
		buffer->headers[buffer->count++] = header;
		buffer->used += size + sizeof(*header);
	}
	if (buffer->used >= buffer->watermark || buffer->count == HEADERS_MAX)
		flush(buffer);
	pthread_mutex_unlock(&fake_sdk.lock);
}

void fake_put(uint32_t kind, const void *record, size_t size)
{
	FAKE_EACH_CONTEXT(context)
	if (context->buffer_of[kind])
		put(context->buffer_of[kind], ROCPROFILER_BUFFER_CATEGORY_TRACING, kind, record,
		    size);
}

void fake_put_counted(uint32_t buffer, uint32_t kind, const void *record, size_t size)
{
	put(buffer, ROCPROFILER_BUFFER_CATEGORY_COUNTERS, kind, record, size);
}

/* ---- tools ---- */

/* A tool that does not load ends the program, as with AMD's library. */
static void load_tool(const char *path)
{
	rocprofiler_configure_func_t configure;
	struct tool *tool = &fake_sdk.tools[fake_sdk.tool_count];
	const rocprofiler_client_id_t id = {.size = sizeof(id), .handle = fake_sdk.tool_count + 1};
	void *library = dlopen(path, RTLD_LOCAL | RTLD_LAZY);

	if (!library) {
		fprintf(stderr, "fake: cannot load %s: %s\n", path, dlerror());
		abort();
	}
	*(void **)&configure = dlsym(library, "rocprofiler_configure");
	if (!configure) {
		fprintf(stderr, "fake: %s has no rocprofiler_configure\n", path);
		return;
	}
	tool->id = malloc(sizeof(id));
	memcpy(tool->id, &id, sizeof(id));
	tool->result = configure(10000, "1.0.0", 0, tool->id);
	if (!tool->result)
		return;
	if (tool->result->size != sizeof(*tool->result) || !tool->id->name)
		fake_misuse("%s configures with size %zu and %s name", path, tool->result->size,
			    tool->id->name ? "a" : "no");
	fake_sdk.tool_count++;
}

static void finalize_tool(rocprofiler_client_id_t id)
{
	(void)id;
	fake_finish();
}

FAKE_API void fake_start(void)
{
	const char *list = getenv("ROCP_TOOL_LIBRARIES");
	char *paths = strdup(list ? list : ""), *rest = paths, *path;

	while ((path = strsep(&rest, ":")))
		if (*path)
			load_tool(path);
	free(paths);
	atomic_store(&fake_sdk.configuring, 1);
	for (uint32_t i = 0; i < fake_sdk.tool_count; i++)
		if (fake_sdk.tools[i].result->initialize &&
		    fake_sdk.tools[i].result->initialize(finalize_tool,
							 fake_sdk.tools[i].result->tool_data))
			memset(fake_sdk.contexts, 0, sizeof(fake_sdk.contexts));
	fake_sdk.is_locked = true;
}

FAKE_API uint32_t fake_finish(void)
{
	if (!fake_sdk.is_finished) {
		fake_sdk.is_finished = true;
		for (uint32_t i = 0; i < fake_sdk.tool_count; i++)
			if (fake_sdk.tools[i].result->finalize)
				fake_sdk.tools[i].result->finalize(
					fake_sdk.tools[i].result->tool_data);
		for (uint32_t i = 0; i < fake_sdk.buffer_count; i++)
			if (fake_sdk.buffers[i].count)
				fake_misuse("%zu records were left in a buffer",
					    fake_sdk.buffers[i].count);
	}
	return atomic_load(&fake_sdk.misuses);
}
