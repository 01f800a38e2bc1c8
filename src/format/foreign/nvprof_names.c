/* SPDX-License-Identifier: MIT */
/* Functions by the numbers that CUPTI gives them: data/nvidia/callbacks.txt, a line for each. */
#include <stdio.h>
#include <string.h>

#include "catalog/catalog.h"
#include "format/foreign/nvprof.h"

extern const struct tacho__builtin tacho__cupti_callback_files[]; /* by tools/embed */

const char *tacho__nvprof_function_name(bool is_driver, int64_t number, char room[64])
{
	const struct tacho__builtin *file = &tacho__cupti_callback_files[0];
	const char *text = (const char *)file->text, *end = text + file->size, *found;
	char wanted[40];
	int size = snprintf(wanted, sizeof(wanted), "\n%s %lld ", is_driver ? "driver" : "runtime",
			    (long long)number);
	size_t length = 0;

	found = memmem(text, file->size, wanted, (size_t)size);
	for (found = found ? found + size : end; found < end && *found != '\n' && length < 63;)
		room[length++] = *found++;
	room[length] = '\0';
	return length ? room : NULL;
}
