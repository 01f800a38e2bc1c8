/* SPDX-License-Identifier: MIT */
/* Libraries of others: opened by name, their functions filled into a table. */
#ifndef TACHO_BASE_DL_H
#define TACHO_BASE_DL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* One row per function: where its pointer goes in the table. */
struct tacho__dl_symbol {
	const char *name;
	size_t offset;
	bool required; /* else a missing one is a NULL in the table */
};

/* A required one, for a member of the table's struct. */
#define TACHO__DL_SYMBOL(table, member, name)              \
	{                                                  \
		name, offsetof(struct table, member), true \
	}

struct tacho__dl {
	void *handle;
	char path[PATH_MAX]; /* of the file that was loaded */
};

/*
 * Opens the library `name` and fills `table`. NOTFOUND: it does not load; the cause is the dynamic
 * linker's own text. VERSION: a required function is missing.
 */
int tacho__dl_open(const char *name, const struct tacho__dl_symbol *symbols, size_t count,
		   struct tacho__dl *out_dl, void *table);
/* The same for a library that the process has loaded already; NOTFOUND when it has not. */
int tacho__dl_open_loaded(const char *name, const struct tacho__dl_symbol *symbols, size_t count,
			  struct tacho__dl *out_dl, void *table);
/* For a library that is not open it does nothing. */
void tacho__dl_close(struct tacho__dl *dl);

/* What became of trying to load a library in a child process. */
struct tacho__dl_answer {
	bool loads;
	char path[PATH_MAX]; /* of the file, when it loads */
	char error[512];     /* why it does not */
};

/*
 * Loads `name` in a child process and tells what became of it, so that a library that crashes or
 * hangs while it loads does no harm here. Waits at most 10 s. Never fails: what went wrong is in
 * out_answer->error.
 */
void tacho__dl_try(const char *name, struct tacho__dl_answer *out_answer);

#endif
