/* SPDX-License-Identifier: MIT */
#include "format/import/span.h"

#include <string.h>

#include "base/number.h"

enum { NUMBER_BYTES_MAX = 512 }; /* longer ones are not written with a comma */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

struct tacho__span tacho__span_of(const char *string)
{
	return (struct tacho__span){string, string + strlen(string)};
}

size_t tacho__span_size(struct tacho__span span)
{
	return (size_t)(span.end - span.at);
}

bool tacho__span_is(struct tacho__span span, const char *string)
{
	size_t size = strlen(string);

	return span.at && tacho__span_size(span) == size && !memcmp(span.at, string, size);
}

bool tacho__span_equals(struct tacho__span one, struct tacho__span other)
{
	size_t size = tacho__span_size(one);

	return tacho__span_size(other) == size && (!size || !memcmp(one.at, other.at, size));
}

bool tacho__span_starts(struct tacho__span span, const char *string)
{
	size_t size = strlen(string);

	return span.at && tacho__span_size(span) >= size && !memcmp(span.at, string, size);
}

bool tacho__span_ends(struct tacho__span span, const char *string)
{
	size_t size = strlen(string);

	return span.at && tacho__span_size(span) >= size && !memcmp(span.end - size, string, size);
}

struct tacho__span tacho__span_trim(struct tacho__span span)
{
	while (span.at < span.end && is_blank(*span.at))
		span.at++;
	while (span.at < span.end && is_blank(span.end[-1]))
		span.end--;
	return span;
}

const char *tacho__span_find(struct tacho__span span, const char *string)
{
	return span.at ? memmem(span.at, tacho__span_size(span), string, strlen(string)) : NULL;
}

bool tacho__span_take_line(struct tacho__span *text, struct tacho__span *out_line)
{
	struct tacho__span line = *text;
	const char *end;

	if (text->at >= text->end)
		return false;
	end = memchr(text->at, '\n', tacho__span_size(*text));
	line.end = end ? end : text->end;
	text->at = end ? end + 1 : text->end;
	if (line.at < line.end && line.end[-1] == '\r')
		line.end--;
	*out_line = line;
	return true;
}

bool tacho__span_take_word(struct tacho__span *text, struct tacho__span *out_word)
{
	struct tacho__span word;

	while (text->at < text->end && is_blank(*text->at))
		text->at++;
	if (text->at >= text->end)
		return false;
	word.at = text->at;
	while (text->at < text->end && !is_blank(*text->at))
		text->at++;
	word.end = text->at;
	*out_word = word;
	return true;
}

bool tacho__span_take_last_word(struct tacho__span *text, struct tacho__span *out_word)
{
	struct tacho__span word;

	*text = tacho__span_trim(*text);
	if (text->at >= text->end)
		return false;
	word.end = text->end;
	while (text->at < text->end && !is_blank(text->end[-1]))
		text->end--;
	word.at = text->end;
	*out_word = word;
	return true;
}

struct tacho__span tacho__span_take_digits(struct tacho__span *text)
{
	struct tacho__span digits = {text->end, text->end};

	while (digits.at > text->at && is_digit(digits.at[-1]))
		digits.at--;
	text->end = digits.at;
	return digits;
}

bool tacho__span_to_u64(struct tacho__span span, uint64_t *out_value)
{
	uint64_t value = 0;

	if (span.at >= span.end)
		return false;
	for (; span.at < span.end; span.at++)
		if (!is_digit(*span.at) || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*span.at - '0'), &value))
			return false;
	*out_value = value;
	return true;
}

bool tacho__span_to_i64(struct tacho__span span, int64_t *out_value)
{
	bool is_negative = span.at < span.end && *span.at == '-';
	uint64_t value;

	span.at += is_negative;
	if (!tacho__span_to_u64(span, &value) || value > INT64_MAX)
		return false;
	*out_value = is_negative ? -(int64_t)value : (int64_t)value;
	return true;
}

bool tacho__span_to_u32(struct tacho__span span, uint32_t *out_value)
{
	uint64_t value;

	if (!tacho__span_to_u64(span, &value) || value > UINT32_MAX)
		return false;
	*out_value = (uint32_t)value;
	return true;
}

static const char *find_any(struct tacho__span span, const char *characters)
{
	while (span.at < span.end && (!*span.at || !strchr(characters, *span.at)))
		span.at++;
	return span.at < span.end ? span.at : NULL;
}

bool tacho__span_to_f64(struct tacho__span span, const char *decimal, double *out_value)
{
	const char *comma = find_any(span, decimal);
	char copy[NUMBER_BYTES_MAX];
	size_t size = tacho__span_size(span);
	double value;

	if (comma && *comma == ',') {
		if (size > sizeof(copy))
			return false;
		memcpy(copy, span.at, size);
		copy[comma - span.at] = '.';
		span.at = copy;
	}
	if (!size || tacho__number_parse(span.at, size, &value))
		return false;
	if (!(value - value == 0)) /* no double is that large */
		return false;
	*out_value = value;
	return true;
}

static int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool tacho__span_to_handle(struct tacho__span span, uint64_t *out_value)
{
	uint64_t value = 0;

	if (tacho__span_is(span, "NULL")) {
		*out_value = 0;
		return true;
	}
	if (!tacho__span_starts(span, "0x") && !tacho__span_starts(span, "0X"))
		return false;
	span.at += 2;
	if (span.at >= span.end || tacho__span_size(span) > 16)
		return false;
	for (; span.at < span.end; span.at++) {
		int digit = hex_digit(*span.at);

		if (digit < 0)
			return false;
		value = value << 4 | (unsigned)digit;
	}
	*out_value = value;
	return true;
}

bool tacho__span_to_ms(struct tacho__span span, const char *decimal, uint64_t *out_ns)
{
	uint64_t ns = 0, unit = 100000; /* of the first decimal, in ns */
	struct tacho__span whole = span;
	const char *point;

	if (span.at >= span.end)
		return false;
	point = find_any(span, decimal);
	whole.end = point ? point : span.end;
	if (!tacho__span_to_u64(whole, &ns) || __builtin_mul_overflow(ns, 1000000, &ns))
		return false;
	for (const char *c = point ? point + 1 : span.end; c < span.end; c++, unit /= 10) {
		if (!is_digit(*c))
			return false;
		if (__builtin_add_overflow(ns, unit * (uint64_t)(*c - '0'), &ns))
			return false;
		if (!unit && c == point + 7 && *c >= '5' && ns < UINT64_MAX)
			ns++;
	}
	*out_ns = ns;
	return true;
}

static bool is_between(char c)
{
	return is_blank(c) || c == ',' || c == ';';
}

bool tacho__span_to_sizes(struct tacho__span span, uint64_t out_sizes[3], uint32_t *out_count)
{
	uint64_t sizes[3] = {1, 1, 1};
	uint32_t count = 0;

	if (tacho__span_size(span) < 3 ||
	    !((*span.at == '{' && span.end[-1] == '}') || (*span.at == '[' && span.end[-1] == ']')))
		return false;
	span.at++;
	span.end--;
	for (;;) {
		struct tacho__span number;

		while (span.at < span.end && is_between(*span.at))
			span.at++;
		if (span.at >= span.end)
			break;
		number.at = span.at;
		while (span.at < span.end && !is_between(*span.at))
			span.at++;
		number.end = span.at;
		if (count == 3 || !tacho__span_to_u64(number, &sizes[count++]))
			return false;
	}
	if (!count)
		return false;
	memcpy(out_sizes, sizes, sizeof(sizes));
	*out_count = count;
	return true;
}
