/* SPDX-License-Identifier: MIT */
/*
 * What all parts of ROCprofiler-SDK share: status codes, kinds, handles and records. Numbers, sizes
 * and offsets are those of AMD's library 1.0.0 on 64-bit Linux, so that tools that were built with
 * AMD's headers fit too.
 *
 * A handle is a struct with one number; 0 is no object. Times are nanoseconds on the clock of
 * rocprofiler_get_timestamp().
 */
#ifndef TACHO_COMPAT_ROCPROFILER_FWD_H
#define TACHO_COMPAT_ROCPROFILER_FWD_H

#include <rocprofiler-sdk/defines.h>

#include <stddef.h>
#include <stdint.h>

ROCPROFILER_EXTERN_C_INIT

/* What a function answers. rocprofiler_get_status_string() has a sentence for each. */
typedef enum rocprofiler_status_t {
	ROCPROFILER_STATUS_SUCCESS = 0,
	ROCPROFILER_STATUS_ERROR = 1,
	ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND = 2,
	ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND = 3,
	ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND = 4,
	ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND = 5,
	ROCPROFILER_STATUS_ERROR_THREAD_NOT_FOUND = 6,
	ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND = 7,
	ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND = 8,
	ROCPROFILER_STATUS_ERROR_CONTEXT_ERROR = 9,
	ROCPROFILER_STATUS_ERROR_CONTEXT_INVALID = 10,
	ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_STARTED = 11,
	ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT = 12,
	/* 0.5 did not have it: the numbers from here on were one less there. */
	ROCPROFILER_STATUS_ERROR_CONTEXT_ID_NOT_ZERO = 13,
	ROCPROFILER_STATUS_ERROR_BUFFER_BUSY = 14,
	ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED = 15,
	ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED = 16,
	ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED = 17,
	ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_ABI = 18,
	ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT = 19,
	ROCPROFILER_STATUS_ERROR_METRIC_NOT_VALID_FOR_AGENT = 20,
	ROCPROFILER_STATUS_ERROR_FINALIZED = 21,
	ROCPROFILER_STATUS_ERROR_HSA_NOT_LOADED = 22,
	ROCPROFILER_STATUS_ERROR_DIM_NOT_FOUND = 23,
	ROCPROFILER_STATUS_ERROR_PROFILE_COUNTER_NOT_FOUND = 24,
	ROCPROFILER_STATUS_ERROR_AST_GENERATION_FAILED = 25,
	ROCPROFILER_STATUS_ERROR_AST_NOT_FOUND = 26,
	ROCPROFILER_STATUS_ERROR_AQL_NO_EVENT_COORD = 27,
	ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_KERNEL = 28,
	ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES = 29,
	ROCPROFILER_STATUS_ERROR_PROFILE_NOT_FOUND = 30,
	ROCPROFILER_STATUS_ERROR_AGENT_DISPATCH_CONFLICT = 31,
	ROCPROFILER_STATUS_INTERNAL_NO_AGENT_CONTEXT = 32,
	ROCPROFILER_STATUS_ERROR_SAMPLE_RATE_EXCEEDED = 33,
	ROCPROFILER_STATUS_ERROR_NO_PROFILE_QUEUE = 34,
	ROCPROFILER_STATUS_ERROR_NO_HARDWARE_COUNTERS = 35,
	ROCPROFILER_STATUS_ERROR_AGENT_MISMATCH = 36,
	ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE = 37,
	ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT = 38,
	ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED = 39,
	ROCPROFILER_STATUS_ERROR_PERMISSION_DENIED = 40,
	ROCPROFILER_STATUS_LAST = 41
} rocprofiler_status_t;

