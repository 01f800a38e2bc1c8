/* SPDX-License-Identifier: MIT */
/*
 * Intel OA: reports as the GPU writes them, what was counted between two of them, and the registers
 * that choose what is counted.
 */
#ifndef TACHO_OA_H
#define TACHO_OA_H

#include <stddef.h>
#include <stdint.h>

#include <tacho/export.h>
#include <tacho/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Generations whose reports differ: ten times the graphics version, as drivers write it. */
enum tacho_oa_gen {
	TACHO_OA_GEN7_5 = 75,	/* Haswell */
	TACHO_OA_GEN8 = 80,	/* Broadwell, Cherryview, Braswell */
	TACHO_OA_GEN9 = 90,	/* Skylake, Broxton, Kaby Lake, Gemini Lake, Coffee Lake */
	TACHO_OA_GEN11 = 110,	/* Cannon Lake, Ice Lake, Elkhart Lake */
	TACHO_OA_GEN12 = 120,	/* Tiger Lake, Rocket Lake, DG1, Alder Lake */
	TACHO_OA_GEN12_5 = 125, /* DG2, Meteor Lake, Arrow Lake */
	TACHO_OA_XE2 = 200,	/* Lunar Lake, Battlemage and later */
};

/*
 * By the name of a generation ("gen8", "xe2") or of an architecture ("chv", "sklgt2"), case
 * ignored. NOTFOUND.
 */
TACHO_API int tacho_oa_gen_find(const char *name, enum tacho_oa_gen *out_gen);
/* "gen8"; "" for a number that is none. Static. */
TACHO_API const char *tacho_oa_gen_to_string(enum tacho_oa_gen gen);

/* No report has more values: timestamp, clock, 64 PEC, 8 B, 8 C. */
enum { TACHO_OA_VALUE_MAX = 82 };

/* A report's layout. */
struct tacho_oa_format {
	const char *name;   /* as drivers call it: "A32u40_A4u32_B8_C8" */
	uint32_t i915_id;   /* enum drm_i915_oa_format; 0: i915 has no such format */
	uint32_t xe_format; /* DRM_XE_OA_PROPERTY_OA_FORMAT; UINT32_MAX: xe has none */
	uint32_t size_bytes;
	enum tacho_oa_gen gen_first, gen_last; /* that write it */
	uint32_t value_count; /* of tacho_oa_report.values; 0 is the timestamp, 1 the clock */
	const char *caveat;   /* what is not certain about the layout; "" */
};

/* In a fixed order; NULL past the last. Static, as is what the functions below return. */
TACHO_API const struct tacho_oa_format *tacho_oa_format_get(size_t index);
/*
 * By name, case ignored, as a generation writes it; gen 0: the first of this name. NOTFOUND lists
 * the names.
 */
TACHO_API int tacho_oa_format_find(const char *name, enum tacho_oa_gen gen,
				   const struct tacho_oa_format **out_format);
/* By a driver's number; NULL when the generation has no such format. */
TACHO_API const struct tacho_oa_format *tacho_oa_format_find_i915(uint32_t id,
								  enum tacho_oa_gen gen);
/* The same for the number that the driver xe has for it. */
TACHO_API const struct tacho_oa_format *tacho_oa_format_find_xe(uint64_t xe_format,
								enum tacho_oa_gen gen);
/* The format that every tool uses on a generation. */
TACHO_API const struct tacho_oa_format *tacho_oa_format_get_usual(enum tacho_oa_gen gen);

/* One of a format's values. */
struct tacho_oa_counter {
	char name[16];	       /* as the catalog calls it: "GPU_TIME", "GPU_CLOCK", "A7", "PEC63" */
	char block[4];	       /* "A", "B", "C", "PEC", "R"; "" for time and clock */
	uint32_t number;       /* in the block */
	uint32_t width_bits;   /* 0: reports of this format have no such value (the clock) */
	uint32_t is_undefined; /* it moves, but nobody says what it counts */
};

