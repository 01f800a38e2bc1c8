/* SPDX-License-Identifier: MIT */
/* The JSON writer: nesting is kept in a small stack, so brackets always match. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/character.h"
#include "base/number.h"
#include "tacho/sys/json.h"

void tacho_json_init(struct tacho_json *json, FILE *stream, bool indent)
{
	memset(json, 0, sizeof(*json));
	json->stream = stream;
	json->indent = indent;
}

static void new_line(struct tacho_json *json)
{
	if (!json->indent)
		return;
	fputc('\n', json->stream);
	for (unsigned i = 0; i < json->depth; i++)
		fputs("  ", json->stream);
}

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* As the number that JSON has for it, or two of them (RFC 8259); bytes that are no UTF-8 spelled.
 */
static void put_escaped(FILE *stream, const struct tacho_character *character)
{
	char spelled[TACHO_CHARACTER_SPELLED_MAX];
	uint32_t code = character->code;

	if (character->kind == TACHO_CHARACTER_BAD) {
		tacho_character_spell(character, spelled);
		fprintf(stream, "\\%s", spelled);
	} else if (code == '"' || code == '\\') {
		fprintf(stream, "\\%c", (int)code);
	} else if (code == '\n' || code == '\t') {
		fputs(code == '\n' ? "\\n" : "\\t", stream);
	} else if (code < 0x10000) {
		fprintf(stream, "\\u%04x", code);
	} else {
		code -= 0x10000;
		fprintf(stream, "\\u%04x\\u%04x", 0xd800 + (code >> 10), 0xdc00 + (code & 0x3ff));
	}
}

/* What is not shown is escaped: it does nothing where the text is looked at, and is not lost. */
static void put_string(FILE *stream, const char *string)
{
	const char *s = string, *plain = s;

	fputc('"', stream);
	while (*s) {
		struct tacho_character character;

		if (is_plain((unsigned char)*s)) {
			s++;
			continue;
		}
		character = tacho_character_read(s);
		if (character.kind != TACHO_CHARACTER_SHOWN || character.length == 1) {
			fwrite(plain, 1, (size_t)(s - plain), stream);
			put_escaped(stream, &character);
			plain = s + character.length;
		}
		s += character.length;
	}
	fwrite(plain, 1, (size_t)(s - plain), stream);
	fputc('"', stream);
}

static void begin_member(struct tacho_json *json, const char *key)
{
	unsigned depth = json->depth;

	if (depth) {
		if (json->has_member[depth - 1])
			fputs(json->indent ? "," : ", ", json->stream);
		json->has_member[depth - 1] = true;
		new_line(json);
		if (!json->is_array[depth - 1]) {
			put_string(json->stream, key ? key : "");
			fputs(": ", json->stream);
		}
	}
}

/* Deeper than the stack there is only null, so that the text stays valid. */
static void begin(struct tacho_json *json, const char *key, bool array)
{
	begin_member(json, key);
	if (json->depth == TACHO_JSON_DEPTH_MAX) {
		fputs("null", json->stream);
		return;
	}
	json->has_member[json->depth] = false;
	json->is_array[json->depth] = array;
	json->depth++;
	fputc(array ? '[' : '{', json->stream);
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
	fputc(json->is_array[json->depth] ? ']' : '}', json->stream);
}

void tacho_json_add_string(struct tacho_json *json, const char *key, const char *value)
{
	if (!value) {
		tacho_json_add_null(json, key);
		return;
	}
	begin_member(json, key);
	put_string(json->stream, value);
}

void tacho_json_add_unsigned(struct tacho_json *json, const char *key, uint64_t value)
{
	begin_member(json, key);
	fprintf(json->stream, "%" PRIu64, value);
}

void tacho_json_add_integer(struct tacho_json *json, const char *key, int64_t value)
{
	begin_member(json, key);
	fprintf(json->stream, "%" PRId64, value);
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
	fputs(text, json->stream);
}

void tacho_json_add_bool(struct tacho_json *json, const char *key, bool value)
{
	begin_member(json, key);
	fputs(value ? "true" : "false", json->stream);
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
	fputs("null", json->stream);
}

void tacho_json_finish(struct tacho_json *json)
{
	while (json->depth)
		tacho_json_end(json);
	fputc('\n', json->stream);
}
