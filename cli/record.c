/* SPDX-License-Identifier: MIT */
/* tacho record: runs a program with a recorder inside, then exports and reports. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/sys/launch.h>
#include <tacho/tacho.h>

#include "export.h"
#include "name.h"
#include "options.h"
#include "progress.h"
#include "report.h"
#include "units.h"

/* Above this the session files are left to `tacho export`. */
static const uint64_t EXPORT_MAX_BYTES = 64 * 1000 * 1000;

enum { WAIT_MS = 100 };

struct settings {
	const char *output, *export;
	bool overwrite, quiet, no_follow, keep_programs;
	int via;
};

struct run {
	const struct settings *settings;
	struct cli_formats formats;
	char *path; /* of the recording */
};

/* Signals that the launcher got for the program and has not handed on yet. */
static struct {
	volatile sig_atomic_t terminate, hang_up;
} signals;

static void note_signal(int number)
{
	if (number == SIGTERM)
		signals.terminate = 1;
	else if (number == SIGHUP)
		signals.hang_up = 1;
}

/*
 * Ctrl-C and Ctrl-\ reach the program by themselves and must not end the launcher. Handlers, not
 * SIG_IGN: exec gives the program back the default action, and what was ignored before stays so.
 */
static void catch_signals(void)
{
	static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE};
	struct sigaction action = {.sa_handler = note_signal}, old;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
}

static void forward_signals(struct tacho_launch *launch)
{
	if (signals.terminate) {
		signals.terminate = 0;
		tacho_launch_signal(launch, SIGTERM);
	}
	if (signals.hang_up) {
		signals.hang_up = 0;
		tacho_launch_signal(launch, SIGHUP);
	}
}

/* 126 and 127 as env(1) has them; 125 with its class in the message for all else. */
static int complain_start(void)
{
	int code = tacho_error_last()->code, error = tacho_error_last()->vendor_code;

	if (code == TACHO_E_NOTFOUND) {
		cli_show_class(CLI_OK);
		cli_complain_last();
		return CLI_NOT_FOUND;
	}
	if (code == TACHO_E_PERM || error == ENOEXEC) {
		cli_show_class(CLI_OK);
		cli_complain_last();
		return CLI_NOT_EXECUTABLE;
	}
	cli_complain_last();
	return CLI_REFUSED;
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

static int wait_for_end(struct tacho_launch *launch, bool quiet)
{
	struct cli_progress line;
	struct tacho_progress progress = {0};
	int status = CLI_FAILED, rc;

	cli_progress_init(&line, !quiet);
	do {
		forward_signals(launch);
		rc = tacho_launch_wait(launch, WAIT_MS, &status, &progress);
		if (rc == 0)
			cli_progress_update(&line, &progress);
	} while (rc == 0);
	cli_progress_erase(&line);
	if (rc < 0)
		cli_complain_last();
	return status;
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
	} else if (!has_call(recording)) {
		const char *why = tacho_recording_get_run(recording)->why_empty;
		char *text = cli_format("no call was recorded: %s",
					*why ? why : "the reason is not known");

		cli_warn(text);
		free(text);
	}
	tacho_recording_close(recording);
}

static void announce(const struct tacho_launch *launch, bool quiet)
{
	const char *warning, *loader = tacho_launch_get_loader(launch);

	for (size_t i = 0; (warning = tacho_launch_get_warning(launch, i)); i++)
		cli_warn(warning);
	if (quiet)
		return;
	fprintf(stderr, "tacho: recording into %s\n", tacho_launch_get_path(launch));
	if (*loader)
		fprintf(stderr, "tacho: loader %s\n", loader);
}

static int launch_program(struct run *run, const char *name, char **argv)
{
	const struct settings *settings = run->settings;
	struct tacho_launch_options options = {
		.size = sizeof(options),
		.name = name,
		.overwrite = settings->overwrite,
		.no_follow = settings->no_follow,
		.keep_programs = settings->keep_programs,
		.via = (enum tacho_launch_via)settings->via,
	};
	struct tacho_launch *launch = NULL;
	int status;

	if (tacho_launch_create(argv, &options, &launch) != 0) {
		cli_complain_last();
		return CLI_REFUSED;
	}
	run->path = cli_format("%s", tacho_launch_get_path(launch));
	announce(launch, settings->quiet);
	fflush(NULL);
	catch_signals();
	if (tacho_launch_start(launch) != 0) {
		status = complain_start();
		tacho_launch_finish(launch);
		return status;
	}
	cli_show_class(CLI_OK);
	status = wait_for_end(launch, settings->quiet);
	if (tacho_launch_finish(launch) != 0)
		cli_complain_last();
	show_results(run);
	return status;
}

static int record_run(const struct cli_command *command, int argc, char **argv)
{
	struct settings settings = {0};
	struct run run = {.settings = &settings};
	char *name = NULL, *program = NULL;
	int operand, status;

	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		return status;
	status = CLI_REFUSED;
	if (!cli_formats_parse(settings.export ? settings.export : "codexl", true, &run.formats))
		goto out;
	if (settings.output && !cli_name_expand(settings.output, &name))
		goto out;
	if (tacho_launch_check(argv[operand], &program) != 0) {
		status = complain_start();
		goto out;
	}
	if (name && !settings.overwrite && !check_exports(&run, name))
		goto out;
	status = launch_program(&run, name, argv + operand);
out:
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
	 "formats to write after the run, with commas between them: codexl, jsonl, programs; or "
	 "none (default: codexl, unless its files would exceed 64 MB)"},
	{0, "no-follow", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, no_follow),
	 false, "record the program itself only, not the programs that it starts"},
	{0, "keep-programs", NULL, CLI_FLAG, CLI_WORDS_NONE,
	 offsetof(struct settings, keep_programs), false,
	 "keep kernel sources, binaries and build logs too"},
	{0, "via", "WAY", CLI_CHOICE, CLI_WORDS_VIA, offsetof(struct settings, via), false,
	 "how to get into the program: auto, layer (of the API's loader) or preload"},
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
