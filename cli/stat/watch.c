/* SPDX-License-Identifier: MIT */
#include "stat/watch.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

enum { NS_PER_MS = 1000000, LOOK_MS = 100 };

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 * NS_PER_MS + (uint64_t)now.tv_nsec;
}

static bool is_alive(const struct cli_watch *watch)
{
	return !watch->pid || kill(watch->pid, 0) == 0 || errno == EPERM;
}

int cli_watch_begin(struct cli_watch *watch, pid_t pid, uint64_t duration_ns)
{
	sigset_t set;

	*watch = (struct cli_watch){.pid = pid, .duration_ns = duration_ns, .pid_fd = -1};
	if (!is_alive(watch)) {
		cli_complain(strerror(errno), "look for its number: ps -e",
			     "there is no process %d", (int)pid);
		return CLI_FAILED;
	}
	/* older kernels lack it: then the process is looked for now and again */
	if (pid)
		watch->pid_fd = (int)syscall(SYS_pidfd_open, pid, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, &watch->old_mask);
	watch->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	watch->begin_ns = now_ns();
	watch->runs = true;
	return CLI_OK;
}

bool cli_watch_wait(struct cli_watch *watch, int timeout_ms)
{
	struct pollfd ends[] = {{.fd = watch->signal_fd, .events = POLLIN},
				{.fd = watch->pid_fd, .events = POLLIN}};
	uint64_t elapsed_ns = now_ns() - watch->begin_ns;

	if (watch->duration_ns) {
		uint64_t rest_ns =
			elapsed_ns < watch->duration_ns ? watch->duration_ns - elapsed_ns : 0;

		if (rest_ns / NS_PER_MS < (uint64_t)timeout_ms)
			timeout_ms = (int)((rest_ns + NS_PER_MS - 1) / NS_PER_MS);
	}
	if (watch->pid_fd < 0 && timeout_ms > LOOK_MS)
		timeout_ms = LOOK_MS;
	watch->is_over = poll(ends, 2, timeout_ms) > 0 || !is_alive(watch);
	watch->elapsed_ns = now_ns() - watch->begin_ns;
	watch->is_over |= watch->duration_ns && watch->elapsed_ns >= watch->duration_ns;
	return watch->is_over;
}

void cli_watch_finish(struct cli_watch *watch)
{
	struct signalfd_siginfo info;

	if (!watch->runs)
		return;
	while (read(watch->signal_fd, &info, sizeof(info)) > 0)
		;
	close(watch->signal_fd);
	if (watch->pid_fd >= 0)
		close(watch->pid_fd);
	sigprocmask(SIG_SETMASK, &watch->old_mask, NULL);
	watch->runs = false;
}
