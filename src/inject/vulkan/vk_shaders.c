/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_shaders.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "inject/handles.h"
#include "inject/vulkan/vk_devices.h"

static struct tacho__handles modules; /* VkShaderModule to a number of its code, never 0 */

/* VkPipeline to struct vk_shaders, of libraries. They stay, for the next one with that handle: a
 * program makes a few of them. */
static struct tacho__handles libraries;

/* ---- shaders ---- */

static uint64_t hash_code(const struct vk_module_info *info)
{
	uint64_t hash = 14695981039346656037u; /* FNV-1a, by words */

	for (size_t i = 0; i < info->bytes / sizeof(*info->code); i++)
		hash = (hash ^ info->code[i]) * 1099511628211u;
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

static const void *find(const void *next, int32_t type)
{
	for (const struct vk_chain *at = next; at; at = at->next)
		if (at->type == type)
			return at;
	return NULL;
}

/* A stage has a module, or its code in its chain. */
uint64_t tacho__vulkan_number_shader(const struct vk_stage_info *stage)
{
	const struct vk_module_info *code;

	if (stage->module)
		return tacho__handles_get(&modules, (const void *)(uintptr_t)stage->module);
	code = find(stage->next, VK_TYPE_SHADER_MODULE_CREATE_INFO);
	return code ? hash_code(code) : 0;
}

/* ---- pipelines ---- */

static void add(struct vk_shaders *shaders, uint64_t number, const char *entry)
{
	if (!shaders->count)
		snprintf(shaders->entry, sizeof(shaders->entry), "%s", entry);
	if (shaders->count < VK_SHADERS_MAX)
		shaders->numbers[shaders->count++] = number;
}

static void add_library(struct vk_shaders *shaders, uint64_t pipeline)
{
	const struct vk_shaders *of = (const struct vk_shaders *)(uintptr_t)tacho__handles_get(
		&libraries, (const void *)(uintptr_t)pipeline);

	for (uint32_t i = 0; of && i < of->count; i++)
		add(shaders, of->numbers[i], of->entry);
}

static bool is_library(const struct vk_graphics_info *info)
{
	const struct vk_create_flags2 *more = find(info->next, VK_TYPE_PIPELINE_CREATE_FLAGS_2);

	return (more ? more->flags : info->flags) & VK_PIPELINE_CREATE_LIBRARY;
}

static void keep(uint64_t pipeline, const struct vk_shaders *shaders)
{
	const void *handle = (const void *)(uintptr_t)pipeline;
	struct vk_shaders *kept =
		(struct vk_shaders *)(uintptr_t)tacho__handles_get(&libraries, handle);

	if (!kept) {
		kept = malloc(sizeof(*kept));
		if (!kept)
			return;
		*kept = *shaders;
		if (!tacho__handles_set(&libraries, handle, (uintptr_t)kept))
			free(kept);
		return;
	}
	*kept = *shaders;
}

void tacho__vulkan_take_shaders(uint64_t pipeline, const struct vk_graphics_info *info,
				struct vk_shaders *out_shaders)
{
	const struct vk_library_info *parts = find(info->next, VK_TYPE_PIPELINE_LIBRARY_INFO);

	out_shaders->count = 0;
	for (uint32_t i = 0; info->stages && i < info->stage_count; i++)
		add(out_shaders, tacho__vulkan_number_shader(&info->stages[i]),
		    info->stages[i].name);
	for (uint32_t i = 0; parts && i < parts->count; i++)
		add_library(out_shaders, parts->pipelines[i]);
	if (is_library(info))
		keep(pipeline, out_shaders);
}
