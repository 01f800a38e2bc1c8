/* SPDX-License-Identifier: MIT */
#include "inject/rocm/rocm_functions.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "base/array.h"

struct tacho__rocm_functions tacho__rocm;

#define ROW(name) {"rocprofiler_" #name, offsetof(struct tacho__rocm_functions, name)},

static const struct row {
	const char *name;
	size_t offset;
} needed[] = {TACHO__ROCM_FUNCTIONS(ROW)}, wanted[] = {TACHO__ROCM_COUNTING_FUNCTIONS(ROW)};

static bool find(void *library, const struct row *row)
{
	void *function = dlsym(library, row->name);

	memcpy((char *)&tacho__rocm + row->offset, &function, sizeof(function));
	return function;
}

/* The library that is mapped there, opened once more; NULL: it is a part of the program. */
static void *open_owner(const void *address)
{
	Dl_info info;

	return dladdr(address, &info) && info.dli_fname
		       ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD)
		       : NULL;
}

bool tacho__rocm_is_ours(const void *caller)
{
	void *library = open_owner(caller);
	bool found = library && dlsym(library, "tacho__intercept");

	if (library)
		dlclose(library);
	return found;
}

const char *tacho__rocm_resolve(const void *caller)
{
	void *library = open_owner(caller);

	if (!library)
		library = RTLD_DEFAULT;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(needed); i++)
		if (!find(library, &needed[i]))
			return needed[i].name;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(wanted); i++)
		find(library, &wanted[i]);
	return NULL;
}

const char *tacho__rocm_get_status(rocprofiler_status_t status)
{
	const char *name = tacho__rocm.get_status_name(status);

	return name ? name : "an unknown status";
}
