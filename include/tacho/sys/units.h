/* SPDX-License-Identifier: MIT */
/* Numbers for people, as every output of tacho shows them. For the command: no ABI promise. */
#ifndef TACHO_SYS_UNITS_H
#define TACHO_SYS_UNITS_H

#include <stdint.h>

#include <tacho/export.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TACHO_UNITS_MAX = 32 };

/* Each writes into `text`, which has room for TACHO_UNITS_MAX bytes, and returns it. */

/* "1.23 ms": `digits` significant ones, 3 or 4. */
TACHO_API const char *tacho_units_time(char *text, uint64_t ns, unsigned digits);
/* "1,234" */
TACHO_API const char *tacho_units_count(char *text, uint64_t count);
/* "1.23 MB", powers of 1000 */
TACHO_API const char *tacho_units_bytes(char *text, uint64_t bytes);
/* "1.23 GB/s"; "-" when ns is 0 */
TACHO_API const char *tacho_units_rate(char *text, uint64_t bytes, uint64_t ns);
/* "12.3%"; "-" when whole is 0 */
TACHO_API const char *tacho_units_share(char *text, uint64_t part, uint64_t whole);
/* A counter's value, with its unit where that is one of time or bytes. */
TACHO_API const char *tacho_units_value(char *text, double value, const char *unit);

#ifdef __cplusplus
}
#endif

#endif
