/* SPDX-License-Identifier: MIT */
/*
 * What a page holds besides its markup: pieces of bytes, one behind the other as base64, each of
 * which can be read alone. Most are zlib streams, so a browser unpacks what it shows and no more.
 */
#ifndef TACHO_FORMAT_HTML_HTML_STORE_H
#define TACHO_FORMAT_HTML_HTML_STORE_H

#include <stdbool.h>

#include "base/buf.h"

struct tacho__html_store {
	struct tacho__buf text;
	struct tacho__buf scratch;
};

/* Where a piece stands in the text, in characters. */
struct tacho__html_piece {
	size_t at, size;
};

/* Columns of numbers hardly get smaller by more effort; texts do. */
enum tacho__html_packing { TACHO__HTML_PLAIN, TACHO__HTML_NUMBERS, TACHO__HTML_TEXTS };

void tacho__html_store_finish(struct tacho__html_store *store);
/* One more piece, compressed or as it is. NOMEM. */
int tacho__html_store_add(struct tacho__html_store *store, const void *bytes, size_t size,
			  enum tacho__html_packing packing, struct tacho__html_piece *out_piece);
/* Forgets all pieces behind the first `size` characters. */
void tacho__html_store_cut(struct tacho__html_store *store, size_t size);

#endif
