/* SPDX-License-Identifier: MIT */
#include "diff/turns_program.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <tacho/recording.h>

#include "record/launch.h"
#include "units.h"

enum { SIGNAL_STATUS = 128, LOOK_MS = 5, CUT_MS = 100 };

extern char **environ;

void cli_turns_name(const struct cli_turns *turns, unsigned side, uint64_t pair, char *out_title,
		    size_t size)
{
	if (pair)
		snprintf(out_title, size, "pair %" PRIu64 " of %" PRIu64 ", %c", pair,
			 turns->settings->pairs, side ? 'B' : 'A');
	else
		snprintf(out_title, size, "warming up, %c", side ? 'B' : 'A');
}

/* ---- the line ---- */

static void draw(struct cli_turns *turns, const struct tacho_progress *progress)
{
	struct cli_number elapsed, calls, mean[2];
	char *text = cli_format("tacho: %s", turns->title);

	if (!progress)
		cli_append(&text, "", "%s", " ...");
	else
		cli_append(&text, "", " %s, %s calls",
			   cli_units_time(&elapsed, progress->elapsed_ns, 3),
			   cli_units_count(&calls, progress->calls));
	if (turns->pair_count) {
		for (unsigned side = 0; side < 2; side++) {
			struct cli_turns_wall wall;

			cli_turns_get_wall(turns, side, &wall);
			cli_units_time(&mean[side], (uint64_t)wall.mean_ns, 3);
		}
		cli_append(&text, "", "; means A %s, B %s", mean[0].text, mean[1].text);
	}
	if (turns->until > 0 && turns->half >= 0)
		cli_append(&text, "", "; within %.3g%%, until %.3g%%", 100 * turns->half,
			   100 * turns->until);
	cli_progress_draw(&turns->line, text);
	free(text);
}

static void watch(void *user, const struct tacho_progress *progress)
{
	static const uint64_t interval_ns = 500000000;
	struct cli_turns *turns = user;

	cli_turns_place_cut_messages(&turns->place);
	if (progress->elapsed_ns < turns->line.drawn_ns + interval_ns)
		return;
	draw(turns, progress);
	turns->line.drawn_ns = progress->elapsed_ns;
}

/* ---- failures ---- */

/* What a status as a shell shows it means. */
static const char *describe_status(int status)
{
	const char *name = status > SIGNAL_STATUS ? strsignal(status - SIGNAL_STATUS) : NULL;

	return name ? cli_part("its exit status is %d, as of signal %d (%s)", status,
			       status - SIGNAL_STATUS, name)
		    : cli_part("its exit status is %d", status);
}

static int fail(struct cli_turns *turns, const char *what, const char *cause, const char *cure,
		enum cli_exit class)
{
	cli_progress_erase(&turns->line);
	cli_complain(cause, cure, "%s: %s", turns->title, what);
	if (!turns->settings->shows_output)
		cli_turns_place_show_messages(&turns->place);
	return class;
}

/* ---- the command in front of a run ---- */

static void pause_ms(int ms)
{
	nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL);
}

/* Who asks to end does not wait for it either. */
static int await(pid_t pid)
{
	bool was_told = false;
	int status = 0, waited_ms = 0;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (cli_launch_get_stop() && !was_told) {
			kill(pid, cli_launch_get_stop());
			was_told = true;
		}
		pause_ms(waited_ms < CUT_MS ? 1 : LOOK_MS);
		waited_ms++;
	}
	return WIFSIGNALED(status) ? SIGNAL_STATUS + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_command(struct cli_turns *turns, const char *command)
{
	char *argv[] = {"sh", "-c", (char *)command, NULL};
	int fd = turns->settings->shows_output ? STDERR_FILENO : turns->place.messages_fd;
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions), status;
	pid_t pid;

	if (!error)
		error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
							 O_RDONLY, 0);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, fd, STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, fd, STDERR_FILENO);
	if (!error)
		error = posix_spawn(&pid, "/bin/sh", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error)
		return fail(turns, "sh cannot be started for --prepare", strerror(error), "",
			    CLI_FAILED);
	status = await(pid);
	if (!status || cli_launch_get_stop())
		return CLI_OK;
	return fail(turns, cli_part("what is to prepare it failed: %s", command),
		    describe_status(status), "", CLI_FAILED);
}

/* One command is for both, of two each has one. */
static int run_commands(struct cli_turns *turns, unsigned side)
{
	const struct cli_texts *prepare = &turns->settings->prepare;

	if (!prepare->count)
		return CLI_OK;
	return run_command(turns, prepare->texts[prepare->count > 1 ? side : 0]);
}

/* ---- the program ---- */

