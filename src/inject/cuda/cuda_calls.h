/* SPDX-License-Identifier: MIT */
/*
 * What is used of the interfaces of libcuda and libcupti, declared anew: nothing of CUDA is needed
 * to build. tests/cli/cuda_layouts.py compares it with NVIDIA's headers where they are installed.
 */
#ifndef TACHO_INJECT_CUDA_CUDA_CALLS_H
#define TACHO_INJECT_CUDA_CUDA_CALLS_H

#include <stddef.h>
#include <stdint.h>

/* ---- libcupti: callbacks ---- */

enum tacho__cuda_domain {
	TACHO__CUDA_DOMAIN_DRIVER = 1,
	TACHO__CUDA_DOMAIN_RUNTIME = 2,
	TACHO__CUDA_DOMAIN_RESOURCE = 3,
};

/* Of the domain RESOURCE. */
enum tacho__cuda_resource_event {
	TACHO__CUDA_CONTEXT_ENDS = 2,
	TACHO__CUDA_STREAM_ENDS = 4,
	TACHO__CUDA_MODULE_ENDS = 7,
};

enum { TACHO__CUDA_ENTER = 0, TACHO__CUDA_EXIT = 1 };

struct tacho__cuda_call_data {
	uint32_t site; /* ENTER or EXIT */
	const char *function;
	const void *params;   /* the arguments, as a struct of their own for each function */
	void *result;	      /* at EXIT: a CUresult or cudaError_t */
	const char *symbol;   /* of launches: the kernel's mangled name */
	void *context;	      /* current on the thread; NULL: none */
	uint32_t context_uid; /* of it */
	uint64_t *user;	      /* of ours, from enter to exit */
	uint32_t correlation;
};

struct tacho__cuda_resource_data {
	void *context;
	void *stream;
	void *descriptor;
};

typedef void tacho__cuda_callback_fn(void *user, uint32_t domain, uint32_t id, const void *data);

/* ---- libcupti: activity ---- */

enum tacho__cuda_activity_kind {
	TACHO__CUDA_ACTIVITY_COPY = 1,
	TACHO__CUDA_ACTIVITY_SET = 2,
	TACHO__CUDA_ACTIVITY_KERNEL_SERIAL = 3, /* the same struct as KERNEL */
	TACHO__CUDA_ACTIVITY_KERNEL = 10,
	TACHO__CUDA_ACTIVITY_DEVICE_KERNEL = 18, /* launched by a kernel, on old devices */
	TACHO__CUDA_ACTIVITY_PEER_COPY = 22,
};

enum { TACHO__CUDA_FLUSH_ALL = 0, TACHO__CUDA_FLUSH_FORCED = 1 };

/* Where a record's fields are, in all versions from CUDA 8 on. Times are ns, 0: not known. */
enum tacho__cuda_record_offset {
	TACHO__CUDA_AT_KIND = 0,

	TACHO__CUDA_KERNEL_AT_START = 16,
	TACHO__CUDA_KERNEL_AT_END = 24,
	TACHO__CUDA_KERNEL_AT_DEVICE = 40,
	TACHO__CUDA_KERNEL_AT_CONTEXT = 44,
	TACHO__CUDA_KERNEL_AT_STREAM = 48,
	TACHO__CUDA_KERNEL_AT_GRID = 52,
	TACHO__CUDA_KERNEL_AT_BLOCK = 64,
	TACHO__CUDA_KERNEL_AT_STATIC_SHARED = 76,
	TACHO__CUDA_KERNEL_AT_DYNAMIC_SHARED = 80,
	TACHO__CUDA_KERNEL_AT_CORRELATION = 92,
	TACHO__CUDA_KERNEL_AT_NAME = 104,
	TACHO__CUDA_KERNEL_BYTES = 112,	  /* up to here from CUDA 8 on */
	TACHO__CUDA_KERNEL_AT_NODE = 144, /* from CUDA 11.0 on; so is what follows */
	TACHO__CUDA_KERNEL_AT_GRAPH = 156,
	TACHO__CUDA_KERNEL_GRAPH_BYTES = 160,
	TACHO__CUDA_KERNEL_AT_CLUSTER = 176, /* from CUDA 11.8 on */
	TACHO__CUDA_KERNEL_CLUSTER_BYTES = 200,
	TACHO__CUDA_KERNEL_AT_DEVICE_LAUNCHED = 208, /* from CUDA 13.0 on */
	TACHO__CUDA_KERNEL_DEVICE_LAUNCHED_BYTES = 216,

