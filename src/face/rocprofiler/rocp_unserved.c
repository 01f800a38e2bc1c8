/* SPDX-License-Identifier: MIT */
/*
 * Functions that AMD's library has and tacho does not serve. They are there so that tools load, and
 * answer so that tools can go on without.
 */
#include "face/rocprofiler/rocprofiler.h"

/* Of what this library has no header for: arguments do not matter. */
#define UNSERVED(name)                                           \
	ROCPROFILER_API rocprofiler_status_t name(void);         \
	rocprofiler_status_t name(void)                          \
	{                                                        \
		return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED; \
	}                                                        \
	_Static_assert(1, #name)

#define UNNAMED(name)                           \
	ROCPROFILER_API const char *name(void); \
	const char *name(void)                  \
	{                                       \
		return NULL;                    \
	}                                       \
	_Static_assert(1, #name)

UNSERVED(rocprofiler_configure_pc_sampling_service);
UNSERVED(rocprofiler_query_pc_sampling_agent_configurations);
UNNAMED(rocprofiler_get_pc_sampling_instruction_not_issued_reason_name);
UNNAMED(rocprofiler_get_pc_sampling_instruction_type_name);
UNSERVED(rocprofiler_configure_device_thread_trace_service);
UNSERVED(rocprofiler_configure_dispatch_thread_trace_service);
UNSERVED(rocprofiler_thread_trace_decoder_create);
UNSERVED(rocprofiler_thread_trace_decoder_destroy);
UNNAMED(rocprofiler_thread_trace_decoder_info_string);
UNSERVED(rocprofiler_thread_trace_decoder_codeobj_load);
UNSERVED(rocprofiler_thread_trace_decoder_codeobj_unload);
UNSERVED(rocprofiler_trace_decode);
UNSERVED(rocprofiler_ompt_is_initialized);
UNSERVED(rocprofiler_ompt_is_finalized);

rocprofiler_status_t rocprofiler_configure_buffer_tracing_service(
	rocprofiler_context_id_t context_id, rocprofiler_buffer_tracing_kind_t kind,
	const rocprofiler_tracing_operation_t *operations, size_t operations_count,
	rocprofiler_buffer_id_t buffer_id)
{
	return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
}

rocprofiler_status_t rocprofiler_iterate_buffer_tracing_record_args(
	rocprofiler_record_header_t record, rocprofiler_buffer_tracing_operation_args_cb_t callback,
	void *user_data)
{
	return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
}

rocprofiler_status_t rocprofiler_iterate_callback_tracing_kind_operation_args(
	rocprofiler_callback_tracing_record_t record,
	rocprofiler_callback_tracing_operation_args_cb_t callback, int32_t max_dereference_count,
	void *user_data)
{
	return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
}

rocprofiler_status_t rocprofiler_configure_external_correlation_id_request_service(
	rocprofiler_context_id_t context_id,
	const rocprofiler_external_correlation_id_request_kind_t *kinds, size_t kinds_count,
	rocprofiler_external_correlation_id_request_cb_t callback, void *callback_args)
{
	return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
}

rocprofiler_status_t
rocprofiler_push_external_correlation_id(rocprofiler_context_id_t context,
					 rocprofiler_thread_id_t tid,
					 rocprofiler_user_data_t external_correlation_id)
{
	return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
}

rocprofiler_status_t
rocprofiler_pop_external_correlation_id(rocprofiler_context_id_t context,
					rocprofiler_thread_id_t tid,
					rocprofiler_user_data_t *external_correlation_id)
{
	return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
}

rocprofiler_status_t
rocprofiler_at_intercept_table_registration(rocprofiler_intercept_library_cb_t callback, int libs,
					    void *data)
{
	return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
}
