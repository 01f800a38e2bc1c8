/* SPDX-License-Identifier: MIT */
/* Numbers for people: a few significant digits and a unit. */
#include "units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Scales by 1000 until what is printed stays below 1000, so that 999.96 becomes "1.00", not "1000".
 */
static const char *scale(struct cli_number *number, double value, unsigned digits,
			 const char *const *units, unsigned unit_count)
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
	snprintf(number->text, sizeof(number->text), "%.*f %s", decimals > 0 ? decimals : 0, value,
		 units[unit]);
	return number->text;
}

const char *cli_units_time(struct cli_number *number, uint64_t ns, unsigned digits)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};

	return scale(number, (double)ns, digits, units, 4);
}

const char *cli_units_count(struct cli_number *number, uint64_t count)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, count);
	char *to = number->text;

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return number->text;
}

const char *cli_units_bytes(struct cli_number *number, uint64_t bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

	return scale(number, (double)bytes, 3, units, 7);
}

const char *cli_units_rate(struct cli_number *number, uint64_t bytes, uint64_t ns)
{
	static const char *const units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s", "EB/s"};

	if (!ns) {
		snprintf(number->text, sizeof(number->text), "-");
		return number->text;
	}
	return scale(number, (double)bytes * 1e9 / (double)ns, 3, units, 7);
}

const char *cli_units_share(struct cli_number *number, uint64_t part, uint64_t whole)
{
	double percent = whole ? 100.0 * (double)part / (double)whole : 0;

	if (!whole)
		snprintf(number->text, sizeof(number->text), "-");
	else if (part && percent < 0.05)
		snprintf(number->text, sizeof(number->text), "<0.1%%");
	else
		snprintf(number->text, sizeof(number->text), "%.1f%%", percent);
	return number->text;
}
