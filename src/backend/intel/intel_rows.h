/* SPDX-License-Identifier: MIT */
/* Rows of a pass, out of sums of reports. */
#ifndef TACHO_BACKEND_INTEL_INTEL_ROWS_H
#define TACHO_BACKEND_INTEL_INTEL_ROWS_H

#include "backend/backend.h"
#include "tacho/oa.h"

struct tacho__intel_rows {
	const struct tacho__sink *sink;
	uint32_t pass;
	size_t count;	  /* of the pass's counters */
	int *indices;	  /* of the reports' values; -1: the format does not have it */
	uint64_t *values; /* of the next row; reals as their bits */
	uint8_t *states;
	struct tacho_column *columns;
};

/* NOMEM. */
int tacho__intel_rows_init(struct tacho__intel_rows *rows, const struct tacho_oa_format *format,
			   const struct tacho_plan_pass *info, uint32_t pass,
			   const struct tacho__sink *sink);
void tacho__intel_rows_finish(struct tacho__intel_rows *rows);

/* Sums without an interval are absent. What the sink says. */
int tacho__intel_rows_deliver_range(struct tacho__intel_rows *rows, uint64_t key,
				    const struct tacho_oa_sums *sums);
int tacho__intel_rows_deliver_window(struct tacho__intel_rows *rows, uint64_t number,
				     uint64_t end_ns, uint64_t lost_rows,
				     const struct tacho_oa_sums *sums);

#endif
