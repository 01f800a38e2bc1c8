/* SPDX-License-Identifier: MIT */
/* Cleaning, measuring, shortening and wrapping. */
#include "text.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "cli.h"

static struct {
	bool utf8;
} state;

void cli_text_init(void)
{
	setlocale(LC_CTYPE, "");
	state.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/*
 * The printable character at `text`: its length in bytes and its columns. A length of 0 says that
 * there is none.
 */
static size_t character(const char *text, unsigned *out_columns)
{
	mbstate_t shift = {0};
	wchar_t wide;
	size_t length;
	int columns;

	if ((unsigned char)*text < 0x80) {
		*out_columns = 1;
		return *text >= 0x20 && *text != 0x7f;
	}
	if (!state.utf8)
		return 0;
	length = mbrtowc(&wide, text, strlen(text), &shift);
	if (length == 0 || length > 4)
		return 0;
	columns = wcwidth(wide);
	if (columns < 0)
		return 0;
	*out_columns = (unsigned)columns;
	return length;
}

char *cli_text_clean(const char *text)
{
	char *clean = cli_alloc(strlen(text) + 1), *to = clean;
	unsigned columns;

	while (*text) {
		size_t length = character(text, &columns);

		if (length) {
			memcpy(to, text, length);
			to += length;
			text += length;
		} else {
			*to++ = *text == '\t' || *text == '\n' ? ' ' : '?';
			text++;
		}
	}
	return clean;
}

unsigned cli_text_width(const char *clean)
{
	unsigned width = 0, columns;

	while (*clean) {
		size_t length = character(clean, &columns);

		clean += length ? length : 1;
		width += length ? columns : 1;
	}
	return width;
}

/* The longest beginning of a clean text within `columns`, in bytes. */
static size_t fit(const char *clean, unsigned columns)
{
	const char *at = clean;
	unsigned width = 0, more;

	while (*at) {
		size_t length = character(at, &more);

		width += length ? more : 1;
		if (width > columns)
			break;
		at += length ? length : 1;
	}
	return (size_t)(at - clean);
}

char *cli_text_shorten(const char *text, unsigned columns)
{
	char *clean = cli_text_clean(text), *cut;
	unsigned width = cli_text_width(clean), head, tail;
	size_t skip;

	if (columns < 5)
		columns = 5;
	if (width <= columns)
		return clean;
	head = (columns - 3 + 1) / 2;
	tail = columns - 3 - head;
	skip = fit(clean, width - tail);
	/* A wide character that straddles the cut goes. */
	while (cli_text_width(clean + skip) > tail) {
		unsigned unused;
		size_t length = character(clean + skip, &unused);

		skip += length ? length : 1;
	}
	cut = cli_format("%.*s...%s", (int)fit(clean, head), clean, clean + skip);
	free(clean);
	return cut;
}

void cli_text_pad(FILE *stream, const char *clean, unsigned columns, bool right)
{
	unsigned width = cli_text_width(clean);
	int blanks = width < columns ? (int)(columns - width) : 0;

	fprintf(stream, "%*s%s%*s", right ? blanks : 0, "", clean, right ? 0 : blanks, "");
}

void cli_text_wrap(FILE *stream, const char *text, unsigned used, unsigned indent, unsigned width)
{
	char *clean = cli_text_clean(text), *rest = clean, *word;
	bool first = true;

	while ((word = strsep(&rest, " "))) {
		unsigned columns = cli_text_width(word);

		if (!*word)
			continue;
		if (!first && used + 1 + columns > width) {
			fprintf(stream, "\n%*s", (int)indent, "");
			used = indent;
			first = true;
		}
		fprintf(stream, "%s%s", first ? "" : " ", word);
		used += columns + !first;
		first = false;
	}
	fputc('\n', stream);
	free(clean);
}
