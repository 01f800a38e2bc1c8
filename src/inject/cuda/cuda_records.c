/* SPDX-License-Identifier: MIT */
#include "inject/cuda/cuda_records.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inject/arguments.h"
#include "inject/cuda/cuda_arguments.h"
#include "inject/cuda/cuda_calls.h"
#include "inject/cuda/cuda_clock.h"
#include "inject/cuda/cuda_functions.h"
#include "inject/cuda/cuda_notes.h"
#include "inject/cuda/cuda_objects.h"
#include "inject/cuda/cuda_table.h"
#include "intercept/intercept.h"
#include "record/wire.h"

#define SPAN_NS	 UINT64_C(10000000000) /* after which a span begins anew */
#define SLACK_NS UINT64_C(10000000)    /* CUPTI puts a GPU's times on the host's clock */

enum { ITEMS_MAX = 16384 };

/* A record, as all kinds of them are read. */
struct item {
	uint64_t start_ns, end_ns; /* on CUPTI's clock */
	uint64_t node, bytes;
	uint32_t graph, correlation, device, context, stream;
	uint32_t grid[3], block[3], cluster[3], shared_bytes;
	enum tacho__cuda_role role; /* LAUNCH, WRITE, READ, COPY or FILL */
	bool is_of_device;	    /* a kernel launched it */
	const char *name;
	struct tacho__cuda_place place; /* of the call */
};

static struct {
	pthread_mutex_t lock; /* of all that follows, and of streams of other threads */
	struct tacho__cuda_span span;
	uint64_t now_ns; /* on CUPTI's clock, however badly it could be read */
	struct item bares[ITEMS_MAX];
	size_t bare_count;
	bool is_shared, was_dropped;
} records = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool tacho__cuda_records_start(void)
{
	struct tacho__cuda_instant now;
	bool is_near;

	if (!tacho__cuda_clock_read(&now, &is_near))
		return false;
	records.span = (struct tacho__cuda_span){now, now};
	records.now_ns = now.record_ns;
	return true;
}

void tacho__cuda_records_share(void)
{
	records.is_shared = true;
}

/* Has one of the clocks stood still, or been set, since the span's end? */
static bool has_jumped(const struct tacho__cuda_instant *now)
{
	uint64_t expected = tacho__cuda_span_get_monotonic(&records.span, now->record_ns);

	return expected - now->monotonic_ns + SLACK_NS > 2 * SLACK_NS;
}

/*
 * The span reaches to now; a new one begins where the clocks were read last. On a machine that is
 * too busy to read them well it stays as it is, and goes on being right for what comes after its
 * end.
 */
static void move_span(void)
{
	struct tacho__cuda_span *span = &records.span;
	struct tacho__cuda_instant now;
	bool is_near;

	if (!tacho__cuda_clock_read(&now, &is_near))
		return;
	records.now_ns = now.record_ns;
	if (!is_near && !has_jumped(&now))
		return;
	if (span->last.record_ns - span->first.record_ns > SPAN_NS)
		span->first = span->last;
	span->last = now;
}

/* ---- reading ---- */

static uint32_t get_u32(const uint8_t *record, size_t offset)
{
	uint32_t value;

	memcpy(&value, record + offset, sizeof(value));
	return value;
}

static uint64_t get_u64(const uint8_t *record, size_t offset)
{
	uint64_t value;

	memcpy(&value, record + offset, sizeof(value));
	return value;
}

static const char *get_text(const uint8_t *record, size_t offset)
{
	return (const char *)(uintptr_t)get_u64(record, offset);
}

/* Older versions have no fields of graphs or of clusters. */
static bool read_kernel(const uint8_t *record, size_t size, struct item *item)
{
	if (size < TACHO__CUDA_KERNEL_BYTES)
		return false;
	item->role = TACHO__CUDA_LAUNCH;
	item->start_ns = get_u64(record, TACHO__CUDA_KERNEL_AT_START);
	item->end_ns = get_u64(record, TACHO__CUDA_KERNEL_AT_END);
	item->device = get_u32(record, TACHO__CUDA_KERNEL_AT_DEVICE);
	item->context = get_u32(record, TACHO__CUDA_KERNEL_AT_CONTEXT);
	item->stream = get_u32(record, TACHO__CUDA_KERNEL_AT_STREAM);
	memcpy(item->grid, record + TACHO__CUDA_KERNEL_AT_GRID, sizeof(item->grid));
	memcpy(item->block, record + TACHO__CUDA_KERNEL_AT_BLOCK, sizeof(item->block));
	item->shared_bytes = get_u32(record, TACHO__CUDA_KERNEL_AT_DYNAMIC_SHARED);
	item->correlation = get_u32(record, TACHO__CUDA_KERNEL_AT_CORRELATION);
	item->name = get_text(record, TACHO__CUDA_KERNEL_AT_NAME);
	if (size >= TACHO__CUDA_KERNEL_GRAPH_BYTES) {
		item->node = get_u64(record, TACHO__CUDA_KERNEL_AT_NODE);
		item->graph = get_u32(record, TACHO__CUDA_KERNEL_AT_GRAPH);
	}
	if (size >= TACHO__CUDA_KERNEL_CLUSTER_BYTES)
		memcpy(item->cluster, record + TACHO__CUDA_KERNEL_AT_CLUSTER,
		       sizeof(item->cluster));
	if (size >= TACHO__CUDA_KERNEL_DEVICE_LAUNCHED_BYTES)
		item->is_of_device = record[TACHO__CUDA_KERNEL_AT_DEVICE_LAUNCHED];
	return true;
}

