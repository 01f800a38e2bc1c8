/* SPDX-License-Identifier: MIT */
/* The one list of backends. */
#include "backend/backend.h"
#include "base/array.h"
#if TACHO_WITH_OPENCL
#include "backend/opencl/opencl.h"
#include "backend/opencl/queue.h"
#endif
#include "backend/cupti/cupti.h"
#include "backend/gl/gl.h"
#include "backend/perf/perf.h"
#include "backend/replay/replay.h"
#include "backend/rocm/rocm.h"
#include "backend/sim/sim.h"
#include "backend/vulkan/vulkan.h"

/* Its header has parts of its own that are named as those of perf. */
extern const struct tacho__backend tacho__backend_intel;

static const struct tacho__backend *const backends[] = {
#if TACHO_WITH_OPENCL
	&tacho__backend_opencl,
	&tacho__backend_opencl_queue,
#endif
	&tacho__backend_cupti,
	&tacho__backend_cupti_sampling,
	&tacho__backend_gl,
	&tacho__backend_intel,
	&tacho__backend_nvml,
	&tacho__backend_perf,
	&tacho__backend_replay,
	&tacho__backend_rocm,
	&tacho__backend_sim,
	&tacho__backend_vulkan,
	NULL,
};

const struct tacho__backend *tacho__backend_get(size_t index)
{
	return index < TACHO__ARRAY_SIZE(backends) ? backends[index] : NULL;
}