/* The category of a record in a buffer; the kind is one of this category's. */
typedef enum rocprofiler_buffer_category_t {
	ROCPROFILER_BUFFER_CATEGORY_NONE = 0,
	ROCPROFILER_BUFFER_CATEGORY_TRACING = 1,     /* rocprofiler_buffer_tracing_kind_t */
	ROCPROFILER_BUFFER_CATEGORY_PC_SAMPLING = 2, /* rocprofiler_pc_sampling_record_kind_t */
	ROCPROFILER_BUFFER_CATEGORY_COUNTERS = 3,    /* rocprofiler_counter_record_kind_t */
	ROCPROFILER_BUFFER_CATEGORY_LAST = 4
} rocprofiler_buffer_category_t;

typedef enum rocprofiler_agent_type_t {
	ROCPROFILER_AGENT_TYPE_NONE = 0,
	ROCPROFILER_AGENT_TYPE_CPU = 1,
	ROCPROFILER_AGENT_TYPE_GPU = 2,
	ROCPROFILER_AGENT_TYPE_LAST = 3
} rocprofiler_agent_type_t;

/* Before and after a call; for code objects and kernel symbols, that they came or go. */
typedef enum rocprofiler_callback_phase_t {
	ROCPROFILER_CALLBACK_PHASE_NONE = 0,
	ROCPROFILER_CALLBACK_PHASE_ENTER = 1,
	ROCPROFILER_CALLBACK_PHASE_LOAD = 1,
	ROCPROFILER_CALLBACK_PHASE_EXIT = 2,
	ROCPROFILER_CALLBACK_PHASE_UNLOAD = 2,
	ROCPROFILER_CALLBACK_PHASE_LAST = 3
} rocprofiler_callback_phase_t;

/* What rocprofiler_configure_callback_tracing_service() can be asked for. */
typedef enum rocprofiler_callback_tracing_kind_t {
	ROCPROFILER_CALLBACK_TRACING_NONE = 0,
	ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API = 1,
	ROCPROFILER_CALLBACK_TRACING_HSA_AMD_EXT_API = 2,
	ROCPROFILER_CALLBACK_TRACING_HSA_IMAGE_EXT_API = 3,
	ROCPROFILER_CALLBACK_TRACING_HSA_FINALIZE_EXT_API = 4,
	ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API = 5,
	ROCPROFILER_CALLBACK_TRACING_HIP_COMPILER_API = 6,
	ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API = 7,
	ROCPROFILER_CALLBACK_TRACING_MARKER_CONTROL_API = 8,
	ROCPROFILER_CALLBACK_TRACING_MARKER_NAME_API = 9,
	ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT = 10, /* rocprofiler_code_object_operation_t */
	ROCPROFILER_CALLBACK_TRACING_SCRATCH_MEMORY = 11,
	ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH = 12,
	ROCPROFILER_CALLBACK_TRACING_MEMORY_COPY = 13,
	ROCPROFILER_CALLBACK_TRACING_RCCL_API = 14,
	ROCPROFILER_CALLBACK_TRACING_OMPT = 15,
	ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION = 16,
	ROCPROFILER_CALLBACK_TRACING_RUNTIME_INITIALIZATION = 17,
	ROCPROFILER_CALLBACK_TRACING_ROCDECODE_API = 18,
	ROCPROFILER_CALLBACK_TRACING_ROCJPEG_API = 19,
	ROCPROFILER_CALLBACK_TRACING_HIP_STREAM = 20,
	ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_RANGE_API = 21,
	ROCPROFILER_CALLBACK_TRACING_LAST = 22
} rocprofiler_callback_tracing_kind_t;

