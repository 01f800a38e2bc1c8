/* SPDX-License-Identifier: MIT */
/* Numbers for people: a few significant digits and a unit. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tacho/sys/units.h"

/* Scales by 1000 until what is printed stays below 1000, so that 999.96 becomes "1.00", not "1000".
 */
static const char *scale(char *text, double value, unsigned digits, const char *const *units,
			 unsigned unit_count)
{
	unsigned unit = 0;
	int decimals;

	while (unit + 1 < unit_count && value >= 999.5) {
		value /= 1000;
		unit++;
	}
	decimals = (int)digits - (value >= 99.95 ? 3 : value >= 9.995 ? 2 : 1);
	if (unit == 0 && value == floor(value))
		decimals = 0;
	snprintf(text, TACHO_UNITS_MAX, "%.*f %s", decimals > 0 ? decimals : 0, value, units[unit]);
	return text;
}

const char *tacho_units_time(char *text, uint64_t ns, unsigned digits)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};

	return scale(text, (double)ns, digits, units, 4);
}

const char *tacho_units_count(char *text, uint64_t count)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, count);
	char *to = text;

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return text;
}

const char *tacho_units_bytes(char *text, uint64_t bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

	return scale(text, (double)bytes, 3, units, 7);
}

const char *tacho_units_rate(char *text, uint64_t bytes, uint64_t ns)
{
	static const char *const units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s", "EB/s"};

	if (ns)
		return scale(text, (double)bytes * 1e9 / (double)ns, 3, units, 7);
	snprintf(text, TACHO_UNITS_MAX, "-");
	return text;
}

const char *tacho_units_share(char *text, uint64_t part, uint64_t whole)
{
	double percent = whole ? 100.0 * (double)part / (double)whole : 0;

	if (!whole)
		snprintf(text, TACHO_UNITS_MAX, "-");
	else if (part && percent < 0.05)
		snprintf(text, TACHO_UNITS_MAX, "<0.1%%");
	else
		snprintf(text, TACHO_UNITS_MAX, "%.1f%%", percent);
	return text;
}

static const char *format_real(char *text, double value)
{
	enum { ROUNDED_MIN = 1000 }; /* from here on no decimals are shown */
	bool is_large = value >= ROUNDED_MIN && value < 1.8e19;

	if (is_large || (value == floor(value) && value >= 0 && value < ROUNDED_MIN))
		return tacho_units_count(text, (uint64_t)(value + 0.5));
	snprintf(text, TACHO_UNITS_MAX, "%.4g", value);
	return text;
}

/* Of one that is not negative. */
static const char *format_value(char *text, double value, const char *unit)
{
	bool fits = value >= 0 && value < 1.8e19;
	size_t size;

	if (strcmp(unit, "nanoseconds") == 0 && fits)
		return tacho_units_time(text, (uint64_t)(value + 0.5), 3);
	if (strcmp(unit, "bytes") == 0 && fits)
		return tacho_units_bytes(text, (uint64_t)(value + 0.5));
	if (strcmp(unit, "bytes/second") == 0 && fits) {
		tacho_units_bytes(text, (uint64_t)(value + 0.5));
		size = strlen(text);
		snprintf(text + size, TACHO_UNITS_MAX - size, "/s");
		return text;
	}
	return format_real(text, value);
}

const char *tacho_units_value(char *text, double value, const char *unit)
{
	char positive[TACHO_UNITS_MAX];

	if (!(value < 0))
		return format_value(text, value, unit);
	snprintf(text, TACHO_UNITS_MAX, "-%.*s", TACHO_UNITS_MAX - 2,
		 format_value(positive, -value, unit));
	return text;
}
