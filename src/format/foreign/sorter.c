/* SPDX-License-Identifier: MIT */
#include "format/foreign/sorter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/room.h"
#include "base/scratch.h"

enum {
	ROOM_BYTES = 4 << 20,
	PART_BYTES = 128 * 1024, /* of a run that is read, at a time; a record fits */
	RUNS_MAX = 64,		 /* more are merged into one first */
	HEAD_BYTES = 8,		 /* in front of each record: its size */
};

_Static_assert(PART_BYTES >= TACHO__SORTER_RECORD_MAX + HEAD_BYTES + 8, "a record fits");

/* A run that is being read: records lie whole in the buffer. */
struct tacho__sorter_part {
	uint64_t at, end; /* what of the file is still to be read */
	unsigned char *buffer;
	size_t used, size; /* of the buffer: the record that is next, and what is there */
};

void tacho__sorter_finish(struct tacho__sorter *sorter)
{
	if (sorter->has_file)
		close(sorter->fd);
	tacho__room_put(sorter->room, sorter->room_bytes);
	free(sorter->order);
	free(sorter->runs);
	*sorter = (struct tacho__sorter){.compare = sorter->compare};
}

/* ---- adding ---- */

/* What a record takes: its head, and what aligns the next one. */
static size_t bytes_of(size_t size)
{
	return HEAD_BYTES + ((size + 7) & ~(size_t)7);
}

static size_t size_of(const unsigned char *place)
{
	uint64_t size;

	memcpy(&size, place, sizeof(size));
	return (size_t)size;
}

static int compare_places(const void *left, const void *right, void *user)
{
	const struct tacho__sorter *sorter = user;
	const unsigned char *const *a = left, *const *b = right;
	int order = sorter->compare(*a + HEAD_BYTES, *b + HEAD_BYTES);

	return order ? order : (*a > *b) - (*a < *b);
}

static int write_bytes(struct tacho__sorter *sorter, const void *bytes, size_t size)
{
	int rc = 0;

	if (!sorter->has_file) {
		rc = tacho__scratch_open(&sorter->fd);
		sorter->has_file = !rc;
	}
	if (!rc)
		rc = tacho__scratch_write(sorter->fd, bytes, size, sorter->file_bytes);
	if (!rc)
		sorter->file_bytes += size;
	return rc;
}

/* Collects what goes to the file, so that it goes there in large pieces. */
struct writer {
	struct tacho__sorter *sorter;
	unsigned char *buffer; /* PART_BYTES */
	size_t used;
};

static int flush(struct writer *writer)
{
	int rc = write_bytes(writer->sorter, writer->buffer, writer->used);

	writer->used = 0;
	return rc;
}

static int put(struct writer *writer, const unsigned char *place)
{
	size_t bytes = bytes_of(size_of(place));
	int rc = 0;

	if (writer->used + bytes > PART_BYTES)
		rc = flush(writer);
	memcpy(writer->buffer + writer->used, place, bytes);
	writer->used += bytes;
	return rc;
}

/* Most files are nearly in order, and many are. */
static void order_room(struct tacho__sorter *sorter)
{
	if (sorter->is_mixed)
		qsort_r(sorter->order, sorter->count, sizeof(*sorter->order), compare_places,
			sorter);
	sorter->is_mixed = false;
	if (sorter->count)
		sorter->last = sorter->order[sorter->count - 1];
}

static int add_run(struct tacho__sorter *sorter, uint64_t from)
{
	const struct tacho__sorter_run run = {from, sorter->file_bytes};

	return tacho__array_add(&sorter->runs, &sorter->run_capacity, &sorter->run_count, &run,
				sizeof(run));
}

/* All runs become one. */
static int merge_runs(struct tacho__sorter *sorter, struct writer *writer)
{
	uint64_t from = sorter->file_bytes;
	struct tacho__sorted sorted = {0};
	const void *record;
	size_t size;
	int rc = tacho__sorted_open(&sorted, sorter);

	while (!rc && (rc = tacho__sorted_next(&sorted, &record, &size)) == 1)
		rc = put(writer, (const unsigned char *)record - HEAD_BYTES);
	if (!rc)
		rc = flush(writer);
	tacho__sorted_close(&sorted);
	if (rc)
		return rc;
	sorter->run_count = 0;
	sorter->last = NULL; /* of one of them, perhaps not the last of all */
	return add_run(sorter, from);
}

