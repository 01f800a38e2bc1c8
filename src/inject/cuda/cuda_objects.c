/* SPDX-License-Identifier: MIT */
#include "inject/cuda/cuda_objects.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inject/attribute_env.h"
#include "inject/cuda/cuda_counting.h"
#include "inject/cuda/cuda_devices.h"
#include "inject/cuda/cuda_functions.h"
#include "inject/cuda/cuda_names.h"
#include "inject/handles.h"
#include "intercept/intercept.h"
#include "tacho/recording.h"

enum { NODES_MAX = 1 << 16, GRAPH_DEPTH_MAX = 8 };

/* Handles of what has none of its own; the driver's are pointers, and smaller. */
#define STREAM_OF_CONTEXT(context) ((uintptr_t)(context) | UINT64_C(1) << 56)
#define STREAM_OF_THREAD(context, thread) \
	(((uintptr_t)(context) ^ (uint64_t)(thread) << 32) | UINT64_C(1) << 57)
#define STREAM_BY_ID(context_id, stream_id) \
	((uint64_t)(context_id) << 32 | (stream_id) | UINT64_C(1) << 58)

/* Never 0, which is what was not met. */
#define OWNER(context) ((uintptr_t)(context) + 1)

/* What was met of a function: which thing it is changes when a module is unloaded. */
struct entry {
	struct tacho__cuda_kernel kernel;
	atomic_uint epoch;
};

static struct {
	pthread_mutex_t lock; /* of what is told, so that it is told once */
	struct tacho__handles contexts, by_id, kernels;
	struct tacho__handles streams, modules; /* to OWNER() of their context */
	atomic_bool is_full;			/* more is not met */
	atomic_uint epoch; /* from 1; rises when functions' handles may be given out again */
	atomic_int captures;
} objects = {.lock = PTHREAD_MUTEX_INITIALIZER, .epoch = 1};

static const void *key(uint64_t handle)
{
	return (const void *)(uintptr_t)handle;
}

/* ---- contexts ---- */

static uint32_t get_device(void *context)
{
	uint32_t id = 0;

	if (tacho__cuda.cuptiGetDeviceId && context)
		tacho__cuda.cuptiGetDeviceId(context, &id);
	return id;
}

/* Under the lock, inside of own calls. */
static void meet_context(void *context)
{
	struct tacho__attributes attributes = {.size = 0};
	uint32_t device, id = 0;

	if (!context || tacho__handles_get(&objects.contexts, context))
		return;
	device = get_device(context);
	tacho__cuda_meet_device(device);
	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "devices", "0x%" PRIX64,
			      TACHO__CUDA_DEVICE_HANDLE(device));
	if (tacho__cuda.cuptiGetContextId && !tacho__cuda.cuptiGetContextId(context, &id))
		tacho__attributes_add(&attributes, "number", "%" PRIu32, id);
	tacho__cuda_report(TACHO_OBJECT_CONTEXT, (uintptr_t)context, &attributes);
	tacho__handles_set(&objects.contexts, context, 1);
}

static void begin(void)
{
	tacho__cuda_begin_own_calls();
	pthread_mutex_lock(&objects.lock);
}

static void end(void)
{
	pthread_mutex_unlock(&objects.lock);
	tacho__cuda_end_own_calls();
}

static void forget(struct tacho__handles *handles, void *context)
{
	for (size_t i = 0; i < TACHO__HANDLES_MAX; i++)
		if (atomic_load(&handles->values[i]) == OWNER(context))
			atomic_store(&handles->values[i], 0);
}

void tacho__cuda_lose_context(void *context)
{
	pthread_mutex_lock(&objects.lock);
	tacho__handles_set(&objects.contexts, context, 0);
	forget(&objects.streams, context);
	forget(&objects.modules, context);
	pthread_mutex_unlock(&objects.lock);
	atomic_fetch_add(&objects.epoch, 1);
}

void tacho__cuda_lose_module(void *module)
{
	if (module && tacho__handles_get(&objects.modules, module))
		tacho__handles_set(&objects.modules, module, 0);
	atomic_fetch_add(&objects.epoch, 1);
}

void tacho__cuda_lose_library(void *library)
{
	void *module = NULL;

	tacho__cuda_begin_own_calls();
	if (tacho__cuda.cuLibraryGetModule && tacho__cuda.cuLibraryGetModule(&module, library))
		module = NULL;
	tacho__cuda_end_own_calls();
	tacho__cuda_lose_module(module);
}

