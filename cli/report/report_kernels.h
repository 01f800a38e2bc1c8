/* SPDX-License-Identifier: MIT */
/* Which kernels a report is about. */
#ifndef TACHO_CLI_REPORT_KERNELS_H
#define TACHO_CLI_REPORT_KERNELS_H

#include "options/options.h"
#include "report/report.h"

/* The patterns of both lists. CLI_OK, or what was told. Finished in any case. */
int cli_report_kernels_create(const struct cli_texts *wanted, const struct cli_texts *excluded,
			      struct cli_report_kernels *kernels);
/* Whether a kernel of this name is among them. */
bool cli_report_kernels_fit(const struct cli_report_kernels *kernels, const char *name);
void cli_report_kernels_finish(struct cli_report_kernels *kernels);

#endif
