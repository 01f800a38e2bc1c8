/* SPDX-License-Identifier: MIT */
/* What a page holds for its script, read back: lanes, their marks at each level, and texts. */
#ifndef TACHO_TESTS_PAGE_DATA_H
#define TACHO_TESTS_PAGE_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"

struct page_data {
	struct tacho__arena arena;
	const struct tacho__json *json;
	const char *store; /* base64, in the page */
	size_t store_size;
};

struct page_mark {
	uint64_t start, time, name, flags, row, call, text, wait, bytes, count, busy, failed;
};

void page_data_read(struct page_data *data, const char *page);
void page_data_finish(struct page_data *data);

const struct tacho__json *page_lane(const struct page_data *data, size_t index);
size_t page_level_count(const struct tacho__json *lane);
/* The marks of a level, the finest is 0; owned, free() them. */
struct page_mark *page_marks(const struct page_data *data, const struct tacho__json *lane,
			     size_t level, size_t *out_count);
const char *page_name(const struct page_data *data, const struct page_mark *mark);
/* What is told of a mark, "" when nothing is. Borrowed from the data. */
const char *page_text(struct page_data *data, const struct page_mark *mark);
/* The bytes of a piece, unpacked if need be; owned. */
unsigned char *page_piece(const struct page_data *data, size_t at, size_t size, int is_packed,
			  size_t *out_size);

#endif
