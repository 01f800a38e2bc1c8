/* SPDX-License-Identifier: MIT */
/* The file that -o names, written while something runs. */
#ifndef TACHO_CLI_OUTPUT_H
#define TACHO_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct cli_output {
	FILE *stream; /* NULL: there is none */
	char *path;
	char *temporary; /* beside `path`, until it takes its place; NULL: `path` is written to */
	bool is_new;	 /* nothing was at `path` */
};

/*
 * Without `overwrite` there must be nothing at the path, and a file is made there. Else an old file
 * stays as it is until cli_output_close(), and what is no file, as a pipe, is written to. False: it
 * cannot be, and that was said.
 */
bool cli_output_open(struct cli_output *out_output, const char *path, bool overwrite);

/*
 * When something was written it is at the path from now on; else what was there stays, and what was
 * not there is not. Complains when it could not be written. Nothing for {0}.
 */
void cli_output_close(struct cli_output *output);

#endif
