/* SPDX-License-Identifier: MIT */
#include "record/chunk_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/varint.h"

enum { HAS_SLOT = 1, HAS_SAME_VALUES = 2, IS_SEVERAL = 4, TOKEN_BITS = 3 };

enum tacho__chunk_fault tacho__chunk_check_header(const struct tacho__chunk_header *header)
{
	uint64_t need;

	if (header->magic != TACHO__CHUNK_MAGIC)
		return TACHO__CHUNK_NONE;
	if (header->version > TACHO__CHUNK_VERSION)
		return TACHO__CHUNK_NEWER;
	need = sizeof(*header) + (((uint64_t)header->payload_bytes + 7) & ~UINT64_C(7)) +
	       (uint64_t)header->slots * sizeof(struct tacho__slot);
	if (header->version != TACHO__CHUNK_VERSION || header->header_bytes != sizeof(*header) ||
	    header->bytes > TACHO__CHUNK_MAX || header->bytes != need ||
	    header->header_crc !=
		    tacho__crc32c(0, header, offsetof(struct tacho__chunk_header, header_crc)))
		return TACHO__CHUNK_NONE;
	return TACHO__CHUNK_GOOD;
}

void tacho__chunk_reader_finish(struct tacho__chunk_reader *reader)
{
	for (unsigned i = 0; i < reader->kind_capacity; i++)
		free(reader->kinds[i].values);
	free(reader->kinds);
	memset(reader, 0, sizeof(*reader));
}

enum tacho__chunk_fault tacho__chunk_open(struct tacho__chunk_reader *reader, const uint8_t *bytes)
{
	struct tacho__chunk_header *header = &reader->header;
	enum tacho__chunk_fault fault;

	memcpy(header, bytes, sizeof(*header));
	reader->records_left = 0;
	fault = tacho__chunk_check_header(header);
	if (fault)
		return fault;
	reader->at = bytes + sizeof(*header);
	reader->end = reader->at + header->payload_bytes;
	reader->slots = reader->at + ((header->payload_bytes + 7) & ~7u);
	if (tacho__crc32c(0, reader->at, header->payload_bytes) != header->payload_crc)
		return TACHO__CHUNK_DAMAGED;
	reader->slots_left = header->slots;
	reader->records_left = header->records;
	reader->last_end = header->first_tick;
	reader->kind_count = 0;
	return TACHO__CHUNK_GOOD;
}

static int fail(struct tacho__chunk_reader *reader, const char *what)
{
	reader->records_left = 0;
	return tacho__fail(TACHO_E_PARSE, what, "", "malformed record of stream %u",
			   (unsigned)reader->header.stream);
}

static struct tacho__chunk_values *add_kind(struct tacho__chunk_reader *reader)
{
	struct tacho__chunk_values *kinds = reader->kinds;
	unsigned capacity = reader->kind_capacity;

	if (reader->kind_count == capacity) {
		kinds = realloc(kinds, (capacity * 2 + 16) * sizeof(*kinds));
		if (!kinds)
			return NULL;
		memset(kinds + capacity, 0, (capacity + 16) * sizeof(*kinds));
		reader->kinds = kinds;
		reader->kind_capacity = capacity * 2 + 16;
	}
	kinds[reader->kind_count].size = 0;
	return &kinds[reader->kind_count++];
}

/* Room for so many values of the kind. */
static bool make_room(struct tacho__chunk_values *kind, uint32_t size)
{
	uint8_t *values;

	if (kind->capacity >= size)
		return true;
	values = realloc(kind->values, size);
	if (!values)
		return false;
	kind->values = values;
	kind->capacity = size;
	return true;
}

/* Changes those bytes of the values that the masks name. False when there are fewer. */
static bool take_difference(const uint8_t **at, const uint8_t *end, uint8_t *values, uint32_t size)
{
	const uint8_t *next = *at;
	bool is_ample = (size_t)(end - next) >= size + (size + 7) / 8; /* all may differ */

	for (uint32_t i = 0; i < size; i += 8) {
		unsigned mask;

		if (!is_ample && next == end)
			return false;
		mask = *next++;
		if (size - i < 8 && mask >> (size - i))
			return false;
		for (; mask; mask &= mask - 1) {
			if (!is_ample && next == end)
				return false;
			values[i + (uint32_t)__builtin_ctz(mask)] = *next++;
		}
	}
	*at = next;
	return true;
}

static int take_values(struct tacho__chunk_reader *reader, const uint8_t **at,
		       struct tacho__chunk_values *kind)
{
	uint64_t head;
	uint32_t size;

