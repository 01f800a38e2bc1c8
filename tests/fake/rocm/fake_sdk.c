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

#include "fake.h"

enum {
	TOOLS_MAX = 8,
	CONTEXTS_MAX = 16,
	BUFFERS_MAX = 16,
	KINDS_MAX = 40,
	HEADERS_MAX = 65536,
	VALUES_MAX = 8192,
};

struct tool {
	rocprofiler_client_id_t *id;
	rocprofiler_tool_configure_result_t *result;
};

struct context {
	bool is_active;
	uint32_t buffer_of[KINDS_MAX]; /* by kind of records, plus 1 */
	rocprofiler_callback_tracing_cb_t callback_of[KINDS_MAX];
	void *callback_data[KINDS_MAX];
	bool only_enqueue; /* of KERNEL_DISPATCH */
	rocprofiler_dispatch_counting_service_cb_t on_dispatch;
	rocprofiler_dispatch_counting_record_cb_t on_values;
	void *dispatch_data, *values_data;
};

struct buffer {
	size_t watermark, used;
	rocprofiler_buffer_tracing_cb_t callback;
	void *data;
	uint64_t context;
	rocprofiler_record_header_t *headers[HEADERS_MAX];
	size_t count, seen;
	uint64_t dropped;
};

static struct {
	atomic_uint misuses, configuring;
	bool is_locked, is_finished;
	struct tool tools[TOOLS_MAX];
	uint32_t tool_count, context_count, buffer_count;
	struct context contexts[CONTEXTS_MAX];
	struct buffer buffers[BUFFERS_MAX];
	pthread_mutex_t lock; /* of buffers */
	char kernels[256][128];
	uint32_t kernel_count;
	atomic_ullong correlations, dispatches, counted;
} sdk = {.lock = PTHREAD_MUTEX_INITIALIZER};

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

	atomic_fetch_add(&sdk.misuses, 1);
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

static uint64_t get_number(const char *name)
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
	if (atomic_load(&sdk.configuring) && !sdk.is_locked)
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
	if (id.handle && id.handle <= sdk.context_count)
		return &sdk.contexts[id.handle - 1];
	fake_misuse("%s with context %llu", function, (unsigned long long)id.handle);
	return NULL;
}

