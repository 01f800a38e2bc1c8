/* SPDX-License-Identifier: MIT */
/* Fuzzes names as compilers mangle them: what is made of one is never longer than was taken for it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct tacho__demangler demangler;
	char *symbol = malloc(size + 3), *written;
	uint64_t most = 16;

	if (!symbol)
		return 0;
	memcpy(symbol, "_Z", 2);
	memcpy(symbol + 2, data, size);
	symbol[size + 2] = '\0';
	while (most < 1024 * 1024 && !tacho__demangled_fits(symbol, most))
		most *= 2;
	written = tacho__demangle(&demangler, symbol);
	if (written && strlen(written) > most)
		abort();
	free(written);
	free(symbol);
	return 0;
}
