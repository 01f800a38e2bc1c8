/* SPDX-License-Identifier: MIT */
/* The file that -o names, written while something runs. */
#ifndef TACHO_CLI_OUTPUT_H
#define TACHO_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct cli_output {
	FILE *stream; /* NULL: there is none */
	int fd;	      /* the stream's */
	char *path;
	char *temporary; /* beside `path`, until it takes its place; NULL: `path` is written to */
	bool is_new;	 /* nothing was at `path`, and nothing was placed there */
};

/*
 * Without `overwrite` there must be no file at the path, and one is made there. Else an old file
 * stays as it is until cli_output_place() or cli_output_close(). What is no file, as a pipe, and
 * standard output, which is "-", are written to. Otherwise it says why not and returns the class of
 * the failure.
 */
int cli_output_open(struct cli_output *out_output, const char *path, bool overwrite);

/*
 * What was written is at the path from now on, and can be read there while more is written: an old
 * file is replaced now, but not with nothing. When that fails, cli_output_close() tries again.
 * Nothing for {0}.
 */
void cli_output_place(struct cli_output *output);

/*
 * When something was written it is at the path from now on; else what was there stays, and what was
 * not there is not. False: it could not be written, and that was said. Nothing for {0}.
 */
bool cli_output_close(struct cli_output *output);

/* As if nothing had been written. What cli_output_place() has placed stays. Nothing for {0}. */
void cli_output_discard(struct cli_output *output);

/*
 * From now on SIGINT, SIGTERM and SIGHUP, unless they are ignored or caught, take away what is half
 * written, of exports too, before they end the command as they do.
 */
void cli_output_clean_on_signals(void);

#endif
