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

PENDING void tacho__rocp_dispatch_on_start(struct tacho__rocp_context *context)
{
}

PENDING void tacho__rocp_dispatch_on_stop(struct tacho__rocp_context *context)
{
}

PENDING void tacho__rocp_dispatch_sync(void)
{
}

PENDING_API(rocprofiler_configure_buffer_dispatch_counting_service,
	    rocprofiler_context_id_t context_id, rocprofiler_buffer_id_t buffer_id,
	    rocprofiler_dispatch_counting_service_cb_t callback, void *callback_data_args);
PENDING_API(rocprofiler_configure_callback_dispatch_counting_service,
	    rocprofiler_context_id_t context_id,
	    rocprofiler_dispatch_counting_service_cb_t dispatch_callback,
	    void *dispatch_callback_args, rocprofiler_dispatch_counting_record_cb_t record_callback,
	    void *record_callback_args);
PENDING_API(rocprofiler_configure_callback_tracing_service, rocprofiler_context_id_t context_id,
	    rocprofiler_callback_tracing_kind_t kind,
	    const rocprofiler_tracing_operation_t *operations, size_t operations_count,
	    rocprofiler_callback_tracing_cb_t callback, void *callback_args);
