/* SPDX-License-Identifier: MIT */
/* The one list of backends. */
#include "backend/backend.h"
#include "base/array.h"
#if TACHO_WITH_OPENCL
#include "backend/opencl/opencl.h"
#endif
#include "backend/replay/replay.h"

static const struct tacho__backend *const backends[] = {
#if TACHO_WITH_OPENCL
	&tacho__backend_opencl,
#endif
	&tacho__backend_replay,
	NULL,
};

const struct tacho__backend *tacho__backend_get(size_t index)
{
	return index < TACHO__ARRAY_SIZE(backends) ? backends[index] : NULL;
}
