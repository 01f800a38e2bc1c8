/* SPDX-License-Identifier: MIT */
#include "witness.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEP_MS = 5, STEPS = 6, STATUS_BYTES = 4096, FD_COUNT = 1024 };

static pid_t witness;

/* What it has open others would wait for. */
static void close_all(void)
{
	if (syscall(SYS_close_range, 0u, ~0u, 0u) == 0)
		return;
	for (int fd = 0; fd < FD_COUNT; fd++)
		close(fd);
}

/* Signals stay pending, where /proc shows them, and nothing but SIGKILL ends it. */
static void __attribute__((noreturn)) stand_by(pid_t parent)
{
	close_all();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (getppid() == parent)
		pause();
	_exit(0);
}

void cli_witness_begin(void)
{
	pid_t parent = getpid();
	sigset_t all, old;

	cli_witness_end();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	witness = fork();
	if (witness == 0)
		stand_by(parent);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

void cli_witness_end(void)
{
	if (witness > 0) {
		kill(witness, SIGKILL);
		while (waitpid(witness, NULL, 0) < 0 && errno == EINTR)
			;
	}
	witness = 0;
}

/* False: it is not known. */
static bool read_pending(uint64_t *out_pending)
{
	char path[32], text[STATUS_BYTES];
	const char *line;
	size_t size;
	FILE *stream;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)witness);
	stream = witness > 0 ? fopen(path, "re") : NULL;
	if (!stream)
		return false;
	size = fread(text, 1, sizeof(text) - 1, stream);
	fclose(stream);
	text[size] = '\0';
	line = strstr(text, "\nShdPnd:");
	if (line)
		*out_pending = strtoull(line + strlen("\nShdPnd:"), NULL, 16);
	return line != NULL;
}

bool cli_witness_saw(int number, pid_t pid)
{
	const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
	uint64_t pending = 0;
	bool is_known = true;

	if (getpgid(pid) != getpgrp())
		return false; /* the group is not the program's */
	for (int i = 0; i < STEPS && is_known; i++) {
		nanosleep(&step, NULL);
		is_known = read_pending(&pending);
		if (is_known && pending >> (number - 1) & 1)
			break;
	}
	if (!is_known)
		return number == SIGINT || number == SIGQUIT;
	if (!(pending >> (number - 1) & 1))
		return false;
	cli_witness_begin(); /* one that has seen nothing yet */
	return true;
}
