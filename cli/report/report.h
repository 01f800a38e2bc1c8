/* SPDX-License-Identifier: MIT */
/* The report on a recording, as `tacho report` and `tacho record` print it. */
#ifndef TACHO_CLI_REPORT_H
#define TACHO_CLI_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tacho/finding.h>
#include <tacho/recording.h>
#include <tacho/summary.h>
#include <tacho/sys/json.h>

#include "units.h"

struct tacho_pattern;

/* Of which kernels lines are shown: patterns of names, owned. None: of all. */
struct cli_report_kernels {
	struct tacho_pattern **wanted, **excluded;
	size_t wanted_count, excluded_count;
};

struct cli_report {
	struct tacho_recording *recording;
	const struct tacho_summary *summary;
	enum tacho_summary_key key;
	bool key_only; /* totals, that table and what was lost; nothing else */
	uint64_t top;  /* lines of a table, 0: all */
	const struct tacho_findings *findings; /* NULL: they were not looked for */
	bool findings_only;		       /* all of them, and nothing else */
	bool per_instance; /* instances of counters by kernel, and what was lost */
	struct cli_report_kernels kernels;
};

/* Whether a line is shown: those by kernel may be left out by name. */
bool cli_report_shows(const struct cli_report *report, enum tacho_summary_key key, size_t index);

void cli_report_print(const struct cli_report *report, FILE *stream, unsigned width);
void cli_report_print_json(const struct cli_report *report, FILE *stream);

/* The member "run". */
void cli_report_add_run(struct tacho_json *json, const struct tacho_run *run);

/* How it begins: what the wall time went to, in a sentence and a table. Nothing when not known. */
void cli_report_print_spent(const struct cli_report *report, FILE *stream, unsigned width);
/* The same as "breakdown". */
void cli_report_add_spent(struct tacho_json *json, const struct tacho_summary *summary);
/* Whether most of the time went to calls rather than to devices. */
bool cli_report_is_of_api(const struct tacho_summary *summary);

/* The ranked lines of the report's key, with heading and remarks. */
void cli_report_print_lines(const struct cli_report *report, FILE *stream, unsigned width);
/* Nothing when the program named none. */
void cli_report_print_ranges(const struct cli_report *report, FILE *stream, unsigned width);
/* Frames, the longest first; why there are none. */
void cli_report_print_frames(const struct cli_report *report, FILE *stream, unsigned width);
/* How they are spread, in a sentence, owned; NULL: there are none. The same as "frames". */
char *cli_report_format_frames(const struct tacho_summary *summary);
void cli_report_add_frames(struct tacho_json *json, const struct cli_report *report);
/* API functions by host time. */
void cli_report_print_api(const struct cli_report *report, FILE *stream, unsigned width);
void cli_report_print_transfers(const struct cli_report *report, FILE *stream, unsigned width);

/* Why a kernel that ran in a template has no time. */
#define CLI_PART_REASON "when it ran is known of its command buffer only, as a whole"

/* Memory of devices; nothing when nothing is known of it. The same as "memory" of a device. */
void cli_report_print_memory(const struct cli_report *report, FILE *stream, unsigned width);
void cli_report_add_memory(struct tacho_json *json, const struct tacho_object *device);

/* What was counted, by kernel and by transfer; nothing when nothing was. */
void cli_report_print_values(const struct cli_report *report, FILE *stream, unsigned width);
/*
 * The member "values" of a line; "counting" of the report; "columns" and "rows" of all lines with
 * values, as docs/values.md has them; and "notes".
 */
void cli_report_add_values(struct tacho_json *json, const struct cli_report *report,
			   enum tacho_summary_key key, size_t line);
void cli_report_add_counting(struct tacho_json *json, const struct cli_report *report);
void cli_report_add_rows(struct tacho_json *json, const struct cli_report *report);
void cli_report_add_notes(struct tacho_json *json, const struct tacho_summary *summary);
/* What was sampled beside the program; nothing when nothing was. The same as "sampled". */
void cli_report_print_windows(const struct cli_report *report, FILE *stream, unsigned width);
void cli_report_add_windows(struct tacho_json *json, const struct cli_report *report);
/* Of counters whose instances were kept which one is the highest; the same as "instances". */
void cli_report_print_instances(const struct cli_report *report, FILE *stream, unsigned width);
void cli_report_add_instances(struct tacho_json *json, const struct cli_report *report);
/* With its unit where that is one of time or bytes. */
const char *cli_report_format_value(struct cli_number *number, double value, const char *unit);

/* Nothing when there is nothing to say about them. */
void cli_report_print_findings(const struct cli_report *report, FILE *stream, unsigned width);

/* The device use of a whole run: sums, and the worst state of its parts. */
struct cli_use {
	uint64_t busy_ns, idle_ns, unknown_ns;
	size_t devices;
	enum tacho_state state;
};
struct cli_use cli_report_get_use(const struct tacho_summary *summary);

/* Opens, summarizes and prints to `stream`. A failure was told; its class is returned. */
int cli_report_show(struct tacho_recording *recording, FILE *stream);

#endif
