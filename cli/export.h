/* SPDX-License-Identifier: MIT */
/* Exporting, as `tacho export` and `tacho record` do it. */
#ifndef TACHO_CLI_EXPORT_H
#define TACHO_CLI_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <tacho/exporter.h>

#include "cli.h"

enum { CLI_FORMATS_MAX = 8 };

/* Formats in the order in which they were named. */
struct cli_formats {
	const char *names[CLI_FORMATS_MAX];
	size_t count;
};

/*
 * Reads "codexl,jsonl"; "none" alone is the empty list where it is allowed. False: a word is wrong,
 * and that was said.
 */
bool cli_formats_parse(const char *list, bool none_allowed, struct cli_formats *out_formats);

struct cli_export_how {
	bool overwrite;
	bool csv_safe; /* cells of CSV are made harmless for spreadsheets */
};

/*
 * Exports to BASE and names the files on `log`, when there is one, what there is of a recording
 * that is not whole, too. Returns the class of its failure, which was told, or OK.
 */
enum cli_exit cli_export_write(struct tacho_recording *recording, const char *format,
			       const char *base, const struct cli_export_how *how, FILE *log);

/* Prints the export itself in the same way. A failure was told. */
bool cli_export_print(struct tacho_recording *recording, const char *format, bool csv_safe,
		      FILE *stream);

#endif
