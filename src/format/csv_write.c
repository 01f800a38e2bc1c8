/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "format/csv.h"
#include "tacho/sys/character.h"
#include "tacho/sys/csv.h"

static void write_character(FILE *stream, const char *at, const struct tacho_character *character)
{
	char spelled[TACHO_CHARACTER_SPELLED_MAX];

	if (*at == '"')
		putc('"', stream);
	if (character->kind == TACHO_CHARACTER_SHOWN || *at == '\n' || *at == '\t')
		fwrite(at, 1, character->length, stream);
	else
		fwrite(spelled, 1, tacho_character_spell(character, spelled), stream);
}

static void write_characters(FILE *stream, const char *text)
{
	while (*text) {
		struct tacho_character character = tacho_character_read(text);

		write_character(stream, text, &character);
		text += character.length;
	}
}

void tacho_csv_write_quoted(FILE *stream, const char *text)
{
	putc('"', stream);
	write_characters(stream, text);
	putc('"', stream);
}

void tacho_csv_write_text(FILE *stream, const char *text)
{
	if (strpbrk(text, ",\"\n"))
		tacho_csv_write_quoted(stream, text);
	else
		write_characters(stream, text);
}

void tacho_csv_write_number(FILE *stream, double value)
{
	char text[TACHO__NUMBER_MAX];

	if (!isfinite(value))
		return;
	tacho__number_format(value, text);
	fputs(text, stream);
}

/* ---- formulas made harmless ---- */

enum { NUMBER_MAX = 512 }; /* longer ones are none that tacho writes */

struct safe {
	FILE *stream;
	enum { AT_START, IN_DOUBT, INSIDE } place; /* in a cell; in doubt: it may be a number */
	bool is_quoted;
	char doubtful[NUMBER_MAX];
	size_t doubtful_size;
};

/* Signs at its beginning and behind an exponent only. */
static bool is_number(const char *text, size_t size)
{
	bool has_digit = false;

	for (size_t i = 0; i < size; i++) {
		bool is_sign = text[i] == '+' || text[i] == '-';

		if (is_sign && i && text[i - 1] != 'e' && text[i - 1] != 'E')
			return false;
		if (!is_sign && !memchr("0123456789.eE", text[i], 13))
			return false;
		has_digit |= text[i] >= '0' && text[i] <= '9';
	}
	return has_digit;
}

static void decide(struct safe *safe)
{
	if (!is_number(safe->doubtful, safe->doubtful_size))
		putc('\'', safe->stream);
	fwrite(safe->doubtful, 1, safe->doubtful_size, safe->stream);
	safe->doubtful_size = 0;
	safe->place = INSIDE;
}

static void begin_cell(struct safe *safe, char c)
{
	bool is_sign = c == '+' || c == '-';

	if (is_sign && !safe->is_quoted) {
		safe->doubtful[safe->doubtful_size++] = c;
		safe->place = IN_DOUBT;
		return;
	}
	if (is_sign || c == '=' || c == '@')
		putc('\'', safe->stream);
	putc(c, safe->stream);
	if (c != ' ' && c != '\t' && c != '"')
		safe->place = INSIDE;
}

static void put(struct safe *safe, char c)
{
	bool ends = !safe->is_quoted && (c == ',' || c == '\n' || c == '\r');

	if (safe->place == IN_DOUBT && (ends || safe->doubtful_size == NUMBER_MAX))
		decide(safe);
	if (c == '"')
		safe->is_quoted = !safe->is_quoted;
	if (ends) {
		putc(c, safe->stream);
		safe->place = AT_START;
	} else if (safe->place == IN_DOUBT) {
		safe->doubtful[safe->doubtful_size++] = c;
	} else if (safe->place == AT_START) {
		begin_cell(safe, c);
	} else {
		putc(c, safe->stream);
	}
}

static ssize_t take(void *user, const char *bytes, size_t size)
{
	struct safe *safe = user;

	for (size_t i = 0; i < size; i++)
		put(safe, bytes[i]);
	return fflush(safe->stream) || ferror(safe->stream) ? 0 : (ssize_t)size;
}

static int finish(void *user)
{
	struct safe *safe = user;
	FILE *stream = safe->stream;

	if (safe->place == IN_DOUBT)
		decide(safe);
	free(safe);
	return fclose(stream);
}

FILE *tacho_csv_open_safe(FILE *stream)
{
	const cookie_io_functions_t functions = {.write = take, .close = finish};
	struct safe *safe = calloc(1, sizeof(*safe));
	FILE *filter = safe ? fopencookie(safe, "w", functions) : NULL;

	if (filter) {
		safe->stream = stream;
		return filter;
	}
	free(safe);
	tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a stream");
	return NULL;
}
