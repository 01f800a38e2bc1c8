/* SPDX-License-Identifier: MIT */
#include "inject/opencl/cl_start.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "inject/attribute_env.h"
#include "inject/counting.h"
#include "intercept/intercept.h"
#include "opencl_api.h"
#include "record/writer.h"

static struct {
	_Atomic(void *) loader_base; /* where the loader's library is mapped */
	atomic_bool keeps_programs;
} start;

static void *library_of(const void *function, const char **out_path)
{
	Dl_info info;

	if (!function || !dladdr(function, &info))
		return NULL;
	if (out_path)
		*out_path = info.dli_fname;
	return info.dli_fbase;
}

bool tacho__opencl_start(const void *loader_function)
{
	struct tacho__attributes attributes = {.size = 0};
	const char *keep, *path = NULL;
	int error = errno;
	bool records;

	tacho__record_add_table(TACHO__API_ID, tacho__opencl_table, tacho__opencl_table_size);
	records = tacho__record_start();
	if (records) {
		keep = getenv("TACHO_KEEP_PROGRAMS");
		atomic_store(&start.keeps_programs, keep && !strcmp(keep, "1"));
		atomic_store(&start.loader_base, library_of(loader_function, &path));
		if (path) {
			tacho__attributes_add(&attributes, "loader", "%s", path);
			tacho__intercept_process(attributes.text);
		}
		tacho__counting_start(tacho__record_get_control());
	}
	errno = error;
	return records;
}

bool tacho__opencl_is_loaders(const void *function)
{
	void *base = atomic_load(&start.loader_base);

	return base && library_of(function, NULL) == base;
}

bool tacho__opencl_keeps_programs(void)
{
	return atomic_load_explicit(&start.keeps_programs, memory_order_relaxed);
}
