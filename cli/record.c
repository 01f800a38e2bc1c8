/* SPDX-License-Identifier: MIT */
/* tacho record: runs a program with a recorder inside, then exports and reports. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tacho/tacho.h>

#include "count.h"
#include "export.h"
#include "launch.h"
#include "name.h"
#include "options.h"
#include "report.h"
#include "units.h"

/* Above this the session files are left to `tacho export`. */
static const uint64_t EXPORT_MAX_BYTES = 64 * 1000 * 1000;

struct settings {
	const char *output, *export;
	bool overwrite, quiet, no_follow, keep_programs;
	int via;
	struct cli_count_choice counting;
};

struct run {
	const struct settings *settings;
	struct cli_formats formats;
	struct cli_count *count; /* NULL: nothing is counted */
	char *path;		 /* of the recording */
};

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

/* Exports what was asked for; the session files that nobody asked for only when they are small. */
static void write_exports(const struct run *run, struct tacho_recording *recording)
{
	char *base = cli_name_get_base(run->path);

	for (size_t i = 0; i < run->formats.count; i++) {
		const char *format = run->formats.names[i];
		struct cli_number number;
		uint64_t bytes = 0;

		if (run->settings->export ||
		    (tacho_recording_estimate(recording, format, &bytes) == 0 &&
		     bytes < EXPORT_MAX_BYTES))
			cli_export_write(recording, format, base, run->settings->overwrite, NULL);
		else if (!run->settings->quiet)
			fprintf(stderr,
				"tacho: the session files would take about %s; to write them:\n"
				"  tacho export %s --to %s\n",
				cli_units_bytes(&number, bytes), run->path, format);
	}
	free(base);
}

static bool has_call(struct tacho_recording *recording)
{
	struct tacho_cursor *cursor = NULL;
	const struct tacho_call *call;
	bool found = true;

	if (tacho_cursor_open(recording, &cursor) != 0)
		return true;
	found = tacho_cursor_next(cursor, &call) != 0;
	tacho_cursor_close(cursor);
	return found;
}

/* What a quiet run must not keep to itself. */
static void warn(struct tacho_recording *recording)
{
	const struct tacho_run *run = tacho_recording_get_run(recording);
	size_t count = tacho_recording_get_process_count(recording);
	char *text = NULL;

	if (!has_call(recording))
		text = cli_format("no call was recorded: %s",
				  *run->why_empty ? run->why_empty : "the reason is not known");
	if (text)
		cli_warn(text);
	free(text);
	for (size_t i = 0; i < count; i++) {
		const struct tacho_process *process = tacho_recording_get_process(recording, i);

		if (!*process->uncounted)
			continue;
		text = cli_format("process %u: %s%s%s", (unsigned)process->pid, process->uncounted,
				  *process->uncounted_cure ? "; " : "", process->uncounted_cure);
		cli_warn(text);
		free(text);
	}
}

static void show_results(const struct run *run)
{
	struct tacho_recording *recording = NULL;

	if (tacho_recording_open(run->path, &recording) != 0) {
		cli_complain_last();
		return;
	}
	write_exports(run, recording);
	if (!run->settings->quiet) {
		fputc('\n', stderr);
		cli_report_show(recording, stderr);
	} else {
		warn(recording);
	}
	tacho_recording_close(recording);
}

static int launch_program(struct run *run, const char *name, char **argv)
{
	const struct settings *settings = run->settings;
	const struct cli_launch launch = {
		.argv = argv,
		.options = {.name = name,
			    .overwrite = settings->overwrite,
			    .no_follow = settings->no_follow,
			    .keep_programs = settings->keep_programs,
			    .via = (enum tacho_launch_via)settings->via},
		.count = run->count,
		.is_quiet = settings->quiet,
	};
	int status = cli_launch_run(&launch, &run->path);

	if (run->path && access(run->path, F_OK) == 0)
		show_results(run);
	return status;
}

