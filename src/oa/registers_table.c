/* SPDX-License-Identifier: MIT */
/*
 * Registers of the OA unit. Names of counters and which of them survive RC6:
 * IHD-OS-CHV-BSW-Vol 14-06.15; the other names, the addresses and bits: Linux
 * (drivers/gpu/drm/i915/i915_perf_oa_regs.h, gt/intel_gt_regs.h, older i915_reg.h) and Intel's
 * metrics-discovery.
 */
#include "oa/registers.h"

#include "base/array.h"

#define G75	       TACHO_OA_GEN7_5
#define G8	       TACHO_OA_GEN8
#define G11	       TACHO_OA_GEN11
#define G12	       TACHO_OA_GEN12
#define G125	       TACHO_OA_GEN12_5
#define KEPT	       TACHO_OA_YES
#define UNKNOWN	       TACHO_OA_UNKNOWN
#define FIELDS(fields) fields, TACHO__ARRAY_SIZE(fields)
#define NO_FIELDS      NULL, 0

static const struct tacho_oa_word formats_gen7_5[] = {
	{0, "A13"},	  {1, "A29"},	    {2, "A13_B8_C8"}, {4, "B4_C8"},
	{5, "A45_B8_C8"}, {6, "B4_C8_A16"}, {7, "C4_B8"},     {0},
};
static const struct tacho_oa_word formats_gen8[] = {
	{0, "A12"}, {2, "A12_B8_C8"}, {5, "A32u40_A4u32_B8_C8"}, {7, "C4_B8"}, {0},
};
static const struct tacho_oa_word buffer_sizes[] = {
	{0, "128KiB"}, {1, "256KiB"}, {2, "512KiB"}, {3, "1MiB"}, {4, "2MiB"},
	{5, "4MiB"},   {6, "8MiB"},   {7, "16MiB"},  {0},
};
static const struct tacho_oa_word increments[] = {
	{0, "fpu0"}, {1, "fpu1"},  {2, "send"},	   {3, "both"},
	{4, "some"}, {5, "stall"}, {8, "threads"}, {0},
};
static const struct tacho_oa_word coarses[] = {
	{0, "none"}, {1, "vs"}, {2, "hs"},   {3, "ds"},	  {4, "gs"},
	{5, "ps"},   {6, "ts"}, {7, "row0"}, {8, "row1"}, {0},
};
static const struct tacho_oa_word fines[] = {
	{0, "none"}, {1, "hybrid"}, {2, "ternary"}, {3, "binary"}, {4, "mov"}, {5, "start"},
	{7, "eu0"},  {8, "eu1"},    {9, "eu2"},	    {10, "eu3"},   {0},
};
static const struct tacho_oa_word comparisons[] = {
	{0, "any-equal"},	 {1, "greater"}, {2, "equal"},
	{3, "greater-or-equal"}, {4, "less"},	 {5, "not-equal"},
	{6, "less-or-equal"},	 {7, "always"},	 {0},
};
static const struct tacho_oa_word sources[] = {{0, "noa"}, {1, "previous"}, {2, "boolean"}, {0}};

