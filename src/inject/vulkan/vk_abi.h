/* SPDX-License-Identifier: MIT */
/*
 * What of Vulkan's structures and numbers tacho reads and writes itself, and of the loader's
 * interface for layers, as the registry and the loader's documentation have them. Compared with
 * Khronos's headers by tests/abi/vulkan.sh, where they are installed.
 */
#ifndef TACHO_INJECT_VULKAN_VK_ABI_H
#define TACHO_INJECT_VULKAN_VK_ABI_H

#include <stddef.h>
#include <stdint.h>

/* ---- numbers ---- */

enum {
	VK_TYPE_SUBMIT_INFO = 4,
	VK_TYPE_MEMORY_ALLOCATE_INFO = 5,
	VK_TYPE_FENCE_CREATE_INFO = 8,
	VK_TYPE_QUERY_POOL_CREATE_INFO = 11,
	VK_TYPE_BUFFER_CREATE_INFO = 12,
	VK_TYPE_COMMAND_POOL_CREATE_INFO = 39,
	VK_TYPE_COMMAND_BUFFER_ALLOCATE_INFO = 40,
	VK_TYPE_COMMAND_BUFFER_BEGIN_INFO = 42,
	VK_TYPE_MEMORY_BARRIER = 46,
	VK_TYPE_LOADER_INSTANCE_CREATE_INFO = 47,
	VK_TYPE_LOADER_DEVICE_CREATE_INFO = 48,
	VK_TYPE_VULKAN_1_2_FEATURES = 51,
	VK_TYPE_INHERITANCE_RENDERING = 1000044004,
	VK_TYPE_RENDER_PASS_MULTIVIEW = 1000053000,
	VK_TYPE_FEATURES_2 = 1000059000,
	VK_TYPE_PROPERTIES_2 = 1000059001,
	VK_TYPE_DEVICE_GROUP_SUBMIT_INFO = 1000060005,
	VK_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO = 1000070001,
	VK_TYPE_PERFORMANCE_QUERY_FEATURES = 1000116000,
	VK_TYPE_PERFORMANCE_QUERY_PROPERTIES = 1000116001,
	VK_TYPE_QUERY_POOL_PERFORMANCE = 1000116002,
	VK_TYPE_ACQUIRE_PROFILING_LOCK_INFO = 1000116004,
	VK_TYPE_CALIBRATED_TIMESTAMP_INFO = 1000184000,
	VK_TYPE_HOST_QUERY_RESET_FEATURES = 1000261000,
	VK_TYPE_SUBMIT_INFO_2 = 1000314004,
	VK_TYPE_COMMAND_BUFFER_SUBMIT_INFO = 1000314006,

	VK_LOADER_LINK_INFO = 0,
	VK_LOADER_DATA = 1,
	VK_LAYER_INTERFACE_VERSION = 2,
	VK_NEGOTIATE_INTERFACE = 1,

	VK_BUFFER_USAGE_TRANSFER_DST = 2,
	VK_MEMORY_HOST_VISIBLE = 2,
	VK_MEMORY_HEAP_LOCAL = 1,
	VK_MEMORY_HOST_COHERENT = 4,
	VK_QUERY_OCCLUSION = 0,
	VK_QUERY_STATISTICS = 1,
	VK_QUERY_TIMESTAMP = 2,
	VK_QUERY_PERFORMANCE = 1000116000,
	VK_QUERY_PRECISE = 1,
	VK_STATISTICS_OF_COMPUTE = 1 << 10,
	VK_STATISTICS_OF_GRAPHICS = VK_STATISTICS_OF_COMPUTE - 1,
	VK_QUERY_RESULT_64 = 1,
	VK_QUERY_RESULT_WAIT = 2,
	VK_QUERY_RESULT_WITH_AVAILABILITY = 4,
	VK_STAGE_BOTTOM_OF_PIPE = 0x2000,
	VK_STAGE_TRANSFER = 0x1000,
	VK_STAGE_HOST = 0x4000,
	VK_ACCESS_TRANSFER_WRITE = 0x1000,
	VK_ACCESS_HOST_READ = 0x2000,
	VK_QUEUE_GRAPHICS = 1,
	VK_QUEUE_COMPUTE = 2,
	VK_QUEUE_TRANSFER = 4,
	VK_QUEUE_DECODE = 0x20,
	VK_QUEUE_ENCODE = 0x40,
	VK_POOL_CREATE_PROTECTED = 4,
	VK_USAGE_ONE_TIME_SUBMIT = 1,
	VK_USAGE_CONTINUES_PASS = 2,
	VK_USAGE_SIMULTANEOUS_USE = 4,
	VK_CONTENTS_SECONDARY = 1,
	VK_RENDERING_SECONDARY = 1,
	VK_RENDERING_SUSPENDING = 2,
	VK_RENDERING_RESUMING = 4,
	VK_DEVICE_TYPE_CPU = 4,
	VK_TIME_DOMAIN_DEVICE = 0,
	VK_TIME_DOMAIN_MONOTONIC = 1,
	VK_BIND_POINT_GRAPHICS = 0,
	VK_BIND_POINT_COMPUTE = 1,
	VK_BIND_POINT_RAYS = 1000165000,
	VK_OBJECT_QUEUE = 4,
	VK_OBJECT_COMMAND_BUFFER = 6,
	VK_OBJECT_VIEW = 14,
	VK_OBJECT_PASS = 18,
	VK_OBJECT_PIPELINE = 19,
	VK_OBJECT_FRAMEBUFFER = 24,
	VK_TYPE_FRAME_BOUNDARY = 1000375001,
	VK_FRAME_ENDS = 1,

