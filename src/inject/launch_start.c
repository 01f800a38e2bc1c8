/* SPDX-License-Identifier: MIT */
/* Starting the program and waiting for it. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "inject/launch.h"
#include "record/place.h"

enum {
	SIGNAL_STATUS = 128, /* as shells show a death by signal */
	POLL_MS = 10,	     /* where the kernel has no pidfd */
};

/* What the child needs after fork, made before it. */
struct child {
	const char *program;
	char **argv;
	char **shell_argv; /* for a script without a first line: sh PROGRAM ARGUMENTS */
	char **environment;
	uint32_t *only_pid; /* where the child writes its pid, NULL with children followed */
	const sigset_t *ignored, *mask;
	const int *streams; /* for its standard streams; 0: those that there are */
	int report_fd;
	int gate[2]; /* it waits for a byte of this, or does not become the program */
};

static int set_flag(struct tacho__environment *environment, const char *name, bool is_set)
{
	return is_set ? tacho__environment_set(environment, name, "1")
		      : tacho__environment_unset(environment, name);
}

static int set_variables(struct tacho_launch *launch, struct tacho__environment *environment)
{
	const struct tacho__injection *injection;
	const char *library = launch->library.path;
	bool is_layer = launch->via == TACHO_VIA_LAYER;
	int rc = tacho__environment_set(environment, TACHO__POOL_VARIABLE, launch->keeper.path);

	if (!rc)
		rc = tacho__environment_set(environment, TACHO__STAMP_VARIABLE, launch->stamp);
	if (!rc)
		rc = tacho__environment_set(environment, "TACHO_VIA",
					    is_layer ? "layer" : "preload");
	if (!rc)
		rc = set_flag(environment, "TACHO_KEEP_PROGRAMS", launch->keep_programs);
	if (!rc)
		rc = set_flag(environment, "TACHO_TIME_DRAWS", launch->time_draws);
	if (!rc)
		rc = tacho__launch_set_counting_variable(launch, environment);
	if (!rc && !is_layer)
		rc = tacho__environment_prepend(environment, "LD_PRELOAD", library, ':');
	for (size_t i = 0; !rc && (injection = tacho__injection_get(i)); i++)
		if (is_layer || injection->is_tool)
			rc = injection->set_layer(environment, library);
	return rc;
}

static void restore_signals(const struct child *child)
{
	struct sigaction action = {.sa_handler = SIG_DFL};

	for (int number = 1; number < NSIG; number++) {
		bool ignored = sigismember(child->ignored, number) == 1;

		action.sa_handler = ignored ? SIG_IGN : SIG_DFL;
		sigaction(number, &action, NULL);
	}
	sigprocmask(SIG_SETMASK, child->mask, NULL);
}

/* All signals are blocked meanwhile, but for SIGKILL. */
static void await_gate(const struct child *child)
{
	char byte;
	ssize_t got;

	close(child->gate[1]);
	do
		got = read(child->gate[0], &byte, 1);
	while (got < 0 && errno == EINTR);
	if (got != 1)
		_exit(127);
}

static void report(const struct child *child, int error)
{
	ssize_t written;

	do
		written = write(child->report_fd, &error, sizeof(error));
	while (written < 0 && errno == EINTR);
}

static void place_streams(const struct child *child)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (child->streams[fd] && dup2(child->streams[fd], fd) < 0) {
			report(child, errno);
			_exit(127);
		}
}

static _Noreturn void become(const struct child *child)
{
	await_gate(child);
	place_streams(child);
	restore_signals(child);
	if (child->only_pid)
		*child->only_pid = (uint32_t)getpid();
	execve(child->program, child->argv, child->environment);
	if (errno == ENOEXEC)
		execve(child->shell_argv[0], child->shell_argv, child->environment);
	report(child, errno);
	_exit(127);
}

/* argv for the shell. Owned; its strings are not. */
static char **make_shell_argv(struct tacho_launch *launch)
{
	static char shell[] = "/bin/sh";
	size_t count = 0;
	char **argv;

	while (launch->argv[count])
		count++;
	argv = calloc(count + 2, sizeof(*argv));
	if (!argv)
		return NULL;
	argv[0] = shell;
	argv[1] = launch->program;
	memcpy(argv + 2, launch->argv + 1, count * sizeof(*argv));
	return argv;
}

/* errno of the program that could not be executed; 0: it is. */
static int read_report(int report_fd)
{
	int error = 0;
	ssize_t got;

	do
		got = read(report_fd, &error, sizeof(error));
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)sizeof(error) ? error : 0;
}

/* Lets the child become the program, when what is sampled beside it is ready. */
static int open_gate(struct tacho_launch *launch, struct child *child, pid_t pid)
{
	int rc = tacho__launch_begin_sampling(launch, pid);
	ssize_t written;

	if (rc)
		return rc;
	launch->began_ns = tacho__clock_monotonic_ns();
	do
		written = write(child->gate[1], "", 1);
	while (written < 0 && errno == EINTR);
	return 0;
}

