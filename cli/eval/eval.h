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
	char **texts;	/* names that no catalog owns */
	size_t count, text_count;
};

/*
 * Adds what a list of names stands for: entries of the architecture, or names that came with the
 * values when there is none. What is there already is not added again. Otherwise it says why not
 * and returns the exit status.
 */
int cli_eval_add_names(struct cli_eval_list *list, const char *names, const struct tacho_arch *arch,
		       const struct tacho_result *values);
void cli_eval_add_expression(struct cli_eval_list *list, const char *expression,
			     const char *notation);
void cli_eval_finish(struct cli_eval_list *list);

/*
 * Says on stderr why an expression could not be worked out, with the place in `expression`, which
 * may be NULL; or writes it as JSON to stdout.
 */
void cli_eval_complain(const struct tacho_formula_problem *problem, const char *expression,
		       const char *cure);
void cli_eval_write_error(const char *stage, const char *message, size_t column,
			  const char *metric);

#endif
