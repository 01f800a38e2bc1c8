/* SPDX-License-Identifier: MIT */
/*
 * vulkan_show MODE: a Vulkan program that shows pictures on surfaces of no window system
 * (VK_EXT_headless_surface), each cleared by a submit of its own. Prints "MODE: right"; exit status
 * 77: no device, or none that has what the mode needs.
 *
 *   show      9 pictures
 *   two       6 pictures on a surface, then 3 on a second one
 *   boundary  9 pictures, of which every third ends a frame (VK_EXT_frame_boundary)
 *   markers   9 pictures, each cleared within a marker in a marker, and their command buffers have
 *             names (VK_EXT_debug_marker)
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { SIDE = 16, IMAGES_MAX = 16, EXTENSIONS_MAX = 512, PICTURES = 9, FIRST = 6, FRAME = 3 };

/* As the registry has it since Vulkan 1.3.243; Debian 12's headers lack it. */
struct frame_boundary {
	uint32_t type;
	const void *next;
	uint32_t flags;
	uint64_t frame;
	uint32_t image_count;
	const VkImage *images;
	uint32_t buffer_count;
	const VkBuffer *buffers;
	uint64_t tag_name;
	size_t tag_bytes;
	const void *tag;
};

struct frame_boundary_features {
	uint32_t type;
	void *next;
	VkBool32 has_boundaries;
};

enum { FRAME_BOUNDARY = 1000375001, FRAME_BOUNDARY_FEATURES = 1000375000, FRAME_ENDS = 1 };

static struct {
	VkInstance instance;
	VkPhysicalDevice physical;
	VkDevice device;
	VkQueue queue;
	VkCommandPool pool;
	VkFence fence;
	PFN_vkDebugMarkerSetObjectNameEXT name;
	PFN_vkCmdDebugMarkerBeginEXT begin;
	PFN_vkCmdDebugMarkerEndEXT end;
} vk;

struct surface {
	VkSurfaceKHR handle;
	VkSwapchainKHR swapchain;
	uint32_t count;
	VkImage images[IMAGES_MAX];
	VkCommandBuffer commands[IMAGES_MAX];
};

static bool has_boundaries, has_markers;

static void check(VkResult result, const char *what)
{
	if (result == VK_SUCCESS)
		return;
	fprintf(stderr, "%s: %d\n", what, result);
	exit(1);
}

/* ---- the device ---- */

static void make_instance(void)
{
	static const char *const extensions[] = {VK_KHR_SURFACE_EXTENSION_NAME,
						 VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME};
	const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
					       .apiVersion = VK_API_VERSION_1_1};
	const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
					   .pApplicationInfo = &application,
					   .enabledExtensionCount = 2,
					   .ppEnabledExtensionNames = extensions};
	uint32_t count = 1;

	if (vkCreateInstance(&info, NULL, &vk.instance) ||
	    vkEnumeratePhysicalDevices(vk.instance, &count, &vk.physical) < 0 || !count)
		exit(77);
}

static bool offers(const char *name)
{
	static VkExtensionProperties all[EXTENSIONS_MAX];
	uint32_t count = EXTENSIONS_MAX;

	vkEnumerateDeviceExtensionProperties(vk.physical, NULL, &count, all);
	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(all[i].extensionName, name))
			return true;
	return false;
}

static void find_markers(void)
{
	vk.name = (PFN_vkDebugMarkerSetObjectNameEXT)vkGetDeviceProcAddr(
		vk.device, "vkDebugMarkerSetObjectNameEXT");
	vk.begin = (PFN_vkCmdDebugMarkerBeginEXT)vkGetDeviceProcAddr(vk.device,
								     "vkCmdDebugMarkerBeginEXT");
	vk.end = (PFN_vkCmdDebugMarkerEndEXT)vkGetDeviceProcAddr(vk.device,
								 "vkCmdDebugMarkerEndEXT");
	if (!vk.name || !vk.begin || !vk.end)
		check(VK_ERROR_EXTENSION_NOT_PRESENT, "functions of VK_EXT_debug_marker");
}

