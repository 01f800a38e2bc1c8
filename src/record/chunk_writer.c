/* SPDX-License-Identifier: MIT */
#include "record/chunk_writer.h"

#include <stddef.h>
#include <string.h>

#include "base/crc32c.h"
#include "base/varint.h"

enum {
	HAS_SLOT = 1,
	HAS_SAME_VALUES = 2,
	IS_SEVERAL = 4,
	TOKEN_BITS = 3,
	/* of a record beside its values: token, kind, start, duration, more, sum, size */
	HEAD_MAX = 6 * TACHO__VARINT_MAX + 2,
};

void tacho__chunk_begin(struct tacho__chunk_writer *writer)
{
	memset(&writer->header, 0, sizeof(writer->header));
	memset(&writer->run, 0, sizeof(writer->run));
	writer->header.magic = TACHO__CHUNK_MAGIC;
	writer->header.version = TACHO__CHUNK_VERSION;
	writer->header.header_bytes = sizeof(writer->header);
	writer->size = 0;
	writer->kind_count = 0;
	writer->last_end = 0;
}

/* The number of a kind in this chunk; kind_count when it is new. */
static unsigned find_kind(const struct tacho__chunk_writer *writer, uint16_t kind)
{
	unsigned number = 0;

	while (number < writer->kind_count && writer->numbers[number] != kind)
		number++;
	return number;
}

static uint8_t *put_difference(uint8_t *at, const uint8_t *values, const uint8_t *last,
			       uint32_t size)
{
	for (uint32_t i = 0; i < size; i += 8) {
		uint8_t *mask = at++;

		*mask = 0;
		for (uint32_t k = i; k < i + 8; k++) {
			if (values[k] == last[k])
				continue;
			*mask |= (uint8_t)(1u << (k - i));
			*at++ = values[k];
		}
	}
	return at;
}

/* The values, whole or against those of the last record of the kind, which they then become. */
static uint8_t *put_values(uint8_t *at, struct tacho__chunk_kind *kind, bool is_new,
			   const struct tacho__chunk_record *record)
{
	bool differs = !is_new && kind->size == record->size && TACHO__KIND_API(record->kind);

	at = tacho__varint_put(at, (uint64_t)record->size * 2 + differs);
	if (differs) {
		at = put_difference(at, record->values, kind->values, record->size);
	} else {
		memcpy(at, record->values, record->size);
		at += record->size;
	}
	memcpy(kind->values, record->values, record->size);
	kind->size = record->size;
	return at;
}

/* Writes the head of the last record: only then it is known how many calls it stands for. */
static void close_run(struct tacho__chunk_writer *writer)
{
	struct tacho__chunk_run *run = &writer->run;
	uint8_t *at = writer->payload + writer->size;

	if (!run->is_open)
		return;
	at = tacho__varint_put(at, (uint64_t)run->number << TOKEN_BITS | HAS_SAME_VALUES |
					   (run->more ? IS_SEVERAL : 0));
	at = tacho__varint_put(at, tacho__varint_fold((int64_t)(run->start - writer->last_end)));
	at = tacho__varint_put(at, run->end - run->start);
	if (run->more) {
		at = tacho__varint_put(at, run->more);
		at = tacho__varint_put(at, run->sum);
	}
	writer->last_end = run->end;
	writer->size = (uint32_t)(at - writer->payload);
	writer->header.records++;
	run->is_open = false;
}

/* A poll that repeats the last record of its kind waits for more of them. */
static void open_run(struct tacho__chunk_writer *writer, unsigned number,
		     const struct tacho__chunk_record *record)
{
	close_run(writer);
	writer->run = (struct tacho__chunk_run){
		.is_open = true,
		.number = number,
		.start = record->start,
		.end = record->end,
		.sum = record->end - record->start,
	};
}

static bool has_room(const struct tacho__chunk_writer *writer,
		     const struct tacho__chunk_record *record)
{
	size_t slots = (writer->header.slots + record->has_slot) * sizeof(struct tacho__slot);

	/* A difference is at most an eighth longer; twice the head, for an open run is not written
	 * yet. */
	return sizeof(writer->header) + writer->size + 2 * HEAD_MAX + record->size +
		       record->size / 8 + 16 + slots <=
	       TACHO__CHUNK_MAX;
}

