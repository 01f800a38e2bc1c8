/* SPDX-License-Identifier: MIT */
/* Traces of Perfetto: packets one by one, clocks, and what is left out. */
#include "format/foreign/pftrace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

enum { CHUNK = 64 * 1024, PACKET_MAX = 4 * 1024 * 1024 };

enum { /* TracePacket */
       PACKET_CLOCKS = 6,
       PACKET_TIMESTAMP = 8,
       PACKET_SEQUENCE = 10,
       PACKET_INTERNED = 12,
       PACKET_FLAGS = 13,
       PACKET_COMPRESSED = 50,
       PACKET_COUNTERS = 52,
       PACKET_STAGE = 53,
       PACKET_CLOCK = 58,
       PACKET_DEFAULTS = 59
};

enum { TRACE_PACKET = 0x0a, STATE_CLEARED = 1, DEFAULT_CLOCK = 58 };
enum { SNAPSHOT_CLOCKS = 1, SNAPSHOT_PRIMARY = 2 };

/* ---- is it one ---- */

static bool read_varint(const uint8_t **at, const uint8_t *end, uint64_t *out_value)
{
	uint64_t value = 0;

	for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
		uint8_t byte = *(*at)++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			*out_value = value;
			return true;
		}
	}
	return false;
}

/* What every packet has that a service wrote: a sequence, or clocks. */
static bool is_packet(struct tacho__proto_reader reader)
{
	struct tacho__proto_field field;
	bool is_own = false;
	int more;

	while ((more = tacho__proto_next(&reader, &field)) == 1)
		is_own |= field.wire == TACHO__PROTO_VARINT ? field.number == PACKET_SEQUENCE
			  : field.wire == TACHO__PROTO_BYTES
				  ? field.number == PACKET_CLOCKS || field.number == PACKET_STAGE ||
					    field.number == PACKET_COMPRESSED
				  : false;
	return !more && is_own;
}

static bool fits(const struct tacho__foreign_file *file)
{
	const uint8_t *at = (const uint8_t *)file->head, *end = at + file->head_size;
	uint64_t size;

	for (int i = 0; i < 16 && at < end && *at++ == TRACE_PACKET; i++) {
		if (!read_varint(&at, end, &size) || size > (uint64_t)(end - at))
			return false;
		if (is_packet((struct tacho__proto_reader){at, at + size}))
			return true;
		at += size;
	}
	return false;
}

/* ---- packets ---- */

static void take_clock(struct tacho__pftrace *trace, struct tacho__proto_reader reader)
{
	struct tacho__proto_field field;
	uint64_t id = 0, ns = 0;

	while (tacho__proto_next(&reader, &field) == 1)
		if (field.wire == TACHO__PROTO_VARINT && field.number == 1)
			id = field.value;
		else if (field.wire == TACHO__PROTO_VARINT && field.number == 2)
			ns = field.value;
	if (id < TACHO__PFTRACE_CLOCKS)
		trace->clocks[id] = ns;
}

/* The first snapshot is the one that counts: clocks hardly drift, and times must not jump. */
static void take_clocks(struct tacho__pftrace *trace, struct tacho__proto_reader reader)
{
	uint64_t base, real;
	struct tacho__proto_field field;

	if (trace->clocks[trace->base])
		return;
	while (tacho__proto_next(&reader, &field) == 1)
		if (field.wire == TACHO__PROTO_BYTES && field.number == SNAPSHOT_CLOCKS)
			take_clock(trace, tacho__proto_open(&field));
		else if (field.wire == TACHO__PROTO_VARINT && field.number == SNAPSHOT_PRIMARY &&
			 field.value < TACHO__PFTRACE_CLOCKS)
			trace->base = (uint32_t)field.value;
	if (!trace->clocks[trace->base])
		trace->base = TACHO__PFTRACE_BOOTTIME;
	base = trace->clocks[trace->base];
	real = trace->clocks[TACHO__PFTRACE_REALTIME];
	if (base && real && real <= INT64_MAX && base < real)
		tacho__foreign_set_epoch(trace->foreign, (int64_t)(real - base));
}

static void take_defaults(struct tacho__pftrace_sequence *sequence,
			  struct tacho__proto_reader reader)
{
	struct tacho__proto_field field;

	while (tacho__proto_next(&reader, &field) == 1)
		if (field.wire == TACHO__PROTO_VARINT && field.number == DEFAULT_CLOCK)
			sequence->clock = (uint32_t)field.value;
}

