/* SPDX-License-Identifier: MIT */
/* The runs of the program: one per pass, counted from its exec on. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>

#include "events.h"
#include "stat/stat.h"
#include "stat/watch.h"

enum { WAIT_MS = 1000, INTERVAL_WAIT_MS = 100, NS_PER_MS = 1000000 };

struct run {
	struct cli_stat *stat;
	uint32_t pass;
	struct cli_child child; /* the program */
	struct cli_watch watch; /* without one: the process, or the time, that is counted */
	struct tacho_session *session;
	tacho_range range;
};

static bool has_program(const struct run *run)
{
	return *run->stat->output.program != NULL;
}

static int prepare_end(struct run *run)
{
	if (has_program(run))
		return cli_child_prepare(&run->child, run->stat->output.program);
	return cli_watch_begin(&run->watch, (pid_t)run->stat->pid, run->stat->duration_ns);
}

/* Everything that can fail without the program. */
static int prepare(struct run *run)
{
	const struct cli_stat *stat = run->stat;
	const struct cli_stat_output *output = &stat->output;
	struct tacho_session_options options = {
		.size = sizeof(options),
		.replay = stat->run_count > 1 ? TACHO_REPLAY_PROCESS : TACHO_REPLAY_NONE,
		.only_pass = run->pass,
		.window_ns = output->interval_ns,
		.strict = stat->is_strict,
		.from_exec = has_program(run) && !stat->pid,
	};
	int rc;

	if (prepare_end(run) != CLI_OK)
		return CLI_REFUSED;
	options.pid = stat->is_system_wide ? -1 : stat->pid ? (int64_t)stat->pid : run->child.pid;
	rc = tacho_session_create(stat->device, stat->plan, &options, &run->session);
	if (!rc && !output->interval_ns) {
		rc = tacho_session_begin_pass(run->session);
		if (!rc)
			rc = tacho_session_begin_range(run->session, 0, 0, output->subject,
						       &run->range);
	}
	if (rc)
		cli_complain_last();
	return rc ? CLI_REFUSED : CLI_OK;
}

/* The intervals that are over. */
static void print_ready(struct run *run)
{
	struct tacho_result *result;
	size_t ready = 0;

	tacho_session_drain(run->session, 0, &ready);
	if (!ready || tacho_session_take(run->session, &result) != 0)
		return;
	cli_stat_print_interval(&run->stat->output, result);
	tacho_result_destroy(result);
}

static bool wait_for_end(struct run *run, int timeout_ms)
{
	return has_program(run) ? cli_child_wait(&run->child, timeout_ms)
				: cli_watch_wait(&run->watch, timeout_ms);
}

static void await_end(struct run *run)
{
	uint64_t interval_ms = run->stat->output.interval_ns / NS_PER_MS;
	int wait_ms = !interval_ms		       ? WAIT_MS
		      : interval_ms < INTERVAL_WAIT_MS ? (int)interval_ms
						       : INTERVAL_WAIT_MS;

	while (!wait_for_end(run, wait_ms))
		if (interval_ms)
			print_ready(run);
}

/* What was counted. Trouble after the program's end is a message and changes no status. */
static struct tacho_result *collect(struct run *run)
{
	struct tacho_result *result = NULL;
	int rc = 0;

	if (run->range)
		rc = tacho_session_end_range(run->session, run->range);
	if (!rc)
		rc = tacho_session_end_pass(run->session, NULL);
	if (!rc)
		rc = tacho_session_drain(run->session, (uint64_t)WAIT_MS * NS_PER_MS, NULL);
	if (rc)
		cli_complain_last();
	if (run->stat->output.interval_ns)
		print_ready(run);
	else if (tacho_session_take(run->session, &result) != 0)
		cli_complain_last();
	return result;
}

/* *out_result is owned; NULL with intervals, and when nothing could be read. */
static int run_once(struct run *run, struct tacho_result **out_result)
{
	int status = prepare(run);

	if (status)
		goto out;
	fflush(NULL);
	if (has_program(run))
		status = cli_child_start(&run->child);
	if (status)
		goto out;
	cli_show_class(CLI_OK);
	cli_events_run(NULL, run->pass + 1, run->stat->run_count);
	await_end(run);
	if (!has_program(run))
		run->child.elapsed_ns = run->watch.elapsed_ns;
	*out_result = collect(run);
out:
	tacho_session_destroy(run->session);
	cli_child_finish(&run->child);
	cli_watch_finish(&run->watch);
	return status;
}

static void add_times(struct cli_child *sum, const struct cli_child *child)
{
	sum->elapsed_ns += child->elapsed_ns;
	sum->user_ns += child->user_ns;
	sum->system_ns += child->system_ns;
	sum->is_stopped = child->is_stopped;
	if (!sum->status)
		sum->status = child->status;
}

static void print(struct cli_stat *stat, struct tacho_result *const *results, size_t count,
		  const struct cli_child *sum)
{
	struct tacho_result *merged = NULL;

	stat->output.run_count = count;
	stat->output.runs_needed = stat->run_count;
	if (stat->run_count > 1 &&
	    tacho_session_merge((const struct tacho_result *const *)results, count, &merged) != 0)
		cli_complain_last();
	if (stat->run_count == 1 || merged)
		cli_stat_print_end(&stat->output, merged ? merged : results[0], sum);
	tacho_result_destroy(merged);
}

int cli_stat_run(struct cli_stat *stat)
{
	struct tacho_result **results = cli_alloc(stat->run_count * sizeof(*results));
	struct cli_child sum = {0};
	size_t count = 0;
	int status = CLI_OK;

	while (count < stat->run_count && !status && !sum.is_stopped) {
		struct run run = {.stat = stat, .pass = (uint32_t)count};

		status = run_once(&run, &results[count]);
		if (status)
			break;
		add_times(&sum, &run.child);
		if (!results[count] && !stat->output.interval_ns)
			break;
		count++;
	}
	if (count)
		print(stat, results, count, &sum);
	for (size_t i = 0; i < stat->run_count; i++)
		tacho_result_destroy(results[i]);
	free(results);
	return status ? status : sum.status;
}
