/* SPDX-License-Identifier: MIT */
/* Buffers of the ROCprofiler-SDK face: what comes, in which order, and who waits. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "face/rocprofiler/rocp_threads.h"
#include "face/rocprofiler/rocprofiler.h"
#include "memory_faults.h"

enum {
	HEADER = ROCPROFILER_COUNTER_RECORD_PROFILE_COUNTING_DISPATCH_HEADER,
	VALUE = ROCPROFILER_COUNTER_RECORD_VALUE,
	PRODUCERS = 8,
	GROUPS = 2000,
	VALUES_MAX = 7,
	VALUE_BYTES = 48, /* what a value takes in a buffer */
};

/* ---- what buffers ask of registration.c ---- */

static bool is_locked, is_over;
static uint32_t client = 1;

bool tacho__rocp_is_locked(void)
{
	return is_locked;
}

uint32_t tacho__rocp_client(void)
{
	return client;
}

bool tacho__rocp_is_over(void)
{
	return is_over;
}

/* ---- a reader that keeps all it gets ---- */

struct reader {
	pthread_mutex_t lock;
	rocprofiler_buffer_id_t buffer;
	size_t deliveries, headers, values, torn; /* torn: a group that is not whole */
	uint64_t dropped;
	uint64_t next[PRODUCERS]; /* group of each producer that is to come */
	double last_value;
	pthread_t thread;
	sem_t *entered, *gate; /* NULL: it does not wait */
	/* Called in the callback. */
	void (*act)(struct reader *reader);
	rocprofiler_status_t acted;
};

/* The group at `i`: dispatch_id is the group's number, correlation_id.internal its producer. */
static size_t read_group(struct reader *reader, rocprofiler_record_header_t **headers, size_t count,
			 size_t i)
{
	const rocprofiler_dispatch_counting_service_record_t *group = headers[i]->payload;
	uint64_t producer = group->correlation_id.internal;
	size_t values = group->num_records;

	reader->headers++;
	reader->torn += group->dispatch_info.dispatch_id != reader->next[producer]++;
	for (size_t k = 1; k <= values; k++) {
		const rocprofiler_counter_record_t *value =
			i + k < count ? headers[i + k]->payload : NULL;

		if (!value || headers[i + k]->kind != VALUE || value->user_data.value != producer ||
		    value->dispatch_id != group->dispatch_info.dispatch_id ||
		    value->counter_value != (double)k)
			reader->torn++;
	}
	reader->values += values;
	return i + 1 + values;
}

static void take(rocprofiler_context_id_t context, rocprofiler_buffer_id_t buffer,
		 rocprofiler_record_header_t **headers, size_t count, void *data,
		 uint64_t drop_count)
{
	struct reader *reader = data;

	if (reader->entered)
		sem_post(reader->entered);
	if (reader->gate)
		sem_wait(reader->gate);
	pthread_mutex_lock(&reader->lock);
	reader->deliveries++;
	reader->dropped = drop_count;
	reader->thread = pthread_self();
	reader->torn += buffer.handle != reader->buffer.handle || context.handle != 7 || !count;
	for (size_t i = 0; i < count;) {
		if (headers[i]->kind == HEADER) {
			i = read_group(reader, headers, count, i);
			continue;
		}
		reader->torn += headers[i]->category != ROCPROFILER_BUFFER_CATEGORY_COUNTERS;
		reader->last_value = ((const rocprofiler_counter_record_t *)headers[i++]->payload)
					     ->counter_value;
		reader->values++;
	}
	pthread_mutex_unlock(&reader->lock);
	if (reader->act)
		reader->act(reader);
}

static void make(struct reader *reader, size_t size, size_t watermark,
		 rocprofiler_buffer_policy_t policy)
{
	pthread_mutex_init(&reader->lock, NULL);
	assert_int_equal(rocprofiler_create_buffer((rocprofiler_context_id_t){7}, size, watermark,
						   policy, take, reader, &reader->buffer),
			 0);
}