/* What holds for all of the packet, wherever it stands in it. */
static int begin_packet(struct tacho__pftrace *trace, struct tacho__proto_reader reader,
			struct tacho__pftrace_packet *packet)
{
	struct tacho__proto_field field;
	uint64_t sequence = 0, flags = 0;
	int more;

	while ((more = tacho__proto_next(&reader, &field)) == 1)
		if (field.wire != TACHO__PROTO_VARINT)
			continue;
		else if (field.number == PACKET_TIMESTAMP)
			packet->timestamp = field.value;
		else if (field.number == PACKET_SEQUENCE)
			sequence = field.value;
		else if (field.number == PACKET_FLAGS)
			flags = field.value;
		else if (field.number == PACKET_CLOCK)
			packet->clock = (uint32_t)field.value;
	if (more)
		return tacho__fail(TACHO_E_PARSE, "", "",
				   "packet %" PRIu64 " of the trace, before byte %" PRIu64
				   ", is damaged",
				   trace->packets, trace->offset + trace->at);
	packet->sequence = tacho__pftrace_sequence(trace, sequence);
	if (!packet->sequence)
		return TACHO_E_NOMEM;
	if (flags & STATE_CLEARED)
		tacho__pftrace_clear(packet->sequence);
	return 0;
}

static int take_packet(struct tacho__pftrace *trace, struct tacho__proto_reader reader)
{
	struct tacho__proto_reader names = reader;
	struct tacho__pftrace_packet packet = {0};
	struct tacho__proto_field field;
	int rc;

	trace->packets++;
	rc = begin_packet(trace, reader, &packet);
	while (!rc && tacho__proto_next(&names, &field) == 1)
		if (field.wire != TACHO__PROTO_BYTES)
			continue;
		else if (field.number == PACKET_INTERNED)
			rc = tacho__pftrace_take_names(trace, packet.sequence,
						       tacho__proto_open(&field));
		else if (field.number == PACKET_DEFAULTS)
			take_defaults(packet.sequence, tacho__proto_open(&field));
		else if (field.number == PACKET_CLOCKS)
			take_clocks(trace, tacho__proto_open(&field));
	if (!packet.clock && packet.sequence)
		packet.clock = packet.sequence->clock;
	while (!rc && tacho__proto_next(&reader, &field) == 1)
		if (field.wire != TACHO__PROTO_BYTES)
			continue;
		else if (field.number == PACKET_STAGE)
			rc = tacho__pftrace_take_stage(trace, &packet, tacho__proto_open(&field));
		else
			trace->samples += field.number == PACKET_COUNTERS,
				trace->packed += field.number == PACKET_COMPRESSED;
	return rc;
}

/* ---- bytes ---- */

static int lose_end(struct tacho__pftrace *trace)
{
	return tacho__foreign_lose(trace->foreign, trace->path,
				   "ends early, at byte %" PRIu64
				   ": what is behind that is missing",
				   trace->offset + trace->size);
}

/* Until `wanted` bytes are there, or the end. */
static int fill(struct tacho__pftrace *trace, size_t wanted)
{
	size_t got;
	int rc = 0;

	if (trace->size - trace->at >= wanted || trace->is_end)
		return 0;
	if (trace->at) {
		memmove(trace->buffer, trace->buffer + trace->at, trace->size - trace->at);
		trace->offset += trace->at;
		trace->size -= trace->at;
		trace->at = 0;
	}
	if (trace->capacity < wanted + CHUNK) {
		uint8_t *buffer = realloc(trace->buffer, wanted + CHUNK);

		if (!buffer)
			return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a packet");
		trace->buffer = buffer;
		trace->capacity = wanted + CHUNK;
	}
	while (!rc && trace->size < wanted && !trace->is_end) {
		rc = tacho__foreign_bytes_read(trace->bytes, trace->buffer + trace->size,
					       trace->capacity - trace->size, &got);
		trace->size += got;
		trace->is_end = !got;
	}
	if (rc != TACHO_E_PARSE || !trace->stages)
		return rc;
	trace->is_end = true;
	return lose_end(trace);
}

/* The bytes of a packet that is too large to be of interest. */
static int skip(struct tacho__pftrace *trace, uint64_t size)
{
	int rc = 0;

	while (!rc && size && !(trace->is_end && trace->at == trace->size)) {
		size_t some = trace->size - trace->at;

		some = some < size ? some : (size_t)size;
		trace->at += some;
		size -= some;
		rc = size ? fill(trace, CHUNK) : 0;
	}
	return rc;
}

