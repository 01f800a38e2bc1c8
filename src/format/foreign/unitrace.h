/* SPDX-License-Identifier: MIT */
/* Files of Intel's tracers (unitrace, onetrace, cl_tracer, the OpenCL intercept layer), what their
 * readers share: unitrace.c unitrace_chrome.c clintercept.c unitrace_work.c. */
#ifndef TACHO_FORMAT_FOREIGN_UNITRACE_H
#define TACHO_FORMAT_FOREIGN_UNITRACE_H

#include "format/foreign/foreign.h"

/*
 * What a piece of work is, by the name that these tools give it: kind, name and kernel of the
 * command, and what stands behind the name in brackets: the size of a launch, the bytes of a copy.
 * Its process is set already. NOMEM.
 */
int tacho__unitrace_take_name(struct tacho__foreign *foreign, const char *name,
			      struct tacho__foreign_command *command);
/*
 * The device and the queue of work, by the texts that the file has for them; device_name "" is
 * "GPU" and what the file calls it. NOMEM.
 */
int tacho__unitrace_take_place(struct tacho__foreign *foreign, const char *device,
			       const char *device_name, const char *queue,
			       struct tacho__foreign_command *command);

#endif
