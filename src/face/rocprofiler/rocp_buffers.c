/* SPDX-License-Identifier: MIT */
/*
 * Buffers have two halves: producers fill one while a thread delivers the other. Who finds the
 * filling half full, in a LOSSLESS buffer, waits in the order of coming until the halves change.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "face/rocprofiler/rocp_threads.h"
#include "face/rocprofiler/rocprofiler.h"

enum { BUFFERS_MAX = 1024, ALIGNMENT = 16, ROOMS = 16 };

struct half {
	unsigned char *bytes;
	size_t capacity, used;
	/* Their payloads are offsets until they are delivered: the bytes may move. */
	rocprofiler_record_header_t *headers;
	rocprofiler_record_header_t **pointers;
	size_t count, header_capacity, pointer_capacity;
};

struct buffer {
	struct tacho__rocp_task task; /* deliver() */
	uint64_t handle, context, thread;
	uint32_t client;
	rocprofiler_buffer_policy_t policy;
	rocprofiler_buffer_tracing_cb_t callback;
	void *data;
	size_t size, watermark;
	pthread_mutex_t lock;	     /* of all that follows, and of thread */
	pthread_cond_t rooms[ROOMS]; /* the turn in it may have come, by its number */
	pthread_cond_t emptied;
	struct half halves[2];
	unsigned filling;
	bool is_delivering, is_closed;
	uint64_t next_turn, turn;   /* of producers of a LOSSLESS buffer */
	unsigned waiting;	    /* producers, and who flushes */
	uint64_t stored, delivered; /* puts */
	uint64_t flush_to;	    /* the put up to which a flush was asked for */
	uint64_t dropped;	    /* records, in all */
};

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct buffer *_Atomic buffers[BUFFERS_MAX + 1];
static atomic_uint buffer_count;

static struct buffer *find(uint64_t handle)
{
	return handle && handle <= BUFFERS_MAX ? atomic_load(&buffers[handle]) : NULL;
}

