/* SPDX-License-Identifier: MIT */
/*
 * Vulkan's loader, opened at run time, and what is asked of it. Numbers and structures are those of
 * Khronos's registry; tests/abi/vulkan_query.c compares them with its headers where these are
 * installed.
 */
#ifndef TACHO_BACKEND_VULKAN_VULKAN_LIBRARY_H
#define TACHO_BACKEND_VULKAN_VULKAN_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/dl.h"

#define TACHO__VULKAN_LOADER "libvulkan.so.1"

enum {
	VULKAN_SUCCESS = 0,
	VULKAN_INCOMPLETE = 5,
	VULKAN_ERROR_INCOMPATIBLE_DRIVER = -9,

	VULKAN_TYPE_APPLICATION_INFO = 0,
	VULKAN_TYPE_INSTANCE_CREATE_INFO = 1,
	VULKAN_TYPE_FEATURES_2 = 1000059000,
	VULKAN_TYPE_PROPERTIES_2 = 1000059001,
	VULKAN_TYPE_ID_PROPERTIES = 1000071004,
	VULKAN_TYPE_PERFORMANCE_QUERY_FEATURES = 1000116000,
	VULKAN_TYPE_QUERY_POOL_PERFORMANCE = 1000116002,
	VULKAN_TYPE_PERFORMANCE_COUNTER = 1000116005,
	VULKAN_TYPE_PERFORMANCE_COUNTER_TEXT = 1000116006,
	VULKAN_TYPE_DRIVER_PROPERTIES = 1000196000,
	VULKAN_TYPE_HOST_QUERY_RESET_FEATURES = 1000261000,

	VULKAN_QUEUE_GRAPHICS = 1,
	VULKAN_QUEUE_COMPUTE = 2,
	VULKAN_QUEUE_TRANSFER = 4,
	VULKAN_QUEUE_SPARSE = 8,
	VULKAN_QUEUE_PROTECTED = 16,
	VULKAN_QUEUE_VIDEO_DECODE = 32,
	VULKAN_QUEUE_VIDEO_ENCODE = 64,

	VULKAN_DEVICE_CPU = 4,

	VULKAN_STORAGE_INT32 = 0,
	VULKAN_STORAGE_INT64 = 1,
	VULKAN_STORAGE_UINT32 = 2,
	VULKAN_STORAGE_UINT64 = 3,
	VULKAN_STORAGE_FLOAT32 = 4,
	VULKAN_STORAGE_FLOAT64 = 5,
};

#define VULKAN_PERFORMANCE_QUERY "VK_KHR_performance_query"

/* VK_MAKE_API_VERSION(0, major, minor, 0) */
#define VULKAN_VERSION(major, minor)  ((uint32_t)(major) << 22 | (uint32_t)(minor) << 12)
#define VULKAN_VERSION_MAJOR(version) ((version) >> 22 & 0x7f)
#define VULKAN_VERSION_MINOR(version) ((version) >> 12 & 0x3ff)
#define VULKAN_VERSION_PATCH(version) ((version)&0xfff)

typedef void *vulkan_handle;

struct vulkan_application_info {
	uint32_t type;
	const void *next;
	const char *application;
	uint32_t application_version;
	const char *engine;
	uint32_t engine_version, api_version;
};

struct vulkan_instance_info {
	uint32_t type;
	const void *next;
	uint32_t flags;
	const struct vulkan_application_info *application;
	uint32_t layer_count;
	const char *const *layers;
	uint32_t extension_count;
	const char *const *extensions;
};

struct vulkan_layer {
	char name[256];
	uint32_t api_version, version;
	char description[256];
};

struct vulkan_extension {
	char name[256];
	uint32_t version;
};

/* Of the limits two are read, which stand at these places. */
struct vulkan_properties {
	uint32_t api_version, driver_version, vendor, device, type;
	char name[256];
	uint8_t cache_uuid[16];
	union {
		uint64_t aligned[63];
		struct {
			uint8_t before[420];
			uint32_t has_timestamps; /* in all graphics and compute queues */
			float timestamp_ns;	 /* of one tick */
		};
	} limits;
	uint32_t sparse[5];
};