static int launch(struct cli_turns *turns, unsigned side, const char *name,
		  struct cli_ending *out_ending)
{
	int none = open("/dev/null", O_RDWR | O_CLOEXEC);
	bool shows = turns->settings->shows_output;
	struct cli_launch launch = {
		.argv = turns->lines[side].words,
		.options = {.name = name,
			    .input_fd = none,
			    .output_fd = shows ? STDERR_FILENO : none,
			    .error_fd = shows ? 0 : turns->place.messages_fd},
		.count = turns->count,
		.is_quiet = true,
		.is_again = turns->was_told[side],
		.ends_on_interrupt = true,
		.watch = watch,
		.user = turns,
	};
	int status = CLI_FAILED;

	if (none < 0) {
		fail(turns, "/dev/null cannot be opened", strerror(errno), "", CLI_FAILED);
		return CLI_FAILED;
	}
	if (!launch.is_again)
		cli_progress_erase(&turns->line); /* warnings may come */
	cli_bounds_apply(turns->bounds, &launch.options);
	launch.options.max_bytes = turns->max_bytes;
	if (cli_command_line_set_variables(&turns->lines[side]))
		status = cli_launch_run(&launch, out_ending);
	cli_command_line_reset_variables(&turns->lines[side]);
	turns->was_told[side] = true;
	close(none);
	return status;
}

/* Whether what was recorded is worth comparing. */
static int judge(struct cli_turns *turns, const struct cli_ending *ending)
{
	const struct tacho_launch_outcome *sum = &ending->sum;
	bool ignores = turns->settings->ignores_failures;

	if (ending->status && !ignores)
		return fail(turns, "the program failed", describe_status(ending->status),
			    "--ignore-failure compares it all the same", CLI_FAILED);
	if (!sum->calls && !sum->commands && !ending->loss && !ignores)
		return fail(turns, "no call was recorded", ending->why_empty,
			    "look what hinders: tacho doctor; --ignore-failure compares it all the "
			    "same, by its wall time",
			    CLI_NOTHING);
	if (!ending->loss && !sum->beyond_calls)
		return CLI_OK;
	cli_progress_erase(&turns->line);
	if (ending->loss)
		cli_warn("%s: lost: %s%s%s", turns->title, ending->loss,
			 ending->cure ? "; cure: " : "", ending->cure ? ending->cure : "");
	if (sum->beyond_calls)
		cli_warn("%s: %" PRIu64 " calls were left out, since the recording became too "
			 "large (--max-size)",
			 turns->title, sum->beyond_calls);
	return CLI_OK;
}

static void add_run(struct cli_turns *turns, unsigned side, uint64_t pair,
		    const struct cli_ending *ending)
{
	turns->runs = cli_grow(turns->runs, turns->run_count, sizeof(*turns->runs));
	turns->runs[turns->run_count++] = (struct cli_turns_run){
		.side = side,
		.pair = pair,
		.wall_ns = ending->sum.run_ns,
		.status = ending->status,
	};
}

/* A recording that nobody wants. */
static int discard(const struct cli_ending *ending)
{
	if (ending->path && tacho_launch_remove(ending->path) != 0)
		return (int)cli_complain_last();
	return CLI_OK;
}

/* Names in the order of the runs. */
static char *make_name(const struct cli_turns *turns, unsigned side, uint64_t pair)
{
	char last[24];
	int width = snprintf(last, sizeof(last), "%" PRIu64, turns->settings->pairs);

	return pair ? cli_format("%s/%c/%0*" PRIu64, turns->place.folder, side ? 'b' : 'a', width,
				 pair)
		    : cli_format("%s/%c/warm-up", turns->place.folder, side ? 'b' : 'a');
}

static int record(struct cli_turns *turns, unsigned side, uint64_t pair,
		  struct cli_diff_group *group)
{
	struct cli_ending ending = {0};
	char *name = make_name(turns, side, pair);
	int status = launch(turns, side, name, &ending);

	if (!ending.run_count) /* why was said */
		status = cli_launch_get_stop()
				 ? CLI_OK
				 : fail(turns, "the program did not run", "", "", CLI_FAILED);
	else if (cli_launch_get_stop())
		status = discard(&ending);
	else
		status = judge(turns, &ending);
	if (status == CLI_OK && ending.run_count && !cli_launch_get_stop()) {
		status = pair ? cli_diff_group_add(group, ending.path) : discard(&ending);
		if (status == CLI_OK && pair)
			add_run(turns, side, pair, &ending);
	}
	cli_ending_finish(&ending);
	free(name);
	return status;
}

int cli_turns_run_program(struct cli_turns *turns, unsigned side, uint64_t pair,
			  struct cli_diff_group *group)
{
	int status;

	cli_turns_name(turns, side, pair, turns->title, sizeof(turns->title));
	turns->line.drawn_ns = 0;
	draw(turns, NULL);
	cli_turns_place_begin_messages(&turns->place);
	if (!cli_turns_place_has_room(&turns->place, turns->max_bytes)) {
		cli_progress_erase(&turns->line);
		return CLI_FAILED;
	}
	status = run_commands(turns, side);
	if (status != CLI_OK || cli_launch_get_stop())
		return status;
	return record(turns, side, pair, group);
}
