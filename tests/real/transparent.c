/* SPDX-License-Identifier: MIT */
/*
 * Prints what a program can observe of its process and of OpenCL: no addresses, no times, so that
 * two runs print the same. transparent.sh compares runs with and without tacho.
 *
 *	transparent all | SECTION
 *	transparent return | exit | _exit | quick_exit | abort | signal	how it ends
 */
#include "transparent.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <limits.h>
#include <locale.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#define DESCRIPTORS_MAX 256

extern char **environ;
struct functions cl;

static void load(void)
{
	static const struct {
		const char *name;
		void **slot;
	} wanted[] = {
#define CL_ENTRY(result, name, arguments) {#name, (void **)&cl.name},
		CL_FUNCTIONS(CL_ENTRY)
#undef CL_ENTRY
	};

	/* Looked up as a linked program's symbols are: those that were preloaded come first. */
	if (!dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL)) {
		fprintf(stderr, "transparent: %s\n", dlerror());
		exit(1);
	}
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		*wanted[i].slot = dlsym(RTLD_DEFAULT, wanted[i].name);
		if (!*wanted[i].slot) {
			fprintf(stderr, "transparent: no %s\n", wanted[i].name);
			exit(1);
		}
	}
}

/* Set by the launcher, as documented, or by the shell. */
static bool is_launchers(const char *variable)
{
	static const char *const names[] = {"TACHO_",
					    "OPENCL_LAYERS=",
					    "LD_PRELOAD=",
					    "ROCP_TOOL_LIBRARIES=",
					    "CUDA_INJECTION64_PATH=",
					    "NVTX_INJECTION64_PATH=",
					    "INTEL_LIBITTNOTIFY64=",
					    "VK_ADD_LAYER_PATH=",
					    "VK_LAYER_PATH=",
					    "VK_INSTANCE_LAYERS=",
					    "_="};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strncmp(variable, names[i], strlen(names[i])))
			return true;
	}
	return false;
}

static void print_environment(void)
{
	for (char **variable = environ; *variable; variable++) {
		if (!is_launchers(*variable))
			printf("environment %s\n", *variable);
	}
}

/* Where it leads; numbers in brackets, as of pipes, are other ones in each run. */
static void print_target(int fd)
{
	char link[64], target[PATH_MAX];
	ssize_t size;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	size = readlink(link, target, sizeof(target) - 1);
	target[size < 0 ? 0 : size] = '\0';
	target[strcspn(target, "[")] = '\0';
	printf(" -> %s", target);
}

static void print_descriptors(void)
{
	for (int fd = 0; fd < DESCRIPTORS_MAX; fd++) {
		struct stat stat;

		if (fstat(fd, &stat))
			continue;
		printf("descriptor %d type %o flags %x %x", fd, stat.st_mode & S_IFMT,
		       fcntl(fd, F_GETFD), fcntl(fd, F_GETFL));
		if (fd > 2)
			print_target(fd);
		printf("\n");
	}
}

static void print_signals(void)
{
	struct sigaction action;
	sigset_t mask, pending;

	sigprocmask(SIG_SETMASK, NULL, &mask);
	sigpending(&pending);
	for (int number = 1; number < NSIG; number++) {
		const char *handler = "a function";

		if (sigaction(number, NULL, &action))
			continue;
		if (action.sa_handler == SIG_DFL)
			handler = "default";
		if (action.sa_handler == SIG_IGN)
			handler = "ignored";
		printf("signal %d %s flags %x blocked %d pending %d blocks", number, handler,
		       (unsigned)action.sa_flags, sigismember(&mask, number),
		       sigismember(&pending, number));
		for (int other = 1; other < NSIG; other++) {
			if (sigismember(&action.sa_mask, other) == 1)
				printf(" %d", other);
		}
		printf("\n");
	}
}

static void print_limits(void)
{
	struct rlimit limit;

	for (int which = 0; which < (int)RLIM_NLIMITS; which++) {
		if (!getrlimit(which, &limit))
			printf("limit %d %llu %llu\n", which, (unsigned long long)limit.rlim_cur,
			       (unsigned long long)limit.rlim_max);
	}
}

static void print_settings(void)
{
	struct itimerval timer;
	char text[PATH_MAX];
	mode_t mode = umask(0);
	cpu_set_t cpus;

	umask(mode);
	printf("umask %o\n", mode);
	printf("folder %s\n", getcwd(text, sizeof(text)) ? text : "?");
	printf("locale %s\n", setlocale(LC_ALL, NULL));
	printf("number %'d %.6f %g rounding %d exceptions %d\n", 1234567, 1.0 / 3, 1e300,
	       fegetround(), fegetexcept());
	printf("nice %d policy %d", getpriority(PRIO_PROCESS, 0), sched_getscheduler(0));
	if (!sched_getaffinity(0, sizeof(cpus), &cpus))
		printf(" cpus %d", CPU_COUNT(&cpus));
	printf("\n");
	for (int which = ITIMER_REAL; which <= ITIMER_PROF; which++) {
		if (!getitimer(which, &timer))
			printf("timer %d %s\n", which,
			       timer.it_value.tv_sec || timer.it_value.tv_usec ? "runs" : "rests");
	}
	if (!prctl(PR_GET_NAME, text))
		printf("name %s dumpable %d no_new_privs %d\n", text, prctl(PR_GET_DUMPABLE),
		       prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	printf("users %u %u %u %u, leads its group %d\n", getuid(), geteuid(), getgid(), getegid(),
	       getpgrp() == getpid());
}

void print_process(const char *when)
{
	printf("-- process, %s\n", when);
	print_environment();
	print_descriptors();
	print_signals();
	print_limits();
	print_settings();
}

static void on_exit_handler(void)
{
	printf("exit handler\n");
	fflush(stdout);
}

static void on_quick_exit(void)
{
	printf("quick exit handler\n");
	fflush(stdout);
}

static int end(const char *how)
{
	leave_work();
	fflush(stdout);
	fprintf(stderr, "ends by %s\n", how);
	if (!strcmp(how, "exit"))
		exit(7);
	if (!strcmp(how, "_exit"))
		_exit(8);
	if (!strcmp(how, "quick_exit"))
		quick_exit(9);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "signal"))
		raise(SIGTERM);
	return 6;
}

/* Prints the section `name`, or all but the one that kills; false when there is no such. */
static bool print_sections(const char *name)
{
	static const struct {
		const char *name;
		void (*print)(void);
	} sections[] = {
		{"queues", print_queues},	  {"lists", print_lists},
		{"events", print_events},	  {"callbacks", print_callbacks},
		{"commands", print_commands},	  {"native", print_native},
		{"errors", print_errors},	  {"property", print_property},
		{"references", print_references},
	};
	bool any = false;

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		bool is_all = !strcmp(name, "all") && sections[i].print != print_property;

		if (!is_all && strcmp(name, sections[i].name) != 0)
			continue;
		printf("-- %s\n", sections[i].name);
		sections[i].print();
		any = true;
	}
	return any;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	atexit(on_exit_handler);
	at_quick_exit(on_quick_exit);
	for (int i = 0; i < argc; i++)
		printf("argument %d %s\n", i, argv[i]);
	print_process("at first");
	load();
	prepare();
	if (!print_sections(argv[1]))
		return end(argv[1]);
	release_all();
	setlocale(LC_ALL, "");
	print_process("at last");
	fprintf(stderr, "to stderr\n");
	return 5;
}
