/* SPDX-License-Identifier: MIT */
/* A command line that is one argument: 'NAME=VALUE ./app "an argument"'. */
#ifndef TACHO_CLI_COMMAND_LINE_H
#define TACHO_CLI_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>

struct cli_command_line {
	const char *text; /* as it was given */
	char **words;	  /* ends with NULL */
	size_t word_count;
	char **variables; /* NAME=VALUE in front of the program */
	size_t variable_count;
};

/*
 * Takes the text apart as a shell does: blanks, quotes, backslashes, variables in front. What a
 * shell would do something with, and this does not, is refused rather than taken for a word. With
 * `by_shell` the words are sh -c TEXT. False: that was said, and nothing is to be finished.
 */
bool cli_command_line_split(const char *text, bool by_shell, struct cli_command_line *out_line);

/* Puts its variables into the environment. False: that failed, which was said. */
bool cli_command_line_set_variables(struct cli_command_line *line);
/* As it was before. */
void cli_command_line_reset_variables(struct cli_command_line *line);

/* Nothing for {0}. */
void cli_command_line_finish(struct cli_command_line *line);

#endif
