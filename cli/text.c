/* SPDX-License-Identifier: MIT */
/* Cleaning, measuring, shortening and wrapping. */
#include "text.h"

#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "cli.h"

static struct {
	bool utf8;
	bool has_locale; /* its tables know characters */
} state;

/* What the environment says, where the locale itself is not installed or cannot be read. */
static bool names_utf8(void)
{
	static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *value = NULL;

	for (size_t i = 0; i < 3 && (!value || !*value); i++)
		value = getenv(variables[i]);
	return value && (strcasestr(value, ".UTF-8") || strcasestr(value, ".UTF8"));
}

void cli_text_init(void)
{
	state.has_locale = setlocale(LC_CTYPE, "") != NULL;
	state.utf8 = state.has_locale ? strcmp(nl_langinfo(CODESET), "UTF-8") == 0 : names_utf8();
}

/* Bytes of the UTF-8 character, 0 for none. mbrtowc() wants memory, and takes its lack for that. */
static size_t decode(const unsigned char *text, wchar_t *out_wide)
{
	size_t length = *text >= 0xf0 ? 4 : *text >= 0xe0 ? 3 : 2;
	uint32_t code = *text & (0xff >> (length + 1));

	if (*text < 0xc2 || *text > 0xf4)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	/* longer than need be, half of a pair of UTF-16, beyond the last */
	if (code >> (length == 3   ? 11
		     : length == 4 ? 16
				   : 7) ==
		    0 ||
	    (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
		return 0;
	*out_wide = (wchar_t)code;
	return length;
}

/* As wcwidth(), for the characters that names have: ideographs are wide. */
static int get_columns(wchar_t wide)
{
	if (wide < 0xa0)
		return -1;
	if (wide >= 0x300 && wide < 0x370)
		return 0;
	return (wide >= 0x1100 && wide < 0x1160) || (wide >= 0x2e80 && wide < 0xa4d0) ||
			       (wide >= 0xac00 && wide < 0xd7a4) ||
			       (wide >= 0xf900 && wide < 0xfb00) ||
			       (wide >= 0xff01 && wide < 0xff61) || wide >= 0x1f300
		       ? 2
		       : 1;
}

/*
 * The printable character at `text`: its length in bytes and its columns. A length of 0 says that
 * there is none.
 */
static size_t character(const char *text, unsigned *out_columns)
{
	wchar_t wide;
	size_t length;
	int columns;

	if ((unsigned char)*text < 0x80) {
		*out_columns = 1;
		return *text >= 0x20 && *text != 0x7f;
	}
	if (!state.utf8)
		return 0;
	length = decode((const unsigned char *)text, &wide);
	if (!length)
		return 0;
	columns = state.has_locale ? wcwidth(wide) : get_columns(wide);
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

void cli_text_print(FILE *stream, unsigned used, unsigned indent, unsigned width,
		    const char *format, ...)
{
	char *text;
	va_list list;

	va_start(list, format);
	text = cli_format_list(format, list);
	va_end(list);
	fprintf(stream, "%*s", (int)used, "");
	cli_text_wrap(stream, text, used, indent, width);
	free(text);
}

void cli_text_print_part(FILE *stream, const char *label, const char *text, unsigned width)
{
	unsigned used = (unsigned)strlen(label);

	if (!*text)
		return;
	fputs(label, stream);
	cli_text_wrap(stream, text, used, used, width);
}
