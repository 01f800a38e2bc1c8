/* SPDX-License-Identifier: MIT */
/* The device that a command counts on. */
#ifndef TACHO_CLI_DEVICE_H
#define TACHO_CLI_DEVICE_H

#include <stdbool.h>

#include <tacho/session.h>

#include "devices.h"

enum cli_device_use {
	CLI_DEVICE_COUNTS,    /* perf:linux for one on which programs only launch */
	CLI_DEVICE_DESCRIBES, /* that one */
};

/*
 * Opens a context and finds the device in it: of a simulated model; by a list as devices.h has it;
 * or perf:linux when both are NULL. Of a selector BACKEND:NAME nothing but the backend is asked,
 * for others all of them, in another process: other drivers are left alone. *out_context is set on
 * failure too, and owned. Otherwise it says why not and returns the class of the failure.
 */
int cli_device_open(const char *selector, const char *model, enum cli_device_use use,
		    struct tacho_context **out_context, const struct tacho_device_info **out_info);

/* The same of what was chosen already. */
int cli_device_open_chosen(const struct cli_devices *devices, enum cli_device_use use,
			   struct tacho_context **out_context,
			   const struct tacho_device_info **out_info);

/* The backends to ask for it, as struct tacho_context_options has them. Owned. */
char *cli_device_format_backends(const char *selector, const char *model);

/*
 * The same for windows of time: where another backend has these for the device, its one, and
 * *out_is_other is true.
 */
int cli_device_open_windows(const char *selector, struct tacho_context **out_context,
			    const struct tacho_device_info **out_info, bool *out_is_other);

#endif
