/* SPDX-License-Identifier: MIT */
/*
 * Commands that count nothing, asked about a device of this machine: the catalog has what there is
 * on its architecture; what its driver alone knows is asked of the driver.
 */
#ifndef TACHO_CLI_DEVICE_ARCH_H
#define TACHO_CLI_DEVICE_ARCH_H

#include <tacho/session.h>

#include "catalog.h"

/* The row for an option table; `settings` has a const char *device. */
#define CLI_OPTION_OF_DEVICE(settings)                                                          \
	CLI_OPTION(settings, 'd', "device", "DEV", CLI_TEXT, CLI_WORDS_DEVICES, device,         \
		   "for this device of the machine: its number or name in tacho list "          \
		   "devices, or a part of it; by its architecture, or by what its driver says " \
		   "where that alone has its counters")

/* A device whose driver alone knows what it counts. */
struct cli_described {
	struct tacho_context *context;
	struct tacho_device *device; /* NULL: the catalog knows */
	char *name;		     /* "vulkan:llvmpipe" */
};

/*
 * Finds a device of this machine; NULL: nothing is done. Where the catalog has its architecture
 * that becomes the choice's, with its API, and the device is not opened: what it cannot count now
 * can be planned all the same. Else it is opened. Otherwise it says why not and returns the exit
 * status. cli_described_finish() in any case.
 */
int cli_device_describe(const char *device, struct cli_catalog_choice *choice,
			struct cli_described *out_described);
void cli_described_finish(struct cli_described *described);

/*
 * What an open device lacks altogether and why, as its driver told; "": it has something of each
 * kind that devices like it have. Borrowed from the device.
 */
const char *cli_device_get_lack(const struct tacho_device *device);

#endif
