/* SPDX-License-Identifier: MIT */
/*
 * Chunks, written and read back: random records come out as they went in, equal polls in a row as
 * one, and no changed or missing byte goes unnoticed.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32c.h"
#include "record/chunk_reader.h"
#include "record/chunk_writer.h"
#include "tacho/error.h"

enum {
	ROUNDS = 300,
	RECORDS_MAX = 20000,
	KINDS = 12,
	VALUES_MAX = 64,
	API = 3,
	HEADER = sizeof(struct tacho__chunk_header),
};

struct entry {
	struct tacho__chunk_record record;
	uint8_t values[VALUES_MAX];
};

static struct entry entries[RECORDS_MAX];
static size_t entry_count;
static struct tacho__chunk_writer writer;
static uint8_t chunk[TACHO__CHUNK_MAX];

/* A record like or unlike the one before; times may go backwards, as those of threads do. */
static void make_entry(struct entry *entry, const struct entry *last)
{
	static uint64_t now;
	struct tacho__chunk_record *record = &entry->record;

	if (last && rand() % 3)
		*entry = *last;
	else
		*entry = (struct entry){.record.kind = TACHO__KIND(API, rand() % KINDS),
					.record.is_poll = rand() % 2,
					.record.size =
						(uint32_t)(rand() % (VALUES_MAX / 8 + 1)) * 8};
	if (rand() % 10 == 0)
		record->kind = (uint16_t)(1 + rand() % 20);
	for (int changes = rand() % 3; changes && record->size; changes--)
		entry->values[(uint32_t)rand() % record->size] = (uint8_t)rand();
	now += (uint64_t)(rand() % 2000) - 500;
	record->start = now;
	record->end = TACHO__KIND_API(record->kind) ? now + (uint64_t)(rand() % 300) : now;
	now = record->end;
	record->has_slot = rand() % 5 == 0;
	record->slot_number = (uint32_t)rand();
	record->slot = (struct tacho__slot){
		.done = (uint64_t)(rand() % 7), .queued = (uint64_t)rand() << 20, .end = now};
	if (!record->has_slot)
		memset(&record->slot, 0, sizeof(record->slot));
}

/* Fills one chunk as far as it goes, or with `most` records; its bytes. */
static uint32_t fill_chunk(size_t most)
{
	entry_count = 0;
	tacho__chunk_begin(&writer);
	writer.header.stream = 7;
	while (entry_count < most) {
		struct entry *entry = &entries[entry_count];

		make_entry(entry, entry_count ? entry - 1 : NULL);
		entry->record.values = entry->values;
		if (!tacho__chunk_add(&writer, &entry->record))
			break;
		entry_count++;
	}
	return tacho__chunk_end(&writer, chunk);
}

/* An item stands for one entry, or for a row of equal polls. Returns how many. */
static size_t check_item(const struct tacho__record *item, size_t at)
{
	const struct entry *first = &entries[at], *last = &entries[at + item->more];
	uint64_t sum = 0;

	assert_true(at + item->more < entry_count);
	for (const struct entry *entry = first; entry <= last; entry++) {
		assert_int_equal(item->kind, entry->record.kind);
		assert_int_equal(item->size, entry->record.size);
		assert_memory_equal(item->unpack.at, entry->values, entry->record.size);
		assert_int_equal(item->has_slot, entry->record.has_slot);
		assert_true(!item->more || entry->record.is_poll);
		sum += entry->record.end - entry->record.start;
	}
	assert_true(item->start == first->record.start && item->end == last->record.end);
	if (TACHO__KIND_API(item->kind))
		assert_true(item->sum == sum);
	assert_false(item->has_slot && item->is_torn_slot);
	if (item->has_slot)
		assert_memory_equal(&item->slot, &first->record.slot, sizeof(item->slot));
	return 1 + item->more;
}

