/* SPDX-License-Identifier: MIT */
/* What `tacho diff` shows. */
#ifndef TACHO_CLI_DIFF_H
#define TACHO_CLI_DIFF_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tacho/diff.h>

#include "diff/group.h"
#include "diff/pairs.h"
#include "diff/turns.h"
#include "options/options.h"

enum cli_diff_sort {
	CLI_DIFF_SORT_IMPACT, /* the order of the library */
	CLI_DIFF_SORT_CHANGE,
	CLI_DIFF_SORT_TIME,
	CLI_DIFF_SORT_P,
	CLI_DIFF_SORT_NAME
};

/* What --fail-if asks. */
struct cli_condition {
	const char *text;
	char *key;
	const char *operator;
	double value;
	bool is_relative;		      /* to A, else a difference in base units */
	const struct tacho_diff_line **lines; /* that made it true, in order */
	size_t line_count;
	size_t unsure; /* lines that fulfil it, without enough runs or values to tell */
};

struct cli_diff {
	struct cli_diff_group groups[2];
	const struct cli_turns *turns; /* NULL: the recordings were there before */
	struct tacho_diff *diff;
	int key; /* position in CLI_WORDS_DIFF_KEY */
	struct cli_diff_matching matching;
	bool any;
	double level, run_effect;
	uint64_t top;			      /* lines of a table, 0: all */
	const struct tacho_diff_line **lines; /* sorted; those of both sides first */
	size_t line_count, common_count;
	struct cli_condition *conditions;
	size_t condition_count;
	/* With `turns`: whole programs, with their wall time as their only measure; else none. */
	struct tacho_diff_line whole;
	struct tacho_diff_measure wall;
};

/* Reads 'KEY OP VALUE'. False when it is none, and that was said. */
bool cli_condition_parse(const char *text, struct cli_condition *out_condition);
/* Finds the lines that make it true. False when there is no such measure, and that was said. */
bool cli_condition_decide(struct cli_condition *condition, const struct cli_diff *diff);
void cli_condition_finish(struct cli_condition *condition);
/* The measure of a line that the condition is about; NULL when the line has none. */
const struct tacho_diff_measure *cli_condition_get_measure(const struct cli_condition *condition,
							   const struct tacho_diff_line *line);

/* Whether conditions can be told true from false: there are runs enough, or all changes count. */
bool cli_condition_can_tell(const struct cli_diff *diff);

/* How the line was found on both sides; "" when it is on one. */
static inline const char *cli_diff_get_match(const struct tacho_diff_line *line)
{
	return line->is_in[0] && line->is_in[1] ? tacho_diff_match_to_string(line->match) : "";
}

/* Below the tables: what A and B are, and how it was decided. Owned. */
char *cli_diff_describe_method(const struct cli_diff *diff);

/* Whether a side of the line can have it. */
bool cli_diff_has(const struct tacho_diff_measure *measure);

void cli_diff_print(const struct cli_diff *diff, FILE *stream, unsigned width, bool is_markdown);
void cli_diff_print_json(const struct cli_diff *diff, FILE *stream);
void cli_diff_print_csv(const struct cli_diff *diff, FILE *stream);

/* The page for browsers, to a file or, for "-", to stdout. A failure was said. */
int cli_diff_write_page(const struct cli_diff *diff, const char *path, bool overwrite);

#endif
