/* SPDX-License-Identifier: MIT */
/* Texts are ended and unescaped where they lie in the buffer, which holds one whole piece. */
#include "format/foreign/foreign_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/utf8.h"

enum {
	CHUNK = 64 * 1024,
	ZEROS = 8, /* behind the buffer's end: words are read there */
};

void tacho__foreign_json_close(struct tacho__foreign_json *json)
{
	tacho__foreign_bytes_close(json->bytes);
	free(json->buffer);
	free(json->path);
	*json = (struct tacho__foreign_json){0};
}

int tacho__foreign_json_open(struct tacho__foreign_json *json, const char *path)
{
	int rc;

	*json = (struct tacho__foreign_json){.text = ""};
	json->path = strdup(path);
	rc = json->path ? tacho__foreign_bytes_open(path, &json->bytes)
			: tacho__fail(TACHO_E_NOMEM, "", "", "no memory to open %s", path);
	if (rc)
		tacho__foreign_json_close(json);
	return rc;
}

uint64_t tacho__foreign_json_offset(const struct tacho__foreign_json *json)
{
	return json->offset + json->at;
}

bool tacho__foreign_json_is(const struct tacho__foreign_json *json, const char *text)
{
	return !strcmp(json->text, text);
}

static int fail(const struct tacho__foreign_json *json, const char *cause)
{
	return tacho__fail(TACHO_E_PARSE, cause, "", "%s: byte %llu is no JSON", json->path,
			   (unsigned long long)tacho__foreign_json_offset(json));
}

static int fail_cut(struct tacho__foreign_json *json)
{
	json->is_cut = true;
	return tacho__fail(TACHO_E_PARSE, "something is still open there",
			   "copy or write the file again: the tool may have been ended before it "
			   "was done",
			   "%s ends early, at byte %llu", json->path,
			   (unsigned long long)(json->offset + json->size));
}

/* ---- the buffer ---- */

static int reserve(struct tacho__foreign_json *json, size_t capacity)
{
	char *buffer;

	if (capacity <= json->capacity)
		return 0;
	buffer = realloc(json->buffer, capacity);
	if (!buffer)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a piece of JSON");
	json->buffer = buffer;
	json->capacity = capacity;
	return 0;
}

/* More bytes behind what there is; what comes next moves to the front, and so does *at. */
static int read_more(struct tacho__foreign_json *json, size_t *at)
{
	size_t left = json->size - json->at, got = 0;
	int rc;

	if (left > TACHO__FOREIGN_TOKEN_MAX)
		return fail(json, tacho__detail("a text or number of more than %d bytes",
						TACHO__FOREIGN_TOKEN_MAX));
	if (json->at)
		memmove(json->buffer, json->buffer + json->at, left);
	json->offset += json->at;
	*at -= json->at;
	json->at = 0;
	json->size = left;
	rc = reserve(json, (left > CHUNK ? 2 * left : CHUNK) + CHUNK + ZEROS);
	if (rc)
		return rc;
	rc = tacho__foreign_bytes_read(json->bytes, json->buffer + left, CHUNK, &got);
	json->size += got;
	memset(json->buffer + json->size, 0, ZEROS);
	json->is_end = !rc && !got;
	json->is_cut = rc == TACHO_E_PARSE;
	return rc;
}

/* Steps over blanks; *out_c is what comes then, 0 at the end. */
static int find_next(struct tacho__foreign_json *json, char *out_c)
{
	int rc;

	for (;;) {
		while (json->at < json->size && tacho__is_blank(json->buffer[json->at]))
			json->at++;
		if (json->at < json->size) {
			*out_c = json->buffer[json->at];
			return *out_c ? 0 : fail(json, "a zero byte");
		}
		*out_c = '\0';
		if (json->is_end)
			return 0;
		rc = read_more(json, &json->at);
		if (rc)
			return rc;
	}
}

/* ---- texts ---- */

static uint64_t zeros_in(uint64_t word)
{
	return (word - UINT64_C(0x0101010101010101)) & ~word & UINT64_C(0x8080808080808080);
}

