/* SPDX-License-Identifier: MIT */
/* What a recording knows of the machine it was made on, as JSON. */
#ifndef TACHO_FORMAT_MACHINE_JSON_H
#define TACHO_FORMAT_MACHINE_JSON_H

#include "tacho/recording.h"
#include "tacho/sys/json.h"

/* An array "machine": how fast it was set to be, and what it made of that. */
void tacho__json_add_machine(struct tacho_json *json, const struct tacho_recording *recording);
/* The members of the object that is open. */
void tacho__json_add_thread_time(struct tacho_json *json, const struct tacho_thread_time *time);

#endif
