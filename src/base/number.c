/* SPDX-License-Identifier: MIT */
#include "base/number.h"

#include <endian.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 wide;

enum {
	DIGITS_MIN = 15,       /* are often enough */
	DIGITS_MAX = 17,       /* always are */
	DIGITS_WHOLE_MAX = 20, /* of 64 bits */
	DIGITS_WORD = 8,       /* that are made at once */
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

static unsigned count_digits(uint64_t value)
{
	/* bits times log10(2), at most one too few */
	unsigned digits = (64 - (unsigned)__builtin_clzll(value | 1)) * 1233 >> 12;

	return digits + (digits < DIGITS_WHOLE_MAX && value >= tens[digits]) + !value;
}

/*
 * Eight decimal digits of a number below 10^8, one a byte, the first in the lowest byte: halved
 * three times, all parts of a step at once. The factors are rounded up from 2^20/100 and 2^10/10,
 * exact for such small parts.
 */
static uint64_t split(uint64_t value)
{
	uint64_t fours = value / 10000 | value % 10000 << 32;
	uint64_t hundreds = fours * 10486 >> 20 & UINT64_C(0x0000007f0000007f);
	uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
	uint64_t upper = twos * 103 >> 10 & UINT64_C(0x000f000f000f000f);

	return upper | (twos - 10 * upper) << 8;
}

/* The last `count` of eight digits, 1 to 8. Writes eight bytes. */
static void put_word(uint64_t digits, unsigned count, char *out_text)
{
	uint64_t text =
		htole64((digits | UINT64_C(0x3030303030303030)) >> 8 * (DIGITS_WORD - count));

	memcpy(out_text, &text, sizeof(text));
}

/* The lowest `count` digits, 1 to 16, with zeros in front. Writes up to 7 bytes more. */
static void put_digits(uint64_t value, unsigned count, char *out_text)
{
	if (count > DIGITS_WORD) {
		put_word(split(value / tens[DIGITS_WORD]), count - DIGITS_WORD, out_text);
		out_text += count - DIGITS_WORD;
		count = DIGITS_WORD;
		value %= tens[DIGITS_WORD];
	}
	put_word(split(value), count, out_text);
}

size_t tacho__number_format_whole(uint64_t value, char out_text[TACHO__NUMBER_MAX])
{
	unsigned size = count_digits(value), first = 0;

	if (size > 2 * DIGITS_WORD) {
		first = size - 2 * DIGITS_WORD;
		put_digits(value / tens[2 * DIGITS_WORD], first, out_text);
		value %= tens[2 * DIGITS_WORD];
	}
	put_digits(value, size - first, out_text + first);
	out_text[size] = '\0';
	return size;
}

size_t tacho__number_format_seconds(uint64_t ns, char out_text[TACHO__NUMBER_MAX])
{
	const uint64_t ns_per_s = 1000000000;

	return (size_t)snprintf(out_text, TACHO__NUMBER_MAX, "%llu.%09llu",
				(unsigned long long)(ns / ns_per_s),
				(unsigned long long)(ns % ns_per_s));
}

/* Up to 16 digits with zeros in front, and none at the end. Returns how many there are. */
static unsigned put_fraction(uint64_t value, unsigned places, char *out_text)
{
	uint64_t high = split(value / tens[DIGITS_WORD]), low = split(value % tens[DIGITS_WORD]);
	unsigned first = places > DIGITS_WORD ? places - DIGITS_WORD : 0;

	if (first)
		put_word(high, first, out_text);
	put_word(low, places - first, out_text + first);
	if (low)
		return places - (unsigned)__builtin_clzll(low) / 8;
	return high ? first - (unsigned)__builtin_clzll(high) / 8 : 0;
}

/* digits / 10^places, whose whole part is `whole`, or one more when it was rounded up. */
static size_t put_places(uint64_t digits, unsigned places, uint64_t whole, char *out_text)
{
	uint64_t part = digits - whole * tens[places];
	unsigned first = 0, count;
	size_t size;

	if (part >= tens[places]) {
		part -= tens[places];
		whole++;
	}
	size = tacho__number_format_whole(whole, out_text);
	if (!part)
		return size;
	out_text[size++] = '.';
	if (places > 2 * DIGITS_WORD) {
		first = places - 2 * DIGITS_WORD;
		put_digits(part / tens[2 * DIGITS_WORD], first, out_text + size);
		part %= tens[2 * DIGITS_WORD];
	}
	count = put_fraction(part, places - first, out_text + size + first);
	size += first + count;
	while (!count && out_text[size - 1] == '0')
		size--;
	out_text[size] = '\0';
	return size;
}

/* What lies above the lowest 1 to 63 bits, which must fit. */
static uint64_t shift_down(wide value, unsigned bits)
{
	return (uint64_t)value >> bits | (uint64_t)(value >> 64) << (64 - bits);
}

/*
 * floor, and a part of one when is_more, to the nearest multiple of `step`, halves to even. Here
 * and below nothing branches: which way it goes is as good as random.
 */
static inline __attribute__((always_inline)) uint64_t round_to(uint64_t floor, int is_more,
							       uint64_t step)
{
	uint64_t count = floor / step, rest = floor % step, half = step / 2;
	int is_up = (rest > half) | ((rest == half) & (is_more | (int)(count & 1)));

	return (count + (uint64_t)is_up) * step;
}

/*
 * The digits of exact / 2^shift that name it and no other number, where `one` is what is from one
 * number to the next; from a power of two the number below is half as far.
 */
static uint64_t find_shortest(wide exact, wide one, unsigned shift, int is_power)
{
	uint64_t floor = shift_down(exact, shift), half = UINT64_C(1) << (shift - 1);
	uint64_t rest = (uint64_t)exact & (2 * half - 1);
	/* Everything from first to last is read back as this number. */
	uint64_t last = shift_down(2 * exact + one - 1, shift + 1);
	uint64_t first = 1 + (is_power ? shift_down(4 * exact - one, shift + 2)
				       : shift_down(2 * exact - one, shift + 1));
	uint64_t best = floor + ((rest > half) | ((rest == half) & (floor & 1)));
	uint64_t by_ten = round_to(floor, rest != 0, 10);
	uint64_t by_hundred = round_to(floor, rest != 0, 100);

	best ^= (best ^ by_ten) & -(uint64_t)((by_ten >= first) & (by_ten <= last));
	best ^= (best ^ by_hundred) & -(uint64_t)((by_hundred >= first) & (by_hundred <= last));
	return best;
}

/*
 * Numbers of 10^-2 to 10^15 with exact whole-number arithmetic. Returns 0 when it is not one of
 * these.
 */
static size_t format_quickly(double value, char *out_text)
{
	uint64_t bits, fraction, whole, digits;
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
	digits = find_shortest((wide)fraction * tens[places], tens[places],
			       1023 + FRACTION_BITS - (unsigned)(bits >> FRACTION_BITS),
			       fraction == UINT64_C(1) << FRACTION_BITS);
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