struct vulkan_properties_2 {
	uint32_t type;
	void *next;
	struct vulkan_properties properties;
};

struct vulkan_driver_properties {
	uint32_t type;
	void *next;
	uint32_t id;
	char name[256], info[256];
	uint8_t conformance[4];
};

struct vulkan_id_properties {
	uint32_t type;
	void *next;
	uint8_t device_uuid[16], driver_uuid[16], luid[8];
	uint32_t node_mask, has_luid;
};

/* Of the features two are looked at. */
struct vulkan_features {
	uint32_t before[23], has_precise_occlusion, has_statistics, behind[30];
};

struct vulkan_features_2 {
	uint32_t type;
	void *next;
	struct vulkan_features features;
};

/* ---- VK_KHR_performance_query ---- */

struct vulkan_counter {
	uint32_t type;
	void *next;
	uint32_t unit, scope, storage;
	uint8_t uuid[16];
};

struct vulkan_counter_text {
	uint32_t type;
	void *next;
	uint32_t flags;
	char name[256], category[256], description[256];
};

/* The counters of a pool of queries. */
struct vulkan_performance_info {
	uint32_t type;
	const void *next;
	uint32_t family, count;
	const uint32_t *counters;
};

/* Of several extensions: some numbers behind the chain. */
struct vulkan_feature_pair {
	uint32_t type;
	void *next;
	uint32_t first, second;
};

struct vulkan_queue_family {
	uint32_t flags, count, valid_bits, granularity[3];
};

typedef void (*vulkan_function)(void);

struct vulkan_library {
	vulkan_function (*get)(vulkan_handle instance, const char *name);
};

/* Of an instance; those that the loader does not have are NULL. */
struct vulkan {
	struct tacho__dl dl;
	struct vulkan_library library;
	vulkan_handle instance;
	uint32_t version; /* of the loader */
	int32_t (*enumerate_layers)(uint32_t *count, struct vulkan_layer *layers);
	void (*destroy_instance)(vulkan_handle instance, const void *allocator);
	int32_t (*enumerate_devices)(vulkan_handle instance, uint32_t *count,
				     vulkan_handle *devices);
	void (*get_properties)(vulkan_handle device, struct vulkan_properties *properties);
	void (*get_features)(vulkan_handle device, struct vulkan_features *features);
	void (*get_properties_2)(vulkan_handle device, struct vulkan_properties_2 *properties);
	void (*get_features_2)(vulkan_handle device, struct vulkan_features_2 *features);
	void (*get_families)(vulkan_handle device, uint32_t *count,
			     struct vulkan_queue_family *families);
	int32_t (*enumerate_extensions)(vulkan_handle device, const char *layer, uint32_t *count,
					struct vulkan_extension *extensions);
	int32_t (*enumerate_counters)(vulkan_handle device, uint32_t family, uint32_t *count,
				      struct vulkan_counter *counters,
				      struct vulkan_counter_text *texts);
	void (*get_passes)(vulkan_handle device, const struct vulkan_performance_info *info,
			   uint32_t *passes);
};

/* Opens the loader. NOTFOUND: it is not installed or does not load. */
int tacho__vulkan_open(struct vulkan *out_vulkan);
/* Of a program's instance: nothing is opened, made or closed. */
void tacho__vulkan_borrow(struct vulkan *out_vulkan,
			  vulkan_function (*get)(vulkan_handle instance, const char *name),
			  vulkan_handle instance);
/* Makes the instance; the result is Vulkan's. */
int32_t tacho__vulkan_begin(struct vulkan *vulkan);
void tacho__vulkan_close(struct vulkan *vulkan);
/* A device's families of queues, as many as there are and is room for; returns that. Some drivers
 * fill all that there is room for, so the number is asked first. */
uint32_t tacho__vulkan_ask_families(const struct vulkan *vulkan, vulkan_handle device,
				    struct vulkan_queue_family *out_families, uint32_t room);
/* "VK_ERROR_INCOMPATIBLE_DRIVER (-9)". The thread's next such text takes its place. */
const char *tacho__vulkan_error(int32_t result);

#endif
