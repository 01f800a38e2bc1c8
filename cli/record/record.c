/* SPDX-License-Identifier: MIT */
/* tacho record: runs a program with a recorder inside, then exports and reports. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tacho/tacho.h>

#include "record/bounds.h"
#include "count.h"
#include "record/ending.h"
#include "export.h"
#include "record/launch.h"
#include "record/sampling.h"
#include "name.h"
#include "options/options.h"
#include "output.h"
#include "request.h"
#include "report/report.h"

struct settings {
	const char *output, *export, *json;
	uint64_t pid;
	bool overwrite, quiet, report, no_report, no_follow, keep_programs, time_draws, needs_calls,
		csv_safe;
	int via;
	struct cli_bounds bounds;
	struct cli_count_choice counting;
	uint64_t interval_ms;
};

struct run {
	struct settings *settings;
	struct cli_formats formats;
	struct cli_count *count;       /* NULL: nothing is counted */
	struct cli_sampling *sampling; /* NULL: nothing is sampled */
	struct cli_output json;
	struct cli_ending ending;
};

/* What a recording will not hold for this export, and what to do; NULL: it may hold it. */
static const char *find_lack(const struct settings *settings, const char *format,
			     const char **out_cure)
{
	if (strcmp(format, "csv") == 0 &&
	    (!cli_count_is_asked(&settings->counting) || settings->interval_ms)) {
		*out_cure = "add -m LIST; or leave csv out: calls and kernels are in jsonl and "
			    "sqlite";
		return "csv has values of counters, and none are counted for launches";
	}
	if (strcmp(format, "programs") == 0 && !settings->keep_programs) {
		*out_cure = "add --keep-programs, or leave programs out";
		return "sources and binaries are not kept";
	}
	return NULL;
}

/* Else the program would run for an export that cannot be. */
static bool can_export(const struct run *run)
{
	const char *lack = NULL, *cure;

	for (size_t i = 0; i < run->formats.count && !lack; i++) {
		lack = find_lack(run->settings, run->formats.names[i], &cure);
		if (lack)
			cli_complain(lack, cure, "--export %s has nothing to write",
				     run->formats.names[i]);
	}
	return !lack;
}

/* Files of exports that would be in the way are found before the program starts. */
static bool check_exports(const struct run *run, const char *name)
{
	char *base = cli_name_get_base(name);
	bool good = true;

	for (size_t i = 0; i < run->formats.count && good; i++) {
		char *found = cli_name_find_export(base, run->formats.names[i]);

		if (!found)
			continue;
		cli_complain("it would be replaced", "add -f, or take another name with -o",
			     "%s exists already", found);
		free(found);
		good = false;
	}
	free(base);
	return good;
}

/* Each is tried: what one format cannot have the others may. */
static void write_exports(struct run *run, struct tacho_recording *recording)
{
	const struct cli_export_how how = {.overwrite = run->settings->overwrite,
					   .csv_safe = run->settings->csv_safe};
	char *base = cli_name_get_base(run->ending.path);

	for (size_t i = 0; i < run->formats.count; i++) {
		enum cli_exit class = cli_export_write(recording, run->formats.names[i], base, &how,
						       run->settings->quiet ? NULL : stderr);

		if (!run->ending.export_class)
			run->ending.export_class = class;
	}
	free(base);
}

/* Why a process counted no more; the report has it too. */
static void warn_uncounted(struct tacho_recording *recording)
{
	const struct tacho_process *process;
	struct tacho_cursor *cursor = NULL;
	const struct tacho_call *call;

	if (tacho_cursor_open(recording, &cursor) != 0 || tacho_cursor_next(cursor, &call) < 0)
		cli_complain_last(); /* what processes say of themselves comes with it */
	tacho_cursor_close(cursor);
	for (size_t i = 0; (process = tacho_recording_get_process(recording, i)); i++)
		if (*process->uncounted)
			cli_warn("process %u: %s%s%s", (unsigned)process->pid, process->uncounted,
				 *process->uncounted_cure ? "; " : "", process->uncounted_cure);
}

static bool wants_report(const struct settings *settings)
{
	return settings->report ||
	       (!settings->no_report && !settings->quiet && isatty(STDERR_FILENO));
}

/* False: it cannot be read, and no export is written. */
static bool open_results(struct run *run, struct tacho_recording **out_recording)
{
	enum cli_exit class;

	if (tacho_recording_open(run->ending.path, out_recording) == 0)
		return true;
	class = cli_complain_last();
	run->ending.export_class = run->formats.count ? class : CLI_OK;
	return false;
}

/* Reads the recording when something is asked for that lies in it. */
static void show_results(struct run *run)
{
	struct tacho_recording *recording = NULL;

	if (!run->formats.count && !run->count && !wants_report(run->settings))
		return;
	if (run->formats.count && !run->ending.status)
		cli_show_class(CLI_FAILED); /* a failed export makes the status 125 */
	if (!open_results(run, &recording))
		return;
	write_exports(run, recording);
	cli_show_class(CLI_OK);
	if (wants_report(run->settings)) {
		fputc('\n', stderr);
		cli_report_show(recording, stderr);
	} else if (run->count) {
		warn_uncounted(recording);
	}
	tacho_recording_close(recording);
}