	if (!tacho__varint_get(at, reader->end, &head) || head / 2 > TACHO__CHUNK_VALUES_MAX)
		return fail(reader, "its values are cut, or too many");
	size = (uint32_t)(head / 2);
	if (head & 1) {
		if (kind->size != size || !take_difference(at, reader->end, kind->values, size))
			return fail(reader, "its values differ from ones that are not there");
		return 0;
	}
	if (size > (size_t)(reader->end - *at))
		return fail(reader, "its values are cut");
	if (!make_room(kind, size))
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a record");
	if (size)
		memcpy(kind->values, *at, size);
	kind->size = size;
	*at += size;
	return 0;
}

/* A kind that the chunk had not yet. PARSE: it is none. NOMEM. */
static int take_new_kind(struct tacho__chunk_reader *reader, const uint8_t **at, uint64_t number,
			 struct tacho__chunk_values **out_kind)
{
	struct tacho__chunk_values *kind;

	if (number > reader->kind_count || number >= TACHO__CHUNK_KINDS_MAX ||
	    reader->end - *at < 2)
		return fail(reader, "it is of no kind");
	kind = add_kind(reader);
	if (!kind)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a record");
	kind->kind = (uint16_t)((*at)[0] | (*at)[1] << 8);
	kind->is_passed_over = reader->passes_over && reader->passes_over(reader->user, kind->kind);
	*at += 2;
	*out_kind = kind;
	return 0;
}

/* When it was, and how often. */
static bool take_times(struct tacho__chunk_reader *reader, const uint8_t **at, uint64_t token,
		       struct tacho__record *record)
{
	uint64_t folded, duration = 0;

	if (!tacho__varint_get(at, reader->end, &folded))
		return false;
	if (TACHO__KIND_API(record->kind) && !tacho__varint_get(at, reader->end, &duration))
		return false;
	record->start = reader->last_end + (uint64_t)tacho__varint_unfold(folded);
	record->end = record->start + duration;
	record->more = 0;
	record->sum = duration;
	reader->last_end = record->end;
	if (!(token & IS_SEVERAL))
		return true;
	return tacho__varint_get(at, reader->end, &record->more) &&
	       tacho__varint_get(at, reader->end, &record->sum);
}

static bool take_slot(struct tacho__chunk_reader *reader, struct tacho__record *record)
{
	if (!reader->slots_left)
		return false;
	memcpy(&record->slot, reader->slots, sizeof(record->slot));
	reader->slots += sizeof(record->slot);
	reader->slots_left--;
	record->is_torn_slot = record->slot.done && !tacho__slot_is_whole(&record->slot);
	record->slot.done &= UINT64_C(0xffffffff000000ff);
	if (record->is_torn_slot)
		record->slot.done = TACHO__SLOT_PENDING;
	return true;
}

/* The next one, whether it is passed over or not: all but its values, which are its kind's. */
static int take_record(struct tacho__chunk_reader *reader, struct tacho__record *out_record,
		       struct tacho__chunk_values **out_kind)
{
	const uint8_t *at = reader->at; /* kept where it is quick to reach */
	struct tacho__chunk_values *kind = NULL;
	uint64_t token;
	int rc = 0;

	if (!reader->records_left)
		return 0;
	reader->records_left--;
	if (!tacho__varint_get(&at, reader->end, &token))
		return fail(reader, "its first byte is missing");
	if (token >> TOKEN_BITS < reader->kind_count)
		kind = &reader->kinds[token >> TOKEN_BITS];
	else
		rc = take_new_kind(reader, &at, token >> TOKEN_BITS, &kind);
	if (rc)
		return rc;
	out_record->kind = kind->kind;
	out_record->has_slot = token & HAS_SLOT;
	out_record->is_torn_slot = false;
	if (!take_times(reader, &at, token, out_record))
		return fail(reader, "its times are cut");
	if (!(token & HAS_SAME_VALUES))
		rc = take_values(reader, &at, kind);
	if (rc)
		return rc;
	reader->at = at;
	if (out_record->has_slot && !take_slot(reader, out_record))
		return fail(reader, "it has a slot, and the chunk has none left");
	*out_kind = kind;
	return 1;
}

int tacho__chunk_next(struct tacho__chunk_reader *reader, struct tacho__record *out_record)
{
	struct tacho__chunk_values *kind = NULL;
	int rc;

	do
		rc = take_record(reader, out_record, &kind);
	while (rc == 1 && kind->is_passed_over && !out_record->has_slot);
	if (rc != 1)
		return rc;
	out_record->size = kind->size;
	tacho__unpack_begin(&out_record->unpack, kind->values, kind->size);
	return 1;
}