/* ---- streams ---- */

/* Stream 0 is the context's, or the thread's own; so are two handles that mean it. */
static uint64_t get_handle(void *context, void *stream, bool per_thread)
{
	uintptr_t given = (uintptr_t)stream;

	if (given == TACHO__CUDA_STREAM_PER_THREAD || (!given && per_thread))
		return STREAM_OF_THREAD(context, gettid());
	if (!given || given == TACHO__CUDA_STREAM_LEGACY)
		return STREAM_OF_CONTEXT(context);
	return given;
}

static void add_stream_facts(struct tacho__attributes *attributes, void *stream)
{
	unsigned flags = 0;
	int priority = 0;

	if (tacho__cuda.cuStreamGetPriority && !tacho__cuda.cuStreamGetPriority(stream, &priority))
		tacho__attributes_add(attributes, "priority", "%d", priority);
	if (tacho__cuda.cuStreamGetFlags && !tacho__cuda.cuStreamGetFlags(stream, &flags))
		tacho__attributes_add(attributes, "flags", "0x%X", flags);
}

/* So that records, which have numbers, find it. */
static void note_id(void *context, void *stream, bool per_thread, uint64_t handle,
		    struct tacho__attributes *attributes)
{
	uint32_t context_id = 0, id = 0;

	if (!tacho__cuda.cuptiGetStreamIdEx || !tacho__cuda.cuptiGetContextId || !context ||
	    tacho__cuda.cuptiGetContextId(context, &context_id) ||
	    tacho__cuda.cuptiGetStreamIdEx(context, stream, per_thread, &id))
		return;
	tacho__attributes_add(attributes, "number", "%" PRIu32, id);
	tacho__handles_set(&objects.by_id, key(STREAM_BY_ID(context_id, id)), handle);
}

uint64_t tacho__cuda_meet_stream(void *context, void *stream, bool per_thread)
{
	uint64_t handle = get_handle(context, stream, per_thread);
	struct tacho__attributes attributes = {.size = 0};
	bool is_default = handle != (uintptr_t)stream;

	if (tacho__handles_get(&objects.streams, key(handle)))
		return handle;
	if (atomic_load(&objects.is_full))
		return 0;
	begin();
	if (tacho__handles_get(&objects.streams, key(handle)))
		goto out;
	meet_context(context);
	attributes.text[0] = '\0';
	if (is_default)
		tacho__attributes_add(&attributes, "name", "%s",
				      handle == STREAM_OF_CONTEXT(context)
					      ? "default stream"
					      : "default stream of a thread");
	if (context) {
		tacho__attributes_add(&attributes, "context", "0x%" PRIXPTR, (uintptr_t)context);
		tacho__attributes_add(&attributes, "device", "0x%" PRIX64,
				      TACHO__CUDA_DEVICE_HANDLE(get_device(context)));
	}
	if (!stream && per_thread)
		stream = (void *)(uintptr_t)TACHO__CUDA_STREAM_PER_THREAD;
	add_stream_facts(&attributes, stream);
	note_id(context, stream, per_thread, handle, &attributes);
	tacho__cuda_report(TACHO_OBJECT_QUEUE, handle, &attributes);
	if (!tacho__handles_set(&objects.streams, key(handle), OWNER(context)))
		atomic_store(&objects.is_full, true);
out:
	end();
	return handle;
}

void tacho__cuda_lose_stream(void *stream)
{
	if (tacho__handles_get(&objects.streams, stream))
		tacho__handles_set(&objects.streams, stream, 0);
}

/* Nothing of the driver is called here: who takes records may hold locks of libcupti's. */
uint64_t tacho__cuda_find_stream(uint32_t device, uint32_t context_id, uint32_t stream_id)
{
	uint64_t by_id = STREAM_BY_ID(context_id, stream_id);
	uint64_t handle = tacho__handles_get(&objects.by_id, key(by_id));
	struct tacho__attributes attributes = {.size = 0};

	if (handle)
		return handle;
	if (!tacho__handles_set(&objects.by_id, key(by_id), by_id))
		return 0;
	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "name", "stream %" PRIu32 " of context %" PRIu32,
			      stream_id, context_id);
	tacho__attributes_add(&attributes, "number", "%" PRIu32, stream_id);
	tacho__attributes_add(&attributes, "device", "0x%" PRIX64,
			      TACHO__CUDA_DEVICE_HANDLE(device));
	tacho__cuda_report(TACHO_OBJECT_QUEUE, by_id, &attributes);
	return by_id;
}

