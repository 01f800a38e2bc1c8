/* SPDX-License-Identifier: MIT */
/*
 * Text for terminals. Names and paths come from recordings and drivers: control characters never
 * reach a terminal, and characters outside ASCII only one whose locale is UTF-8.
 */
#ifndef TACHO_CLI_TEXT_H
#define TACHO_CLI_TEXT_H

#include <stdbool.h>
#include <stdio.h>

enum { CLI_TEXT_UNLIMITED = 1u << 30 };

/*
 * Reads the locale: without one everything is ASCII, and of one that is named and not there only
 * whether it is UTF-8 is taken. Call once at the start.
 */
void cli_text_init(void);

/*
 * A copy that is safe to print; what cannot be shown is spelled (sys/character.h), but for tabs and
 * ends of lines, which are blanks. Owned.
 */
char *cli_text_clean(const char *text);

/* A clean copy as a shell takes it for one word, and tacho for no option. Owned. */
char *cli_text_quote(const char *word);

/* Columns that a clean text takes. */
unsigned cli_text_width(const char *clean);

/* A clean copy of at most `columns` columns (5 at least), with "..." in its middle if cut. Owned.
 */
char *cli_text_shorten(const char *text, unsigned columns);

/* Writes a clean copy padded with blanks to `columns`. */
void cli_text_pad(FILE *stream, const char *clean, unsigned columns, bool right);

/*
 * Writes a clean copy, broken at blanks to stay within `width`, and ends the line. `used` columns
 * of the first line are taken already; later lines are indented. Words longer than a line are kept.
 */
void cli_text_wrap(FILE *stream, const char *text, unsigned used, unsigned indent, unsigned width);

/* The same of a line that is made here: it begins behind `used` blanks. */
void cli_text_print(FILE *stream, unsigned used, unsigned indent, unsigned width,
		    const char *format, ...) __attribute__((format(printf, 5, 6)));

/* A label and a text beside it, which is wrapped; nothing for "". */
void cli_text_print_part(FILE *stream, const char *label, const char *text, unsigned width);

#endif
