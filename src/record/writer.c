/* SPDX-License-Identifier: MIT */
/*
 * The recorder as a subscriber: what happens becomes records. on_call() is the hot path: no lock,
 * no allocation, no system call while the window has room.
 */
#include <string.h>

#include "base/pack.h"
#include "intercept/intercept.h"
#include "record/recorder.h"
#include "record/subscriber.h"
#include "record/values.h"

/* These are on the stacks of the program's threads. */
enum { BLOB_PIECE_BYTES = 4 * 1024, ATTRIBUTES_MAX = 4 * 1024 };

/* The slot keeps its window in `queued` until the times are there; see wire.h. */
static void begin_slot(struct tacho__stream *stream, struct tacho__slot *slot)
{
	slot->queued = (uint64_t)(uintptr_t)stream->window;
	atomic_fetch_add_explicit(&stream->window->outstanding, 1, memory_order_relaxed);
	atomic_store_explicit(&stream->commands,
			      atomic_load_explicit(&stream->commands, memory_order_relaxed) + 1,
			      memory_order_relaxed);
}

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
	uint32_t arguments = call->size;
	uint32_t slot_bytes = call->has_slot ? (uint32_t)sizeof(struct tacho__slot) : 0, bytes;
	struct tacho__pack pack;
	/* word, control byte and two values of 8 bytes at most, alignment */
	uint8_t *at = tacho__stream_reserve(stream, 8 + 17 + arguments + 7 + slot_bytes);

	if (!at)
		return;
	tacho__pack_begin(&pack, at + 8);
	tacho__pack_u64(&pack, call->start);
	tacho__pack_u64(&pack, call->end - call->start);
	copy_packed(pack.at, call->arguments, arguments);
	bytes = ((uint32_t)(pack.at - at) + arguments + 7) & ~UINT32_C(7);
	if (call->has_slot) {
		call->token = at + bytes;
		begin_slot(stream, call->token);
		bytes += slot_bytes;
	}
	tacho__stream_commit(stream, bytes, call->kind, call->has_slot);
	atomic_store_explicit(&stream->calls,
			      atomic_load_explicit(&stream->calls, memory_order_relaxed) + 1,
			      memory_order_relaxed);
}

static void on_call(struct tacho__call *call)
{
	struct tacho__stream *stream = tacho__stream_own(call->end);

	if (!stream)
		return;
	if (stream->busy) {
		tacho__live_add(lost_nested);
		return;
	}
	stream->busy = true;
	atomic_signal_fence(memory_order_seq_cst);
	write_call(stream, call);
	atomic_signal_fence(memory_order_seq_cst);
	stream->busy = false;
}

static void on_complete(void *token, const struct tacho__times *times)
{
	struct tacho__slot *slot = token;
	struct tacho__window *window = (struct tacho__window *)(uintptr_t)slot->queued;

	slot->queued = times->queued;
	slot->submit = times->submit;
	slot->start = times->start;
	slot->end = times->end;
	slot->seen = tacho__tick();
	__atomic_store_n(&slot->done, times->code | (uint64_t)(uint32_t)times->vendor_code << 32,
			 __ATOMIC_RELEASE);
	tacho__window_release(window);
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

static void put(uint16_t kind, const uint8_t *packed, const struct tacho__pack *pack)
{
	struct tacho__stream *stream = tacho__stream_own(tacho__tick());

	if (stream)
		tacho__stream_put(stream, kind, packed, (uint32_t)(pack->at - packed));
}

static void on_made(const struct tacho__made *made)
{
	uint8_t packed[ATTRIBUTES_MAX + 128];
	uint64_t size = fitting(made->attributes);
	struct tacho__pack pack;

	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, tacho__tick());
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
	tacho__pack_u64(&pack, tacho__tick());
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
		tacho__pack_u64(&pack, tacho__tick());
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

static void on_nested(void)
{
	if (tacho__recorder_alive())
		tacho__live_add(lost_nested);
}

void tacho__record_subscribe(void)
{
	static const struct tacho__subscriber subscriber = {
		.call = on_call,
		.complete = on_complete,
		.made = on_made,
		.blob = on_blob,
		.process = on_process,
		.counts = on_counts,
		.nested = on_nested,
	};

	tacho__intercept_subscribe(&subscriber);
}
