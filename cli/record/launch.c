/* SPDX-License-Identifier: MIT */
#include "record/launch.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>

#include "events.h"
#include "output.h"
#include "record/progress.h"
#include "snapshot.h"
#include "witness.h"

enum { WAIT_MS = 100, SIGNAL_STATUS = 128, EVENT_NS = 1000000000 };

/* Those that the program is to get, and those that are for tacho. */
static const int caught[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2};

enum { CAUGHT_COUNT = sizeof(caught) / sizeof(caught[0]), ENDING_COUNT = 4, USER_COUNT = 2 };

static struct {
	volatile sig_atomic_t came[CAUGHT_COUNT]; /* and nothing was done about it yet */
	volatile sig_atomic_t stop;		  /* the first that asked to end; 0: none did */
} signals;

static void note_signal(int number)
{
	for (int i = 0; i < CAUGHT_COUNT; i++) {
		if (caught[i] != number)
			continue;
		signals.came[i] = 1;
		if (i < ENDING_COUNT && !signals.stop)
			signals.stop = number;
	}
}

static bool take_signal(int number)
{
	for (size_t i = 0; i < CAUGHT_COUNT; i++)
		if (caught[i] == number && signals.came[i]) {
			signals.came[i] = 0;
			return true;
		}
	return false;
}

/*
 * What asks the program to end must not end the launcher. Handlers, not SIG_IGN: exec gives the
 * program back the default action, and what was ignored before stays so.
 */
