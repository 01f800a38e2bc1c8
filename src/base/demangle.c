/* SPDX-License-Identifier: MIT */
#include "base/demangle.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"

enum {
	SYMBOL_MAX = 4096,	  /* the library takes stack for each character */
	GNU_MAX = 1024,		  /* GNU's takes no longer ones */
	WRITTEN_MAX = 64 * 1024,  /* nobody reads longer names */
	GUESSED_MAX = 1024 * 1024 /* of what is believed before it is written */
};

/* Programs that were built with LLVM's library bring only that. */
static const struct {
	const char *name;
	size_t longest;
} libraries[TACHO__DEMANGLERS] = {{"libstdc++.so.6", GNU_MAX}, {"libc++abi.so.1", SYMBOL_MAX}};

static void look(struct tacho__demangler_library *library, const char *name)
{
	const struct tacho__dl_symbol symbols[] = {{"__cxa_demangle", 0, true}};

	if (library->has_looked)
		return;
	library->has_looked = true;
	if (tacho__dl_open(name, symbols, 1, &library->dl, &library->calls))
		library->calls.demangle = NULL;
}

void tacho__demangler_finish(struct tacho__demangler *demangler)
{
	for (size_t i = 0; i < TACHO__DEMANGLERS; i++)
		tacho__dl_close(&demangler->libraries[i].dl);
	*demangler = (struct tacho__demangler){0};
}

enum { NO_MEMORY = -1 }; /* what the libraries say then */

/* By the first library that is there and takes names of this length. */
static char *write_out(struct tacho__demangler *demangler, const char *symbol)
{
	size_t size = strlen(symbol);
	int status = 0;
	char *written;

	for (size_t i = 0; i < TACHO__DEMANGLERS; i++) {
		struct tacho__demangler_library *library = &demangler->libraries[i];

		if (size > libraries[i].longest)
			continue;
		look(library, libraries[i].name);
		if (!library->calls.demangle)
			continue;
		written = library->calls.demangle(symbol, NULL, NULL, &status);
		if (!status)
			return written;
		if (status == NO_MEMORY)
			demangler->failed = tacho__fail(TACHO_E_NOMEM, "", "",
							"no memory to write %s out", symbol);
		free(written);
		return NULL;
	}
	return NULL;
}

char *tacho__demangle(struct tacho__demangler *demangler, const char *symbol)
{
	char bare[SYMBOL_MAX + 1], *written;
	size_t size = strnlen(symbol, SYMBOL_MAX + 1);

	if (strncmp(symbol, "_Z", 2) || size > SYMBOL_MAX)
		return NULL;
	memcpy(bare, symbol, size + 1);
	if (tacho__ends_with(bare, ".kd"))
		bare[size - 3] = '\0';
	if (!tacho__demangled_fits(bare, GUESSED_MAX))
		return NULL;
	written = write_out(demangler, bare);
	if (written && (strlen(written) > WRITTEN_MAX || strpbrk(written, "\r\n"))) {
		free(written);
		return NULL;
	}
	return written;
}
