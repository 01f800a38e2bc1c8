/* SPDX-License-Identifier: MIT */
/* Findings on the screen and in JSON, and the options that choose rules. */
#ifndef TACHO_CLI_FINDINGS_H
#define TACHO_CLI_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <tacho/finding.h>
#include <tacho/summary.h>
#include <tacho/sys/json.h>

#include "options/options.h"

struct cli_findings_settings {
	const char *list;	/* names of rules, separated by commas; NULL or "": all */
	const char *file;	/* of rules; NULL: none */
	struct cli_texts rules; /* NAME=VALUE of thresholds */
	uint64_t examples;	/* of each finding; 0: the default */
};

/*
 * Looks for findings, and makes the summary on the way. What is wrong with the settings, or failed,
 * was told; its class is returned.
 */
int cli_findings_create(struct tacho_recording *recording,
			const struct cli_findings_settings *settings, bool has_gaps,
			struct tacho_summary **out_summary, struct tacho_findings **out_findings);

/* The members "findings" and "not_judged"; null when they were not looked for. */
void cli_findings_add(struct tacho_json *json, const struct tacho_findings *findings);

#endif
