/* SPDX-License-Identifier: MIT */
#include "base/demangle.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

enum {
	SYMBOL_MAX = 4096,	  /* the library takes stack for each character */
	WRITTEN_MAX = 64 * 1024,  /* nobody reads longer names */
	GUESSED_MAX = 1024 * 1024 /* of what is believed before it is written */
};

/* Programs that were built with LLVM's library bring only that. */
static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1"};

static void look(struct tacho__demangler *demangler)
{
	const struct tacho__dl_symbol symbols[] = {{"__cxa_demangle", 0, true}};

	demangler->has_looked = true;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(libraries); i++)
		if (!tacho__dl_open(libraries[i], symbols, 1, &demangler->dl, &demangler->calls))
			return;
}

void tacho__demangler_finish(struct tacho__demangler *demangler)
{
	tacho__dl_close(&demangler->dl);
	*demangler = (struct tacho__demangler){0};
}

char *tacho__demangle(struct tacho__demangler *demangler, const char *symbol)
{
	char bare[SYMBOL_MAX + 1], *written;
	size_t size = strnlen(symbol, SYMBOL_MAX + 1);
	int status = 0;

	if (strncmp(symbol, "_Z", 2) || size > SYMBOL_MAX)
		return NULL;
	memcpy(bare, symbol, size + 1);
	if (tacho__ends_with(bare, ".kd"))
		bare[size - 3] = '\0';
	if (!tacho__demangled_fits(bare, GUESSED_MAX))
		return NULL;
	if (!demangler->has_looked)
		look(demangler);
	written = demangler->calls.demangle ? demangler->calls.demangle(bare, NULL, NULL, &status)
					    : NULL;
	if (written && (status || strlen(written) > WRITTEN_MAX || strpbrk(written, "\r\n"))) {
		free(written);
		return NULL;
	}
	return written;
}
