/* SPDX-License-Identifier: MIT */
/*
 * The formats of reports. Agreed on by Linux (drivers/gpu/drm/i915/i915_perf.c, xe/xe_oa.c), Mesa,
 * IGT and Intel's metrics-discovery except where a caveat says otherwise.
 */
#include <strings.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "oa/report.h"

#define NO_XE UINT32_MAX

/* Type of unit, counter select, counter size, whether B and C are reported: xe's packed number. */
#define XE(type, select, size, bc) \
	((type) | (uint32_t)(select) << 8 | (uint32_t)(size) << 16 | (uint32_t)(bc) << 24)

enum { OAG, OAR, OAM, OAC, OAM_MPEC, PEC };

#define A     TACHO__OA_A
#define B     TACHO__OA_B
#define C     TACHO__OA_C
#define P     TACHO__OA_PEC
#define R     TACHO__OA_R
#define G75   TACHO_OA_GEN7_5
#define G8    TACHO_OA_GEN8
#define G12   TACHO_OA_GEN12
#define G125  TACHO_OA_GEN12_5
#define XE2   TACHO_OA_XE2
#define SHORT TACHO__OA_HEADER_SHORT
#define CLOCK TACHO__OA_HEADER_CLOCK
#define WIDE  TACHO__OA_HEADER_WIDE
#define FORMAT(...)         \
	{                   \
		__VA_ARGS__ \
	}
#define RUNS(...)                      \
	(const struct tacho__oa_run[]) \
	{                              \
		__VA_ARGS__,           \
		{                      \
			0              \
		}                      \
	}

/* A counters of Haswell that must be ignored (IGT tests/intel/perf.c). */
#define HSW_UNDEFINED                                                                            \
	(1ull << 4 | 1ull << 6 | 1ull << 9 | 1ull << 11 | 1ull << 14 | 1ull << 16 | 1ull << 19 | \
	 1ull << 21 | 1ull << 24 | 1ull << 26 | 1ull << 29 | 1ull << 31 | 1ull << 34 |           \
	 1ull << 43 | 1ull << 44)

#define NO_CLOCK "The format has no clock."
#define HSW_OFFSETS \
	"Published offsets overlap; these are the only ones that do not, unconfirmed on hardware."
#define OAC_ORDER \
	"Which A counters the first 16 are is not published: they are numbered 0 to 15 here."
#define INFERRED "Offsets follow from the name and the size only."
#define GROUP_ORDER \
	"Which events the counters are depends on the group: they are numbered in the order here."

