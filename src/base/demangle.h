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

/* GNU's library and LLVM's, each found when it is needed: a program may bring only one. */
struct tacho__demangler_library {
	struct tacho__dl dl;
	struct {
		char *(*demangle)(const char *symbol, char *room, size_t *size, int *status);
	} calls;
	bool has_looked;
};

enum { TACHO__DEMANGLERS = 2 };

/* {0} at first. */
struct tacho__demangler {
	struct tacho__demangler_library libraries[TACHO__DEMANGLERS];
	bool failed; /* memory ran out: a name that stayed as it is may have had another */
};

void tacho__demangler_finish(struct tacho__demangler *demangler);
/*
 * Of "_Z4vaddPfi" vadd(float*, int); of "_Z4vaddPfi.kd", as AMD's compiler calls what describes a
 * kernel, the same. Owned: free(). NULL: the name is not of that sort, or too long when it is
 * written out, or there is no library that knows (of names beyond 1024 bytes LLVM's only): it
 * stays as it is; or NOMEM, and demangler->failed is set.
 */
char *tacho__demangle(struct tacho__demangler *demangler, const char *symbol);

/*
 * demangle_size.c: whether no more than `most` bytes are written for a symbol. What is taken for it
 * is up to a hundred times the true size for those that compilers make. False: it may be more, or
 * it cannot be told.
 */
bool tacho__demangled_fits(const char *symbol, uint64_t most);

#endif
