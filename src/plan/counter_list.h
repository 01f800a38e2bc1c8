/* SPDX-License-Identifier: MIT */
/* Files with a list of counters. */
#ifndef TACHO_PLAN_COUNTER_LIST_H
#define TACHO_PLAN_COUNTER_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "tacho/config.h"

/* A word of the file and where it stands, from 1. */
struct tacho__listed {
	const char *text;
	uint32_t line, column;
};

/* Strings are borrowed from it. */
struct tacho__counter_list {
	const struct tacho__listed *names; /* words as tacho_config_parse() takes them */
	size_t name_count;
	const struct tacho__listed *kernels; /* names, globs, "regex:RE", where the file says */
	size_t kernel_count;
	const struct tacho__listed *excluded;
	size_t excluded_count;
	const struct tacho_iterations *iterations; /* joined; none: all launches */
	size_t iteration_count;
	const char *const *remarks; /* on what is done in another way, or not at all */
	size_t remark_count;
};

/*
 * Reads names by line, with commas and remarks behind #; rcprof's counter files; rocprofv3's input,
 * "pmc:" lines or jobs in YAML and JSON: job `job` of it, from 1, or with 0 all, which must select
 * the same launches then. NOTFOUND, PERM, IO, NOMEM; PARSE with line and column in the message;
 * INVAL for a job that is not there. Owned.
 */
int tacho__counter_list_read(const char *path, uint32_t job, struct tacho__counter_list **out_list);
void tacho__counter_list_destroy(struct tacho__counter_list *list);

#endif
