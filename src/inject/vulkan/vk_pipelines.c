/* SPDX-License-Identifier: MIT */
/*
 * Pipelines are what the recording calls kernels. Entry points are nearly all "main", so a name has
 * a number of the shaders' code beside it, the same in each run of a program; a name that the
 * program gives by VK_EXT_debug_utils takes its place.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "inject/attribute_env.h"
#include "inject/counting_select.h"
#include "inject/handles.h"
#include "inject/vulkan/vk_counting.h"
#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_pipelines.h"
#include "inject/vulkan/vk_shaders.h"
#include "intercept/intercept.h"
#include "tacho/recording.h"

enum { NAME_BYTES = 128 };

/* Where launches are counted: names' hashes to struct tacho__counted_kernel, which stay; and
 * VkPipeline to the one that it is now. */
static struct tacho__handles kernels, pipelines;

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * 1099511628211u; /* FNV-1a, by words */
}

/* ---- kernels that are counted ---- */

static uint64_t hash_name(const char *name)
{
	uint64_t hash = 14695981039346656037u;

	while (*name)
		hash = mix(hash, (unsigned char)*name++);
	return hash ? hash : 1;
}

/* Two threads may meet a name at once: then it has two kernels, whose launches are numbered by the
 * name all the same. */
static struct tacho__counted_kernel *get_kernel(const char *name)
{
	const void *key = (const void *)(uintptr_t)hash_name(name);
	struct tacho__counted_kernel *kernel =
		(struct tacho__counted_kernel *)(uintptr_t)tacho__handles_get(&kernels, key);

	if (kernel)
		return kernel;
	kernel = calloc(1, sizeof(*kernel));
	if (!kernel)
		return NULL;
	snprintf(kernel->name, sizeof(kernel->name), "%s", name);
	tacho__handles_set(&kernels, key, (uintptr_t)kernel);
	return kernel;
}

struct tacho__counted_kernel *tacho__vulkan_find_kernel(uint64_t pipeline)
{
	return pipeline ? (struct tacho__counted_kernel *)(uintptr_t)tacho__handles_get(
				  &pipelines, (const void *)(uintptr_t)pipeline)
			: NULL;
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
	if (tacho__vulkan_counting_is_on())
		tacho__handles_set(&pipelines, (const void *)(uintptr_t)pipeline,
				   (uintptr_t)get_kernel(name));
}

/* 32 bits tell the shaders of a program apart, and can be read. */
static void tell_entry(const void *device, uint64_t pipeline, const char *entry, const char *kind,
		       uint64_t hash)
{
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "%.*s (%s %08" PRIx32 ")", VK_ENTRY_BYTES, entry, kind,
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
				   tacho__vulkan_number_shader(&infos[i].stage));
	return rc;
}

static void tell_graphics(const void *device, uint64_t pipeline,
			  const struct vk_graphics_info *info)
{
	uint64_t hash = 14695981039346656037u;
	struct vk_shaders shaders;

	tacho__vulkan_take_shaders(pipeline, info, &shaders);
	for (uint32_t i = 0; i < shaders.count; i++)
		hash = mix(hash, shaders.numbers[i]);
	if (shaders.count)
		tell_entry(device, pipeline, shaders.entry, "graphics", hash);
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
