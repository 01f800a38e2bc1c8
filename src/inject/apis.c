/* SPDX-License-Identifier: MIT */
/* The APIs that can be recorded, and the libraries that tell which API a program uses. */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "inject/cuda/cuda_prepare.h"
#include "inject/inject.h"
#include "inject/marks/marks_prepare.h"
#include "inject/rocm/rocm_prepare.h"
#if TACHO_WITH_OPENCL
#include "inject/opencl/prepare.h"
#include "inject/vulkan/vk_prepare.h"
#endif

static const struct tacho__injection *const injections[] = {
#if TACHO_WITH_OPENCL
	&tacho__injection_opencl, &tacho__injection_vulkan,
#endif
	&tacho__injection_rocm,	  &tacho__injection_nvtx,   &tacho__injection_itt,
	&tacho__injection_roctx,  &tacho__injection_cuda,   NULL,
};

static const struct tacho__gpu_library libraries[] = {
	{"libOpenCL.so", "OpenCL"},
	{"libcuda.so", "CUDA"},
	{"libcudart.so", "CUDA"},
	{"libamdhip64.so", "ROCm"},
	{"libhsa-runtime64.so", "ROCm"},
	{"libze_loader.so", "Level Zero"},
	{"libvulkan.so", "Vulkan"},
	{"libGL.so", "OpenGL"},
	{"libOpenGL.so", "OpenGL"},
	{"libGLESv2.so", "OpenGL ES"},
	{"libnvidia-opencl.so", "OpenCL, without a loader"},
	{"libpocl.so", "OpenCL, without a loader"},
	{"libamdocl64.so", "OpenCL, without a loader"},
	{"libigdrcl.so", "OpenCL, without a loader"},
};
static_assert(TACHO__ARRAY_SIZE(libraries) <= TACHO__LIBRARIES_MAX, "room for every row");

const struct tacho__injection *tacho__injection_get(size_t index)
{
	return index < TACHO__ARRAY_SIZE(injections) ? injections[index] : NULL;
}

const struct tacho__gpu_library *tacho__gpu_library_get(size_t index)
{
	return index < TACHO__ARRAY_SIZE(libraries) ? &libraries[index] : NULL;
}

int tacho__gpu_library_find(const char *name)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(libraries); i++)
		if (!strncmp(name, libraries[i].prefix, strlen(libraries[i].prefix)))
			return (int)i;
	return -1;
}
