/* SPDX-License-Identifier: MIT */
/*
 * Weak stand-ins for files of this folder that are being written: each goes when its file comes,
 * and this file with the last.
 */
#include "face/rocprofiler/rocprofiler.h"

#define PENDING __attribute__((weak))
#define PENDING_API(name, ...)                                   \
	PENDING rocprofiler_status_t name(__VA_ARGS__)           \
	{                                                        \
		return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED; \
	}                                                        \
	_Static_assert(1, #name)

PENDING rocprofiler_status_t tacho__rocp_agents_load(void)
{
	return ROCPROFILER_STATUS_SUCCESS;
}

PENDING void tacho__rocp_dispatch_on_start(struct tacho__rocp_context *context)
{
}

PENDING void tacho__rocp_dispatch_on_stop(struct tacho__rocp_context *context)
{
}

PENDING void tacho__rocp_dispatch_sync(void)
{
}

PENDING rocprofiler_status_t tacho__rocp_device_on_start(struct tacho__rocp_context *context)
{
	return ROCPROFILER_STATUS_SUCCESS;
}

PENDING void tacho__rocp_device_on_stop(struct tacho__rocp_context *context)
{
}

PENDING_API(rocprofiler_query_available_agents, rocprofiler_agent_version_t version,
	    rocprofiler_query_available_agents_cb_t callback, size_t agent_size, void *user_data);
PENDING_API(rocprofiler_iterate_agent_supported_counters, rocprofiler_agent_id_t agent_id,
	    rocprofiler_available_counters_cb_t cb, void *user_data);
PENDING_API(rocprofiler_query_counter_info, rocprofiler_counter_id_t counter_id,
	    rocprofiler_counter_info_version_id_t version, void *info);
PENDING_API(rocprofiler_query_record_counter_id, rocprofiler_counter_instance_id_t id,
	    rocprofiler_counter_id_t *counter_id);
PENDING_API(rocprofiler_query_record_dimension_position, rocprofiler_counter_instance_id_t id,
	    rocprofiler_counter_dimension_id_t dim, size_t *pos);
PENDING_API(rocprofiler_create_counter, const char *name, size_t name_len, const char *expr,
	    size_t expr_len, const char *description, size_t description_len,
	    rocprofiler_agent_id_t agent, rocprofiler_counter_id_t *counter_id);
PENDING_API(rocprofiler_load_counter_definition, const char *yaml, size_t size,
	    rocprofiler_counter_flag_t flags);
PENDING_API(rocprofiler_iterate_counter_dimensions, rocprofiler_counter_id_t id,
	    rocprofiler_available_dimensions_cb_t info_cb, void *user_data);
PENDING_API(rocprofiler_query_counter_instance_count, rocprofiler_agent_id_t agent_id,
	    rocprofiler_counter_id_t counter_id, size_t *instance_count);
PENDING_API(rocprofiler_create_counter_config, rocprofiler_agent_id_t agent_id,
	    rocprofiler_counter_id_t *counters_list, size_t counters_count,
	    rocprofiler_counter_config_id_t *config_id);
PENDING_API(rocprofiler_destroy_counter_config, rocprofiler_counter_config_id_t config_id);
PENDING_API(rocprofiler_configure_buffer_dispatch_counting_service,
	    rocprofiler_context_id_t context_id, rocprofiler_buffer_id_t buffer_id,
	    rocprofiler_dispatch_counting_service_cb_t callback, void *callback_data_args);
PENDING_API(rocprofiler_configure_callback_dispatch_counting_service,
	    rocprofiler_context_id_t context_id,
	    rocprofiler_dispatch_counting_service_cb_t dispatch_callback,
	    void *dispatch_callback_args, rocprofiler_dispatch_counting_record_cb_t record_callback,
	    void *record_callback_args);
PENDING_API(rocprofiler_configure_device_counting_service, rocprofiler_context_id_t context_id,
	    rocprofiler_buffer_id_t buffer_id, rocprofiler_agent_id_t agent_id,
	    rocprofiler_device_counting_service_cb_t cb, void *user_data);
PENDING_API(rocprofiler_sample_device_counting_service, rocprofiler_context_id_t context_id,
	    rocprofiler_user_data_t user_data, rocprofiler_counter_flag_t flags,
	    rocprofiler_counter_record_t *output_records, size_t *rec_count);
PENDING_API(rocprofiler_configure_callback_tracing_service, rocprofiler_context_id_t context_id,
	    rocprofiler_callback_tracing_kind_t kind,
	    const rocprofiler_tracing_operation_t *operations, size_t operations_count,
	    rocprofiler_callback_tracing_cb_t callback, void *callback_args);
