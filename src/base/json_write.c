/* SPDX-License-Identifier: MIT */
/* The JSON writer: nesting is kept in a small stack, so brackets always match. */
#include <math.h>
#include <string.h>

#include "base/character.h"
#include "base/number.h"
#include "tacho/sys/json.h"

void tacho_json_init(struct tacho_json *json, FILE *stream, bool indent)
{
	json->stream = stream;
	json->depth = 0;
	json->indent = indent;
	json->pending_size = 0;
}

static void flush(struct tacho_json *json)
{
	fwrite(json->pending, 1, json->pending_size, json->stream);
	json->pending_size = 0;
}

static void put(struct tacho_json *json, const char *text, size_t size)
{
	if (size > sizeof(json->pending) - json->pending_size)
		flush(json);
	if (size > sizeof(json->pending)) {
		fwrite(text, 1, size, json->stream);
		return;
	}
	memcpy(json->pending + json->pending_size, text, size);
	json->pending_size += size;
}

static void put_text(struct tacho_json *json, const char *text)
{
	put(json, text, strlen(text));
}

static void new_line(struct tacho_json *json)
{
	if (!json->indent)
		return;
	put_text(json, "\n");
	for (unsigned i = 0; i < json->depth; i++)
		put_text(json, "  ");
}

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* As the number that JSON has for it, or two of them (RFC 8259); bytes that are no UTF-8 spelled.
 */
static void put_escaped(struct tacho_json *json, const struct tacho_character *character)
{
	char text[TACHO_CHARACTER_SPELLED_MAX + 16] = "\\";
	uint32_t code = character->code;

	if (character->kind == TACHO_CHARACTER_BAD)
		tacho_character_spell(character, text + 1);
	else if (code == '"' || code == '\\')
		snprintf(text, sizeof(text), "\\%c", (int)code);
	else if (code == '\n' || code == '\t')
		snprintf(text, sizeof(text), "\\%c", code == '\n' ? 'n' : 't');
	else if (code < 0x10000)
		snprintf(text, sizeof(text), "\\u%04x", code);
	else
		snprintf(text, sizeof(text), "\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10),
			 0xdc00 + ((code - 0x10000) & 0x3ff));
	put_text(json, text);
}

/* Whether a byte of the word is less than 0x20, or 0x80 or more. */
static uint64_t find_low(uint64_t word)
{
	return ((word - 0x2020202020202020) | word) & 0x8080808080808080;
}

static uint64_t find_byte(uint64_t word, unsigned char byte)
{
	uint64_t flipped = word ^ 0x0101010101010101 * byte;

	return (flipped - 0x0101010101010101) & ~flipped & 0x8080808080808080;
}

/* How much of the text's beginning is plain for sure: eight bytes at once. */
static size_t count_plain(const char *text, size_t size)
{
	size_t count = 0;
	uint64_t word;

	for (; size - count >= sizeof(word); count += sizeof(word)) {
		memcpy(&word, text + count, sizeof(word));
		if (find_low(word) | find_byte(word, '"') | find_byte(word, '\\') |
		    find_byte(word, 0x7f))
			break;
	}
	return count;
}

/* What is not shown is escaped: it does nothing where the text is looked at, and is not lost. */
static void put_string(struct tacho_json *json, const char *string)
{
	const char *plain = string, *s = string + count_plain(string, strlen(string));

	put_text(json, "\"");
	while (*s) {
		struct tacho_character character;

		if (is_plain((unsigned char)*s)) {
			s++;
			continue;
		}
		character = tacho_character_read(s);
		if (character.kind != TACHO_CHARACTER_SHOWN || character.length == 1) {
			put(json, plain, (size_t)(s - plain));
			put_escaped(json, &character);
			plain = s + character.length;
		}
		s += character.length;
	}
	put(json, plain, (size_t)(s - plain));
	put_text(json, "\"");
}

static void begin_member(struct tacho_json *json, const char *key)
{
	unsigned depth = json->depth;

	if (depth) {
		if (json->has_member[depth - 1])
			put_text(json, json->indent ? "," : ", ");
		json->has_member[depth - 1] = true;
		new_line(json);
		if (!json->is_array[depth - 1]) {
			put_string(json, key ? key : "");
			put_text(json, ": ");
		}
	}
}

/* Deeper than the stack there is only null, so that the text stays valid. */
static void begin(struct tacho_json *json, const char *key, bool array)
{
	begin_member(json, key);
	if (json->depth == TACHO_JSON_DEPTH_MAX) {
		put_text(json, "null");
		return;
	}
	json->has_member[json->depth] = false;
	json->is_array[json->depth] = array;
	json->depth++;
	put_text(json, array ? "[" : "{");
}

void tacho_json_begin_object(struct tacho_json *json, const char *key)
{
	begin(json, key, false);
}

void tacho_json_begin_array(struct tacho_json *json, const char *key)
{
	begin(json, key, true);
}

void tacho_json_end(struct tacho_json *json)
{
	bool had;

	if (!json->depth)
		return;
	json->depth--;
	had = json->has_member[json->depth];
	if (had)
		new_line(json);
	put_text(json, json->is_array[json->depth] ? "]" : "}");
	if (!json->depth)
		flush(json);
}

void tacho_json_add_string(struct tacho_json *json, const char *key, const char *value)
{
	if (!value) {
		tacho_json_add_null(json, key);
		return;
	}
	begin_member(json, key);
	put_string(json, value);
}

void tacho_json_add_unsigned(struct tacho_json *json, const char *key, uint64_t value)
{
	char text[TACHO__NUMBER_MAX];

	begin_member(json, key);
	put(json, text, tacho__number_format_whole(value, text));
}

void tacho_json_add_integer(struct tacho_json *json, const char *key, int64_t value)
{
	char text[TACHO__NUMBER_MAX];

	begin_member(json, key);
	if (value < 0)
		put_text(json, "-");
	put(json, text,
	    tacho__number_format_whole(value < 0 ? -(uint64_t)value : (uint64_t)value, text));
}

void tacho_json_add_real(struct tacho_json *json, const char *key, double value)
{
	char text[TACHO__NUMBER_MAX];

	if (!isfinite(value)) {
		tacho_json_add_null(json, key);
		return;
	}
	begin_member(json, key);
	tacho__number_format(value, text);
	put_text(json, text);
}

void tacho_json_add_bool(struct tacho_json *json, const char *key, bool value)
{
	begin_member(json, key);
	put_text(json, value ? "true" : "false");
}

void tacho_json_add_text(struct tacho_json *json, const char *key, const char *text)
{
	tacho_json_add_string(json, key, text && *text ? text : NULL);
}

void tacho_json_add_known(struct tacho_json *json, const char *key, bool known, uint64_t value)
{
	if (known)
		tacho_json_add_unsigned(json, key, value);
	else
		tacho_json_add_null(json, key);
}

void tacho_json_add_null(struct tacho_json *json, const char *key)
{
	begin_member(json, key);
	put_text(json, "null");
}

void tacho_json_finish(struct tacho_json *json)
{
	while (json->depth)
		tacho_json_end(json);
	put_text(json, "\n");
	flush(json);
}
