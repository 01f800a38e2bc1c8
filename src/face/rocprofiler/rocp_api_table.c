/* SPDX-License-Identifier: MIT */
/*
 * What AMD's runtimes call when they load: the tools start; without any, AMD's own library, where
 * there is one, is told. Without this function the runtimes end the process.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "face/rocprofiler/rocprofiler.h"

typedef int (*set_api_table)(const char *name, uint64_t lib_version, uint64_t lib_instance,
			     void **tables, uint64_t num_tables);

ROCPROFILER_API int rocprofiler_set_api_table(const char *name, uint64_t lib_version,
					      uint64_t lib_instance, void **tables,
					      uint64_t num_tables);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static set_api_table real; /* NULL: there is none */

/* Its calls are to find its own functions, not ours. Sanitizers do not allow that. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { FLAGS = RTLD_NOW | RTLD_LOCAL };
#else
enum { FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND };
#endif

static void open_real(void)
{
	const char *path = getenv("TACHO_ROCPROFILER_REAL");
	bool is_asked = path && *path;
	void *handle = dlopen(is_asked ? path : "/opt/rocm/lib/librocprofiler-sdk.so.1", FLAGS);
	const char *error = handle ? NULL : dlerror();

	if (handle)
		real = (set_api_table)dlsym(handle, "rocprofiler_set_api_table");
	if (real == rocprofiler_set_api_table)
		real = NULL; /* this library, under that path */
	if (error && is_asked)
		tacho__rocp_log_error("TACHO_ROCPROFILER_REAL: %s", error);
}

/*
 * 0: done. AMD's library would find the tools of this process itself, and configure once more what
 * is configured: it is not told then.
 */
int rocprofiler_set_api_table(const char *name, uint64_t lib_version, uint64_t lib_instance,
			      void **tables, uint64_t num_tables)
{
	tacho__rocp_start();
	pthread_once(&once, open_real);
	if (real && tacho__rocp_has_tools()) {
		tacho__rocp_log_info(
			"AMD's library is not told of %s: tools run on tacho's devices", name);
		return 0;
	}
	return real ? real(name, lib_version, lib_instance, tables, num_tables) : 0;
}
