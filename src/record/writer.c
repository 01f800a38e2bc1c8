/* SPDX-License-Identifier: MIT */
/*
 * The recorder as a subscriber: what happens becomes records. on_call() is the hot path: no lock,
 * no allocation, no system call while the window has room.
 */
#include <string.h>

#include "base/pack.h"
#include "base/utf8.h"
#include "intercept/intercept.h"
#include "record/count_shapes.h"
#include "record/recorder.h"
#include "record/template.h"
#include "record/values.h"

/* These are on the stacks of the program's threads. */
enum { BLOB_PIECE_BYTES = 4 * 1024, ATTRIBUTES_MAX = 4 * 1024 };

enum {
	COST_TURNS = 64, /* one call in so many of a thread is timed, */
	COST_FIRST = 7,	 /* not its first ones, for which memory is touched first */
	COST_TICKS_MAX = 1 << 20,
};

/*
 * Copies packed values word by word. The last word is cut to what belongs to it, because what
 * follows a record must stay zero; both buffers have slack for it.
 */
static void copy_packed(uint8_t *to, const uint8_t *from, uint32_t size)
{
	uint64_t word;

	for (; size >= sizeof(word); size -= sizeof(word)) {
		memcpy(to, from, sizeof(word));
		to += sizeof(word);
		from += sizeof(word);
	}
	memcpy(&word, from, sizeof(word));
	word &= (UINT64_C(1) << (8 * size)) - 1;
	memcpy(to, &word, sizeof(word));
}

static void write_call(struct tacho__stream *stream, struct tacho__call *call)
{
	uint32_t bytes = (uint32_t)sizeof(struct tacho__pool_record) + ((call->size + 7) & ~7u);
	uint8_t *at = tacho__stream_reserve(stream, bytes + sizeof(uint64_t), call->has_slot);
	struct tacho__pool_record *record = (struct tacho__pool_record *)(void *)at;
	struct tacho__pool_slot *slot = NULL;

	if (!at)
		return;
	record->start = call->start;
	record->end = call->end;
	copy_packed(at + sizeof(*record), call->arguments, call->size);
	if (call->has_slot)
		slot = tacho__stream_take_slot(stream);
	if (slot) {
		uint64_t number = tacho__pool_slot_number(tacho__recorder.pool, slot);

		memcpy(at + bytes, &number, sizeof(number));
		bytes += (uint32_t)sizeof(number);
		call->token = slot;
	}
	tacho__stream_commit(stream, bytes, call->kind, slot != NULL);
}

static bool is_left_out(uint16_t kind)
{
	unsigned api = TACHO__KIND_API(kind), function = TACHO__KIND_FUNCTION(kind);

	return atomic_load_explicit(&tacho__recorder.pool->left_out[api][function / 64],
				    memory_order_relaxed) >>
		       (function % 64) &
	       1;
}

/*
 * What recording costs the program: one call in COST_TURNS is timed, from its end to here. A thread
 * that lost its processor meanwhile says nothing about that.
 */
static void __attribute__((noinline)) note_cost(const struct tacho__call *call)
{
	uint64_t now = tacho__tick();
	uint64_t ticks = now - call->end + (tacho__tick() - now); /* and one before the call */

	if (ticks > COST_TICKS_MAX)
		return;
	atomic_fetch_add_explicit(&tacho__recorder.process->cost_ticks, ticks,
				  memory_order_relaxed);
	atomic_fetch_add_explicit(&tacho__recorder.process->cost_calls, 1, memory_order_relaxed);
}

/* Inlined where it is hot. */
static inline void put_call(struct tacho__stream *stream, struct tacho__call *call)
{
	if (!stream || is_left_out(call->kind))
		return;
	if (stream->busy) {
		tacho__process_add(lost_nested);
		return;
	}
	stream->busy = true;
	atomic_signal_fence(memory_order_seq_cst);
	write_call(stream, call);
	atomic_signal_fence(memory_order_seq_cst);
	stream->busy = false;
}