/* ---- functions ---- */

/* Launches take kernels of libraries in the place of functions. */
static void *get_function(void *function)
{
	void *own = NULL;
	int value;

	if (!tacho__cuda.cuFuncGetAttribute ||
	    !tacho__cuda.cuFuncGetAttribute(&value, TACHO__CUDA_FUNCTION_REGISTERS, function))
		return function;
	if (tacho__cuda.cuKernelGetFunction && !tacho__cuda.cuKernelGetFunction(&own, function) &&
	    own)
		return own;
	return function;
}

static void add_function_facts(struct tacho__attributes *attributes, void *function)
{
	static const struct {
		const char *key;
		enum tacho__cuda_function_attribute attribute;
	} numbers[] = {
		{"registers", TACHO__CUDA_FUNCTION_REGISTERS},
		{"local_bytes", TACHO__CUDA_FUNCTION_SHARED_BYTES},
		{"private_bytes", TACHO__CUDA_FUNCTION_LOCAL_BYTES},
		{"const_bytes", TACHO__CUDA_FUNCTION_CONST_BYTES},
		{"max_group_size", TACHO__CUDA_FUNCTION_MAX_THREADS},
	};
	int value;

	if (!tacho__cuda.cuFuncGetAttribute)
		return;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!tacho__cuda.cuFuncGetAttribute(&value, (int)numbers[i].attribute, function) &&
		    value >= 0)
			tacho__attributes_add(attributes, numbers[i].key, "%d", value);
}

static const char *get_symbol(void *function, void *given, const char *symbol)
{
	const char *name = NULL;

	if (symbol && *symbol)
		return symbol;
	if (tacho__cuda.cuFuncGetName && !tacho__cuda.cuFuncGetName(&name, function) && name)
		return name;
	if (tacho__cuda.cuKernelGetName && !tacho__cuda.cuKernelGetName(&name, given) && name)
		return name;
	return "";
}

/* Under the lock. The module as a program; 0: the driver does not tell. */
static uint64_t meet_module(void *context, void *function)
{
	struct tacho__attributes attributes = {.size = 0};
	void *module = NULL;

	if (!tacho__cuda.cuFuncGetModule || tacho__cuda.cuFuncGetModule(&module, function) ||
	    !module)
		return 0;
	if (tacho__handles_get(&objects.modules, module))
		return (uintptr_t)module;
	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "context", "0x%" PRIXPTR, (uintptr_t)context);
	tacho__cuda_report(TACHO_OBJECT_PROGRAM, (uintptr_t)module, &attributes);
	tacho__handles_set(&objects.modules, module, OWNER(context));
	return (uintptr_t)module;
}

/* Under the lock, inside of own calls. */
static void tell_kernel(struct entry *entry, void *context, void *given, const char *symbol)
{
	struct tacho__attributes attributes = {.size = 0};
	void *function = get_function(given);
	const char *mangled = get_symbol(function, given, symbol);
	char *written = tacho__cuda_demangle(mangled);
	uint64_t module = meet_module(context, function);

	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "name", "%s", written ? written : mangled);
	if (written)
		tacho__attributes_add(&attributes, "symbol", "%s", mangled);
	if (module)
		tacho__attributes_add(&attributes, "program", "0x%" PRIX64, module);
	add_function_facts(&attributes, function);
	snprintf(entry->kernel.counted.name, sizeof(entry->kernel.counted.name), "%.*s",
		 TACHO__KERNEL_NAME_MAX - 1, written ? written : mangled);
	entry->kernel.handle = (uintptr_t)given;
	tacho__cuda_report(TACHO_OBJECT_KERNEL, entry->kernel.handle, &attributes);
	tacho__cuda_name_set(mangled, entry->kernel.handle);
	free(written);
}

static struct entry *find_kernel(void *function)
{
	struct entry *entry =
		(struct entry *)(uintptr_t)tacho__handles_get(&objects.kernels, function);

	return entry && atomic_load_explicit(&entry->epoch, memory_order_acquire) ==
				       atomic_load_explicit(&objects.epoch, memory_order_acquire)
		       ? entry
		       : NULL;
}

