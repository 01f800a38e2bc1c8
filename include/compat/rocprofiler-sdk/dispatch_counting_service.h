/* SPDX-License-Identifier: MIT */
/*
 * Counting of launches: a callback chooses a config for each, and its values come once it has run.
 * Counted kernels run alone on their device.
 */
#ifndef TACHO_COMPAT_ROCPROFILER_DISPATCH_COUNTING_SERVICE_H
#define TACHO_COMPAT_ROCPROFILER_DISPATCH_COUNTING_SERVICE_H

#include <rocprofiler-sdk/agent.h>
#include <rocprofiler-sdk/counter_config.h>
#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

/* A launch. Times are 0 before it has run. */
typedef struct ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_dispatch_counting_service_data_t {
	uint64_t size; /* of this struct */
	rocprofiler_async_correlation_id_t correlation_id;
	rocprofiler_timestamp_t start_timestamp;
	rocprofiler_timestamp_t end_timestamp;
	rocprofiler_kernel_dispatch_info_t dispatch_info;
} rocprofiler_dispatch_counting_service_data_t;

/* The same as a record in a buffer, before the values of the launch. */
typedef struct ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_dispatch_counting_service_record_t {
	uint64_t size;	      /* of this struct */
	uint64_t num_records; /* values that follow */
	rocprofiler_async_correlation_id_t correlation_id;
	rocprofiler_timestamp_t start_timestamp;
	rocprofiler_timestamp_t end_timestamp;
	rocprofiler_kernel_dispatch_info_t dispatch_info;
} rocprofiler_dispatch_counting_service_record_t;

/*
 * Called in the launching thread, before the launch. *config is 0: left so, the launch is not
 * counted. *user_data is 0 and comes back with the values.
 */
ROCPROFILER_SDK_EXPERIMENTAL typedef void (*rocprofiler_dispatch_counting_service_cb_t)(
	rocprofiler_dispatch_counting_service_data_t dispatch_data,
	rocprofiler_counter_config_id_t *config, rocprofiler_user_data_t *user_data,
	void *callback_data_args);

/* Called once a launch has run; the array is valid during the call. */
ROCPROFILER_SDK_EXPERIMENTAL typedef void (*rocprofiler_dispatch_counting_record_cb_t)(
	rocprofiler_dispatch_counting_service_data_t dispatch_data,
	rocprofiler_counter_record_t *record_data, size_t record_count,
	rocprofiler_user_data_t user_data, void *callback_data_args);

/*
 * The values of launches go to a buffer. While a tool is initialized only: else
 * ERROR_CONFIGURATION_LOCKED; ERROR_CONTEXT_NOT_FOUND or ERROR_CONTEXT_INVALID,
 * ERROR_BUFFER_NOT_FOUND, ERROR_AGENT_DISPATCH_CONFLICT when the context counts devices.
 */
ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_status_t
rocprofiler_configure_buffer_dispatch_counting_service(
	rocprofiler_context_id_t context_id, rocprofiler_buffer_id_t buffer_id,
	rocprofiler_dispatch_counting_service_cb_t callback,
	void *callback_data_args) ROCPROFILER_API;

/* The same with a callback for the values of each launch. */
ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_status_t
rocprofiler_configure_callback_dispatch_counting_service(
	rocprofiler_context_id_t context_id,
	rocprofiler_dispatch_counting_service_cb_t dispatch_callback, void *dispatch_callback_args,
	rocprofiler_dispatch_counting_record_cb_t record_callback,
	void *record_callback_args) ROCPROFILER_API;

#if ROCPROFILER_SDK_BETA_COMPAT > 0
/* The names of 0.5 and 0.6. */
ROCPROFILER_SDK_DEPRECATED("now rocprofiler_dispatch_counting_service_data_t")
typedef rocprofiler_dispatch_counting_service_data_t rocprofiler_profile_counting_dispatch_data_t;
ROCPROFILER_SDK_DEPRECATED("now rocprofiler_dispatch_counting_service_record_t")
typedef rocprofiler_dispatch_counting_service_record_t
	rocprofiler_profile_counting_dispatch_record_t;
ROCPROFILER_SDK_DEPRECATED("now rocprofiler_dispatch_counting_service_cb_t")
typedef rocprofiler_dispatch_counting_service_cb_t rocprofiler_dispatch_counting_service_callback_t;
ROCPROFILER_SDK_DEPRECATED("now rocprofiler_dispatch_counting_record_cb_t")
typedef rocprofiler_dispatch_counting_record_cb_t rocprofiler_profile_counting_record_callback_t;

ROCPROFILER_SDK_DEPRECATED("now rocprofiler_configure_buffer_dispatch_counting_service")
static inline rocprofiler_status_t rocprofiler_configure_buffered_dispatch_counting_service(
	rocprofiler_context_id_t context_id, rocprofiler_buffer_id_t buffer_id,
	rocprofiler_dispatch_counting_service_cb_t callback, void *callback_data_args)
{
	return rocprofiler_configure_buffer_dispatch_counting_service(context_id, buffer_id,
								      callback, callback_data_args);
}

ROCPROFILER_SDK_DEPRECATED("now rocprofiler_configure_buffer_dispatch_counting_service")
static inline rocprofiler_status_t rocprofiler_configure_buffered_dispatch_profile_counting_service(
	rocprofiler_context_id_t context_id, rocprofiler_buffer_id_t buffer_id,
	rocprofiler_dispatch_counting_service_cb_t callback, void *callback_data_args)
{
	return rocprofiler_configure_buffer_dispatch_counting_service(context_id, buffer_id,
								      callback, callback_data_args);
}
#endif

ROCPROFILER_EXTERN_C_FINI

#endif
