/* SPDX-License-Identifier: MIT */
/* Databases of Nsight Systems, what the parts of their reader share: nsys.c nsys_rows.c. */
#ifndef TACHO_FORMAT_FOREIGN_NSYS_H
#define TACHO_FORMAT_FOREIGN_NSYS_H

#include "format/foreign/foreign.h"
#include "format/foreign/foreign_db.h"

struct tacho__nsys {
	struct tacho__foreign *foreign;
	struct tacho__foreign_db *db;
	uint64_t capture; /* the number of the file: each knows processes of its own */
	struct tacho__foreign_query strings; /* one of them, by its id */
	struct tacho__map texts;	     /* ids of strings -> texts */
	struct tacho__map results;	     /* of calls: numbers -> texts */
	struct tacho__map domains;	     /* of ranges: process << 32 | id -> texts */
	const char *gpu_table, *gpu_key;     /* where devices are described */
	uint64_t commands, unlinked, graphs; /* that were read, without a call, graphs as a whole */
};

/* The text of a string's id: "" when there is none. NOMEM, PARSE. */
int tacho__nsys_text(struct tacho__nsys *nsys, const struct tacho__foreign_query *query, int column,
		     uint32_t *out_text);
/* Its key among those of all files. */
uint64_t tacho__nsys_process_key(const struct tacho__nsys *nsys, int64_t global);
/* The process of "globalTid" or "globalPid". NOMEM. */
int tacho__nsys_process(struct tacho__nsys *nsys, int64_t global, uint32_t *out_process);
/* NOMEM, PARSE. */
int tacho__nsys_device(struct tacho__nsys *nsys, uint32_t process, int64_t id,
		       uint32_t *out_device);

/* nsys_rows.c: what happened. PARSE, IO, NOMEM. */
int tacho__nsys_read_calls(struct tacho__nsys *nsys);
int tacho__nsys_read_kernels(struct tacho__nsys *nsys);
int tacho__nsys_read_copies(struct tacho__nsys *nsys);
int tacho__nsys_read_fills(struct tacho__nsys *nsys);
int tacho__nsys_read_graphs(struct tacho__nsys *nsys);
int tacho__nsys_read_ranges(struct tacho__nsys *nsys);
/* nsys_left.c: notes of what is not read, and of what the tool warned of. PARSE, IO, NOMEM. */
int tacho__nsys_note_left(struct tacho__nsys *nsys);

#endif