static void check_chunk(struct tacho__chunk_reader *reader, uint32_t bytes)
{
	struct tacho__record item;
	size_t at = 0;
	uint32_t calls = 0;
	int rc;

	assert_int_equal(tacho__chunk_open(reader, chunk), TACHO__CHUNK_GOOD);
	assert_int_equal(reader->header.bytes, bytes);
	while ((rc = tacho__chunk_next(reader, &item)) == 1) {
		size_t count = check_item(&item, at);

		calls += TACHO__KIND_API(item.kind) ? (uint32_t)count : 0;
		at += count;
	}
	assert_int_equal(rc, 0);
	assert_int_equal(at, entry_count);
	assert_int_equal(reader->header.calls, calls);
}

static void test_round_trips(void **state)
{
	struct tacho__chunk_reader reader = {0};

	for (int i = 0; i < ROUNDS; i++) {
		size_t most = i % 10 ? (size_t)(1 + rand() % 300) : RECORDS_MAX;
		uint32_t bytes = fill_chunk(most);

		assert_true(bytes <= TACHO__CHUNK_MAX && bytes % 8 == 0);
		assert_true(entry_count == most || bytes > TACHO__CHUNK_MAX - 2048);
		check_chunk(&reader, bytes);
	}
	tacho__chunk_reader_finish(&reader);
}

static void test_empty(void **state)
{
	tacho__chunk_begin(&writer);
	assert_int_equal(tacho__chunk_end(&writer, chunk), 0);
}

/* Ten thousand equal polls are one record of a few bytes; another call ends the row. */
static void test_polls(void **state)
{
	const uint8_t values[16] = {1, 2, 3};
	struct tacho__chunk_reader reader = {0};
	struct tacho__record item;
	struct tacho__chunk_record record = {
		.kind = TACHO__KIND(API, 1), .is_poll = true, .values = values, .size = 16};

	tacho__chunk_begin(&writer);
	for (uint64_t i = 0; i < 10000; i++) {
		record.start = 1000 + 10 * i;
		record.end = record.start + 4;
		assert_true(tacho__chunk_add(&writer, &record));
	}
	record.is_poll = false;
	assert_true(tacho__chunk_add(&writer, &record));
	assert_true(tacho__chunk_end(&writer, chunk) < HEADER + 64);
	assert_int_equal(tacho__chunk_open(&reader, chunk), TACHO__CHUNK_GOOD);
	assert_int_equal(reader.header.calls, 10001);
	assert_int_equal(reader.header.records, 3);
	assert_int_equal(tacho__chunk_next(&reader, &item), 1);
	assert_int_equal(item.more, 0);
	assert_int_equal(tacho__chunk_next(&reader, &item), 1);
	assert_int_equal(item.more, 9998);
	assert_int_equal(item.sum, 9999 * 4);
	assert_int_equal(item.start, 1010);
	assert_int_equal(item.end, 1000 + 10 * 9999 + 4);
	assert_int_equal(tacho__chunk_next(&reader, &item), 1);
	assert_int_equal(tacho__chunk_next(&reader, &item), 0);
	tacho__chunk_reader_finish(&reader);
}

static size_t count_torn(struct tacho__chunk_reader *reader)
{
	struct tacho__record item;
	size_t torn = 0;

	assert_int_equal(tacho__chunk_open(reader, chunk), TACHO__CHUNK_GOOD);
	while (tacho__chunk_next(reader, &item) == 1)
		torn += item.has_slot && item.is_torn_slot;
	return torn;
}