static const struct tacho_oa_field control_gen7_5[] = {
	{"enable", 0, 0, "the unit counts and reports"},
	{"per_context", 1, 1, "only while context_id runs"},
	{"counter_select", 2, 4, "the reports' format", formats_gen7_5},
	{"timer_enable", 5, 5, "a report every period"},
	{"timer_period", 6, 11, "exponent e: every 2^(e+1) ticks of the timestamp"},
	{"context_id", 12, 31, "address of the context, in pages"},
};
static const struct tacho_oa_field control_gen8[] = {
	{"enable", 0, 0, "the unit counts and reports"},
	{"specific_context", 1, 1, "only while the context of OACTXID runs"},
	{"counter_select", 2, 4, "the reports' format", formats_gen8},
};
static const struct tacho_oa_field control_gen12[] = {
	{"enable", 0, 0, "the unit counts and reports"},
	{"counter_select", 2, 4, "the reports' format", formats_gen8},
};
static const struct tacho_oa_field control_oar[] = {
	{"enable", 0, 0, "the context's reports are counted"},
	{"counter_select", 1, 3, "the reports' format", formats_gen8},
};
static const struct tacho_oa_field context_control[] = {
	{"counter_resume", 0, 0, "counters go on when the context is loaded"},
	{"timer_enable", 1, 1, "a report every period"},
	{"timer_period", 2, 7, "exponent e: every 2^(e+1) ticks of the timestamp"},
};
static const struct tacho_oa_field status_gen8[] = {
	{"report_lost", 0, 0, "reports were lost"},
	{"buffer_overflow", 1, 1, "the buffer ran over"},
	{"counter_overflow", 2, 2, "a counter ran over"},
	{"overrun", 3, 3, "reports overtook the reader"},
	{"tail_wrap", 16, 16, "the tail began again at the buffer's start"},
	{"head_wrap", 17, 17, "the head began again at the buffer's start"},
};
static const struct tacho_oa_field status_gen12[] = {
	{"report_lost", 0, 0, "reports were lost"},
	{"buffer_overflow", 1, 1, "the buffer ran over"},
	{"counter_overflow", 2, 2, "a counter ran over"},
};
static const struct tacho_oa_field buffer_gen8[] = {
	{"size", 3, 5, "of the ring of reports", buffer_sizes},
};
static const struct tacho_oa_field threshold[] = {
	{"threshold", 0, 15, "so many clocks"},
};
static const struct tacho_oa_field report_threshold[] = {
	{"threshold", 0, 15, "so many clocks"},
	{"edge_level", 16, 31, "one bit an input: an edge counts, not the level"},
};
#define INVERTS                                                   \
	{"invert_a", 0, 15, "one bit an input: it is inverted"},  \
		{"invert_b", 16, 19, "of the second stage"},      \
		{"invert_c", 20, 21, "of the third stage"},       \
		{"invert_d", 22, 22, "of the last stage"},        \
	{                                                         \
		"threshold_enable", 23, 23, "the threshold holds" \
	}
static const struct tacho_oa_field start_logic[] = {
	INVERTS,
	{"event_select", 28, 31, "which events start"},
};
static const struct tacho_oa_field report_logic[] = {
	INVERTS,
	{"report_trigger_enable", 31, 31, "a report is written"},
};
#define SELECT(input, low)                                     \
	{                                                      \
		"noa_" #input, low, (low) + 3, "signal of NOA" \
	}
static const struct tacho_oa_field selects_high[] = {
	SELECT(8, 0),	SELECT(9, 4),	SELECT(10, 8),	SELECT(11, 12),
	SELECT(12, 16), SELECT(13, 20), SELECT(14, 24), SELECT(15, 28),
};
static const struct tacho_oa_field selects_low[] = {
	SELECT(0, 0),  SELECT(1, 4),  SELECT(2, 8),  SELECT(3, 12),
	SELECT(4, 16), SELECT(5, 20), SELECT(6, 24), SELECT(7, 28),
};
static const struct tacho_oa_field comparator[] = {
	{"compare", 0, 2, "how the input is compared with the value", comparisons},
	{"value", 3, 18, "that the input is compared with"},
	{"source", 19, 20, "the input", sources},
};
static const struct tacho_oa_field comparator_mask[] = {
	{"mask", 0, 15, "of the input's 16 bits"},
	{"consider", 16, 31, "which of the bits are considered"},
};
static const struct tacho_oa_field flex[] = {
	{"event0", 0, 3, "what the first of the two counters counts", increments},
	{"coarse0", 4, 7, "its filter of stages and rows", coarses},
	{"fine0", 8, 11, "its filter of instructions and EUs", fines},
	{"event1", 12, 15, "what the second of the two counters counts", increments},
	{"coarse1", 16, 19, "its filter of stages and rows", coarses},
	{"fine1", 20, 23, "its filter of instructions and EUs", fines},
};

/* A register without a number, and one of the triggers' eight. */
#define ONE(name, address, first, last, fields, text)                      \
	{                                                                  \
		name, address, 0, 0, 1, first, last, UNKNOWN, fields, text \
	}
#define TRIGGER(name, number, address, fields, text)                                 \
	{                                                                            \
		name, address, 0, number, 1, G75, G11, UNKNOWN, FIELDS(fields), text \
	}

