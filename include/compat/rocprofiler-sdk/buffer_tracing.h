/* SPDX-License-Identifier: MIT */
/*
 * Calls, copies and launches as records in buffers. Records that consist of the types of HIP and
 * rocDecode, and those of the kernel driver, are not here.
 */
#ifndef TACHO_COMPAT_ROCPROFILER_BUFFER_TRACING_H
#define TACHO_COMPAT_ROCPROFILER_BUFFER_TRACING_H

#include <rocprofiler-sdk/agent.h>
#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>
#include <rocprofiler-sdk/hsa.h>

#include <stdint.h>

ROCPROFILER_EXTERN_C_INIT

/* A call of HSA; those of HIP, ROCTx, RCCL, rocDecode and rocJPEG look the same. */
typedef struct rocprofiler_buffer_tracing_hsa_api_record_t {
	uint64_t size; /* of this struct */
	rocprofiler_buffer_tracing_kind_t kind;
	rocprofiler_tracing_operation_t operation; /* the function */
	rocprofiler_correlation_id_t correlation_id;
	rocprofiler_timestamp_t start_timestamp;
	rocprofiler_timestamp_t end_timestamp;
	rocprofiler_thread_id_t thread_id;
} rocprofiler_buffer_tracing_hsa_api_record_t;

typedef rocprofiler_buffer_tracing_hsa_api_record_t rocprofiler_buffer_tracing_hip_api_record_t;
typedef rocprofiler_buffer_tracing_hsa_api_record_t rocprofiler_buffer_tracing_marker_api_record_t;
typedef rocprofiler_buffer_tracing_hsa_api_record_t rocprofiler_buffer_tracing_rccl_api_record_t;
typedef rocprofiler_buffer_tracing_hsa_api_record_t
	rocprofiler_buffer_tracing_rocdecode_api_record_t;
typedef rocprofiler_buffer_tracing_hsa_api_record_t rocprofiler_buffer_tracing_rocjpeg_api_record_t;

/* What a record of OpenMP has besides; numbers and addresses as OMPT hands them out. */
typedef struct rocprofiler_buffer_tracing_ompt_target_t {
	int32_t kind;
	int32_t device_num;
	uint64_t task_id;
	uint64_t target_id;
	const void *codeptr_ra;
} rocprofiler_buffer_tracing_ompt_target_t;

typedef struct rocprofiler_buffer_tracing_ompt_target_data_op_t {
	uint64_t host_op_id;
	int32_t optype;
	int32_t src_device_num;
	int32_t dst_device_num;
	int32_t reserved;
	uint64_t bytes;
	const void *codeptr_ra;
} rocprofiler_buffer_tracing_ompt_target_data_op_t;

typedef struct rocprofiler_buffer_tracing_ompt_target_kernel_t {
	uint64_t host_op_id;
	int32_t device_num;
	uint32_t requested_num_teams;
} rocprofiler_buffer_tracing_ompt_target_kernel_t;

typedef struct rocprofiler_buffer_tracing_ompt_record_t {
	uint64_t size; /* of this struct */
	rocprofiler_buffer_tracing_kind_t kind;
	rocprofiler_tracing_operation_t operation;
	rocprofiler_correlation_id_t correlation_id;
	rocprofiler_timestamp_t start_timestamp;
	rocprofiler_timestamp_t end_timestamp;
	rocprofiler_thread_id_t thread_id;
	ROCPROFILER_COMPAT_UNNAMED union {
		rocprofiler_buffer_tracing_ompt_target_t target;
		rocprofiler_buffer_tracing_ompt_target_data_op_t target_data_op;
		rocprofiler_buffer_tracing_ompt_target_kernel_t target_kernel;
		uint64_t reserved[5];
	};
} rocprofiler_buffer_tracing_ompt_record_t;

typedef struct rocprofiler_buffer_tracing_memory_copy_record_t {
	uint64_t size; /* of this struct */
	rocprofiler_buffer_tracing_kind_t kind;
	rocprofiler_memory_copy_operation_t operation;
	rocprofiler_async_correlation_id_t correlation_id;
	rocprofiler_thread_id_t thread_id; /* that asked for it */
	rocprofiler_timestamp_t start_timestamp;
	rocprofiler_timestamp_t end_timestamp;
	rocprofiler_agent_id_t dst_agent_id;
	rocprofiler_agent_id_t src_agent_id;
	uint64_t bytes;
	rocprofiler_address_t dst_address;
	rocprofiler_address_t src_address;
} rocprofiler_buffer_tracing_memory_copy_record_t;

typedef struct rocprofiler_buffer_tracing_memory_allocation_record_t {
	uint64_t size; /* of this struct */
	rocprofiler_buffer_tracing_kind_t kind;
	rocprofiler_memory_allocation_operation_t operation;
	rocprofiler_correlation_id_t correlation_id;
	rocprofiler_thread_id_t thread_id;
	rocprofiler_timestamp_t start_timestamp;
	rocprofiler_timestamp_t end_timestamp;
	rocprofiler_agent_id_t agent_id;
	rocprofiler_address_t address;
	uint64_t allocation_size; /* bytes */
} rocprofiler_buffer_tracing_memory_allocation_record_t;

