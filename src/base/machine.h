/* SPDX-License-Identifier: MIT */
/* What of this machine bears on how fast it is: clocks, limits, temperatures, as its kernel tells.
 */
#ifndef TACHO_BASE_MACHINE_H
#define TACHO_BASE_MACHINE_H

#include <stdbool.h>

/* Below which "/sys" is looked for; for tests. */
#define TACHO__MACHINE_ROOT_VARIABLE "TACHO_MACHINE_ROOT"

/*
 * A fact: "cpu governor", "powersave". Those that somebody sets hold until they are set anew, the
 * others change by themselves.
 */
typedef void (*tacho__machine_fn)(void *user, const char *name, const char *value, bool is_setting);

/* Tells the facts that are known; no word of the others. */
void tacho__machine_read(tacho__machine_fn fn, void *user);

#endif
