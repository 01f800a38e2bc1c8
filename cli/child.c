/* SPDX-License-Identifier: MIT */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "witness.h"

enum {
	NS_PER_US = 1000,
	NS_PER_MS = 1000000,
	NS_PER_S = 1000000000,
	SIGNAL_STATUS = 128, /* as shells show a death by signal */
};

static const int handed_on[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static uint64_t time_ns(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_usec * NS_PER_US;
}

static void make_set(sigset_t *out_set)
{
	sigemptyset(out_set);
	sigaddset(out_set, SIGCHLD);
	for (size_t i = 0; i < sizeof(handed_on) / sizeof(handed_on[0]); i++)
		sigaddset(out_set, handed_on[i]);
}

/* In the child. */
static void run_program(const struct cli_child *child, char *const argv[], int wait_fd,
			int report_fd)
{
	char go;
	int error;
	ssize_t got;

	do
		got = read(wait_fd, &go, 1);
	while (got < 0 && errno == EINTR);
	if (got != 1)
		_exit(SIGNAL_STATUS); /* nobody waits for the program any more */
	sigaction(SIGCHLD, &child->old_child_action, NULL);
	sigprocmask(SIG_SETMASK, &child->old_mask, NULL);
	execvp(argv[0], argv);
	error = errno;
	while (write(report_fd, &error, sizeof(error)) < 0 && errno == EINTR)
		;
	_exit(SIGNAL_STATUS);
}

static void close_pair(int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

static int prepare(struct cli_child *child, char *const argv[])
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	int go[2], report[2], error;
	sigset_t set;

	memset(child, 0, sizeof(*child));
	if (pipe2(go, O_CLOEXEC))
		return errno;
	if (pipe2(report, O_CLOEXEC)) {
		error = errno;
		close_pair(go);
		return error;
	}
	make_set(&set);
	sigprocmask(SIG_BLOCK, &set, &child->old_mask);
	sigaction(SIGCHLD, &action, &child->old_child_action); /* ignored, it would not be told */
	cli_witness_begin();
	child->pid = fork();
	if (child->pid == 0) {
		close(go[1]);
		close(report[0]);
		run_program(child, argv, go[0], report[1]);
	}
	error = errno;
	close(go[0]);
	close(report[1]);
	child->go_fd = go[1];
	child->report_fd = report[0];
	child->is_prepared = true;
	if (child->pid > 0)
		return 0;
	cli_child_finish(child);
	return error;
}

int cli_child_prepare(struct cli_child *child, char *const argv[])
{
	int error = prepare(child, argv);

	child->program = argv[0];
	if (!error)
		return CLI_OK;
	cli_complain(strerror(error), "", "there is no process for %s", argv[0]);
	return CLI_FAILED;
}

static void reap(struct cli_child *child, const struct rusage *usage, int status)
{
	child->elapsed_ns = now_ns() - child->begin_ns;
	child->user_ns = time_ns(&usage->ru_utime);
	child->system_ns = time_ns(&usage->ru_stime);
	child->is_stopped |= WIFSIGNALED(status);
	child->status =
		WIFSIGNALED(status) ? SIGNAL_STATUS + WTERMSIG(status) : WEXITSTATUS(status);
	child->pid = 0;
}

static bool has_ended(struct cli_child *child, int flags)
{
	struct rusage usage;
	int status;
	pid_t pid;

	do
		pid = wait4(child->pid, &status, flags, &usage);
	while (pid < 0 && errno == EINTR);
	if (pid != child->pid)
		return false;
	reap(child, &usage, status);
	return true;
}

int cli_child_start(struct cli_child *child)
{
	int error = 0;
	ssize_t got;

	child->begin_ns = now_ns();
	while (write(child->go_fd, "g", 1) < 0 && errno == EINTR)
		;
	do
		got = read(child->report_fd, &error, sizeof(error));
	while (got < 0 && errno == EINTR);
	if (got != (ssize_t)sizeof(error))
		return CLI_OK;
	has_ended(child, 0);
	cli_show_class(CLI_OK);
	cli_complain(strerror(error),
		     error == ENOENT ? "check the name and PATH"
				     : "name a program, or make it executable with chmod +x",
		     "%s cannot be executed", *child->program ? child->program : "nothing");
	return error == ENOENT ? CLI_NOT_FOUND : CLI_NOT_EXECUTABLE;
}

/* A signal for the program, unless it got that by itself. */
static void hand_on(const struct cli_child *child, int number)
{
	const struct timespec none = {0};
	sigset_t set;

	if (!cli_witness_saw(number, child->pid)) {
		kill(child->pid, number);
		return;
	}
	/* to tacho and to the group, as timeout(1) sends it: one of them was it */
	sigemptyset(&set);
	sigaddset(&set, number);
	sigtimedwait(&set, NULL, &none);
}

bool cli_child_wait(struct cli_child *child, int timeout_ms)
{
	uint64_t end_ns = now_ns() + (uint64_t)timeout_ms * NS_PER_MS;
	sigset_t set;

	make_set(&set);
	while (!has_ended(child, WNOHANG)) {
		uint64_t now = now_ns(), rest = now < end_ns ? end_ns - now : 0;
		struct timespec timeout = {.tv_sec = (time_t)(rest / NS_PER_S),
					   .tv_nsec = (long)(rest % NS_PER_S)};
		int number = sigtimedwait(&set, NULL, &timeout);

		child->is_stopped |= number > 0 && number != SIGCHLD;
		if (number > 0 && number != SIGCHLD)
			hand_on(child, number);
		if (!rest)
			return false;
	}
	return true;
}

void cli_child_finish(struct cli_child *child)
{
	struct timespec none = {0};
	sigset_t set;

	if (!child->is_prepared)
		return;
	close(child->go_fd); /* a program that still waits ends now */
	close(child->report_fd);
	if (child->pid > 0)
		has_ended(child, 0);
	cli_witness_end();
	/* what came for a program that is gone */
	make_set(&set);
	while (sigtimedwait(&set, NULL, &none) > 0)
		;
	sigaction(SIGCHLD, &child->old_child_action, NULL);
	sigprocmask(SIG_SETMASK, &child->old_mask, NULL);
	child->is_prepared = false;
}
