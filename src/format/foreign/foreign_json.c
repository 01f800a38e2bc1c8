/* SPDX-License-Identifier: MIT */
/* Texts are ended and unescaped where they lie in the buffer, which holds one whole piece. */
#include "format/foreign/foreign_json.h"

#include <endian.h>
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

static int reserve(struct tacho__foreign_json *json, size_t capacity)
{
	char *buffer;

	if (capacity <= json->capacity)
		return 0;
	buffer = realloc(json->buffer, capacity);
	if (!buffer)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a piece of JSON");
	if (!json->buffer)
		memset(buffer, 0, ZEROS);
	json->buffer = buffer;
	json->capacity = capacity;
	return 0;
}

int tacho__foreign_json_open(struct tacho__foreign_json *json, const char *path)
{
	int rc;

	*json = (struct tacho__foreign_json){.text = ""};
	json->path = strdup(path);
	rc = json->path ? tacho__foreign_bytes_open(path, &json->bytes)
			: tacho__fail(TACHO_E_NOMEM, "", "", "no memory to open %s", path);
	if (!rc)
		rc = reserve(json, 2 * CHUNK + ZEROS);
	if (rc)
		tacho__foreign_json_close(json);
	return rc;
}

uint64_t tacho__foreign_json_offset(const struct tacho__foreign_json *json)
{
	return json->offset + json->at;
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

#define ONES UINT64_C(0x0101010101010101)

/* Eight bytes, the first of them the lowest. */
static uint64_t load(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return le64toh(word);
}

/* Behind a line end most often stand some spaces. */
static inline const char *skip_blanks(const char *at)
{
	while ((unsigned char)*at <= ' ' && tacho__is_blank(*at)) {
		uint64_t others = load(++at) ^ ONES * ' ';

		at += others ? __builtin_ctzll(others) / 8 : 8;
	}
	return at;
}

/* At a zero, which is behind the buffer or in the file. */
static int find_behind(struct tacho__foreign_json *json, char *out_c)
{
	int rc;

	while (json->at == json->size && !json->is_end) {
		rc = read_more(json, &json->at);
		if (rc)
			return rc;
		json->at = (size_t)(skip_blanks(json->buffer + json->at) - json->buffer);
	}
	*out_c = json->buffer[json->at];
	return *out_c || json->at == json->size ? 0 : fail(json, "a zero byte");
}

/* Steps over blanks; *out_c is what comes then, 0 at the end. */
static inline int find_next(struct tacho__foreign_json *json, char *out_c)
{
	const char *at = skip_blanks(json->buffer + json->at);

	json->at = (size_t)(at - json->buffer);
	*out_c = *at;
	return *at ? 0 : find_behind(json, out_c);
}

/* ---- texts ---- */

/* Bytes that are zero have their highest bit set; of the bytes behind the first such, any may. */
static uint64_t zeros_in(uint64_t word)
{
	return (word - ONES) & ~word;
}

/* Steps over what needs no look: neither quote nor backslash, neither zero nor beyond ASCII. */
static const char *skip_plain(const char *at)
{
	uint64_t word, special;

	for (;; at += sizeof(word)) {
		word = load(at);
		special = (zeros_in(word ^ ONES * '"') | zeros_in(word ^ ONES * '\\') |
			   zeros_in(word) | word) &
			  ONES * 0x80;
		if (special)
			return at + __builtin_ctzll(special) / 8;
	}
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

/* What a byte of a word may be. */
enum { OF_NUMBER = 1, END_OF_WORD = 2 };

static const unsigned char sorts[256] = {
	[0] = END_OF_WORD,    [' '] = END_OF_WORD, ['\t'] = END_OF_WORD, ['\n'] = END_OF_WORD,
	['\r'] = END_OF_WORD, [','] = END_OF_WORD, [':'] = END_OF_WORD,	 ['"'] = END_OF_WORD,
	['['] = END_OF_WORD,  [']'] = END_OF_WORD, ['{'] = END_OF_WORD,	 ['}'] = END_OF_WORD,
	['0'] = OF_NUMBER,    ['1'] = OF_NUMBER,   ['2'] = OF_NUMBER,	 ['3'] = OF_NUMBER,
	['4'] = OF_NUMBER,    ['5'] = OF_NUMBER,   ['6'] = OF_NUMBER,	 ['7'] = OF_NUMBER,
	['8'] = OF_NUMBER,    ['9'] = OF_NUMBER,   ['+'] = OF_NUMBER,	 ['-'] = OF_NUMBER,
	['.'] = OF_NUMBER,    ['e'] = OF_NUMBER,   ['E'] = OF_NUMBER,
};

static unsigned char sort_of(char c)
{
	return sorts[(unsigned char)c];
}

/* The word from `at` on, and behind it; whether it looks like a number. */
static const char *skip_word(const char *at, bool *out_is_number)
{
	bool begins = tacho__is_digit(at[*at == '-']);

	while (sort_of(*at) & OF_NUMBER)
		at++;
	*out_is_number = begins && sort_of(*at) & END_OF_WORD;
	while (!(sort_of(*at) & END_OF_WORD))
		at++;
	return at;
}

static bool is_odd_number(const char *text)
{
	static const char *const words[] = {"NaN", "nan", "Infinity", "inf"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(text + (*text == '-'), words[i]))
			return true;
	return false;
}

static int take_word(struct tacho__foreign_json *json, enum tacho__foreign_json_piece *out_piece)
{
	bool is_number;
	size_t end;
	char *word;
	int rc;

	for (;;) {
		word = json->buffer + json->at;
		end = (size_t)(skip_word(word, &is_number) - json->buffer);
		if (end < json->size || json->is_end)
			break;
		rc = read_more(json, &end);
		if (rc)
			return rc;
	}
	if (end == json->size && json->depth)
		return fail_cut(json);
	json->held = json->buffer[end];
	json->held_at = end;
	json->buffer[end] = '\0';
	if (is_number || is_odd_number(word))
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

/* Behind a key: *out_c is what its value begins with. */
static int find_colon(struct tacho__foreign_json *json, char *out_c)
{
	int rc = find_next(json, out_c);

	if (!rc && *out_c && *out_c != ':')
		return fail(json, "no colon behind the name of a member");
	if (!rc && *out_c) {
		json->at++;
		rc = find_next(json, out_c);
	}
	return rc || *out_c ? rc : fail_cut(json);
}

static int take_member(struct tacho__foreign_json *json, enum tacho__foreign_json_piece *out_piece)
{
	char c;
	int rc = find_colon(json, &c);

	return rc ? rc : take_value(json, c, out_piece);
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

static int skip_string(struct tacho__foreign_json *json)
{
	size_t at = json->at + 1;
	int rc = find_quote(json, &at, false);

	json->at = at + 1;
	return rc;
}

/* Numbers and words are not looked at. */
static int skip_bare(struct tacho__foreign_json *json)
{
	bool is_number;
	int rc = 0;

	for (;;) {
		const char *at = json->buffer + json->at;

		json->at += (size_t)(skip_word(at, &is_number) - at);
		if (json->at < json->size)
			return 0;
		rc = json->is_end ? fail_cut(json) : read_more(json, &json->at);
		if (rc)
			return rc;
	}
}

static int skip_value(struct tacho__foreign_json *json)
{
	char c;
	int rc = find_colon(json, &c);

	json->is_member = false;
	json->is_after = true;
	if (rc)
		return rc;
	if (c == '"')
		return skip_string(json);
	if (c != '{' && c != '[')
		return skip_bare(json);
	json->at++;
	return skip_nested(json);
}

int tacho__foreign_json_skip(struct tacho__foreign_json *json, enum tacho__foreign_json_piece last)
{
	int rc;

	if (last == TACHO__FOREIGN_JSON_KEY)
		return skip_value(json);
	if (last != TACHO__FOREIGN_JSON_OBJECT && last != TACHO__FOREIGN_JSON_ARRAY)
		return 0;
	rc = skip_nested(json);
	if (rc)
		return rc;
	json->depth--;
	json->is_after = true;
	return 0;
}
