/* SPDX-License-Identifier: MIT */
/* Numbers for people. Every function writes into `text` and returns it. */
#ifndef TACHO_CLI_UNITS_H
#define TACHO_CLI_UNITS_H

#include <stdint.h>

struct cli_number {
	char text[32];
};

/* "1.23 ms": `digits` significant ones, 3 or 4. */
const char *cli_units_time(struct cli_number *number, uint64_t ns, unsigned digits);
/* "1,234" */
const char *cli_units_count(struct cli_number *number, uint64_t count);
/* "1.23 MB", powers of 1000 */
const char *cli_units_bytes(struct cli_number *number, uint64_t bytes);
/* "1.23 GB/s"; "-" when ns is 0 */
const char *cli_units_rate(struct cli_number *number, uint64_t bytes, uint64_t ns);
/* "12.3%"; "-" when whole is 0 */
const char *cli_units_share(struct cli_number *number, uint64_t part, uint64_t whole);

#endif
