/* SPDX-License-Identifier: MIT */
/* Commands that need no device, asked about one: what stands in the catalog of it. */
#ifndef TACHO_CLI_DEVICE_ARCH_H
#define TACHO_CLI_DEVICE_ARCH_H

#include "catalog.h"

/* The row for an option table; `settings` has a const char *device. */
#define CLI_OPTION_OF_DEVICE(settings)                                                          \
	CLI_OPTION(settings, 'd', "device", "DEV", CLI_TEXT, CLI_WORDS_DEVICES, device,         \
		   "for the architecture of this device of the machine: its number or name in " \
		   "tacho list devices, or a part of it")

/*
 * Makes architecture and API of the choice those of a device of this machine; NULL: it stays as it
 * is. The device is not opened: what it cannot count now can be planned all the same. Otherwise it
 * says why not and returns the exit status.
 */
int cli_device_choose_arch(const char *device, struct cli_catalog_choice *choice);

#endif
