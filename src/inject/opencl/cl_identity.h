/* SPDX-License-Identifier: MIT */
/* Which of the machine's devices a device is: what tacho list says of it, too. */
#ifndef TACHO_INJECT_OPENCL_CL_IDENTITY_H
#define TACHO_INJECT_OPENCL_CL_IDENTITY_H

#include <stdbool.h>

#include "backend/opencl/opencl_place.h"
#include "tacho/sys/counting.h"

struct tacho__opencl_identity {
	struct tacho_counting_device device; /* its texts are the following */
	struct tacho__opencl_place place;
	char name[256], platform[256];
};

/* Of a device that is no part of another. */
void tacho__opencl_identify(void *root, struct tacho__opencl_identity *out_identity);
/* Whether launches on it are to be counted, if any are. As above. */
bool tacho__opencl_is_selected(void *root);

#endif
