/* SPDX-License-Identifier: MIT */
/*
 * strtod() wants the decimal point of the program's locale, so it gets the digits as one whole
 * number and the point as an exponent: 12.5e3 becomes 125e2.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/text.h"

enum {
	/* What lies halfway between two doubles has 767 digits at most; of more only counts whether
	 * one is not 0. */
	DIGITS_KEPT = 770,
	EXPONENT_MAX = 100000000, /* far beyond any double */
};

struct decimal {
	char text[DIGITS_KEPT + 32];
	size_t kept;
	long exponent;	/* of the last digit that was kept */
	bool is_cut;	/* digits other than 0 were not kept */
	bool has_digit; /* one of any kind */
};

static void add_digit(struct decimal *decimal, char digit, bool is_fraction)
{
	decimal->has_digit = true;
	if (!decimal->kept && digit == '0') {
		decimal->exponent -= is_fraction;
	} else if (decimal->kept < DIGITS_KEPT) {
		decimal->text[decimal->kept++] = digit;
		decimal->exponent -= is_fraction;
	} else {
		decimal->is_cut |= digit != '0';
		decimal->exponent += !is_fraction;
	}
}

/* "e-12" at `at`, to the end. */
static bool add_exponent(struct decimal *decimal, const char *at, const char *end)
{
	bool is_negative = at < end && *at == '-';
	long exponent = 0;

	at += at < end && (*at == '-' || *at == '+');
	if (at == end)
		return false;
	for (; at < end; at++) {
		if (!tacho__is_digit(*at))
			return false;
		if (exponent < EXPONENT_MAX)
			exponent = exponent * 10 + (*at - '0');
	}
	decimal->exponent += is_negative ? -exponent : exponent;
	return true;
}

int tacho__number_parse(const char *text, size_t size, double *out_value)
{
	const char *at = text, *end = text + size;
	bool is_negative = at < end && *at == '-', is_fraction = false;
	struct decimal decimal = {.kept = 0};
	double value;

	at += at < end && (*at == '-' || *at == '+');
	for (; at < end && (tacho__is_digit(*at) || (*at == '.' && !is_fraction)); at++) {
		if (*at == '.')
			is_fraction = true;
		else
			add_digit(&decimal, *at, is_fraction);
	}
	if (!decimal.has_digit)
		return -1;
	if (at < end && ((*at != 'e' && *at != 'E') || !add_exponent(&decimal, at + 1, end)))
		return -1;
	if (!decimal.kept)
		decimal.text[decimal.kept++] = '0';
	if (decimal.is_cut) {
		decimal.text[decimal.kept++] = '1';
		decimal.exponent--;
	}
	snprintf(decimal.text + decimal.kept, sizeof(decimal.text) - decimal.kept, "e%ld",
		 decimal.exponent);
	value = strtod(decimal.text, NULL);
	*out_value = is_negative ? -value : value;
	return 0;
}