static bool read_device_kernel(const uint8_t *record, size_t size, struct item *item)
{
	if (size < TACHO__CUDA_DEVICE_KERNEL_BYTES)
		return false;
	item->role = TACHO__CUDA_LAUNCH;
	item->is_of_device = true;
	item->start_ns = get_u64(record, TACHO__CUDA_DEVICE_KERNEL_AT_START);
	item->end_ns = get_u64(record, TACHO__CUDA_DEVICE_KERNEL_AT_END);
	item->device = get_u32(record, TACHO__CUDA_DEVICE_KERNEL_AT_DEVICE);
	item->context = get_u32(record, TACHO__CUDA_DEVICE_KERNEL_AT_CONTEXT);
	item->stream = get_u32(record, TACHO__CUDA_DEVICE_KERNEL_AT_STREAM);
	memcpy(item->grid, record + TACHO__CUDA_DEVICE_KERNEL_AT_GRID, sizeof(item->grid));
	memcpy(item->block, record + TACHO__CUDA_DEVICE_KERNEL_AT_BLOCK, sizeof(item->block));
	item->correlation = get_u32(record, TACHO__CUDA_DEVICE_KERNEL_AT_CORRELATION);
	item->name = get_text(record, TACHO__CUDA_DEVICE_KERNEL_AT_NAME);
	return true;
}

static enum tacho__cuda_role get_direction(uint32_t kind, uint8_t direction)
{
	if (kind == TACHO__CUDA_ACTIVITY_SET)
		return TACHO__CUDA_FILL;
	if (kind == TACHO__CUDA_ACTIVITY_PEER_COPY)
		return TACHO__CUDA_COPY;
	switch (direction) {
	case TACHO__CUDA_HOST_TO_DEVICE:
	case TACHO__CUDA_HOST_TO_ARRAY: return TACHO__CUDA_WRITE;
	case TACHO__CUDA_DEVICE_TO_HOST:
	case TACHO__CUDA_ARRAY_TO_HOST: return TACHO__CUDA_READ;
	default: return TACHO__CUDA_COPY;
	}
}

static bool read_copy(uint32_t kind, const uint8_t *record, size_t size, struct item *item)
{
	bool is_peer = kind == TACHO__CUDA_ACTIVITY_PEER_COPY;

	if (size < (is_peer ? TACHO__CUDA_PEER_BYTES : TACHO__CUDA_COPY_BYTES))
		return false;
	item->role = get_direction(kind, record[TACHO__CUDA_COPY_AT_DIRECTION]);
	item->bytes = get_u64(record, TACHO__CUDA_COPY_AT_SIZE);
	item->start_ns = get_u64(record, TACHO__CUDA_COPY_AT_START);
	item->end_ns = get_u64(record, TACHO__CUDA_COPY_AT_END);
	item->device = get_u32(record, TACHO__CUDA_COPY_AT_DEVICE);
	item->context = get_u32(record, TACHO__CUDA_COPY_AT_CONTEXT);
	item->stream = get_u32(record, TACHO__CUDA_COPY_AT_STREAM);
	item->correlation = get_u32(record, is_peer ? TACHO__CUDA_PEER_AT_CORRELATION
						    : TACHO__CUDA_COPY_AT_CORRELATION);
	if (size >= (is_peer ? TACHO__CUDA_PEER_GRAPH_BYTES : TACHO__CUDA_COPY_GRAPH_BYTES)) {
		item->node = get_u64(record,
				     is_peer ? TACHO__CUDA_PEER_AT_NODE : TACHO__CUDA_COPY_AT_NODE);
		item->graph = get_u32(record, is_peer ? TACHO__CUDA_PEER_AT_GRAPH
						      : TACHO__CUDA_COPY_AT_GRAPH);
	}
	return true;
}

