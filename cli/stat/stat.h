/* SPDX-License-Identifier: MIT */
/* What the parts of `tacho stat` share. */
#ifndef TACHO_CLI_STAT_H
#define TACHO_CLI_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tacho/plan.h>
#include <tacho/session.h>
#include <tacho/sys/json.h>

#include "child.h"
#include "count.h"
#include "options/options.h"
#include "output.h"

enum cli_stat_format { CLI_STAT_TEXT, CLI_STAT_JSON, CLI_STAT_CSV };

struct cli_stat_output {
	FILE *stream;
	struct cli_output *file; /* that the stream is of; NULL: of none */
	enum cli_stat_format format;
	const struct tacho_device_info *info;
	const struct tacho_config *config;
	char *const *program; /* its words, ends with NULL; none: what runs is counted */
	const char *subject;  /* what is counted: the program's name, or "process 4711 (name)" */
	uint64_t pid;	      /* of a process that ran before; 0: none */
	uint64_t interval_ns; /* 0: all at the end */
	size_t run_count;     /* of the program, of those that the plan needs */
	size_t runs_needed;
	bool has_heading; /* it was written already */
};

/* What is counted, and how. */
struct cli_stat {
	struct tacho_device *device;
	const struct tacho_plan *plan;
	size_t run_count;     /* that the plan needs */
	bool is_system_wide;  /* everything on the machine, not the program alone */
	uint64_t pid;	      /* count this process, which runs; 0: the program */
	uint64_t duration_ns; /* without a program: count for so long; 0: to the end */
	bool is_strict;
	struct cli_stat_output output;
};

/* Runs the program once per pass and prints. Returns the exit status. */
int cli_stat_run(struct cli_stat *stat);

/* Counting the launches of a program. */
struct cli_stat_launches {
	const struct cli_count_choice *choice;
	char **program;	    /* its words, ends with NULL */
	const char *output; /* name of the recording that is kept; NULL: none is */
	bool overwrite;
	enum cli_stat_format format;
	bool csv_safe;
};

/* Runs the program with a recorder inside and prints. Returns the exit status. */
int cli_stat_run_launches(const struct cli_stat_launches *launches);

/* The beginning of a JSON object of counted values, up to its "program". */
void cli_stat_begin_json(struct tacho_json *json, char *const *program, FILE *stream);

/* The rows of an interval, at once. */
void cli_stat_print_interval(struct cli_stat_output *output, const struct tacho_result *result);
/* All of it at the end; with intervals the last lines only, and result is NULL. */
void cli_stat_print_end(struct cli_stat_output *output, const struct tacho_result *result,
			const struct cli_child *child);
/* What can be counted, and what not and why. */
void cli_stat_list(const struct tacho_arch *arch, enum cli_stat_format format, FILE *stream);

#endif
