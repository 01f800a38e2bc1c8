/* SPDX-License-Identifier: MIT */
/*
 * Runs a command and writes what it took to a file.
 *
 *	peak FILE COMMAND...
 *
 * "wall_s", "cpu_s" (user and system), "user_s", "peak_kib" (all that was resident, file pages
 *included) and "own_kib" (the most anonymous memory seen, looked at every 2 ms).
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_NS = 2000000 };

static double now_s(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static unsigned long own_kib(pid_t pid)
{
	char path[64], line[256];
	unsigned long kib = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "RssAnon: %lu kB", &kib) == 1)
			break;
	}
	if (file)
		fclose(file);
	return kib;
}

int main(int argc, char **argv)
{
	const struct timespec pause = {.tv_nsec = LOOK_NS};
	unsigned long now_kib, most_kib = 0;
	struct rusage usage;
	sigset_t ended, before;
	double start = now_s(), wall;
	FILE *out;
	pid_t pid;
	int status;

	if (argc < 3) {
		fprintf(stderr, "usage: peak FILE COMMAND...\n");
		return 2;
	}
	sigemptyset(&ended);
	sigaddset(&ended, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ended, &before);
	pid = fork();
	if (pid == 0) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	while (pid > 0 && wait4(pid, &status, WNOHANG, &usage) == 0) {
		now_kib = own_kib(pid);
		most_kib = now_kib > most_kib ? now_kib : most_kib;
		sigtimedwait(&ended, NULL, &pause);
	}
	wall = now_s() - start;
	out = pid > 0 ? fopen(argv[1], "we") : NULL;
	if (!out) {
		perror(argv[1]);
		return 1;
	}
	fprintf(out, "wall_s %.3f\ncpu_s %.4f\nuser_s %.4f\npeak_kib %ld\nown_kib %lu\n", wall,
		seconds(usage.ru_utime) + seconds(usage.ru_stime), seconds(usage.ru_utime),
		usage.ru_maxrss, most_kib);
	fclose(out);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
