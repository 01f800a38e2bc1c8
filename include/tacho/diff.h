/* SPDX-License-Identifier: MIT */
/*
 * Two recordings, or two groups of them, compared: what changed from A to B by more than noise.
 *
 * Lines are those of summaries (summary.h), found again by their name and device. Each has
 * measures: the time of a launch, the total, the count, and the counters that were recorded. The
 * run is the unit: each gives one number, and those of A are compared with those of B by a t test;
 * of runs that were taken in pairs the ratios are.
 * All lines of a measure are judged together, with what they have in common, and their intervals
 * hold together: a verdict is whether its interval holds 0. With one run on a side nothing differs
 * for sure: its launches say nothing of other runs. The interval then is one of what the run did
 * over its own length and of what runs are taken to differ by. docs/diff.md tells why.
 *
 * A number that is not known is never taken for 0.
 */
#ifndef TACHO_DIFF_H
#define TACHO_DIFF_H

#include <tacho/sink.h>
#include <tacho/summary.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tacho_diff;

enum tacho_diff_side { TACHO_DIFF_A = 0, TACHO_DIFF_B = 1 };

/* When kernels that one side lacks are matched by their place in the order of launches. */
enum tacho_diff_places {
	TACHO_DIFF_PLACES_NEVER = 0,
	TACHO_DIFF_PLACES_ALWAYS = 1,
	/* Where A and B launched on devices of other names; and then lines match whatever device
	 * they are on, as by_name. */
	TACHO_DIFF_PLACES_OTHER_DEVICES = 2
};

/* Kernels that are the same, though they have other names: names, globs or "regex:RE". */
struct tacho_diff_pair {
	const char *a, *b;
};

struct tacho_diff_options {
	size_t size;		    /* sizeof(struct tacho_diff_options) */
	enum tacho_summary_key key; /* KERNEL, API, QUEUE, TRANSFER or RANGE */
	int by_name;		    /* lines match whatever device they are on */
	double level;		    /* a difference is one when its p is below; 0: 0.05 */
	uint64_t value_limit;	    /* values kept of a line and counter; 0: 4096 */
	double run_effect; /* one run a side: what runs are taken to differ by, in parts; 0: 0.03 */
	enum tacho_diff_places places; /* of kernels */
	/* Of kernels, borrowed: all of A that fit the one and all of B that fit the other are a
	 * line, whatever device they are on. The first that fits counts. */
	const struct tacho_diff_pair *pairs;
	size_t pair_count;
	/* Recording i of A and recording i of B were made in turns, as a pair, and are compared as
	 * one: what slowed both down falls away. Takes as many of B as of A. */
	int paired;
};

/* How a line of A was found again in B. */
enum tacho_diff_match {
	TACHO_DIFF_MATCH_NAME = 0,  /* by its name */
	TACHO_DIFF_MATCH_PLACE = 1, /* by its place in the order of launches: B has another name */
	TACHO_DIFF_MATCH_PAIR = 2   /* as struct tacho_diff_options says */
};

/* "name", "place", "pair". Static. */
TACHO_API const char *tacho_diff_match_to_string(enum tacho_diff_match match);

/* What can be said of a measure. */
enum tacho_diff_verdict {
	TACHO_DIFF_UNKNOWN = 0, /* a side has no number, or one that is known to be wrong */
	TACHO_DIFF_FEW = 1,	/* too few values for an interval */
	TACHO_DIFF_SAME = 2,	/* all values are the same number */
	TACHO_DIFF_NOISE = 3,	/* the interval holds 0 */
	TACHO_DIFF_DRIFT = 4,	/* as UNSURE, and a run rose or fell over its own length */
	TACHO_DIFF_DIFFERS = 5, /* the interval does not hold 0; exact numbers: not equal */
	TACHO_DIFF_UNSURE = 6	/* so, but a side has one run, which is no proof */
};

/* "unknown", "few", "same", "noise", "drift", "differs", "unsure". Static. */
TACHO_API const char *tacho_diff_verdict_to_string(enum tacho_diff_verdict verdict);

/* A measure on one side. */
struct tacho_diff_value {
	double value; /* one a side: the median, or the sum; more: the mean over runs */
	uint32_t has_value;
	uint32_t runs;	    /* recordings with a value */
	uint64_t count;	    /* launches, calls or commands that can have it, of all runs */
	uint64_t measured;  /* of these, those that have it */
	uint64_t kept;	    /* of these, those that were looked at: the rest is over the limit */
	uint8_t state;	    /* the worst, with marks; not ok without value */
	const char *reason; /* why something is missing; "" */
};

