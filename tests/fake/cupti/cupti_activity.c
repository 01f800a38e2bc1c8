/* SPDX-License-Identifier: MIT */
/*
 * libcupti as a fake: activity. What the GPU has done becomes a record that waits; a thread of
 * this file puts what waits into buffers that the tool gives, and gives these back when they are
 * full, when the tool asks for it, or each period that the tool has set.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cupti_target.h"

enum { UNKNOWN_KIND = 9999, FILLER_KIND = 9998, UNKNOWN_BYTES = 64, TORN_BYTES = 24 };

union record {
	uint32_t kind;
	CUpti_ActivityKernel10 kernel;
	CUpti_ActivityMemcpy6 copy;
	CUpti_ActivityMemset4 set;
	CUpti_ActivityAPI api;
	CUpti_ActivitySynchronization2 synchronization;
	CUpti_ActivityExternalCorrelation external;
	CUpti_ActivityGraphTrace2 graph;
	uint32_t words[UNKNOWN_BYTES / 4];
};

struct waiting {
	struct waiting *next;
	uint64_t ready_ns;
	uint32_t correlation;
	union record record;
};

typedef void (*request_fn)(uint8_t **buffer, size_t *size, size_t *max_records);
typedef void (*complete_fn)(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size,
			    size_t used);

static struct {
	const struct fake_cuda_hooks *hooks;
	atomic_bool enabled[KINDS_MAX], is_forked;
	request_fn request;
	complete_fn complete;
	pthread_mutex_t lock; /* of what waits */
	pthread_cond_t more;
	struct waiting *first, *last;
	size_t dropped, of_work;
	atomic_uint period_ms;
	pthread_mutex_t delivering; /* of the buffer */
	uint8_t *buffer;
	size_t size, used, count, max_count;
	uint32_t *correlations, *kinds; /* of the records in it, for the log */
} activity = {.lock = PTHREAD_MUTEX_INITIALIZER, .delivering = PTHREAD_MUTEX_INITIALIZER};

static bool has(const char *word)
{
	return activity.hooks->has_word(word);
}

static uint64_t monotonic_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static size_t size_of(const uint8_t *at)
{
	uint32_t words[2];

	memcpy(words, at, sizeof(words));
	switch (words[0]) {
	case CUPTI_ACTIVITY_KIND_KERNEL:
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
		return has("kernel9") ? KERNEL9_BYTES : sizeof(CUpti_ActivityKernel10);
	case CUPTI_ACTIVITY_KIND_MEMCPY: return sizeof(CUpti_ActivityMemcpy6);
	case CUPTI_ACTIVITY_KIND_MEMSET: return sizeof(CUpti_ActivityMemset4);
	case CUPTI_ACTIVITY_KIND_DRIVER:
	case CUPTI_ACTIVITY_KIND_RUNTIME: return sizeof(CUpti_ActivityAPI);
	case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION: return sizeof(CUpti_ActivitySynchronization2);
	case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
		return sizeof(CUpti_ActivityExternalCorrelation);
	case CUPTI_ACTIVITY_KIND_GRAPH_TRACE: return sizeof(CUpti_ActivityGraphTrace2);
	case FILLER_KIND: return words[1];
	default: return UNKNOWN_BYTES;
	}
}

/* Fills the buffer up to a record that does not fit. */
static void tear(void)
{
	uint32_t filler[2] = {FILLER_KIND, 0}, kernel = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
	size_t room = activity.size - activity.used;

	if (room < TORN_BYTES + sizeof(filler))
		return;
	filler[1] = (uint32_t)(room - TORN_BYTES);
	memcpy(activity.buffer + activity.used, filler, sizeof(filler));
	memset(activity.buffer + activity.size - TORN_BYTES, 0x7f, TORN_BYTES);
	memcpy(activity.buffer + activity.size - TORN_BYTES, &kernel, sizeof(kernel));
	activity.used = activity.size;
}

static void give_back(void)
{
	uint8_t *buffer = activity.buffer;
	size_t size = activity.size;

	if (!buffer)
		return;
	if (has("torn"))
		tear();
	activity.buffer = NULL;
	activity.complete(NULL, 0, buffer, size, activity.used);
	for (size_t i = 0; i < activity.count; i++)
		activity.hooks->log("delivered %u %u", activity.correlations[i], activity.kinds[i]);
	activity.count = activity.used = 0;
}

