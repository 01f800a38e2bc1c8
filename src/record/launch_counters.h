/* SPDX-License-Identifier: MIT */
/* Counters that follow from what was recorded of a command. The same for every API. */
#ifndef TACHO_RECORD_LAUNCH_COUNTERS_H
#define TACHO_RECORD_LAUNCH_COUNTERS_H

#include <stdbool.h>

#include "model/row.h"
#include "tacho/recording.h"

/* The value of a counter of commands, by its position (catalog/command_entries.h; -1: none known),
 * for the command, into a row. */
void tacho__launch_counter_get(int counter, const struct tacho_command *command, bool is_strict,
			       struct tacho__row *row, size_t at);

#endif