/* Steps over what needs no look: neither quote nor backslash, neither zero nor beyond ASCII. */
static const char *skip_plain(const char *at)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t word;

	for (;; at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		if (zeros_in(word ^ ones * '"') | zeros_in(word ^ ones * '\\') | zeros_in(word) |
		    (word & ones * 0x80))
			break;
	}
	while (*at > 0 && *at != '"' && *at != '\\')
		at++;
	return at;
}

/* Where the string from *at on has its closing quote. */
static int find_quote(struct tacho__foreign_json *json, size_t *at, bool is_kept)
{
	int rc;

	for (;;) {
		*at = (size_t)(skip_plain(json->buffer + *at) - json->buffer);
		if (*at + 1 < json->size && json->buffer[*at] == '\\') {
			*at += 2;
		} else if (*at < json->size && json->buffer[*at] == '"') {
			return 0;
		} else if (*at < json->size && json->buffer[*at] != '\\') {
			++*at;
		} else {
			if (json->is_end)
				return fail_cut(json);
			if (!is_kept)
				json->at = *at;
			rc = read_more(json, at);
			if (rc)
				return rc;
		}
	}
}

/* Four digits of base 16; -1: they are none. */
static int take_hex(const char *at)
{
	unsigned code = 0;

	for (int i = 0; i < 4; i++) {
		unsigned digit = tacho__hex_digit(at[i]);

		if (digit == 16)
			return -1;
		code = code << 4 | digit;
	}
	return (int)code;
}

static char *put_utf8(char *to, unsigned code)
{
	if (code < 0x80) {
		*to++ = (char)code;
	} else if (code < 0x800) {
		*to++ = (char)(0xc0 | code >> 6);
		*to++ = (char)(0x80 | (code & 0x3f));
	} else if (code < 0x10000) {
		*to++ = (char)(0xe0 | code >> 12);
		*to++ = (char)(0x80 | (code >> 6 & 0x3f));
		*to++ = (char)(0x80 | (code & 0x3f));
	} else {
		*to++ = (char)(0xf0 | code >> 18);
		*to++ = (char)(0x80 | (code >> 12 & 0x3f));
		*to++ = (char)(0x80 | (code >> 6 & 0x3f));
		*to++ = (char)(0x80 | (code & 0x3f));
	}
	return to;
}

/* Behind "\u": one character, of two halves perhaps. */
static const char *take_code(struct tacho__foreign_json *json, const char *from, char **to)
{
	int code = take_hex(from), low;

	if (code < 0) {
		json->mended++;
		*(*to)++ = '\\';
		*(*to)++ = 'u';
		return from;
	}
	from += 4;
	if (code >= 0xd800 && code < 0xdc00 && from[0] == '\\' && from[1] == 'u') {
		low = take_hex(from + 2);
		if (low >= 0xdc00 && low < 0xe000) {
			code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
			from += 6;
		}
	}
	if (!code || (code >= 0xd800 && code < 0xe000)) {
		json->mended++;
		code = 0xfffd;
	}
	*to = put_utf8(*to, (unsigned)code);
	return from;
}

/* Behind a backslash. */
static const char *take_escape(struct tacho__foreign_json *json, const char *from, char **to)
{
	static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char *name = *from ? strchr(names, *from) : NULL;

	if (*from == 'u')
		return take_code(json, from + 1, to);
	if (name) {
		*(*to)++ = meanings[name - names];
		return from + 1;
	}
	json->mended++;
	*(*to)++ = '\\';
	return from;
}

/* In place: what is meant is never longer than how it is written. A zero stands at the end. */
static size_t unescape(struct tacho__foreign_json *json, char *text, const char *end)
{
	const char *from = text;
	char *to = text;

	while (from < end) {
		unsigned length = tacho__utf8_length((const unsigned char *)from);

		if (*from == '\\') {
			from = take_escape(json, from + 1, &to);
		} else if (length && *from) {
			memmove(to, from, length);
			to += length;
			from += length;
		} else {
			json->mended++;
			*to++ = '?';
			from++;
		}
	}
	*to = '\0';
	return (size_t)(to - text);
}

