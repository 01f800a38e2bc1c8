/* SPDX-License-Identifier: MIT */
#include "format/html/html_store.h"

#include <stdlib.h>

#include "base/base64.h"
#include "base/deflate.h"
#include "base/error.h"

void tacho__html_store_finish(struct tacho__html_store *store)
{
	tacho__buf_finish(&store->text);
	tacho__buf_finish(&store->scratch);
}

int tacho__html_store_add(struct tacho__html_store *store, const void *bytes, size_t size,
			  enum tacho__html_packing packing, struct tacho__html_piece *out_piece)
{
	struct tacho__html_piece piece = {.at = store->text.size};
	char *letters;
	int rc;

	if (packing != TACHO__HTML_PLAIN) {
		tacho__buf_clear(&store->scratch);
		rc = tacho__deflate(&store->scratch, bytes, size,
				    packing == TACHO__HTML_TEXTS ? TACHO__DEFLATE_WELL
								 : TACHO__DEFLATE_QUICKLY);
		if (rc)
			return rc;
		bytes = store->scratch.text;
		size = store->scratch.size;
	}
	piece.size = TACHO__BASE64_SIZE(size);
	letters = malloc(piece.size + 1);
	if (!letters)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a part of a page");
	tacho__base64_write(bytes, size, letters);
	tacho__buf_add(&store->text, letters, piece.size);
	free(letters);
	if (store->text.failed)
		return TACHO_E_NOMEM;
	*out_piece = piece;
	return 0;
}

void tacho__html_store_cut(struct tacho__html_store *store, size_t size)
{
	if (size >= store->text.size)
		return;
	store->text.size = size;
	store->text.text[size] = '\0';
}