	TACHO__CUDA_DEVICE_KERNEL_AT_START = 8,
	TACHO__CUDA_DEVICE_KERNEL_AT_END = 16,
	TACHO__CUDA_DEVICE_KERNEL_AT_DEVICE = 24,
	TACHO__CUDA_DEVICE_KERNEL_AT_CONTEXT = 28,
	TACHO__CUDA_DEVICE_KERNEL_AT_STREAM = 32,
	TACHO__CUDA_DEVICE_KERNEL_AT_GRID = 36,
	TACHO__CUDA_DEVICE_KERNEL_AT_BLOCK = 48,
	TACHO__CUDA_DEVICE_KERNEL_AT_CORRELATION = 76,
	TACHO__CUDA_DEVICE_KERNEL_AT_NAME = 136,
	TACHO__CUDA_DEVICE_KERNEL_BYTES = 144,

	TACHO__CUDA_COPY_AT_DIRECTION = 4, /* a byte: enum tacho__cuda_direction */
	TACHO__CUDA_COPY_AT_SIZE = 8,	   /* of copies, copies of peers and sets alike */
	TACHO__CUDA_COPY_AT_START = 16,
	TACHO__CUDA_COPY_AT_END = 24,
	TACHO__CUDA_COPY_AT_DEVICE = 32,
	TACHO__CUDA_COPY_AT_CONTEXT = 36,
	TACHO__CUDA_COPY_AT_STREAM = 40,
	TACHO__CUDA_COPY_AT_CORRELATION = 44, /* of copies and sets */
	TACHO__CUDA_COPY_BYTES = 48,
	TACHO__CUDA_COPY_AT_NODE = 64, /* of copies and sets, from CUDA 11.0 on */
	TACHO__CUDA_COPY_AT_GRAPH = 72,
	TACHO__CUDA_COPY_GRAPH_BYTES = 76,
	TACHO__CUDA_PEER_AT_CORRELATION = 60,
	TACHO__CUDA_PEER_BYTES = 64,
	TACHO__CUDA_PEER_AT_NODE = 72,
	TACHO__CUDA_PEER_AT_GRAPH = 80,
	TACHO__CUDA_PEER_GRAPH_BYTES = 84,
};

enum tacho__cuda_direction {
	TACHO__CUDA_HOST_TO_DEVICE = 1,
	TACHO__CUDA_DEVICE_TO_HOST = 2,
	TACHO__CUDA_HOST_TO_ARRAY = 3,
	TACHO__CUDA_ARRAY_TO_HOST = 4,
};

typedef void tacho__cuda_request_fn(uint8_t **buffer, size_t *size, size_t *max_records);
typedef void tacho__cuda_complete_fn(void *context, uint32_t stream, uint8_t *buffer, size_t size,
				     size_t valid_size);
typedef uint64_t tacho__cuda_timestamp_fn(void);

/* Statuses of libcupti that are met here. */
enum {
	TACHO__CUPTI_MAX_LIMIT_REACHED = 12,
	TACHO__CUPTI_NOT_INITIALIZED = 15,
	TACHO__CUPTI_MULTIPLE_SUBSCRIBERS = 39,
};

/* ---- libcuda ---- */