/* At its opening quote. */
static int take_string(struct tacho__foreign_json *json)
{
	size_t end = json->at + 1;
	const char *plain = skip_plain(json->buffer + end);
	bool is_plain = *plain == '"';
	char *text;
	int rc = 0;

	if (is_plain)
		end = (size_t)(plain - json->buffer);
	else
		rc = find_quote(json, &end, true);
	if (rc)
		return rc;
	text = json->buffer + json->at + 1;
	json->buffer[end] = '\0';
	json->text = text;
	json->text_size = is_plain ? (size_t)(json->buffer + end - text)
				   : unescape(json, text, json->buffer + end);
	json->at = end + 1;
	return 0;
}

/* ---- values ---- */

static bool ends_word(char c)
{
	static const bool ends[256] = {[0] = true,    [' '] = true, ['\t'] = true, ['\n'] = true,
				       ['\r'] = true, [','] = true, [':'] = true,  ['"'] = true,
				       ['['] = true,  [']'] = true, ['{'] = true,  ['}'] = true};

	return ends[(unsigned char)c];
}

static bool is_number(const char *text)
{
	static const char *const words[] = {"NaN", "nan", "Infinity", "inf"};
	const char *at = text + (*text == '-');

	if (tacho__is_digit(*at))
		return !text[strspn(text, "0123456789+-.eE")];
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(at, words[i]))
			return true;
	return false;
}

static int take_word(struct tacho__foreign_json *json, enum tacho__foreign_json_piece *out_piece)
{
	size_t end = json->at;
	char *word;
	int rc;

	for (;;) {
		while (!ends_word(json->buffer[end]))
			end++;
		if (end < json->size || json->is_end)
			break;
		rc = read_more(json, &end);
		if (rc)
			return rc;
	}
	if (end == json->size && json->depth)
		return fail_cut(json);
	word = json->buffer + json->at;
	json->held = json->buffer[end];
	json->held_at = end;
	json->buffer[end] = '\0';
	if (is_number(word))
		*out_piece = TACHO__FOREIGN_JSON_NUMBER;
	else if (!strcmp(word, "true"))
		*out_piece = TACHO__FOREIGN_JSON_TRUE;
	else if (!strcmp(word, "false"))
		*out_piece = TACHO__FOREIGN_JSON_FALSE;
	else if (!strcmp(word, "null"))
		*out_piece = TACHO__FOREIGN_JSON_NULL;
	else
		return fail(json, tacho__detail("\"%.40s\" is no value", word));
	json->text = word;
	json->text_size = end - json->at;
	json->at = end;
	return 0;
}

static int open_nested(struct tacho__foreign_json *json, bool is_object)
{
	if (json->depth == TACHO__FOREIGN_JSON_DEPTH_MAX)
		return fail(json, tacho__detail("more than %d values inside each other",
						TACHO__FOREIGN_JSON_DEPTH_MAX));
	json->is_object[json->depth++] = is_object;
	json->is_after = json->is_member = false;
	json->at++;
	return 0;
}

static int take_value(struct tacho__foreign_json *json, char c,
		      enum tacho__foreign_json_piece *out_piece)
{
	if (c == '{' || c == '[') {
		*out_piece = c == '{' ? TACHO__FOREIGN_JSON_OBJECT : TACHO__FOREIGN_JSON_ARRAY;
		return open_nested(json, c == '{');
	}
	json->is_after = true;
	json->is_member = false;
	if (c == '"') {
		*out_piece = TACHO__FOREIGN_JSON_STRING;
		return take_string(json);
	}
	return take_word(json, out_piece);
}

