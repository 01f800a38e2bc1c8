/* SPDX-License-Identifier: MIT */
/* Flexible EU events as tacho oa shows them. */
#ifndef TACHO_CLI_OA_FLEX_H
#define TACHO_CLI_OA_FLEX_H

#include <stdbool.h>

#include <tacho/catalog.h>
#include <tacho/oa.h>
#include <tacho/sys/json.h>

struct cli_oa_event {
	struct tacho_oa_flex flex;
	struct tacho_oa_flex_meaning meaning;
	char text[TACHO_OA_FLEX_TEXT_MAX]; /* "fpu0/ps" */
	int counter;			   /* 7 to 20; -1: not known */
	/* A set of Intel's that counts it though it is outside of the rules: "RenderBasic of chv".
	 */
	char published[96];
};

/* What the registers EU_PERF_CNTL0 to 6 are set to. */
struct cli_oa_program {
	uint32_t values[TACHO_OA_FLEX_REGISTERS];
	bool used[TACHO_OA_FLEX_REGISTERS];
};

void cli_oa_event_init(const struct tacho_oa_flex *flex, int counter, struct cli_oa_event *event);
/* Half 0 or 1 of a register; false when it is no EU_PERF_CNTL. */
bool cli_oa_event_decode(const struct tacho_register *from, unsigned half,
			 struct cli_oa_event *out_event);

/*
 * Looks for a set that counts an event which the rules refuse, among architectures that end with
 * NULL; what they support needs none.
 */
void cli_oa_event_find_published(struct cli_oa_event *event, const struct tacho_arch *const *archs);
/* "valid", "published", "refused" ... Static. */
const char *cli_oa_event_get_verdict(const struct cli_oa_event *event);
bool cli_oa_event_is_refused(const struct cli_oa_event *event);

/* An object with everything about the event. */
void cli_oa_event_write(const struct cli_oa_event *event, const char *key, struct tacho_json *json);
/* "A7 / (EuCoresTotalCount * GpuCoreClocks)": the share of clocks. Owned. */
char *cli_oa_event_format_share(const struct cli_oa_event *event);

/* Whether flexible events of this architecture are encoded as on Gen8. */
bool cli_oa_has_flex(const struct tacho_arch *arch);

/* Prints definitions of a set with these events, for --definitions. */
void cli_oa_flex_print_set(const char *name, const char *arch, const struct cli_oa_event *events,
			   size_t count, const struct cli_oa_program *program);

#endif
