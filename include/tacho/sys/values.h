/* SPDX-License-Identifier: MIT */
/* Values in files, read and written. For the command and tests: no ABI promise. */
#ifndef TACHO_SYS_VALUES_H
#define TACHO_SYS_VALUES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <tacho/export.h>
#include <tacho/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads values from a file, or from standard input for "-": JSON as docs/values.md has it, CSV with
 * one row a launch, or rocprofv3's counter_collection.csv; which of them shows in the text. IO,
 * PARSE with line and column, NOMEM. Owned.
 */
TACHO_API int tacho_values_read(const char *path, struct tacho_result **out_result);
/* The same from memory; `name` is for messages. */
TACHO_API int tacho_values_parse(const char *name, const char *text, size_t size,
				 struct tacho_result **out_result);

/* Adds a constant, or replaces it. */
TACHO_API int tacho_values_set_constant(struct tacho_result *result, const char *name,
					double value);

/* The text of an expression that came with the values; NULL when there is none of this name. */
TACHO_API const char *tacho_values_get_expression(const struct tacho_result *result,
						  const char *name);
/* Name number `index` of these expressions, NULL past the last. */
TACHO_API const char *tacho_values_get_expression_name(const struct tacho_result *result,
						       size_t index);

/* 1 for a percentage that is not between 0 and 100, rounding allowed for. */
TACHO_API int tacho_column_is_out_of_range(const struct tacho_column *column, size_t row,
					   size_t instance);
/* The position of an instance in each dimension, as the definitions number them. */
TACHO_API void tacho_column_get_position(const struct tacho_column *column, size_t instance,
					 uint32_t out_positions[TACHO_DIMENSION_MAX]);

/* 1 when the values came as one row without a name (JSON), 0 for a table of launches. */
TACHO_API int tacho_values_is_single(const struct tacho_result *result);

/* Writers. Errors of the stream stay in it. */
TACHO_API void tacho_result_write_json(const struct tacho_result *result, FILE *stream);
TACHO_API void tacho_result_write_csv(const struct tacho_result *result, FILE *stream);

#ifdef __cplusplus
}
#endif

#endif
