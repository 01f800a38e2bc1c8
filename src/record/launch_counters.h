/* SPDX-License-Identifier: MIT */
/* Counters that follow from what was recorded of a command. The same for every API. */
#ifndef TACHO_RECORD_LAUNCH_COUNTERS_H
#define TACHO_RECORD_LAUNCH_COUNTERS_H

#include <stdbool.h>

#include "tacho/recording.h"

/* Its number, for tacho__launch_counter_get(); -1 for a name that is none. */
int tacho__launch_counter_find(const char *name);

bool tacho__launch_counter_is_of_transfers(const char *name);

/* Its value for the command, as its definition in data/khronos says. */
void tacho__launch_counter_get(int counter, const struct tacho_command *command, bool is_strict,
			       struct tacho_value *out_value);

#endif