/* Its operation is ROCPROFILER_KERNEL_DISPATCH_COMPLETE. */
typedef struct rocprofiler_buffer_tracing_kernel_dispatch_record_t {
	uint64_t size; /* of this struct */
	rocprofiler_buffer_tracing_kind_t kind;
	rocprofiler_kernel_dispatch_operation_t operation;
	rocprofiler_async_correlation_id_t correlation_id;
	rocprofiler_thread_id_t thread_id; /* that launched it */
	rocprofiler_timestamp_t start_timestamp;
	rocprofiler_timestamp_t end_timestamp;
	rocprofiler_kernel_dispatch_info_t dispatch_info;
} rocprofiler_buffer_tracing_kernel_dispatch_record_t;

typedef struct rocprofiler_buffer_tracing_scratch_memory_record_t {
	uint64_t size; /* of this struct */
	rocprofiler_buffer_tracing_kind_t kind;
	rocprofiler_scratch_memory_operation_t operation;
	rocprofiler_correlation_id_t correlation_id;
	rocprofiler_agent_id_t agent_id;
	rocprofiler_queue_id_t queue_id;
	rocprofiler_thread_id_t thread_id;
	rocprofiler_timestamp_t start_timestamp;
	rocprofiler_timestamp_t end_timestamp;
	rocprofiler_scratch_alloc_flag_t flags;
	uint64_t allocation_size; /* bytes */
} rocprofiler_buffer_tracing_scratch_memory_record_t;

/* No record with this correlation id follows. */
typedef struct rocprofiler_buffer_tracing_correlation_id_retirement_record_t {
	uint64_t size; /* of this struct */
	rocprofiler_buffer_tracing_kind_t kind;
	rocprofiler_timestamp_t timestamp;
	uint64_t internal_correlation_id;
} rocprofiler_buffer_tracing_correlation_id_retirement_record_t;

typedef struct rocprofiler_buffer_tracing_runtime_initialization_record_t {
	uint64_t size; /* of this struct */
	rocprofiler_buffer_tracing_kind_t kind;
	rocprofiler_runtime_initialization_operation_t operation;
	rocprofiler_correlation_id_t correlation_id; /* all 0 */
	rocprofiler_thread_id_t thread_id;
	rocprofiler_timestamp_t timestamp;
	uint64_t version;  /* 10000 major + 100 minor + patch */
	uint64_t instance; /* how often it was loaded before */
} rocprofiler_buffer_tracing_runtime_initialization_record_t;

/* Callbacks of the iterations below; anything but 0 ends them. */
typedef int (*rocprofiler_buffer_tracing_kind_cb_t)(rocprofiler_buffer_tracing_kind_t kind,
						    void *data);
typedef int (*rocprofiler_buffer_tracing_kind_operation_cb_t)(
	rocprofiler_buffer_tracing_kind_t kind, rocprofiler_tracing_operation_t operation,
	void *data);
typedef int (*rocprofiler_buffer_tracing_operation_args_cb_t)(
	rocprofiler_buffer_tracing_kind_t kind, rocprofiler_tracing_operation_t operation,
	uint32_t arg_number, const void *const arg_value_addr, int32_t arg_indirection_count,
	const char *arg_type, const char *arg_name, const char *arg_value_str, void *data);

/*
 * A context puts these operations of a kind into a buffer, all when `operations` is NULL. While a
 * tool is initialized only: else ERROR_CONFIGURATION_LOCKED; ERROR_CONTEXT_NOT_FOUND,
 * ERROR_BUFFER_NOT_FOUND, ERROR_KIND_NOT_FOUND, ERROR_OPERATION_NOT_FOUND,
 * ERROR_SERVICE_ALREADY_CONFIGURED; tacho: ERROR_NOT_IMPLEMENTED for kinds it does not serve.
 */
rocprofiler_status_t rocprofiler_configure_buffer_tracing_service(
	rocprofiler_context_id_t context_id, rocprofiler_buffer_tracing_kind_t kind,
	const rocprofiler_tracing_operation_t *operations, size_t operations_count,
	rocprofiler_buffer_id_t buffer_id) ROCPROFILER_API;

/* The name of a kind and its length; either may be NULL. ERROR_KIND_NOT_FOUND. */
rocprofiler_status_t
rocprofiler_query_buffer_tracing_kind_name(rocprofiler_buffer_tracing_kind_t kind,
					   const char **name, uint64_t *name_len) ROCPROFILER_API;

/* The same of an operation. ERROR_KIND_NOT_FOUND, ERROR_OPERATION_NOT_FOUND. */
rocprofiler_status_t rocprofiler_query_buffer_tracing_kind_operation_name(
	rocprofiler_buffer_tracing_kind_t kind, rocprofiler_tracing_operation_t operation,
	const char **name, uint64_t *name_len) ROCPROFILER_API;

/* Calls `callback` for each kind. */
rocprofiler_status_t
rocprofiler_iterate_buffer_tracing_kinds(rocprofiler_buffer_tracing_kind_cb_t callback,
					 void *data) ROCPROFILER_API ROCPROFILER_NONNULL(1);

/* Calls `callback` for each operation of a kind. ERROR_KIND_NOT_FOUND. */
rocprofiler_status_t rocprofiler_iterate_buffer_tracing_kind_operations(
	rocprofiler_buffer_tracing_kind_t kind,
	rocprofiler_buffer_tracing_kind_operation_cb_t callback, void *data) ROCPROFILER_API
	ROCPROFILER_NONNULL(2);

/* Calls `callback` for each argument of the call that the record is of. */
rocprofiler_status_t rocprofiler_iterate_buffer_tracing_record_args(
	rocprofiler_record_header_t record, rocprofiler_buffer_tracing_operation_args_cb_t callback,
	void *user_data) ROCPROFILER_API ROCPROFILER_NONNULL(2);

ROCPROFILER_EXTERN_C_FINI

#endif