/* What is to be counted, and how: told before the program starts. */
static int prepare_counting(struct run *run)
{
	const struct settings *settings = run->settings;
	int class;

	if (!settings->counting.metrics.count)
		return CLI_OK;
	class = cli_count_create(&settings->counting, &run->count);
	if (class)
		return CLI_REFUSED;
	if (!settings->quiet)
		cli_count_announce(run->count, stderr, cli_width(stderr));
	return CLI_OK;
}

static int record_run(const struct cli_command *command, int argc, char **argv)
{
	struct settings settings = {0};
	struct run run = {.settings = &settings};
	char *name = NULL, *program = NULL;
	int operand, status;

	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		goto out;
	status = CLI_REFUSED;
	if (!cli_formats_parse(settings.export ? settings.export : "codexl", true, &run.formats))
		goto out;
	if (settings.output && !cli_name_expand(settings.output, &name))
		goto out;
	if (tacho_launch_check(argv[operand], &program) != 0) {
		status = cli_launch_complain();
		goto out;
	}
	if (name && !settings.overwrite && !check_exports(&run, name))
		goto out;
	status = prepare_counting(&run);
	if (status)
		goto out;
	status = launch_program(&run, name, argv + operand);
out:
	cli_count_destroy(run.count);
	cli_count_choice_finish(&settings.counting);
	free(run.path);
	free(program);
	free(name);
	return status;
}

static const struct cli_option options[] = {
	{'o', "output", "NAME", CLI_TEXT, CLI_WORDS_FILE, offsetof(struct settings, output), false,
	 "name of the recording (default: the program's name and a free number); %h host, "
	 "%p process id of tacho, %r rank, %q{NAME} environment variable, %% percent sign"},
	{'f', "force", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, overwrite), false,
	 "replace a recording and exports of that name"},
	{0, "export", "LIST", CLI_TEXT, CLI_WORDS_EXPORT, offsetof(struct settings, export), false,
	 "formats to write after the run, with commas between them: codexl, csv, html, jsonl, "
	 "perfetto, "
	 "programs, sqlite; "
	 "or "
	 "none (default: codexl, unless its files would exceed 64 MB)"},
	{0, "no-follow", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, no_follow),
	 false, "record the program itself only, not the programs that it starts"},
	{0, "keep-programs", NULL, CLI_FLAG, CLI_WORDS_NONE,
	 offsetof(struct settings, keep_programs), false,
	 "keep kernel sources, binaries and build logs too"},
	{0, "via", "WAY", CLI_CHOICE, CLI_WORDS_VIA, offsetof(struct settings, via), false,
	 "how to get into the program: auto, layer (of the API's loader) or preload"},
	CLI_OPTION_METRICS(struct settings,
			   "count these for each launch: names, globs, set:NAME, all, @FILE; "
			   "separated by commas"),
	CLI_OPTION_DEVICE(struct settings,
			  "what commands do not tell is counted on this device: its number or name "
			  "in tacho list devices, BACKEND:NAME, or a part of these names (default: "
			  "perf:linux)"),
	CLI_OPTION_SIM(struct settings,
		       "count on a simulated device, which is given the launches of the program"),
	CLI_OPTIONS_SELECT(struct settings),
	CLI_OPTION_REPLAY(
		struct settings,
		"when several passes are needed: kernel runs each launch once for each, "
		"process the program; rotate gives launches of a kernel a pass each; auto "
		"(default) is kernel; none refuses"),
	CLI_OPTION_PASSES(struct settings),
	CLI_OPTION_STRICT(struct settings),
	{'q', "quiet", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, quiet), false,
	 "print warnings and errors only"},
};

const struct cli_command cli_record = {
	.name = "record",
	.summary = "run a program and record what it does with the GPU",
	.operands = "[--] PROGRAM [ARGUMENT...]",
	.description =
		"Runs PROGRAM unchanged, records its API calls and the work of its devices into "
		"NAME.tacho, and prints a report to stderr at the end. The exit status is the "
		"program's.",
	.options = options,
	.option_count = sizeof(options) / sizeof(options[0]),
	.words = CLI_WORDS_PROGRAM,
	.first_operand = "PROGRAM",
	.operand_min = 1,
	.operand_max = 1u << 30,
	.is_launcher = true,
	.run = record_run,
};
