/* SPDX-License-Identifier: MIT */
/* The parts of tacho eval. */
#ifndef TACHO_CLI_EVAL_H
#define TACHO_CLI_EVAL_H

#include <stdbool.h>
#include <stddef.h>

#include <tacho/catalog.h>
#include <tacho/formula.h>
#include <tacho/result.h>

/* What is to be worked out. */
struct cli_eval_list {
	struct tacho_formula *formulas;
	bool *is_named; /* by its own name or text, and not by a pattern or a set */
	size_t count;
};

/*
 * Says on stderr why an expression could not be worked out, with the place in `expression`, which
 * may be NULL; or writes it as JSON to stdout.
 */
void cli_eval_complain(const struct tacho_formula_problem *problem, const char *expression,
		       const char *cure);
void cli_eval_write_error(const char *stage, const char *message, size_t column,
			  const char *metric);

/* Tables of panel files, or formulas in their notation. */
struct cli_eval_panels {
	const struct tacho_result *values;
	const char *path;   /* of the values; NULL: there are none */
	const char *panels; /* folder or file; NULL: none */
	const char *normalize;
	const char *const *expressions;
	size_t expression_count;
	bool json, csv;
};

/* Works them out and prints them; returns the exit status. */
int cli_eval_panels(const struct cli_eval_panels *wanted);

#endif