static int end_run(struct run *run)
{
	const struct settings *settings = run->settings;
	const struct cli_ending_style style = {
		.is_quiet = settings->quiet,
		.has_report = wants_report(settings),
		.is_strict = settings->counting.is_strict,
		.needs_calls = settings->needs_calls,
		.has_bounds = settings->bounds.only_work || settings->bounds.calls.count,
		.is_ring = settings->bounds.ring_bytes != 0,
	};

	show_results(run);
	if (run->json.stream)
		cli_ending_print_json(&run->ending, &style, run->json.stream);
	return cli_ending_tell(&run->ending, &style, stderr);
}

static int launch_program(struct run *run, const char *name, char **argv)
{
	struct settings *settings = run->settings;
	struct cli_launch launch = {
		.argv = argv,
		.options = {.name = name,
			    .overwrite = settings->overwrite,
			    .no_follow = settings->no_follow,
			    .keep_programs = settings->keep_programs,
			    .time_draws = settings->time_draws,
			    .via = (enum tacho_launch_via)settings->via,
			    .sampling = cli_sampling_get(run->sampling)},
		.count = run->count,
		.is_quiet = settings->quiet,
	};
	int status;

	cli_bounds_apply(&settings->bounds, &launch.options);
	status = cli_launch_run(&launch, &run->ending);
	/* the recording is whole: exports and the report can be interrupted */
	cli_launch_release_signals();
	return run->ending.run_count ? end_run(run) : status;
}

/* What is to be sampled beside the program, in windows of time. */
static int prepare_sampling(struct run *run)
{
	const struct settings *settings = run->settings;

	if (cli_sampling_create(&settings->counting, settings->interval_ms, &run->sampling))
		return CLI_REFUSED;
	if (!settings->quiet)
		cli_sampling_announce(run->sampling, stderr);
	return CLI_OK;
}

/* What is to be counted, and how: told before the program starts. */
static int prepare_counting(struct run *run)
{
	const struct settings *settings = run->settings;
	int class;

	if (settings->interval_ms)
		return prepare_sampling(run);

	if (!cli_count_is_asked(&settings->counting))
		return cli_count_check(&settings->counting) ? CLI_REFUSED : CLI_OK;
	class = cli_count_create(&settings->counting, &run->count);
	if (class)
		return CLI_REFUSED;
	if (!settings->quiet)
		cli_count_announce(run->count, stderr, cli_width(stderr));
	return CLI_OK;
}

static int check_settings(struct settings *settings, const char *program)
{
	if (settings->pid)
		cli_complain(
			"what records is loaded into a program when it begins, and cannot get "
			"into one that runs",
			cli_part("start the program with tacho record, paused when only a part "
				 "is wanted (--start-paused, --max-calls, --ring); or count "
				 "what the kernel counts of it: tacho stat -p %" PRIu64,
				 settings->pid),
			"process %" PRIu64 " cannot be recorded", settings->pid);
	else if (!program)
		cli_complain("", "usage: tacho record [OPTION...] [--] PROGRAM [ARGUMENT...]",
			     "record: PROGRAM is missing");
	else if (settings->report && (settings->quiet || settings->no_report))
		cli_complain("", "leave one of them out", "--report and %s exclude each other",
			     settings->quiet ? "-q" : "--no-report");
	else
		return cli_bounds_check(&settings->bounds);
	return CLI_USAGE;
}

/* All that can be refused before anything is made. *out_name: of the recording, owned. */
static int prepare(struct run *run, const char *program, char **out_name)
{
	struct settings *settings = run->settings;
	char *path = NULL;
	int status;

	if (check_settings(run->settings, program) != CLI_OK ||
	    !cli_formats_parse(settings->export ? settings->export : "none", true, &run->formats) ||
	    !can_export(run) || (settings->output && !cli_name_expand(settings->output, out_name)))
		return CLI_REFUSED;
	if (tacho_launch_check(program, &path) != 0)
		return cli_launch_complain();
	free(path);
	if (*out_name && !settings->overwrite && !check_exports(run, *out_name))
		return CLI_REFUSED;
	status = prepare_counting(run);
	if (!status && settings->json &&
	    cli_output_open(&run->json, settings->json, settings->overwrite) != CLI_OK)
		status = CLI_REFUSED;
	return status;
}

static int record_run(const struct cli_command *command, int argc, char **argv)
{
	struct settings settings = {0};
	struct run run = {.settings = &settings};
	char *name = NULL;
	int operand, status;

	if (cli_options_parse(command, argc, argv, &settings, &operand, &status)) {
		status = prepare(&run, argv[operand], &name);
		if (!status)
			status = launch_program(&run, name, argv + operand);
	}
	if (!status)
		cli_show_class(CLI_FAILED);
	if (!cli_output_close(&run.json) && !status)
		status = CLI_REFUSED;
	cli_count_destroy(run.count);
	cli_sampling_destroy(run.sampling);
	cli_options_finish(command, &settings);
	cli_bounds_finish(&settings.bounds);
	cli_ending_finish(&run.ending);
	free(name);
	return status;
}

