/* SPDX-License-Identifier: MIT */
/*
 * ITT as a program and the library that it loads speak it: version 3 of the part that is linked
 * into programs. Judged against that part's own headers (docs/ranges.md).
 */
#ifndef TACHO_INJECT_MARKS_ITT_ABI_H
#define TACHO_INJECT_MARKS_ITT_ABI_H

#include <pthread.h>
#include <stdint.h>

struct tacho__itt_domain {
	volatile int flags; /* 0: it is off */
	const char *name;
	void *wide_name;
	int extra;
	void *more;
	struct tacho__itt_domain *next;
};

struct tacho__itt_string {
	const char *text;
	void *wide_text;
	int extra;
	void *more;
	struct tacho__itt_string *next;
};

struct tacho__itt_id {
	unsigned long long words[3];
};

/* A function of the program's part. */
struct tacho__itt_function {
	const char *name; /* NULL: the last */
	void **target;	  /* what is called */
	void *first;	  /* what it was at first: it calls the library's init */
	void *none;	  /* what it is when nobody takes it */
	int groups;
};

enum { TACHO__ITT_MAJOR = 3 };
#define TACHO__ITT_MAGIC "\xED\xAB\xAB\xEC\x0D\xEE\xDA\x30"

/* Its first members; those behind them differ from one minor version to the next. */
struct tacho__itt_global {
	unsigned char magic[8];
	unsigned long major, minor, build;
	volatile long is_initialized, has_mutex, counter;
	pthread_mutex_t mutex;
	void *library;
	void *error_handler;
	const char **path;
	struct tacho__itt_function *functions;
};

#endif