/* What rocprofiler_configure_buffer_tracing_service() can be asked for. */
typedef enum rocprofiler_buffer_tracing_kind_t {
	ROCPROFILER_BUFFER_TRACING_NONE = 0,
	ROCPROFILER_BUFFER_TRACING_HSA_CORE_API = 1,
	ROCPROFILER_BUFFER_TRACING_HSA_AMD_EXT_API = 2,
	ROCPROFILER_BUFFER_TRACING_HSA_IMAGE_EXT_API = 3,
	ROCPROFILER_BUFFER_TRACING_HSA_FINALIZE_EXT_API = 4,
	ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API = 5,
	ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API = 6,
	ROCPROFILER_BUFFER_TRACING_MARKER_CORE_API = 7,
	ROCPROFILER_BUFFER_TRACING_MARKER_CONTROL_API = 8,
	ROCPROFILER_BUFFER_TRACING_MARKER_NAME_API = 9,
	ROCPROFILER_BUFFER_TRACING_MEMORY_COPY = 10,
	ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH = 11,
	ROCPROFILER_BUFFER_TRACING_SCRATCH_MEMORY = 12,
	ROCPROFILER_BUFFER_TRACING_CORRELATION_ID_RETIREMENT = 13,
	ROCPROFILER_BUFFER_TRACING_RCCL_API = 14,
	ROCPROFILER_BUFFER_TRACING_OMPT = 15,
	ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION = 16,
	ROCPROFILER_BUFFER_TRACING_RUNTIME_INITIALIZATION = 17,
	ROCPROFILER_BUFFER_TRACING_ROCDECODE_API = 18,
	ROCPROFILER_BUFFER_TRACING_ROCJPEG_API = 19,
	ROCPROFILER_BUFFER_TRACING_HIP_STREAM = 20,
	ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API_EXT = 21, /* with the arguments of the call */
	ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API_EXT = 22,
	ROCPROFILER_BUFFER_TRACING_ROCDECODE_API_EXT = 23,
	ROCPROFILER_BUFFER_TRACING_KFD_EVENT_PAGE_MIGRATE = 24,
	ROCPROFILER_BUFFER_TRACING_KFD_EVENT_PAGE_FAULT = 25,
	ROCPROFILER_BUFFER_TRACING_KFD_EVENT_QUEUE = 26,
	ROCPROFILER_BUFFER_TRACING_KFD_EVENT_UNMAP_FROM_GPU = 27,
	ROCPROFILER_BUFFER_TRACING_KFD_EVENT_DROPPED_EVENTS = 28,
	ROCPROFILER_BUFFER_TRACING_KFD_PAGE_MIGRATE = 29,
	ROCPROFILER_BUFFER_TRACING_KFD_PAGE_FAULT = 30,
	ROCPROFILER_BUFFER_TRACING_KFD_QUEUE = 31,
	ROCPROFILER_BUFFER_TRACING_MARKER_CORE_RANGE_API = 32,
	ROCPROFILER_BUFFER_TRACING_LAST = 33
} rocprofiler_buffer_tracing_kind_t;

/* Operations of ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT. */
typedef enum rocprofiler_code_object_operation_t {
	ROCPROFILER_CODE_OBJECT_NONE = 0,
	ROCPROFILER_CODE_OBJECT_LOAD = 1,
	ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER = 2,
	ROCPROFILER_CODE_OBJECT_HOST_KERNEL_SYMBOL_REGISTER = 3,
	ROCPROFILER_CODE_OBJECT_LAST = 4
} rocprofiler_code_object_operation_t;

typedef enum rocprofiler_hip_stream_operation_t {
	ROCPROFILER_HIP_STREAM_NONE = 0,
	ROCPROFILER_HIP_STREAM_CREATE = 1,
	ROCPROFILER_HIP_STREAM_DESTROY = 2,
	ROCPROFILER_HIP_STREAM_SET = 3, /* around what is sent to a stream */
	ROCPROFILER_HIP_STREAM_LAST = 4
} rocprofiler_hip_stream_operation_t;

typedef enum rocprofiler_memory_copy_operation_t {
	ROCPROFILER_MEMORY_COPY_NONE = 0,
	ROCPROFILER_MEMORY_COPY_HOST_TO_HOST = 1,
	ROCPROFILER_MEMORY_COPY_HOST_TO_DEVICE = 2,
	ROCPROFILER_MEMORY_COPY_DEVICE_TO_HOST = 3,
	ROCPROFILER_MEMORY_COPY_DEVICE_TO_DEVICE = 4,
	ROCPROFILER_MEMORY_COPY_LAST = 5
} rocprofiler_memory_copy_operation_t;

