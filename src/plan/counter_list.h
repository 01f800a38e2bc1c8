/* SPDX-License-Identifier: MIT */
/* Files with a list of counters. */
#ifndef TACHO_PLAN_COUNTER_LIST_H
#define TACHO_PLAN_COUNTER_LIST_H

#include <stddef.h>

/* Strings are borrowed from it. */
struct tacho__counter_list {
	const char *const *names; /* words as tacho_config_parse() takes them */
	size_t name_count;
	const char *const *kernels; /* names, globs, "regex:RE", where the file says */
	size_t kernel_count;
	const char *const *excluded;
	size_t excluded_count;
};

/*
 * Reads names by line, with commas and remarks behind #; rcprof's counter files; rocprofv3's input,
 * "pmc:" lines or jobs in YAML and JSON. NOTFOUND, PERM, IO, PARSE, NOMEM. Owned.
 */
int tacho__counter_list_read(const char *path, struct tacho__counter_list **out_list);
void tacho__counter_list_destroy(struct tacho__counter_list *list);

#endif