/* 1: it is one of work; 0: of something else; -1: it is too short for its kind. */
static int read_record(const uint8_t *record, size_t size, struct item *item)
{
	uint32_t kind;
	bool is_whole;

	*item = (struct item){.start_ns = 0};
	if (size < sizeof(kind))
		return -1;
	kind = get_u32(record, TACHO__CUDA_AT_KIND);
	switch (kind) {
	case TACHO__CUDA_ACTIVITY_KERNEL:
	case TACHO__CUDA_ACTIVITY_KERNEL_SERIAL: is_whole = read_kernel(record, size, item); break;
	case TACHO__CUDA_ACTIVITY_DEVICE_KERNEL:
		is_whole = read_device_kernel(record, size, item);
		break;
	case TACHO__CUDA_ACTIVITY_COPY:
	case TACHO__CUDA_ACTIVITY_PEER_COPY:
	case TACHO__CUDA_ACTIVITY_SET: is_whole = read_copy(kind, record, size, item); break;
	default: return 0;
	}
	return is_whole ? 1 : -1;
}

/* ---- times ---- */

/* Times that can be: of something that has ended by now. */
static bool is_possible(const struct item *item)
{
	return item->start_ns && item->start_ns <= item->end_ns &&
	       item->end_ns <= records.now_ns + SLACK_NS;
}

/* Without a call nobody knows when it was queued: `queued` 0 is for the call to say. */
static struct tacho__times get_times(const struct item *item)
{
	struct tacho__times times = {.code = TACHO__SLOT_NO_PROFILING};

	if (!is_possible(item))
		return times;
	times.code = TACHO__SLOT_TIMES;
	times.start = tacho__cuda_span_get_monotonic(&records.span, item->start_ns);
	times.end = tacho__cuda_span_get_monotonic(&records.span, item->end_ns);
	return times;
}

/* ---- work without a call ---- */

static enum tacho__cuda_bare get_bare(const struct item *item)
{
	bool is_node = item->node != 0;

	switch (item->role) {
	case TACHO__CUDA_WRITE: return is_node ? TACHO__CUDA_GRAPH_WRITE : TACHO__CUDA_OTHER_WRITE;
	case TACHO__CUDA_READ: return is_node ? TACHO__CUDA_GRAPH_READ : TACHO__CUDA_OTHER_READ;
	case TACHO__CUDA_COPY: return is_node ? TACHO__CUDA_GRAPH_COPY : TACHO__CUDA_OTHER_COPY;
	case TACHO__CUDA_FILL: return is_node ? TACHO__CUDA_GRAPH_FILL : TACHO__CUDA_OTHER_FILL;
	default: break;
	}
	if (item->is_of_device)
		return TACHO__CUDA_DEVICE_KERNEL;
	return is_node ? TACHO__CUDA_GRAPH_KERNEL : TACHO__CUDA_OTHER_KERNEL;
}

static void pack_kernel(const struct item *item, uint64_t queue, struct tacho__pack *pack)
{
	const char *name = item->name ? item->name : "";

	tacho__cuda_pack_sizes(pack, item->grid);
	tacho__cuda_pack_sizes(pack, item->block);
	tacho__cuda_pack_sizes(pack, item->cluster);
	tacho__pack_u64(pack, item->shared_bytes);
	tacho__cuda_pack_threads(pack, item->grid, item->block);
	tacho__pack_u64(pack, tacho__cuda_count_dimensions(item->grid, item->block));
	tacho__pack_u64(pack, queue);
	tacho__pack_u64(pack, tacho__cuda_find_kernel(name));
	tacho__pack_string(pack, name);
}

/* Where nobody saw the call it is taken to have been as the work began. */
static void place(struct item *item)
{
	if (item->place.tick)
		return;
	item->place.thread = (uint32_t)getpid();
	item->place.tick = is_possible(item)
				   ? tacho__cuda_span_get_tick(&records.span, item->start_ns)
				   : records.span.last.tick;
}

