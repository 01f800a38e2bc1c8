/* SPDX-License-Identifier: MIT */
/* The JSON reader: recursive descent with a depth limit. */
#include "base/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/number.h"

enum { DEPTH_MAX = 64 };

struct parser {
	struct tacho__arena *arena;
	const char *text, *at, *end;
	unsigned depth;
};

static int parse_value(struct parser *p, struct tacho__json **out_json);

static int fail(const struct parser *p, const char *what)
{
	unsigned line = 1, column = 1;

	for (const char *c = p->text; c < p->at; c++) {
		column = *c == '\n' ? 1 : column + 1;
		line += *c == '\n';
	}
	return tacho__fail(TACHO_E_PARSE, what, "", "malformed JSON at line %u, column %u", line,
			   column);
}

static void skip_space(struct parser *p)
{
	while (p->at < p->end && strchr(" \t\r\n", *p->at) && *p->at)
		p->at++;
}

static bool take(struct parser *p, char c)
{
	if (p->at >= p->end || *p->at != c)
		return false;
	p->at++;
	return true;
}

static int parse_hex(struct parser *p, unsigned *out_code)
{
	unsigned code = 0;

	*out_code = 0;
	if (p->end - p->at < 4)
		return fail(p, "a \\u escape is cut short");
	for (int i = 0; i < 4; i++) {
		unsigned digit = tacho__hex_digit(*p->at++);

		if (digit == 16)
			return fail(p, "a \\u escape has a character that is no hex digit");
		code = code << 4 | digit;
	}
	*out_code = code;
	return 0;
}

static char *put_utf8(char *to, unsigned code)
{
	if (code < 0x80) {
		*to++ = (char)code;
	} else if (code < 0x800) {
		*to++ = (char)(0xc0 | code >> 6);
		*to++ = (char)(0x80 | (code & 63));
	} else if (code < 0x10000) {
		*to++ = (char)(0xe0 | code >> 12);
		*to++ = (char)(0x80 | (code >> 6 & 63));
		*to++ = (char)(0x80 | (code & 63));
	} else {
		*to++ = (char)(0xf0 | code >> 18);
		*to++ = (char)(0x80 | (code >> 12 & 63));
		*to++ = (char)(0x80 | (code >> 6 & 63));
		*to++ = (char)(0x80 | (code & 63));
	}
	return to;
}

/* The other half of a pair, where one follows; *code stays where it is none. */
static int parse_low_half(struct parser *p, unsigned *code)
{
	const char *before = p->at;
	unsigned low;
	int rc;

	if (p->end - p->at < 6 || p->at[0] != '\\' || p->at[1] != 'u')
		return 0;
	p->at += 2;
	rc = parse_hex(p, &low);
	if (low >= 0xdc00 && low < 0xe000)
		*code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
	else if (!rc)
		p->at = before;
	return rc;
}

static int parse_escape(struct parser *p, char **to)
{
	static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
	const char *found;
	unsigned code;
	int rc;

	if (p->at >= p->end)
		return fail(p, "a string does not end");
	if (*p->at != 'u') {
		found = *p->at ? strchr(from, *p->at) : NULL;
		if (!found)
			return fail(p, "an unknown escape");
		p->at++;
		*(*to)++ = into[found - from];
		return 0;
	}
	p->at++;
	rc = parse_hex(p, &code);
	if (!rc && code >= 0xd800 && code < 0xdc00)
		rc = parse_low_half(p, &code);
	if (!code || (code >= 0xd800 && code < 0xe000))
		code = 0xfffd;
	*to = put_utf8(*to, code);
	return rc;
}

/* The decoded text is never longer than its source. */
static int parse_string(struct parser *p, const char **out_string)
{
	const char *close = p->at + 1;
	char *string, *to;

	while (close < p->end && *close != '"')
		close += *close == '\\' ? 2 : 1;
	if (close >= p->end)
		return fail(p, "a string does not end");
	string = to = tacho__arena_get(p->arena, (size_t)(close - p->at) + 4);
	if (!string)
		return TACHO_E_NOMEM;
	p->at++;
	while (p->at < close) {
		if (*p->at == '\\') {
			int rc;

			p->at++;
			rc = parse_escape(p, &to);
			if (rc)
				return rc;
		} else if ((unsigned char)*p->at < 0x20) {
			return fail(p, "a control character in a string");
		} else {
			*to++ = *p->at++;
		}
	}
	p->at = close + 1;
	*to = '\0';
	*out_string = string;
	return 0;
}