/* False: there is no buffer for so many bytes. */
static bool make_room(size_t bytes)
{
	if (activity.buffer && (activity.used + bytes > activity.size ||
				(activity.max_count && activity.count == activity.max_count)))
		give_back();
	if (activity.buffer)
		return true;
	activity.size = activity.max_count = 0;
	activity.request(&activity.buffer, &activity.size, &activity.max_count);
	if (!activity.buffer || activity.size < bytes || (uintptr_t)activity.buffer % 8) {
		activity.buffer = NULL;
		return false;
	}
	return true;
}

static void put(uint32_t correlation, const union record *record)
{
	size_t bytes = size_of((const uint8_t *)record);

	if (!activity.request || !make_room(bytes)) {
		pthread_mutex_lock(&activity.lock);
		activity.dropped++;
		pthread_mutex_unlock(&activity.lock);
		return;
	}
	memcpy(activity.buffer + activity.used, record, bytes);
	activity.used += bytes;
	activity.correlations = realloc(activity.correlations,
					(activity.count + 1) * sizeof(*activity.correlations));
	activity.kinds = realloc(activity.kinds, (activity.count + 1) * sizeof(*activity.kinds));
	activity.correlations[activity.count] = correlation;
	activity.kinds[activity.count++] = record->kind;
}

static void put_all(const struct waiting *waiting)
{
	static const union record unknown = {.words = {UNKNOWN_KIND, 1, 2, 3}};

	if (has("unknown"))
		put(0, &unknown);
	put(waiting->correlation, &waiting->record);
	if (has("twice"))
		put(waiting->correlation, &waiting->record);
}

/* What waits and is ready, as a list. */
static struct waiting *take(bool is_forced)
{
	struct waiting *taken = NULL, **end = &taken, **at;
	uint64_t now = monotonic_ns();

	pthread_mutex_lock(&activity.lock);
	for (at = &activity.first; *at;) {
		struct waiting *waiting = *at;

		if (!is_forced && waiting->ready_ns > now) {
			at = &waiting->next;
			continue;
		}
		*at = waiting->next;
		*end = waiting;
		end = &waiting->next;
		*end = NULL;
	}
	activity.last = NULL;
	for (struct waiting *waiting = activity.first; waiting; waiting = waiting->next)
		activity.last = waiting;
	pthread_mutex_unlock(&activity.lock);
	return taken;
}

static struct waiting *turn_round(struct waiting *list)
{
	struct waiting *turned = NULL;

	while (list) {
		struct waiting *next = list->next;

		list->next = turned;
		turned = list;
		list = next;
	}
	return turned;
}

static void deliver(bool is_forced, bool gives_back)
{
	struct waiting *list;

	pthread_mutex_lock(&activity.delivering);
	list = take(is_forced);
	if (has("order"))
		list = turn_round(list);
	while (list) {
		struct waiting *next = list->next;

		put_all(list);
		free(list);
		list = next;
	}
	if (gives_back && activity.used)
		give_back();
	pthread_mutex_unlock(&activity.delivering);
}

/* Those that came first are late for as long as the others. */
static bool is_ready(void)
{
	return activity.first && activity.first->ready_ns <= monotonic_ns();
}

/* "order" needs several to be out of order. */
static void *work(void *unused)
{
	uint64_t given_back = monotonic_ns();

	for (;;) {
		uint64_t pause_ms = has("order")	 ? 50
				    : activity.period_ms ? activity.period_ms
							 : 20;
		uint64_t until = monotonic_ns() + pause_ms * 1000000;
		struct timespec time = {.tv_sec = (time_t)(until / 1000000000),
					.tv_nsec = (long)(until % 1000000000)};
		bool is_time;

		pthread_mutex_lock(&activity.lock);
		while (monotonic_ns() < until && (has("order") || !is_ready()))
			pthread_cond_timedwait(&activity.more, &activity.lock, &time);
		pthread_mutex_unlock(&activity.lock);
		is_time = activity.period_ms &&
			  monotonic_ns() - given_back >= activity.period_ms * UINT64_C(1000000);
		if (is_time)
			given_back = monotonic_ns();
		deliver(false, is_time);
	}
	return unused;
}

static void add(uint32_t correlation, const union record *record)
{
	struct waiting *waiting = calloc(1, sizeof(*waiting));

	waiting->correlation = correlation;
	waiting->record = *record;
	waiting->ready_ns = monotonic_ns() + activity.hooks->get_word("late", 0) * 1000000;
	pthread_mutex_lock(&activity.lock);
	if (activity.last)
		activity.last->next = waiting;
	else
		activity.first = waiting;
	activity.last = waiting;
	pthread_cond_signal(&activity.more);
	pthread_mutex_unlock(&activity.lock);
}

