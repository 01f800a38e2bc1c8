/* SPDX-License-Identifier: MIT */
/*
 * The library tells of what has ended, later, from a thread of its own, and of several threads in
 * any order. Calls go into the streams of the threads that made them, in the order of their ends.
 */
#include "inject/rocm/rocm_records.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/pack.h"
#include "inject/rocm/rocm_clock.h"
#include "inject/rocm/rocm_notes.h"
#include "inject/rocm/rocm_objects.h"
#include "inject/rocm/rocm_table.h"
#include "intercept/intercept.h"
#include "record/wire.h"

#define SPAN_NS	 UINT64_C(10000000000) /* after which a span begins anew */
#define SLACK_NS UINT64_C(10000000)    /* the library puts a GPU's times on the host's clock */

typedef rocprofiler_buffer_tracing_hsa_api_record_t api_record;
typedef rocprofiler_buffer_tracing_memory_copy_record_t copy_record;
typedef rocprofiler_buffer_tracing_kernel_dispatch_record_t dispatch_record;

static struct {
	pthread_mutex_t lock; /* of the streams, and of what follows */
	struct tacho__rocm_span span;
} records = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A record, with where it belongs in time. */
struct item {
	uint64_t end; /* tick */
	const void *payload;
	uint32_t kind;
};

bool tacho__rocm_records_start(void)
{
	struct tacho__rocm_instant now;

	if (!tacho__rocm_clock_read(&now))
		return false;
	records.span = (struct tacho__rocm_span){now, now};
	return true;
}

/* The span reaches to now; a new one begins where the clocks were read last. */
static void move_span(void)
{
	struct tacho__rocm_span *span = &records.span;
	struct tacho__rocm_instant now;

	if (!tacho__rocm_clock_read(&now))
		return;
	if (span->last.library_ns - span->first.library_ns > SPAN_NS)
		span->first = span->last;
	span->last = now;
}

/* Times that can be: of something that has ended by now. */
static bool is_possible(uint64_t start_ns, uint64_t end_ns)
{
	return start_ns && start_ns <= end_ns && end_ns <= records.span.last.library_ns + SLACK_NS;
}

static uint64_t to_tick(uint64_t library_ns)
{
	return tacho__rocm_span_get_tick(&records.span, library_ns);
}

static uint64_t to_monotonic(uint64_t library_ns)
{
	return tacho__rocm_span_get_monotonic(&records.span, library_ns);
}

/* ---- calls ---- */

static void put_call(const api_record *record)
{
	int function = tacho__rocm_table_find(record->kind, record->operation);
	struct tacho__call call = {.token = NULL};
	struct tacho__pack pack;

	if (function < 0 || !is_possible(record->start_timestamp, record->end_timestamp)) {
		tacho__intercept_lost(1);
		return;
	}
	call.kind = TACHO__KIND(TACHO__ROCM_API, (unsigned)function);
	call.start = to_tick(record->start_timestamp);
	call.end = to_tick(record->end_timestamp);
	tacho__pack_begin(&pack, call.arguments);
	tacho__pack_u64(&pack, record->correlation_id.internal);
	call.size = (uint32_t)(pack.at - call.arguments);
	tacho__intercept_commit_of(&call, (uint32_t)record->thread_id);
}

/* ---- commands ---- */

/* What commands have in common. Times are the library's. */
struct command {
	enum tacho__rocm_command function;
	uint64_t start_ns, end_ns;
	uint64_t tick;	    /* of its launch, as far as is known */
	uint64_t queued_ns; /* the same on CLOCK_MONOTONIC; 0: it is not known */
	uint32_t thread;
};

