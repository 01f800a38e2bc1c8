/* SPDX-License-Identifier: MIT */
/* The JSON writer: nesting is kept in a small stack, so brackets always match. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
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
	return c >= 0x20 && c != 0x7f && c != '"' && c != '\\';
}

static void put_string(FILE *stream, const char *string)
{
	const unsigned char *s = (const unsigned char *)string, *plain = s;

	fputc('"', stream);
	while (*s) {
		unsigned length = *s < 0x80 ? 1 : tacho__utf8_length(s);

		if (length && is_plain(*s)) {
			s += length;
			continue;
		}
		fwrite(plain, 1, (size_t)(s - plain), stream);
		if (!length)
			fputs("\xef\xbf\xbd", stream);
		else if (*s == '"' || *s == '\\')
			fprintf(stream, "\\%c", *s);
		else if (*s == '\n')
			fputs("\\n", stream);
		else if (*s == '\t')
			fputs("\\t", stream);
		else
			fprintf(stream, "\\u%04x", *s);
		plain = ++s;
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
