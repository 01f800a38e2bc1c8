/* SPDX-License-Identifier: MIT */
/*
 * What the drivers i915 and xe take and give: Linux, include/uapi/drm/i915_drm.h and xe_drm.h. Only
 * what counting needs.
 */
#ifndef TACHO_BACKEND_INTEL_UAPI_H
#define TACHO_BACKEND_INTEL_UAPI_H

#include <stdint.h>
#include <sys/ioctl.h>

/* Numbers of DRM's ioctls: those of drivers begin at 0x40. */
#define TACHO__DRM_IOW(number, type)  _IOW('d', 0x40 + (number), type)
#define TACHO__DRM_IOWR(number, type) _IOWR('d', 0x40 + (number), type)

struct tacho__i915_getparam {
	int32_t param;
	int *value;
};

struct tacho__i915_reg_read {
	uint64_t offset, value;
};

struct tacho__i915_query_item {
	uint64_t query_id;
	int32_t length; /* 0: asks for it; negative: an errno */
	uint32_t flags;
	uint64_t data;
};

struct tacho__i915_query {
	uint32_t item_count, flags;
	uint64_t items;
};

struct tacho__i915_perf_open {
	uint32_t flags, property_count;
	uint64_t properties; /* pairs of u64 */
};

struct tacho__i915_perf_config {
	char uuid[36];
	uint32_t mux_count, boolean_count, flex_count;
	uint64_t mux, boolean, flex; /* pairs of u32: address, value */
};

/* Before each record that a stream gives. */
struct tacho__i915_record {
	uint32_t type;
	uint16_t pad, size; /* with this header */
};

#define TACHO__I915_GETPARAM	       TACHO__DRM_IOWR(0x06, struct tacho__i915_getparam)
#define TACHO__I915_REG_READ	       TACHO__DRM_IOWR(0x31, struct tacho__i915_reg_read)
#define TACHO__I915_PERF_OPEN	       TACHO__DRM_IOW(0x36, struct tacho__i915_perf_open)
#define TACHO__I915_PERF_ADD_CONFIG    TACHO__DRM_IOW(0x37, struct tacho__i915_perf_config)
#define TACHO__I915_PERF_REMOVE_CONFIG TACHO__DRM_IOW(0x38, uint64_t)
#define TACHO__I915_QUERY	       TACHO__DRM_IOWR(0x39, struct tacho__i915_query)

/* Of streams; xe has the same. */
#define TACHO__OA_STREAM_ENABLE	 _IO('i', 0x0)
#define TACHO__OA_STREAM_DISABLE _IO('i', 0x1)
#define TACHO__XE_STREAM_STATUS	 _IO('i', 0x3)

enum {
	TACHO__I915_PARAM_CHIPSET_ID = 4,
	TACHO__I915_PARAM_REVISION = 32,
	TACHO__I915_PARAM_CS_TIMESTAMP_FREQUENCY = 51,
	TACHO__I915_PARAM_PERF_REVISION = 54,
	TACHO__I915_PARAM_OA_TIMESTAMP_FREQUENCY = 57,

	TACHO__I915_QUERY_TOPOLOGY = 1,

	/* The render engine's timestamp; 1: all of its 64 bits at once. */
	TACHO__I915_TIMESTAMP = 0x2358,
	TACHO__I915_TIMESTAMP_WHOLE = 1,

	TACHO__I915_PERF_CLOEXEC = 1,
	TACHO__I915_PERF_NONBLOCK = 2,
	TACHO__I915_PERF_DISABLED = 4,

	TACHO__I915_PROPERTY_SAMPLE_OA = 2,
	TACHO__I915_PROPERTY_METRICS_SET = 3,
	TACHO__I915_PROPERTY_FORMAT = 4,
	TACHO__I915_PROPERTY_EXPONENT = 5,
	TACHO__I915_PROPERTY_POLL_PERIOD = 8,	   /* from revision 5 on */
	TACHO__I915_PROPERTY_ENGINE_CLASS = 9,	   /* from revision 6 on */
	TACHO__I915_PROPERTY_ENGINE_INSTANCE = 10, /* the same */

	TACHO__I915_ENGINE_VIDEO = 2,

	TACHO__I915_RECORD_SAMPLE = 1,
	TACHO__I915_RECORD_REPORT_LOST = 2,
	TACHO__I915_RECORD_BUFFER_LOST = 3,
};