rocprofiler_status_t rocprofiler_create_context(rocprofiler_context_id_t *context)
{
	BEGIN(create_context);
	if (!context || context->handle || sdk.context_count == CONTEXTS_MAX) {
		fake_misuse("create_context into a handle that is in use");
		return ROCPROFILER_STATUS_ERROR_CONTEXT_ID_NOT_ZERO;
	}
	context->handle = ++sdk.context_count;
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
	if (!buffer.handle || buffer.handle > sdk.buffer_count ||
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

/* ---- buffers ---- */

rocprofiler_status_t rocprofiler_create_buffer(rocprofiler_context_id_t context, size_t size,
					       size_t watermark, rocprofiler_buffer_policy_t policy,
					       rocprofiler_buffer_tracing_cb_t callback, void *data,
					       rocprofiler_buffer_id_t *buffer)
{
	BEGIN(create_buffer);
	if (!find_context(context, "create_buffer"))
		return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
	if (!callback || !buffer || !size || watermark > size || sdk.buffer_count == BUFFERS_MAX ||
	    (policy != ROCPROFILER_BUFFER_POLICY_DISCARD &&
	     policy != ROCPROFILER_BUFFER_POLICY_LOSSLESS)) {
		fake_misuse("create_buffer of %zu bytes, watermark %zu, policy %d", size, watermark,
			    (int)policy);
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	}
	sdk.buffers[sdk.buffer_count] = (struct buffer){.watermark = watermark,
							.callback = callback,
							.data = data,
							.context = context.handle};
	buffer->handle = ++sdk.buffer_count;
	return ROCPROFILER_STATUS_SUCCESS;
}

static void sleep_late(void)
{
	uint64_t ms = get_number("late");
	struct timespec time = {.tv_sec = (time_t)(ms / 1000),
				.tv_nsec = (long)(ms % 1000) * 1000000};

	if (ms)
		nanosleep(&time, NULL);
}

/* On a thread of the library's, as there. */
static void *deliver(void *user)
{
	struct buffer *buffer = user;
	uint32_t number = (uint32_t)(buffer - sdk.buffers) + 1;

	sleep_late();
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
		memset(buffer->headers[i]->payload, 0xa5, 64);
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
	if (!id.handle || id.handle > sdk.buffer_count) {
		fake_misuse("flush_buffer of %llu", (unsigned long long)id.handle);
		return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
	}
	pthread_mutex_lock(&sdk.lock);
	flush(&sdk.buffers[id.handle - 1]);
	pthread_mutex_unlock(&sdk.lock);
	return ROCPROFILER_STATUS_SUCCESS;
}

static void put(struct context *context, uint32_t kind, const void *record, size_t size)
{
	struct buffer *buffer = &sdk.buffers[context->buffer_of[kind] - 1];
	rocprofiler_record_header_t *header;
	uint64_t drop = get_number("drop");

	pthread_mutex_lock(&sdk.lock);
	if (drop && ++buffer->seen % drop == 0) {
		buffer->dropped++;
	} else {
		header = calloc(1, sizeof(*header));
		header->category = ROCPROFILER_BUFFER_CATEGORY_TRACING;
		header->kind = kind;
		header->payload = malloc(size);
		memcpy(header->payload, record, size);
		buffer->headers[buffer->count++] = header;
		buffer->used += size + sizeof(*header);
	}
	if (buffer->used >= buffer->watermark || buffer->count == HEADERS_MAX)
		flush(buffer);
	pthread_mutex_unlock(&sdk.lock);
}

#define EACH_CONTEXT(context)                                                                    \
	for (struct context *context = sdk.contexts; context < sdk.contexts + sdk.context_count; \
	     context++)                                                                          \
		if (context->is_active)

static void put_everywhere(uint32_t kind, const void *record, size_t size)
{
	EACH_CONTEXT(context)
	if (context->buffer_of[kind])
		put(context, kind, record, size);
}

/* ---- tools ---- */

/* A tool that does not load ends the program, as with AMD's library. */
static void load_tool(const char *path)
{
	rocprofiler_configure_func_t configure;
	struct tool *tool = &sdk.tools[sdk.tool_count];
	const rocprofiler_client_id_t id = {.size = sizeof(id), .handle = sdk.tool_count + 1};
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
	sdk.tool_count++;
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
	atomic_store(&sdk.configuring, 1);
	for (uint32_t i = 0; i < sdk.tool_count; i++)
		if (sdk.tools[i].result->initialize &&
		    sdk.tools[i].result->initialize(finalize_tool, sdk.tools[i].result->tool_data))
			memset(sdk.contexts, 0, sizeof(sdk.contexts));
	sdk.is_locked = true;
}

FAKE_API uint32_t fake_finish(void)
{
	if (!sdk.is_finished) {
		sdk.is_finished = true;
		for (uint32_t i = 0; i < sdk.tool_count; i++)
			if (sdk.tools[i].result->finalize)
				sdk.tools[i].result->finalize(sdk.tools[i].result->tool_data);
		for (uint32_t i = 0; i < sdk.buffer_count; i++)
			if (sdk.buffers[i].count)
				fake_misuse("%zu records were left in a buffer",
					    sdk.buffers[i].count);
	}
	return atomic_load(&sdk.misuses);
}

/* ---- what the program does ---- */

FAKE_API void fake_load(const char *const *names, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		char *name = sdk.kernels[sdk.kernel_count++];
		rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t symbol = {
			.size = sizeof(symbol),
			.kernel_id = sdk.kernel_count,
			.code_object_id = 1,
			.kernel_name = name,
			.group_segment_size = 512,
			.arch_vgpr_count = 24,
			.sgpr_count = 32};
		rocprofiler_callback_tracing_record_t record = {
			.kind = ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT,
			.operation = ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER,
			.phase = ROCPROFILER_CALLBACK_PHASE_LOAD,
			.thread_id = (uint64_t)gettid(),
			.payload = &symbol};
		rocprofiler_user_data_t user_data = {0};

		snprintf(name, sizeof(sdk.kernels[0]), "%s.kd", names[i]);
		EACH_CONTEXT(context)
		if (context->callback_of[record.kind])
			context->callback_of[record.kind](record, &user_data,
							  context->callback_data[record.kind]);
	}
}

FAKE_API void fake_call_begin(struct fake_call *call, uint32_t kind, int32_t operation)
{
	*call = (struct fake_call){.kind = kind,
				   .operation = operation,
				   .correlation = atomic_fetch_add(&sdk.correlations, 1) + 1,
				   .start_ns = fake_now()};
}

FAKE_API void fake_call_end(struct fake_call *call)
{
	rocprofiler_buffer_tracing_hip_api_record_t record = {
		.size = sizeof(record),
		.kind = (rocprofiler_buffer_tracing_kind_t)call->kind,
		.operation = call->operation,
		.correlation_id = {.internal = call->correlation},
		.start_timestamp = call->start_ns,
		.end_timestamp = fake_now(),
		.thread_id = (uint64_t)gettid()};

	put_everywhere(call->kind, &record, sizeof(record));
}

FAKE_API void fake_copy(uint32_t operation, uint64_t bytes)
{
	uint64_t gpu = FAKE_AGENT_BASE + FAKE_NODE_GPU, cpu = FAKE_AGENT_BASE + FAKE_NODE_CPU;
	rocprofiler_buffer_tracing_memory_copy_record_t record = {
		.size = sizeof(record),
		.kind = ROCPROFILER_BUFFER_TRACING_MEMORY_COPY,
		.operation = (rocprofiler_memory_copy_operation_t)operation,
		.correlation_id = {.internal = atomic_load(&sdk.correlations)},
		.thread_id = (uint64_t)gettid(),
		.start_timestamp = fake_now(),
		.dst_agent_id = {.handle = operation == 2 ? gpu : cpu},
		.src_agent_id = {.handle = operation == 2 ? cpu : gpu},
		.bytes = bytes};

	record.end_timestamp = fake_now();
	put_everywhere(record.kind, &record, sizeof(record));
}

/* Asks the tools about it: the configs by context. */
static void announce(const rocprofiler_kernel_dispatch_info_t *info, uint64_t correlation,
		     uint64_t *configs, rocprofiler_user_data_t *user_data)
{
	rocprofiler_callback_tracing_kernel_dispatch_data_t payload = {.size = sizeof(payload),
								       .dispatch_info = *info};
	rocprofiler_callback_tracing_record_t record = {
		.kind = ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH,
		.operation = ROCPROFILER_KERNEL_DISPATCH_ENQUEUE,
		.phase = ROCPROFILER_CALLBACK_PHASE_ENTER,
		.correlation_id = {.internal = correlation},
		.thread_id = (uint64_t)gettid(),
		.payload = &payload};
	const rocprofiler_dispatch_counting_service_data_t data = {
		.size = sizeof(data),
		.correlation_id = {.internal = correlation},
		.dispatch_info = *info};

	EACH_CONTEXT(context)
	{
		size_t index = (size_t)(context - sdk.contexts);
		rocprofiler_counter_config_id_t config = {0};
		rocprofiler_user_data_t ignored = {0};

		if (context->callback_of[record.kind])
			context->callback_of[record.kind](record, &ignored,
							  context->callback_data[record.kind]);
		if (context->on_dispatch)
			context->on_dispatch(data, &config, &user_data[index],
					     context->dispatch_data);
		if (config.handle && !fake_is_config(config.handle))
			fake_misuse("dispatch %llu is to be counted with config %llu",
				    (unsigned long long)info->dispatch_id,
				    (unsigned long long)config.handle);
		else
			configs[index] = config.handle;
	}
}

static void tell_values(struct context *context,
			const rocprofiler_dispatch_counting_service_data_t *data, uint64_t config,
			rocprofiler_user_data_t user_data)
{
	static _Thread_local struct fake_record raw[VALUES_MAX];
	rocprofiler_counter_record_t *values;
	uint64_t number = atomic_fetch_add(&sdk.counted, 1) + 1, silent = get_number("silent");
	uint32_t count;

	if (silent && number % silent == 0)
		return;
	count = fake_count(config, number, raw, VALUES_MAX);
	values = calloc(count + 1, sizeof(*values));
	for (uint32_t i = 0; i < count; i++)
		values[i] = (rocprofiler_counter_record_t){
			.id = raw[i].id,
			.counter_value = raw[i].value,
			.dispatch_id = data->dispatch_info.dispatch_id,
			.user_data = user_data,
			.agent_id = data->dispatch_info.agent_id};
	sleep_late();
	context->on_values(*data, values, count, user_data, context->values_data);
	free(values);
}

FAKE_API void fake_dispatch(struct fake_dispatch *dispatch)
{
	uint64_t configs[CONTEXTS_MAX] = {0}, correlation = atomic_load(&sdk.correlations);
	rocprofiler_user_data_t user_data[CONTEXTS_MAX] = {{0}};
	rocprofiler_buffer_tracing_kernel_dispatch_record_t record = {
		.size = sizeof(record),
		.kind = ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH,
		.operation = ROCPROFILER_KERNEL_DISPATCH_COMPLETE,
		.correlation_id = {.internal = correlation},
		.thread_id = (uint64_t)gettid(),
		.dispatch_info = {
			.size = sizeof(record.dispatch_info) - 56,
			.agent_id = {.handle = FAKE_AGENT_BASE + FAKE_NODE_GPU},
			.queue_id = {.handle = dispatch->queue},
			.kernel_id = dispatch->kernel,
			.dispatch_id = atomic_fetch_add(&sdk.dispatches, 1) + 1,
			.group_segment_size = 512,
			.workgroup_size = {dispatch->workgroup[0], dispatch->workgroup[1],
					   dispatch->workgroup[2]},
			.grid_size = {dispatch->grid[0], dispatch->grid[1], dispatch->grid[2]}}};
	rocprofiler_dispatch_counting_service_data_t data = {
		.size = sizeof(data), .correlation_id = record.correlation_id};

	announce(&record.dispatch_info, correlation, configs, user_data);
	record.start_timestamp = fake_now();
	while (fake_now() - record.start_timestamp < dispatch->duration_ns)
		;
	record.end_timestamp = fake_now();
	if (fake_has("future"))
		record.end_timestamp += UINT64_C(3600000000000);
	data.start_timestamp = record.start_timestamp;
	data.end_timestamp = record.end_timestamp;
	data.dispatch_info = record.dispatch_info;
	for (uint32_t i = 0; i < sdk.context_count; i++)
		if (configs[i])
			tell_values(&sdk.contexts[i], &data, configs[i], user_data[i]);
	put_everywhere(record.kind, &record, sizeof(record));
	dispatch->id = record.dispatch_info.dispatch_id;
	dispatch->start_ns = record.start_timestamp;
	dispatch->end_ns = record.end_timestamp;
}