/* There is no room for each Nth. */
static bool is_dropped(void)
{
	uint64_t every = activity.hooks->get_word("full", 0);
	bool is;

	pthread_mutex_lock(&activity.lock);
	is = every && ++activity.of_work % every == 0;
	activity.dropped += is;
	pthread_mutex_unlock(&activity.lock);
	return is;
}

static void set_times(const struct fake_cuda_work *from, uint64_t *start, uint64_t *end)
{
	bool backwards = has("backwards");

	*start = has("no_times") ? 0 : backwards ? from->end : from->start;
	*end = has("no_times") ? 0 : backwards ? from->start : from->end;
}

static void tell_kernel(const struct fake_cuda_work *from)
{
	union record record = {.words = {0}};
	CUpti_ActivityKernel10 *kernel = &record.kernel;
	uint64_t start, end;

	memset(kernel, 0, sizeof(*kernel));
	kernel->kind = activity.enabled[CUPTI_ACTIVITY_KIND_KERNEL]
			       ? CUPTI_ACTIVITY_KIND_KERNEL
			       : CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
	if (!activity.enabled[kernel->kind])
		return;
	set_times(from, &start, &end);
	kernel->registersPerThread = (uint16_t)from->function->registers;
	kernel->start = start;
	kernel->end = kernel->completed = end;
	kernel->deviceId = from->device;
	kernel->contextId = from->context_id;
	kernel->streamId = from->stream_id;
	kernel->gridX = (int32_t)from->grid[0];
	kernel->gridY = (int32_t)from->grid[1];
	kernel->gridZ = (int32_t)from->grid[2];
	kernel->blockX = (int32_t)from->block[0];
	kernel->blockY = (int32_t)from->block[1];
	kernel->blockZ = (int32_t)from->block[2];
	kernel->staticSharedMemory = (int32_t)from->function->shared_bytes;
	kernel->dynamicSharedMemory = (int32_t)from->shared_bytes;
	kernel->localMemoryPerThread = from->function->local_bytes;
	kernel->localMemoryTotal_v2 =
		(uint64_t)from->function->local_bytes * FAKE_CUDA_MULTIPROCESSORS * 2048;
	kernel->localMemoryTotal = (uint32_t)kernel->localMemoryTotal_v2;
	kernel->correlationId = from->correlation;
	kernel->gridId = from->correlation;
	kernel->name = from->function->name;
	kernel->launchType = from->is_cooperative;
	kernel->graphNodeId = from->graph_node;
	kernel->graphId = from->graph;
	kernel->clusterX = from->cluster[0];
	kernel->clusterY = from->cluster[1];
	kernel->clusterZ = from->cluster[2];
	kernel->isDeviceLaunched = from->graph && has("device");
	add(from->correlation, &record);
}

static void tell_copy(const struct fake_cuda_work *from)
{
	union record record = {.copy = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY,
					.copyKind = from->copy_kind,
					.srcKind = from->from_kind,
					.dstKind = from->to_kind,
					.flags = from->is_async,
					.bytes = from->bytes,
					.deviceId = from->device,
					.contextId = from->context_id,
					.streamId = from->stream_id,
					.correlationId = from->correlation,
					.runtimeCorrelationId = from->runtime_correlation,
					.graphNodeId = from->graph_node,
					.graphId = from->graph,
					.copyCount = 1}};
	uint64_t start, end;

	set_times(from, &start, &end);
	record.copy.start = start;
	record.copy.end = end;
	add(from->correlation, &record);
}

static void tell_set(const struct fake_cuda_work *from)
{
	union record record = {.set = {.kind = CUPTI_ACTIVITY_KIND_MEMSET,
				       .value = from->value,
				       .bytes = from->bytes,
				       .deviceId = from->device,
				       .contextId = from->context_id,
				       .streamId = from->stream_id,
				       .correlationId = from->correlation,
				       .flags = from->is_async,
				       .memoryKind = from->to_kind,
				       .graphNodeId = from->graph_node,
				       .graphId = from->graph}};
	uint64_t start, end;

	set_times(from, &start, &end);
	record.set.start = start;
	record.set.end = end;
	add(from->correlation, &record);
}

