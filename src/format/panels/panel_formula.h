/* SPDX-License-Identifier: MIT */
/* Formulas of panels: Python's notation over columns of counters, with "$" before numbers of the
 * machine and words that stand for formulas. docs/panels.md has all of it. */
#ifndef TACHO_FORMAT_PANELS_PANEL_FORMULA_H
#define TACHO_FORMAT_PANELS_PANEL_FORMULA_H

#include "base/arena.h"
#include "format/panels/panel_value.h"
#include "tacho/result.h"

struct tacho__panel_scope {
	const struct tacho_result *counters; /* of the formula; NULL: none were measured */
	const struct tacho_result *base;     /* what words that begin with "$" are made of */
	const struct tacho_result *machine;  /* one row of numbers; may be NULL */
	const char *denominator;	     /* the formula of "$denom" */
	const char *accumulated; /* SQ_ACCUM_PREV_HIRES is this counter; NULL: it is itself */
};

/*
 * Works a formula out to one number. NAN: there is none, and *out_note says why, owned by the
 * arena. NOMEM only.
 */
int tacho__panel_evaluate(const struct tacho__panel_scope *scope, struct tacho__arena *arena,
			  const char *text, double *out_number, const char **out_note);

/* The same, with a number for each launch where the formula has one; NAN where a launch has none.
 */
int tacho__panel_evaluate_all(const struct tacho__panel_scope *scope, struct tacho__arena *arena,
			      const char *text, struct tacho__panel_value *out_value,
			      const char **out_note);

#endif
