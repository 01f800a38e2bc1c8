/* SPDX-License-Identifier: MIT */
/* Reports as text, JSON or CSV, one by one. */
#ifndef TACHO_CLI_OA_REPORT_H
#define TACHO_CLI_OA_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tacho/oa.h>
#include <tacho/sys/oa_recording.h>

enum cli_oa_style { CLI_OA_TEXT, CLI_OA_JSON, CLI_OA_CSV };

/* The first five fields are the caller's. */
struct cli_oa_printer {
	const struct tacho_oa_format *format;
	enum tacho_oa_gen gen;
	enum tacho_oa_source source;
	enum cli_oa_style style;
	FILE *stream;
	uint64_t empty_count, empty_run; /* reports without an id; the last ones in a row */
	struct tacho_oa_counter counters[TACHO_OA_VALUE_MAX];
};

void cli_oa_printer_begin(struct cli_oa_printer *printer);
/* `record` has the report's times; NULL for a raw dump. Too few bytes are warned about. */
void cli_oa_printer_add(struct cli_oa_printer *printer, const uint8_t *bytes, size_t size,
			uint64_t offset, const struct tacho_oa_record *record);
void cli_oa_printer_add_lost(struct cli_oa_printer *printer, uint64_t offset, bool is_buffer);
/* Warns about reports that had not landed. */
void cli_oa_printer_end(struct cli_oa_printer *printer);

#endif
