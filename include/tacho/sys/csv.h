/* SPDX-License-Identifier: MIT */
/* Writing CSV (RFC 4180). For the command and tests: no ABI promise. */
#ifndef TACHO_SYS_CSV_H
#define TACHO_SYS_CSV_H

#include <stdio.h>

#include <tacho/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes a cell, in quotes where it needs them. Bytes that are no UTF-8 and characters that are not
 * seen are spelled (sys/character.h), but for tabs and ends of lines. Errors of the stream stay in
 * it.
 */
TACHO_API void tacho_csv_write_text(FILE *stream, const char *text);
/* The same in quotes in any case. */
TACHO_API void tacho_csv_write_quoted(FILE *stream, const char *text);

/*
 * Writes a number with as many digits as it needs to be read back as it is, and as JSON has it.
 * Nothing for what is no finite number.
 */
TACHO_API void tacho_csv_write_number(FILE *stream, double value);

/*
 * A stream for CSV that goes on into `stream`, with an apostrophe before each cell, quoted or not,
 * that is no number and begins with = + - or @: spreadsheets take such cells for formulas. fclose()
 * closes both and fails when something could not be written; fflush() reaches `stream` but for a
 * cell that has not ended. NULL with the error set when memory ran out: `stream` is still open.
 */
TACHO_API FILE *tacho_csv_open_safe(FILE *stream);

#ifdef __cplusplus
}
#endif

#endif
