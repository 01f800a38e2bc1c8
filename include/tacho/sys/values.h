/* SPDX-License-Identifier: MIT */
/* Values in files, read and written. For the command and tests: no ABI promise. */
#ifndef TACHO_SYS_VALUES_H
#define TACHO_SYS_VALUES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <tacho/export.h>
#include <tacho/result.h>
#include <tacho/sys/json.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads values from a file, or from standard input for "-": JSON as docs/values.md has it, CSV with
 * one row a launch, or rocprofv3's counter_collection.csv; which of them shows in the text. Or a
 * recording in one file whose launches have values, such as a report of another profiler. IO,
 * PARSE with line and column, NOMEM; as tacho_recording_open(). Owned.
 */
TACHO_API int tacho_values_read(const char *path, struct tacho_result **out_result);
/*
 * The same of a recording of another tool that is of this kind, whatever it looks like:
 * tacho_file_kind_get_name() has the kinds; NULL is tacho_values_read(). NOTFOUND: there is no
 * such.
 */
TACHO_API int tacho_values_read_as(const char *path, const char *kind,
				   struct tacho_result **out_result);
/* The architecture of the device that all values are of, as the file has it; "" when it does
 * not tell, or there are several. Borrowed. */
TACHO_API const char *tacho_values_get_arch(const struct tacho_result *result);
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

/*
 * JSON of the schema tacho.values/1: an object with the members "schema", "generator", "columns"
 * and "rows". Errors of the stream stay in it.
 */
TACHO_API void tacho_result_write_json(const struct tacho_result *result, FILE *stream);

/*
 * The parts of such an object, for one with more members: the first two, which open it;
 * "columns" and "rows" of a result; an entry of "columns" and one of "rows" up to its "values",
 * which the caller closes; what an entry and a value have besides where there are instances; and
 * the members of a value that say what is known about it.
 */
TACHO_API void tacho_values_begin(struct tacho_json *json, FILE *stream);
TACHO_API void tacho_values_add(struct tacho_json *json, const struct tacho_result *result);
TACHO_API void tacho_values_begin_column(struct tacho_json *json, const char *name,
					 const char *unit, enum tacho_type type,
					 const char *description);
TACHO_API void tacho_values_begin_row(struct tacho_json *json, const struct tacho_row *row);
TACHO_API void tacho_values_add_dimensions(struct tacho_json *json,
					   const struct tacho_column *column);
TACHO_API void tacho_values_add_position(struct tacho_json *json, const struct tacho_column *column,
					 size_t instance);
TACHO_API void tacho_values_add_state(struct tacho_json *json, uint8_t state, double coverage);

/*
 * CSV as docs/values.md has it: one row of it for each row. WHOLE: with columns of states and
 * coverages where some value needs them. FIRST: with all of them, as the rows of results with the
 * same columns follow, each as NEXT. NOMEM.
 */
enum tacho_csv_part { TACHO_CSV_WHOLE, TACHO_CSV_FIRST, TACHO_CSV_NEXT };
TACHO_API int tacho_result_write_csv(const struct tacho_result *result, enum tacho_csv_part part,
				     FILE *stream);

#ifdef __cplusplus
}
#endif

#endif
