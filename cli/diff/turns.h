/* SPDX-License-Identifier: MIT */
/* tacho diff --run: programs that are recorded in turns, to be compared. */
#ifndef TACHO_CLI_TURNS_H
#define TACHO_CLI_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tacho/diff.h>

#include "count.h"
#include "diff/command_line.h"
#include "diff/group.h"
#include "diff/turns_place.h"
#include "record/bounds.h"
#include "record/progress.h"
#include "table.h"

/* What the options say. */
struct cli_turns_settings {
	uint64_t pairs, warmup, seed; /* UINT64_MAX: not given */
	const char *until, *output;
	struct cli_texts prepare;
	bool ignores_failures, shows_output, by_shell, is_quiet;
};

enum cli_turns_end {
	CLI_TURNS_ALL,	  /* as many pairs as were asked for */
	CLI_TURNS_NARROW, /* the intervals were narrow enough */
	CLI_TURNS_STOPPED /* by a signal */
};

/* One that was completed. */
struct cli_turns_run {
	unsigned side;
	uint64_t pair; /* from 1 */
	uint64_t wall_ns;
	int status; /* of the program */
};

struct cli_turns {
	const struct cli_turns_settings *settings;
	const struct cli_count_choice *counting;
	struct cli_bounds *bounds;
	const struct tacho_diff_options *comparing; /* for `until` */
	bool overwrite;
	/* What these come to. */
	struct cli_command_line lines[2]; /* of one program alone: both are it */
	bool is_alone;
	uint64_t warmup, seed, max_bytes;
	double until; /* half of an interval, in parts of A; 0: not asked for */
	struct cli_count *count;
	struct cli_turns_place place;
	/* What came of it. */
	struct cli_turns_run *runs;
	size_t run_count;
	uint64_t pair_count; /* complete ones */
	enum cli_turns_end end;
	int signal;  /* that stopped it; 0 */
	double half; /* of the widest interval, when it was looked at last; < 0: not known */
	uint64_t next_look;
	bool was_told[2]; /* warnings before the start */
	struct cli_progress line;
	char title[64];
};

/*
 * Runs them, and opens their recordings into the groups. OK also when a signal stopped it and each
 * side has a recording; otherwise the status of the command, and why was said.
 */
int cli_turns_run(struct cli_turns *turns, char *const *operands, size_t operand_count,
		  struct cli_diff_group groups[2]);
/* Behind the recordings' last use. False: a folder could not be removed, which was said. */
bool cli_turns_finish(struct cli_turns *turns);

/* Which side has the first turn of a pair; the same on all machines. */
unsigned cli_turns_get_first(uint64_t seed, uint64_t pair);

/* Wall times of a side; a deviation of less than two is NAN. */
struct cli_turns_wall {
	size_t count;
	double mean_ns, deviation_ns, min_ns, max_ns;
};
void cli_turns_get_wall(const struct cli_turns *turns, unsigned side,
			struct cli_turns_wall *out_wall);

/* A row for each side. To be finished. */
void cli_turns_fill_table(const struct cli_turns *turns, struct cli_table *out_table);
/* How the runs came about. Owned. */
char *cli_turns_describe(const struct cli_turns *turns);
/*
 * A text about recordings, without the name of a folder that goes: "a/1.tacho". `turns` may be
 * NULL. Owned.
 */
char *cli_turns_shorten(const struct cli_turns *turns, const char *text);
void cli_turns_add_json(const struct cli_turns *turns, struct tacho_json *json);

/* How the wall times differ. OK or the class of the failure, which was said. */
int cli_turns_compare_wall(const struct cli_turns *turns, double level,
			   struct tacho_diff_measure *out_measure);

/*
 * Half of the widest interval among lines that together have nine tenths of the time; < 0: not
 * known of one of them.
 */
double cli_turns_get_half(const struct tacho_diff *diff);

#endif
