/* SPDX-License-Identifier: MIT */
/* Tables of panel files, worked out of values. For the command and tests: no ABI promise. */
#ifndef TACHO_SYS_PANELS_H
#define TACHO_SYS_PANELS_H

#include <stdbool.h>
#include <stddef.h>

#include <tacho/export.h>
#include <tacho/result.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tacho_values_cell_kind { TACHO_CELL_TEXT, TACHO_CELL_NUMBER, TACHO_CELL_ABSENT };

struct tacho_values_cell {
	enum tacho_values_cell_kind kind;
	const char *text; /* as it stands in the file; of what is absent: why */
	double number;
};

struct tacho_values_table {
	const char *id, *title, *panel; /* "" where nothing is stated */
	const char *const *columns;	/* their titles; the first names the row */
	size_t column_count, row_count;
	const struct tacho_values_cell *cells; /* row by row */
};

struct tacho_values_panel_options {
	size_t size;
	const char *panels; /* a folder of YAML files, or one; NULL: none */
	/* Where the values of other runs are, NAME.csv, and of the machine, sysinfo.csv; NULL: none
	 */
	const char *folder;
	const char *normalize; /* "per_wave", "per_cycle", "per_second", "per_kernel"; NULL: that */
	const char *const *expressions; /* formulas of the caller's: a table of its own, first */
	size_t expression_count;
};

struct tacho_values_panels;

/*
 * Whether a formula has something that this notation has and the infix notation has not: a choice
 * with "if" and "else", a comparison, AVG( and the other functions, a word behind "$".
 */
TACHO_API bool tacho_values_panel_is_formula(const char *text);

/*
 * Works out all tables; the values' constants are numbers of the machine. A formula that cannot be
 * worked out costs its cell, which says why. IO, NOTFOUND, PARSE with file and line, INVAL for an
 * unknown normalization, NOMEM. Owned.
 */
TACHO_API int tacho_values_panels_run(const struct tacho_result *values,
				      const struct tacho_values_panel_options *options,
				      struct tacho_values_panels **out_panels);
TACHO_API void tacho_values_panels_destroy(struct tacho_values_panels *panels);
/* In the order of the files; NULL past the last. */
TACHO_API const struct tacho_values_table *
tacho_values_panels_get(const struct tacho_values_panels *panels, size_t index);

#ifdef __cplusplus
}
#endif

#endif
