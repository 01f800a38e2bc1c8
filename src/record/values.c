/* SPDX-License-Identifier: MIT */
#include "record/values.h"

#include <string.h>

#include "tacho/result.h"

enum { FLAG_F64 = 1 << 8, FLAG_COVERAGE = 1 << 9, FLAGS_ALL = (1 << 10) - 1 };

uint32_t tacho__values_record_count(const struct tacho__counts *counts)
{
	size_t records = (counts->count + TACHO__VALUES_PER_RECORD - 1) / TACHO__VALUES_PER_RECORD;

	return records ? (uint32_t)records : 1;
}

static void pack_count(struct tacho__pack *pack, const struct tacho__count *count)
{
	bool has_coverage = count->coverage != 1;
	uint64_t coverage;

	tacho__pack_u64(pack, count->column);
	tacho__pack_u64(pack, count->instance);
	tacho__pack_u64(pack, count->state | (count->type == TACHO_TYPE_F64 ? FLAG_F64 : 0u) |
				      (has_coverage ? FLAG_COVERAGE : 0u));
	tacho__pack_u64(pack, count->bits);
	if (!has_coverage)
		return;
	memcpy(&coverage, &count->coverage, sizeof(coverage));
	tacho__pack_u64(pack, coverage);
}

uint32_t tacho__values_pack(const struct tacho__counts *counts, uint32_t index, uint8_t *buffer)
{
	size_t first = (size_t)index * TACHO__VALUES_PER_RECORD, count = counts->count - first;
	size_t note_size = strnlen(counts->note, TACHO__VALUES_NOTE_MAX);
	uint32_t records = tacho__values_record_count(counts);
	struct tacho__pack pack;

	if (count > TACHO__VALUES_PER_RECORD)
		count = TACHO__VALUES_PER_RECORD;
	tacho__pack_begin(&pack, buffer);
	tacho__pack_u64(&pack, counts->thread);
	tacho__pack_u64(&pack, counts->start);
	tacho__pack_u64(&pack, counts->seen);
	tacho__pack_u64(&pack, (uint64_t)records << 32 | (records - 1 - index));
	tacho__pack_u64(&pack, note_size);
	tacho__pack_bytes(&pack, counts->note, note_size);
	tacho__pack_u64(&pack, count);
	for (size_t i = 0; i < count; i++)
		pack_count(&pack, &counts->counts[first + i]);
	return (uint32_t)(pack.at - buffer);
}

bool tacho__values_unpack_head(struct tacho__unpack *unpack, struct tacho__values_head *out_head)
{
	struct tacho__values_head head = {.thread = (uint32_t)tacho__unpack_u64(unpack)};
	uint64_t left, note_size, count;

	head.start = tacho__unpack_u64(unpack);
	head.seen = tacho__unpack_u64(unpack);
	left = tacho__unpack_u64(unpack);
	head.left = (uint32_t)left;
	head.total = (uint32_t)(left >> 32);
	note_size = tacho__unpack_u64(unpack);
	if (note_size > TACHO__VALUES_NOTE_MAX)
		return false;
	head.note = (const char *)tacho__unpack_bytes(unpack, note_size);
	head.note_size = (uint32_t)note_size;
	count = tacho__unpack_u64(unpack);
	head.count = (uint32_t)count;
	if (unpack->bad || count > TACHO__VALUES_PER_RECORD ||
	    (head.total && head.left >= head.total))
		return false;
	head.tick = out_head->tick;
	*out_head = head;
	return true;
}

bool tacho__values_unpack(struct tacho__unpack *unpack, struct tacho__count *out_count)
{
	struct tacho__count count = {.coverage = 1};
	uint64_t column = tacho__unpack_u64(unpack), instance = tacho__unpack_u64(unpack), flags;

	flags = tacho__unpack_u64(unpack);
	count.column = (uint32_t)column;
	count.instance = (uint32_t)instance;
	count.bits = tacho__unpack_u64(unpack);
	count.state = (uint8_t)flags;
	count.type = flags & FLAG_F64 ? TACHO_TYPE_F64 : TACHO_TYPE_U64;
	if (flags & FLAG_COVERAGE) {
		uint64_t coverage = tacho__unpack_u64(unpack);

		memcpy(&count.coverage, &coverage, sizeof(coverage));
	}
	if (unpack->bad || flags > FLAGS_ALL || column > UINT32_MAX || instance > UINT32_MAX ||
	    (count.state & TACHO_STATE_MASK) > TACHO_STATE_ABSENT ||
	    !(count.coverage >= 0 && count.coverage <= 1))
		return false;
	*out_count = count;
	return true;
}
