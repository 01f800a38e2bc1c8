/* SPDX-License-Identifier: MIT */
/* What a recording lacks: what is wrong with its files, and what was left out of it as asked. */
#ifndef TACHO_CLI_GAPS_H
#define TACHO_CLI_GAPS_H

#include <stdbool.h>
#include <stdio.h>

#include <tacho/recording.h>
#include <tacho/sys/json.h>

/*
 * Why the recording is not whole, in one line: the first fault, and how many more there are. Owned;
 * free() it. NULL: it is whole, as far as its files go.
 */
char *cli_gaps_format(const struct tacho_recording *recording);

/* A warning of that on stderr; nothing when it is whole. */
void cli_gaps_warn(const struct tacho_recording *recording);

/* Faults, a line each. Whether there were any. */
bool cli_gaps_print_faults(const struct tacho_recording *recording, FILE *stream, unsigned width);

/* A line of what a ring let go, of a run that has ring_calls. */
void cli_gaps_print_ring(const struct tacho_run *run, FILE *stream, unsigned width);

/* "Left out as asked", with heading; nothing when nothing was. */
void cli_gaps_print_left_out(const struct tacho_recording *recording, FILE *stream, unsigned width);

/* The members "whole", "faults" and "left_out". */
void cli_gaps_add(struct tacho_json *json, const struct tacho_recording *recording);

/* The functions of which calls were left out as asked. */
void cli_gaps_add_functions(struct tacho_json *json, const struct tacho_recording *recording);

#endif
