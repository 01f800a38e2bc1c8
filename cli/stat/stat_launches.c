/* SPDX-License-Identifier: MIT */
/* tacho stat of launches: a recording that is read at the end and thrown away. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tacho/exporter.h>
#include <tacho/recording.h>
#include <tacho/summary.h>

#include "export.h"
#include "record/launch.h"
#include "name.h"
#include "report/report.h"
#include "stat/stat.h"
#include "text.h"

/* Where the recording goes: a folder of its own, or the name that was given. */
struct place {
	char *folder; /* NULL: the recording is kept */
	char *name;
};

static int make_place(const struct cli_stat_launches *launches, struct place *out_place)
{
	const char *parent = getenv("TMPDIR");

	if (launches->output)
		return cli_name_expand(launches->output, &out_place->name) ? CLI_OK : CLI_USAGE;
	out_place->folder = cli_format("%s/tacho-stat-XXXXXX", parent && *parent ? parent : "/tmp");
	if (!mkdtemp(out_place->folder)) {
		cli_complain(strerror(errno), "set TMPDIR to a folder that can be written to",
			     "there is no folder %s for the recording", out_place->folder);
		free(out_place->folder);
		out_place->folder = NULL;
		return CLI_FAILED;
	}
	out_place->name = cli_format("%s/run", out_place->folder);
	return CLI_OK;
}

static void remove_place(struct place *place, const char *path)
{
	if (place->folder) {
		if (path && access(path, F_OK) == 0 && tacho_launch_remove(path) != 0)
			cli_complain_last();
		rmdir(place->folder);
	}
	free(place->folder);
	free(place->name);
}

static void print_text(const struct cli_report *report, FILE *stream)
{
	const struct tacho_run *run = tacho_recording_get_run(report->recording);
	const struct tacho_summary_totals *totals = tacho_summary_get_totals(report->summary);
	unsigned width = cli_width(stream);
	const char *note;

	cli_report_print_values(report, stream, width);
	if (!totals->calls) {
		fputc('\n', stream);
		if (totals->processes)
			cli_text_print(stream, 0, 2, width, "no work was given to a device");
		else
			cli_text_print(stream, 0, 2, width, "no API call was seen: %s",
				       *run->why_empty ? run->why_empty
						       : "the reason is not known");
		return;
	}
	for (size_t i = 0; (note = tacho_summary_get_note(report->summary, i)); i++) {
		fputs(i ? "  " : "\n  ", stream);
		cli_text_wrap(stream, note, 2, 4, width);
	}
}

static void print_json(const struct cli_stat_launches *launches, const struct cli_ending *ending,
		       const struct cli_report *report, FILE *stream)
{
	const struct tacho_summary_totals *totals = tacho_summary_get_totals(report->summary);
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(report->recording);
	struct tacho_json json;

	cli_stat_begin_json(&json, launches->program, stream);
	if (counting && *counting->device) {
		tacho_json_begin_object(&json, "device");
		tacho_json_add_string(&json, "name", counting->device);
		tacho_json_add_bool(&json, "simulated", counting->is_simulated);
		tacho_json_end(&json);
	} else {
		tacho_json_add_null(&json, "device");
	}
	tacho_json_add_unsigned(&json, "passes", counting ? counting->pass_count : 0);
	tacho_json_add_integer(&json, "status", ending->status);
	if (totals->has_wall)
		tacho_json_add_unsigned(&json, "elapsed_ns", totals->wall_ns);
	else
		tacho_json_add_null(&json, "elapsed_ns");
	cli_report_add_rows(&json, report);
	cli_report_add_notes(&json, report->summary);
	tacho_json_finish(&json);
}

static void show(const struct cli_stat_launches *launches, const struct cli_ending *ending)
{
	struct cli_report report = {.key = TACHO_BY_KERNEL};
	struct tacho_summary *summary = NULL;

	if (tacho_recording_open(ending->path, &report.recording) != 0 ||
	    tacho_summary_create(report.recording, &summary) != 0) {
		cli_complain_last();
	} else {
		report.summary = summary;
		switch (launches->format) {
		case CLI_STAT_TEXT: print_text(&report, stderr); break;
		case CLI_STAT_JSON: print_json(launches, ending, &report, stderr); break;
		case CLI_STAT_CSV:
			cli_export_print(report.recording, "csv", launches->csv_safe, stderr);
		}
	}
	tacho_summary_destroy(summary);
	tacho_recording_close(report.recording);
}

/* Other calls are in no output but JSON, and in recordings that stay. */
static bool needs_work_only(const struct cli_stat_launches *launches)
{
	return !launches->output && launches->format != CLI_STAT_JSON;
}

static int launch(const struct cli_stat_launches *launches, struct cli_count *count,
		  const struct place *place, struct cli_ending *ending)
{
	const struct cli_ending_style style = {
		.is_quiet = true, .has_report = true, .is_strict = launches->choice->is_strict};
	int status = cli_launch_run(
		&(struct cli_launch){
			.argv = launches->program,
			.options = {.name = place->name,
				    .overwrite = launches->overwrite,
				    .only_work = needs_work_only(launches)},
			.count = count,
			.is_quiet = launches->format != CLI_STAT_TEXT,
			.is_silent = true,
		},
		ending);

	if (!ending->run_count)
		return status;
	show(launches, ending);
	return cli_ending_tell(ending, &style, stderr);
}

int cli_stat_run_launches(const struct cli_stat_launches *launches)
{
	struct cli_count *count = NULL;
	struct cli_ending ending = {0};
	struct place place = {0};
	char *program = NULL;
	int status = CLI_REFUSED;

	if (tacho_launch_check(launches->program[0], &program) != 0) {
		status = cli_launch_complain();
		goto out;
	}
	if (cli_count_create(launches->choice, &count) != CLI_OK ||
	    make_place(launches, &place) != CLI_OK)
		goto out;
	if (launches->format == CLI_STAT_TEXT)
		cli_count_announce(count, stderr, cli_width(stderr));
	status = launch(launches, count, &place, &ending);
out:
	remove_place(&place, ending.path);
	cli_count_destroy(count);
	cli_ending_finish(&ending);
	free(program);
	return status;
}