const struct tacho__oa_register_row tacho__oa_register_rows[] = {
	{"OAPERF_A%u", 0x2800, 4, 0, 45, G75, G75, UNKNOWN, NO_FIELDS, "aggregating counter"},
	{"OAPERF_A%u", 0x2800, 8, 0, 32, G8, G11, KEPT, NO_FIELDS,
	 "aggregating counter, lower 32 bits"},
	{"OAPERF_A%u_UPPER", 0x2804, 8, 0, 32, G8, G11, KEPT, NO_FIELDS,
	 "aggregating counter, upper 8 bits"},
	{"OAPERF_A%u", 0x2900, 4, 32, 4, G8, G11, KEPT, NO_FIELDS, "aggregating counter"},
	{"OAPERF_B%u", 0x2920, 4, 0, 8, G8, G11, KEPT, NO_FIELDS, "boolean counter"},
	{"OAPERF_C%u", 0x2940, 4, 0, 8, G8, G11, UNKNOWN, NO_FIELDS, "counter of routed events"},
	ONE("GPU_TICKS", 0x2910, G8, G11, NO_FIELDS, "clocks of the GPU's core"),
	ONE("OAPERF_A4_FREE", 0x2960, G8, G11, NO_FIELDS, "A4 that never stops, lower 32 bits"),
	ONE("OAPERF_A4_FREE_UPPER", 0x2964, G8, G11, NO_FIELDS, "its upper 8 bits"),
	ONE("OAPERF_A6_FREE", 0x2968, G8, G11, NO_FIELDS, "A6 that never stops, lower 32 bits"),
	ONE("OAPERF_A6_FREE_UPPER", 0x296c, G8, G11, NO_FIELDS, "its upper 8 bits"),
	ONE("OAPERF_A19_FREE", 0x2970, G8, G11, NO_FIELDS, "A19 that never stops, lower 32 bits"),
	ONE("OAPERF_A19_FREE_UPPER", 0x2974, G8, G11, NO_FIELDS, "its upper 8 bits"),
	ONE("OAPERF_A20_FREE", 0x2978, G8, G11, NO_FIELDS, "A20 that never stops, lower 32 bits"),
	ONE("OAPERF_A20_FREE_UPPER", 0x297c, G8, G11, NO_FIELDS, "its upper 8 bits"),
	{"OAG_PERF_A%u", 0xd980, 8, 0, 32, G12, G125, UNKNOWN, NO_FIELDS,
	 "aggregating counter, lower 32 bits"},
	{"OAG_PERF_A%u_UPPER", 0xd984, 8, 0, 32, G12, G125, UNKNOWN, NO_FIELDS,
	 "aggregating counter, upper 8 bits"},
	{"OAG_PERF_A%u", 0xda80, 4, 32, 4, G12, G125, UNKNOWN, NO_FIELDS, "aggregating counter"},
	{"OAG_PERF_A%u", 0xdb20, 8, 36, 2, G12, G125, UNKNOWN, NO_FIELDS, "aggregating counter"},
	ONE("OAG_GPU_TICKS", 0xda90, G12, G125, NO_FIELDS, "clocks of the GPU's core"),
	{"OAG_PERF_B%u", 0xda94, 4, 0, 8, G12, G125, UNKNOWN, NO_FIELDS, "boolean counter"},
	{"OAG_PERF_C%u", 0xdab4, 4, 0, 8, G12, G125, UNKNOWN, NO_FIELDS,
	 "counter of routed events"},
	ONE("PERFCNT1", 0x91b8, G75, G75, NO_FIELDS, "44-bit counter that is in no report"),
	ONE("PERFCNT2", 0x91c0, G75, G75, NO_FIELDS, "44-bit counter that is in no report"),

	ONE("OACONTROL", 0x2360, G75, G75, FIELDS(control_gen7_5), "what is counted and reported"),
	ONE("OACONTROL", 0x2b00, G8, G11, FIELDS(control_gen8), "what is counted and reported"),
	ONE("OAG_OACONTROL", 0xdaf4, G12, G125, FIELDS(control_gen12),
	    "what is counted and reported"),
	ONE("OAR_OACONTROL", 0x2960, G12, G125, FIELDS(control_oar), "the same for one context"),
	ONE("OAR_OASTATUS", 0x2968, G12, G125, NO_FIELDS, "the unit's state for one context"),
	ONE("OACTXCONTROL", 0x2360, G8, G11, FIELDS(context_control), "the timer"),
	ONE("OAG_OAGLBCTXCTRL", 0x2b28, G12, G125, FIELDS(context_control), "the timer"),
	ONE("OACTXID", 0x2364, G8, G11, NO_FIELDS, "the only context that counts"),
	ONE("OASTATUS1", 0x2364, G75, G75, NO_FIELDS, "tail of the buffer, and the unit's state"),
	ONE("OASTATUS2", 0x2368, G75, G75, NO_FIELDS, "head of the buffer"),
	ONE("OASTATUS", 0x2b08, G8, G11, FIELDS(status_gen8), "the unit's state"),
	ONE("OAG_OASTATUS", 0xdafc, G12, G125, FIELDS(status_gen12), "the unit's state"),
	ONE("OAHEADPTR", 0x2b0c, G8, G11, NO_FIELDS, "where the reader is in the buffer"),
	ONE("OAG_OAHEADPTR", 0xdb00, G12, G125, NO_FIELDS, "where the reader is in the buffer"),
	ONE("OATAILPTR", 0x2b10, G8, G11, NO_FIELDS, "where the GPU writes in the buffer"),
	ONE("OAG_OATAILPTR", 0xdb04, G12, G125, NO_FIELDS, "where the GPU writes in the buffer"),
	ONE("OABUFFER", 0x23b0, G75, G75, NO_FIELDS, "the ring of reports in memory"),
	ONE("OABUFFER", 0x2b14, G8, G11, FIELDS(buffer_gen8), "the ring of reports in memory"),
	ONE("OABUFFER_UDW", 0x23b4, G8, G11, NO_FIELDS, "upper 32 bits of its address"),
	ONE("OAG_OABUFFER", 0xdb08, G12, G125, FIELDS(buffer_gen8),
	    "the ring of reports in memory"),
	ONE("OA_DEBUG", 0x2b04, G8, G11, NO_FIELDS, "which reports the unit leaves out"),
	ONE("OAG_OA_DEBUG", 0xdaf8, G12, G125, NO_FIELDS, "which reports the unit leaves out"),

	TRIGGER("OASTARTTRIG%u", 1, 0x2710, threshold, "start trigger 1: threshold"),
	TRIGGER("OASTARTTRIG%u", 2, 0x2714, start_logic, "start trigger 1: logic"),
	TRIGGER("OASTARTTRIG%u", 3, 0x2718, selects_high, "start trigger 1: inputs 8 to 15"),
	TRIGGER("OASTARTTRIG%u", 4, 0x271c, selects_low, "start trigger 1: inputs 0 to 7"),
	TRIGGER("OASTARTTRIG%u", 5, 0x2720, threshold, "start trigger 2: threshold"),
	TRIGGER("OASTARTTRIG%u", 6, 0x2724, start_logic, "start trigger 2: logic"),
	TRIGGER("OASTARTTRIG%u", 7, 0x2728, selects_high, "start trigger 2: inputs 8 to 15"),
	TRIGGER("OASTARTTRIG%u", 8, 0x272c, selects_low, "start trigger 2: inputs 0 to 7"),
	TRIGGER("OAREPORTTRIG%u", 1, 0x2740, report_threshold, "report trigger 1: threshold"),
	TRIGGER("OAREPORTTRIG%u", 2, 0x2744, report_logic, "report trigger 1: logic"),
	TRIGGER("OAREPORTTRIG%u", 3, 0x2748, selects_high, "report trigger 1: inputs 8 to 15"),
	TRIGGER("OAREPORTTRIG%u", 4, 0x274c, selects_low, "report trigger 1: inputs 0 to 7"),
	TRIGGER("OAREPORTTRIG%u", 5, 0x2750, report_threshold, "report trigger 2: threshold"),
	TRIGGER("OAREPORTTRIG%u", 6, 0x2754, report_logic, "report trigger 2: logic"),
	TRIGGER("OAREPORTTRIG%u", 7, 0x2758, selects_high, "report trigger 2: inputs 8 to 15"),
	TRIGGER("OAREPORTTRIG%u", 8, 0x275c, selects_low, "report trigger 2: inputs 0 to 7"),
	{"OACEC%u_0", 0x2770, 8, 0, 8, G75, G11, UNKNOWN, FIELDS(comparator),
	 "comparator of a boolean counter"},
	{"OACEC%u_1", 0x2774, 8, 0, 8, G75, G11, UNKNOWN, FIELDS(comparator_mask),
	 "its input's bits"},
	{"EU_PERF_CNTL%u", 0xe458, 0x100, 0, 4, G8, G12, UNKNOWN, FIELDS(flex),
	 "flexible EU events, two in a register"},
	{"EU_PERF_CNTL%u", 0xe45c, 0x100, 4, 3, G8, G12, UNKNOWN, FIELDS(flex),
	 "flexible EU events, two in a register"},
	ONE("NOA_WRITE", 0x9888, G75, G12, NO_FIELDS, "programs the network that routes events"),
};

const size_t tacho__oa_register_row_count = TACHO__ARRAY_SIZE(tacho__oa_register_rows);
