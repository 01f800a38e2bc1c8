/* SPDX-License-Identifier: MIT */
/* Differences of reports. */
#ifndef TACHO_OA_ACCUMULATE_H
#define TACHO_OA_ACCUMULATE_H

#include "oa/report.h"

/* Ticks of the timestamp from one report to another, modulo its width. */
uint64_t tacho__oa_elapsed(const struct tacho_oa_format *format, const struct tacho_oa_report *from,
			   const struct tacho_oa_report *to);

#endif
