/* SPDX-License-Identifier: MIT */
/*
 * Pipelines are what the recording calls kernels. Entry points are nearly all "main", so a name has
 * a number of the shaders' code beside it, the same in each run of a program; a name that the
 * program gives by VK_EXT_debug_utils takes its place.
 */
#include <inttypes.h>
#include <stdio.h>

#include "inject/attribute_env.h"
#include "inject/handles.h"
#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_pipelines.h"
#include "intercept/intercept.h"
#include "tacho/recording.h"

enum { STAGES_MAX = 16, NAME_BYTES = 128, ENTRY_BYTES = 96 };

static struct tacho__handles modules; /* VkShaderModule to a number of its code, never 0 */

struct vk_module_info {
	int32_t type;
	const void *next;
	uint32_t flags;
	size_t bytes;
	const uint32_t *code;
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * 1099511628211u; /* FNV-1a, by words */
}

static uint64_t hash_code(const struct vk_module_info *info)
{
	uint64_t hash = 14695981039346656037u;

	for (size_t i = 0; i < info->bytes / sizeof(*info->code); i++)
		hash = mix(hash, info->code[i]);
	return hash ? hash : 1;
}

int32_t tacho__vulkan_create_module(void *device, void const *pCreateInfo, void const *pAllocator,
				    uint64_t *pShaderModule)
{
	int32_t rc = tacho__vulkan_next(device)->vkCreateShaderModule(device, pCreateInfo,
								      pAllocator, pShaderModule);

	if (!rc)
		tacho__handles_set(&modules, (const void *)(uintptr_t)*pShaderModule,
				   hash_code(pCreateInfo));
	return rc;
}

/* ---- what the recording is told ---- */

static void tell(const void *device, uint64_t pipeline, const char *name)
{
	struct tacho__attributes attributes = {.size = 0};
	struct tacho__made made = {.api = TACHO__API_ID,
				   .kind = TACHO_OBJECT_KERNEL,
				   .handle = pipeline,
				   .attributes = attributes.text};

	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "name", "%s", name);
	tacho__attributes_add(&attributes, "context", "0x%" PRIXPTR, (uintptr_t)device);
	tacho__intercept_made(&made);
}

static uint64_t number_of(const struct vk_stage_info *stage)
{
	return stage->module ? tacho__handles_get(&modules, (const void *)(uintptr_t)stage->module)
			     : 0;
}

/* 32 bits tell the shaders of a program apart, and can be read. */
static void tell_entry(const void *device, uint64_t pipeline, const char *entry, const char *kind,
		       uint64_t hash)
{
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "%.*s (%s %08" PRIx32 ")", ENTRY_BYTES, entry, kind,
		 (uint32_t)(hash ^ hash >> 32));
	tell(device, pipeline, name);
}

int32_t tacho__vulkan_create_compute_pipelines(void *device, uint64_t pipelineCache,
					       uint32_t createInfoCount, void const *pCreateInfos,
					       void const *pAllocator, uint64_t *pPipelines)
{
	const struct vk_compute_info *infos = pCreateInfos;
	int32_t rc = tacho__vulkan_next(device)->vkCreateComputePipelines(
		device, pipelineCache, createInfoCount, pCreateInfos, pAllocator, pPipelines);

	for (uint32_t i = 0; rc >= 0 && i < createInfoCount; i++)
		if (pPipelines[i])
			tell_entry(device, pPipelines[i], infos[i].stage.name, "compute",
				   number_of(&infos[i].stage));
	return rc;
}

static void tell_graphics(const void *device, uint64_t pipeline,
			  const struct vk_graphics_info *info)
{
	uint64_t hash = 14695981039346656037u;

	if (!info->stage_count || !info->stages)
		return;
	for (uint32_t i = 0; i < info->stage_count && i < STAGES_MAX; i++)
		hash = mix(hash, number_of(&info->stages[i]));
	tell_entry(device, pipeline, info->stages[0].name, "graphics", hash);
}

int32_t tacho__vulkan_create_graphics_pipelines(void *device, uint64_t pipelineCache,
						uint32_t createInfoCount, void const *pCreateInfos,
						void const *pAllocator, uint64_t *pPipelines)
{
	int32_t rc = tacho__vulkan_next(device)->vkCreateGraphicsPipelines(
		device, pipelineCache, createInfoCount, pCreateInfos, pAllocator, pPipelines);

	for (uint32_t i = 0; rc >= 0 && i < createInfoCount; i++)
		if (pPipelines[i])
			tell_graphics(device, pPipelines[i],
				      (const void *)((const char *)pCreateInfos +
						     (size_t)i * VK_GRAPHICS_INFO_BYTES));
	return rc;
}

void tacho__vulkan_name_pipeline(const void *device, uint64_t pipeline, const char *name)
{
	if (*name)
		tell(device, pipeline, name);
}
