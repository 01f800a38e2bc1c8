/* SPDX-License-Identifier: MIT */
/* A ROCTX library like AMD's: with a version of its symbols, and levels that are told from tacho's
 * by 100 that is added. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

void roctxMarkA(const char *name);
int roctxRangePushA(const char *name);
int roctxRangePop(void);
uint64_t roctxRangeStartA(const char *name);
void roctxRangeStop(uint64_t range);
int roctxProfilerPause(uint64_t thread);
int roctxProfilerResume(uint64_t thread);
int roctxNameOsThread(const char *name);

static _Thread_local int level = 100;
static atomic_ullong ranges = 1000;

void roctxMarkA(const char *name)
{
	printf("stub: mark %s\n", name);
}

int roctxRangePushA(const char *name)
{
	printf("stub: push %s\n", name);
	return level++;
}

int roctxRangePop(void)
{
	return level > 100 ? --level : -1;
}

uint64_t roctxRangeStartA(const char *name)
{
	printf("stub: start %s\n", name);
	return ++ranges;
}

void roctxRangeStop(uint64_t range)
{
	printf("stub: stop %llu\n", (unsigned long long)range);
}

int roctxProfilerPause(uint64_t thread)
{
	return (int)thread + 7;
}

int roctxProfilerResume(uint64_t thread)
{
	return (int)thread + 8;
}

int roctxNameOsThread(const char *name)
{
	printf("stub: thread %s\n", name);
	return 9;
}
