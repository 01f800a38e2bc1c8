/* SPDX-License-Identifier: MIT */
/* A device opened for counting, as the caller has it. The session room makes it. */
#ifndef TACHO_BACKEND_UNIT_H
#define TACHO_BACKEND_UNIT_H

#include "backend/backend.h"

struct tacho_context;

/* A backend whose devices take commands of their own finds its part here, after it looked that
 * `backend` is itself. */
struct tacho_unit {
	const struct tacho__backend *backend;
	struct tacho__unit *own;
	struct tacho__unit_about about;
	const struct tacho_device *device;
	struct tacho_context *context;
};

#endif