typedef enum rocprofiler_memory_allocation_operation_t {
	ROCPROFILER_MEMORY_ALLOCATION_NONE = 0,
	ROCPROFILER_MEMORY_ALLOCATION_ALLOCATE = 1,
	ROCPROFILER_MEMORY_ALLOCATION_VMEM_ALLOCATE = 2,
	ROCPROFILER_MEMORY_ALLOCATION_FREE = 3,
	ROCPROFILER_MEMORY_ALLOCATION_VMEM_FREE = 4,
	ROCPROFILER_MEMORY_ALLOCATION_LAST = 5
} rocprofiler_memory_allocation_operation_t;

/* ENQUEUE comes before and after a kernel is put into its queue, COMPLETE when it has run. */
typedef enum rocprofiler_kernel_dispatch_operation_t {
	ROCPROFILER_KERNEL_DISPATCH_NONE = 0,
	ROCPROFILER_KERNEL_DISPATCH_ENQUEUE = 1,
	ROCPROFILER_KERNEL_DISPATCH_COMPLETE = 2,
	ROCPROFILER_KERNEL_DISPATCH_LAST = 3
} rocprofiler_kernel_dispatch_operation_t;

typedef enum rocprofiler_pc_sampling_method_t {
	ROCPROFILER_PC_SAMPLING_METHOD_NONE = 0,
	ROCPROFILER_PC_SAMPLING_METHOD_STOCHASTIC = 1,
	ROCPROFILER_PC_SAMPLING_METHOD_HOST_TRAP = 2,
	ROCPROFILER_PC_SAMPLING_METHOD_LAST = 3
} rocprofiler_pc_sampling_method_t;

typedef enum rocprofiler_pc_sampling_unit_t {
	ROCPROFILER_PC_SAMPLING_UNIT_NONE = 0,
	ROCPROFILER_PC_SAMPLING_UNIT_INSTRUCTIONS = 1,
	ROCPROFILER_PC_SAMPLING_UNIT_CYCLES = 2,
	ROCPROFILER_PC_SAMPLING_UNIT_TIME = 3, /* nanoseconds */
	ROCPROFILER_PC_SAMPLING_UNIT_LAST = 4
} rocprofiler_pc_sampling_unit_t;

/* What becomes of a record that a full buffer has no room for. */
typedef enum rocprofiler_buffer_policy_t {
	ROCPROFILER_BUFFER_POLICY_NONE = 0,
	ROCPROFILER_BUFFER_POLICY_DISCARD = 1,	/* it is dropped and counted */
	ROCPROFILER_BUFFER_POLICY_LOSSLESS = 2, /* its producer waits until there is room */
	ROCPROFILER_BUFFER_POLICY_LAST = 3
} rocprofiler_buffer_policy_t;

typedef enum rocprofiler_scratch_memory_operation_t {
	ROCPROFILER_SCRATCH_MEMORY_NONE = 0,
	ROCPROFILER_SCRATCH_MEMORY_ALLOC = 1,
	ROCPROFILER_SCRATCH_MEMORY_FREE = 2,
	ROCPROFILER_SCRATCH_MEMORY_ASYNC_RECLAIM = 3,
	ROCPROFILER_SCRATCH_MEMORY_LAST = 4
} rocprofiler_scratch_memory_operation_t;

/* Libraries whose threads a tool can ask to hear of (internal_threading.h); bits. */
typedef enum rocprofiler_runtime_library_t {
	ROCPROFILER_LIBRARY = 1,
	ROCPROFILER_HSA_LIBRARY = 2,
	ROCPROFILER_HIP_LIBRARY = 4,
	ROCPROFILER_MARKER_LIBRARY = 8,
	ROCPROFILER_RCCL_LIBRARY = 16,
	ROCPROFILER_ROCDECODE_LIBRARY = 32,
	ROCPROFILER_ROCJPEG_LIBRARY = 64,
	ROCPROFILER_LIBRARY_LAST = 64
} rocprofiler_runtime_library_t;