/* A call of no length, where it was given to the device, with the device's times. */
static void put_command(const struct command *command, struct tacho__call *call,
			const struct tacho__pack *pack)
{
	struct tacho__times times = {.code = TACHO__SLOT_NO_PROFILING};

	call->kind = TACHO__KIND(TACHO__ROCM_API, (unsigned)command->function);
	call->start = call->end = command->tick;
	call->has_slot = true;
	call->size = (uint32_t)(pack->at - call->arguments);
	tacho__intercept_commit_of(call, command->thread);
	if (!call->token)
		return;
	if (is_possible(command->start_ns, command->end_ns)) {
		times.code = command->queued_ns ? TACHO__SLOT_TIMES : TACHO__SLOT_UNQUEUED;
		times.start = to_monotonic(command->start_ns);
		times.end = to_monotonic(command->end_ns);
		times.queued = times.start;
		if (command->queued_ns && command->queued_ns < times.start)
			times.queued = command->queued_ns;
		times.submit = times.queued;
	}
	tacho__intercept_complete(call->token, &times);
}

static void pack_sizes(struct tacho__pack *pack, uint32_t count, const rocprofiler_dim3_t *sizes)
{
	const uint32_t list[3] = {sizes->x, sizes->y, sizes->z};

	tacho__pack_u64(pack, count + 1);
	tacho__pack_u64(pack, count);
	for (uint32_t i = 0; i < count; i++)
		tacho__pack_u64(pack, list[i]);
}

static uint32_t count_dimensions(const rocprofiler_dim3_t *grid)
{
	return grid->z > 1 ? 3 : grid->y > 1 ? 2 : 1;
}

/* When nobody saw the launch it is taken to have been as the kernel began. */
static uint64_t guess_tick(uint64_t start_ns, uint64_t end_ns)
{
	return is_possible(start_ns, end_ns) ? to_tick(start_ns) : records.span.last.tick;
}

static void put_dispatch(const dispatch_record *record)
{
	const rocprofiler_kernel_dispatch_info_t *info = &record->dispatch_info;
	uint32_t dimensions = count_dimensions(&info->grid_size);
	struct command command = {.function = TACHO__ROCM_DISPATCH,
				  .start_ns = record->start_timestamp,
				  .end_ns = record->end_timestamp,
				  .thread = (uint32_t)record->thread_id};
	struct tacho__call call = {.token = NULL};
	struct tacho__rocm_note note;
	struct tacho__pack pack;

	command.tick = guess_tick(command.start_ns, command.end_ns);
	if (tacho__rocm_note_find(info->dispatch_id, &note)) {
		command.tick = note.tick;
		command.queued_ns = note.monotonic_ns;
		command.thread = note.thread;
	}
	tacho__pack_begin(&pack, call.arguments);
	tacho__pack_u64(&pack, tacho__rocm_get_queue(info->queue_id.handle, info->agent_id.handle));
	tacho__pack_u64(&pack, info->kernel_id);
	tacho__pack_u64(&pack, dimensions);
	pack_sizes(&pack, dimensions, &info->grid_size);
	pack_sizes(&pack, dimensions, &info->workgroup_size);
	tacho__pack_u64(&pack, info->dispatch_id);
	tacho__pack_u64(&pack, info->agent_id.handle);
	tacho__pack_u64(&pack, info->queue_id.handle);
	tacho__pack_u64(&pack, info->private_segment_size);
	tacho__pack_u64(&pack, info->group_segment_size);
	tacho__pack_u64(&pack, record->correlation_id.internal);
	put_command(&command, &call, &pack);
}

void tacho__rocm_put_counted(const rocprofiler_dispatch_counting_service_data_t *data)
{
	const dispatch_record record = {.size = sizeof(record),
					.kind = ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH,
					.correlation_id = data->correlation_id,
					.thread_id = (uint64_t)gettid(),
					.start_timestamp = data->start_timestamp,
					.end_timestamp = data->end_timestamp,
					.dispatch_info = data->dispatch_info};

	pthread_mutex_lock(&records.lock);
	move_span();
	put_dispatch(&record);
	pthread_mutex_unlock(&records.lock);
}

static enum tacho__rocm_command kind_of_copy(rocprofiler_memory_copy_operation_t operation)
{
	switch (operation) {
	case ROCPROFILER_MEMORY_COPY_HOST_TO_DEVICE: return TACHO__ROCM_COPY_TO_DEVICE;
	case ROCPROFILER_MEMORY_COPY_DEVICE_TO_HOST: return TACHO__ROCM_COPY_FROM_DEVICE;
	case ROCPROFILER_MEMORY_COPY_DEVICE_TO_DEVICE: return TACHO__ROCM_COPY_ON_DEVICE;
	default: return TACHO__ROCM_COPY;
	}
}

