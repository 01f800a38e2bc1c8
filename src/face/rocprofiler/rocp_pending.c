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

PENDING rocprofiler_status_t tacho__rocp_device_on_start(struct tacho__rocp_context *context)
{
	return ROCPROFILER_STATUS_SUCCESS;
}

PENDING void tacho__rocp_device_on_stop(struct tacho__rocp_context *context)
{
}

PENDING_API(rocprofiler_configure_device_counting_service, rocprofiler_context_id_t context_id,
	    rocprofiler_buffer_id_t buffer_id, rocprofiler_agent_id_t agent_id,
	    rocprofiler_device_counting_service_cb_t cb, void *user_data);
PENDING_API(rocprofiler_sample_device_counting_service, rocprofiler_context_id_t context_id,
	    rocprofiler_user_data_t user_data, rocprofiler_counter_flag_t flags,
	    rocprofiler_counter_record_t *output_records, size_t *rec_count);
