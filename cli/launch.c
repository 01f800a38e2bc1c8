/* SPDX-License-Identifier: MIT */
#include "launch.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include <tacho/error.h>

#include "progress.h"

enum { WAIT_MS = 100, SIGNAL_STATUS = 128 };

/* Signals that the launcher got for the program and has not handed on yet. */
static struct {
	volatile sig_atomic_t terminate, hang_up, pause, resume;
} signals;

static void note_signal(int number)
{
	if (number == SIGTERM)
		signals.terminate = 1;
	else if (number == SIGHUP)
		signals.hang_up = 1;
	else if (number == SIGUSR1)
		signals.pause = 1;
	else if (number == SIGUSR2)
		signals.resume = 1;
}

/*
 * Ctrl-C and Ctrl-\ reach the program by themselves and must not end the launcher. Handlers, not
 * SIG_IGN: exec gives the program back the default action, and what was ignored before stays so.
 */
static void catch_signals(bool counts)
{
	static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2};
	size_t number_count = sizeof(numbers) / sizeof(numbers[0]) - (counts ? 0 : 2);
	struct sigaction action = {.sa_handler = note_signal}, old;

	for (size_t i = 0; i < number_count; i++)
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
	if (signals.pause) {
		signals.pause = 0;
		tacho_launch_say(launch, TACHO_SAID_PAUSE);
	}
	if (signals.resume) {
		signals.resume = 0;
		tacho_launch_say(launch, TACHO_SAID_RESUME);
	}
}

/* 126 and 127 as env(1) has them; 125 with its class in the message for all else. */
int cli_launch_complain(void)
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

/*
 * One run of the program. *out_path, when it is not NULL, is the recording's. Whether the program
 * ran is not seen in the status, which may be its own.
 */
static int run_once(const struct cli_launch *about, const struct tacho_launch_options *options,
		    bool is_first, char **out_path, bool *out_has_run)
{
	struct tacho_launch *launch = NULL;
	int status;

	*out_has_run = false;
	if (tacho_launch_create(about->argv, options, &launch) != 0) {
		cli_complain_last();
		return CLI_REFUSED;
	}
	if (out_path)
		*out_path = cli_format("%s", tacho_launch_get_path(launch));
	if (is_first)
		announce(launch, about->is_quiet || about->is_silent);
	fflush(NULL);
	catch_signals(options->counting != NULL);
	if (tacho_launch_start(launch) != 0) {
		status = cli_launch_complain();
		tacho_launch_finish(launch);
		return status;
	}
	*out_has_run = true;
	cli_show_class(CLI_OK);
	status = wait_for_end(launch, about->is_quiet);
	if (tacho_launch_finish(launch) != 0)
		cli_complain_last();
	return status;
}

static bool was_stopped(int status)
{
	return status == SIGNAL_STATUS + SIGINT || status == SIGNAL_STATUS + SIGTERM ||
	       status == SIGNAL_STATUS + SIGQUIT || status == SIGNAL_STATUS + SIGHUP;
}

/* Once more for every further pass, into the recording of the first. */
static int run_again(const struct cli_launch *about, struct tacho_launch_options *options,
		     const char *path, int status)
{
	uint32_t count = cli_count_get(about->count, 0)->run_count;
	int again = status;
	bool has_run = true;

	for (uint32_t pass = 1; pass < count && has_run && !was_stopped(again); pass++) {
		char *file = cli_format(TACHO_COUNTING_RUN_FORMAT, (unsigned)pass + 1);
		char *name = cli_format("%s/%s", path, file);

		if (!about->is_quiet)
			fprintf(stderr, "tacho: run %u of %u\n", (unsigned)pass + 1,
				(unsigned)count);
		options->name = name;
		options->counting = cli_count_get(about->count, (int)pass);
		again = run_once(about, options, false, NULL, &has_run);
		status = status ? status : again;
		free(name);
		free(file);
	}
	return status;
}

int cli_launch_run(const struct cli_launch *about, char **out_path)
{
	struct tacho_launch_options options = about->options;
	bool has_runs = false, has_run;
	int status;

	options.size = sizeof(options);
	if (about->count) {
		has_runs = cli_count_get(about->count, -1)->run_count > 1;
		options.counting = cli_count_get(about->count, has_runs ? 0 : -1);
	}
	status = run_once(about, &options, true, out_path, &has_run);
	return has_runs && has_run ? run_again(about, &options, *out_path, status) : status;
}