static size_t align(size_t size)
{
	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool reserve(struct half *half, size_t bytes, size_t count)
{
	size_t needed = half->count + count;

	if (bytes > half->capacity - half->used) {
		size_t capacity = half->used + bytes + half->used;
		unsigned char *larger = realloc(half->bytes, capacity);

		if (!larger)
			return false;
		half->bytes = larger;
		half->capacity = capacity;
	}
	return !tacho__array_reserve(&half->headers, &half->header_capacity, needed,
				     sizeof(*half->headers)) &&
	       !tacho__array_reserve(&half->pointers, &half->pointer_capacity, needed,
				     sizeof(*half->pointers));
}

static void store(struct half *half, const struct tacho__rocp_record *record)
{
	rocprofiler_record_header_t *header = &half->headers[half->count++];

	memcpy(half->bytes + half->used, record->payload, record->size);
	header->hash = rocprofiler_record_header_compute_hash(record->category, record->kind);
	header->payload = (void *)half->used;
	half->used += align(record->size);
}

/* Where the records are, now that the bytes do not move. */
static void link_records(struct half *half)
{
	for (size_t i = 0; i < half->count; i++) {
		half->headers[i].payload = half->bytes + (size_t)half->headers[i].payload;
		half->pointers[i] = &half->headers[i];
	}
}

/* A half that is empty takes any group of records. */
static bool fits(const struct buffer *buffer, size_t bytes)
{
	const struct half *half = &buffer->halves[buffer->filling];

	return !half->count || (half->used <= buffer->size && bytes <= buffer->size - half->used);
}

static bool is_due(const struct buffer *buffer)
{
	const struct half *half = &buffer->halves[buffer->filling];

	return half->count && (half->used >= buffer->watermark || buffer->waiting ||
			       buffer->flush_to > buffer->delivered);
}

static void post(struct buffer *buffer)
{
	tacho__rocp_thread_post(buffer->thread, &buffer->task);
}

/* Wakes the producer whose turn it is; most of the others stay asleep. */
static void wake_next(struct buffer *buffer)
{
	if (buffer->waiting)
		pthread_cond_broadcast(&buffer->rooms[buffer->turn % ROOMS]);
}

static void wait_for(struct buffer *buffer, pthread_cond_t *cond)
{
	buffer->waiting++;
	post(buffer);
	pthread_cond_wait(cond, &buffer->lock);
	buffer->waiting--;
}

/* True when there is room, made or waited for. */
static bool make_room(struct buffer *buffer, size_t bytes, size_t count)
{
	uint64_t turn;

	if (buffer->policy == ROCPROFILER_BUFFER_POLICY_DISCARD) {
		if (fits(buffer, bytes))
			return true;
		buffer->dropped += count;
		post(buffer);
		return false;
	}
	if (tacho__rocp_thread_is_own())
		return true; /* it would wait for itself */
	turn = buffer->next_turn++;
	while (!buffer->is_closed && (turn != buffer->turn || !fits(buffer, bytes)))
		wait_for(buffer, &buffer->rooms[turn % ROOMS]);
	buffer->turn++;
	wake_next(buffer);
	return true;
}

/* With the lock. */
static rocprofiler_status_t put(struct buffer *buffer, const struct tacho__rocp_record *records,
				size_t count, size_t bytes)
{
	struct half *half;

	if (buffer->is_closed)
		return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
	if (!make_room(buffer, bytes, count))
		return ROCPROFILER_STATUS_SUCCESS;
	if (buffer->is_closed)
		return ROCPROFILER_STATUS_ERROR_FINALIZED;
	half = &buffer->halves[buffer->filling];
	if (!reserve(half, bytes, count)) {
		buffer->dropped += count;
		return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	}
	for (size_t i = 0; i < count; i++)
		store(half, &records[i]);
	buffer->stored++;
	if (is_due(buffer))
		post(buffer);
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t tacho__rocp_buffer_put(uint64_t handle,
					    const struct tacho__rocp_record *records, size_t count)
{
	struct buffer *buffer = find(handle);
	rocprofiler_status_t status;
	size_t bytes = 0;

	if (!buffer)
		return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
	if (tacho__rocp_is_over())
		return ROCPROFILER_STATUS_ERROR_FINALIZED;
	for (size_t i = 0; i < count; i++)
		bytes += align(records[i].size);
	if (!count)
		return ROCPROFILER_STATUS_SUCCESS;
	pthread_mutex_lock(&buffer->lock);
	status = put(buffer, records, count, bytes);
	pthread_mutex_unlock(&buffer->lock);
	return status;
}

bool tacho__rocp_buffer_exists(uint64_t handle)
{
	struct buffer *buffer = find(handle);
	bool exists;

	if (!buffer)
		return false;
	pthread_mutex_lock(&buffer->lock);
	exists = !buffer->is_closed;
	pthread_mutex_unlock(&buffer->lock);
	return exists;
}

/* Changes the halves; NULL: there is nothing to deliver, or somebody does it. */
static struct half *begin(struct buffer *buffer)
{
	struct half *half = &buffer->halves[buffer->filling];

	if (!half->count || buffer->is_delivering || buffer->is_closed)
		return NULL;
	buffer->filling ^= 1;
	buffer->is_delivering = true;
	wake_next(buffer);
	return half;
}

static void deliver(struct tacho__rocp_task *task)
{
	struct buffer *buffer = (struct buffer *)task;
	uint64_t stored, dropped;
	struct half *half;

	pthread_mutex_lock(&buffer->lock);
	half = begin(buffer);
	stored = buffer->stored;
	dropped = buffer->dropped;
	pthread_mutex_unlock(&buffer->lock);
	if (!half)
		return;
	link_records(half);
	buffer->callback((rocprofiler_context_id_t){buffer->context},
			 (rocprofiler_buffer_id_t){buffer->handle}, half->pointers, half->count,
			 buffer->data, dropped);
	pthread_mutex_lock(&buffer->lock);
	half->count = half->used = 0;
	buffer->is_delivering = false;
	buffer->delivered = stored;
	if (is_due(buffer))
		post(buffer);
	wake_next(buffer);
	pthread_cond_broadcast(&buffer->emptied);
	pthread_mutex_unlock(&buffer->lock);
}

static void flush(struct buffer *buffer)
{
	uint64_t target;

	pthread_mutex_lock(&buffer->lock);
	target = buffer->stored;
	if (target > buffer->flush_to)
		buffer->flush_to = target;
	if (tacho__rocp_thread_is_own()) {
		post(buffer);
	} else {
		while (!buffer->is_closed && buffer->delivered < target)
			wait_for(buffer, &buffer->emptied);
	}
	pthread_mutex_unlock(&buffer->lock);
}

rocprofiler_status_t rocprofiler_flush_buffer(rocprofiler_buffer_id_t buffer_id)
{
	if (tacho__rocp_is_over())
		return ROCPROFILER_STATUS_ERROR_FINALIZED;
	if (!tacho__rocp_buffer_exists(buffer_id.handle))
		return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
	flush(find(buffer_id.handle));
	return ROCPROFILER_STATUS_SUCCESS;
}

static void free_half(struct half *half)
{
	free(half->bytes);
	free(half->headers);
	free(half->pointers);
	*half = (struct half){0};
}

/* With the lock. What is being delivered stays as long as the process. */
static void shut(struct buffer *buffer)
{
	buffer->is_closed = true;
	free_half(&buffer->halves[buffer->filling]);
	if (!buffer->is_delivering)
		free_half(&buffer->halves[buffer->filling ^ 1]);
	for (int i = 0; i < ROOMS; i++)
		pthread_cond_broadcast(&buffer->rooms[i]);
	pthread_cond_broadcast(&buffer->emptied);
}

rocprofiler_status_t rocprofiler_destroy_buffer(rocprofiler_buffer_id_t buffer_id)
{
	rocprofiler_status_t status = ROCPROFILER_STATUS_SUCCESS;
	struct buffer *buffer = find(buffer_id.handle);

	if (!buffer)
		return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
	pthread_mutex_lock(&buffer->lock);
	if (buffer->is_closed)
		status = ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
	else if (buffer->is_delivering || buffer->waiting)
		status = ROCPROFILER_STATUS_ERROR_BUFFER_BUSY;
	else
		shut(buffer);
	pthread_mutex_unlock(&buffer->lock);
	return status;
}

static struct buffer *make(size_t size, size_t watermark)
{
	struct buffer *buffer = calloc(1, sizeof(*buffer));

	if (!buffer)
		return NULL;
	buffer->task.run = deliver;
	buffer->client = tacho__rocp_client();
	buffer->size = size;
	buffer->watermark = watermark < size ? watermark : size;
	pthread_mutex_init(&buffer->lock, NULL);
	pthread_cond_init(&buffer->emptied, NULL);
	for (int i = 0; i < ROOMS; i++)
		pthread_cond_init(&buffer->rooms[i], NULL);
	for (int i = 0; i < 2; i++)
		if (!reserve(&buffer->halves[i], size,
			     size / sizeof(rocprofiler_counter_record_t))) {
			free_half(&buffer->halves[0]);
			free_half(&buffer->halves[1]);
			free(buffer);
			return NULL;
		}
	return buffer;
}

/* False: there are too many. */
static bool add(struct buffer *buffer)
{
	unsigned count;

	pthread_mutex_lock(&table_lock);
	count = atomic_load(&buffer_count);
	if (count < BUFFERS_MAX) {
		buffer->handle = count + 1;
		atomic_store(&buffers[buffer->handle], buffer);
		atomic_store(&buffer_count, count + 1);
	}
	pthread_mutex_unlock(&table_lock);
	return buffer->handle;
}

rocprofiler_status_t rocprofiler_create_buffer(rocprofiler_context_id_t context, size_t size,
					       size_t watermark, rocprofiler_buffer_policy_t policy,
					       rocprofiler_buffer_tracing_cb_t callback,
					       void *callback_data,
					       rocprofiler_buffer_id_t *buffer_id)
{
	struct buffer *buffer;

	if (tacho__rocp_is_locked())
		return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
	if (!callback || !buffer_id ||
	    (policy != ROCPROFILER_BUFFER_POLICY_DISCARD &&
	     policy != ROCPROFILER_BUFFER_POLICY_LOSSLESS))
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	buffer = tacho__rocp_thread_make_shared() ? make(size, watermark) : NULL;
	if (!buffer)
		return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	buffer->context = context.handle;
	buffer->policy = policy;
	buffer->callback = callback;
	buffer->data = callback_data;
	if (!add(buffer)) {
		shut(buffer);
		free(buffer);
		return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	}
	buffer_id->handle = buffer->handle;
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_assign_callback_thread(rocprofiler_buffer_id_t buffer_id,
							rocprofiler_callback_thread_t cb_thread_id)
{
	struct buffer *buffer = find(buffer_id.handle);

	if (tacho__rocp_is_locked())
		return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
	if (!tacho__rocp_buffer_exists(buffer_id.handle))
		return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
	if (!tacho__rocp_thread_exists(cb_thread_id.handle))
		return ROCPROFILER_STATUS_ERROR_THREAD_NOT_FOUND;
	pthread_mutex_lock(&buffer->lock);
	buffer->thread = cb_thread_id.handle;
	pthread_mutex_unlock(&buffer->lock);
	return ROCPROFILER_STATUS_SUCCESS;
}

void tacho__rocp_buffers_flush(uint32_t client)
{
	unsigned count = atomic_load(&buffer_count);

	for (unsigned i = 1; i <= count; i++)
		if (buffers[i]->client == client)
			flush(buffers[i]);
}

void tacho__rocp_buffers_discard(uint32_t client)
{
	unsigned count = atomic_load(&buffer_count);

	for (unsigned i = 1; i <= count; i++) {
		struct buffer *buffer = atomic_load(&buffers[i]);

		if (buffer->client != client)
			continue;
		pthread_mutex_lock(&buffer->lock);
		if (!buffer->is_closed)
			shut(buffer);
		pthread_mutex_unlock(&buffer->lock);
	}
}