static const struct tacho__oa_layout layouts[] = {
	{FORMAT("A13", 1, NO_XE, 64, G75, G75, 15, ""), SHORT, HSW_UNDEFINED,
	 RUNS({A, 0, 13, 32, 12})},
	{FORMAT("A29", 2, NO_XE, 128, G75, G75, 31, ""), SHORT, HSW_UNDEFINED,
	 RUNS({A, 0, 29, 32, 12})},
	{FORMAT("A13_B8_C8", 3, NO_XE, 128, G75, G75, 31, ""), SHORT, HSW_UNDEFINED,
	 RUNS({A, 0, 13, 32, 12}, {B, 0, 8, 32, 64}, {C, 0, 8, 32, 96})},
	{FORMAT("B4_C8", 4, NO_XE, 64, G75, G75, 14, ""), SHORT, 0,
	 RUNS({B, 0, 4, 32, 16}, {C, 0, 8, 32, 32})},
	{FORMAT("A45_B8_C8", 5, NO_XE, 256, G75, G75, 63, ""), SHORT, HSW_UNDEFINED,
	 RUNS({A, 0, 45, 32, 12}, {B, 0, 8, 32, 192}, {C, 0, 8, 32, 224})},
	{FORMAT("B4_C8_A16", 6, NO_XE, 128, G75, G75, 30, HSW_OFFSETS), SHORT, HSW_UNDEFINED,
	 RUNS({A, 29, 16, 32, 64}, {B, 0, 4, 32, 16}, {C, 0, 8, 32, 32})},
	{FORMAT("C4_B8", 7, NO_XE, 64, G75, G75, 14, HSW_OFFSETS), SHORT, 0,
	 RUNS({B, 0, 8, 32, 32}, {C, 0, 4, 32, 16})},
	{FORMAT("C4_B8", 7, XE(OAG, 7, 0, 0), 64, G8, G12, 14, NO_CLOCK), SHORT, 0,
	 RUNS({B, 0, 8, 32, 32}, {C, 0, 4, 32, 16})},
	{FORMAT("A12", 8, XE(OAG, 0, 0, 0), 64, G8, G12, 14, NO_CLOCK), SHORT, 0,
	 RUNS({A, 7, 12, 32, 12})},
	{FORMAT("A12_B8_C8", 9, XE(OAG, 2, 0, 0), 128, G8, G12, 30, NO_CLOCK), SHORT, 0,
	 RUNS({A, 7, 12, 32, 12}, {B, 0, 8, 32, 64}, {C, 0, 8, 32, 96})},
	{FORMAT("A32u40_A4u32_B8_C8", 10, XE(OAG, 5, 0, 0), 256, G8, G12, 54, ""), CLOCK,
	 1ull << 33,
	 RUNS({A, 0, 32, 40, 16, 160}, {A, 32, 4, 32, 144}, {B, 0, 8, 32, 192},
	      {C, 0, 8, 32, 224})},
	{FORMAT("OAR_A32u40_A4u32_B8_C8", 11, XE(OAR, 5, 0, 0), 256, G125, G125, 54, ""), CLOCK, 0,
	 RUNS({A, 0, 32, 40, 16, 160}, {A, 32, 4, 32, 144}, {B, 0, 8, 32, 192},
	      {C, 0, 8, 32, 224})},
	{FORMAT("A24u40_A14u32_B8_C8", 12, XE(OAG, 5, 0, 0), 256, G125, G125, 56, ""), CLOCK, 0,
	 RUNS({A, 0, 4, 32, 16}, {A, 4, 20, 40, 32, 164}, {A, 24, 4, 32, 112},
	      {A, 28, 4, 40, 128, 188}, {A, 32, 4, 32, 144}, {A, 36, 1, 32, 160},
	      {A, 37, 1, 32, 184}, {B, 0, 8, 32, 192}, {C, 0, 8, 32, 224})},
	{FORMAT("OAM_MPEC8u64_B8_C8", 13, XE(OAM_MPEC, 1, 0, 0), 192, G125, XE2, 26, ""), WIDE, 0,
	 RUNS({A, 0, 8, 64, 32}, {B, 0, 8, 32, 96}, {C, 0, 8, 32, 128})},
	{FORMAT("OAM_MPEC8u32_B8_C8", 14, XE(OAM_MPEC, 2, 0, 0), 128, G125, XE2, 26, ""), WIDE, 0,
	 RUNS({A, 0, 8, 32, 32}, {B, 0, 8, 32, 64}, {C, 0, 8, 32, 96})},
	{FORMAT("OAC_A24u64_B8_C8", 0, XE(OAC, 1, 0, 0), 320, G125, XE2, 42, OAC_ORDER), WIDE,
	 0xffff,
	 RUNS({A, 0, 16, 64, 32}, {A, 28, 8, 64, 160}, {B, 0, 8, 32, 224}, {C, 0, 8, 32, 256})},
	{FORMAT("OAC_A22u32_R2u32_B8_C8", 0, XE(OAC, 2, 0, 0), 192, G125, XE2, 42, INFERRED), WIDE,
	 0, RUNS({A, 0, 22, 32, 32}, {R, 0, 2, 32, 120}, {B, 0, 8, 32, 128}, {C, 0, 8, 32, 160})},
	{FORMAT("PEC64u64", 0, XE(PEC, 1, 1, 0), 576, XE2, XE2, 66, ""), WIDE, 0,
	 RUNS({P, 0, 64, 64, 32})},
	{FORMAT("PEC64u64_B8_C8", 0, XE(PEC, 1, 1, 1), 640, XE2, XE2, 82, ""), WIDE, 0,
	 RUNS({P, 0, 64, 64, 32}, {B, 0, 8, 32, 544}, {C, 0, 8, 32, 576})},
	{FORMAT("PEC64u32", 0, XE(PEC, 1, 0, 0), 320, XE2, XE2, 66, ""), WIDE, 0,
	 RUNS({P, 0, 64, 32, 32})},
	{FORMAT("PEC32u64_G1", 0, XE(PEC, 5, 1, 0), 320, XE2, XE2, 34, GROUP_ORDER), WIDE, 0,
	 RUNS({P, 0, 32, 64, 32})},
	{FORMAT("PEC32u32_G1", 0, XE(PEC, 5, 0, 0), 192, XE2, XE2, 34, GROUP_ORDER), WIDE, 0,
	 RUNS({P, 0, 32, 32, 32})},
	{FORMAT("PEC32u64_G2", 0, XE(PEC, 6, 1, 0), 320, XE2, XE2, 34, GROUP_ORDER), WIDE, 0,
	 RUNS({P, 0, 32, 64, 32})},
	{FORMAT("PEC32u32_G2", 0, XE(PEC, 6, 0, 0), 192, XE2, XE2, 34, GROUP_ORDER), WIDE, 0,
	 RUNS({P, 0, 32, 32, 32})},
	{FORMAT("PEC36u64_G1_32_G2_4", 0, XE(PEC, 3, 1, 0), 320, XE2, XE2, 38, GROUP_ORDER), WIDE,
	 0, RUNS({P, 0, 36, 64, 32})},
	{FORMAT("PEC36u64_G1_4_G2_32", 0, XE(PEC, 4, 1, 0), 320, XE2, XE2, 38, GROUP_ORDER), WIDE,
	 0, RUNS({P, 0, 36, 64, 32})},
};