/* What is in memory becomes a run. */
static int spill(struct tacho__sorter *sorter)
{
	struct writer writer = {.sorter = sorter, .buffer = malloc(PART_BYTES)};
	uint64_t from = sorter->file_bytes;
	int rc = writer.buffer
			 ? 0
			 : tacho__fail(TACHO_E_NOMEM, "", "", "no memory to sort what was read");

	order_room(sorter);
	for (size_t i = 0; i < sorter->count && !rc; i++)
		rc = put(&writer, sorter->order[i]);
	if (!rc)
		rc = flush(&writer);
	if (!rc && sorter->run_count && sorter->is_next)
		sorter->runs[sorter->run_count - 1].end = sorter->file_bytes;
	else if (!rc)
		rc = add_run(sorter, from);
	sorter->count = sorter->used = 0;
	if (!rc && sorter->run_count == RUNS_MAX)
		rc = merge_runs(sorter, &writer);
	free(writer.buffer);
	return rc;
}

static int make_room(struct tacho__sorter *sorter)
{
	if (!sorter->room_bytes)
		sorter->room_bytes = ROOM_BYTES;
	sorter->room = tacho__room_get(sorter->room_bytes);
	return sorter->room ? 0
			    : tacho__fail(TACHO_E_NOMEM, "", "", "no memory to sort what is read");
}

/* The room of what was written is still there when the next record comes. */
static void see_order(struct tacho__sorter *sorter, const void *record)
{
	bool follows = sorter->last && sorter->compare(sorter->last + HEAD_BYTES, record) <= 0;

	if (sorter->count)
		sorter->is_mixed |= !follows;
	sorter->is_next = follows && (sorter->is_next || !sorter->count);
}

int tacho__sorter_add(struct tacho__sorter *sorter, const void *record, size_t size)
{
	uint64_t head = size;
	unsigned char *place;
	int rc = 0;

	if (!sorter->room)
		rc = make_room(sorter);
	if (!rc && (size > TACHO__SORTER_RECORD_MAX || bytes_of(size) > sorter->room_bytes))
		rc = tacho__fail(TACHO_E_INVAL, tacho__detail("it has %zu bytes", size), "",
				 "a record is too large to be sorted");
	if (!rc && sorter->used + bytes_of(size) > sorter->room_bytes)
		rc = spill(sorter);
	if (rc)
		return rc;
	see_order(sorter, record);
	place = sorter->room + sorter->used;
	rc = tacho__array_add(&sorter->order, &sorter->capacity, &sorter->count, &place,
			      sizeof(place));
	if (rc)
		return rc;
	memcpy(place, &head, sizeof(head));
	memcpy(place + HEAD_BYTES, record, size);
	sorter->last = place;
	sorter->used += bytes_of(size);
	sorter->added++;
	return 0;
}

int tacho__sorter_seal(struct tacho__sorter *sorter)
{
	int rc = 0;

	if (sorter->run_count && sorter->count)
		rc = spill(sorter);
	if (sorter->run_count) {
		tacho__room_put(sorter->room, sorter->room_bytes);
		free(sorter->order);
		sorter->room = NULL;
		sorter->order = NULL;
		sorter->capacity = 0;
	} else {
		order_room(sorter);
	}
	sorter->is_sealed = true;
	return rc;
}

/* ---- reading ---- */

static unsigned char *place_of(const struct tacho__sorter_part *part)
{
	return part->buffer + part->used;
}

/* Has the next record whole in the buffer; used == size: there is none. */
static int load(const struct tacho__sorter *sorter, struct tacho__sorter_part *part)
{
	size_t left = part->size - part->used, got = 0;
	uint64_t want = part->end - part->at;
	int error;

	if (left >= HEAD_BYTES && left >= bytes_of(size_of(place_of(part))))
		return 0;
	if (left)
		memmove(part->buffer, place_of(part), left);
	if (want > PART_BYTES - left)
		want = PART_BYTES - left;
	error = tacho__fs_read_at(sorter->fd, part->buffer + left, (size_t)want, part->at, &got);
	if (error || got != want)
		return tacho__scratch_fail(error ? error : EIO, "read");
	part->at += want;
	part->used = 0;
	part->size = left + (size_t)want;
	return 0;
}