/* The launch of a graph as a whole, when that is asked for: on the thread of its stream. */
static void tell_graph(const struct fake_cuda_work *from)
{
	static _Thread_local uint64_t start;
	union record record = {.graph = {.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE,
					 .correlationId = from->correlation,
					 .end = from->end,
					 .deviceId = from->device,
					 .graphId = from->graph,
					 .contextId = from->context_id,
					 .streamId = from->stream_id,
					 .endDeviceId = from->device,
					 .endContextId = from->context_id}};

	if (from->is_first)
		start = from->start;
	record.graph.start = start;
	if (from->is_last)
		add(from->correlation, &record);
}

static void on_end(const struct fake_cuda_work *from)
{
	if (from->is_own)
		return;
	if (from->graph && activity.enabled[CUPTI_ACTIVITY_KIND_GRAPH_TRACE]) {
		tell_graph(from);
		return;
	}
	if (from->kind > FAKE_CUDA_SET || is_dropped())
		return;
	if (from->kind == FAKE_CUDA_KERNEL)
		tell_kernel(from);
	else if (from->kind == FAKE_CUDA_COPY && activity.enabled[CUPTI_ACTIVITY_KIND_MEMCPY])
		tell_copy(from);
	else if (from->kind == FAKE_CUDA_SET && activity.enabled[CUPTI_ACTIVITY_KIND_MEMSET])
		tell_set(from);
}

enum { EXTERNAL_KINDS = 8, EXTERNAL_DEPTH = 8 };
static _Thread_local struct {
	uint64_t ids[EXTERNAL_DEPTH];
	uint32_t count;
} external[EXTERNAL_KINDS];

static struct fake_cuda_observer observer;

static void on_enter(struct fake_cuda_call *call)
{
	call->data[observer.number] = activity.hooks->now();
	for (uint32_t i = 0; i < EXTERNAL_KINDS; i++) {
		union record record = {
			.external = {.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
				     .externalKind = i,
				     .correlationId = call->correlation}};

		if (!external[i].count ||
		    !activity.enabled[CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION])
			continue;
		record.external.externalId = external[i].ids[external[i].count - 1];
		add(call->correlation, &record);
	}
}

static void on_leave(struct fake_cuda_call *call)
{
	bool is_runtime = call->api == FAKE_CUDA_RUNTIME_API;
	uint32_t kind = is_runtime ? CUPTI_ACTIVITY_KIND_RUNTIME : CUPTI_ACTIVITY_KIND_DRIVER;
	union record record = {.api = {.kind = kind,
				       .cbid = call->number,
				       .start = call->data[observer.number],
				       .end = activity.hooks->now(),
				       .processId = (uint32_t)getpid(),
				       .threadId = (uint32_t)gettid(),
				       .correlationId = call->correlation,
				       .returnValue = (uint32_t) * (int *)call->result}};

	if (activity.enabled[kind])
		add(call->correlation, &record);
}

static void on_synchronized(CUcontext context, CUstream stream)
{
	union record record = {
		.synchronization = {.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
				    .type = stream ? 3 : 4,
				    .end = activity.hooks->now(),
				    .contextId = activity.hooks->context_id(context)}};

	record.synchronization.start = record.synchronization.end;
	record.synchronization.streamId =
		stream ? activity.hooks->stream_id(context, stream, false) : UINT32_MAX;
	if (activity.enabled[CUPTI_ACTIVITY_KIND_SYNCHRONIZATION])
		add(0, &record);
}

static struct fake_cuda_observer observer = {
	.enter = on_enter, .exit = on_leave, .end = on_end, .synchronized = on_synchronized};

static void after_fork(void)
{
	activity.is_forked = true;
}

void fake_activity_observe(const struct fake_cuda_hooks *hooks)
{
	pthread_condattr_t attributes;

	activity.hooks = hooks;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&activity.more, &attributes);
	pthread_condattr_destroy(&attributes);
	pthread_atfork(NULL, NULL, after_fork);
	hooks->observe(&observer);
}

static void start(void)
{
	pthread_t thread;
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	if (pthread_create(&thread, NULL, work, NULL))
		abort();
	pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static bool is_usable(void)
{
	return fake_cupti_attach() && !activity.is_forked;
}

EXPORT int cuptiActivityRegisterCallbacks(request_fn request, complete_fn complete)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!is_usable())
		return CUPTI_NOT_INITIALIZED;
	if (!request || !complete)
		return CUPTI_INVALID_PARAMETER;
	if (has("subscribed"))
		return CUPTI_MULTIPLE_SUBSCRIBERS;
	pthread_mutex_lock(&activity.delivering);
	activity.request = request;
	activity.complete = complete;
	pthread_mutex_unlock(&activity.delivering);
	pthread_once(&once, start);
	return 0;
}

