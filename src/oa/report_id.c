/* SPDX-License-Identifier: MIT */
/* The first word of a report: why it was written. */
#include <stddef.h>

#include "base/array.h"
#include "tacho/oa.h"

/* Linux i915_perf.c: OAREPORT_REASON_*, oa_report_ctx_invalid(); Mesa intel_perf: frequencies. */
enum {
	REASON_SHIFT = 19,
	REASON_MASK = 0x3f,
	REASON_MASK_GEN12 = 0x7f,
	VALID_BIT_GEN8 = 25,
	VALID_BIT = 16,
	ENGINE_SHIFT = 26,
	UNSLICE_MASK = 0x1ff,
	SLICE_LOW_SHIFT = 25,
	SLICE_HIGH_SHIFT = 9,
	SLICE_HIGH_MASK = 0x3,
	SLICE_LOW_BITS = 7,
};

/* Ratios are in units of 50/3 MHz. */
static uint32_t ratio_to_hz(uint32_t ratio)
{
	return (uint32_t)((uint64_t)ratio * 50000000 / 3);
}

static void decode_clocks(uint32_t id, enum tacho_oa_gen gen, struct tacho_oa_report_id *meaning)
{
	uint32_t high = id >> SLICE_HIGH_SHIFT & SLICE_HIGH_MASK;

	meaning->unslice_hz = ratio_to_hz(id & UNSLICE_MASK);
	meaning->slice_hz = ratio_to_hz(id >> SLICE_LOW_SHIFT | high << SLICE_LOW_BITS);
	/* Bit 25 is the ratio's lowest, but also Gen8's valid bit and Gen12's highest reason. */
	meaning->is_slice_certain = gen != TACHO_OA_GEN8 && gen != TACHO_OA_GEN12;
}

void tacho_oa_report_id_decode(uint32_t id, enum tacho_oa_gen gen, enum tacho_oa_source source,
			       struct tacho_oa_report_id *out_id)
{
	struct tacho_oa_report_id meaning = {0};
	uint32_t valid;

	if (!out_id)
		return;
	if (source == TACHO_OA_SOURCE_MI_RPC) {
		meaning.caller_id = id;
	} else if (gen >= TACHO_OA_GEN8) {
		valid = id >> (gen == TACHO_OA_GEN8 ? VALID_BIT_GEN8 : VALID_BIT) & 1;
		meaning.reasons = id >> REASON_SHIFT &
				  (gen >= TACHO_OA_GEN12 ? REASON_MASK_GEN12 : REASON_MASK);
		/* From Gen12.5 on the bit is maintained in reports of context switches only. */
		if (gen < TACHO_OA_GEN12_5 || meaning.reasons & TACHO_OA_REASON_CONTEXT_SWITCH)
			meaning.context_valid = valid ? TACHO_OA_YES : TACHO_OA_NO;
		if (gen >= TACHO_OA_GEN12_5)
			meaning.engine = id >> ENGINE_SHIFT;
		else
			decode_clocks(id, gen, &meaning);
	}
	*out_id = meaning;
}

const char *tacho_oa_reason_to_string(uint32_t reason)
{
	static const char *const names[] = {"timer", "trigger1",    "trigger2",	   "context-switch",
					    "go",    "clock-ratio", "mmio-trigger"};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(names); i++)
		if (reason == 1u << i)
			return names[i];
	return "";
}

int tacho_oa_is_timer(uint64_t timestamp, uint32_t exponent)
{
	return exponent < 32 && (timestamp & ((2ull << exponent) - 1)) == 1ull << exponent;
}