static int parse_number(struct parser *p, struct tacho__json *json)
{
	char text[64];
	size_t length = 0;

	while (p->at < p->end && length < sizeof(text) - 1 && *p->at &&
	       strchr("+-0123456789.eE", *p->at))
		text[length++] = *p->at++;
	text[length] = '\0';
	json->type = TACHO__JSON_NUMBER;
	if (tacho__number_parse(text, length, &json->number))
		return fail(p, "neither a value nor a number");
	if (!strpbrk(text, ".eE"))
		json->integer = strtoll(text, NULL, 10);
	if (!strpbrk(text, "+-.eE")) {
		errno = 0;
		json->whole = strtoull(text, NULL, 10);
		json->is_whole = errno == 0;
	}
	return 0;
}

static int parse_members(struct parser *p, struct tacho__json *json, char closing)
{
	struct tacho__json **next = &json->first;
	int rc;

	p->at++;
	skip_space(p);
	if (take(p, closing))
		return 0;
	do {
		const char *key = NULL;

		skip_space(p);
		if (closing == '}') {
			if (p->at >= p->end || *p->at != '"')
				return fail(p, "a member has no name");
			rc = parse_string(p, &key);
			if (rc)
				return rc;
			skip_space(p);
			if (!take(p, ':'))
				return fail(p, "a member has no value");
		}
		rc = parse_value(p, next);
		if (rc)
			return rc;
		(*next)->key = key;
		next = &(*next)->next;
		skip_space(p);
	} while (take(p, ','));
	return take(p, closing) ? 0 : fail(p, "a bracket is not closed");
}

static bool take_word(struct parser *p, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(p->end - p->at) < length || memcmp(p->at, word, length))
		return false;
	p->at += length;
	return true;
}

static int parse_value(struct parser *p, struct tacho__json **out_json)
{
	struct tacho__json *json = tacho__arena_get(p->arena, sizeof(*json));
	int rc = 0;

	if (!json)
		return TACHO_E_NOMEM;
	skip_space(p);
	if (p->at >= p->end)
		return fail(p, "the text ends where a value should be");
	if (*p->at == '{' || *p->at == '[') {
		bool array = *p->at == '[';

		if (++p->depth > DEPTH_MAX)
			return fail(p, "nested too deep");
		json->type = array ? TACHO__JSON_ARRAY : TACHO__JSON_OBJECT;
		rc = parse_members(p, json, array ? ']' : '}');
		p->depth--;
	} else if (*p->at == '"') {
		json->type = TACHO__JSON_STRING;
		rc = parse_string(p, &json->string);
	} else if (take_word(p, "true") || take_word(p, "false")) {
		json->type = TACHO__JSON_BOOL;
		json->boolean = p->at[-2] == 'u';
	} else if (!take_word(p, "null")) {
		rc = parse_number(p, json);
	}
	if (!rc)
		*out_json = json;
	return rc;
}

int tacho__json_parse(struct tacho__arena *arena, const char *text, size_t size,
		      struct tacho__json **out_json)
{
	struct parser p = {.arena = arena, .text = text, .at = text, .end = text + size};
	struct tacho__json *json;
	int rc = parse_value(&p, &json);

	if (rc)
		return rc;
	skip_space(&p);
	if (p.at != p.end)
		return fail(&p, "text after the end");
	*out_json = json;
	return 0;
}

const struct tacho__json *tacho__json_get(const struct tacho__json *json, const char *key)
{
	if (!json || json->type != TACHO__JSON_OBJECT)
		return NULL;
	for (const struct tacho__json *member = json->first; member; member = member->next)
		if (!strcmp(member->key, key))
			return member;
	return NULL;
}

const char *tacho__json_string(const struct tacho__json *json, const char *key,
			       const char *otherwise)
{
	const struct tacho__json *member = tacho__json_get(json, key);

	return member && member->type == TACHO__JSON_STRING ? member->string : otherwise;
}

int64_t tacho__json_integer(const struct tacho__json *json, const char *key, int64_t otherwise)
{
	const struct tacho__json *member = tacho__json_get(json, key);

	return member && member->type == TACHO__JSON_NUMBER ? member->integer : otherwise;
}

int tacho__json_word(const struct tacho__json *json, const char *key, const char *const *words,
		     size_t count)
{
	const char *word = tacho__json_string(json, key, "");

	for (size_t i = 0; i < count; i++)
		if (strcmp(words[i], word) == 0)
			return (int)i;
	return -1;
}

const struct tacho__json *tacho__json_items(const struct tacho__json *json, const char *key,
					    size_t *out_count)
{
	const struct tacho__json *array = tacho__json_get(json, key);
	const struct tacho__json *first =
		array && array->type == TACHO__JSON_ARRAY ? array->first : NULL;

	*out_count = 0;
	for (const struct tacho__json *item = first; item; item = item->next)
		++*out_count;
	return first;
}
