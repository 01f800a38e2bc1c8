/* SPDX-License-Identifier: MIT */
/* The report on files that have sums only: a table for each kind, as the files state them. */
#ifndef TACHO_CLI_REPORT_SUMS_H
#define TACHO_CLI_REPORT_SUMS_H

#include <tacho/sums.h>

#include "report/report.h"

struct cli_report_sums {
	struct tacho_recording *recording;
	bool is_one;		   /* of one kind only: */
	enum tacho_sums_kind kind; /* tables of this one */
	uint64_t top;		   /* lines of a table, 0: all */
	const struct cli_report_kernels *kernels;
};

/* "kernel", "transfer": as --by calls them. Static. */
const char *cli_report_sums_name(enum tacho_sums_kind kind);
/* The kind that --by calls so; false: files have no sums of that. */
bool cli_report_sums_find(const char *key, enum tacho_sums_kind *out_kind);

/* The next table that is shown, from *at on, which goes behind it; NULL: there is no other. */
const struct tacho_sums *cli_report_sums_next(const struct cli_report_sums *report, size_t *at);
/* Whether a line is shown: kernels may be left out by name. */
bool cli_report_sums_shows(const struct cli_report_sums *report, const struct tacho_sums *sums,
			   size_t line);

void cli_report_sums_print(const struct cli_report_sums *report, FILE *stream, unsigned width);
/* report_sums_data.c: the same for programs, in ns and bytes. */
void cli_report_sums_print_json(const struct cli_report_sums *report, FILE *stream);
void cli_report_sums_print_csv(const struct cli_report_sums *report, FILE *stream);

#endif
