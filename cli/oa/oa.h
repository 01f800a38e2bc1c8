/* SPDX-License-Identifier: MIT */
/* The parts of tacho oa. */
#ifndef TACHO_CLI_OA_H
#define TACHO_CLI_OA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tacho/oa.h>
#include <tacho/sys/oa_recording.h>

#include "catalog.h"

/* The options of all parts; an option that a part does not have was refused before it runs. */
struct cli_oa_settings {
	const struct cli_command *command;
	struct cli_catalog_choice choice; /* --arch, --definitions */
	struct cli_texts metrics;	  /* -m of metrics */
	struct cli_texts variables;	  /* of metrics */
	const char *set;		  /* --set of metrics, flex encode, record */
	int by;			  /* position in CLI_WORDS_OA_BY, which is enum tacho_oa_cut; -1 */
	const char *format, *gen; /* of decode; format of record, gen of regs too */
	int source;		  /* position in CLI_WORDS_OA_SOURCE: periodic, mi-rpc; -1 */
	bool json, csv, csv_safe;
	/* Of record. 0: not given. */
	const char *device, *model, *output;
	uint64_t interval_ms, duration_ms;
	bool overwrite;
};

/* A part: the operands follow its name. Returns the exit status, having said what failed. */
typedef int cli_oa_part(const struct cli_oa_settings *settings, char **operands, size_t count);

cli_oa_part cli_oa_decode, cli_oa_metrics, cli_oa_flex, cli_oa_record, cli_oa_regs, cli_oa_sets;

/* The generation that --gen names, or `standard`. False: it is unknown, and that was said. */
bool cli_oa_find_gen(const struct cli_oa_settings *settings, enum tacho_oa_gen standard,
		     enum tacho_oa_gen *out_gen);

/* Warns "COUNT WHAT"; of 0 not at all. */
void cli_oa_warn_count(uint64_t count, const char *what);
/* Warns of what a recording has that was not used. */
void cli_oa_warn_odd(const struct tacho_oa_counts *counts);

/* Yes, no or null. */
void cli_oa_write_known(struct tacho_json *json, const char *key, uint32_t known);

#endif
