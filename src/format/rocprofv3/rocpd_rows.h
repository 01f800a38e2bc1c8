/* SPDX-License-Identifier: MIT */
/* Rows of a rocpd database: the columns that all of them have. */
#ifndef TACHO_FORMAT_ROCPROFV3_ROCPD_ROWS_H
#define TACHO_FORMAT_ROCPROFV3_ROCPD_ROWS_H

#include "format/rocprofv3/rocpd.h"

enum { TACHO__ROCPD_NODE_ID = 1 };

/* The id and, where the table has one, the guid. */
void tacho__rocpd_row_begin(struct tacho__rocpd *rocpd, enum tacho__rocpd_table table, uint64_t id);
/* The same for a row whose id nobody else knows: the next one, which is returned. */
uint64_t tacho__rocpd_row_begin_next(struct tacho__rocpd *rocpd, enum tacho__rocpd_table table);
/* The end of a row whose table has extdata: there is none. */
int tacho__rocpd_row_end(struct tacho__rocpd *rocpd);
/* Columns of the node and a process. */
void tacho__rocpd_row_owner(struct tacho__rocpd *rocpd, const struct tacho_process *process);
/* A number that the table wants to be there: an empty text when it is not known. */
void tacho__rocpd_row_needed(struct tacho__rocpd *rocpd, bool is_known, uint64_t number);
/* An id that may be that of what is not known. */
void tacho__rocpd_row_id(struct tacho__rocpd *rocpd, uint64_t id);

#endif
