/* SPDX-License-Identifier: MIT */
#include "format/html/html_details.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "format/html/html_text.h"

enum { TEXT_BYTES = 400 }; /* of one that are shown */

bool tacho__html_details_have_room(const struct tacho__html_details *details)
{
	return details->store->text.size < details->limit && details->count < UINT32_MAX;
}

static int end_piece(struct tacho__html_details *details)
{
	struct tacho__html_piece piece;
	int rc;

	fputc(']', details->stream);
	/* glibc closes it without a complaint, and without the text, where it cannot cut it */
	rc = fclose(details->stream) || !details->list
		     ? tacho__fail(TACHO_E_NOMEM, "", "", "no memory for texts")
		     : 0;
	details->stream = NULL;
	if (!rc)
		rc = tacho__html_store_add(details->store, details->list, details->list_size, true,
					   &piece);
	free(details->list);
	details->list = NULL;
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
	if (!details->stream) {
		details->stream = open_memstream(&details->list, &details->list_size);
		if (!details->stream)
			return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for texts");
	}
	fputc(in_piece ? ',' : '[', details->stream);
	tacho__html_put_json(details->stream, text, TEXT_BYTES);
	*out_number = ++details->count;
	return in_piece + 1 == TACHO__HTML_DETAILS_OF_PIECE ? end_piece(details) : 0;
}

int tacho__html_details_complete(struct tacho__html_details *details)
{
	return details->stream ? end_piece(details) : 0;
}

void tacho__html_details_finish(struct tacho__html_details *details)
{
	if (details->stream)
		fclose(details->stream);
	free(details->list);
	free(details->pieces);
	*details = (struct tacho__html_details){0};
}
