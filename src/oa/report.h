/* SPDX-License-Identifier: MIT */
/* The layouts of reports as tables, and what other rooms need beside the public functions. */
#ifndef TACHO_OA_REPORT_H
#define TACHO_OA_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "tacho/oa.h"

enum tacho__oa_block {
	TACHO__OA_A,
	TACHO__OA_B,
	TACHO__OA_C,
	TACHO__OA_PEC,
	TACHO__OA_R,
};

/* Counters of one block, next to each other, one every width_bits (40: every 32, and a byte). */
struct tacho__oa_run {
	uint8_t block; /* enum tacho__oa_block */
	uint8_t first; /* number of the first one */
	uint8_t count; /* 0 ends a list of runs */
	uint8_t width_bits;
	uint16_t offset; /* of the first one in bytes */
	uint16_t high;	 /* 40 bits: of the first one's highest byte */
};

enum tacho__oa_header {
	TACHO__OA_HEADER_SHORT, /* id, timestamp, context of 32 bits each, no clock */
	TACHO__OA_HEADER_CLOCK, /* and a clock */
	TACHO__OA_HEADER_WIDE,	/* id, timestamp, context and clock in 64 bits each */
};

enum {
	TACHO__OA_HEADER_VALUES = 2,
	/* The upper bits of 64-bit timestamps are not defined (IGT, metrics-discovery). */
	TACHO__OA_WIDE_TIME_BITS = 56,
};

struct tacho__oa_layout {
	struct tacho_oa_format format; /* first: a format is its layout */
	enum tacho__oa_header header;
	uint64_t undefined_a; /* bit n: nobody says what A n counts */
	const struct tacho__oa_run *runs;
};

static inline const struct tacho__oa_layout *tacho__oa_layout(const struct tacho_oa_format *format)
{
	return (const struct tacho__oa_layout *)format;
}

/*
 * Whether the report's context is a number that a caller gave with the MMIO trigger (Gen12.5 and
 * later; Linux i915_perf.c): the context that runs is the one from before.
 */
static inline int tacho__oa_has_marker(const struct tacho_oa_report_id *id, enum tacho_oa_gen gen)
{
	return gen >= TACHO_OA_GEN12_5 && (id->reasons & TACHO_OA_REASON_MMIO_TRIGGER) &&
	       !(id->reasons & TACHO_OA_REASON_CONTEXT_SWITCH);
}

/* Widths of the values 0 and 1, in bits; 0: the format has no clock. */
static inline uint32_t tacho__oa_time_bits(const struct tacho_oa_format *format)
{
	return tacho__oa_layout(format)->header == TACHO__OA_HEADER_WIDE ? TACHO__OA_WIDE_TIME_BITS
									 : 32;
}

static inline uint32_t tacho__oa_clock_bits(const struct tacho_oa_format *format)
{
	enum tacho__oa_header header = tacho__oa_layout(format)->header;

	if (header == TACHO__OA_HEADER_WIDE)
		return 64;
	return header == TACHO__OA_HEADER_CLOCK ? 32 : 0;
}

/* Width of a value in bits; 0: the format does not have it. */
uint32_t tacho__oa_width(const struct tacho_oa_format *format, size_t index);

/* Decodes size_bytes of the format, which must be there. */
void tacho__oa_report_decode(const struct tacho_oa_format *format, const void *bytes,
			     struct tacho_oa_report *out_report);
/* The reverse; bytes that no value has are 0. */
void tacho__oa_report_encode(const struct tacho_oa_format *format,
			     const struct tacho_oa_report *report, void *out_bytes);

#endif
