/* SPDX-License-Identifier: MIT */
/* What -d names: the device that counts, and devices whose launches are counted. */
#ifndef TACHO_CLI_DEVICES_H
#define TACHO_CLI_DEVICES_H

#include <stdbool.h>
#include <stddef.h>

#include <tacho/sys/counting.h>

#include "list/list.h"

struct cli_devices {
	/* That counts; NULL: none is listed. It stands for several when the next is not 0. */
	const struct cli_list_device *counting;
	size_t further_count;
	/* Launches on these are counted, on others they are not. None: on whatever device. */
	const struct cli_list_device *first; /* that is named; NULL */
	const char *alone;   /* a device that counts, of a backend that was not asked; NULL: none */
	bool has_found_only; /* one that counts nothing is named */
	struct tacho_counting_device *launched;
	size_t launched_count;
};

/*
 * Takes a list with commas of what names a device in `tacho list devices`: its number, its name or
 * a part of it, BACKEND:NAME, its id, its place on the PCI bus; or "all". NULL: nothing is named.
 * The devices live as long as the command. perf:NAME, and BACKEND:NAME of a backend that is not in
 * the list, are taken as they are, and no driver is asked for the former. Otherwise it says what
 * there is and returns the class of the failure.
 */
int cli_devices_choose(const char *list, struct cli_devices *out_devices);
void cli_devices_finish(struct cli_devices *devices);

#endif
