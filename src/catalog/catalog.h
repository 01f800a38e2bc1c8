/* SPDX-License-Identifier: MIT */
/* Building a catalog: readers of definitions fill it through these. */
#ifndef TACHO_CATALOG_CATALOG_H
#define TACHO_CATALOG_CATALOG_H

#include "base/arena.h"
#include "base/map.h"
#include "base/yaml.h"
#include "formula/program.h"
#include "tacho/catalog.h"

struct tacho__arch;

/*
 * Vendor rules that are code, not data: the extents of a counter's dimensions on a model. NULL:
 * counters have no dimensions. The names written must be static or in the catalog's arena.
 */
typedef int (*tacho__dimensions_function)(const struct tacho_arch *arch,
					  const struct tacho_block *block,
					  const struct tacho_model *model,
					  struct tacho_dimension *out_dimensions,
					  uint32_t *out_count);

/*
 * tacho_catalog_open(). `is_lean`: for what is asked for alone; what nobody defines may have been
 * left out with all that is near it.
 */
int tacho__catalog_open(const struct tacho_catalog_options *options, int is_lean,
			struct tacho_catalog **out_catalog);

/* The arena of a catalog: strings and arrays of what is added live there, or are static. */
struct tacho__arena *tacho__catalog_arena(struct tacho_catalog *catalog);

/*
 * The architecture of this name and API, made when it is new (`about` is copied; then only what is
 * empty there is filled in). NOMEM.
 */
int tacho__catalog_add_arch(struct tacho_catalog *catalog, const struct tacho_arch *info,
			    struct tacho__arch **out_arch);
/* Takes the architecture that was added last out again: it could not be filled. */
void tacho__catalog_drop_arch(struct tacho_catalog *catalog);
/* NULL when there is none. */
struct tacho__arch *tacho__catalog_find_arch(struct tacho_catalog *catalog, const char *name,
					     const char *api);
const struct tacho_arch *tacho__arch_public(const struct tacho__arch *arch);

/* Strings that are NULL become "", and a range of 0 to 0 one that is not stated. */
void tacho__entry_complete(struct tacho_entry *entry);

enum tacho__add { TACHO__ADD_NEW, TACHO__ADD_OR_REPLACE };

/*
 * Adds an entry; the struct is copied, strings are borrowed from the arena. NULL strings become "".
 * With ADD_NEW a name that exists is EXISTS. A replaced entry keeps its place.
 */
int tacho__arch_add_entry(struct tacho__arch *arch, const struct tacho_entry *entry,
			  enum tacho__add how);
int tacho__arch_add_block(struct tacho__arch *arch, const struct tacho_block *block);
/*
 * Entries are named, and made into pointers when the catalog is complete: a name that nobody has
 * then is left out, and a problem. A set of the same name is replaced, as are blocks and models.
 */
int tacho__arch_add_set(struct tacho__arch *arch, const struct tacho_set *set,
			const char *const *names, size_t name_count);
int tacho__arch_add_model(struct tacho__arch *arch, const struct tacho_model *model);
void tacho__arch_set_dimensions(struct tacho__arch *arch, tacho__dimensions_function function);

/* Notes a mistake in a file. NOMEM only. */
int tacho__catalog_add_problem(struct tacho_catalog *catalog, const char *file, uint32_t line,
			       const char *entry, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* An empty text becomes ""; printf into the arena. NULL with the error set: NOMEM. */
const char *tacho__catalog_text(struct tacho_catalog *catalog, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Where definitions come from, and what a reader may do with them. */
struct tacho__definitions {
	struct tacho_catalog *catalog;
	const char *file; /* for messages; "" for what is built in */
	const struct tacho__yaml *root;
	uint8_t is_builtin;	   /* a mistake is then a defect of tacho: PARSE, not a problem */
	uint8_t only_descriptions; /* entries that exist get the descriptions; nothing is added */
};

/*
 * A mistake in an entry: of a user's file it is a problem of the catalog, and 0; in what is built
 * in it is PARSE; in a file that is read for its descriptions only it is nothing. NOMEM.
 */
int tacho__mistake(const struct tacho__definitions *definitions, uint32_t line, const char *entry,
		   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Adds an entry; in a user's file it may replace one. A mistake when it cannot be added. */
int tacho__definitions_add_entry(const struct tacho__definitions *definitions,
				 struct tacho__arch *arch, uint32_t line,
				 const struct tacho_entry *entry);

/* A whole number of at most 32 bits; 0 when there is none; a mistake sets *out_bad. */
uint32_t tacho__definitions_number(const struct tacho__yaml *scalar, int *out_bad);

/*
 * The properties of a model, NAME: WHOLE NUMBER from `first` on, without those of the names in
 * `besides`, which ends with NULL, or is NULL. A mistake costs its property only. NOMEM, PARSE.
 */
int tacho__definitions_properties(const struct tacho__definitions *definitions,
				  const struct tacho__yaml *first, const char *const *besides,
				  struct tacho_model *model);

/* A built-in file: its text is in the library. Made by tools/embed from data/. */
struct tacho__builtin {
	const char *name; /* "amd/rocm.yaml" */
	const unsigned char *text;
	size_t size;
};

extern const struct tacho__builtin tacho__builtins[]; /* ends with name NULL */

/*
 * The scope of an architecture's own metrics: counters mean columns, constants mean the model's
 * values, or columns when model is NULL.
 */
struct tacho__arch_scope {
	struct tacho__scope scope; /* .user points to this struct */
	const struct tacho_arch *arch;
	const struct tacho_model *model;
};

void tacho__arch_scope_init(struct tacho__arch_scope *scope, const struct tacho_arch *arch,
			    const struct tacho_model *model);

#endif