static void on_call(struct tacho__call *call)
{
	struct tacho__stream *stream = tacho__stream_own();

	put_call(stream, call);
	if (stream && __builtin_expect((stream->turn++ % COST_TURNS) == COST_FIRST, 0))
		note_cost(call);
}

static void on_call_of(struct tacho__call *call, uint32_t thread)
{
	put_call(tacho__stream_of(thread), call);
}

/* After `done` the times are there; after the list has the slot the keeper may take it away. */
static void on_complete(void *token, const struct tacho__times *times)
{
	struct tacho__pool *pool = tacho__recorder.pool;
	struct tacho__pool_slot *slot = token;
	uint32_t number = tacho__pool_slot_number(pool, slot);
	uint64_t head = atomic_load_explicit(&pool->done_list, memory_order_relaxed);

	slot->queued = times->queued;
	slot->submit = times->submit;
	slot->start = times->start;
	slot->end = times->end;
	slot->seen = times->is_unseen ? 0 : tacho__tick();
	if (times->code == TACHO__SLOT_NO_ROOM)
		tacho__process_add(untimed);
	atomic_store_explicit(&slot->done,
			      times->code | (uint64_t)(uint32_t)times->vendor_code << 32,
			      memory_order_release);
	do {
		slot->next = (uint32_t)head;
	} while (!atomic_compare_exchange_weak_explicit(
		&pool->done_list, &head, number + 1, memory_order_release, memory_order_relaxed));
}

/* Cuts text at a line's end so that it fits a record. */
static uint64_t fitting(const char *attributes)
{
	uint64_t size = strlen(attributes);

	if (size <= ATTRIBUTES_MAX)
		return size;
	size = ATTRIBUTES_MAX;
	while (size && attributes[size - 1] != '\n')
		size--;
	return size;
}

static void put_at(uint64_t tick, uint16_t kind, const uint8_t *packed,
		   const struct tacho__pack *pack)
{
	struct tacho__stream *stream = tacho__stream_own();

	if (stream)
		tacho__stream_put(stream, tick, kind, packed, (uint32_t)(pack->at - packed));
}

static void put(uint16_t kind, const uint8_t *packed, const struct tacho__pack *pack)
{
	put_at(tacho__tick(), kind, packed, pack);
}

static void on_made(const struct tacho__made *made)
{
	uint8_t packed[ATTRIBUTES_MAX + 128];
	uint64_t size = fitting(made->attributes);
	struct tacho__pack pack;

	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, made->api);
	tacho__pack_u64(&pack, made->kind);
	tacho__pack_u64(&pack, made->handle);
	tacho__pack_u64(&pack, size);
	tacho__pack_bytes(&pack, made->attributes, size);
	put(TACHO__RECORD_OBJECT, packed, &pack);
}

static void on_process(const char *attributes)
{
	uint8_t packed[ATTRIBUTES_MAX + 128];
	uint64_t size = fitting(attributes);
	struct tacho__pack pack;

	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, size);
	tacho__pack_bytes(&pack, attributes, size);
	put(TACHO__RECORD_PROCESS, packed, &pack);
}

static void on_blob(const struct tacho__blob_note *blob)
{
	uint8_t packed[BLOB_PIECE_BYTES + 256];
	size_t kind_size = strnlen(blob->kind, 32);

	for (uint64_t offset = 0; offset < blob->size; offset += BLOB_PIECE_BYTES) {
		uint64_t left = blob->size - offset;
		uint64_t piece = left < BLOB_PIECE_BYTES ? left : BLOB_PIECE_BYTES;
		struct tacho__pack pack;

		tacho__pack_begin(&pack, packed);
		tacho__pack_u64(&pack, blob->api);
		tacho__pack_u64(&pack, blob->handle);
		tacho__pack_u64(&pack, kind_size);
		tacho__pack_bytes(&pack, blob->kind, kind_size);
		tacho__pack_u64(&pack, offset);
		tacho__pack_u64(&pack, blob->size);
		tacho__pack_u64(&pack, piece);
		tacho__pack_bytes(&pack, (const char *)blob->bytes + offset, piece);
		put(TACHO__RECORD_BLOB, packed, &pack);
	}
}

