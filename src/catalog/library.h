/* SPDX-License-Identifier: MIT */
/*
 * Definitions that stand in no file: a vendor's library has them, and is asked at run time. It is
 * loaded only when one of its architectures or its API is asked for, and is no fault when it is not
 * there.
 */
#ifndef TACHO_CATALOG_LIBRARY_H
#define TACHO_CATALOG_LIBRARY_H

#include "catalog/catalog.h"

struct tacho__library {
	const char *api;   /* of its architectures */
	const char *archs; /* what their names look like: globs, case ignored, blanks between */
	int is_named_only; /* asked only when its API is named */
	/*
	 * Adds the architecture of this name, NULL: all of them. 0 when the library is not there or
	 * does not know it: tacho__catalog_set_missing() says why then. NOMEM.
	 */
	int (*read)(struct tacho_catalog *catalog, const char *arch);
};

/* Whether a name fits one of the globs, which have blanks between; case is ignored. */
int tacho__library_is_like(const char *globs, const char *name);

/* All of them; NULL past the last. It stands where the list of backends does. */
extern const struct tacho__library *const tacho__libraries[];

/* Reads what libraries have of this architecture and API; NULL: any. With both NULL none is asked.
 */
int tacho__catalog_read_libraries(struct tacho_catalog *catalog, const char *arch, const char *api);
/* Whether that reads anything. */
int tacho__catalog_asks_library(const char *arch, const char *api);
/* Why nothing came of a library that was asked: what is said of a name that nobody knows. NOMEM. */
int tacho__catalog_set_missing(struct tacho_catalog *catalog, const char *cause, const char *cure);

/* What a library collects in each pass for a list of names, in this order. */
struct tacho__schedule {
	struct tacho__arena arena;
	size_t pass_count;
	int tells_counters; /* else what follows is empty */
	/* The library's own counters, each once. `name` is "" where only the library knows it. */
	struct tacho__schedule_counter {
		const char *id, *name;
		uint32_t pass;
	} * counters;
	size_t counter_count;
	/* One per name: the counters that it is worked out of, rising. */
	struct tacho__schedule_entry {
		const uint32_t *counters;
		size_t count;
	} * entries;
};

/* An architecture of which the library knows more than the entries that it listed. */
struct tacho__arch_library {
	const char *build; /* another one for each build of the library, for keys of caches */
	const char *no_pipelined; /* why it counts no pipelined ranges; NULL: it does */
	/*
	 * An entry that was not listed, by a name of the library's own grammar; its strings go into
	 * the arena or are static. 0 with *out_entry.name NULL: there is none. NOMEM.
	 */
	int (*describe)(void *user, const char *name, struct tacho__arena *arena,
			struct tacho_entry *out_entry);
	/* Why it has no such entry, where that is known; "". Static, or tacho__detail(). Optional.
	 */
	const char *(*explain)(void *user, const char *name);
	/*
	 * How many passes the library makes for these in this order; each call is for itself and
	 * may come from any thread. UNSUPPORTED, naming what does not go with the others; NOMEM.
	 */
	int (*count_passes)(void *user, const struct tacho_entry *const *entries, size_t count,
			    size_t *out_count);
	/* The same with all about them; free with tacho__schedule_finish(). */
	int (*schedule)(void *user, const struct tacho_entry *const *entries, size_t count,
			struct tacho__schedule *out_schedule);
	void (*close)(void *user); /* with the catalog */
};

void tacho__schedule_finish(struct tacho__schedule *schedule);

/* The architecture is the library's from here on; `user` is closed with the catalog. NOMEM: it is
 * not, and `user` is closed. */
int tacho__arch_set_library(struct tacho__arch *arch, const struct tacho__arch_library *library,
			    void *user);
/* NULL: it is all in the catalog. */
const struct tacho__arch_library *tacho__arch_get_library(const struct tacho_arch *arch,
							  void **out_user);
/*
 * An entry that only the library has; made once, and then it lives as long as the catalog. From any
 * thread. NULL when there is none, and when memory ran out, which is the thread's error.
 */
const struct tacho_entry *tacho__arch_ask_library(const struct tacho_arch *arch, const char *name);
/* Why it has none of that name; "". As struct tacho__arch_library has it. */
const char *tacho__arch_explain_missing(const struct tacho_arch *arch, const char *name);

#endif
