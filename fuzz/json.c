/* SPDX-License-Identifier: MIT */
/* Fuzzes the JSON reader. */
#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tacho__arena arena = {0};
	struct tacho__json *json;

	if (!tacho__json_parse(&arena, (const char *)data, size, &json))
		tacho__json_string(json, "a", "");
	tacho__arena_finish(&arena);
	return 0;
}
