/* SPDX-License-Identifier: MIT */
/* Fuzzes call tables and the decoding of arguments: the first NUL splits table and arguments. */
#include <string.h>

#include "record/call_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void decode(const struct tacho__function *function, const uint8_t *bytes, size_t size)
{
	struct tacho__value values[TACHO__ARGUMENTS_COUNT_MAX] = {0};
	struct tacho__unpack unpack;
	struct tacho__buf text = {0};

	tacho__unpack_begin(&unpack, bytes, size);
	for (size_t i = 0; i < function->count; i++)
		tacho__call_decode(&function->arguments[i].show, &unpack, function, values, &text,
				   &values[i]);
	tacho__buf_finish(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *split = memchr(data, '\0', size);
	size_t table_size = split ? (size_t)(split - data) : size;
	struct tacho__arena arena = {0};
	struct tacho__call_table *table;

	if (!tacho__call_table_parse(&arena, (const char *)data, table_size, &table))
		for (int i = 0; i < 8; i++)
			if (table->functions[i].known)
				decode(&table->functions[i], data + table_size, size - table_size);
	tacho__arena_finish(&arena);
	return 0;
}
