/* SPDX-License-Identifier: MIT */
/*
 * libtacho-roctx.so: stands in front of the ROCTX library that a program is linked with, and calls
 * it as the program would have. It is preloaded into every program that is recorded where there is
 * ROCTX, so it needs libc alone, and does nothing until the first range.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "inject/marks/roctx.h"

TACHO_API void roctxMarkA(const char *name);
TACHO_API int roctxRangePushA(const char *name);
TACHO_API int roctxRangePop(void);
TACHO_API uint64_t roctxRangeStartA(const char *name);
TACHO_API void roctxRangeStop(uint64_t range);
TACHO_API int roctxProfilerPause(uint64_t thread);
TACHO_API int roctxProfilerResume(uint64_t thread);
TACHO_API int roctxNameOsThread(const char *name);

enum function { MARK, PUSH, POP, START, STOP, PAUSE, RESUME, NAME_THREAD, FUNCTIONS };

static struct {
	atomic_bool is_looked_for;
	_Atomic(const struct tacho__roctx_source *) source;
	atomic_bool is_found[FUNCTIONS];
	_Atomic(void *) next[FUNCTIONS];
	atomic_ullong ranges; /* numbers of those that no library counts */
} roctx;

static _Thread_local __attribute__((tls_model("initial-exec"))) int level;

/* What it loads stays loaded. */
static const struct tacho__roctx_source *find_source(void)
{
	const struct tacho__roctx_source *(*get)(void) = NULL;
	void *marks = secure_getenv("TACHO_POOL")
			      ? dlopen("libtacho-marks.so", RTLD_NOW | RTLD_LOCAL)
			      : NULL;

	if (marks)
		*(void **)&get = dlsym(marks, TACHO__ROCTX_SOURCE);
	return get ? get() : NULL;
}

static const struct tacho__roctx_source *get_source(void)
{
	int error = errno;

	if (!atomic_load_explicit(&roctx.is_looked_for, memory_order_acquire)) {
		atomic_store(&roctx.source, find_source());
		atomic_store_explicit(&roctx.is_looked_for, true, memory_order_release);
		errno = error;
	}
	return atomic_load_explicit(&roctx.source, memory_order_acquire);
}

/* The next library in the order of symbols; one that only a part of the program sees is not. */
static void *find_next(const char *name)
{
	static const char *const libraries[] = {"librocprofiler-sdk-roctx.so.1", "libroctx64.so.4"};
	void *found = dlsym(RTLD_NEXT, name);

	for (size_t i = 0; !found && i < sizeof(libraries) / sizeof(libraries[0]); i++) {
		void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);

		if (library) {
			found = dlsym(library, name);
			dlclose(library);
		}
	}
	return found;
}

static void *get_next(enum function function)
{
	static const char *const names[FUNCTIONS] = {[MARK] = "roctxMarkA",
						     [PUSH] = "roctxRangePushA",
						     [POP] = "roctxRangePop",
						     [START] = "roctxRangeStartA",
						     [STOP] = "roctxRangeStop",
						     [PAUSE] = "roctxProfilerPause",
						     [RESUME] = "roctxProfilerResume",
						     [NAME_THREAD] = "roctxNameOsThread"};
	int error = errno;

	if (!atomic_load_explicit(&roctx.is_found[function], memory_order_acquire)) {
		atomic_store(&roctx.next[function], find_next(names[function]));
		atomic_store_explicit(&roctx.is_found[function], true, memory_order_release);
		errno = error;
	}
	return atomic_load_explicit(&roctx.next[function], memory_order_acquire);
}

void roctxMarkA(const char *name)
{
	const struct tacho__roctx_source *source = get_source();
	void (*next)(const char *) = (void (*)(const char *))get_next(MARK);

	if (source)
		source->mark(name);
	if (next)
		next(name);
}

int roctxRangePushA(const char *name)
{
	const struct tacho__roctx_source *source = get_source();
	int (*next)(const char *) = (int (*)(const char *))get_next(PUSH);

	if (source)
		source->push(name);
	return next ? next(name) : level++;
}

int roctxRangePop(void)
{
	const struct tacho__roctx_source *source = get_source();
	int (*next)(void) = (int (*)(void))get_next(POP);

	if (source)
		source->pop();
	if (next)
		return next();
	return level ? --level : -1;
}

uint64_t roctxRangeStartA(const char *name)
{
	const struct tacho__roctx_source *source = get_source();
	uint64_t (*next)(const char *) = (uint64_t(*)(const char *))get_next(START);
	uint64_t range = next ? next(name) : atomic_fetch_add(&roctx.ranges, 1) + 1;

	if (source)
		source->begin(range, name);
	return range;
}

void roctxRangeStop(uint64_t range)
{
	const struct tacho__roctx_source *source = get_source();
	void (*next)(uint64_t) = (void (*)(uint64_t))get_next(STOP);

	if (source)
		source->end(range);
	if (next)
		next(range);
}

int roctxProfilerPause(uint64_t thread)
{
	const struct tacho__roctx_source *source = get_source();
	int (*next)(uint64_t) = (int (*)(uint64_t))get_next(PAUSE);

	if (source)
		source->pause();
	return next ? next(thread) : 0;
}

int roctxProfilerResume(uint64_t thread)
{
	const struct tacho__roctx_source *source = get_source();
	int (*next)(uint64_t) = (int (*)(uint64_t))get_next(RESUME);

	if (source)
		source->resume();
	return next ? next(thread) : 0;
}

int roctxNameOsThread(const char *name)
{
	const struct tacho__roctx_source *source = get_source();
	int (*next)(const char *) = (int (*)(const char *))get_next(NAME_THREAD);

	if (source)
		source->name_thread(name);
	return next ? next(name) : 0;
}
