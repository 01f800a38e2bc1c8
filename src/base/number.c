/* SPDX-License-Identifier: MIT */
#include "base/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 wide;

enum {
	DIGITS_MIN = 15,       /* are often enough */
	DIGITS_MAX = 17,       /* always are */
	DIGITS_WHOLE_MAX = 20, /* of 64 bits */
	FRACTION_BITS = 52,
};

static const uint64_t tens[] = {
	1,
	10,
	100,
	1000,
	10000,
	100000,
	1000000,
	10000000,
	100000000,
	1000000000,
	10000000000,
	100000000000,
	1000000000000,
	10000000000000,
	100000000000000,
	1000000000000000,
	10000000000000000,
	100000000000000000,
	1000000000000000000,
	10000000000000000000u,
};

/* "00" to "99". */
static const char pairs[] = "00010203040506070809101112131415161718192021222324"
			    "25262728293031323334353637383940414243444546474849"
			    "50515253545556575859606162636465666768697071727374"
			    "75767778798081828384858687888990919293949596979899";

static unsigned count_digits(uint64_t value)
{
	/* bits times log10(2), at most one too few */
	unsigned digits = (64 - (unsigned)__builtin_clzll(value | 1)) * 1233 >> 12;

	return digits + (digits < DIGITS_WHOLE_MAX && value >= tens[digits]) + !value;
}

static void put_pair(uint32_t value, char *out_text)
{
	memcpy(out_text, pairs + (size_t)(2 * value), 2);
}

/* Divided from the middle, so that the divisions need not wait for each other. */
static void put_eight(uint32_t value, char *out_text)
{
	uint32_t high = value / 10000, low = value % 10000;

	put_pair(high / 100, out_text);
	put_pair(high % 100, out_text + 2);
	put_pair(low / 100, out_text + 4);
	put_pair(low % 100, out_text + 6);
}

/* The lowest `count` digits, with zeros in front. */
static void put_digits(uint64_t value, unsigned count, char *out_text)
{
	uint32_t rest;

	for (; count >= 8; count -= 8) {
		put_eight((uint32_t)(value % 100000000), out_text + count - 8);
		value /= 100000000;
	}
	rest = (uint32_t)value;
	for (; count >= 2; count -= 2) {
		put_pair(rest % 100, out_text + count - 2);
		rest /= 100;
	}
	if (count)
		*out_text = (char)('0' + rest % 10);
}

size_t tacho__number_format_whole(uint64_t value, char out_text[TACHO__NUMBER_MAX])
{
	unsigned size = count_digits(value);

	put_digits(value, size, out_text);
	out_text[size] = '\0';
	return size;
}

/* digits / 10^places, whose whole part is `whole`, or one more when it was rounded up. */
static size_t put_places(uint64_t digits, unsigned places, uint64_t whole, char *out_text)
{
	uint64_t part = digits - whole * tens[places];
	size_t size;

	if (part >= tens[places]) {
		part -= tens[places];
		whole++;
	}
	size = tacho__number_format_whole(whole, out_text);
	if (!part)
		return size;
	out_text[size] = '.';
	put_digits(part, places, out_text + size + 1);
	size += 1 + places;
	while (out_text[size - 1] == '0')
		size--;
	out_text[size] = '\0';
	return size;
}

/* A number as digits: exact / 2^shift, where `one` is what is from one number to the next. */
struct decimal {
	wide exact, one;
	unsigned shift;
	int is_power; /* of two: the number below is half as far */
};

/* The nearest multiple of `step`, halves to even. */
static inline __attribute__((always_inline)) uint64_t round_to(const struct decimal *decimal,
							       uint64_t step)
{
	uint64_t floor = (uint64_t)(decimal->exact >> decimal->shift);
	uint64_t rest = floor % step, low = floor - rest;
	wide over = decimal->exact - ((wide)low << decimal->shift);
	wide half = (wide)step << (decimal->shift - 1);

	return low + (over > half || (over == half && (low / step & 1)) ? step : 0);
}

/* Whether these digits are nearer to this number than to the next one. */
static int reads_back(const struct decimal *decimal, uint64_t digits)
{
	wide near = (wide)digits << decimal->shift;

	if (near >= decimal->exact)
		return 2 * (near - decimal->exact) < decimal->one;
	return (decimal->is_power ? 4 : 2) * (decimal->exact - near) < decimal->one;
}

/*
 * Numbers of 10^-2 to 10^15 with exact whole-number arithmetic. Returns 0 when it is not one of
 * these.
 */
static size_t format_quickly(double value, char *out_text)
{
	uint64_t bits, fraction, whole, digits;
	struct decimal decimal;
	unsigned places;

	if (!(value >= 0.01 && value < 1e15))
		return 0;
	whole = (uint64_t)value;
	if (value == (double)whole)
		return tacho__number_format_whole(whole, out_text);
	memcpy(&bits, &value, sizeof(bits));
	fraction = (bits & ((UINT64_C(1) << FRACTION_BITS) - 1)) | UINT64_C(1) << FRACTION_BITS;
	/* of 17 digits; a zero directly behind the point is none of them */
	places = DIGITS_MAX - (whole ? count_digits(whole) : 0) + (value < 0.1);
	decimal = (struct decimal){
		.exact = (wide)fraction * tens[places],
		.one = tens[places],
		.shift = 1023 + FRACTION_BITS - (unsigned)(bits >> FRACTION_BITS),
		.is_power = fraction == UINT64_C(1) << FRACTION_BITS,
	};
	digits = round_to(&decimal, 100);
	if (!reads_back(&decimal, digits))
		digits = round_to(&decimal, 10);
	if (!reads_back(&decimal, digits))
		digits = round_to(&decimal, 1);
	return put_places(digits, places, whole, out_text);
}

size_t tacho__number_format(double value, char out_text[TACHO__NUMBER_MAX])
{
	size_t size = format_quickly(value, out_text);

	if (size)
		return size;
	for (int digits = DIGITS_MIN; digits <= DIGITS_MAX; digits++) {
		snprintf(out_text, TACHO__NUMBER_MAX, "%.*g", digits, value);
		if (strtod(out_text, NULL) == value)
			break;
	}
	for (char *c = out_text; *c; c++)
		if (*c == ',')
			*c = '.';
	return strlen(out_text);
}