/* Between the values of an object or array: a comma, or its end, which *out_is_end says. */
static int take_comma(struct tacho__foreign_json *json, char *c, bool *out_is_end)
{
	bool is_object = json->is_object[json->depth - 1];
	int rc = 0;

	if (json->is_after && *c == ',') {
		json->is_after = false;
		json->at++;
		rc = find_next(json, c);
	}
	*out_is_end = !rc && (*c == '}' || *c == ']');
	if (rc || (*out_is_end ? is_object == (*c == '}') : !json->is_after || !*c))
		return rc;
	if (*out_is_end)
		return fail(json, tacho__detail("\"%c\" closes what it did not open", *c));
	return fail(json, tacho__detail("\"%c\" where a comma or an end must be", *c));
}

static void close_nested(struct tacho__foreign_json *json,
			 enum tacho__foreign_json_piece *out_piece)
{
	*out_piece = json->is_object[--json->depth] ? TACHO__FOREIGN_JSON_OBJECT_END
						    : TACHO__FOREIGN_JSON_ARRAY_END;
	json->is_after = true;
	json->at++;
}

static int take_key(struct tacho__foreign_json *json, char c,
		    enum tacho__foreign_json_piece *out_piece)
{
	if (c != '"')
		return fail(json, tacho__detail("\"%c\" where the name of a member begins", c));
	*out_piece = TACHO__FOREIGN_JSON_KEY;
	json->is_member = true;
	return take_string(json);
}

/* Behind a key. */
static int take_member(struct tacho__foreign_json *json, enum tacho__foreign_json_piece *out_piece)
{
	char c;
	int rc = find_next(json, &c);

	if (!rc && c && c != ':')
		return fail(json, "no colon behind the name of a member");
	if (!rc && c) {
		json->at++;
		rc = find_next(json, &c);
	}
	if (rc)
		return rc;
	return c ? take_value(json, c, out_piece) : fail_cut(json);
}

int tacho__foreign_json_next(struct tacho__foreign_json *json,
			     enum tacho__foreign_json_piece *out_piece)
{
	bool is_end = false;
	char c;
	int rc;

	if (json->held)
		json->buffer[json->held_at] = json->held;
	json->held = '\0';
	if (json->is_member)
		return take_member(json, out_piece);
	rc = find_next(json, &c);
	if (!rc && json->depth)
		rc = take_comma(json, &c, &is_end);
	if (rc)
		return rc;
	if (!c) {
		*out_piece = TACHO__FOREIGN_JSON_END;
		return json->depth ? fail_cut(json) : 0;
	}
	if (is_end) {
		close_nested(json, out_piece);
		return 0;
	}
	if (json->depth && json->is_object[json->depth - 1])
		return take_key(json, c, out_piece);
	return take_value(json, c, out_piece);
}

/* ---- what nobody needs ---- */

static bool is_structure(char c)
{
	static const bool is[256] = {
		[0] = true, ['"'] = true, ['['] = true, [']'] = true, ['{'] = true, ['}'] = true};

	return is[(unsigned char)c];
}

/* Steps behind the end of what is open. */
static int skip_nested(struct tacho__foreign_json *json)
{
	uint64_t depth = 1;
	size_t at = json->at;
	int rc = 0;

	while (depth && !rc) {
		while (!is_structure(json->buffer[at]))
			at++;
		json->at = at;
		if (at == json->size) {
			rc = json->is_end ? fail_cut(json) : read_more(json, &at);
			continue;
		}
		if (json->buffer[at++] == '"') {
			rc = find_quote(json, &at, false);
			at++;
		} else if (json->buffer[at - 1]) {
			depth +=
				json->buffer[at - 1] == '{' || json->buffer[at - 1] == '[' ? 1 : -1;
		}
		json->at = at;
	}
	return rc;
}

int tacho__foreign_json_skip(struct tacho__foreign_json *json, enum tacho__foreign_json_piece last)
{
	int rc = 0;

	if (last == TACHO__FOREIGN_JSON_KEY)
		rc = tacho__foreign_json_next(json, &last);
	if (rc || (last != TACHO__FOREIGN_JSON_OBJECT && last != TACHO__FOREIGN_JSON_ARRAY))
		return rc;
	rc = skip_nested(json);
	if (rc)
		return rc;
	json->depth--;
	json->is_after = true;
	return 0;
}
