/* SPDX-License-Identifier: MIT */
/* Finding the tools of a process. */
#ifndef TACHO_FACE_ROCPROFILER_ROCP_TOOLS_H
#define TACHO_FACE_ROCPROFILER_ROCP_TOOLS_H

#include <stddef.h>

#include "rocprofiler-sdk/registration.h"

struct tacho__rocp_tool {
	rocprofiler_configure_func_t configure;
	char *where; /* the library's path, or how it was found */
};

struct tacho__rocp_tools {
	struct tacho__rocp_tool *tools;
	size_t count, capacity;
};

/*
 * Every rocprofiler_configure() there is, each once: `forced` when it is not NULL, those of the
 * libraries that ROCP_TOOL_LIBRARIES names, which are loaded; then the process's own. Where it has
 * one, all of its libraries are asked for theirs. What cannot be loaded is logged.
 */
void tacho__rocp_tools_find(rocprofiler_configure_func_t forced,
			    struct tacho__rocp_tools *out_tools);

#endif