static void make_device(void)
{
	const char *names[2] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME,
				has_boundaries ? "VK_EXT_frame_boundary"
					       : VK_EXT_DEBUG_MARKER_EXTENSION_NAME};
	const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
					       .queueCount = 1,
					       .pQueuePriorities = &priority};
	const struct frame_boundary_features features = {.type = FRAME_BOUNDARY_FEATURES,
							 .has_boundaries = VK_TRUE};
	const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
					 .pNext = has_boundaries ? &features : NULL,
					 .queueCreateInfoCount = 1,
					 .pQueueCreateInfos = &queue,
					 .enabledExtensionCount =
						 1 + (has_boundaries || has_markers),
					 .ppEnabledExtensionNames = names};

	for (uint32_t i = 0; i < info.enabledExtensionCount; i++)
		if (!offers(names[i]))
			exit(77);
	check(vkCreateDevice(vk.physical, &info, NULL, &vk.device), "vkCreateDevice");
	vkGetDeviceQueue(vk.device, 0, 0, &vk.queue);
	if (has_markers)
		find_markers();
}

static void make_rest(void)
{
	const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
	const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};

	check(vkCreateCommandPool(vk.device, &pool, NULL, &vk.pool), "vkCreateCommandPool");
	check(vkCreateFence(vk.device, &fence, NULL, &vk.fence), "vkCreateFence");
}

/* ---- pictures ---- */

static void move(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to)
{
	const VkImageMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.srcAccessMask = from ? VK_ACCESS_TRANSFER_WRITE_BIT : 0,
		.dstAccessMask = from ? 0 : VK_ACCESS_TRANSFER_WRITE_BIT,
		.oldLayout = from,
		.newLayout = to,
		.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.image = image,
		.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};

	vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
			     VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void mark(VkCommandBuffer commands, const char *name)
{
	const VkDebugMarkerMarkerInfoEXT info = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_MARKER_INFO_EXT, .pMarkerName = name};

	if (has_markers && name)
		vk.begin(commands, &info);
	else if (has_markers)
		vk.end(commands);
}

