/* SPDX-License-Identifier: MIT */
#include "report/report_kernels.h"

#include <stdlib.h>

#include <tacho/sys/pattern.h>

static int create(const struct cli_texts *texts, struct tacho_pattern ***out_patterns,
		  size_t *out_count)
{
	*out_patterns = texts->count ? cli_alloc(texts->count * sizeof(**out_patterns)) : NULL;
	for (size_t i = 0; i < texts->count; i++) {
		if (tacho_pattern_create(texts->texts[i], 0, &(*out_patterns)[i]) != 0)
			return (int)cli_complain_last();
		(*out_count)++;
	}
	return CLI_OK;
}

int cli_report_kernels_create(const struct cli_texts *wanted, const struct cli_texts *excluded,
			      struct cli_report_kernels *kernels)
{
	int status = create(wanted, &kernels->wanted, &kernels->wanted_count);

	return status ? status : create(excluded, &kernels->excluded, &kernels->excluded_count);
}

static void finish(struct tacho_pattern **patterns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		tacho_pattern_destroy(patterns[i]);
	free(patterns);
}

void cli_report_kernels_finish(struct cli_report_kernels *kernels)
{
	finish(kernels->wanted, kernels->wanted_count);
	finish(kernels->excluded, kernels->excluded_count);
}

static bool fits(struct tacho_pattern *const *patterns, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (tacho_pattern_fits(patterns[i], name))
			return true;
	return false;
}

bool cli_report_kernels_fit(const struct cli_report_kernels *kernels, const char *name)
{
	return (!kernels->wanted_count || fits(kernels->wanted, kernels->wanted_count, name)) &&
	       !fits(kernels->excluded, kernels->excluded_count, name);
}

bool cli_report_shows(const struct cli_report *report, enum tacho_summary_key key, size_t index)
{
	return key != TACHO_BY_KERNEL ||
	       cli_report_kernels_fit(&report->kernels,
				      tacho_summary_get_line(report->summary, key, index)->name);
}