/* Value `index`; INVAL past the last. */
TACHO_API int tacho_oa_format_get_counter(const struct tacho_oa_format *format, size_t index,
					  struct tacho_oa_counter *out_counter);
/* The index of a value by its name; -1 when the format does not have it. */
TACHO_API int tacho_oa_format_find_counter(const struct tacho_oa_format *format, const char *name);

/* A report's contents, each value as wide as its counter. */
struct tacho_oa_report {
	uint32_t id;	  /* its meaning depends on the source: see below */
	uint32_t context; /* TACHO_OA_NO_CONTEXT: none, or one that the kernel hides */
	uint64_t values[TACHO_OA_VALUE_MAX];
};

#define TACHO_OA_NO_CONTEXT UINT32_MAX

/* PARSE when there are fewer bytes than a report has. More are left alone. */
TACHO_API int tacho_oa_report_decode(const struct tacho_oa_format *format, const void *bytes,
				     size_t size, struct tacho_oa_report *out_report);
/*
 * 1 for a report that had not landed in memory when it was read: from the OA buffer it has a
 * reason in its id, which then is not 0. Not for MI_REPORT_PERF_COUNT, whose caller may choose 0.
 */
TACHO_API int tacho_oa_report_is_empty(const struct tacho_oa_report *report);

/* What made the GPU write a report. */
enum tacho_oa_source {
	TACHO_OA_SOURCE_PERIODIC, /* the OA unit by itself: timer, triggers, switches */
	TACHO_OA_SOURCE_MI_RPC,	  /* the command MI_REPORT_PERF_COUNT */
};

/* Several may be set. */
enum {
	TACHO_OA_REASON_TIMER = 0x01,
	TACHO_OA_REASON_TRIGGER1 = 0x02,
	TACHO_OA_REASON_TRIGGER2 = 0x04,
	TACHO_OA_REASON_CONTEXT_SWITCH = 0x08,
	TACHO_OA_REASON_GO = 0x10,	     /* the GO bit fell: the GPU goes to RC6 */
	TACHO_OA_REASON_CLOCK_RATIO = 0x20,  /* the slice or unslice clock changes; Gen9 */
	TACHO_OA_REASON_MMIO_TRIGGER = 0x40, /* Gen12.5 */
};

enum tacho_oa_known {
	TACHO_OA_UNKNOWN = 0, /* the generation or the source does not say it */
	TACHO_OA_NO = 1,
	TACHO_OA_YES = 2,
};

/* What an id means. */
struct tacho_oa_report_id {
	uint32_t caller_id;	/* of MI_REPORT_PERF_COUNT */
	uint32_t reasons;	/* TACHO_OA_REASON_*; 0: not stated */
	uint32_t context_valid; /* enum tacho_oa_known: the context's id is one */
	uint32_t engine;	/* Gen12.5: which engine's; else 0 */
	uint32_t unslice_hz;	/* clocks, in steps of 50/3 MHz; 0: not stated */
	uint32_t slice_hz;
	uint32_t is_slice_certain; /* 0: its lowest bit may mean something else */
};

/* What the first word of a report says, by its generation and who asked for the report. */
TACHO_API void tacho_oa_report_id_decode(uint32_t id, enum tacho_oa_gen gen,
					 enum tacho_oa_source source,
					 struct tacho_oa_report_id *out_id);
/* "timer", "context-switch" ... of one TACHO_OA_REASON bit; "" for others. Static. */
TACHO_API const char *tacho_oa_reason_to_string(uint32_t reason);
/*
 * Haswell's ids have no reason; its timer fires where the timestamp is 2^exponent modulo
 * 2^(exponent + 1): 1 for such a timestamp, with an exponent below 32.
 */
TACHO_API int tacho_oa_is_timer(uint64_t timestamp, uint32_t exponent);

/* What is known about the device: it bounds how far a counter can have come. 0: not known. */
struct tacho_oa_limits {
	uint64_t timestamp_hz; /* of the OA timestamp */
	uint64_t clock_max_hz; /* of the GPU's core */
	uint64_t eu_count;
};

