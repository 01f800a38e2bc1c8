/* SPDX-License-Identifier: MIT */
/*
 * A tool may ask for the agents before the program has called the API that has them: PAPI does. The
 * API's loader is then called once, in a program that was started for tools.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#include "face/rocprofiler/rocprofiler.h"
#include "intercept/launch_devices.h"
#include "tacho/sys/face.h"

typedef int32_t list_platforms(uint32_t room, void *platforms, uint32_t *out_count);

void tacho__rocp_wake_apis(void)
{
	list_platforms *list;
	uint32_t count = 0;
	void *loader;

	if (!getenv(TACHO_FACE_VARIABLE) || tacho__launch_devices_list(NULL, 0))
		return;
	loader = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
	list = loader ? (list_platforms *)dlsym(loader, "clGetPlatformIDs") : NULL;
	if (list)
		list(0, NULL, &count);
	tacho__rocp_log_info(list ? "OpenCL has %u platforms" : "OpenCL has no loader here", count);
}
