/* SPDX-License-Identifier: MIT */
/* The devices in counting.json whose launches are counted. */
#ifndef TACHO_RECORD_COUNTING_DEVICES_H
#define TACHO_RECORD_COUNTING_DEVICES_H

#include "base/arena.h"
#include "base/json.h"
#include "tacho/sys/counting.h"
#include "tacho/sys/json.h"

/* The member "devices" of `json`, if it has one, in the arena. PARSE, NOMEM. */
int tacho__counting_read_devices(struct tacho__arena *arena, const struct tacho__json *json,
				 struct tacho_counting_select *select);
void tacho__counting_write_devices(const struct tacho_counting_select *select,
				   struct tacho_json *json);

#endif