	VK_EXTENSION_NAME_BYTES = 256,
	VK_DEVICE_NAME_BYTES = 256,
	VK_MEMORY_TYPES_MAX = 32,
	VK_MEMORY_HEAPS_MAX = 16,
};

#define VK_WHOLE UINT64_MAX

/* VK_MAKE_API_VERSION(0, major, minor, 0) */
#define VK_VERSION(major, minor) ((uint32_t)(major) << 22 | (uint32_t)(minor) << 12)

/* ---- the loader ---- */

typedef void *(*vk_get_function)(void *handle, const char *name);

struct vk_negotiation {
	int32_t type;
	void *next;
	uint32_t version;
	vk_get_function get_instance_function, get_device_function, get_physical_device_function;
};

struct vk_instance_link {
	struct vk_instance_link *next;
	vk_get_function get_instance_function, get_physical_device_function;
};

struct vk_device_link {
	struct vk_device_link *next;
	vk_get_function get_instance_function, get_device_function;
};

typedef int32_t (*vk_set_loader_data)(void *device, void *object);

/* Of an instance and of a device: they differ in what is behind `function`. */
struct vk_loader_info {
	int32_t type;
	const void *next;
	int32_t function;
	union {
		struct vk_instance_link *instance;
		struct vk_device_link *device;
		vk_set_loader_data set_loader_data;
	} u;
};

/* ---- what begins every structure that can be chained ---- */

struct vk_chain {
	int32_t type;
	const struct vk_chain *next;
};

/* ---- instances ---- */

struct vk_application_info {
	int32_t type;
	const void *next;
	const char *name;
	uint32_t version;
	const char *engine;
	uint32_t engine_version, api_version;
};

/* Up to what is read. */
struct vk_instance_info {
	int32_t type;
	const void *next;
	uint32_t flags;
	const struct vk_application_info *application;
};

/* ---- devices ---- */

struct vk_device_queue_info {
	int32_t type;
	const void *next;
	uint32_t flags, family, count;
	const float *priorities;
};

struct vk_device_info {
	int32_t type;
	const void *next;
	uint32_t flags;
	uint32_t queue_count;
	const struct vk_device_queue_info *queues;
	uint32_t layer_count;
	const char *const *layers;
	uint32_t extension_count;
	const char *const *extensions;
	const void *features;
};

/* Two of the features are written. */
struct vk_features {
	uint32_t before[23], has_precise_occlusion, has_statistics, behind[30];
};

struct vk_features2 {
	int32_t type;
	const void *next;
	struct vk_features features;
};

/* One of the features is written. */
struct vk_features_1_2 {
	int32_t type;
	const void *next;
	uint32_t before[36], has_host_reset, behind[10];
};

struct vk_host_reset_features {
	int32_t type;
	const void *next;
	uint32_t has_host_reset;
};

struct vk_performance_features {
	int32_t type;
	const void *next;
	uint32_t has_pools, has_multiple_pools;
};

struct vk_performance_properties {
	int32_t type;
	const void *next;
	uint32_t can_copy;
};

struct vk_device_group_info {
	int32_t type;
	const void *next;
	uint32_t count;
	void *const *devices;
};

struct vk_device_queue_info2 {
	int32_t type;
	const void *next;
	uint32_t flags, family, index;
};