static rocprofiler_status_t put_value(struct reader *reader, double value)
{
	rocprofiler_counter_record_t payload = {.counter_value = value};
	struct tacho__rocp_record record = {ROCPROFILER_BUFFER_CATEGORY_COUNTERS, VALUE, &payload,
					    sizeof(payload)};

	return tacho__rocp_buffer_put(reader->buffer.handle, &record, 1);
}

static rocprofiler_status_t put_group(struct reader *reader, uint64_t producer, uint64_t number,
				      size_t values)
{
	rocprofiler_dispatch_counting_service_record_t header = {
		.size = sizeof(header),
		.num_records = values,
		.correlation_id.internal = producer,
		.dispatch_info.dispatch_id = number,
	};
	rocprofiler_counter_record_t *payloads = calloc(values + 1, sizeof(*payloads));
	struct tacho__rocp_record *records = calloc(values + 1, sizeof(*records));
	rocprofiler_status_t status;

	records[0] = (struct tacho__rocp_record){ROCPROFILER_BUFFER_CATEGORY_COUNTERS, HEADER,
						 &header, sizeof(header)};
	for (size_t i = 1; i <= values; i++) {
		payloads[i].counter_value = (double)i;
		payloads[i].dispatch_id = number;
		payloads[i].user_data.value = producer;
		records[i] = (struct tacho__rocp_record){ROCPROFILER_BUFFER_CATEGORY_COUNTERS,
							 VALUE, &payloads[i], sizeof(*payloads)};
	}
	status = tacho__rocp_buffer_put(reader->buffer.handle, records, values + 1);
	free(payloads);
	free(records);
	return status;
}

static void flush(struct reader *reader)
{
	assert_int_equal(rocprofiler_flush_buffer(reader->buffer), 0);
}

/* ---- one thread ---- */