static int end_early(struct tacho__pftrace *trace)
{
	if (!trace->stages)
		return tacho__fail(
			TACHO_E_PARSE, "the last packet is cut", "copy or record the trace again",
			"the trace ends early, at byte %" PRIu64, trace->offset + trace->size);
	trace->at = trace->size;
	return lose_end(trace);
}

/* One field of the trace; they are packets. */
static int read_field(struct tacho__pftrace *trace)
{
	const uint8_t *begin = trace->buffer + trace->at, *at = begin + 1;
	const uint8_t *end = trace->buffer + trace->size;
	uint64_t size;
	int rc;

	if (*begin != TRACE_PACKET)
		return tacho__fail(TACHO_E_PARSE, "no packet begins there", "",
				   "byte %" PRIu64 " of the trace is damaged",
				   trace->offset + trace->at);
	if (!read_varint(&at, end, &size))
		return end_early(trace);
	trace->at += (size_t)(at - begin);
	if (size > PACKET_MAX) {
		trace->surplus++;
		return skip(trace, size);
	}
	rc = fill(trace, (size_t)size);
	if (rc)
		return rc;
	if (trace->size - trace->at < size)
		return end_early(trace);
	at = trace->buffer + trace->at;
	trace->at += (size_t)size;
	return take_packet(trace, (struct tacho__proto_reader){at, at + size});
}

static int read_all(struct tacho__pftrace *trace)
{
	int rc;

	while (!(rc = fill(trace, 16)) && trace->at < trace->size)
		if ((rc = read_field(trace)))
			break;
	return rc;
}

/* ---- the end ---- */

static void note_what_lacks(const struct tacho__pftrace *trace)
{
	struct tacho__foreign *foreign = trace->foreign;

	if (!trace->stages)
		foreign->recording->run.why_empty =
			"The trace has no render stage of a GPU. Slices of track events are not "
			"read: open what it was made of, such as a recording of tacho, or a table "
			"or database that the tool writes, too.";
	else
		tacho__foreign_note(foreign, "Such traces tell what a GPU ran, not the calls, the "
					     "transfers, or when work was queued.");
	tacho__foreign_note_count(foreign, trace->samples,
				  "packet of counters: it is a sample of the whole device, not of "
				  "a launch, and left out.",
				  "packets of counters: they are samples of the whole device, not "
				  "of launches, and left out.");
	if (trace->packed)
		tacho__foreign_note(foreign,
				    "%" PRIu64 " packet%s left out, being compressed: traceconv "
				    "decompress_packets unpacks them.",
				    trace->packed, trace->packed == 1 ? " is" : "s are");
	if (trace->unnamed)
		tacho__foreign_note(foreign,
				    "%" PRIu64 " render stage%s of a queue that the trace does not "
				    "describe %s left out.",
				    trace->unnamed, tacho__plural(trace->unnamed),
				    trace->unnamed == 1 ? "is" : "are");
	if (trace->clockless)
		tacho__foreign_note(foreign,
				    "Times of %" PRIu64 " render stage%s are of a clock that the "
				    "trace does not tell.",
				    trace->clockless, tacho__plural(trace->clockless));
	tacho__foreign_note_count(foreign, trace->surplus,
				  "packet or name was too large or one too many, and is left out.",
				  "packets or names were too large or too many, and are left out.");
}

static void finish(struct tacho__pftrace *trace)
{
	for (size_t i = 0; i < trace->sequences.capacity; i++) {
		struct tacho__pftrace_sequence *sequence = trace->sequences.entries[i].value;

		if (sequence)
			tacho__pftrace_clear(sequence);
		free(sequence);
	}
	tacho__map_finish(&trace->sequences);
	tacho__foreign_bytes_close(trace->bytes);
	free(trace->buffer);
	free(trace);
}

static int read_file(struct tacho__foreign *foreign, const struct tacho__foreign_file *file)
{
	struct tacho__pftrace *trace = calloc(1, sizeof(*trace));
	int rc;

	if (!trace)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", file->path);
	trace->foreign = foreign;
	trace->path = file->path;
	trace->file = file->number;
	trace->base = TACHO__PFTRACE_BOOTTIME;
	rc = tacho__foreign_bytes_open(file->path, &trace->bytes);
	if (!rc)
		rc = read_all(trace);
	if (!rc)
		note_what_lacks(trace);
	finish(trace);
	return rc;
}

const struct tacho__foreign_reader tacho__foreign_pftrace = {
	.name = "perfetto",
	.title = "Perfetto",
	.fits = fits,
	.read_file = read_file,
};
