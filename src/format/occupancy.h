/* SPDX-License-Identifier: MIT */
/* The .occupancy session file. */
#ifndef TACHO_FORMAT_OCCUPANCY_H
#define TACHO_FORMAT_OCCUPANCY_H

#include <stdio.h>

#include "tacho/recording.h"

/* Writes header and column line; it has no rows, because no device's limits are known yet. NOMEM.
 */
int tacho__occupancy_write(const struct tacho_run *run, FILE *stream);

#endif