static void catch_signals(size_t count)
{
	struct sigaction action = {.sa_handler = note_signal}, old;

	for (size_t i = 0; i < count; i++)
		if (sigaction(caught[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(caught[i], &action, NULL);
}

/* SIGUSR1 pauses what counts, and saves a recording that its user knows of. */
static size_t count_caught(const struct cli_launch *info,
			   const struct tacho_launch_options *options)
{
	const bool saves = !info->is_silent && !info->ends_on_interrupt;

	return CAUGHT_COUNT - (options->counting ? 0 : saves ? 1 : USER_COUNT);
}

void cli_launch_catch_signals(void)
{
	memset(&signals, 0, sizeof(signals));
	catch_signals(CAUGHT_COUNT - USER_COUNT);
}

int cli_launch_get_stop(void)
{
	return signals.stop;
}

void cli_launch_release_signals(void)
{
	struct sigaction old;

	for (size_t i = 0; i < CAUGHT_COUNT; i++)
		if (sigaction(caught[i], NULL, &old) == 0 && old.sa_handler == note_signal)
			signal(caught[i], SIG_DFL);
	cli_output_clean_on_signals();
}

/* What there is now; the program goes on meanwhile. */
static void save(const struct tacho_launch *launch)
{
	char *name = NULL;

	if (cli_snapshot_save(tacho_launch_get_path(launch), NULL, &name) == CLI_OK)
		fprintf(stderr, "tacho: saved %s\n", name);
	free(name);
}

/*
 * What asks to end, once: not where the program got it with the whole group, and as one where
 * somebody sent it to tacho and to the group, as timeout(1) does. Returns whether it came.
 */
static bool hand_on(struct tacho_launch *launch, int number)
{
	if (!take_signal(number))
		return false;
	if (cli_witness_saw(number, tacho_launch_get_pid(launch)))
		take_signal(number);
	else
		tacho_launch_signal(launch, number);
	return true;
}

/* Who asks twice does not want to wait for a program that does not care. */
static void forward_ending(struct tacho_launch *launch, bool ends_on_interrupt, int *asked)
{
	for (size_t i = 0; i < ENDING_COUNT; i++)
		if (hand_on(launch, caught[i]) && (caught[i] == SIGINT || caught[i] == SIGQUIT))
			++*asked;
	if (ends_on_interrupt && *asked > 1)
		tacho_launch_signal(launch, SIGKILL);
}

static void forward_requests(struct tacho_launch *launch, bool counts)
{
	if (take_signal(SIGUSR1)) {
		if (counts)
			tacho_launch_request(launch, TACHO_REQUEST_PAUSE);
		else
			save(launch);
	}
	if (take_signal(SIGUSR2))
		tacho_launch_request(launch, TACHO_REQUEST_RESUME);
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

static unsigned count_runs(const struct cli_launch *launch)
{
	return launch->count ? cli_count_get(launch->count, -1)->run_count : 1;
}

/* In which each launch runs again. */
static unsigned count_passes(const struct cli_launch *launch)
{
	const struct tacho_counting *counting =
		launch->count ? cli_count_get(launch->count, -1) : NULL;

	return counting && counting->replay == TACHO_REPLAY_KERNEL ? counting->pass_count : 1;
}

static int wait_for_end(struct tacho_launch *launch, const struct cli_launch *info, bool counts,
			unsigned run)
{
	struct cli_progress line;
	struct tacho_progress progress = {0};
	uint64_t told_ns = 0;
	int status = CLI_FAILED, asked = 0, rc;

	cli_progress_init(&line, !info->is_quiet && !info->watch);
	line.run = run;
	line.run_count = count_runs(info);
	line.pass_count = count_passes(info);
	for (;;) {
		forward_ending(launch, info->ends_on_interrupt, &asked);
		forward_requests(launch, counts);
		rc = tacho_launch_wait(launch, WAIT_MS, &status, &progress);
		if (rc != 0)
			break;
		cli_progress_update(&line, &progress);
		if (info->watch)
			info->watch(info->user, &progress);
		if (progress.elapsed_ns - told_ns >= EVENT_NS) {
			told_ns = progress.elapsed_ns;
			cli_events_progress(run, &progress);
		}
	}
	cli_progress_erase(&line);
	if (rc < 0)
		cli_complain_last();
	return status;
}

static void announce(const struct tacho_launch *launch, const struct cli_launch *info)
{
	const char *warning, *loader = tacho_launch_get_loader(launch);

	for (size_t i = 0; !info->is_again && (warning = tacho_launch_get_warning(launch, i)); i++)
		cli_warn("%s", warning);
	if (info->is_quiet || info->is_silent)
		return;
	fprintf(stderr, "tacho: recording into %s\n", tacho_launch_get_path(launch));
	if (*loader)
		fprintf(stderr, "tacho: loader %s\n", loader);
}

/* What could not be written of the end is told, and the rest is known all the same. */
static void end(struct tacho_launch *launch, struct cli_ending *ending)
{
	const struct tacho_launch_outcome *outcome;

	if (tacho_launch_end(launch, &outcome) != 0)
		cli_complain_last();
	if (tacho_launch_end(launch, &outcome) == 0)
		cli_ending_add(ending, outcome);
}

/* Who interrupts before the program is there means tacho, and leaves nothing behind. */
static int leave_early(struct tacho_launch *launch)
{
	tacho_launch_finish(launch);
	cli_warn("ended by %s before the program began: nothing was recorded",
		 strsignal(signals.stop));
	return SIGNAL_STATUS + signals.stop;
}

/* One run of the program. Whether it ran is not seen in the status, which may be its own. */
static int run_once(const struct cli_launch *info, const struct tacho_launch_options *options,
		    struct cli_ending *ending, bool *out_has_run)
{
	struct tacho_launch *launch = NULL;
	bool is_first = !ending->path;
	int status, stop = signals.stop;

	*out_has_run = false;
	catch_signals(count_caught(info, options));
	cli_witness_begin();
	if (tacho_launch_create(info->argv, options, &launch) != 0) {
		cli_complain_last();
		return CLI_REFUSED;
	}
	if (is_first) {
		ending->path = cli_format("%s", tacho_launch_get_path(launch));
		announce(launch, info);
	}
	if (signals.stop != stop)
		return leave_early(launch);
	fflush(NULL);
	if (tacho_launch_start(launch) != 0) {
		status = CLI_REFUSED;
		if (tacho_launch_cannot_sample(launch))
			cli_complain_last();
		else
			status = cli_launch_complain();
		tacho_launch_finish(launch);
		return status;
	}
	*out_has_run = true;
	cli_show_class(CLI_OK);
	cli_events_run(ending->path, ending->run_count + 1, count_runs(info));
	status = wait_for_end(launch, info, options->counting != NULL, ending->run_count + 1);
	cli_witness_end(); /* it may have the recording's memory */
	end(launch, ending);
	tacho_launch_finish(launch);
	return status;
}

static bool was_stopped(int status)
{
	return status == SIGNAL_STATUS + SIGINT || status == SIGNAL_STATUS + SIGTERM ||
	       status == SIGNAL_STATUS + SIGQUIT || status == SIGNAL_STATUS + SIGHUP;
}

/* Once more for every further pass, into the recording of the first. */
static int run_again(const struct cli_launch *launch, struct tacho_launch_options *options,
		     struct cli_ending *ending, int status)
{
	uint32_t count = cli_count_get(launch->count, 0)->run_count;
	int again = status;
	bool has_run = true;

	for (uint32_t pass = 1; pass < count && has_run && !was_stopped(again) && !signals.stop;
	     pass++) {
		char *file = cli_format(TACHO_COUNTING_RUN_FORMAT, (unsigned)pass + 1);
		char *name = cli_format("%s/%s", ending->path, file);

		if (!launch->is_quiet)
			fprintf(stderr, "tacho: run %u of %u\n", (unsigned)pass + 1,
				(unsigned)count);
		options->name = name;
		options->counting = cli_count_get(launch->count, (int)pass);
		again = run_once(launch, options, ending, &has_run);
		status = status ? status : again;
		free(name);
		free(file);
	}
	return status;
}

int cli_launch_run(const struct cli_launch *launch, struct cli_ending *out_ending)
{
	struct tacho_launch_options options = launch->options;
	bool has_runs = false, has_run;
	int status;

	if (launch->count) {
		has_runs = cli_count_get(launch->count, -1)->run_count > 1;
		options.counting = cli_count_get(launch->count, has_runs ? 0 : -1);
	}
	status = run_once(launch, &options, out_ending, &has_run);
	if (has_runs && has_run)
		status = run_again(launch, &options, out_ending, status);
	cli_witness_end();
	out_ending->status = status;
	return status;
}
