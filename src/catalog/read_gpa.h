/* SPDX-License-Identifier: MIT */
/* What the parts of the reader of "gpa-definitions:" share. docs/gpa-definitions.md: the form. */
#ifndef TACHO_CATALOG_READ_GPA_H
#define TACHO_CATALOG_READ_GPA_H

#include "catalog/catalog.h"

enum { TACHO__GPA_TABLES_MAX = 4 };

/* Architectures keep what their file says about them while it is read. */
struct tacho__gpa_arch {
	struct tacho__arch *arch;
	const char *tag;					 /* "cl-gfx8" */
	const struct tacho__yaml *tables[TACHO__GPA_TABLES_MAX]; /* family -> event -> number */
	size_t table_count;
	struct tacho__names families; /* by the name of the block: in which family its events are */
	struct tacho__names known;    /* the counters below, and what existed before */
	struct tacho_entry *counters; /* that metrics need, in the order of their first use */
	size_t counter_count, counter_capacity;
	struct tacho__gpa_group *groups;
	size_t group_count, group_capacity;
};

/* A group of metrics, which becomes a set. */
struct tacho__gpa_group {
	const char *name;
	const char **names;
	size_t count, capacity;
};

struct tacho__gpa_reader {
	struct tacho_catalog *catalog;
	const struct tacho__definitions *definitions;
	const struct tacho__arch *only; /* of which alone it is read; NULL: of all */
	const char *source, *no_equation;
	struct tacho__gpa_arch *archs;
	size_t arch_count, arch_capacity;
};

/*
 * "TA[0..15]_BUSY" becomes TA0_BUSY ... TA15_BUSY in the arena; a name without brackets stays one.
 * Appends to *names. INVAL for a malformed or too large range, NOMEM.
 */
int tacho__gpa_expand(const struct tacho__gpa_reader *reader, const char *pattern,
		      const char ***names, size_t *count, size_t *capacity);

/* Reads the list "metrics:". */
int tacho__gpa_read_metrics(struct tacho__gpa_reader *reader, const struct tacho__yaml *metrics);

/* Of one architecture, which the catalog has. As tacho__gpa_read(). */
int tacho__gpa_read_only(const struct tacho__definitions *definitions,
			 const struct tacho__arch *only);
/*
 * What the library has of an architecture in data/amd/rdna is read when somebody asks for it.
 * Nothing for an architecture that is not there.
 */
void tacho__late_tables_put_off(struct tacho__arch *arch);

int tacho__gpa_is(const struct tacho__yaml *root);
int tacho__gpa_read(const struct tacho__definitions *definitions);

#endif
