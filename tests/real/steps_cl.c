/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL program that does what its arguments say, one after the other, on the first device of
 * a platform.
 *
 *	steps_cl PLATFORM STEP...
 *
 *	one:N two:N	launches that kernel N times, and waits for the last
 *	pause resume	calls tacho_profile_pause() or tacho_profile_resume()
 *	push:NAME pop	tacho_profile_push() and tacho_profile_pop(); pushes in front of all others
 *			come before the first call of OpenCL
 *	begin:NAME end	tacho_profile_begin(), and tacho_profile_end() of the last one
 *	mark:NAME	tacho_profile_mark()
 *	other:NAME	another thread pushes NAME, launches "one", and pops it
 *	kill		SIGKILL to itself
 *	sleep:MS
 *	line		prints "line" and waits for a line on standard input
 *	signals		prints which signals have handlers, are ignored and are blocked
 */
#include "cl_program.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include <tacho/profile.h>

enum { ITEMS = 256 };

static const char source[] = "kernel void one(global uint *x) { x[get_global_id(0)] += 1; }\n"
			     "kernel void two(global uint *x) { x[get_global_id(0)] *= 3; }\n";

static struct {
	void *one, *two;
} kernels;

static void make_kernels(void)
{
	void *buffer = make_buffer(MEM_READ_WRITE, ITEMS * sizeof(uint32_t), NULL);

	kernels.one = make_kernel(program, "one");
	kernels.two = make_kernel(program, "two");
	set_buffer(kernels.one, 0, buffer);
	set_buffer(kernels.two, 0, buffer);
}

static void launch(void *kernel, unsigned long count)
{
	size_t items = ITEMS;

	for (unsigned long i = 0; i < count; i++)
		check("clEnqueueNDRangeKernel",
		      cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL,
						NULL));
	check("clFinish", cl.clFinish(queue));
}

static void print_signals(void)
{
	FILE *status = fopen("/proc/self/status", "re");
	char line[256];

	check("/proc/self/status", !status);
	while (fgets(line, sizeof(line), status))
		if (!strncmp(line, "SigCgt", 6) || !strncmp(line, "SigIgn", 6) ||
		    !strncmp(line, "SigBlk", 6))
			fputs(line, stdout);
	fclose(status);
}

static void await_line(void)
{
	char line[64];

	puts("line");
	fflush(stdout);
	check("reading a line", !fgets(line, sizeof(line), stdin));
}

static void *launch_elsewhere(void *name)
{
	tacho_profile_push(name);
	launch(kernels.one, 1);
	tacho_profile_pop();
	return NULL;
}

static void run_thread(const char *name)
{
	pthread_t thread;

	check("a thread", pthread_create(&thread, NULL, launch_elsewhere, (void *)(uintptr_t)name));
	pthread_join(thread, NULL);
}

/* Whether it was about ranges. */
static bool take_range(const char *step, const char *name)
{
	static uint64_t range;

	if (!strncmp(step, "push:", 5))
		tacho_profile_push(name);
	else if (!strcmp(step, "pop"))
		tacho_profile_pop();
	else if (!strncmp(step, "begin:", 6))
		range = tacho_profile_begin(name);
	else if (!strcmp(step, "end"))
		tacho_profile_end(range);
	else if (!strncmp(step, "mark:", 5))
		tacho_profile_mark(name);
	else if (!strncmp(step, "other:", 6))
		run_thread(name);
	else
		return false;
	return true;
}

static void take(const char *step)
{
	const char *colon = strchr(step, ':');
	unsigned long number = colon ? strtoul(colon + 1, NULL, 10) : 1;

	if (take_range(step, colon ? colon + 1 : ""))
		return;
	if (!strncmp(step, "one", 3))
		launch(kernels.one, number);
	else if (!strncmp(step, "two", 3))
		launch(kernels.two, number);
	else if (!strncmp(step, "sleep", 5))
		usleep((useconds_t)number * 1000);
	else if (!strcmp(step, "pause"))
		tacho_profile_pause();
	else if (!strcmp(step, "resume"))
		tacho_profile_resume();
	else if (!strcmp(step, "line"))
		await_line();
	else if (!strcmp(step, "kill"))
		kill(getpid(), SIGKILL);
	else if (!strcmp(step, "signals"))
		print_signals();
	else
		check(step, 2);
}

int main(int argc, char **argv)
{
	int first = 2;

	if (argc < 2) {
		fprintf(stderr, "usage: steps_cl PLATFORM STEP...\n");
		return 2;
	}
	for (; first < argc && !strncmp(argv[first], "push:", 5); first++)
		take(argv[first]);
	set_up((unsigned)strtoul(argv[1], NULL, 10), source);
	make_kernels();
	for (int i = first; i < argc; i++)
		take(argv[i]);
	return 0;
}
