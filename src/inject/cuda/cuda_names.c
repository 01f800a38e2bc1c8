/* SPDX-License-Identifier: MIT */
#include "inject/cuda/cuda_names.h"

#include <dlfcn.h>
#include <string.h>

#include "inject/handles.h"

enum { SYMBOL_MAX = 4096 };

static struct tacho__handles handles; /* by a number of 64 bits for each name */

char *tacho__cuda_demangle(const char *symbol)
{
	char *(*function)(const char *mangled, char *room, size_t *size, int *status);
	void *found = strncmp(symbol, "_Z", 2) ? NULL : dlsym(RTLD_DEFAULT, "__cxa_demangle");

	memcpy(&function, &found, sizeof(function));
	return found ? function(symbol, NULL, NULL, NULL) : NULL;
}

/* FNV-1a: two names that have one number in a process are not to be expected. */
static const void *number_of(const char *symbol)
{
	uint64_t number = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; symbol[i] && i < SYMBOL_MAX; i++)
		number = (number ^ (unsigned char)symbol[i]) * UINT64_C(0x100000001b3);
	return (const void *)(uintptr_t)(number ? number : 1);
}

void tacho__cuda_name_set(const char *symbol, uint64_t handle)
{
	tacho__handles_set(&handles, number_of(symbol), handle);
}

uint64_t tacho__cuda_name_get(const char *symbol)
{
	return tacho__handles_get(&handles, number_of(symbol));
}
