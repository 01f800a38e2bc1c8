/* SPDX-License-Identifier: MIT */
/* Sums for programs: what a file does not state is null, or empty. */
#include "report/report_sums.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <tacho/sys/csv.h>
#include <tacho/sys/json.h>

#include "cli.h"
#include "gaps.h"

static const struct tacho_column *get_column(const struct tacho_sums *sums, int column)
{
	return tacho_result_get_column(sums->lines, (size_t)column);
}

static bool is_known(const struct tacho_sums *sums, int column, size_t line)
{
	return tacho_column_get_state(get_column(sums, column), line, 0) == TACHO_STATE_OK;
}

/* ---- JSON ---- */

/* "total_ns", "mean_bytes". Owned. */
static char *name_column(const struct tacho_sums *sums, int column)
{
	const char *name = get_column(sums, column)->name;

	if (column == TACHO_SUMS_COUNT)
		return cli_format("%s", name);
	return cli_format("%s_%s", name,
			  column == TACHO_SUMS_SHARE ? "percent"
			  : sums->is_of_bytes	     ? "bytes"
						     : "ns");
}

static void add_value(struct tacho_json *json, const struct tacho_sums *sums, int column,
		      size_t line)
{
	const struct tacho_column *values = get_column(sums, column);
	char *name = name_column(sums, column);

	if (values->type == TACHO_TYPE_U64)
		tacho_json_add_known(json, name, is_known(sums, column, line),
				     values->data.u64[line]);
	else
		tacho_json_add_real(json, name,
				    is_known(sums, column, line) ? values->data.f64[line] : NAN);
	free(name);
}

static void add_line(struct tacho_json *json, const struct tacho_sums *sums, size_t line)
{
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "name", tacho_result_get_row(sums->lines, line)->name);
	for (int i = 0; i < TACHO_SUMS_COLUMNS; i++)
		add_value(json, sums, i, line);
	tacho_json_begin_object(json, "absent");
	for (int i = 0; i < TACHO_SUMS_COLUMNS; i++) {
		char *name = name_column(sums, i);

		if (!is_known(sums, i, line))
			tacho_json_add_string(json, name,
					      tacho_column_get_note(get_column(sums, i), line, 0));
		free(name);
	}
	tacho_json_end(json);
	tacho_json_end(json);
}

static void add_table(struct tacho_json *json, const struct cli_report_sums *report,
		      const struct tacho_sums *sums)
{
	size_t shown = 0;

	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "by", cli_report_sums_name(sums->kind));
	tacho_json_add_string(json, "unit", sums->is_of_bytes ? "bytes" : "nanoseconds");
	tacho_json_add_string(json, "file", sums->file);
	tacho_json_add_text(json, "part", sums->part);
	tacho_json_begin_array(json, "lines");
	for (size_t i = 0; i < tacho_result_get_row_count(sums->lines); i++)
		if (cli_report_sums_shows(report, sums, i) &&
		    (!report->top || shown++ < report->top))
			add_line(json, sums, i);
	tacho_json_end(json);
	tacho_json_end(json);
}

void cli_report_sums_print_json(const struct cli_report_sums *report, FILE *stream)
{
	const struct tacho_run *run = tacho_recording_get_run(report->recording);
	const struct tacho_sums *sums;
	struct tacho_json json;
	size_t at = 0;

	cli_json_begin(&json, stream, "tacho.report/1");
	tacho_json_add_string(&json, "recording", tacho_recording_get_path(report->recording));
	cli_report_add_run(&json, run);
	tacho_json_begin_array(&json, "sums");
	while ((sums = cli_report_sums_next(report, &at)))
		add_table(&json, report, sums);
	tacho_json_end(&json);
	cli_gaps_add(&json, report->recording);
	tacho_json_begin_array(&json, "notes");
	if (run->import_note && *run->import_note)
		tacho_json_add_string(&json, NULL, run->import_note);
	tacho_json_end(&json);
	tacho_json_finish(&json);
}

/* ---- CSV ---- */

static void write_line(const struct tacho_sums *sums, size_t line, FILE *stream)
{
	const char *const texts[] = {cli_report_sums_name(sums->kind), sums->file, sums->part,
				     tacho_result_get_row(sums->lines, line)->name,
				     sums->is_of_bytes ? "bytes" : "nanoseconds"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		fputs(i ? "," : "", stream);
		tacho_csv_write_text(stream, texts[i]);
	}
	for (int i = 0; i < TACHO_SUMS_COLUMNS; i++) {
		const struct tacho_column *values = get_column(sums, i);

		fputc(',', stream);
		if (!is_known(sums, i, line))
			continue;
		if (values->type == TACHO_TYPE_U64)
			fprintf(stream, "%" PRIu64, values->data.u64[line]);
		else
			tacho_csv_write_number(stream, values->data.f64[line]);
	}
	fputs("\r\n", stream);
}

void cli_report_sums_print_csv(const struct cli_report_sums *report, FILE *stream)
{
	const char *note = tacho_recording_get_run(report->recording)->import_note;
	const struct tacho_sums *sums;
	size_t at = 0;

	if (note && *note) /* a table has no place for it */
		cli_warn("%s", note);
	cli_gaps_warn(report->recording);
	fputs("by,file,part,name,unit,count,total,mean,median,min,max,deviation,share\r\n", stream);
	while ((sums = cli_report_sums_next(report, &at))) {
		size_t shown = 0;

		for (size_t i = 0; i < tacho_result_get_row_count(sums->lines); i++)
			if (cli_report_sums_shows(report, sums, i) &&
			    (!report->top || shown++ < report->top))
				write_line(sums, i, stream);
	}
}
