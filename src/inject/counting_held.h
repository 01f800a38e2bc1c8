/* SPDX-License-Identifier: MIT */
/*
 * Counting launches that run once: they are held until they have their device (launches.h), and the
 * program does not wait. Each gets a row when it is seen to end; until then one without values that
 * says so, for a process may leave first.
 */
#ifndef TACHO_INJECT_COUNTING_HELD_H
#define TACHO_INJECT_COUNTING_HELD_H

#include <stdbool.h>

/*
 * From now on, and once: launches are counted when their API's layer holds them. False when that
 * cannot be.
 */
bool tacho__count_held_start(void);

#endif