/*
 * Under the lock. A handle that means something else by now has a new entry: others may look at the
 * old one. NULL: there is no memory, or no room for more handles.
 */
static struct entry *renew_kernel(void *context, void *function, const char *symbol)
{
	struct entry *old =
		(struct entry *)(uintptr_t)tacho__handles_get(&objects.kernels, function);
	struct entry *entry = atomic_load(&objects.is_full) ? NULL : calloc(1, sizeof(*entry));
	unsigned epoch = atomic_load(&objects.epoch);

	if (!entry)
		return NULL;
	tell_kernel(entry, context, function, symbol);
	if (old && !strcmp(old->kernel.counted.name, entry->kernel.counted.name)) {
		free(entry);
		entry = old;
	} else if (!tacho__handles_set(&objects.kernels, function, (uintptr_t)entry)) {
		atomic_store(&objects.is_full, true);
		free(entry);
		return NULL;
	}
	atomic_store_explicit(&entry->epoch, epoch, memory_order_release);
	return entry;
}

struct tacho__cuda_kernel *tacho__cuda_meet_kernel(void *context, void *function,
						   const char *symbol)
{
	struct entry *entry = find_kernel(function);

	if (entry)
		return &entry->kernel;
	begin();
	entry = find_kernel(function);
	if (!entry) {
		meet_context(context);
		entry = renew_kernel(context, function, symbol);
	}
	end();
	return entry ? &entry->kernel : NULL;
}

uint64_t tacho__cuda_find_kernel(const char *symbol)
{
	return tacho__cuda_name_get(symbol);
}

/* ---- graphs ---- */

static void meet_node(void *node, int depth);

static void meet_nodes(void *graph, int depth)
{
	size_t count = 0;
	void **nodes;

	if (depth == GRAPH_DEPTH_MAX || tacho__cuda.cuGraphGetNodes(graph, NULL, &count) ||
	    !count || count > NODES_MAX)
		return;
	nodes = calloc(count, sizeof(*nodes));
	if (nodes && !tacho__cuda.cuGraphGetNodes(graph, nodes, &count))
		for (size_t i = 0; i < count; i++)
			meet_node(nodes[i], depth);
	free(nodes);
}

static void meet_node(void *node, int depth)
{
	union {
		struct tacho__cuda_node_params params;
		char room[256]; /* of versions to come */
	} kernel = {.room = {0}};
	void *child = NULL;
	int type;

	if (tacho__cuda.cuGraphNodeGetType(node, &type))
		return;
	if (type == TACHO__CUDA_NODE_KERNEL && tacho__cuda.cuGraphKernelNodeGetParams_v2 &&
	    !tacho__cuda.cuGraphKernelNodeGetParams_v2(node, &kernel)) {
		void *function =
			kernel.params.function ? kernel.params.function : kernel.params.kernel;

		if (function)
			tacho__cuda_meet_kernel(kernel.params.context, function, NULL);
	}
	if (type == TACHO__CUDA_NODE_GRAPH && tacho__cuda.cuGraphChildGraphNodeGetGraph &&
	    !tacho__cuda.cuGraphChildGraphNodeGetGraph(node, &child) && child)
		meet_nodes(child, depth + 1);
}

void tacho__cuda_meet_graph(void *graph)
{
	if (!graph || !tacho__cuda.cuGraphGetNodes || !tacho__cuda.cuGraphNodeGetType)
		return;
	tacho__cuda_begin_own_calls();
	meet_nodes(graph, 0);
	tacho__cuda_end_own_calls();
}

/* ---- captures ---- */

void tacho__cuda_count_captures(int more)
{
	atomic_fetch_add_explicit(&objects.captures, more, memory_order_relaxed);
}

/* The driver is asked only while there may be captures. */
bool tacho__cuda_is_captured(void *stream, bool per_thread)
{
	int status = 0;
	bool is_captured;

	if (atomic_load_explicit(&objects.captures, memory_order_relaxed) <= 0 ||
	    !tacho__cuda.cuStreamIsCapturing)
		return false;
	if (!stream && per_thread)
		stream = (void *)(uintptr_t)TACHO__CUDA_STREAM_PER_THREAD;
	tacho__cuda_begin_own_calls();
	is_captured = !tacho__cuda.cuStreamIsCapturing(stream, &status) && status;
	tacho__cuda_end_own_calls();
	return is_captured;
}