/* Sums of differences; {0} to begin with. */
struct tacho_oa_sums {
	uint64_t values[TACHO_OA_VALUE_MAX];
	uint8_t states[TACHO_OA_VALUE_MAX]; /* enum tacho_state: OK, OVERFLOW, LOST or ABSENT */
	uint64_t interval_count;
};

/*
 * Adds what was counted between two reports. Differences are modulo the counter's width, so one
 * wrap is right. A counter that can have wrapped more than once in the elapsed time gets the state
 * OVERFLOW: no counter grows faster than its width times the clock (see docs/oa.md). elapsed_ticks
 * of the timestamp: 0 takes them from the reports; give them when time is known to have passed more
 * than one wrap of the timestamp. A value that the format does not have is ABSENT. `limits` may be
 * NULL.
 */
TACHO_API void tacho_oa_sums_add(const struct tacho_oa_format *format,
				 const struct tacho_oa_limits *limits,
				 const struct tacho_oa_report *from,
				 const struct tacho_oa_report *to, uint64_t elapsed_ticks,
				 struct tacho_oa_sums *sums);
/* Reports or a buffer were lost in between: the state of every value becomes `state` or worse. */
TACHO_API void tacho_oa_sums_mark(const struct tacho_oa_format *format, enum tacho_state state,
				  struct tacho_oa_sums *sums);

/*
 * Adds what one context did between its own reports `begin` and `end`, written by
 * MI_REPORT_PERF_COUNT, with the help of the OA buffer's reports, oldest first. Those outside of
 * begin and end are passed over. The time after a report belongs to the context that the report
 * names. Gen8 and later; before, the hardware filters: only `begin` and `end` count.
 */
TACHO_API void tacho_oa_sums_add_context(const struct tacho_oa_format *format,
					 enum tacho_oa_gen gen,
					 const struct tacho_oa_limits *limits, uint32_t context,
					 const struct tacho_oa_report *begin,
					 const struct tacho_oa_report *end,
					 const struct tacho_oa_report *reports, size_t count,
					 struct tacho_oa_sums *sums);

/*
 * Flexible EU events, Gen8 to Gen12: A7 to A20 each count what an event of the EUs and two filters
 * choose.
 */
struct tacho_oa_flex {
	uint32_t increment; /* 0 to 15: what is counted */
	uint32_t coarse;    /* 0 to 15: only for threads of a stage or EUs of a row */
	uint32_t fine;	    /* 0 to 15: only for kinds of instructions or EUs of a number */
};

enum {
	TACHO_OA_FLEX_REGISTERS = 7, /* EU_PERF_CNTL0 to 6 */
	TACHO_OA_FLEX_EVENTS = 14,   /* two each */
	TACHO_OA_FLEX_FIRST = 7,     /* event 0 counts in A7 */
};

enum tacho_oa_flex_verdict {
	TACHO_OA_FLEX_VALID,
	TACHO_OA_FLEX_IMPLEMENTATION, /* allowed; what it counts depends on the GPU */
	TACHO_OA_FLEX_UNDEFINED,      /* the filter is listed as allowed and defined nowhere */
	TACHO_OA_FLEX_REFUSED,	      /* outside of what the event supports */
};

/* What an event is good for. */
struct tacho_oa_flex_meaning {
	enum tacho_oa_flex_verdict verdict;
	const char *reason; /* of any verdict but VALID: what is wrong; static */
	/*
	 * The share of busy clocks is count * factor / (EuCoresTotalCount / eu_share * clocks): a
	 * filter of rows or EUs passes one EU in eu_share.
	 */
	uint32_t eu_share;
	/* 8 for the integrator of threads, whose share of thread slots needs / EuThreadsCount too.
	 */
	uint32_t factor;
	const char *caveat; /* static; "" */
};

/* What an event counts, and in which unit. Any event has an answer. */
TACHO_API void tacho_oa_flex_explain(const struct tacho_oa_flex *event,
				     struct tacho_oa_flex_meaning *out_meaning);