/* Of its limits nothing is read but the period, in nanoseconds. */
struct vk_device_properties {
	uint32_t api_version, driver_version, vendor, device;
	int32_t type;
	char name[VK_DEVICE_NAME_BYTES];
	uint8_t uuid[16];
	uint64_t limits[63]; /* 504 bytes */
	uint32_t sparse[6];
};

enum { VK_PERIOD_AT = 424 }; /* bytes into `limits` */

struct vk_device_properties2 {
	int32_t type;
	const void *next;
	struct vk_device_properties properties;
};

struct vk_family_properties {
	uint32_t flags, count, valid_bits, granularity[3];
};

struct vk_extension {
	char name[VK_EXTENSION_NAME_BYTES];
	uint32_t version;
};

struct vk_memory_properties {
	uint32_t type_count;
	struct {
		uint32_t flags, heap;
	} types[VK_MEMORY_TYPES_MAX];
	uint32_t heap_count;
	struct {
		uint64_t size;
		uint32_t flags;
	} heaps[VK_MEMORY_HEAPS_MAX];
};

/* ---- sparse memory ---- */

struct vk_sparse_bind {
	uint64_t at, bytes, memory, memory_at;
	uint32_t flags;
};

/* Of a buffer, or of an image as if it were one. */
struct vk_sparse_binds {
	uint64_t resource;
	uint32_t count;
	const struct vk_sparse_bind *binds;
};

struct vk_bind_sparse_info {
	int32_t type;
	const void *next;
	uint32_t wait_count;
	const uint64_t *waits;
	uint32_t buffer_count;
	const struct vk_sparse_binds *buffers;
	uint32_t opaque_count;
	const struct vk_sparse_binds *opaques;
	uint32_t image_count;
	const void *images;
	uint32_t signal_count;
	const uint64_t *signals;
};

struct vk_decode_info {
	int32_t type;
	const void *next;
	uint32_t flags;
	uint64_t source, source_at, source_bytes;
};

/* ---- objects ---- */

struct vk_memory_requirements {
	uint64_t size, alignment;
	uint32_t types;
};

struct vk_memory_info {
	int32_t type;
	const void *next;
	uint64_t size;
	uint32_t index;
};

struct vk_buffer_info {
	int32_t type;
	const void *next;
	uint32_t flags;
	uint64_t size;
	uint32_t usage;
	int32_t sharing;
	uint32_t family_count;
	const uint32_t *families;
};

/* Of fences and of whatever has nothing but flags. */
struct vk_flags_info {
	int32_t type;
	const void *next;
	uint32_t flags;
};

struct vk_query_pool_info {
	int32_t type;
	const void *next;
	uint32_t flags;
	int32_t kind;
	uint32_t count, statistics;
};

struct vk_query_pool_performance_info {
	int32_t type;
	const void *next;
	uint32_t family, count;
	const uint32_t *counters;
};

struct vk_lock_info {
	int32_t type;
	const void *next;
	uint32_t flags;
	uint64_t timeout_ns;
};

/* In the chain of a batch. */
struct vk_pool_info {
	int32_t type;
	const void *next;
	uint32_t flags, family;
};

struct vk_buffers_info {
	int32_t type;
	const void *next;
	uint64_t pool;
	int32_t level; /* 0: primary */
	uint32_t count;
};

struct vk_begin_info {
	int32_t type;
	const void *next;
	uint32_t flags;
	const void *inheritance;
};

struct vk_inheritance {
	int32_t type;
	const void *next;
	uint64_t pass;
	uint32_t subpass;
	uint64_t framebuffer;
	uint32_t has_occlusion, flags, statistics; /* queries that may be active around it */
};

/* Up to what is read. */
struct vk_inheritance_rendering {
	int32_t type;
	const void *next;
	uint32_t flags, views;
};

struct vk_memory_barrier {
	int32_t type;
	const void *next;
	uint32_t from, to;
};

struct vk_name_info {
	int32_t type;
	const void *next;
	int32_t kind;
	uint64_t object;
	const char *name;
};

struct vk_calibrated_info {
	int32_t type;
	const void *next;
	int32_t domain;
};

/* ---- pipelines ---- */

struct vk_stage_info {
	int32_t type;
	const void *next;
	uint32_t flags, stage;
	uint64_t module;
	const char *name;
	const void *specialization;
};

struct vk_compute_info {
	int32_t type;
	const void *next;
	uint32_t flags;
	struct vk_stage_info stage;
	uint64_t layout, base;
	int32_t base_index;
};