/* Tables of functions of the runtimes (intercept_table.h); bits. */
typedef enum rocprofiler_intercept_table_t {
	ROCPROFILER_HSA_TABLE = 1,
	ROCPROFILER_HIP_RUNTIME_TABLE = 2,
	ROCPROFILER_HIP_COMPILER_TABLE = 4,
	ROCPROFILER_MARKER_CORE_TABLE = 8,
	ROCPROFILER_MARKER_CONTROL_TABLE = 16,
	ROCPROFILER_MARKER_NAME_TABLE = 32,
	ROCPROFILER_RCCL_TABLE = 64,
	ROCPROFILER_ROCDECODE_TABLE = 128,
	ROCPROFILER_ROCJPEG_TABLE = 256,
	ROCPROFILER_TABLE_LAST = 256
} rocprofiler_intercept_table_t;

typedef enum rocprofiler_runtime_initialization_operation_t {
	ROCPROFILER_RUNTIME_INITIALIZATION_NONE = 0,
	ROCPROFILER_RUNTIME_INITIALIZATION_HSA = 1,
	ROCPROFILER_RUNTIME_INITIALIZATION_HIP = 2,
	ROCPROFILER_RUNTIME_INITIALIZATION_MARKER = 3,
	ROCPROFILER_RUNTIME_INITIALIZATION_RCCL = 4,
	ROCPROFILER_RUNTIME_INITIALIZATION_ROCDECODE = 5,
	ROCPROFILER_RUNTIME_INITIALIZATION_ROCJPEG = 6,
	ROCPROFILER_RUNTIME_INITIALIZATION_LAST = 7
} rocprofiler_runtime_initialization_operation_t;

/* The struct that rocprofiler_query_counter_info() fills. */
typedef enum rocprofiler_counter_info_version_id_t {
	ROCPROFILER_COUNTER_INFO_VERSION_NONE = 0,
	ROCPROFILER_COUNTER_INFO_VERSION_0 = 1, /* rocprofiler_counter_info_v0_t */
	ROCPROFILER_COUNTER_INFO_VERSION_1 = 2, /* rocprofiler_counter_info_v1_t */
	ROCPROFILER_COUNTER_INFO_VERSION_LAST = 3
} rocprofiler_counter_info_version_id_t;

/* Kinds of records of ROCPROFILER_BUFFER_CATEGORY_COUNTERS. */
typedef enum rocprofiler_counter_record_kind_t {
	ROCPROFILER_COUNTER_RECORD_NONE = 0,
	/* rocprofiler_dispatch_counting_service_record_t; the values follow it */
	ROCPROFILER_COUNTER_RECORD_PROFILE_COUNTING_DISPATCH_HEADER = 1,
	ROCPROFILER_COUNTER_RECORD_VALUE = 2, /* rocprofiler_counter_record_t */
	ROCPROFILER_COUNTER_RECORD_LAST = 3
} rocprofiler_counter_record_kind_t;

typedef enum rocprofiler_counter_flag_t {
	ROCPROFILER_COUNTER_FLAG_NONE = 0,
	ROCPROFILER_COUNTER_FLAG_ASYNC = 1,		/* a sample: do not wait for the values */
	ROCPROFILER_COUNTER_FLAG_APPEND_DEFINITION = 2, /* definitions: add to those there are */
	ROCPROFILER_COUNTER_FLAG_LAST = 3
} rocprofiler_counter_flag_t;

