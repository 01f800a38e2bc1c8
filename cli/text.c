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

#include <tacho/sys/character.h>

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

/* As wcwidth(), for the characters that names have: ideographs are wide. */
static int get_columns(uint32_t wide)
{
	if (wide >= 0x300 && wide < 0x370)
		return 0;
	return (wide >= 0x1100 && wide < 0x1160) || (wide >= 0x2e80 && wide < 0xa4d0) ||
			       (wide >= 0xac00 && wide < 0xd7a4) ||
			       (wide >= 0xf900 && wide < 0xfb00) ||
			       (wide >= 0xff01 && wide < 0xff61) || wide >= 0x1f300
		       ? 2
		       : 1;
}

/* Its columns; -1 where the terminal cannot show it. */
static int get_width(const struct tacho_character *character)
{
	if (character->kind != TACHO_CHARACTER_SHOWN)
		return -1;
	if (character->length == 1)
		return 1;
	if (!state.utf8)
		return -1;
	return state.has_locale ? wcwidth((wchar_t)character->code) : get_columns(character->code);
}

/* Bytes of the first character of a clean text, and its columns. */
static size_t take(const char *clean, unsigned *out_columns)
{
	struct tacho_character character = tacho_character_read(clean);
	int columns = get_width(&character);

	*out_columns = columns < 0 ? 1 : (unsigned)columns;
	return character.length;
}

char *cli_text_clean(const char *text)
{
	char *clean = cli_alloc(strlen(text) * (TACHO_CHARACTER_SPELLED_MAX - 1) + 1), *to = clean;

	while (*text) {
		struct tacho_character character = tacho_character_read(text);

		if (*text == '\t' || *text == '\n')
			*to++ = ' ';
		else if (get_width(&character) < 0)
			to += tacho_character_spell(&character, to);
		else
			to = mempcpy(to, text, character.length);
		text += character.length;
	}
	*to = '\0';
	return clean;
}

char *cli_text_quote(const char *word)
{
	static const char *const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					 "0123456789_./%+,:@=-";
	char *clean = cli_text_clean(word), *quoted = NULL, *rest = clean, *part;
	bool is_plain = *clean && clean[strspn(clean, plain)] == '\0';

	cli_append(&quoted, "", "%s%s", *clean == '-' ? "./" : "", is_plain ? clean : "'");
	if (!is_plain) {
		cli_append(&quoted, "", "%s", strsep(&rest, "'"));
		while ((part = strsep(&rest, "'")))
			cli_append(&quoted, "", "'\\''%s", part);
		cli_append(&quoted, "", "'");
	}
	free(clean);
	return quoted;
}

unsigned cli_text_width(const char *clean)
{
	unsigned width = 0, columns;

	while (*clean) {
		clean += take(clean, &columns);
		width += columns;
	}
	return width;
}

/* The longest beginning of a clean text within `columns`, in bytes. */
static size_t fit(const char *clean, unsigned columns)
{
	const char *at = clean;
	unsigned width = 0, more;

	while (*at) {
		size_t length = take(at, &more);

		width += more;
		if (width > columns)
			break;
		at += length;
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

		skip += take(clean + skip, &unused);
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