/* Up to what is read; a list of them has VK_GRAPHICS_INFO_BYTES for each. */
struct vk_graphics_info {
	int32_t type;
	const void *next;
	uint32_t flags, stage_count;
	const struct vk_stage_info *stages;
};

enum { VK_GRAPHICS_INFO_BYTES = 144 };

struct vk_module_info {
	int32_t type;
	const void *next;
	uint32_t flags;
	size_t bytes;
	const uint32_t *code;
};

/* Pipelines that one is put together from. */
struct vk_library_info {
	int32_t type;
	const void *next;
	uint32_t count;
	const uint64_t *pipelines;
};

/* In place of the pipeline's own flags, since Vulkan 1.4. */
struct vk_create_flags2 {
	int32_t type;
	const void *next;
	uint64_t flags;
};

enum {
	VK_PIPELINE_CREATE_LIBRARY = 0x800,
	VK_TYPE_SHADER_MODULE_CREATE_INFO = 16,
	VK_TYPE_PIPELINE_LIBRARY_INFO = 1000290000,
	VK_TYPE_PIPELINE_CREATE_FLAGS_2 = 1000470005,
};

/* ---- commands ---- */

struct vk_region {
	uint64_t from, to, size;
};

struct vk_region2 {
	int32_t type;
	const void *next;
	uint64_t from, to, size;
};

struct vk_copy_info2 {
	int32_t type;
	const void *next;
	uint64_t from, to;
	uint32_t count;
	const struct vk_region2 *regions;
};

/* Of VK_EXT_debug_utils and VK_EXT_debug_marker. */
struct vk_label_info {
	int32_t type;
	const void *next;
	const char *name;
	float color[4]; /* red, green, blue, opacity; all 0: none */
};

/* Up to what is read; the two forms of it begin alike. */
struct vk_pass_info {
	int32_t type;
	const void *next;
	uint32_t flags, attachment_count;
	const void *attachments;
	uint32_t subpass_count;
	const void *subpasses;
};

struct vk_area {
	int32_t x, y;
	uint32_t width, height;
};

/* Up to what is read. */
struct vk_pass_begin_info {
	int32_t type;
	const void *next;
	uint64_t pass, framebuffer;
	struct vk_area area;
};

struct vk_subpass_begin_info {
	int32_t type;
	const void *next;
	int32_t contents;
};

/* Up to what is read: only the first of a list is. */
struct vk_attachment_info {
	int32_t type;
	const void *next;
	uint64_t view;
};

/* Up to what is read. */
struct vk_rendering_info {
	int32_t type;
	const void *next;
	uint32_t flags;
	struct vk_area area;
	uint32_t layers, views, color_count;
	const struct vk_attachment_info *colors;
};

/* Of several views, chained to a render pass's. */
struct vk_multiview_info {
	int32_t type;
	const void *next;
	uint32_t count;
	const uint32_t *view_masks;
};

/* Up to what is read; a list of them has VK_SUBPASS_INFO2_BYTES for each. */
struct vk_subpass_info2 {
	int32_t type;
	const void *next;
	uint32_t flags;
	int32_t bind_point;
	uint32_t view_mask;
};

enum { VK_SUBPASS_INFO2_BYTES = 88 };

/* ---- frames ---- */

/* Up to what is read. */
struct vk_swapchain_info {
	int32_t type;
	const void *next;
	uint32_t flags;
	uint64_t surface;
};

/* Up to what is read. */
struct vk_present_info {
	int32_t type;
	const void *next;
	uint32_t wait_count;
	const uint64_t *waits;
	uint32_t swapchain_count;
	const uint64_t *swapchains;
};

/* Up to what is read. */
struct vk_frame_boundary {
	int32_t type;
	const void *next;
	uint32_t flags;
	uint64_t frame;
};

/* ---- submits ---- */

struct vk_submit_info {
	int32_t type;
	const void *next;
	uint32_t wait_count;
	const uint64_t *waits;
	const uint32_t *wait_stages;
	uint32_t buffer_count;
	void *const *buffers;
	uint32_t signal_count;
	const uint64_t *signals;
};

struct vk_buffer_submit {
	int32_t type;
	const void *next;
	void *buffer;
	uint32_t mask;
};

struct vk_submit_info2 {
	int32_t type;
	const void *next;
	uint32_t flags, wait_count;
	const void *waits;
	uint32_t buffer_count;
	const struct vk_buffer_submit *buffers;
	uint32_t signal_count;
	const void *signals;
};

#endif
