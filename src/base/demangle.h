/* SPDX-License-Identifier: MIT */
/*
 * Names of functions as their authors wrote them, out of those that compilers made: by the C++
 * library, which is found when the first is asked for; tacho's own library needs none.
 */
#ifndef TACHO_BASE_DEMANGLE_H
#define TACHO_BASE_DEMANGLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dl.h"

/* {0} at first. */
struct tacho__demangler {
	struct tacho__dl dl;
	struct {
		char *(*demangle)(const char *symbol, char *room, size_t *size, int *status);
	} calls;
	bool has_looked; /* for the library */
};

void tacho__demangler_finish(struct tacho__demangler *demangler);
/*
 * Of "_Z4vaddPfi" vadd(float*, int); of "_Z4vaddPfi.kd", as AMD's compiler calls what describes a
 * kernel, the same. Owned: free(). NULL: the name is not of that sort, or too long when it is
 * written out, or there is no library that knows, or no memory; then it stays as it is.
 */
char *tacho__demangle(struct tacho__demangler *demangler, const char *symbol);

/*
 * demangle_size.c: whether no more than `most` bytes are written for a symbol. What is taken for it
 * is up to a hundred times the true size for those that compilers make. False: it may be more, or
 * it cannot be told.
 */
bool tacho__demangled_fits(const char *symbol, uint64_t most);

#endif
