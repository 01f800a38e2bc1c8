/* SPDX-License-Identifier: MIT */
#include "analyze/sentences.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/character.h"
#include "base/error.h"

void tacho__sentences_finish(struct tacho__sentences *sentences)
{
	free(sentences->all);
	*sentences = (struct tacho__sentences){0};
}

int tacho__sentences_add(struct tacho__sentences *sentences, struct tacho__arena *arena,
			 const char *format, va_list list)
{
	struct tacho__buf text = {0};
	int rc = TACHO_E_NOMEM;

	if (tacho__array_reserve(&sentences->all, &sentences->capacity, sentences->count,
				 sizeof(*sentences->all)))
		return rc;
	tacho__buf_vprintf(&text, format, list);
	if (text.failed) {
		tacho__fail(rc, "", "", "no memory for a note");
	} else {
		sentences->all[sentences->count] = tacho__printable(arena, tacho__buf_text(&text));
		rc = sentences->all[sentences->count] ? 0 : TACHO_E_NOMEM;
		sentences->count += !rc;
	}
	tacho__buf_finish(&text);
	return rc;
}

const char *tacho__sentences_get(const struct tacho__sentences *sentences, size_t index)
{
	return index < sentences->count ? sentences->all[index] : NULL;
}

const char *tacho__printable(struct tacho__arena *arena, const char *text)
{
	struct tacho__buf shown = {0};

	tacho__text_put(&shown, text);
	return tacho__buf_keep(&shown, arena);
}
