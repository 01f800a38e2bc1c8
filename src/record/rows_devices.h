/* SPDX-License-Identifier: MIT */
/* Commands on devices whose launches are not counted, because others were chosen. */
#ifndef TACHO_RECORD_ROWS_DEVICES_H
#define TACHO_RECORD_ROWS_DEVICES_H

#include "base/arena.h"
#include "tacho/recording.h"
#include "tacho/sys/counting.h"

/* What was found out of the devices that were met. {0} is empty. */
struct tacho__met_devices {
	struct tacho__arena arena;
	struct tacho__met_device *all;
};

void tacho__met_devices_finish(struct tacho__met_devices *met);

/* Why a command on it was not counted, borrowed until finish(); "": it was to be. NOMEM. */
int tacho__met_devices_judge(struct tacho__met_devices *met, const struct tacho_counting *counting,
			     const struct tacho_object *device, const char **out_why);

#endif
