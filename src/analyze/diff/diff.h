/* SPDX-License-Identifier: MIT */
/* A comparison while it is made, shared by its files: diff.c diff_read.c compare.c
 * judge.c warnings.c. */
#ifndef TACHO_ANALYZE_DIFF_DIFF_H
#define TACHO_ANALYZE_DIFF_DIFF_H

#include "analyze/counted.h"
#include "analyze/diff/statistics.h"
#include "analyze/diff/wander.h"
#include "analyze/sentences.h"
#include "analyze/summary.h"
#include "base/pattern.h"
#include "tacho/diff.h"

enum {
	TACHO__DIFF_TIME = 0,
	TACHO__DIFF_TOTAL,
	TACHO__DIFF_COUNT,
	TACHO__DIFF_OTHERS, /* bytes of transfers, counters */
};

/* A measure of a line in one run. */
struct tacho__diff_cell {
	uint64_t count, measured, kept;
	double value; /* of what was kept the median, or with more runs the middle mean; or the sum
		       */
	double gap;   /* the smallest distance of two values; 0: they are all the same */
	uint8_t state;
	uint8_t has_value;
	struct tacho__wander wander;
	const char *reason;
};

/* How a measure of a line is tested. */
struct tacho__diff_test {
	struct tacho__estimate estimate; /* known where the verdict is more than too few values */
	bool is_log;			 /* of logarithms */
};

struct tacho__diff_line {
	struct tacho_diff_line line;
	struct tacho_diff_measure *measures;
	struct tacho__diff_test *tests;
	struct tacho__diff_cell *cells; /* run by run, a cell for each measure */
	struct tacho__sampled *sampled; /* of the run that is being read */
	double total_ns[2];		/* over all runs of a side */
	double items[2];		/* work-items of its launches */
	uint64_t sized[2];		/* launches with a known number of them */
};

/* What a measure is, the same in all lines. */
struct tacho__diff_kind {
	const char *name, *unit;
	uint32_t is_simulated;
	uint32_t is_in[2];   /* counters: sides that asked for it */
	uint32_t has_no_sum; /* of its instances, which is what is compared */
};

struct tacho__diff_run {
	struct tacho_recording *recording;
	enum tacho_diff_side side;
	struct tacho_summary_totals totals;
	uint64_t lost_calls;
	const char *devices; /* with their drivers */
	uint32_t has_busy;
	bool has_sums;	  /* and no rows */
	bool has_unknown; /* a device may have been busy with commands that have no times */
	uint64_t busy_ns, idle_ns;
	size_t *counters; /* of the recording's counters: the measure */
	size_t counter_count;
};

/* What a kernel of a side is called in the comparison. */
struct tacho__diff_alias {
	const char *line;   /* the name of its line, which is that of A */
	const char *name_b; /* "": the same */
	enum tacho_diff_match match;
};

/* Of each side: the names that stand for others. */
struct tacho__diff_aliases {
	struct tacho__names by_name[2];
	struct tacho__pattern *patterns[2]; /* of the pairs */
	const struct tacho_diff_pair *pairs;
	size_t pair_count;
};

struct tacho_diff {
	enum tacho_summary_key key;
	bool by_name;
	bool is_paired;	  /* run i of A and run i of B are a pair */
	bool is_of_means; /* some runs have sums only: what a launch took is the mean in all */
	double level, run_effect;
	size_t value_limit;
	struct tacho__diff_run *runs; /* those of A first */
	size_t run_count, side_runs[2];
	struct tacho__diff_kind *kinds;
	size_t kind_count, kind_capacity;
	struct tacho__names kinds_by_name;
	struct tacho__diff_line **lines;
	size_t line_count, line_capacity;
	struct tacho__names lines_by_text;
	struct tacho__diff_aliases aliases;
	struct tacho_diff_totals totals[2];
	struct tacho__sentences warnings;
	struct tacho__arena arena;
	struct tacho__buf scratch;
};

static inline struct tacho__diff_cell *tacho__diff_get_cell(const struct tacho_diff *diff,
							    const struct tacho__diff_line *line,
							    size_t run, size_t measure)
{
	return &line->cells[run * diff->kind_count + measure];
}

/* The other run of its pair, where runs are paired. */
static inline size_t tacho__diff_get_partner(const struct tacho_diff *diff, size_t run)
{
	size_t pairs = diff->side_runs[TACHO_DIFF_A];

	return run < pairs ? run + pairs : run - pairs;
}

/* Whether each side has the runs that a difference needs to be one. */
static inline bool tacho__diff_has_runs(const struct tacho_diff_measure *measure)
{
	return measure->sides[TACHO_DIFF_A].runs > 1 && measure->sides[TACHO_DIFF_B].runs > 1;
}

/* diff_read.c: the measures that the recordings have. NOMEM. */
int tacho__diff_list_kinds(struct tacho_diff *diff);
/* Reads a recording into the cells of its run. */
int tacho__diff_read_run(struct tacho_diff *diff, size_t run);
/* The line of that name and device, which is new perhaps; NULL: NOMEM. */
struct tacho__diff_line *tacho__diff_get_line(struct tacho_diff *diff, enum tacho_diff_side side,
					      const char *name, const char *device);

/*
 * diff_sums.c: which runs have sums only; with some, lines match by name. UNSUPPORTED: they have
 * none that can be compared by the key.
 */
int tacho__diff_look_for_sums(struct tacho_diff *diff);
/* The same as tacho__diff_read_run() of such a run. */
int tacho__diff_read_sums(struct tacho_diff *diff, size_t run);

/*
 * aliases.c: takes the pairs; and by the options, finds kernels by their place. Before a run is
 * read. INVAL: a pattern that cannot be; NOMEM, and what reading a recording can end with.
 */
int tacho__diff_find_aliases(struct tacho_diff *diff, const struct tacho_diff_options *options);
/* What a kernel is called; NULL: as it is, unless *out_rc is NOMEM. */
const struct tacho__diff_alias *tacho__diff_get_alias(struct tacho_diff *diff,
						      enum tacho_diff_side side, const char *name,
						      int *out_rc);
int tacho__diff_add_alias(struct tacho_diff *diff, enum tacho_diff_side side, const char *name,
			  const struct tacho__diff_alias *alias);
void tacho__diff_finish_aliases(struct tacho__diff_aliases *aliases);

/*
 * places.c: gives kernels of B that have another name in A that one, as the order of launches says:
 * of the process that launches first, in the first run of each side. As
 * tacho__diff_find_aliases().
 */
int tacho__diff_find_places(struct tacho_diff *diff);
/* Whether the first launches of the sides are on devices of other names. */
int tacho__diff_has_other_devices(struct tacho_diff *diff, bool *out_has);

/* compare.c: all measures of all lines. NOMEM. */
int tacho__diff_compare(struct tacho_diff *diff);

/* judge.c: all lines of a measure. NOMEM. */
int tacho__diff_judge(struct tacho_diff *diff, size_t measure);

/* warnings.c: what does not fit together. NOMEM. */
int tacho__diff_warn(struct tacho_diff *diff);

/* A copy of the text that lives as long as the comparison, in one printable line. NULL: no memory.
 */
const char *tacho__diff_text(struct tacho_diff *diff, const char *text);
int tacho__diff_fail_memory(void);

#endif