/* Each bit of header and payload is guarded; of a slot, once its times are there. */
static void test_flipped_bits(void **state)
{
	struct tacho__chunk_reader reader = {0};
	struct tacho__chunk_header header;
	uint32_t bytes = fill_chunk(60), slots;

	memcpy(&header, chunk, sizeof(header));
	slots = bytes - header.slots * (uint32_t)sizeof(struct tacho__slot);
	for (uint32_t i = 0; i < 8 * bytes; i++) {
		const struct tacho__slot *slot;

		if (i / 8 >= HEADER + header.payload_bytes && i / 8 < slots)
			continue; /* between them is nothing */
		slot = (const struct tacho__slot *)(const void *)(chunk + slots) +
		       (i / 8 - slots) / sizeof(*slot);
		if (i / 8 >= slots && !slot->done)
			continue;
		chunk[i / 8] ^= (uint8_t)(1u << i % 8);
		if (i / 8 < slots)
			assert_int_not_equal(tacho__chunk_open(&reader, chunk), TACHO__CHUNK_GOOD);
		else if (slot->done)
			assert_int_equal(count_torn(&reader), 1);
		chunk[i / 8] ^= (uint8_t)(1u << i % 8);
	}
	check_chunk(&reader, bytes);
	tacho__chunk_reader_finish(&reader);
}

/* Shorter than its records, with checksums that agree: an error in the end, and no byte beyond. */
static void test_cut_payload(void **state)
{
	struct tacho__chunk_reader reader = {0};
	struct tacho__chunk_header header;
	struct tacho__record item;

	fill_chunk(60);
	memcpy(&header, chunk, sizeof(header));
	header.slots = 0;
	for (uint32_t cut = header.payload_bytes; cut--;) {
		uint8_t *bytes;
		int rc;

		header.payload_bytes = cut;
		header.bytes = HEADER + ((cut + 7) & ~7u);
		header.payload_crc = tacho__crc32c(0, chunk + HEADER, cut);
		header.header_crc =
			tacho__crc32c(0, &header, offsetof(struct tacho__chunk_header, header_crc));
		bytes = calloc(1, header.bytes);
		memcpy(bytes, &header, sizeof(header));
		memcpy(bytes + HEADER, chunk + HEADER, cut);
		assert_int_equal(tacho__chunk_open(&reader, bytes), TACHO__CHUNK_GOOD);
		while ((rc = tacho__chunk_next(&reader, &item)) == 1)
			;
		assert_int_equal(rc, TACHO_E_PARSE);
		assert_int_equal(tacho__chunk_next(&reader, &item), 0);
		free(bytes);
	}
	tacho__chunk_reader_finish(&reader);
}

static bool is_odd_kind_of_api(const void *user, uint16_t kind)
{
	assert_ptr_equal(user, chunk);
	return TACHO__KIND_API(kind) && kind % 2;
}

/* What is passed over is read all the same: what comes behind it has its values and slots. */
static void test_passes_over(void **state)
{
	struct tacho__chunk_reader all = {0}, some = {0};
	struct tacho__record item, other;
	size_t passed = 0, told = 0;

	tacho__chunk_reader_pass_over(&some, is_odd_kind_of_api, chunk);
	for (int round = 0; round < 20; round++) {
		fill_chunk(2000);
		assert_int_equal(tacho__chunk_open(&all, chunk), TACHO__CHUNK_GOOD);
		assert_int_equal(tacho__chunk_open(&some, chunk), TACHO__CHUNK_GOOD);
		while (tacho__chunk_next(&all, &item) == 1) {
			if (!item.has_slot && is_odd_kind_of_api(chunk, item.kind)) {
				passed++;
				continue;
			}
			told++;
			assert_int_equal(tacho__chunk_next(&some, &other), 1);
			assert_int_equal(other.kind, item.kind);
			assert_true(other.start == item.start && other.end == item.end);
			assert_int_equal(other.size, item.size);
			assert_memory_equal(other.unpack.at, item.unpack.at, item.size);
			if (item.has_slot)
				assert_memory_equal(&other.slot, &item.slot, sizeof(item.slot));
		}
		assert_int_equal(tacho__chunk_next(&some, &other), 0);
	}
	assert_true(passed > 1000 && told > 1000);
	tacho__chunk_reader_finish(&all);
	tacho__chunk_reader_finish(&some);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trips), cmocka_unit_test(test_empty),
		cmocka_unit_test(test_polls),	    cmocka_unit_test(test_flipped_bits),
		cmocka_unit_test(test_cut_payload), cmocka_unit_test(test_passes_over),
	};

	srand(20260);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