static void put_record(struct tacho__chunk_writer *writer, unsigned number, bool is_same,
		       const struct tacho__chunk_record *record)
{
	struct tacho__chunk_kind *kind = &writer->kinds[number];
	bool is_new = number == writer->kind_count;
	uint8_t *at = writer->payload + writer->size;

	at = tacho__varint_put(at, (uint64_t)number << TOKEN_BITS |
					   (record->has_slot ? HAS_SLOT : 0) |
					   (is_same ? HAS_SAME_VALUES : 0));
	if (is_new) {
		*at++ = (uint8_t)record->kind;
		*at++ = (uint8_t)(record->kind >> 8);
		writer->numbers[number] = record->kind;
		writer->kind_count++;
	}
	at = tacho__varint_put(at, tacho__varint_fold((int64_t)(record->start - writer->last_end)));
	if (TACHO__KIND_API(record->kind))
		at = tacho__varint_put(at, record->end - record->start);
	if (!is_same)
		at = put_values(at, kind, is_new, record);
	if (record->has_slot) {
		writer->slots[writer->header.slots] = record->slot;
		writer->slot_numbers[writer->header.slots++] = record->slot_number;
	}
	writer->last_end = record->end;
	writer->size = (uint32_t)(at - writer->payload);
	writer->header.records++;
}

bool tacho__chunk_add(struct tacho__chunk_writer *writer, const struct tacho__chunk_record *record)
{
	unsigned number = find_kind(writer, record->kind);
	bool is_new = number == writer->kind_count, is_same, may_run;

	if (!has_room(writer, record) || number == TACHO__CHUNK_KINDS_MAX)
		return false;
	is_same = !is_new && TACHO__KIND_API(record->kind) &&
		  writer->kinds[number].size == record->size &&
		  !memcmp(writer->kinds[number].values, record->values, record->size);
	if (!writer->header.records && !writer->run.is_open)
		writer->header.first_tick = writer->last_end = record->end;
	writer->header.calls += TACHO__KIND_API(record->kind) != 0;
	may_run = is_same && record->is_poll && !record->has_slot;
	if (may_run && writer->run.is_open && writer->run.number == number) {
		writer->run.more++;
		writer->run.end = record->end;
		writer->run.sum += record->end - record->start;
		return true;
	}
	if (may_run) {
		open_run(writer, number, record);
		return true;
	}
	close_run(writer);
	put_record(writer, number, is_same, record);
	return true;
}

uint32_t tacho__chunk_end(struct tacho__chunk_writer *writer, uint8_t *buffer)
{
	struct tacho__chunk_header *header = &writer->header;
	uint32_t padded, slots_bytes = header->slots * (uint32_t)sizeof(struct tacho__slot);

	close_run(writer);
	if (!header->records)
		return 0;
	padded = (writer->size + 7) & ~7u;
	memset(writer->payload + writer->size, 0, padded - writer->size);
	header->payload_bytes = writer->size;
	header->bytes = (uint32_t)sizeof(*header) + padded + slots_bytes;
	header->payload_crc = tacho__crc32c(0, writer->payload, writer->size);
	header->header_crc =
		tacho__crc32c(0, header, offsetof(struct tacho__chunk_header, header_crc));
	for (uint32_t i = 0; i < header->slots; i++)
		if (writer->slots[i].done)
			tacho__slot_seal(&writer->slots[i]);
	memcpy(buffer, header, sizeof(*header));
	memcpy(buffer + sizeof(*header), writer->payload, padded);
	memcpy(buffer + sizeof(*header) + padded, writer->slots, slots_bytes);
	return header->bytes;
}

/* ---- slots ---- */

static uint64_t checksum(const struct tacho__slot *slot)
{
	struct tacho__slot copy = *slot;

	copy.done &= UINT64_C(0xffffffff000000ff);
	return tacho__crc32c(0, &copy, sizeof(copy)) & 0xffffff;
}

void tacho__slot_seal(struct tacho__slot *slot)
{
	slot->done &= UINT64_C(0xffffffff000000ff);
	slot->done |= checksum(slot) << 8;
}

bool tacho__slot_is_whole(const struct tacho__slot *slot)
{
	return (slot->done >> 8 & 0xffffff) == checksum(slot);
}
