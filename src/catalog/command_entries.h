/* SPDX-License-Identifier: MIT */
/* The counters that every command has by itself; readers of recordings work them out. */
#ifndef TACHO_CATALOG_COMMAND_ENTRIES_H
#define TACHO_CATALOG_COMMAND_ENTRIES_H

#include "tacho/catalog.h"

/* Their positions, for tacho_command_get_entry(). */
enum tacho__command_entry {
	TACHO__COMMAND_DEVICE_TIME,
	TACHO__COMMAND_QUEUED_DELAY,
	TACHO__COMMAND_SUBMIT_DELAY,
	TACHO__COMMAND_START_DELAY,
	TACHO__COMMAND_TRANSFER_BYTES,
	TACHO__COMMAND_TRANSFER_RATE,
	TACHO__COMMAND_WORK_ITEMS,
	TACHO__COMMAND_WORK_GROUPS,
	TACHO__COMMAND_WAVEFRONTS,
	TACHO__COMMAND_LOCAL_MEMORY,
	TACHO__COMMAND_PRIVATE_MEMORY,
	TACHO__COMMAND_ENTRY_COUNT,
};

/* The position of the one with this name, case ignored; -1: it is none. */
int tacho__command_entry_find(const char *name);

#endif
