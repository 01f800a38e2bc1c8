/* SPDX-License-Identifier: MIT */
/* The catalog with GPUPerfAPI's definitions. */
#ifndef GPA_CATALOG_H
#define GPA_CATALOG_H

#include "base/buf.h"
#include "tacho/catalog.h"

enum { FILE_MAX = 64 << 20, NAMES = 230, WORDS = 6 };

/* One line of tests/data/gpa/document.txt. */
struct line {
	char name[64], group[64], table[8], footnote[8], kind[16];
};

extern const char *const gcn[4], *const before_gcn[4];
extern struct tacho_catalog *catalog;
extern struct line lines[NAMES];

/* Setup and teardown of a group of tests. */
int read_lines(void **state);
int close_catalog(void **state);
const struct tacho_arch *find(const char *name, const char *api);
int has(const char *name, const char *api, const char *entry);

/* A file beside the checkout; NULL when it is not there, which is said. */
const char *shared_path(const char *name);

void read_file(const char *path, struct tacho__buf *out_text);

#endif
