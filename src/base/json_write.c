/* SPDX-License-Identifier: MIT */
/* The JSON writer: nesting is kept in a small stack, so brackets always match. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

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

/* The length of the well-formed UTF-8 character at `s`, 0 if there is none (RFC 3629). */
static unsigned utf8_length(const unsigned char *s)
{
	static const struct {
		unsigned char low, high, second_low, second_high, length;
	} forms[] = {
		{0x00, 0x7f, 0, 0, 1},	     {0xc2, 0xdf, 0x80, 0xbf, 2},
		{0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
		{0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
		{0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
		{0xf4, 0xf4, 0x80, 0x8f, 4},
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (s[0] < forms[i].low || s[0] > forms[i].high)
			continue;
		if (forms[i].length > 1 &&
		    (s[1] < forms[i].second_low || s[1] > forms[i].second_high))
			return 0;
		for (unsigned k = 2; k < forms[i].length; k++)
			if ((s[k] & 0xc0) != 0x80)
				return 0;
		return forms[i].length;
	}
	return 0;
}

static void put_string(FILE *stream, const char *string)
{
	const unsigned char *s = (const unsigned char *)string;

	fputc('"', stream);
	while (*s) {
		unsigned length = utf8_length(s);

		if (!length) {
			fputs("\xef\xbf\xbd", stream);
			s++;
			continue;
		}
		if (*s == '"' || *s == '\\')
			fprintf(stream, "\\%c", *s);
		else if (*s == '\n')
			fputs("\\n", stream);
		else if (*s == '\t')
			fputs("\\t", stream);
		else if (*s < 0x20 || *s == 0x7f)
			fprintf(stream, "\\u%04x", *s);
		else
			fwrite(s, 1, length, stream);
		s += length;
	}
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
