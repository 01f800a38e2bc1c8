/* SPDX-License-Identifier: MIT */
/* Numbers for people, each in room of its own. Every function writes into `text` and returns it. */
#ifndef TACHO_CLI_UNITS_H
#define TACHO_CLI_UNITS_H

#include <tacho/sys/units.h>

struct cli_number {
	char text[TACHO_UNITS_MAX];
};

/* "1.23 ms": `digits` significant ones, 3 or 4. */
static inline const char *cli_units_time(struct cli_number *number, uint64_t ns, unsigned digits)
{
	return tacho_units_time(number->text, ns, digits);
}

/* "1,234" */
static inline const char *cli_units_count(struct cli_number *number, uint64_t count)
{
	return tacho_units_count(number->text, count);
}

/* "1.23 MB", powers of 1000 */
static inline const char *cli_units_bytes(struct cli_number *number, uint64_t bytes)
{
	return tacho_units_bytes(number->text, bytes);
}

/* "1.23 GB/s"; "-" when ns is 0 */
static inline const char *cli_units_rate(struct cli_number *number, uint64_t bytes, uint64_t ns)
{
	return tacho_units_rate(number->text, bytes, ns);
}

/* "12.3%"; "-" when whole is 0 */
static inline const char *cli_units_share(struct cli_number *number, uint64_t part, uint64_t whole)
{
	return tacho_units_share(number->text, part, whole);
}

#endif
