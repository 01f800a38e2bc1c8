/* SPDX-License-Identifier: MIT */
/* What the readers of files with counters fill: a job for each run that rocprofv3 would make. */
#ifndef TACHO_PLAN_COUNTER_LIST_PARTS_H
#define TACHO_PLAN_COUNTER_LIST_PARTS_H

#include "base/arena.h"
#include "plan/counter_list.h"

/* Where something stands, from 1. */
struct tacho__list_place {
	uint32_t line, column;
};

struct tacho__list_words {
	struct tacho__listed *list;
	size_t count, capacity;
};

/* All that is in it belongs to one run; a plain list is one. */
struct tacho__list_job {
	struct tacho__list_words names, kernels, excluded;
	struct tacho_iterations *iterations;
	size_t iteration_count, iteration_capacity;
	struct tacho__list_place place; /* where it begins */
};

/* {0} at first, but for the path. */
struct tacho__list_reader {
	const char *path;
	struct tacho__arena arena;
	struct tacho__list_job *jobs;
	size_t job_count, job_capacity;
	const char **remarks;
	size_t remark_count, remark_capacity;
	size_t words; /* of all jobs */
};

/* The new job, borrowed until the next one is added. PARSE when there are too many; NOMEM. */
int tacho__list_add_job(struct tacho__list_reader *reader, struct tacho__list_place place,
			struct tacho__list_job **out_job);
/* PARSE when there are too many words; NOMEM. */
int tacho__list_add(struct tacho__list_reader *reader, struct tacho__list_words *words,
		    const char *text, size_t size, struct tacho__list_place place);
/*
 * Words between blanks and commas; `place` is that of the text, which is in one line. What stands
 * behind ":device=" is told in a remark.
 */
int tacho__list_add_names(struct tacho__list_reader *reader, struct tacho__list_words *words,
			  const char *text, size_t size, struct tacho__list_place place);
int tacho__list_remark(struct tacho__list_reader *reader, struct tacho__list_place place,
		       const char *format, ...) __attribute__((format(printf, 3, 4)));
/* PARSE, at a place of the file. */
int tacho__list_fail(const struct tacho__list_reader *reader, struct tacho__list_place place,
		     const char *cause, const char *cure);

/* Both add jobs. */
int tacho__list_read_lines(struct tacho__list_reader *reader, const char *text);
int tacho__list_read_jobs(struct tacho__list_reader *reader, const char *text, size_t size);

#endif
