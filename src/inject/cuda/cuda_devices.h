/* SPDX-License-Identifier: MIT */
/* The devices of a CUDA program, and telling of objects. */
#ifndef TACHO_INJECT_CUDA_CUDA_DEVICES_H
#define TACHO_INJECT_CUDA_CUDA_DEVICES_H

#include <stdint.h>

#include "tacho/sys/counting.h"

struct tacho__attributes;

/* No handle of the recording is 0. */
#define TACHO__CUDA_DEVICE_HANDLE(id) ((uint64_t)(id) + 1)

/* Tells of the device with this number, once. Inside of tacho's own calls. */
void tacho__cuda_meet_device(uint32_t id);

/* What tells it from other devices. */
struct tacho__cuda_identity {
	struct tacho_counting_device device; /* its texts are the following */
	char name[256], uuid[48], pci[24];
};
void tacho__cuda_identify(int device, struct tacho__cuda_identity *out_identity);

/* `kind`: enum tacho_object_kind. */
void tacho__cuda_report(uint32_t kind, uint64_t handle, const struct tacho__attributes *attributes);

#endif
