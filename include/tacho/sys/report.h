/* SPDX-License-Identifier: MIT */
/* What a whole report shows, out of one reading. For the command and pages: no ABI promise. */
#ifndef TACHO_SYS_REPORT_H
#define TACHO_SYS_REPORT_H

#include <tacho/finding.h>
#include <tacho/summary.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A summary and findings, each as its own function makes it, but each call is read once for both.
 * `has_gaps`: the summary has lines by gap. Owned, and destroyed each by itself, in any order;
 * neither is there when it fails. As tacho_findings_create().
 */
TACHO_API int tacho_report_create(struct tacho_recording *recording,
				  const struct tacho_findings_options *options, int has_gaps,
				  struct tacho_summary **out_summary,
				  struct tacho_findings **out_findings);

/*
 * Devices whose memory the program took: those of tacho_summary_get_device() first, in their order,
 * then those to which nothing was given, or not in that process. NULL past the last. Borrowed.
 */
TACHO_API const struct tacho_object *
tacho_report_get_memory_device(const struct tacho_summary *summary, size_t index);

#ifdef __cplusplus
}
#endif

#endif
