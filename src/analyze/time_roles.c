/* SPDX-License-Identifier: MIT */
#include "analyze/time_roles.h"

#include <stdbool.h>
#include <string.h>

#define BUILD(name)                              \
	{                                        \
		name, TACHO_SPENT_BUILD, 0, NULL \
	}
#define WAIT(name)                              \
	{                                       \
		name, TACHO_SPENT_WAIT, 0, NULL \
	}

/* Drivers compile, at the latest, when they are asked for what they compiled. */
static const struct tacho__time_role opencl[] = {
	BUILD("clBuildProgram"),
	BUILD("clCompileProgram"),
	BUILD("clLinkProgram"),
	{"clGetProgramInfo", TACHO_SPENT_BUILD, 2, "CL_PROGRAM_BINAR"},
	WAIT("clFinish"),
	WAIT("clWaitForEvents"),
	{"clGetEventInfo", TACHO_SPENT_WAIT, 2, "CL_EVENT_COMMAND_EXECUTION_STATUS"},
	{0},
};

static const struct tacho__time_role cuda[] = {
	BUILD("cuModuleLoad"),		BUILD("cuModuleLoadData"),   BUILD("cuModuleLoadDataEx"),
	BUILD("cuModuleLoadFatBinary"), BUILD("cuLibraryLoadData"),  BUILD("cuLibraryLoadFromFile"),
	BUILD("cuLinkAddData"),		BUILD("cuLinkAddFile"),	     BUILD("cuLinkComplete"),
	WAIT("cuCtxSynchronize"),	WAIT("cuStreamSynchronize"), WAIT("cuEventSynchronize"),
	WAIT("cuStreamQuery"),		WAIT("cuEventQuery"),	     {0},
};

static const struct tacho__time_role cudart[] = {
	BUILD("cudaLibraryLoadData"),
	BUILD("cudaLibraryLoadFromFile"),
	WAIT("cudaDeviceSynchronize"),
	WAIT("cudaThreadSynchronize"),
	WAIT("cudaStreamSynchronize"),
	WAIT("cudaEventSynchronize"),
	WAIT("cudaStreamQuery"),
	WAIT("cudaEventQuery"),
	{0},
};

static const struct tacho__time_role rocm[] = {
	BUILD("hipModuleLoad"),
	BUILD("hipModuleLoadData"),
	BUILD("hipModuleLoadDataEx"),
	BUILD("hipModuleLoadFatBinary"),
	BUILD("hipLibraryLoadData"),
	BUILD("hipLibraryLoadFromFile"),
	BUILD("hsa_executable_load_agent_code_object"),
	BUILD("hsa_executable_freeze"),
	WAIT("hipDeviceSynchronize"),
	WAIT("hipStreamSynchronize"),
	WAIT("hipEventSynchronize"),
	WAIT("hipStreamQuery"),
	WAIT("hipEventQuery"),
	WAIT("hsa_signal_wait_relaxed"),
	WAIT("hsa_signal_wait_scacquire"),
	WAIT("hsa_signal_wait_acquire"),
	WAIT("hsa_amd_signal_wait_any"),
	WAIT("hsa_amd_signal_wait_all"),
	{0},
};

/* What is acquired is free when it was shown; what is presented may have to be drawn first. */
static const struct tacho__time_role vulkan[] = {
	BUILD("vkCreateGraphicsPipelines"),
	BUILD("vkCreateComputePipelines"),
	BUILD("vkCreateRayTracingPipelinesKHR"),
	BUILD("vkCreateRayTracingPipelinesNV"),
	WAIT("vkWaitForFences"),
	WAIT("vkWaitSemaphores"),
	WAIT("vkWaitSemaphoresKHR"),
	WAIT("vkWaitForPresentKHR"),
	WAIT("vkQueueWaitIdle"),
	WAIT("vkDeviceWaitIdle"),
	WAIT("vkAcquireNextImageKHR"),
	WAIT("vkAcquireNextImage2KHR"),
	WAIT("vkQueuePresentKHR"),
	WAIT("vkGetFenceStatus"),
	WAIT("vkGetSemaphoreCounterValue"),
	WAIT("vkGetSemaphoreCounterValueKHR"),
	{0},
};

static const struct {
	const char *api;
	const struct tacho__time_role *roles;
} tables[] = {
	{"opencl", opencl}, {"cuda", cuda}, {"cudart", cudart}, {"rocm", rocm}, {"vulkan", vulkan}};

/* Some drivers tell of what version a function is: "cuCtxSynchronize_v2", "..._v3020_ptsz". */
static bool is_named(const char *function, const char *name)
{
	size_t size = strlen(name);

	return !strncmp(function, name, size) &&
	       (!function[size] || !strncmp(function + size, "_v", 2) ||
		!strncmp(function + size, "_pt", 3));
}

const struct tacho__time_role *tacho__time_role_find(const struct tacho_function *function)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (strcmp(tables[i].api, function->api) != 0)
			continue;
		for (const struct tacho__time_role *role = tables[i].roles; role->function; role++)
			if (is_named(function->name, role->function))
				return role;
	}
	return NULL;
}
