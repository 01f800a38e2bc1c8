/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inject/handles.h"
#include "inject/vulkan/vk_buffers.h"
#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_pipelines.h"

enum kind { PASS, FRAMEBUFFER, VIEW };

enum { ON_BYTES = 5 }; /* " on " and the end */

/* The program sees to it that nobody uses an object while it is named or destroyed. */
struct name {
	uint32_t number, parts; /* of a render pass */
	char text[VK_NAME_BYTES];
};

static struct tacho__handles names;
static atomic_uint pass_count;

/* Objects of two kinds may have the same handle. */
static const void *key(enum kind kind, uint64_t handle)
{
	return (const void *)(uintptr_t)(handle << 2 | kind);
}

static struct name *find(enum kind kind, uint64_t handle)
{
	return handle ? (struct name *)(uintptr_t)tacho__handles_get(&names, key(kind, handle))
		      : NULL;
}

/* NULL: no memory. */
static struct name *get(enum kind kind, uint64_t handle)
{
	struct name *name = find(kind, handle);

	if (name || !handle)
		return name;
	name = calloc(1, sizeof(*name));
	if (name && tacho__handles_set(&names, key(kind, handle), (uintptr_t)name))
		return name;
	free(name);
	return NULL;
}

/* Before the driver may give the handle to another one. */
static void forget(enum kind kind, uint64_t handle)
{
	struct name *name = find(kind, handle);

	if (name)
		tacho__handles_set(&names, key(kind, handle), 0);
	free(name);
}

static void set(enum kind kind, uint64_t handle, const char *text)
{
	struct name *name = get(kind, handle);

	if (name)
		snprintf(name->text, sizeof(name->text), "%s", text);
}

/* ---- objects ---- */

void tacho__vulkan_made_pass(void *device, void const *pCreateInfo, uint64_t *pRenderPass,
			     int32_t result)
{
	const struct vk_pass_info *info = pCreateInfo;
	struct name *name = result ? NULL : get(PASS, *pRenderPass);

	(void)device;
	if (!name)
		return;
	name->number = atomic_fetch_add(&pass_count, 1) + 1;
	name->parts = info->subpass_count;
}

void tacho__vulkan_destroy_pass_object(void *device, uint64_t renderPass, void const *pAllocator)
{
	forget(PASS, renderPass);
	tacho__vulkan_next(device)->vkDestroyRenderPass(device, renderPass, pAllocator);
}

void tacho__vulkan_destroy_framebuffer(void *device, uint64_t framebuffer, void const *pAllocator)
{
	forget(FRAMEBUFFER, framebuffer);
	tacho__vulkan_next(device)->vkDestroyFramebuffer(device, framebuffer, pAllocator);
}

void tacho__vulkan_destroy_view(void *device, uint64_t imageView, void const *pAllocator)
{
	forget(VIEW, imageView);
	tacho__vulkan_next(device)->vkDestroyImageView(device, imageView, pAllocator);
}

void tacho__vulkan_named_object(void *device, void const *pNameInfo, int32_t result)
{
	const struct vk_name_info *info = pNameInfo;
	const char *name = info->name ? info->name : "";

	if (result || !info->object)
		return;
	switch (info->kind) {
	case VK_OBJECT_PASS: set(PASS, info->object, name); break;
	case VK_OBJECT_FRAMEBUFFER: set(FRAMEBUFFER, info->object, name); break;
	case VK_OBJECT_VIEW: set(VIEW, info->object, name); break;
	case VK_OBJECT_PIPELINE: tacho__vulkan_name_pipeline(device, info->object, name); break;
	case VK_OBJECT_QUEUE: tacho__vulkan_name_queue(info->object, name); break;
	case VK_OBJECT_COMMAND_BUFFER: tacho__vulkan_name_buffer(info->object, name); break;
	default: break;
	}
}

/* ---- what is told ---- */

uint32_t tacho__vulkan_name_pass(const struct vk_pass_begin_info *info,
				 char out_name[VK_NAME_BYTES])
{
	const struct name *pass = find(PASS, info->pass);
	const struct name *target = find(FRAMEBUFFER, info->framebuffer);
	int size;

	if (pass && *pass->text)
		size = snprintf(out_name, VK_NAME_BYTES, "%s", pass->text);
	else
		size = snprintf(out_name, VK_NAME_BYTES, "render pass %" PRIu32,
				pass ? pass->number : 0);
	if (target && *target->text && size + ON_BYTES < VK_NAME_BYTES)
		snprintf(out_name + size, (size_t)(VK_NAME_BYTES - size), " on %.*s",
			 VK_NAME_BYTES - size - ON_BYTES, target->text);
	return pass ? pass->parts : 0;
}

void tacho__vulkan_name_rendering(const struct vk_rendering_info *info,
				  char out_name[VK_NAME_BYTES])
{
	const struct name *target =
		info->color_count && info->colors ? find(VIEW, info->colors->view) : NULL;

	if (target && *target->text)
		snprintf(out_name, VK_NAME_BYTES, "rendering on %.*s", VK_NAME_BYTES - 16,
			 target->text);
	else
		snprintf(out_name, VK_NAME_BYTES, "rendering %" PRIu32 "x%" PRIu32,
			 info->area.width, info->area.height);
}