/* Kinds of records of ROCPROFILER_BUFFER_CATEGORY_PC_SAMPLING. */
typedef enum rocprofiler_pc_sampling_record_kind_t {
	ROCPROFILER_PC_SAMPLING_RECORD_NONE = 0,
	ROCPROFILER_PC_SAMPLING_RECORD_INVALID_SAMPLE = 1,
	ROCPROFILER_PC_SAMPLING_RECORD_HOST_TRAP_V0_SAMPLE = 2,
	ROCPROFILER_PC_SAMPLING_RECORD_STOCHASTIC_V0_SAMPLE = 3,
	ROCPROFILER_PC_SAMPLING_RECORD_LAST = 4
} rocprofiler_pc_sampling_record_kind_t;

/* The numbers of dimensions: values of rocprofiler_counter_dimension_id_t. AMD's headers lack it.
 */
typedef enum rocprofiler_profile_counter_instance_types {
	ROCPROFILER_DIMENSION_NONE = 0,
	ROCPROFILER_DIMENSION_XCC = 1,
	ROCPROFILER_DIMENSION_AID = 2,
	ROCPROFILER_DIMENSION_SHADER_ENGINE = 3,
	ROCPROFILER_DIMENSION_AGENT = 4,
	ROCPROFILER_DIMENSION_SHADER_ARRAY = 5,
	ROCPROFILER_DIMENSION_WGP = 6,
	ROCPROFILER_DIMENSION_INSTANCE = 7,
	ROCPROFILER_DIMENSION_LAST = 8
} rocprofiler_profile_counter_instance_types;

typedef uint64_t rocprofiler_timestamp_t; /* nanoseconds */
typedef uint64_t rocprofiler_thread_id_t; /* as gettid() has it */
/* An operation of a kind; 0 is all of them. */
typedef int32_t rocprofiler_tracing_operation_t;
typedef uint64_t rocprofiler_kernel_id_t;
typedef uint64_t rocprofiler_dispatch_id_t;
/* A counter and one of its instances; counters.h has what reads it. */
typedef uint64_t rocprofiler_counter_instance_id_t;
typedef uint64_t rocprofiler_counter_dimension_id_t;

/* Whatever the tool wants to find again. */
typedef union rocprofiler_user_data_t {
	uint64_t value;
	void *ptr;
} rocprofiler_user_data_t;

typedef union rocprofiler_address_t {
	uint64_t handle;
	uint64_t value;
	const void *ptr;
} rocprofiler_address_t;

typedef struct rocprofiler_uuid_t {
	uint8_t bytes[16];
} rocprofiler_uuid_t;

typedef struct rocprofiler_version_triplet_t {
	uint32_t major;
	uint32_t minor;
	uint32_t patch;
} rocprofiler_version_triplet_t;

typedef struct rocprofiler_context_id_t {
	uint64_t handle;
} rocprofiler_context_id_t;

typedef struct rocprofiler_queue_id_t {
	uint64_t handle;
} rocprofiler_queue_id_t;

typedef struct rocprofiler_stream_id_t {
	uint64_t handle;
} rocprofiler_stream_id_t;

typedef struct rocprofiler_buffer_id_t {
	uint64_t handle;
} rocprofiler_buffer_id_t;

typedef struct rocprofiler_agent_id_t {
	uint64_t handle;
} rocprofiler_agent_id_t;

typedef struct rocprofiler_counter_id_t {
	uint64_t handle;
} rocprofiler_counter_id_t;

/* What is counted on one agent; counter_config.h makes it. */
typedef struct rocprofiler_counter_config_id_t {
	uint64_t handle;
} rocprofiler_counter_config_id_t;

/* Ties records of one call together. */
typedef struct rocprofiler_correlation_id_t {
	uint64_t internal;		  /* of the call; unique in the process */
	rocprofiler_user_data_t external; /* of the tool (external_correlation.h) */
	uint64_t ancestor;		  /* the call that made this one */
} rocprofiler_correlation_id_t;

/* The same of what runs after the call: copies and kernels. */
typedef struct rocprofiler_async_correlation_id_t {
	uint64_t internal;
	rocprofiler_user_data_t external;
} rocprofiler_async_correlation_id_t;

