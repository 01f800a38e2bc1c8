/* SPDX-License-Identifier: MIT */
#include "format/html/html_details.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "format/html/html_text.h"
#include "tacho/error.h"

enum { TEXT_BYTES = 400 }; /* of one that are shown */

bool tacho__html_details_take_room(struct tacho__html_details *details)
{
	if (details->store->text.size >= details->limit || details->count == UINT32_MAX)
		return false;
	details->taken++;
	return true;
}

static int end_piece(struct tacho__html_details *details)
{
	struct tacho__html_details_piece piece = {.taken = details->taken};
	int rc;

	tacho__buf_char(&details->list, ']');
	if (details->list.failed)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for what is told of calls");
	rc = tacho__html_store_add(details->store, details->list.text, details->list.size, true,
				   &piece.piece);
	tacho__buf_clear(&details->list);
	return rc ? rc
		  : tacho__array_add(&details->pieces, &details->capacity, &details->piece_count,
				     &piece, sizeof(piece));
}

int tacho__html_details_add(struct tacho__html_details *details, const char *text,
			    uint32_t *out_number)
{
	uint32_t in_piece = details->count % TACHO__HTML_DETAILS_OF_PIECE;

	*out_number = 0;
	if (!*text)
		return 0;
	tacho__buf_char(&details->list, in_piece ? ',' : '[');
	tacho__html_add_json(&details->list, text, TEXT_BYTES);
	*out_number = ++details->count;
	return in_piece + 1 == TACHO__HTML_DETAILS_OF_PIECE ? end_piece(details) : 0;
}

int tacho__html_details_complete(struct tacho__html_details *details)
{
	return details->list.size ? end_piece(details) : 0;
}

uint64_t tacho__html_details_cut(struct tacho__html_details *details, size_t limit)
{
	size_t kept = 0, at = 0;
	uint64_t taken = 0;

	for (; kept < details->piece_count && at < limit; kept++) {
		at += details->pieces[kept].piece.size;
		taken = details->pieces[kept].taken;
	}
	if (at < limit)
		return 0;
	tacho__html_store_cut(details->store, at);
	if (kept < details->piece_count)
		details->count = (uint32_t)(kept * TACHO__HTML_DETAILS_OF_PIECE);
	details->piece_count = kept;
	return details->taken - taken;
}

void tacho__html_details_finish(struct tacho__html_details *details)
{
	tacho__buf_finish(&details->list);
	free(details->pieces);
	*details = (struct tacho__html_details){0};
}