/*
 * Forks. *out_error: 0 when the child has executed the program, else errno. Otherwise nothing can
 * be sampled, and it did not.
 */
static int spawn(struct tacho_launch *launch, struct child *child, int *out_error)
{
	sigset_t all, before;
	int ends[2], rc = 0;
	pid_t pid;

	*out_error = 0;
	if (pipe2(ends, O_CLOEXEC)) {
		*out_error = errno;
		return 0;
	}
	if (pipe2(child->gate, O_CLOEXEC)) {
		*out_error = errno;
		close(ends[0]);
		close(ends[1]);
		return 0;
	}
	child->report_fd = ends[1];
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = fork();
	if (pid == 0)
		become(child);
	if (pid < 0)
		*out_error = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(ends[1]);
	close(child->gate[0]);
	if (pid > 0)
		rc = open_gate(launch, child, pid);
	close(child->gate[1]);
	if (pid > 0) {
		*out_error = read_report(ends[0]);
		if (rc || *out_error)
			while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
				;
		else
			launch->pid = pid;
	}
	close(ends[0]);
	return rc;
}

static int fail_start(const struct tacho_launch *launch, int error)
{
	int code = error == ENOENT || error == ENOTDIR ? TACHO_E_NOTFOUND
		   : error == EACCES || error == EPERM ? TACHO_E_PERM
						       : TACHO_E_IO;

	return tacho__fail_errno(code, error, "", "cannot run %s", launch->program);
}

/* An ignored SIGCHLD would take the program's status from us. */
static void keep_status_of_children(void)
{
	struct sigaction action;

	if (!sigaction(SIGCHLD, NULL, &action) && action.sa_handler == SIG_IGN)
		signal(SIGCHLD, SIG_DFL);
}

int tacho_launch_start(struct tacho_launch *launch)
{
	struct tacho__environment environment = {0};
	struct child child = {.program = launch->program,
			      .argv = launch->argv,
			      .ignored = &launch->ignored,
			      .mask = &launch->mask,
			      .streams = launch->streams};
	int rc, error;

	rc = tacho__environment_copy(&environment);
	if (!rc)
		rc = set_variables(launch, &environment);
	if (launch->no_follow)
		child.only_pid = &launch->keeper.pool->only_pid;
	if (rc)
		goto out;
	child.environment = environment.list;
	child.shell_argv = make_shell_argv(launch);
	if (!child.shell_argv) {
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory to start %s", launch->program);
		goto out;
	}
	keep_status_of_children();
	rc = spawn(launch, &child, &error);
	if (!rc && error)
		rc = fail_start(launch, error);
	else if (!rc)
		launch->pidfd = (int)syscall(SYS_pidfd_open, launch->pid, 0);
	if (!rc)
		tacho__launch_drop_replaced(launch);
out:
	free(child.shell_argv);
	tacho__environment_finish(&environment);
	return rc;
}

/* Whether it has ended, after at most `pause_ms`. */
static bool pause_or_end(struct tacho_launch *launch, int pause_ms)
{
	struct pollfd pollfd = {.fd = launch->pidfd, .events = POLLIN};
	int status;

	if (launch->pidfd >= 0) {
		poll(&pollfd, 1, pause_ms);
	} else if (pause_ms) {
		int ms = pause_ms < POLL_MS ? pause_ms : POLL_MS;

		nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL);
	}
	if (waitpid(launch->pid, &status, WNOHANG) != launch->pid)
		return false;
	launch->has_ended = true;
	launch->ended_ns = tacho__clock_monotonic_ns();
	launch->status =
		WIFSIGNALED(status) ? SIGNAL_STATUS + WTERMSIG(status) : WEXITSTATUS(status);
	return true;
}

int tacho_launch_wait(struct tacho_launch *launch, int timeout_ms, int *out_status,
		      struct tacho_progress *out_progress)
{
	uint64_t now = tacho__clock_monotonic_ns();
	uint64_t until = now + (uint64_t)(timeout_ms > 0 ? timeout_ms : 0) * 1000000;

	if (!launch->pid)
		return tacho__fail(TACHO_E_INVAL, "it was not started", "", "cannot wait for %s",
				   launch->program);
	while (!launch->has_ended) {
		int left_ms = now < until ? (int)((until - now + 999999) / 1000000) : 0;

		tacho__launch_look(launch);
		tacho__launch_take_windows(launch);
		tacho__keeper_look_after(&launch->keeper);
		if (pause_or_end(launch, tacho__launch_get_pause_ms(launch, left_ms)))
			break;
		now = tacho__clock_monotonic_ns();
		if (now >= until) {
			tacho__launch_read_progress(launch, out_progress);
			return 0;
		}
	}
	tacho__launch_end_sampling(launch);
	*out_status = launch->status;
	return 1;
}

pid_t tacho_launch_get_pid(const struct tacho_launch *launch)
{
	return launch->has_ended ? 0 : launch->pid;
}

void tacho_launch_signal(struct tacho_launch *launch, int signal_number)
{
	if (launch->pid && !launch->has_ended)
		kill(launch->pid, signal_number);
}