static int enable(uint32_t kind, bool is_enabled)
{
	if (!is_usable())
		return CUPTI_NOT_INITIALIZED;
	if (!kind || kind >= KINDS_MAX)
		return CUPTI_INVALID_KIND;
	activity.enabled[kind] = is_enabled;
	return 0;
}

EXPORT int cuptiActivityEnable(uint32_t kind)
{
	return enable(kind, true);
}

EXPORT int cuptiActivityDisable(uint32_t kind)
{
	return enable(kind, false);
}

EXPORT int cuptiActivityFlushAll(uint32_t flag)
{
	if (!is_usable())
		return CUPTI_NOT_INITIALIZED;
	if (flag > 1)
		return CUPTI_INVALID_PARAMETER;
	deliver(flag, true);
	return 0;
}

EXPORT int cuptiActivityFlushPeriod(uint32_t period_ms)
{
	if (!is_usable())
		return CUPTI_NOT_INITIALIZED;
	activity.period_ms = period_ms;
	return 0;
}

EXPORT int cuptiActivityGetNextRecord(uint8_t *buffer, size_t used, CUpti_Activity **record)
{
	uint8_t *next;

	if (!buffer || !record)
		return CUPTI_INVALID_PARAMETER;
	next = *record ? (uint8_t *)*record + size_of((const uint8_t *)*record) : buffer;
	if (next + sizeof(CUpti_Activity) > buffer + used)
		return CUPTI_MAX_LIMIT_REACHED;
	*record = (CUpti_Activity *)next;
	return 0;
}

/* Since it was asked last, of all contexts. */
EXPORT int cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t *dropped)
{
	(void)context;
	(void)stream;
	if (!is_usable() || !dropped)
		return dropped ? CUPTI_NOT_INITIALIZED : CUPTI_INVALID_PARAMETER;
	pthread_mutex_lock(&activity.lock);
	*dropped = activity.dropped;
	activity.dropped = 0;
	pthread_mutex_unlock(&activity.lock);
	return 0;
}

EXPORT int cuptiActivityRegisterTimestampCallback(uint64_t (*clock)(void))
{
	if (!is_usable())
		return CUPTI_NOT_INITIALIZED;
	if (has("own_clock"))
		return CUPTI_NOT_SUPPORTED;
	activity.hooks->set_clock(clock);
	return 0;
}

/* Attributes are sizes, up to the eighth, which are taken and mean nothing here. */
EXPORT int cuptiActivitySetAttribute(int attribute, size_t *size, void *value)
{
	if (!is_usable())
		return CUPTI_NOT_INITIALIZED;
	return attribute < 0 || attribute > 8 || !size || !value || !*size || *size > 8
		       ? CUPTI_INVALID_PARAMETER
		       : 0;
}

EXPORT int cuptiActivityEnableLatencyTimestamps(uint8_t is_enabled)
{
	(void)is_enabled;
	return is_usable() ? 0 : CUPTI_NOT_INITIALIZED;
}

EXPORT int cuptiActivityPushExternalCorrelationId(uint32_t kind, uint64_t id)
{
	if (!is_usable())
		return CUPTI_NOT_INITIALIZED;
	if (!kind || kind >= EXTERNAL_KINDS || external[kind].count == EXTERNAL_DEPTH)
		return CUPTI_INVALID_PARAMETER;
	external[kind].ids[external[kind].count++] = id;
	return 0;
}

EXPORT int cuptiActivityPopExternalCorrelationId(uint32_t kind, uint64_t *id)
{
	if (!is_usable())
		return CUPTI_NOT_INITIALIZED;
	if (!kind || kind >= EXTERNAL_KINDS)
		return CUPTI_INVALID_PARAMETER;
	if (!external[kind].count)
		return CUPTI_QUEUE_EMPTY;
	external[kind].count--;
	if (id)
		*id = external[kind].ids[external[kind].count];
	return 0;
}

void fake_activity_finish(void)
{
	deliver(true, true);
	for (uint32_t i = 0; i < KINDS_MAX; i++)
		activity.enabled[i] = false;
}