/* "valid", "implementation-specific", "undefined", "refused". Static. */
TACHO_API const char *tacho_oa_flex_verdict_to_string(enum tacho_oa_flex_verdict verdict);

/* Event 0 or 1 of a register's value: bits 0 to 11 or 12 to 23. */
TACHO_API struct tacho_oa_flex tacho_oa_flex_decode(uint32_t value, unsigned index);
/* `value` with its event 0 or 1 replaced. */
TACHO_API uint32_t tacho_oa_flex_encode(const struct tacho_oa_flex *event, unsigned index,
					uint32_t value);
/* The register's address of event 0 to 13, and the reverse: EU_PERF_CNTL number; -1: it is none. */
TACHO_API uint32_t tacho_oa_flex_get_address(unsigned event);
/* The number of the EU_PERF_CNTL at an address, from 0; -1 when it is none of them. */
TACHO_API int tacho_oa_flex_find_register(uint32_t address);

/*
 * Words for each part, "" where the encoding is not defined: "fpu0", "vs", "ternary", "none".
 * Static.
 */
TACHO_API const char *tacho_oa_flex_increment_to_string(uint32_t increment);
/* The same for the coarse filter. */
TACHO_API const char *tacho_oa_flex_coarse_to_string(uint32_t coarse);
/* The same for the fine filter. */
TACHO_API const char *tacho_oa_flex_fine_to_string(uint32_t fine);

enum { TACHO_OA_FLEX_TEXT_MAX = 32 };

/* "fpu0/ps/ternary"; undefined encodings as numbers, "0x6". */
TACHO_API void tacho_oa_flex_format(const struct tacho_oa_flex *event,
				    char out_text[TACHO_OA_FLEX_TEXT_MAX]);
/*
 * The reverse: INCREMENT[/COARSE][/FINE] in words or numbers; "none" or nothing passes everything,
 * and a word of the fine filter may follow the increment. PARSE.
 */
TACHO_API int tacho_oa_flex_parse(const char *text, struct tacho_oa_flex *out_event);

/* A word for some bits. */
struct tacho_oa_word {
	uint32_t bits;
	const char *word; /* NULL ends a list */
};

/* Some bits of a register. */
struct tacho_oa_field {
	const char *name;
	uint32_t low, high; /* the first and last bit */
	const char *description;
	const struct tacho_oa_word *words; /* NULL: a number */
};

/* A register of the OA unit, or one that it needs. */
struct tacho_oa_register {
	char name[24];
	uint32_t address;
	enum tacho_oa_gen gen_first, gen_last; /* that have it there */
	const char *description;
	uint32_t is_kept; /* enum tacho_oa_known: the power context has it, so it survives RC6 */
	const struct tacho_oa_field *fields;
	size_t field_count;
};

/* In a fixed order; NOTFOUND past the last. What it points to is static. */
TACHO_API int tacho_oa_register_get(size_t index, struct tacho_oa_register *out_register);
/*
 * By name, case ignored, or by its address as a number; of a generation, 0: of the first that has
 * it. NOTFOUND, with the nearest names in the cure.
 */
TACHO_API int tacho_oa_register_find(const char *name, enum tacho_oa_gen gen,
				     struct tacho_oa_register *out_register);

/* The bits of a field in a register's value, and the value with them replaced: INVAL when they do
 * not fit. */
TACHO_API uint32_t tacho_oa_field_get(const struct tacho_oa_field *field, uint32_t value);
/* Replaces a field's bits in *value. INVAL when they do not fit; *value then stays. */
TACHO_API int tacho_oa_field_set(const struct tacho_oa_field *field, uint32_t bits,
				 uint32_t *value);
/* The word for bits of a field, "" when there is none. Static. */
TACHO_API const char *tacho_oa_field_to_string(const struct tacho_oa_field *field, uint32_t bits);
/* The bits that a word or a number stands for. PARSE lists the words. */
TACHO_API int tacho_oa_field_parse(const struct tacho_oa_field *field, const char *text,
				   uint32_t *out_bits);

#ifdef __cplusplus
}
#endif

#endif