static const struct cli_option options[] = {
	{'o', "output", "NAME", CLI_TEXT, CLI_WORDS_FILE, offsetof(struct settings, output), false,
	 "name of the recording (default: the program's name and a free number); %h host, "
	 "%p process id of tacho, %r rank, %q{NAME} environment variable, %% percent sign"},
	CLI_OPTION_FORCE(struct settings, overwrite,
			 "replace a recording and exports of that name"),
	{0, "export", "LIST", CLI_TEXT, CLI_WORDS_EXPORT, offsetof(struct settings, export), false,
	 "formats to write after the run, with commas between them: codexl, csv, html, jsonl, "
	 "perfetto, programs, rocprofv3, sqlite; or none (default)"},
	CLI_OPTION_FLAG(struct settings, 0, "csv-safe", csv_safe,
			"in exported files of CSV put an apostrophe before text that a spreadsheet "
			"would take for a formula"),
	{0, "report", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, report), false,
	 "print a report at the end (default: when stderr is a terminal)"},
	CLI_OPTION_FLAG(struct settings, 0, "no-report", no_report, "print no report at the end"),
	{0, "json", "FILE", CLI_TEXT, CLI_WORDS_FILE, offsetof(struct settings, json), false,
	 "write what became of the recording to FILE, as JSON: counts, what was lost and its "
	 "class"},
	CLI_OPTIONS_BOUNDS(struct settings),
	CLI_OPTION_FLAG(struct settings, 0, "require-calls", needs_calls,
			"a recording without any call is a failure: the exit status is 125"),
	{0, "no-follow", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, no_follow),
	 false, "record the program itself only, not the programs that it starts"},
	{0, "keep-programs", NULL, CLI_FLAG, CLI_WORDS_NONE,
	 offsetof(struct settings, keep_programs), false,
	 "keep kernel sources, binaries and build logs too"},
	{0, "draws", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, time_draws), false,
	 "time draws one by one, not the render passes that they are in, on devices that do not "
	 "draw tile by tile"},
	{0, "via", "WAY", CLI_CHOICE, CLI_WORDS_VIA, offsetof(struct settings, via), false,
	 "how to get into the program: auto, layer (of the API's loader) or preload"},
	CLI_OPTION_METRICS(struct settings, "count these for each launch: " CLI_LIST_HELP),
	CLI_OPTIONS_INPUT(struct settings),
	CLI_OPTION_DEVICE(
		struct settings,
		"count launches on these devices only, and what commands do not tell on the "
		"one of them that counts: numbers or names in tacho list devices, ids, PCI "
		"places, or parts of these, with commas; or all (default: launches on all, "
		"counted on perf:linux)"),
	{'I', "interval", "MS", CLI_ABOVE_0, CLI_WORDS_NONE, offsetof(struct settings, interval_ms),
	 false,
	 "sample the counters of -m on the device, not for launches but in windows of MS "
	 "milliseconds, beside the program: docs/recording.md"},
	CLI_OPTION_SIM(struct settings,
		       "count on a simulated device, which is given the launches of the program"),
	CLI_OPTIONS_SELECT(struct settings),
	CLI_OPTION_REPLAY(
		struct settings,
		"when several passes are needed: kernel runs each launch once for each, "
		"process the program; rotate gives launches of a kernel a pass each; with "
		"vendor the GPU's own library does what kernel does; auto "
		"(default) is kernel; none refuses"),
	CLI_OPTION_PASSES(struct settings),
	CLI_OPTION_STRICT(struct settings,
			  "the exit status is 125 when something was lost; of counters, a division "
			  "by zero gives no value"),
	CLI_OPTION_FLAG(struct settings, 'q', "quiet", quiet, "print warnings and errors only"),
	{'p', "pid", "PID", CLI_NUMBER, CLI_WORDS_NONE, offsetof(struct settings, pid), true,
	 "says why a process that runs cannot be recorded"},
};

const struct cli_command cli_record = {
	.name = "record",
	.summary = "run a program and record what it does with the GPU",
	.operands = "[--] PROGRAM [ARGUMENT...]",
	.description =
		"Runs PROGRAM unchanged, records its API calls and the work of its devices into "
		"NAME.tacho, and tells on stderr what became of it; on a terminal with a report. "
		"The exit status is the program's.",
	.examples = {"tacho record -o run ./app",
		     "tacho record -f -o run --calls 'clEnqueue*' ./app"},
	CLI_HAS_OPTIONS(options),
	.words = CLI_WORDS_PROGRAM,
	.first_operand = "PROGRAM",
	.operand_max = 1u << 30,
	.is_launcher = true,
	.run = record_run,
};