#define ROCPROFILER_CORRELATION_ID_INTERNAL_NONE ROCPROFILER_UINT64_C(0)
#define ROCPROFILER_CORRELATION_ID_ANCESTOR_NONE ROCPROFILER_UINT64_C(0)

typedef struct rocprofiler_dim3_t {
	uint32_t x;
	uint32_t y;
	uint32_t z;
} rocprofiler_dim3_t;

/* What a callback of callback_tracing.h is given; the payload's type is the kind's and operation's.
 */
typedef struct rocprofiler_callback_tracing_record_t {
	rocprofiler_context_id_t context_id;
	rocprofiler_thread_id_t thread_id;
	rocprofiler_correlation_id_t correlation_id;
	rocprofiler_callback_tracing_kind_t kind;
	rocprofiler_tracing_operation_t operation;
	rocprofiler_callback_phase_t phase;
	void *payload; /* valid during the callback */
} rocprofiler_callback_tracing_record_t;

/* A record in a buffer; the payload's type is the category's and kind's. */
typedef struct rocprofiler_record_header_t {
	ROCPROFILER_COMPAT_UNNAMED union {
		ROCPROFILER_COMPAT_UNNAMED struct {
			uint32_t category; /* rocprofiler_buffer_category_t */
			uint32_t kind;
		};
		uint64_t hash; /* both: category in the lower half, kind in the upper */
	};
	void *payload; /* valid during the callback */
} rocprofiler_record_header_t;

static inline uint64_t rocprofiler_record_header_compute_hash(uint32_t category, uint32_t kind)
{
	return (uint64_t)kind << 32 | category;
}

/* A launch of a kernel. Sizes in work-items and bytes. */
typedef struct rocprofiler_kernel_dispatch_info_t {
	uint64_t size; /* of this struct without the padding at its end */
	rocprofiler_agent_id_t agent_id;
	rocprofiler_queue_id_t queue_id;
	rocprofiler_kernel_id_t kernel_id;     /* its name came as a code object's symbol */
	rocprofiler_dispatch_id_t dispatch_id; /* counts from 1 */
	uint32_t private_segment_size;	       /* scratch of a work-item */
	uint32_t group_segment_size;	       /* LDS of a workgroup */
	rocprofiler_dim3_t workgroup_size;
	rocprofiler_dim3_t grid_size;
	uint8_t reserved_padding[56];
} rocprofiler_kernel_dispatch_info_t;

/* A dimension of a counter. */
typedef struct ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_counter_record_dimension_info_t {
	const char *name;     /* such as DIMENSION_XCC; lives as long as the library */
	size_t instance_size; /* positions are 0 to this - 1 */
	rocprofiler_counter_dimension_id_t id;
} rocprofiler_counter_record_dimension_info_t;

/* The value of one instance of a counter. */
typedef struct ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_counter_record_t {
	rocprofiler_counter_instance_id_t id;
	double counter_value;
	rocprofiler_dispatch_id_t dispatch_id; /* 0: of a device, not of a launch */
	rocprofiler_user_data_t user_data;
	rocprofiler_agent_id_t agent_id;
} rocprofiler_counter_record_t;

#if ROCPROFILER_SDK_BETA_COMPAT > 0
/* The names of 0.5 and 0.6. */
ROCPROFILER_SDK_DEPRECATED("now rocprofiler_counter_record_dimension_info_t")
typedef rocprofiler_counter_record_dimension_info_t rocprofiler_record_dimension_info_t;
ROCPROFILER_SDK_DEPRECATED("now rocprofiler_counter_record_t")
typedef rocprofiler_counter_record_t rocprofiler_record_counter_t;
ROCPROFILER_SDK_DEPRECATED("now rocprofiler_counter_config_id_t")
typedef rocprofiler_counter_config_id_t rocprofiler_profile_config_id_t;
#endif

ROCPROFILER_EXTERN_C_FINI

#endif
