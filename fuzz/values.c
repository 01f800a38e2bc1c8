/* SPDX-License-Identifier: MIT */
/* Fuzzes the readers of values; what they accept is written in both forms and, as CSV, read again.
 */
#include <stdlib.h>

#include "tacho/sys/values.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Positions that nobody named multiply: more of them than this only takes time. */
enum { WRITTEN_MAX = 1 << 16 };

static size_t count_values(const struct tacho_result *result)
{
	const struct tacho_column *column;
	size_t count = 0;

	for (size_t i = 0; (column = tacho_result_get_column(result, i)); i++)
		count += column->instance_count * tacho_result_get_row_count(result);
	return count;
}

static void write_csv(const struct tacho_result *result, FILE *stream)
{
	if (tacho_result_write_csv(result, TACHO_CSV_WHOLE, stream) != 0)
		abort();
}

static char *write_with(const struct tacho_result *result,
			void (*write)(const struct tacho_result *, FILE *), size_t *size)
{
	char *text = NULL;
	FILE *stream = open_memstream(&text, size);

	if (!stream)
		abort();
	write(result, stream);
	fclose(stream);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tacho_result *result, *again;
	char *text;
	size_t length;

	if (tacho_values_parse("x", (const char *)data, size, &result))
		return 0;
	if (count_values(result) <= WRITTEN_MAX) {
		free(write_with(result, tacho_result_write_json, &length));
		text = write_with(result, write_csv, &length);
		if (!tacho_values_parse("y", text, length, &again))
			tacho_result_destroy(again);
		free(text);
	}
	tacho_result_destroy(result);
	return 0;
}