static void put_copy(const copy_record *record)
{
	uint64_t source = record->src_agent_id.handle, destination = record->dst_agent_id.handle;
	uint64_t agent = tacho__rocm_is_gpu(destination) ? destination : source;
	struct command command = {
		.function = kind_of_copy(record->operation),
		.start_ns = record->start_timestamp,
		.end_ns = record->end_timestamp,
		.tick = guess_tick(record->start_timestamp, record->end_timestamp),
		.thread = (uint32_t)record->thread_id};
	struct tacho__call call = {.token = NULL};
	struct tacho__pack pack;

	tacho__pack_begin(&pack, call.arguments);
	tacho__pack_u64(&pack, tacho__rocm_get_queue(0, agent));
	tacho__pack_u64(&pack, record->bytes);
	tacho__pack_u64(&pack, source);
	tacho__pack_u64(&pack, destination);
	tacho__pack_u64(&pack, record->correlation_id.internal);
	put_command(&command, &call, &pack);
}

/* ---- buffers ---- */

/* Which it is, and where it belongs; false for what is not recorded or too short for its kind. */
static bool make_item(const rocprofiler_record_header_t *header, struct item *item)
{
	struct tacho__rocm_note note;
	const api_record *call = header->payload;
	const copy_record *copy = header->payload;
	const dispatch_record *dispatch = header->payload;

	if (header->category != ROCPROFILER_BUFFER_CATEGORY_TRACING || !header->payload)
		return false;
	*item = (struct item){.payload = header->payload, .kind = header->kind};
	switch (header->kind) {
	case ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH:
		item->end =
			tacho__rocm_note_find(dispatch->dispatch_info.dispatch_id, &note)
				? note.tick
				: guess_tick(dispatch->start_timestamp, dispatch->end_timestamp);
		return dispatch->size >=
		       sizeof(*dispatch) - sizeof(dispatch->dispatch_info.reserved_padding);
	case ROCPROFILER_BUFFER_TRACING_MEMORY_COPY:
		item->end = guess_tick(copy->start_timestamp, copy->end_timestamp);
		return copy->size >= sizeof(*copy);
	case ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API:
	case ROCPROFILER_BUFFER_TRACING_HSA_CORE_API:
	case ROCPROFILER_BUFFER_TRACING_HSA_AMD_EXT_API:
		item->end = to_tick(call->end_timestamp);
		return call->size >= sizeof(*call);
	default: return false;
	}
}

static int compare(const void *left, const void *right)
{
	const struct item *a = left, *b = right;

	return a->end < b->end ? -1 : a->end > b->end;
}

static void put(const struct item *item)
{
	if (item->kind == ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH)
		put_dispatch(item->payload);
	else if (item->kind == ROCPROFILER_BUFFER_TRACING_MEMORY_COPY)
		put_copy(item->payload);
	else
		put_call(item->payload);
}

void tacho__rocm_on_records(rocprofiler_context_id_t context, rocprofiler_buffer_id_t buffer,
			    rocprofiler_record_header_t **headers, size_t count, void *data,
			    uint64_t dropped)
{
	struct item *items = calloc(count + 1, sizeof(*items));
	int error = errno;
	size_t kept = 0;

	(void)context;
	(void)buffer;
	(void)data;
	pthread_mutex_lock(&records.lock);
	move_span();
	if (dropped)
		tacho__intercept_lost(dropped);
	if (!items)
		tacho__intercept_lost(count);
	for (size_t i = 0; items && i < count; i++) {
		if (make_item(headers[i], &items[kept]))
			kept++;
		else
			tacho__intercept_lost(1);
	}
	if (items)
		qsort(items, kept, sizeof(*items), compare);
	for (size_t i = 0; i < kept; i++)
		put(&items[i]);
	pthread_mutex_unlock(&records.lock);
	free(items);
	errno = error;
}