const struct tacho_oa_format *tacho_oa_format_get(size_t index)
{
	return index < TACHO__ARRAY_SIZE(layouts) ? &layouts[index].format : NULL;
}

static int is_written_by(const struct tacho_oa_format *format, enum tacho_oa_gen gen)
{
	return gen >= format->gen_first && gen <= format->gen_last;
}

static int fail_unknown(const char *name, enum tacho_oa_gen gen)
{
	struct tacho__buf known = {0};
	int rc;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(layouts); i++) {
		const struct tacho_oa_format *format = &layouts[i].format;

		if (gen && !is_written_by(format, gen))
			continue;
		/* C4_B8 is there twice, one below the other. */
		if (i && !gen && !strcasecmp(format->name, layouts[i - 1].format.name))
			continue;
		tacho__buf_printf(&known, "%s%s", known.size ? ", " : "", format->name);
	}
	rc = tacho__fail(TACHO_E_NOTFOUND, "", tacho__detail("known: %s", tacho__buf_text(&known)),
			 "there is no report format \"%s\"%s%s", name, gen ? " on " : "",
			 gen ? tacho_oa_gen_to_string(gen) : "");
	tacho__buf_finish(&known);
	return rc;
}

int tacho_oa_format_find(const char *name, enum tacho_oa_gen gen,
			 const struct tacho_oa_format **out_format)
{
	if (!name || !out_format)
		return tacho__fail_null(__func__);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(layouts); i++) {
		const struct tacho_oa_format *format = &layouts[i].format;

		if (strcasecmp(format->name, name) != 0 || (gen && !is_written_by(format, gen)))
			continue;
		*out_format = format;
		return 0;
	}
	return fail_unknown(name, gen);
}

const struct tacho_oa_format *tacho_oa_format_find_i915(uint32_t id, enum tacho_oa_gen gen)
{
	for (size_t i = 0; id && i < TACHO__ARRAY_SIZE(layouts); i++)
		if (layouts[i].format.i915_id == id && is_written_by(&layouts[i].format, gen))
			return &layouts[i].format;
	return NULL;
}

const struct tacho_oa_format *tacho_oa_format_find_xe(uint64_t xe_format, enum tacho_oa_gen gen)
{
	for (size_t i = 0; xe_format < NO_XE && i < TACHO__ARRAY_SIZE(layouts); i++)
		if (layouts[i].format.xe_format == xe_format &&
		    is_written_by(&layouts[i].format, gen))
			return &layouts[i].format;
	return NULL;
}

const struct tacho_oa_format *tacho_oa_format_get_usual(enum tacho_oa_gen gen)
{
	const char *name = "A32u40_A4u32_B8_C8";
	const struct tacho_oa_format *format = NULL;

	if (gen <= TACHO_OA_GEN7_5)
		name = "A45_B8_C8";
	else if (gen >= TACHO_OA_XE2)
		name = "PEC64u64";
	else if (gen >= TACHO_OA_GEN12_5)
		name = "A24u40_A14u32_B8_C8";
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(layouts) && !format; i++)
		if (!strcasecmp(layouts[i].format.name, name))
			format = &layouts[i].format;
	return format;
}