static void on_count_shape(const struct tacho__count_shape *shape)
{
	uint8_t packed[TACHO__COUNT_SHAPE_BYTES];
	uint32_t size = tacho__count_shape_pack(shape->index, shape->column, packed);
	const struct tacho__pack pack = {.at = packed + size};

	if (size) /* else readers say that it is not known */
		put(TACHO__RECORD_COUNT_SHAPE, packed, &pack);
}

static void on_counts(const struct tacho__counts *counts)
{
	uint32_t records = tacho__values_record_count(counts);
	uint8_t packed[TACHO__VALUES_BYTES];

	for (uint32_t i = 0; i < records; i++) {
		uint32_t size = tacho__values_pack(counts, i, packed);
		const struct tacho__pack pack = {.at = packed + size};

		put(TACHO__RECORD_VALUES, packed, &pack);
	}
}

static void on_template(const struct tacho__template *template)
{
	uint32_t records = tacho__template_record_count(template);
	uint8_t packed[TACHO__TEMPLATE_BYTES];

	for (uint32_t i = 0; i < records; i++) {
		uint32_t size = tacho__template_pack(template, i, packed);
		const struct tacho__pack pack = {.at = packed + size};

		put(TACHO__RECORD_TEMPLATE, packed, &pack);
	}
}

static void pack_text(struct tacho__pack *pack, const char *text, size_t max)
{
	size_t size = tacho__utf8_fit(text, strnlen(text, max + 1), max);

	tacho__pack_u64(pack, size);
	tacho__pack_bytes(pack, text, size);
}

static void on_range(const struct tacho__range_note *note)
{
	uint8_t packed[TACHO__RANGE_NAME_MAX + 2 * TACHO__RANGE_DOMAIN_MAX + 128];
	struct tacho__pack pack;

	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, note->event);
	tacho__pack_u64(&pack, note->id);
	tacho__pack_u64(&pack, note->has_color ? (uint64_t)note->color + 1 : 0);
	pack_text(&pack, note->api, TACHO__RANGE_DOMAIN_MAX);
	pack_text(&pack, note->domain, TACHO__RANGE_DOMAIN_MAX);
	if (note->name)
		pack_text(&pack, note->name, TACHO__RANGE_NAME_MAX);
	if (note->level || note->kind)
		tacho__pack_u64(&pack, note->level);
	if (note->kind) {
		tacho__pack_u64(&pack, note->kind);
		tacho__pack_u64(&pack, note->api_id);
		tacho__pack_u64(&pack, note->queue);
		tacho__pack_u64(&pack, note->number);
	}
	put_at(note->tick ? note->tick : tacho__tick(), TACHO__RECORD_RANGE, packed, &pack);
}

static void on_thread_name(const char *name)
{
	uint8_t packed[TACHO__THREAD_NAME_MAX + 64];
	struct tacho__pack pack;

	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, tacho__recorder_thread_id());
	pack_text(&pack, name, TACHO__THREAD_NAME_MAX);
	put(TACHO__RECORD_THREAD, packed, &pack);
}

static void on_nested(void)
{
	if (tacho__recorder_alive())
		tacho__process_add(lost_nested);
}

static void on_lost(uint64_t count)
{
	if (tacho__recorder_alive())
		tacho__process_add_many(lost_unreported, count);
}

void tacho__record_subscribe(void)
{
	static const struct tacho__subscriber subscriber = {
		.call = on_call,
		.complete = on_complete,
		.made = on_made,
		.blob = on_blob,
		.process = on_process,
		.count_shape = on_count_shape,
		.counts = on_counts,
		.template = on_template,
		.range = on_range,
		.thread_name = on_thread_name,
		.nested = on_nested,
		.call_of = on_call_of,
		.lost = on_lost,
	};

	tacho__intercept_subscribe(&subscriber);
}