static bool is_before(const struct tacho__sorted *sorted, size_t left, size_t right)
{
	int order =
		sorted->sorter->compare(place_of(&sorted->parts[sorted->heap[left]]) + HEAD_BYTES,
					place_of(&sorted->parts[sorted->heap[right]]) + HEAD_BYTES);

	return order ? order < 0 : sorted->heap[left] < sorted->heap[right];
}

static void sift_down(struct tacho__sorted *sorted, size_t i)
{
	for (;;) {
		size_t least = i, left = 2 * i + 1, right = left + 1, swap;

		if (left < sorted->heap_count && is_before(sorted, left, least))
			least = left;
		if (right < sorted->heap_count && is_before(sorted, right, least))
			least = right;
		if (least == i)
			return;
		swap = sorted->heap[i];
		sorted->heap[i] = sorted->heap[least];
		sorted->heap[least] = swap;
		i = least;
	}
}

static int open_parts(struct tacho__sorted *sorted)
{
	const struct tacho__sorter *sorter = sorted->sorter;
	int rc = 0;

	for (; sorted->part_count < sorter->run_count && !rc; sorted->part_count++) {
		struct tacho__sorter_part *part = &sorted->parts[sorted->part_count];

		part->at = sorter->runs[sorted->part_count].at;
		part->end = sorter->runs[sorted->part_count].end;
		part->buffer = malloc(PART_BYTES);
		if (!part->buffer)
			return tacho__fail(TACHO_E_NOMEM, "", "",
					   "no memory to read what was sorted");
		rc = load(sorter, part);
		if (!rc && part->size)
			sorted->heap[sorted->heap_count++] = sorted->part_count;
	}
	for (size_t i = sorted->heap_count / 2; i-- > 0 && !rc;)
		sift_down(sorted, i);
	return rc;
}

int tacho__sorted_open(struct tacho__sorted *sorted, const struct tacho__sorter *sorter)
{
	int rc;

	*sorted = (struct tacho__sorted){.sorter = sorter};
	sorted->parts = calloc(sorter->run_count + 1, sizeof(*sorted->parts));
	sorted->heap = calloc(sorter->run_count + 1, sizeof(*sorted->heap));
	if (!sorted->parts || !sorted->heap)
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read what was sorted");
	else
		rc = open_parts(sorted);
	if (rc)
		tacho__sorted_close(sorted);
	return rc;
}

void tacho__sorted_close(struct tacho__sorted *sorted)
{
	for (size_t i = 0; sorted->sorter && sorted->parts && i < sorted->sorter->run_count; i++)
		free(sorted->parts[i].buffer);
	free(sorted->parts);
	free(sorted->heap);
	*sorted = (struct tacho__sorted){0};
}

/* Takes the record that was given away off its part. */
static int advance(struct tacho__sorted *sorted)
{
	struct tacho__sorter_part *part = &sorted->parts[sorted->heap[0]];
	int rc;

	part->used += bytes_of(size_of(place_of(part)));
	rc = load(sorted->sorter, part);
	if (rc)
		return rc;
	if (part->used == part->size)
		sorted->heap[0] = sorted->heap[--sorted->heap_count];
	sift_down(sorted, 0);
	return 0;
}

int tacho__sorted_next(struct tacho__sorted *sorted, const void **out_record, size_t *out_size)
{
	const struct tacho__sorter *sorter = sorted->sorter;
	const unsigned char *place;
	int rc = 0;

	if (!sorter->run_count) {
		if (sorted->next == sorter->count)
			return 0;
		place = sorter->order[sorted->next++];
	} else {
		if (sorted->has_current)
			rc = advance(sorted);
		sorted->has_current = !rc && sorted->heap_count;
		if (!sorted->has_current)
			return rc;
		place = place_of(&sorted->parts[sorted->heap[0]]);
	}
	*out_record = place + HEAD_BYTES;
	*out_size = size_of(place);
	return 1;
}
