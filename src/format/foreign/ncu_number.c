/* SPDX-License-Identifier: MIT */
/*
 * Numbers and units of Nsight Compute's tables. Numbers are written as the locale has them, with
 * groups of three digits: "1,215,000,000.00", "27.595.520", "1 215,5".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "format/foreign/ncu.h"

enum { DIGITS_MAX = 64 };

/* A blank of whatever width, or an apostrophe: its bytes; 0: neither. */
static size_t skip_blank(const char *at)
{
	static const char *const blanks[] = {
		" ", "'", "\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf", "\xe2\x80\x99"};

	for (size_t i = 0; i < sizeof(blanks) / sizeof(blanks[0]); i++)
		if (!strncmp(at, blanks[i], strlen(blanks[i])))
			return strlen(blanks[i]);
	return 0;
}

/* The number in a cell, without blanks, parts and the mark of doubt. */
static void strip(const char *cell, char *digits, struct tacho__ncu_number *number)
{
	size_t used = 0, blank;

	while (*cell && used + 1 < DIGITS_MAX) {
		if (!strncmp(cell, "(!)", 3)) {
			number->is_doubtful = true;
			cell += 3;
		} else if (*cell == '(' || *cell == '{') {
			number->has_parts = true;
			break;
		} else if ((blank = skip_blank(cell))) {
			cell += blank;
		} else {
			digits[used++] = *cell++;
		}
	}
	digits[used] = '\0';
}

static size_t count(const char *text, char c)
{
	size_t found = 0;

	for (; *text; text++)
		found += *text == c;
	return found;
}

/* Whether what stands behind the last `c` can only be a fraction. */
static bool is_fraction(const char *digits, char c)
{
	const char *at = strrchr(digits, c);
	size_t size = strspn(at + 1, "0123456789");

	return size != 3 || at == digits || at - digits > 3 || (at - digits == 1 && *digits == '0');
}

static bool is_number(const char *digits)
{
	size_t size = strspn(digits, "+-0123456789.,");

	return strpbrk(digits, "0123456789") &&
	       (!digits[size] || digits[size] == 'e' || digits[size] == 'E');
}

char tacho__ncu_find_point(const char *cell)
{
	struct tacho__ncu_number number = {0};
	char digits[DIGITS_MAX];
	size_t points, commas;

	strip(cell, digits, &number);
	points = count(digits, '.');
	commas = count(digits, ',');
	if (!is_number(digits) || (!points && !commas))
		return 0;
	if (points && commas)
		return strrchr(digits, '.') > strrchr(digits, ',') ? '.' : ',';
	if (points > 1 || commas > 1)
		return points > 1 ? ',' : '.';
	if (is_fraction(digits + (*digits == '-'), points ? '.' : ','))
		return points ? '.' : ',';
	return 0;
}

struct tacho__ncu_number tacho__ncu_read_number(const char *cell, char point, int power)
{
	struct tacho__ncu_number number = {.kind = TACHO__NCU_NUMBER_NONE};
	char digits[DIGITS_MAX], plain[DIGITS_MAX + 16];
	size_t used = 0;

	strip(cell, digits, &number);
	if (!is_number(digits))
		return number;
	if (!point && strchr(digits, '.')) {
		number.kind = TACHO__NCU_NUMBER_AMBIGUOUS;
		return number;
	}
	point = point ? point : '.'; /* a comma before three digits is one of groups */
	for (const char *at = digits; *at; at++)
		if (*at == point)
			plain[used++] = '.';
		else if (*at != '.' && *at != ',')
			plain[used++] = *at;
	plain[used] = '\0';
	if (!strpbrk(plain, "eE")) { /* exactly as it stands there */
		used += (size_t)snprintf(plain + used, 16, "e%d", power);
		power = 0;
	}
	if (!tacho__number_parse(plain, used, &number.real))
		number.kind = TACHO__NCU_NUMBER;
	for (; power; power += power > 0 ? -1 : 1)
		number.real = power > 0 ? number.real * 10 : number.real / 10;
	return number;
}

/* ---- units ---- */

/* A part of a unit, with its power of ten: "Kbyte", "usecond". */
static const struct {
	const char *word, *unit;
	int power;
	bool has_prefix; /* K, M, G, T may stand before it */
} words[] = {
	{"nsecond", "ns", 0, false},   {"ns", "ns", 0, false},	    {"usecond", "ns", 3, false},
	{"us", "ns", 3, false},	       {"msecond", "ns", 6, false}, {"ms", "ns", 6, false},
	{"second", "ns", 9, false},    {"s", "ns", 9, false},	    {"%", "percent", 0, false},
	{"cycle", "cycles", 0, false}, {"byte", "bytes", 0, true},  {"hz", "hz", 0, true},
};

static int read_word(const char *text, size_t size, char *unit)
{
	static const char prefixes[] = "KMGT";

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t length = strlen(words[i].word);
		int power = words[i].power;
		bool is_prefixed = words[i].has_prefix && size == length + 1;
		const char *prefix = is_prefixed ? memchr(prefixes, *text, 4) : NULL;

		power += prefix ? 3 * (int)(prefix - prefixes + 1) : 0;
		if ((size != length && !prefix) ||
		    strncmp(text + (prefix != NULL), words[i].word, length))
			continue;
		snprintf(unit, TACHO__NCU_UNIT_MAX, "%s", words[i].unit);
		return power;
	}
	snprintf(unit, TACHO__NCU_UNIT_MAX, "%.*s", (int)size, text);
	return 0;
}

int tacho__ncu_base_unit(const char *cell, char *out_unit)
{
	const char *slash = strchr(cell, '/');
	size_t size = slash ? (size_t)(slash - cell) : strlen(cell);
	char of[TACHO__NCU_UNIT_MAX], per[TACHO__NCU_UNIT_MAX];
	int power = read_word(cell, size, of), divisor;

	if (!slash) {
		snprintf(out_unit, TACHO__NCU_UNIT_MAX, "%s", of);
		return power;
	}
	divisor = read_word(slash + 1, strlen(slash + 1), per);
	if (!strcmp(per, "ns")) {
		snprintf(per, sizeof(per), "second");
		divisor -= 9;
	} else if (!strcmp(per, "cycles")) {
		snprintf(per, sizeof(per), "cycle");
	}
	snprintf(out_unit, TACHO__NCU_UNIT_MAX, "%.14s/%.14s", of, per);
	return power - divisor;
}
