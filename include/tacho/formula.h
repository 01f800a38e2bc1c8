/* SPDX-License-Identifier: MIT */
/* Working out metrics from values that were counted. */
#ifndef TACHO_FORMULA_H
#define TACHO_FORMULA_H

#include <stddef.h>
#include <stdint.h>

#include <tacho/catalog.h>
#include <tacho/export.h>
#include <tacho/result.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TACHO_FORMULA_MESSAGE_MAX = 512 };

/* Where and why an expression failed. */
struct tacho_formula_problem {
	const char *stage; /* "parse", "resolve", "shape", "evaluate"; NULL: nothing failed */
	size_t column;	   /* in the expression, from 1; 0: no place in particular */
	char metric[128];  /* whose expression it is; "": the one that was asked for */
	char message[TACHO_FORMULA_MESSAGE_MAX];
};

/* One value to work out. */
struct tacho_formula {
	const char *name;	/* of its column */
	const char *expression; /* NULL: the metric or counter `name` of the architecture */
	const char *notation;	/* of the expression: "infix", "gpa", "oa"; NULL: "infix" */
	const char *unit;	/* NULL: "" or the metric's */
};

struct tacho_derive_options {
	size_t size; /* sizeof(struct tacho_derive_options) */
	/* Names that the values do not have are looked up here; NULL: there is nothing else. */
	const struct tacho_arch *arch;
	const struct tacho_model *model; /* constants that the values do not have; may be NULL */
	uint32_t strict;		 /* a division by zero makes a value absent */
};

/*
 * Works out `count` columns from the values. A name in an expression is, in this order, one of the
 * values' own expressions, counters or constants, then the architecture's metric, then the model's
 * constant; what `values` already holds is not worked out again. A metric of the architecture that
 * needs a counter which the values do not have becomes an absent column whose note names it; an
 * expression that does is an error. PARSE, NOTFOUND, INVAL, with `out_problem` filled (it may be
 * NULL); NOMEM. Owned; free with tacho_result_destroy(); the names are copied.
 */
TACHO_API int tacho_result_derive(const struct tacho_result *values,
				  const struct tacho_formula *formulas, size_t count,
				  const struct tacho_derive_options *options,
				  struct tacho_result **out_result,
				  struct tacho_formula_problem *out_problem);

#ifdef __cplusplus
}
#endif

#endif