/* A call of no length, where the work was given to the device. */
static void put_bare(const struct item *item)
{
	uint64_t queue = tacho__cuda_find_stream(item->device, item->context, item->stream);
	uint64_t called_ns = item->place.monotonic_ns;
	struct tacho__times times = get_times(item);
	struct tacho__call call = {.token = NULL};
	struct tacho__pack pack;

	call.kind = TACHO__KIND(TACHO__CUDA_API, TACHO__CUDA_ID_MAX + (unsigned)get_bare(item));
	call.start = call.end = item->place.tick;
	call.has_slot = true;
	tacho__pack_begin(&pack, call.arguments);
	if (item->role == TACHO__CUDA_LAUNCH) {
		pack_kernel(item, queue, &pack);
	} else {
		tacho__pack_u64(&pack, item->bytes);
		tacho__pack_u64(&pack, queue);
	}
	tacho__pack_u64(&pack, item->graph);
	tacho__pack_u64(&pack, item->node);
	tacho__pack_u64(&pack, item->correlation);
	call.size = (uint32_t)(pack.at - call.arguments);
	tacho__intercept_commit_of(&call, item->place.thread);
	if (!call.token)
		return;
	if (times.code == TACHO__SLOT_TIMES && !called_ns)
		times.code = TACHO__SLOT_UNQUEUED;
	times.queued = called_ns && called_ns < times.start ? called_ns : times.start;
	times.submit = times.queued;
	tacho__intercept_complete(call.token, &times);
}

/* In the order of their calls, and of those in the order in which they ran. */
static int compare(const void *left, const void *right)
{
	const struct item *a = left, *b = right;

	if (a->place.tick != b->place.tick)
		return a->place.tick < b->place.tick ? -1 : 1;
	return a->start_ns < b->start_ns ? -1 : a->start_ns > b->start_ns;
}

/* A record that came twice. */
static bool is_same(const struct item *a, const struct item *b)
{
	return a->start_ns && !compare(a, b) && a->end_ns == b->end_ns && a->node == b->node &&
	       a->correlation == b->correlation && a->role == b->role && a->stream == b->stream;
}

static void put_bares(void)
{
	for (size_t i = 0; i < records.bare_count; i++)
		place(&records.bares[i]);
	qsort(records.bares, records.bare_count, sizeof(records.bares[0]), compare);
	for (size_t i = 0; i < records.bare_count; i++)
		if (!i || !is_same(&records.bares[i], &records.bares[i - 1]))
			put_bare(&records.bares[i]);
	records.bare_count = 0;
}

/* ---- buffers ---- */

static void take(struct item *item)
{
	struct tacho__times times = get_times(item);
	bool is_own = !item->node && !item->is_of_device;

	if (tacho__cuda_note_complete(item->correlation, is_own ? &times : NULL, &item->place))
		return;
	if (records.is_shared && !item->place.tick && is_own)
		return;
	if (records.bare_count == ITEMS_MAX)
		put_bares();
	records.bares[records.bare_count++] = *item;
}

/* The next record in the buffer, and how large it is; NULL: the rest is none. */
static uint8_t *get_next(uint8_t *buffer, size_t size, uint8_t *record, bool *out_is_torn)
{
	void *next = record;
	int status = tacho__cuda.cuptiActivityGetNextRecord(buffer, size, &next);
	uint8_t *at = next;

	*out_is_torn = status && status != TACHO__CUPTI_MAX_LIMIT_REACHED;
	if (status)
		return NULL;
	if (at < buffer || at >= buffer + size || (record && at <= record)) {
		*out_is_torn = true;
		return NULL;
	}
	return at;
}

/* A record ends where the next one begins. */
static void take_all(uint8_t *buffer, size_t size)
{
	bool is_torn;
	uint8_t *record = get_next(buffer, size, NULL, &is_torn);

	while (record) {
		uint8_t *next = get_next(buffer, size, record, &is_torn);
		struct item item;
		int kind = read_record(record, (size_t)((next ? next : buffer + size) - record),
				       &item);

		if (kind > 0)
			take(&item);
		else if (kind < 0)
			is_torn = true;
		if (kind < 0 && next)
			tacho__intercept_lost(1);
		record = next;
	}
	if (is_torn)
		tacho__intercept_lost(1);
}

static void count_dropped(void *context, uint32_t stream)
{
	size_t dropped = 0;

	if (tacho__cuda.cuptiActivityGetNumDroppedRecords &&
	    !tacho__cuda.cuptiActivityGetNumDroppedRecords(context, stream, &dropped) && dropped) {
		records.was_dropped = true;
		tacho__intercept_lost(dropped);
	}
}

void tacho__cuda_records_take(void *context, uint32_t stream, uint8_t *buffer, size_t size)
{
	pthread_mutex_lock(&records.lock);
	move_span();
	take_all(buffer, size);
	put_bares();
	count_dropped(context, stream);
	pthread_mutex_unlock(&records.lock);
}

uint32_t tacho__cuda_records_finish(uint64_t ended_before)
{
	uint32_t count;

	pthread_mutex_lock(&records.lock);
	count_dropped(NULL, 0);
	/* what was dropped may be the record of any of them */
	count = tacho__cuda_note_give_up(records.was_dropped ? UINT64_MAX : ended_before);
	pthread_mutex_unlock(&records.lock);
	return records.was_dropped ? 0 : count;
}