static void creation_checks_what_it_is_given(void **state)
{
	struct reader reader = {0};
	rocprofiler_context_id_t context = {7};

	is_locked = true;
	assert_int_equal(rocprofiler_create_buffer(context, 64, 0,
						   ROCPROFILER_BUFFER_POLICY_LOSSLESS, take,
						   &reader, &reader.buffer),
			 ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED);
	is_locked = false;
	assert_int_equal(rocprofiler_create_buffer(context, 64, 0, ROCPROFILER_BUFFER_POLICY_LAST,
						   take, &reader, &reader.buffer),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(rocprofiler_create_buffer(context, 64, 0,
						   ROCPROFILER_BUFFER_POLICY_LOSSLESS, NULL,
						   &reader, &reader.buffer),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(reader.buffer.handle, 0);
	reader.buffer.handle = 4711;
	assert_false(tacho__rocp_buffer_exists(4711));
	assert_int_equal(put_value(&reader, 1), ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND);
	assert_int_equal(rocprofiler_flush_buffer(reader.buffer),
			 ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND);
	assert_int_equal(rocprofiler_destroy_buffer(reader.buffer),
			 ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND);
}

static void records_stay_until_the_watermark(void **state)
{
	static struct reader reader;

	make(&reader, 100 * VALUE_BYTES, 10 * VALUE_BYTES, ROCPROFILER_BUFFER_POLICY_LOSSLESS);
	assert_true(tacho__rocp_buffer_exists(reader.buffer.handle));
	for (int i = 1; i <= 9; i++)
		assert_int_equal(put_value(&reader, i), 0);
	flush(&reader);
	assert_int_equal(reader.deliveries, 1); /* by the flush, as nothing was due before */
	assert_int_equal(reader.values, 9);
	assert_true(reader.last_value == 9);
	flush(&reader);
	assert_int_equal(reader.deliveries, 1);
	assert_int_equal(reader.torn, 0);
}

static void the_watermark_needs_no_flush(void **state)
{
	static struct reader reader;
	sem_t entered;

	sem_init(&entered, 0, 0);
	reader.entered = &entered;
	make(&reader, 100 * VALUE_BYTES, 3 * VALUE_BYTES, ROCPROFILER_BUFFER_POLICY_DISCARD);
	for (int i = 1; i <= 3; i++)
		assert_int_equal(put_value(&reader, i), 0);
	sem_wait(&entered);
	flush(&reader);
	assert_int_equal(reader.values, 3);
	assert_int_equal(reader.deliveries, 1);
}

static void a_watermark_of_0_is_every_record(void **state)
{
	static struct reader reader;
	sem_t entered;

	sem_init(&entered, 0, 0);
	reader.entered = &entered;
	make(&reader, 4096, 0, ROCPROFILER_BUFFER_POLICY_LOSSLESS);
	for (int i = 1; i <= 3; i++) {
		assert_int_equal(put_value(&reader, i), 0);
		sem_wait(&entered);
	}
	flush(&reader);
	assert_int_equal(reader.deliveries, 3);
}

/* A buffer of the document's size, and more instances than it has room for. */
static void a_group_larger_than_the_buffer_comes_whole(void **state)
{
	static const rocprofiler_buffer_policy_t policies[] = {ROCPROFILER_BUFFER_POLICY_LOSSLESS,
							       ROCPROFILER_BUFFER_POLICY_DISCARD};

	for (int i = 0; i < 2; i++) {
		static struct reader readers[2];
		struct reader *reader = &readers[i];

		make(reader, 4096, 2048, policies[i]);
		assert_int_equal(put_group(reader, 0, 0, 1000), 0);
		flush(reader);
		assert_int_equal(put_group(reader, 0, 1, 2), 0);
		flush(reader);
		assert_int_equal(reader->headers, 2);
		assert_int_equal(reader->values, 1002);
		assert_int_equal(reader->torn, 0);
		assert_int_equal(reader->dropped, 0);
	}
}

static void a_destroyed_buffer_is_gone(void **state)
{
	static struct reader reader;

	make(&reader, 4096, 2048, ROCPROFILER_BUFFER_POLICY_LOSSLESS);
	assert_int_equal(put_value(&reader, 1), 0);
	assert_int_equal(rocprofiler_destroy_buffer(reader.buffer), 0);
	assert_false(tacho__rocp_buffer_exists(reader.buffer.handle));
	assert_int_equal(put_value(&reader, 2), ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND);
	assert_int_equal(rocprofiler_destroy_buffer(reader.buffer),
			 ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND);
	assert_int_equal(reader.deliveries, 0);
}

static void nothing_comes_when_tools_are_finalized(void **state)
{
	static struct reader reader;

	make(&reader, 4096, 2048, ROCPROFILER_BUFFER_POLICY_LOSSLESS);
	is_over = true;
	assert_int_equal(put_value(&reader, 1), ROCPROFILER_STATUS_ERROR_FINALIZED);
	assert_int_equal(rocprofiler_flush_buffer(reader.buffer),
			 ROCPROFILER_STATUS_ERROR_FINALIZED);
	is_over = false;
}

/* One that grows for a group, with each of its allocations failing in turn. */
static void make_put_and_destroy(void)
{
	rocprofiler_counter_record_t payloads[3] = {{0}};
	struct tacho__rocp_record records[3];
	static struct reader reader_of_all, *reader = &reader_of_all;
	rocprofiler_status_t status;

	reader->values = 0;
	pthread_mutex_init(&reader->lock, NULL);
	status = rocprofiler_create_buffer((rocprofiler_context_id_t){7}, 64, 64,
					   ROCPROFILER_BUFFER_POLICY_LOSSLESS, take, reader,
					   &reader->buffer);
	if (!status) {
		for (int i = 0; i < 3; i++)
			records[i] = (struct tacho__rocp_record){
				ROCPROFILER_BUFFER_CATEGORY_COUNTERS, VALUE, &payloads[i],
				sizeof(payloads[i])};
		status = tacho__rocp_buffer_put(reader->buffer.handle, records, 3);
		flush(reader);
		assert_int_equal(reader->values, status ? 0 : 3);
		assert_int_equal(rocprofiler_destroy_buffer(reader->buffer), 0);
	}
	assert_int_equal(status,
			 memory_has_failed() ? ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES : 0);
}

static void memory_that_is_short_is_told(void **state)
{
	memory_fail_each(make_put_and_destroy, 8);
	memory_reset();
}

/* ---- callbacks that call back ---- */

static void act_flush(struct reader *reader)
{
	reader->acted = rocprofiler_flush_buffer(reader->buffer);
}

static void act_destroy(struct reader *reader)
{
	reader->acted = rocprofiler_destroy_buffer(reader->buffer);
}

/* More than both halves have room for, of which nobody else can take anything out. */
static void act_put(struct reader *reader)
{
	reader->act = NULL;
	for (int i = 1; i <= 100; i++)
		reader->acted = (rocprofiler_status_t)(reader->acted | put_value(reader, i));
}

static void callbacks_may_use_their_own_buffer(void **state)
{
	static struct reader flushes = {.act = act_flush, .acted = ROCPROFILER_STATUS_LAST};
	static struct reader destroys = {.act = act_destroy};
	static struct reader puts = {.act = act_put};

	make(&flushes, 4096, 2048, ROCPROFILER_BUFFER_POLICY_LOSSLESS);
	assert_int_equal(put_value(&flushes, 1), 0);
	flush(&flushes);
	assert_int_equal(flushes.acted, 0);
	make(&destroys, 4096, 2048, ROCPROFILER_BUFFER_POLICY_LOSSLESS);
	assert_int_equal(put_value(&destroys, 1), 0);
	flush(&destroys);
	assert_int_equal(destroys.acted, ROCPROFILER_STATUS_ERROR_BUFFER_BUSY);
	make(&puts, 4 * VALUE_BYTES, 2 * VALUE_BYTES, ROCPROFILER_BUFFER_POLICY_LOSSLESS);
	assert_int_equal(put_value(&puts, 1), 0);
	flush(&puts);
	flush(&puts);
	assert_int_equal(puts.acted, 0);
	assert_int_equal(puts.values, 101);
}

/* ---- several threads ---- */

struct producer {
	pthread_t thread;
	struct reader *reader;
	uint64_t number;
	size_t groups;
	atomic_size_t done;
	rocprofiler_status_t status;
};

static void *produce(void *user)
{
	struct producer *producer = user;

	for (size_t i = 0; i < producer->groups && !producer->status; i++) {
		producer->status = put_group(producer->reader, producer->number, i,
					     (i + producer->number) % (VALUES_MAX + 1));
		atomic_fetch_add(&producer->done, 1);
	}
	return NULL;
}

static size_t values_of(uint64_t number, size_t groups)
{
	size_t values = 0;

	for (size_t i = 0; i < groups; i++)
		values += (i + number) % (VALUES_MAX + 1);
	return values;
}

static void run_producers(struct reader *reader)
{
	static struct producer producers[PRODUCERS];

	memset(producers, 0, sizeof(producers));
	for (uint64_t i = 0; i < PRODUCERS; i++) {
		producers[i].reader = reader;
		producers[i].number = i;
		producers[i].groups = GROUPS;
		pthread_create(&producers[i].thread, NULL, produce, &producers[i]);
	}
	for (int i = 0; i < 100; i++)
		flush(reader);
	for (uint64_t i = 0; i < PRODUCERS; i++) {
		pthread_join(producers[i].thread, NULL);
		assert_int_equal(producers[i].status, 0);
	}
	flush(reader);
}

/* Groups of several producers are whole, in the order of each, and none is missing. */
static void lossless_loses_nothing(void **state)
{
	static const size_t sizes[] = {200, 1024, 65536};

	for (int i = 0; i < 3; i++) {
		static struct reader readers[3];
		struct reader *reader = &readers[i];
		size_t values = 0;

		make(reader, sizes[i], sizes[i] / 2, ROCPROFILER_BUFFER_POLICY_LOSSLESS);
		run_producers(reader);
		for (uint64_t k = 0; k < PRODUCERS; k++)
			values += values_of(k, GROUPS);
		assert_int_equal(reader->headers, PRODUCERS * GROUPS);
		assert_int_equal(reader->values, values);
		assert_int_equal(reader->torn, 0);
		assert_int_equal(reader->dropped, 0);
	}
}

/* While the reader is busy with the first, the other half takes four, and the rest is dropped. */
static void discard_counts_what_it_drops(void **state)
{
	static struct reader reader;
	sem_t entered, gate;

	sem_init(&entered, 0, 0);
	sem_init(&gate, 0, 0);
	reader.entered = &entered;
	reader.gate = &gate;
	make(&reader, 4 * VALUE_BYTES, 0, ROCPROFILER_BUFFER_POLICY_DISCARD);
	assert_int_equal(put_value(&reader, 1), 0);
	sem_wait(&entered);
	for (int i = 2; i <= 20; i++)
		assert_int_equal(put_value(&reader, i), 0);
	for (int i = 0; i < 2; i++)
		sem_post(&gate);
	flush(&reader);
	assert_int_equal(reader.values, 5);
	assert_true(reader.last_value == 5);
	assert_int_equal(reader.dropped, 15);
	/* The count is of all drops, as in AMD's library. */
	sem_post(&gate);
	assert_int_equal(put_value(&reader, 21), 0);
	flush(&reader);
	assert_int_equal(reader.dropped, 15);
	assert_int_equal(reader.values, 6);
}

static void a_full_buffer_stops_only_its_own_producer(void **state)
{
	static struct reader slow, quick;
	static struct producer producer = {.reader = &slow, .groups = 50};
	rocprofiler_callback_thread_t own = {0};
	sem_t entered, gate;
	size_t done;

	sem_init(&entered, 0, 0);
	sem_init(&gate, 0, 0);
	slow.entered = &entered;
	slow.gate = &gate;
	assert_int_equal(rocprofiler_create_callback_thread(&own), 0);
	make(&slow, 1024, 0, ROCPROFILER_BUFFER_POLICY_LOSSLESS);
	make(&quick, 1024, 0, ROCPROFILER_BUFFER_POLICY_LOSSLESS);
	assert_int_equal(rocprofiler_assign_callback_thread(quick.buffer, own), 0);
	pthread_create(&producer.thread, NULL, produce, &producer);
	sem_wait(&entered);
	for (int i = 0; i < 200; i++)
		assert_int_equal(put_group(&quick, 0, (uint64_t)i, 3), 0);
	flush(&quick);
	assert_int_equal(quick.headers, 200);
	done = atomic_load(&producer.done);
	assert_true(done < producer.groups);
	for (size_t i = 0; i < producer.groups; i++)
		sem_post(&gate);
	pthread_join(producer.thread, NULL);
	flush(&slow);
	assert_int_equal(slow.headers, producer.groups);
	assert_int_equal(slow.values, values_of(0, producer.groups));
	assert_int_equal(slow.torn + quick.torn, 0);
}

static void finalizing_lets_producers_go(void **state)
{
	static struct reader reader, behind;
	static struct producer producer = {.reader = &reader, .groups = 1000};
	sem_t entered, gate;

	sem_init(&entered, 0, 0);
	sem_init(&gate, 0, 0);
	reader.entered = &entered;
	reader.gate = &gate;
	client = 5;
	make(&reader, 256, 0, ROCPROFILER_BUFFER_POLICY_LOSSLESS);
	client = 1;
	pthread_create(&producer.thread, NULL, produce, &producer);
	sem_wait(&entered);
	tacho__rocp_buffers_discard(5);
	pthread_join(producer.thread, NULL);
	/* it was waiting, or came later */
	assert_true(producer.status == ROCPROFILER_STATUS_ERROR_FINALIZED ||
		    producer.status == ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND);
	assert_true(atomic_load(&producer.done) < 10);
	/* What was being delivered stays until its callback returns; then others have their turn.
	 */
	make(&behind, 256, 0, ROCPROFILER_BUFFER_POLICY_LOSSLESS);
	assert_int_equal(put_value(&behind, 1), 0);
	sem_post(&gate);
	flush(&behind);
	assert_int_equal(reader.deliveries, 1);
	assert_int_equal(reader.torn, 0);
}

static int made_before, made_after;

static void count_thread(rocprofiler_runtime_library_t library, void *data)
{
	++*(int *)data;
}

static void buffers_are_delivered_in_their_thread(void **state)
{
	static struct reader shared[2], apart;
	rocprofiler_callback_thread_t own = {0};

	assert_int_equal(rocprofiler_at_internal_thread_create(count_thread, NULL,
							       ROCPROFILER_LIBRARY, &made_before),
			 0);
	assert_int_equal(rocprofiler_at_internal_thread_create(NULL, count_thread, 0, &made_after),
			 0);
	assert_int_equal(rocprofiler_at_internal_thread_create(
				 count_thread, NULL, ROCPROFILER_HSA_LIBRARY, &made_before),
			 0);
	assert_int_equal(rocprofiler_create_callback_thread(&own), 0);
	assert_int_not_equal(own.handle, 0);
	assert_int_equal(made_before, 1);
	assert_int_equal(made_after, 1);
	make(&shared[0], 64, 0, ROCPROFILER_BUFFER_POLICY_LOSSLESS);
	make(&shared[1], 64, 0, ROCPROFILER_BUFFER_POLICY_LOSSLESS);
	make(&apart, 64, 0, ROCPROFILER_BUFFER_POLICY_LOSSLESS);
	assert_int_equal(rocprofiler_assign_callback_thread(apart.buffer, own), 0);
	assert_int_equal(rocprofiler_assign_callback_thread(apart.buffer,
							    (rocprofiler_callback_thread_t){200}),
			 ROCPROFILER_STATUS_ERROR_THREAD_NOT_FOUND);
	assert_int_equal(rocprofiler_assign_callback_thread((rocprofiler_buffer_id_t){1000}, own),
			 ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND);
	for (int i = 0; i < 3; i++) {
		struct reader *reader = i < 2 ? &shared[i] : &apart;

		assert_int_equal(put_value(reader, 1), 0);
		flush(reader);
	}
	assert_true(pthread_equal(shared[0].thread, shared[1].thread));
	assert_false(pthread_equal(shared[0].thread, apart.thread));
	assert_false(pthread_equal(apart.thread, pthread_self()));
	is_locked = true;
	assert_int_equal(rocprofiler_create_callback_thread(&own),
			 ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED);
	assert_int_equal(rocprofiler_assign_callback_thread(apart.buffer, own),
			 ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED);
	is_locked = false;
}

/* What was posted is delivered before threads end; what comes behind is not. */
static int end_threads(void **state)
{
	tacho__rocp_buffers_flush(1);
	tacho__rocp_threads_end();
	tacho__rocp_buffers_discard(1);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(creation_checks_what_it_is_given),
		cmocka_unit_test(records_stay_until_the_watermark),
		cmocka_unit_test(the_watermark_needs_no_flush),
		cmocka_unit_test(a_watermark_of_0_is_every_record),
		cmocka_unit_test(a_group_larger_than_the_buffer_comes_whole),
		cmocka_unit_test(a_destroyed_buffer_is_gone),
		cmocka_unit_test(nothing_comes_when_tools_are_finalized),
		cmocka_unit_test(memory_that_is_short_is_told),
		cmocka_unit_test(callbacks_may_use_their_own_buffer),
		cmocka_unit_test(lossless_loses_nothing),
		cmocka_unit_test(discard_counts_what_it_drops),
		cmocka_unit_test(a_full_buffer_stops_only_its_own_producer),
		cmocka_unit_test(finalizing_lets_producers_go),
		cmocka_unit_test(buffers_are_delivered_in_their_thread),
	};

	return cmocka_run_group_tests(tests, NULL, end_threads);
}
