/* SPDX-License-Identifier: MIT */
/*
 * The devices that launches name: an API's layer tells which there are, so that who counts knows
 * them before the first launch.
 */
#ifndef TACHO_INTERCEPT_LAUNCH_DEVICES_H
#define TACHO_INTERCEPT_LAUNCH_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tacho/export.h"

enum { TACHO__LAUNCH_DEVICE_TEXT = 256 };

enum tacho__launch_device_kind {
	TACHO__LAUNCH_DEVICE_OTHER = 0,
	TACHO__LAUNCH_DEVICE_CPU,
	TACHO__LAUNCH_DEVICE_GPU,
};

struct tacho__launch_device {
	uint64_t handle; /* as in struct tacho__launch; launches on a part of it name it, too */
	char name[TACHO__LAUNCH_DEVICE_TEXT]; /* texts are "" when the API does not tell */
	char vendor[TACHO__LAUNCH_DEVICE_TEXT];
	char driver[TACHO__LAUNCH_DEVICE_TEXT]; /* its version */
	uint64_t memory_bytes;			/* numbers are 0 when the API does not tell */
	uint64_t local_bytes;			/* that a work-group can have */
	uint64_t workgroup_max;			/* work-items */
	uint32_t compute_units, clock_mhz, vendor_id;
	uint32_t kind; /* enum tacho__launch_device_kind */
	uint16_t api;
};

/*
 * Writes up to `room` of an API's devices, in the order in which the API has them, and returns how
 * many there are. Not called before the API can be.
 */
typedef size_t tacho__launch_devices_fn(struct tacho__launch_device *devices, size_t room);

/* An API can be called from now on. The same again: nothing. False when there are too many. */
TACHO_API bool tacho__launch_devices_add(tacho__launch_devices_fn *list);
/* The same of all APIs that can be called by now. It may load drivers, and so take long. */
TACHO_API size_t tacho__launch_devices_list(struct tacho__launch_device *devices, size_t room);

#endif
