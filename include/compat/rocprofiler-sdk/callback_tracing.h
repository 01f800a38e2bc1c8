/* SPDX-License-Identifier: MIT */
/*
 * Callbacks at once, in the thread that something happens in. Payloads that consist of the types of
 * HIP, HSA, RCCL, rocDecode, rocJPEG or OpenMP are not here.
 */
#ifndef TACHO_COMPAT_ROCPROFILER_CALLBACK_TRACING_H
#define TACHO_COMPAT_ROCPROFILER_CALLBACK_TRACING_H

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>
#include <rocprofiler-sdk/hip.h>
#include <rocprofiler-sdk/hsa.h>
#include <rocprofiler-sdk/marker.h>

#include <stdint.h>

ROCPROFILER_EXTERN_C_INIT

/* Where the bytes of a code object are. */
typedef enum rocprofiler_code_object_storage_type_t {
	ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_NONE = 0,
	ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_FILE = 1,
	ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_MEMORY = 2,
	ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_LAST = 3
} rocprofiler_code_object_storage_type_t;

#define ROCPROFILER_CODE_OBJECT_ID_NONE ROCPROFILER_UINT64_C(0)

/* Payload of ROCPROFILER_CODE_OBJECT_LOAD: a program of an agent. */
typedef struct rocprofiler_callback_tracing_code_object_load_data_t {
	uint64_t size; /* of this struct */
	uint64_t code_object_id;
	ROCPROFILER_COMPAT_UNNAMED union {
		rocprofiler_agent_id_t rocp_agent; /* the old name */
		rocprofiler_agent_id_t agent_id;
	};
	struct {
		uint64_t handle;
	} hsa_agent;	 /* an hsa_agent_t; 0 */
	const char *uri; /* file:// or memory:// */
	uint64_t load_base;
	uint64_t load_size; /* bytes */
	int64_t load_delta; /* of addresses: loaded minus in the code object */
	rocprofiler_code_object_storage_type_t storage_type;
	ROCPROFILER_COMPAT_UNNAMED union {
		ROCPROFILER_COMPAT_UNNAMED struct {
			int storage_file; /* TYPE_FILE: a descriptor */
		};
		ROCPROFILER_COMPAT_UNNAMED struct {
			uint64_t memory_base; /* TYPE_MEMORY */
			uint64_t memory_size;
		};
	};
} rocprofiler_callback_tracing_code_object_load_data_t;

/* Payload of ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER. Sizes in bytes. */
typedef struct rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t {
	uint64_t size; /* of this struct */
	uint64_t kernel_id;
	uint64_t code_object_id;
	const char *kernel_name; /* valid until the symbol is unloaded */
	uint64_t kernel_object;
	uint32_t kernarg_segment_size;
	uint32_t kernarg_segment_alignment;
	uint32_t group_segment_size;   /* LDS of a workgroup */
	uint32_t private_segment_size; /* scratch of a work-item */
	uint32_t sgpr_count;
	uint32_t arch_vgpr_count;
	uint32_t accum_vgpr_count;
	int64_t kernel_code_entry_byte_offset;
	rocprofiler_address_t kernel_address;
} rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t;

/* Payload of ROCPROFILER_CODE_OBJECT_HOST_KERNEL_SYMBOL_REGISTER. */
typedef struct rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t {
	uint64_t size; /* of this struct */
	uint64_t host_function_id;
	uint64_t kernel_id;
	uint64_t code_object_id;
	rocprofiler_address_t host_function;
	rocprofiler_address_t modules;
	const char *device_function;
	uint32_t thread_limit;
	rocprofiler_dim3_t thread_ids;
	rocprofiler_dim3_t block_ids;
	rocprofiler_dim3_t block_dims;
	rocprofiler_dim3_t grid_dims;
	uint64_t workgroup_size;
} rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t;

/* Payload of ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH. */
typedef struct rocprofiler_callback_tracing_kernel_dispatch_data_t {
	uint64_t size; /* of this struct */
	rocprofiler_timestamp_t start_timestamp;
	rocprofiler_timestamp_t end_timestamp;
	rocprofiler_kernel_dispatch_info_t dispatch_info;
} rocprofiler_callback_tracing_kernel_dispatch_data_t;

/* Payload of ROCPROFILER_CALLBACK_TRACING_MEMORY_COPY. Times are 0 before it has run. */
typedef struct rocprofiler_callback_tracing_memory_copy_data_t {
	uint64_t size; /* of this struct */
	rocprofiler_timestamp_t start_timestamp;
	rocprofiler_timestamp_t end_timestamp;
	rocprofiler_agent_id_t dst_agent_id;
	rocprofiler_agent_id_t src_agent_id;
	uint64_t bytes;
	rocprofiler_address_t dst_address;
	rocprofiler_address_t src_address;
} rocprofiler_callback_tracing_memory_copy_data_t;

