/* SPDX-License-Identifier: MIT */
/* Counted values for people, whatever counted them. */
#ifndef TACHO_CLI_VALUES_H
#define TACHO_CLI_VALUES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tacho/result.h>

/* The texts of one value; owned but for the unit. */
struct cli_value {
	char *name;  /* "TCC_HIT[3]", "SQ_WAVES[XCC=1 SHADER_ENGINE=0]" */
	char *text;  /* "-" when it is absent */
	char *state; /* "scaled 33%", "lost, default *"; "" when it is plainly there */
	const char *unit;
};

/* What stands below a table: a bit for each remark that something in it needs. */
struct cli_remarks {
	uint32_t bits;
};

/* Adds the remarks that the value needs. */
void cli_value_format(const struct tacho_column *column, size_t row, size_t instance,
		      struct cli_remarks *remarks, struct cli_value *out_value);
void cli_value_finish(struct cli_value *value);

/* Which instance it is, in the dimensions that have several: "XCC=1 INSTANCE=3". Owned. */
char *cli_value_format_position(const struct tacho_column *column, size_t instance);

/* Its state alone. Owned. */
char *cli_value_format_state(const struct tacho_column *column, size_t row, size_t instance,
			     struct cli_remarks *remarks);
void cli_remarks_print(const struct cli_remarks *remarks, FILE *stream, unsigned width);

/*
 * A line for each value; launches are rows when their values fit beside each other. `is_named` has
 * a flag for each column: others are left out when they have no value; NULL: none is left out.
 */
void cli_values_print(const struct tacho_result *result, const bool *is_named, FILE *stream,
		      unsigned width);

#endif