struct tacho__xe_device_query {
	uint64_t extensions;
	uint32_t query, size; /* size 0: asks for it */
	uint64_t data;
	uint64_t reserved[2];
};

struct tacho__xe_config {
	uint32_t count, pad;
	uint64_t info[];
};

struct tacho__xe_topology_mask {
	uint16_t gt_id, type;
	uint32_t size_bytes;
	uint8_t mask[];
};

struct tacho__xe_engine {
	uint16_t class, instance, gt_id, pad;
};

struct tacho__xe_oa_unit {
	uint64_t extensions;
	uint32_t id, type;
	uint64_t capabilities, timestamp_hz;
	uint64_t reserved[4];
	uint64_t engine_count;
	struct tacho__xe_engine engines[];
};

struct tacho__xe_oa_units {
	uint64_t extensions;
	uint32_t count, pad;
	uint64_t units[]; /* struct tacho__xe_oa_unit, one after another */
};

struct tacho__xe_engine_cycles {
	struct tacho__xe_engine engine;
	int32_t clock;	     /* of the CPU, to be read with it */
	uint32_t width_bits; /* of the cycles */
	uint64_t cycles, cpu_ns, cpu_delta_ns;
};

struct tacho__xe_observation {
	uint64_t extensions, type, operation, param;
};

struct tacho__xe_property {
	uint64_t next; /* the next one's address; 0: none */
	uint32_t name, pad;
	uint32_t property, pad2;
	uint64_t value;
	uint64_t reserved[2];
};

struct tacho__xe_oa_config {
	uint64_t extensions;
	char uuid[36];
	uint32_t register_count;
	uint64_t registers; /* pairs of u32: address, value */
};

struct tacho__xe_oa_status {
	uint64_t extensions, status;
	uint64_t reserved[3];
};

#define TACHO__XE_DEVICE_QUERY TACHO__DRM_IOWR(0x00, struct tacho__xe_device_query)
#define TACHO__XE_OBSERVATION  TACHO__DRM_IOW(0x0b, struct tacho__xe_observation)

enum {
	TACHO__XE_QUERY_CONFIG = 2,
	TACHO__XE_QUERY_TOPOLOGY = 5,
	TACHO__XE_QUERY_ENGINE_CYCLES = 6,
	TACHO__XE_QUERY_OA_UNITS = 8,

	TACHO__XE_TOPOLOGY_GEOMETRY = 1, /* masks of subslices */
	TACHO__XE_TOPOLOGY_COMPUTE = 2,
	TACHO__XE_TOPOLOGY_EUS = 4,	   /* masks of the EUs in each */
	TACHO__XE_TOPOLOGY_EUS_SIMD16 = 5, /* the same, from Xe2 on */

	TACHO__XE_OA_UNIT_OAG = 0,
	TACHO__XE_OA_UNIT_OAM = 1,
	TACHO__XE_OA_UNIT_BASE = 1, /* capability: reports */

	TACHO__XE_OBSERVATION_OA = 0,
	TACHO__XE_OBSERVATION_OPEN = 0,
	TACHO__XE_OBSERVATION_ADD_CONFIG = 1,
	TACHO__XE_OBSERVATION_REMOVE_CONFIG = 2,

	TACHO__XE_PROPERTY_OA_UNIT = 1,
	TACHO__XE_PROPERTY_SAMPLE_OA = 2,
	TACHO__XE_PROPERTY_METRIC_SET = 3,
	TACHO__XE_PROPERTY_FORMAT = 4,
	TACHO__XE_PROPERTY_EXPONENT = 5,
	TACHO__XE_PROPERTY_DISABLED = 6,

	/* A format: type of the unit, then 8 bits each of counter select, size, B and C. */
	TACHO__XE_FORMAT_TYPE_MASK = 0xff,
	TACHO__XE_FORMAT_OAM = 2,
	TACHO__XE_FORMAT_OAM_MPEC = 4,

	TACHO__XE_STATUS_REPORT_LOST = 1,
	TACHO__XE_STATUS_BUFFER_OVERFLOW = 2,
	TACHO__XE_STATUS_COUNTER_OVERFLOW = 4,
	TACHO__XE_STATUS_TRIGGER_QUEUE_FULL = 8,
};

#endif