struct tacho_diff_measure {
	const char *name; /* "time", "total", "count", "bytes", or that of a counter */
	const char *unit; /* "nanoseconds", "bytes", ...; "" when it has none */
	uint32_t is_counter, is_simulated;
	struct tacho_diff_value sides[2];
	enum tacho_diff_verdict verdict;
	uint32_t is_in_drift;	 /* a run rose or fell over its length */
	uint32_t has_difference; /* both sides have a value */
	double difference;	 /* B - A */
	uint32_t has_change;	 /* A is not 0 */
	double change;		 /* difference / A: 0.05 is 5 % more */
	uint32_t has_interval;
	double low, high; /* of change; those of all lines hold with confidence 1 - level */
	uint32_t has_p;
	double p, adjusted_p; /* alone, and among the lines of this measure */
	uint32_t together;    /* lines that were judged with it, itself as well */
};

struct tacho_diff_line {
	const char *name;
	const char *device; /* "" where it has no meaning, or where devices are not told apart */
	uint32_t is_in[2];  /* the sides that have it */
	size_t measure_count;
	const struct tacho_diff_measure *measures; /* time, total, count, then others */
	enum tacho_diff_match match;
	const char *name_b; /* its name in B; "" where that is `name` */
};

/* The whole runs of a side: means over the runs that know it. */
struct tacho_diff_totals {
	uint32_t runs;
	uint32_t has_wall, has_busy;
	double wall_ns, busy_ns, api_ns;
	double calls, launches, transfers;
	double idle_ns; /* of devices, between the first start and the last end; with busy_ns */
	/* Of these runs api_ns, calls, launches and transfers are means; those that have sums only
	 * (sums.h) do not tell them. */
	uint32_t has_calls;
};

/*
 * Reads all recordings, which must stay open as long as the result. `options` may be NULL.
 * Owned; free with tacho_diff_destroy(). INVAL: no recording on a side, pairs of which one lacks
 * the other, or a key that cannot be compared. UNSUPPORTED: a recording has sums only, and none of
 * that key, or its launches are to be matched by place. IO, NOMEM.
 */
TACHO_API int tacho_diff_create(struct tacho_recording *const *a, size_t a_count,
				struct tacho_recording *const *b, size_t b_count,
				const struct tacho_diff_options *options,
				struct tacho_diff **out_diff);
/* The recordings stay as they are. NULL does nothing. */
TACHO_API void tacho_diff_destroy(struct tacho_diff *diff);

/*
 * Lines that both sides have, the largest difference of totals first; then those of A alone and of
 * B alone, longest first. NULL past the last. Borrowed.
 */
TACHO_API const struct tacho_diff_line *tacho_diff_get_line(const struct tacho_diff *diff,
							    size_t index);

/* Whether lines were matched whatever device they are on. */
TACHO_API int tacho_diff_is_by_name(const struct tacho_diff *diff);

/* Sums of whole runs of a side, A or B. Borrowed. */
TACHO_API const struct tacho_diff_totals *tacho_diff_get_totals(const struct tacho_diff *diff,
								enum tacho_diff_side side);

/* Name of measure `index`, the same in all lines; NULL past the last. Borrowed. */
TACHO_API const char *tacho_diff_get_measure_name(const struct tacho_diff *diff, size_t index);

/*
 * Why the sides may not be comparable: one sentence each, with the facts. NULL past the last.
 * Borrowed.
 */
TACHO_API const char *tacho_diff_get_warning(const struct tacho_diff *diff, size_t index);

/*
 * One number of each run that is in no recording, such as its wall time as somebody else took it:
 * how the sides differ, as of a line that is tested alone. `level` 0: 0.05. The texts of
 * *out_measure are "". INVAL: a side has no number, or one that is not finite.
 */
TACHO_API int tacho_diff_compare_numbers(const double *a, size_t a_count, const double *b,
					 size_t b_count, double level,
					 struct tacho_diff_measure *out_measure);

/*
 * The same of runs in pairs: a[i] and b[i] are of the runs of pair i.
 */
TACHO_API int tacho_diff_compare_pairs(const double *a, const double *b, size_t pair_count,
				       double level, struct tacho_diff_measure *out_measure);

/*
 * Whether "time" is the mean of launches in all runs, in place of their median or middle: some of
 * the recordings have sums only (sums.h), and tell no more. With one run a side there is no
 * interval then.
 */
TACHO_API int tacho_diff_is_of_means(const struct tacho_diff *diff);

/* Whether runs were compared in pairs: tacho_diff_options.paired, with two pairs or more. */
TACHO_API int tacho_diff_is_paired(const struct tacho_diff *diff);

/*
 * Gives a page for browsers to the sink, in pieces: the runs above each other on one scale of time,
 * and what changed (docs/html.md). Of several recordings a side the first one is drawn. The
 * recordings must be open still. IO, also when the sink failed; NOMEM.
 */
TACHO_API int tacho_diff_export_to(const struct tacho_diff *diff, const struct tacho_sink *sink);

#ifdef __cplusplus
}
#endif

#endif
