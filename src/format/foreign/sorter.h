/* SPDX-License-Identifier: MIT */
/*
 * Records of any size, however many, in the order of a comparison: what does not fit into memory
 * lies in a temporary file without a name. First they are added, then sealed, then read as often as
 * need be, several readers at a time. Records that compare equal keep the order of their addition.
 */
#ifndef TACHO_FORMAT_FOREIGN_SORTER_H
#define TACHO_FORMAT_FOREIGN_SORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TACHO__SORTER_RECORD_MAX = 120 * 1024 };

struct tacho__sorter_run {
	uint64_t at, end; /* in the file */
};

/* {.compare = ...} at first; room_bytes 0: 4 MiB. */
struct tacho__sorter {
	int (*compare)(const void *left, const void *right);
	size_t room_bytes;   /* of records that are kept in memory; set before the first addition */
	unsigned char *room; /* records, each behind its size */
	size_t used;
	unsigned char **order; /* of those in memory */
	size_t count, capacity;
	const unsigned char *last; /* that was added, or is the last of what was written */
	bool is_mixed;		   /* those in memory did not come in their order */
	bool is_next;		   /* they did, and behind all of the last run */
	uint64_t added;		   /* in all */
	int fd;			   /* of the file; valid when has_file */
	bool has_file, is_sealed;
	uint64_t file_bytes;
	struct tacho__sorter_run *runs;
	size_t run_count, run_capacity;
};

void tacho__sorter_finish(struct tacho__sorter *sorter);
/* Adds a copy of at most TACHO__SORTER_RECORD_MAX bytes. IO, NOMEM; INVAL: it is larger. */
int tacho__sorter_add(struct tacho__sorter *sorter, const void *record, size_t size);
/* Nothing is added any more. IO, NOMEM. */
int tacho__sorter_seal(struct tacho__sorter *sorter);

struct tacho__sorter_part;

/* One reading of a sealed sorter, which outlives it. {0} at first. */
struct tacho__sorted {
	const struct tacho__sorter *sorter;
	struct tacho__sorter_part *parts; /* runs, merged */
	size_t part_count;
	size_t *heap; /* of parts, the least record first */
	size_t heap_count;
	size_t next;	  /* where there are no runs: of those in memory */
	bool has_current; /* the part at the top of the heap has given its record away */
};

/* NOMEM, IO. */
int tacho__sorted_open(struct tacho__sorted *sorted, const struct tacho__sorter *sorter);
void tacho__sorted_close(struct tacho__sorted *sorted);
/* 1 and the next record, aligned for anything, borrowed until the next call; 0 at the end; IO. */
int tacho__sorted_next(struct tacho__sorted *sorted, const void **out_record, size_t *out_size);

#endif
