/* SPDX-License-Identifier: MIT */
/* What a catalog is made of. */
#ifndef TACHO_CATALOG_ARCH_H
#define TACHO_CATALOG_ARCH_H

#include <pthread.h>
#include <stdbool.h>

#include "catalog/catalog.h"

enum { TACHO__LATE_FILES_MAX = 4 };

struct tacho__library_part; /* library.c */

/* Where blocks of one family lie in the list of all: from `first` to before `end`. */
struct tacho__family {
	size_t first, end;
};

struct tacho__arch {
	struct tacho_arch arch; /* first: what is public points here */
	struct tacho_catalog *catalog;
	struct tacho_entry **entries;
	size_t entry_count, entry_capacity;
	struct tacho__names by_name, by_alias; /* to struct tacho_entry */
	struct tacho_block *blocks;
	size_t block_count, block_capacity;
	struct tacho__names by_block;  /* to its index in blocks + 1 */
	struct tacho__names by_family; /* to struct tacho__family; of blocks of other names */
	struct tacho_set *sets;
	const char ***set_names; /* entry_count names each, until the catalog is complete */
	size_t set_count, set_capacity, set_names_capacity;
	struct tacho_model *models;
	size_t model_count, model_capacity;
	tacho__dimensions_function dimensions;
	const char *generation; /* whose rules of dimensions hold; NULL: those of its own name */
	struct tacho__grammar *grammar;	     /* grammar.h; what it holds changes under its lock */
	struct tacho__library_part *library; /* NULL: all of it is here */
	/* Reads entries and sets when somebody asks for them; NULL: they are here. put_off.c */
	int (*put_off)(struct tacho__arch *arch);
	uint8_t is_filling; /* under the catalog's lock */
};

/* Lines in the order of their keys, which end with a tab. {0}: not read yet. */
struct tacho__texts {
	char **lines;
	size_t count;
};

struct tacho_catalog {
	struct tacho__arena arena;
	struct tacho__arch **archs;
	size_t arch_count, arch_capacity;
	struct tacho_problem *problems;
	size_t problem_count, problem_capacity;
	const char *missing_cause, *missing_cure; /* of a library; NULL: none was missed */
	pthread_mutex_t lock; /* of reading what was put off, and of what follows; recursive */
	uint8_t is_complete;
	struct tacho__texts texts; /* that several architectures share */
	const struct tacho__yaml *late_tables[TACHO__LATE_FILES_MAX]; /* NULL: not read yet */
};

static inline const struct tacho__arch *tacho__arch_of(const struct tacho_arch *arch)
{
	return (const struct tacho__arch *)arch;
}

/* An empty catalog. Owned; tacho_catalog_close(). */
int tacho__catalog_create(struct tacho_catalog **out_catalog);
/* Makes the names in sets into pointers. Nothing is added any more. NOMEM. */
int tacho__catalog_complete(struct tacho_catalog *catalog);

/* The same of one architecture. NOMEM. */
int tacho__arch_complete(struct tacho__arch *arch);

/*
 * Entries and sets are read by `read` when the first one is asked for, from whatever thread; models
 * are not put off. tacho__arch_read_rest() reads them now: NOMEM, PARSE. tacho__arch_whole() does
 * it where there is nobody to tell: what could not be read is missing, with the thread's error set.
 */
void tacho__arch_put_off(struct tacho__arch *arch, int (*read)(struct tacho__arch *arch));
int tacho__arch_read_rest(struct tacho__arch *arch);
const struct tacho__arch *tacho__arch_whole(const struct tacho_arch *arch);

/* Of an architecture that has one; may be NULL. */
void tacho__library_part_close(struct tacho__library_part *part);

/* By name or alias exactly as written, else asked of its library; NULL when there is none. */
const struct tacho_entry *tacho__arch_get_exact(const struct tacho_arch *arch, const char *name);

/* The same, with ignores_case else the first whose name or alias is that but for the case. */
const struct tacho_entry *tacho__arch_find_own(const struct tacho_arch *arch, const char *name,
					       bool ignores_case);
/*
 * By name or alias exactly as written, else what it means in the grammar of metrics' names
 * (grammar.h): what a name in a formula is. NULL when it is neither. Only of catalogs that are
 * complete.
 */
const struct tacho_entry *tacho__arch_get_name(const struct tacho_arch *arch, const char *name);

/* "the nearest names are A, B, C" to a name that it does not have, for errors. */
const char *tacho__arch_describe_nearest(const struct tacho_arch *arch, const char *name);

/* The expression of a metric, ready to be parsed. */
struct tacho__expression tacho__entry_expression(const struct tacho_entry *entry);
/* The type that its value is turned into, -1: as it comes. */
int tacho__entry_type(const struct tacho_entry *entry);
/* 1 when the model says it; model may be NULL. */
int tacho__model_get(const struct tacho_model *model, const char *name, uint64_t *out_value);

/* The same from memory, `path` for messages. */
int tacho__catalog_read_text(struct tacho_catalog *catalog, const char *path, const char *text,
			     size_t size, int only_descriptions);
int tacho__catalog_read_xml(struct tacho_catalog *catalog, const char *file, const char *text,
			    size_t size);
/*
 * Goes down from a metric to what it is made of, depth first, each entry once. `is_known` may be
 * NULL: else names for which it is true are neither looked up nor gone into. on_leaf is called for
 * counters and constants; what is not 0 ends the walk and is returned. INVAL for what is no metric,
 * for a cycle and for too deep a nesting; UNSUPPORTED without a published expression; NOTFOUND for
 * a name that the architecture does not have; PARSE.
 */
struct tacho__walk {
	const struct tacho_arch *arch;
	void *user;
	int (*is_known)(void *user, const char *name);
	int (*on_leaf)(void *user, const struct tacho_entry *entry);
};

int tacho__arch_walk(const struct tacho__walk *walk, const struct tacho_entry *metric);

/* Reads a file of definitions of any known schema. IO, PARSE, NOTFOUND, NOMEM. */
int tacho__catalog_read_file(struct tacho_catalog *catalog, const char *path,
			     int only_descriptions);
/* Reads what the environment names, for descriptions; what is wrong there is a problem. NOMEM. */
int tacho__catalog_read_environment(struct tacho_catalog *catalog);
/*
 * Reads the built-in files that may define this architecture and API; NULL: any. Where neither they
 * nor a library may, all are read, so that the nearest names are known; not where `is_lean`. NOMEM.
 */
int tacho__catalog_read_builtins(struct tacho_catalog *catalog, const char *arch, const char *api,
				 int is_lean);
/* Reads a tree with the reader of its schema. PARSE that lists the schemas when there is none. */
int tacho__catalog_read_tree(const struct tacho__definitions *definitions);

#endif
