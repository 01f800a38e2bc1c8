/* SPDX-License-Identifier: MIT */
#include "base/character.h"

#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"

/*
 * Of Unicode 15: the controls (Cc), the separators of lines and paragraphs (Zl, Zp), and what is
 * ignorable by default or a format (Cf), but for what has a picture or chooses one: signs that are
 * written around numbers, and variation selectors. Ascending.
 */
static const struct {
	uint32_t first, last;
} hidden[] = {
	{0x0000, 0x001f},   {0x007f, 0x009f},	{0x00ad, 0x00ad},   {0x034f, 0x034f},
	{0x061c, 0x061c},   {0x115f, 0x1160},	{0x17b4, 0x17b5},   {0x180e, 0x180e},
	{0x200b, 0x200f},   {0x2028, 0x202e},	{0x2060, 0x206f},   {0x3164, 0x3164},
	{0xfeff, 0xfeff},   {0xffa0, 0xffa0},	{0xfff0, 0xfffb},   {0x13430, 0x1343f},
	{0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe00ff}, {0xe01f0, 0xe0fff},
};

static bool is_hidden(uint32_t code)
{
	size_t i = 0;

	while (i < TACHO__ARRAY_SIZE(hidden) && code > hidden[i].last)
		i++;
	return i < TACHO__ARRAY_SIZE(hidden) && code >= hidden[i].first;
}

struct tacho_character tacho_character_read(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned length = tacho__utf8_length(s);
	struct tacho_character character = {TACHO_CHARACTER_BAD, 1, *s};

	if (!length)
		return character;
	character.length = length;
	if (length > 1)
		character.code = *s & (0x7f >> length);
	for (unsigned i = 1; i < length; i++)
		character.code = character.code << 6 | (s[i] & 0x3f);
	character.kind = is_hidden(character.code) ? TACHO_CHARACTER_HIDDEN : TACHO_CHARACTER_SHOWN;
	return character;
}

size_t tacho_character_spell(const struct tacho_character *character,
			     char out_text[TACHO_CHARACTER_SPELLED_MAX])
{
	static const char names[] = "\n\r\t", letters[] = "nrt";
	const char *name = character->code && character->code < 0x80
				   ? strchr(names, (int)character->code)
				   : NULL;
	const char *form = character->kind == TACHO_CHARACTER_BAD || character->code < 0x80
				   ? "\\x%02x"
			   : character->code < 0x10000 ? "\\u%04x"
						       : "\\U%08x";

	if (name)
		return (size_t)snprintf(out_text, TACHO_CHARACTER_SPELLED_MAX, "\\%c",
					letters[name - names]);
	return (size_t)snprintf(out_text, TACHO_CHARACTER_SPELLED_MAX, form, character->code);
}

/* Eight bytes at once: where one of them is below 0x20, or above 0x7e, the result is not 0. */
static uint64_t find_special(const char *bytes)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t word, is_delete;

	memcpy(&word, bytes, sizeof(word));
	is_delete = (word ^ 0x7f * ones) - ones;
	return (word | (word - 0x20 * ones) | is_delete) & 0x80 * ones;
}

/* Of the first bytes how many are printable ASCII; up to seven of them may be left out. */
static size_t count_plain(const char *text, size_t size)
{
	size_t plain = 0;

	while (plain + sizeof(uint64_t) <= size && !find_special(text + plain))
		plain += sizeof(uint64_t);
	return plain;
}

size_t tacho__text_find_bad(const char *text)
{
	const unsigned char *s = (const unsigned char *)text + count_plain(text, strlen(text));
	unsigned length = 1;

	while (*s && length) {
		length = *s < 0x80 ? 1 : tacho__utf8_length(s);
		s += length;
	}
	return (size_t)(s - (const unsigned char *)text);
}

/* How much of it is as it is shown. */
static size_t find_hidden(const char *text)
{
	const char *at = text + count_plain(text, strlen(text));

	while (*at) {
		struct tacho_character character;

		for (; *at >= 0x20 && *at < 0x7f; at++)
			;
		if (!*at)
			break;
		character = tacho_character_read(at);
		if (character.kind != TACHO_CHARACTER_SHOWN)
			break;
		at += character.length;
	}
	return (size_t)(at - text);
}

static void put(struct tacho__buf *buf, const char *text, size_t (*find)(const char *text))
{
	char spelled[TACHO_CHARACTER_SPELLED_MAX];

	while (*text) {
		size_t good = find(text);
		struct tacho_character character;

		tacho__buf_add(buf, text, good);
		text += good;
		if (!*text)
			break;
		character = tacho_character_read(text);
		tacho__buf_add(buf, spelled, tacho_character_spell(&character, spelled));
		text += character.length;
	}
}

void tacho__text_put_utf8(struct tacho__buf *buf, const char *text)
{
	put(buf, text, tacho__text_find_bad);
}

void tacho__text_put(struct tacho__buf *buf, const char *text)
{
	put(buf, text, find_hidden);
}

void tacho__text_write(FILE *stream, const char *text)
{
	char spelled[TACHO_CHARACTER_SPELLED_MAX];

	while (*text) {
		size_t shown = find_hidden(text);
		struct tacho_character character;

		fwrite(text, 1, shown, stream);
		text += shown;
		if (!*text)
			break;
		character = tacho_character_read(text);
		fwrite(spelled, 1, tacho_character_spell(&character, spelled), stream);
		text += character.length;
	}
}
