/* SPDX-License-Identifier: MIT */
#include "format/html/html_details.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "format/html/html_text.h"
#include "tacho/error.h"

enum { TEXT_BYTES = 400 }; /* of one that are shown */

bool tacho__html_details_have_room(const struct tacho__html_details *details)
{
	return details->store->text.size < details->limit && details->count < UINT32_MAX;
}

bool tacho__html_details_find(const struct tacho__html_details *details,
			      const struct tacho__html_key *key, uint32_t *out_number)
{
	return tacho__html_known_find(&details->known, key, out_number);
}

static int end_piece(struct tacho__html_details *details)
{
	struct tacho__html_piece piece;
	int rc;

	tacho__buf_char(&details->list, ']');
	if (details->list.failed)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for what is told of calls");
	rc = tacho__html_store_add(details->store, details->list.text, details->list.size,
				   TACHO__HTML_TEXTS, &piece);
	tacho__buf_clear(&details->list);
	return rc ? rc
		  : tacho__array_add(&details->pieces, &details->capacity, &details->piece_count,
				     &piece, sizeof(piece));
}

static int add_text(struct tacho__html_details *details, const char *text)
{
	uint32_t in_piece = details->count++ % TACHO__HTML_DETAILS_OF_PIECE;

	tacho__buf_char(&details->list, in_piece ? ',' : '[');
	tacho__html_add_json(&details->list, text, TEXT_BYTES);
	return in_piece + 1 == TACHO__HTML_DETAILS_OF_PIECE ? end_piece(details) : 0;
}

int tacho__html_details_add(struct tacho__html_details *details, const struct tacho__html_key *key,
			    const char *text, uint32_t *out_number)
{
	int rc = *text ? add_text(details, text) : 0;

	*out_number = *text ? details->count : 0;
	return rc ? rc : tacho__html_known_add(&details->known, key, *out_number);
}

int tacho__html_details_complete(struct tacho__html_details *details)
{
	return details->list.size || details->list.failed ? end_piece(details) : 0;
}

void tacho__html_details_cut(struct tacho__html_details *details, size_t limit)
{
	size_t kept = 0, at = 0;

	for (; kept < details->piece_count && at < limit; kept++)
		at += details->pieces[kept].size;
	if (at < limit)
		return;
	tacho__html_store_cut(details->store, at);
	if (kept < details->piece_count)
		details->count = (uint32_t)(kept * TACHO__HTML_DETAILS_OF_PIECE);
	details->piece_count = kept;
}

void tacho__html_details_finish(struct tacho__html_details *details)
{
	tacho__buf_finish(&details->list);
	tacho__html_known_finish(&details->known);
	free(details->pieces);
	*details = (struct tacho__html_details){0};
}