/* Payload of ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION. */
typedef struct rocprofiler_callback_tracing_memory_allocation_data_t {
	uint64_t size; /* of this struct */
	rocprofiler_timestamp_t start_timestamp;
	rocprofiler_timestamp_t end_timestamp;
	rocprofiler_agent_id_t agent_id;
	rocprofiler_address_t address;
	uint64_t allocation_size; /* bytes */
} rocprofiler_callback_tracing_memory_allocation_data_t;

/* Payload of ROCPROFILER_CALLBACK_TRACING_RUNTIME_INITIALIZATION. */
typedef struct rocprofiler_callback_tracing_runtime_initialization_data_t {
	uint64_t size;	   /* of this struct */
	uint64_t version;  /* 10000 major + 100 minor + patch */
	uint64_t instance; /* how often it was loaded before */
} rocprofiler_callback_tracing_runtime_initialization_data_t;

/* Payload of ROCPROFILER_CALLBACK_TRACING_HIP_STREAM. */
typedef struct rocprofiler_callback_tracing_hip_stream_data_t {
	uint64_t size; /* of this struct */
	rocprofiler_stream_id_t stream_id;
	rocprofiler_address_t stream_value;
} rocprofiler_callback_tracing_hip_stream_data_t;

/* *user_data is kept from the first phase of a call to its last. */
typedef void (*rocprofiler_callback_tracing_cb_t)(rocprofiler_callback_tracing_record_t record,
						  rocprofiler_user_data_t *user_data,
						  void *callback_data) ROCPROFILER_NONNULL(2);

/* Callbacks of the iterations below; anything but 0 ends them. */
typedef int (*rocprofiler_callback_tracing_kind_cb_t)(rocprofiler_callback_tracing_kind_t kind,
						      void *data);
typedef int (*rocprofiler_callback_tracing_kind_operation_cb_t)(
	rocprofiler_callback_tracing_kind_t kind, rocprofiler_tracing_operation_t operation,
	void *data);
typedef int (*rocprofiler_callback_tracing_operation_args_cb_t)(
	rocprofiler_callback_tracing_kind_t kind, rocprofiler_tracing_operation_t operation,
	uint32_t arg_number, const void *const arg_value_addr, int32_t arg_indirection_count,
	const char *arg_type, const char *arg_name, const char *arg_value_str,
	int32_t arg_dereference_count, void *data);

/*
 * A context calls `callback` for these operations of a kind, for all when `operations` is NULL.
 * While a tool is initialized only: else ERROR_CONFIGURATION_LOCKED; ERROR_CONTEXT_NOT_FOUND,
 * ERROR_KIND_NOT_FOUND, ERROR_OPERATION_NOT_FOUND, ERROR_SERVICE_ALREADY_CONFIGURED when the
 * context has this kind; tacho: ERROR_NOT_IMPLEMENTED for kinds it does not serve.
 */
rocprofiler_status_t rocprofiler_configure_callback_tracing_service(
	rocprofiler_context_id_t context_id, rocprofiler_callback_tracing_kind_t kind,
	const rocprofiler_tracing_operation_t *operations, size_t operations_count,
	rocprofiler_callback_tracing_cb_t callback, void *callback_args) ROCPROFILER_API;

/* The name of a kind and its length; either may be NULL. ERROR_KIND_NOT_FOUND. */
rocprofiler_status_t
rocprofiler_query_callback_tracing_kind_name(rocprofiler_callback_tracing_kind_t kind,
					     const char **name, uint64_t *name_len) ROCPROFILER_API;

/* The same of an operation. ERROR_KIND_NOT_FOUND, ERROR_OPERATION_NOT_FOUND. */
rocprofiler_status_t rocprofiler_query_callback_tracing_kind_operation_name(
	rocprofiler_callback_tracing_kind_t kind, rocprofiler_tracing_operation_t operation,
	const char **name, uint64_t *name_len) ROCPROFILER_API;

/* Calls `callback` for each kind. */
rocprofiler_status_t
rocprofiler_iterate_callback_tracing_kinds(rocprofiler_callback_tracing_kind_cb_t callback,
					   void *data) ROCPROFILER_API ROCPROFILER_NONNULL(1);

/* Calls `callback` for each operation of a kind. ERROR_KIND_NOT_FOUND. */
rocprofiler_status_t rocprofiler_iterate_callback_tracing_kind_operations(
	rocprofiler_callback_tracing_kind_t kind,
	rocprofiler_callback_tracing_kind_operation_cb_t callback, void *data) ROCPROFILER_API
	ROCPROFILER_NONNULL(2);

/* Calls `callback` for each argument of the call that the record is of. */
rocprofiler_status_t rocprofiler_iterate_callback_tracing_kind_operation_args(
	rocprofiler_callback_tracing_record_t record,
	rocprofiler_callback_tracing_operation_args_cb_t callback, int32_t max_dereference_count,
	void *user_data) ROCPROFILER_API ROCPROFILER_NONNULL(2);

ROCPROFILER_EXTERN_C_FINI

#endif