enum {
	TACHO__CUDA_NOT_READY = 600, /* a CUresult and a cudaError_t */
	TACHO__CUDA_CAPTURE_INVALIDATED = 901,
	TACHO__CUDA_CAPTURE_UNJOINED = 904,
	TACHO__CUDA_CAPTURE_RELAXED = 2, /* how strict a capture is */
	TACHO__CUDA_STREAM_LEGACY = 1,	 /* handles of streams that nobody made */
	TACHO__CUDA_STREAM_PER_THREAD = 2,
	TACHO__CUDA_LAUNCH_COOPERATIVE = 2, /* ids of attributes of launches */
	TACHO__CUDA_LAUNCH_CLUSTER = 4,
	TACHO__CUDA_NODE_KERNEL = 0,
	TACHO__CUDA_NODE_GRAPH = 4,
};

enum tacho__cuda_function_attribute {
	TACHO__CUDA_FUNCTION_MAX_THREADS = 0,
	TACHO__CUDA_FUNCTION_SHARED_BYTES = 1,
	TACHO__CUDA_FUNCTION_CONST_BYTES = 2,
	TACHO__CUDA_FUNCTION_LOCAL_BYTES = 3,
	TACHO__CUDA_FUNCTION_REGISTERS = 4,
};

enum tacho__cuda_device_attribute {
	TACHO__CUDA_DEVICE_CLOCK_KHZ = 13,
	TACHO__CUDA_DEVICE_MULTIPROCESSORS = 16,
	TACHO__CUDA_DEVICE_PCI_BUS = 33,
	TACHO__CUDA_DEVICE_PCI_DEVICE = 34,
	TACHO__CUDA_DEVICE_MEMORY_CLOCK_KHZ = 36,
	TACHO__CUDA_DEVICE_BUS_BITS = 37,
	TACHO__CUDA_DEVICE_PCI_DOMAIN = 50,
	TACHO__CUDA_DEVICE_MAJOR = 75,
	TACHO__CUDA_DEVICE_MINOR = 76,
};

/* A launch as cuLaunchKernelEx() has it; its attributes are 72 bytes each. */
struct tacho__cuda_launch_attribute {
	uint32_t id, pad;
	uint32_t value[16];
};

struct tacho__cuda_launch_config {
	uint32_t grid[3], block[3], shared_bytes;
	void *stream;
	const struct tacho__cuda_launch_attribute *attributes;
	uint32_t attribute_count;
};

/* Arguments of the functions that launch, by their callbacks' `params`. */
struct tacho__cuda_launch_params { /* cuLaunchKernel; cuLaunchCooperativeKernel lacks `extra` */
	void *function;
	uint32_t grid[3], block[3], shared_bytes;
	void *stream;
	void **arguments;
	void **extra;
};

struct tacho__cuda_launch_ex_params {
	const struct tacho__cuda_launch_config *config;
	void *function;
	void **arguments;
	void **extra;
};

struct tacho__cuda_launch_grid_params { /* cuLaunch has the function alone */
	void *function;
	int32_t width, height;
	void *stream; /* of cuLaunchGridAsync */
};

struct tacho__cuda_block_shape_params {
	void *function;
	int32_t block[3];
};

struct tacho__cuda_graph_launch_params {
	void *graph; /* executable */
	void *stream;
};

/* cuGraphInstantiate of every version, and WithFlags, WithParams. */
struct tacho__cuda_instantiate_params {
	void **executable;
	void *graph;
};

struct tacho__cuda_node_params { /* of cuGraphKernelNodeGetParams_v2 */
	void *function;
	uint32_t grid[3], block[3], shared_bytes;
	void **arguments;
	void **extra;
	void *kernel; /* when function is NULL */
	void *context;
};

/* What 2D and 3D copies move. */
struct tacho__cuda_copy_2d {
	uint64_t unused[14];
	uint64_t width_bytes, height;
};

struct tacho__cuda_copy_3d {
	uint64_t unused[22];
	uint64_t width_bytes, height, depth;
};

#endif
