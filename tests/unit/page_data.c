/* SPDX-License-Identifier: MIT */
#include "page_data.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/varint.h"

#include <zlib.h>

void page_data_read(struct page_data *data, const char *page)
{
	const char *start = strstr(page, "id=\"timeline-data\">"), *end;
	struct tacho__json *json = NULL;

	*data = (struct page_data){0};
	assert_non_null(start);
	start = strchr(start, '>') + 1;
	end = strstr(start, "</script>");
	assert_non_null(end);
	assert_int_equal(tacho__json_parse(&data->arena, start, (size_t)(end - start), &json), 0);
	data->json = json;
	data->store = strstr(end, "id=\"timeline-store\">");
	assert_non_null(data->store);
	data->store = strchr(data->store, '>') + 1;
	data->store_size = (size_t)(strstr(data->store, "</script>") - data->store);
}

void page_data_finish(struct page_data *data)
{
	tacho__arena_finish(&data->arena);
}

static const struct tacho__json *item(const struct tacho__json *list, size_t index)
{
	const struct tacho__json *one = list->first;

	while (one && index--)
		one = one->next;
	assert_non_null(one);
	return one;
}

const struct tacho__json *page_lane(const struct page_data *data, size_t index)
{
	return item(tacho__json_get(data->json, "lanes"), index);
}

size_t page_level_count(const struct tacho__json *lane)
{
	size_t count;

	tacho__json_items(lane, "levels", &count);
	return count;
}

static unsigned value_of(char letter)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = letter ? strchr(letters, letter) : NULL;

	assert_non_null(at);
	return (unsigned)(at - letters);
}

static unsigned char *from_base64(const char *text, size_t size, size_t *out_size)
{
	unsigned char *bytes = malloc(size / 4 * 3 + 1), *to = bytes;

	assert_int_equal(size % 4, 0);
	for (; size; size -= 4, text += 4) {
		unsigned three = value_of(text[0]) << 18 | value_of(text[1]) << 12 |
				 (text[2] == '=' ? 0 : value_of(text[2]) << 6) |
				 (text[3] == '=' ? 0 : value_of(text[3]));

		*to++ = (unsigned char)(three >> 16);
		if (text[2] != '=')
			*to++ = (unsigned char)(three >> 8);
		if (text[3] != '=')
			*to++ = (unsigned char)three;
	}
	*out_size = (size_t)(to - bytes);
	return bytes;
}

static unsigned char *unpack(unsigned char *packed, size_t size, size_t *out_size)
{
	enum { ROOM = 16 << 20 };
	unsigned char *bytes = malloc(ROOM);
	uLongf room = ROOM;

	assert_int_equal(uncompress(bytes, &room, packed, size), Z_OK);
	*out_size = room;
	free(packed);
	return bytes;
}

unsigned char *page_piece(const struct page_data *data, size_t at, size_t size, int is_packed,
			  size_t *out_size)
{
	unsigned char *bytes;

	assert_true(at <= data->store_size && size <= data->store_size - at);
	bytes = from_base64(data->store + at, size, out_size);
	return is_packed ? unpack(bytes, *out_size, out_size) : bytes;
}

/* ---- marks ---- */

static uint64_t *field(struct page_mark *mark, int column)
{
	uint64_t *fields[] = {&mark->start, &mark->time,  &mark->name, &mark->flags,
			      &mark->row,   &mark->call,  &mark->text, &mark->wait,
			      &mark->bytes, &mark->count, &mark->busy, &mark->failed};

	return fields[column];
}

static void read_chunk(const unsigned char *bytes, size_t size, struct page_mark *marks,
		       size_t count, uint64_t from)
{
	enum { START = 0, FLAGS = 3, CALL = 5, COUNT = 9, COLUMNS = 12, MANY = 4 };
	const uint8_t *at = bytes, *end = bytes + size;

	for (int column = 0; column < COLUMNS; column++) {
		uint64_t before = column == START ? from : 0, value = 0;

		for (size_t i = 0; i < count; i++) {
			if (column >= COUNT && !(marks[i].flags & MANY)) {
				marks[i].count = 1;
				marks[i].busy = marks[i].time;
				marks[i].failed = marks[i].flags & 1;
				continue;
			}
			assert_true(tacho__varint_get(&at, end, &value));
			if (column == START)
				value = before += value;
			else if (column == CALL)
				value = before += (uint64_t)tacho__varint_unfold(value);
			*field(&marks[i], column) = value;
		}
	}
	assert_ptr_equal(at, end);
}

struct page_mark *page_marks(const struct page_data *data, const struct tacho__json *lane,
			     size_t level, size_t *out_count)
{
	const struct tacho__json *found = item(tacho__json_get(lane, "levels"), level);
	struct page_mark *marks = NULL;
	size_t count = 0;

	for (const struct tacho__json *chunk = tacho__json_get(found, "chunks")->first; chunk;
	     chunk = chunk->next) {
		size_t more = (size_t)item(chunk, 2)->integer, size;
		unsigned char *bytes = page_piece(
			data, (size_t)item(chunk, 5)->integer, (size_t)item(chunk, 6)->integer,
			(int)tacho__json_integer(found, "packed", 0), &size);

		marks = realloc(marks, (count + more) * sizeof(*marks));
		assert_non_null(marks);
		read_chunk(bytes, size, &marks[count], more, (uint64_t)item(chunk, 0)->integer);
		free(bytes);
		count += more;
	}
	*out_count = count;
	return marks;
}

const char *page_name(const struct page_data *data, const struct page_mark *mark)
{
	return item(tacho__json_get(data->json, "names"), (size_t)mark->name)->string;
}

const char *page_text(struct page_data *data, const struct page_mark *mark)
{
	const struct tacho__json *texts = tacho__json_get(data->json, "texts"), *piece;
	size_t of = (size_t)tacho__json_integer(texts, "of", 0), size;
	struct tacho__json *list = NULL;
	unsigned char *bytes;

	if (!mark->text)
		return "";
	piece = item(tacho__json_get(texts, "pieces"), (size_t)(mark->text - 1) / of);
	bytes = page_piece(data, (size_t)item(piece, 0)->integer, (size_t)item(piece, 1)->integer,
			   1, &size);
	assert_int_equal(tacho__json_parse(&data->arena, (const char *)bytes, size, &list), 0);
	free(bytes);
	return item(list, (size_t)(mark->text - 1) % of)->string;
}
