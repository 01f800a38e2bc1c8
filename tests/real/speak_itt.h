/* SPDX-License-Identifier: MIT */
/*
 * ITT as a program speaks it that is linked with it, of our own: the library that
 * INTEL_LIBITTNOTIFY64 names is loaded at the first call, and given the list of functions.
 */
#ifndef TACHO_TESTS_SPEAK_ITT_H
#define TACHO_TESTS_SPEAK_ITT_H

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct itt_domain {
	int flags;
	const char *name;
	void *wide;
	int extra;
	void *more, *next;
};

struct itt_string {
	const char *text;
	void *wide;
	int extra;
	void *more, *next;
};

struct itt_id {
	unsigned long long a, b, c;
};

#define ITT_FUNCTIONS(X)                                                                          \
	X(struct itt_domain *, domain_create, (const char *))                                     \
	X(struct itt_string *, string_handle_create, (const char *))                              \
	X(void, task_begin,                                                                       \
	  (const struct itt_domain *, struct itt_id, struct itt_id, struct itt_string *))         \
	X(void, task_begin_fn, (const struct itt_domain *, struct itt_id, struct itt_id, void *)) \
	X(void, task_end, (const struct itt_domain *))                                            \
	X(void, task_begin_overlapped,                                                            \
	  (const struct itt_domain *, struct itt_id, struct itt_id, struct itt_string *))         \
	X(void, task_end_overlapped, (const struct itt_domain *, struct itt_id))                  \
	X(void, region_begin,                                                                     \
	  (const struct itt_domain *, struct itt_id, struct itt_id, struct itt_string *))         \
	X(void, region_end, (const struct itt_domain *, struct itt_id))                           \
	X(void, frame_begin_v3, (const struct itt_domain *, struct itt_id *))                     \
	X(void, frame_end_v3, (const struct itt_domain *, struct itt_id *))                       \
	X(void, marker, (const struct itt_domain *, struct itt_id, struct itt_string *, int))     \
	X(int, event_create, (const char *, int))                                                 \
	X(int, event_start, (int))                                                                \
	X(int, event_end, (int))                                                                  \
	X(int, mark_create, (const char *))                                                       \
	X(int, mark, (int, const char *))                                                         \
	X(void, thread_set_name, (const char *))                                                  \
	X(void, pause, (void))                                                                    \
	X(void, resume, (void))                                                                   \
	X(void, counter_inc, (void *))

static struct {
#define X(type, name, arguments) type(*name) arguments;
	ITT_FUNCTIONS(X)
#undef X
} itt;

static void itt_first(void)
{
	abort(); /* nobody may leave this in place */
}

static struct itt_function {
	const char *name;
	void **target, *first, *none;
	int groups;
} itt_functions[] = {
#define X(type, name, arguments) {"__itt_" #name, (void **)&itt.name, (void *)itt_first, NULL, 1},
	ITT_FUNCTIONS(X)
#undef X
		{NULL, NULL, NULL, NULL, 0},
};

static struct itt_global {
	unsigned char magic[8];
	unsigned long major, minor, build;
	long initialized, mutex_initialized, counter;
	pthread_mutex_t mutex;
	void *library, *error_handler, *path;
	struct itt_function *functions;
	void *lists[8];
} itt_global = {
	.magic = {0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30},
	.major = 3,
	.functions = itt_functions,
};

/* 1: a library takes part. */
static int itt_load(void)
{
	const char *path = getenv("INTEL_LIBITTNOTIFY64");
	void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
	void (*initialize)(struct itt_global *, int) = NULL;

	for (struct itt_function *at = itt_functions; at->name; at++)
		*at->target = at->first;
	if (library)
		*(void **)&initialize = dlsym(library, "__itt_api_init");
	if (!initialize)
		return 0;
	initialize(&itt_global, ~0);
	return itt.task_begin != NULL;
}

#endif