static void record(VkCommandBuffer commands, VkImage image)
{
	const VkCommandBufferBeginInfo info = {.sType =
						       VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
	const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
	const VkClearColorValue color = {.float32 = {1, 0, 0, 1}};

	check(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
	mark(commands, "outer");
	mark(commands, "clear");
	move(commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
	vkCmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1,
			     &all);
	move(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
	     VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
	mark(commands, NULL);
	mark(commands, NULL);
	check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

static void name(VkCommandBuffer commands)
{
	const VkDebugMarkerObjectNameInfoEXT info = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT,
		.objectType = VK_DEBUG_REPORT_OBJECT_TYPE_COMMAND_BUFFER_EXT,
		.object = (uint64_t)(uintptr_t)commands,
		.pObjectName = "picture"};

	if (has_markers)
		check(vk.name(vk.device, &info), "vkDebugMarkerSetObjectNameEXT");
}

static void make_swapchain(struct surface *surface)
{
	VkSurfaceCapabilitiesKHR capabilities;
	VkSurfaceFormatKHR format;
	VkBool32 is_supported = VK_FALSE;
	uint32_t count = 1;

	vkGetPhysicalDeviceSurfaceSupportKHR(vk.physical, 0, surface->handle, &is_supported);
	if (!is_supported)
		exit(77);
	check(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(vk.physical, surface->handle,
							&capabilities),
	      "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
	if (vkGetPhysicalDeviceSurfaceFormatsKHR(vk.physical, surface->handle, &count, &format) < 0)
		exit(77);
	const VkSwapchainCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
					       .surface = surface->handle,
					       .minImageCount = capabilities.minImageCount,
					       .imageFormat = format.format,
					       .imageColorSpace = format.colorSpace,
					       .imageExtent = {SIDE, SIDE},
					       .imageArrayLayers = 1,
					       .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
					       .preTransform =
						       VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
					       .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
					       .presentMode = VK_PRESENT_MODE_FIFO_KHR,
					       .clipped = VK_TRUE};
	check(vkCreateSwapchainKHR(vk.device, &info, NULL, &surface->swapchain),
	      "vkCreateSwapchainKHR");
}

static void make_surface(struct surface *surface)
{
	const VkHeadlessSurfaceCreateInfoEXT info = {
		.sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
	VkCommandBufferAllocateInfo buffers = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = vk.pool};
	PFN_vkCreateHeadlessSurfaceEXT create =
		(PFN_vkCreateHeadlessSurfaceEXT)vkGetInstanceProcAddr(vk.instance,
								      "vkCreateHeadlessSurfaceEXT");

	if (!create)
		exit(77);
	check(create(vk.instance, &info, NULL, &surface->handle), "vkCreateHeadlessSurfaceEXT");
	make_swapchain(surface);
	surface->count = IMAGES_MAX;
	check(vkGetSwapchainImagesKHR(vk.device, surface->swapchain, &surface->count,
				      surface->images),
	      "vkGetSwapchainImagesKHR");
	buffers.commandBufferCount = surface->count;
	check(vkAllocateCommandBuffers(vk.device, &buffers, surface->commands),
	      "vkAllocateCommandBuffers");
	for (uint32_t i = 0; i < surface->count; i++) {
		name(surface->commands[i]);
		record(surface->commands[i], surface->images[i]);
	}
}

static void destroy_surface(struct surface *surface)
{
	vkDestroySwapchainKHR(vk.device, surface->swapchain, NULL);
	vkDestroySurfaceKHR(vk.instance, surface->handle, NULL);
}

/* ---- showing them ---- */

static void wait(void)
{
	check(vkWaitForFences(vk.device, 1, &vk.fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
	check(vkResetFences(vk.device, 1, &vk.fence), "vkResetFences");
}

static void show(const struct surface *surface, uint32_t number)
{
	const struct frame_boundary boundary = {.type = FRAME_BOUNDARY,
						.flags = number % FRAME == FRAME - 1 ? FRAME_ENDS
										     : 0,
						.frame = number / FRAME};
	uint32_t index = 0;
	VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1};
	const VkPresentInfoKHR present = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
					  .pNext = has_boundaries ? &boundary : NULL,
					  .swapchainCount = 1,
					  .pSwapchains = &surface->swapchain,
					  .pImageIndices = &index};

	check(vkAcquireNextImageKHR(vk.device, surface->swapchain, UINT64_MAX, VK_NULL_HANDLE,
				    vk.fence, &index),
	      "vkAcquireNextImageKHR");
	wait();
	submit.pCommandBuffers = &surface->commands[index];
	check(vkQueueSubmit(vk.queue, 1, &submit, vk.fence), "vkQueueSubmit");
	wait();
	check(vkQueuePresentKHR(vk.queue, &present), "vkQueuePresentKHR");
}

static void run(bool has_two)
{
	struct surface surfaces[2] = {{0}};

	make_surface(&surfaces[0]);
	for (uint32_t i = 0; i < (has_two ? FIRST : PICTURES); i++)
		show(&surfaces[0], i);
	if (has_two)
		make_surface(&surfaces[1]);
	for (uint32_t i = FIRST; has_two && i < PICTURES; i++)
		show(&surfaces[1], i);
	vkDeviceWaitIdle(vk.device);
	for (int i = 0; i <= has_two; i++)
		destroy_surface(&surfaces[i]);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	has_boundaries = !strcmp(mode, "boundary");
	has_markers = !strcmp(mode, "markers");
	if (!has_boundaries && !has_markers && strcmp(mode, "show") != 0 &&
	    strcmp(mode, "two") != 0) {
		fprintf(stderr, "usage: vulkan_show show|two|boundary|markers\n");
		return 2;
	}
	make_instance();
	make_device();
	make_rest();
	run(!strcmp(mode, "two"));
	vkDestroyFence(vk.device, vk.fence, NULL);
	vkDestroyCommandPool(vk.device, vk.pool, NULL);
	vkDestroyDevice(vk.device, NULL);
	vkDestroyInstance(vk.instance, NULL);
	printf("%s: right\n", mode);
	return 0;
}
