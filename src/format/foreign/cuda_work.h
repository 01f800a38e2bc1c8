/* SPDX-License-Identifier: MIT */
/* Work of CUDA programs as CUPTI tells it, which the tools that write it keep in its numbers. */
#ifndef TACHO_FORMAT_FOREIGN_CUDA_WORK_H
#define TACHO_FORMAT_FOREIGN_CUDA_WORK_H

#include "format/foreign/foreign.h"
#include "format/foreign/foreign_csv.h"
#include "format/foreign/foreign_db.h"

/* Whether what a call returned is a failure: "not ready" is an answer. */
bool tacho__cuda_is_failure(int64_t result);
/* What a number of copyKind says, from where to where; the name of others is "memcpy". */
enum tacho_command_kind tacho__cuda_copy(int64_t kind, const char **out_name);
/* The stream of a context, both by their numbers. NOMEM. */
int tacho__cuda_queue(struct tacho__foreign *foreign, uint32_t process, uint64_t context,
		      uint64_t stream, uint64_t device, uint32_t *out_queue);

/* ---- in tables ---- */

/* "Tesla K20c (0)": the device, and its number; none in an empty cell. NOMEM. */
int tacho__cuda_cell_device(struct tacho__foreign *foreign, uint32_t process, const char *cell,
			    uint32_t *out_device, uint64_t *out_number);
/* The size of a launch in the last record: the places of the groups, and of what one has. */
void tacho__cuda_cell_sizes(const struct tacho__foreign_csv *csv, const int grid[3],
			    const int block[3], struct tacho__foreign_command *command);

/* ---- in databases ---- */

/* The same of a row: three columns from `grid` on, and from `block` on. */
void tacho__cuda_row_sizes(const struct tacho__foreign_query *query, int grid, int block,
			   struct tacho__foreign_command *command);

#endif
