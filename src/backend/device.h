/* SPDX-License-Identifier: MIT */
/* A device opened for counting, as the caller has it. The session room makes it. */
#ifndef TACHO_BACKEND_DEVICE_H
#define TACHO_BACKEND_DEVICE_H

#include "backend/backend.h"

struct tacho_context;

/* A backend whose devices take commands of their own finds its part here, after it looked that
 * `backend` is itself. */
struct tacho_device {
	const struct tacho__backend *backend;
	struct tacho__device *own;
	struct tacho__device_traits traits;
	const struct tacho_device_info *info;
	struct tacho_context *context;
};

#endif
