/* SPDX-License-Identifier: MIT */
/* What stands behind stdout and stderr: a terminal's width, its colours, and a pager in front of
 * it. */
#ifndef TACHO_CLI_TERMINAL_H
#define TACHO_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum cli_color_when { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER };

enum cli_color { CLI_COLOR_HEADING, CLI_COLOR_TITLE, CLI_COLOR_ERROR, CLI_COLOR_WARNING };

/* AUTO: on terminals, but for dumb ones and where NO_COLOR is set. */
void cli_color_choose(enum cli_color_when when);

/* Nothing is written where there are no colours, so widths are those of the text. */
void cli_color_begin(FILE *stream, enum cli_color color);
void cli_color_end(FILE *stream);
/* A line in the colour of headings, with an empty one before it. */
void cli_put_heading(FILE *stream, const char *text);

/* Whether a person looks at it: a terminal, or a pager that has one. */
bool cli_is_terminal(FILE *stream);
/*
 * Columns: what COLUMNS says, else the terminal's; 0 when neither says it. A pager's are those of
 * the terminal that it has.
 */
unsigned cli_terminal_columns(FILE *stream);

/*
 * From now on stdout goes to a pager, where it is a terminal: TACHO_PAGER, PAGER, or less.
 * *out_why: why there is none though one was named, "" otherwise; static. A pager that goes away is
 * no error.
 */
void cli_pager_start(const char **out_why);
bool cli_pager_runs(void);
/* Waits until the pager's user has seen enough. Behind the last output. */
void cli_pager_finish(void);

#endif
