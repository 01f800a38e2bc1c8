/* SPDX-License-Identifier: MIT */
#include "inject/opencl/cl_start.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "inject/attribute_env.h"
#include "inject/counting.h"
#include "inject/face_start.h"
#include "inject/opencl/cl_devices.h"
#include "intercept/intercept.h"
#include "intercept/launch_devices.h"
#include "intercept/launches.h"
#include "opencl_api.h"
#include "record/writer.h"

enum { PATIENCE_MAX_MS = 86400000 }; /* a day */

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

static void start_recording(const char *loader_path)
{
	struct tacho__attributes attributes = {.size = 0};
	const char *keep = getenv("TACHO_KEEP_PROGRAMS");

	atomic_store(&start.keeps_programs, keep && !strcmp(keep, "1"));
	if (loader_path) {
		tacho__attributes_add(&attributes, "loader", "%s", loader_path);
		tacho__intercept_process(attributes.text);
	}
	tacho__counting_start(tacho__record_get_control());
}

/* Without it launches have the patience of who counts, or of the core. */
static void read_patience(void)
{
	const char *text = getenv("TACHO_LAUNCH_PATIENCE_MS");
	unsigned long long ms;
	char *end;

	if (!text || *text < '0' || *text > '9')
		return;
	ms = strtoull(text, &end, 10);
	if (!*end && ms <= PATIENCE_MAX_MS)
		tacho__launches_set_patience(ms * UINT64_C(1000000));
}

bool tacho__opencl_start(const void *loader_function)
{
	const char *path = NULL;
	int error = errno;
	bool records, has_face;

	tacho__record_add_table(TACHO__API_ID, tacho__opencl_table, tacho__opencl_table_size);
	records = tacho__record_start();
	has_face = tacho__face_await_call();
	if (records || has_face) {
		atomic_store(&start.loader_base, library_of(loader_function, &path));
		tacho__launch_devices_add(tacho__opencl_list_devices);
	}
	if (records)
		start_recording(path);
	if (records || has_face)
		read_patience();
	errno = error;
	return records || has_face;
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
