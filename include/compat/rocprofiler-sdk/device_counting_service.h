/* SPDX-License-Identifier: MIT */
/* Counting of devices: values of all that runs on one, read when the tool asks. */
#ifndef TACHO_COMPAT_ROCPROFILER_DEVICE_COUNTING_SERVICE_H
#define TACHO_COMPAT_ROCPROFILER_DEVICE_COUNTING_SERVICE_H

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

/*
 * Chooses what is counted. ERROR_PROFILE_NOT_FOUND, ERROR_CONTEXT_INVALID, ERROR_AGENT_MISMATCH for
 * a config of another agent, ERROR_CONFIGURATION_LOCKED outside of the callback below.
 */
ROCPROFILER_SDK_EXPERIMENTAL typedef rocprofiler_status_t (*rocprofiler_device_counting_agent_cb_t)(
	rocprofiler_context_id_t context_id, rocprofiler_counter_config_id_t config_id);

/* Called whenever the context is started; it calls `set_config` with the config. */
ROCPROFILER_SDK_EXPERIMENTAL typedef void (*rocprofiler_device_counting_service_cb_t)(
	rocprofiler_context_id_t context_id, rocprofiler_agent_id_t agent_id,
	rocprofiler_device_counting_agent_cb_t set_config, void *user_data);

/*
 * A context counts an agent. The buffer may be 0 when samples are taken into arrays only. While a
 * tool is initialized only: else ERROR_CONFIGURATION_LOCKED; ERROR_CONTEXT_INVALID,
 * ERROR_BUFFER_NOT_FOUND, ERROR_INVALID_ARGUMENT when the context counts the agent already,
 * ERROR_AGENT_DISPATCH_CONFLICT when it counts launches.
 */
ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_status_t rocprofiler_configure_device_counting_service(
	rocprofiler_context_id_t context_id, rocprofiler_buffer_id_t buffer_id,
	rocprofiler_agent_id_t agent_id, rocprofiler_device_counting_service_cb_t cb,
	void *user_data) ROCPROFILER_API ROCPROFILER_NONNULL(4);

/*
 * Reads the counters of a context that runs. The values go to its buffer, and to `output_records`
 * when that is not NULL: *rec_count is its room, then how many were written or are needed. With
 * ROCPROFILER_COUNTER_FLAG_ASYNC it does not wait for them. ERROR_CONTEXT_NOT_STARTED;
 * ERROR_CONTEXT_INVALID for a context without this service; ERROR_CONTEXT_ERROR while the context
 * is started or read; ERROR_OUT_OF_RESOURCES when the array is too small; ERROR_INVALID_ARGUMENT
 * for an array with ASYNC or without its room; ERROR_FINALIZED.
 */
ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_status_t rocprofiler_sample_device_counting_service(
	rocprofiler_context_id_t context_id, rocprofiler_user_data_t user_data,
	rocprofiler_counter_flag_t flags, rocprofiler_counter_record_t *output_records,
	size_t *rec_count) ROCPROFILER_API;

#if ROCPROFILER_SDK_BETA_COMPAT > 0
/* The names of 0.5 and 0.6. */
ROCPROFILER_SDK_DEPRECATED("now rocprofiler_device_counting_agent_cb_t")
typedef rocprofiler_device_counting_agent_cb_t rocprofiler_agent_set_profile_callback_t;
ROCPROFILER_SDK_DEPRECATED("now rocprofiler_device_counting_service_cb_t")
typedef rocprofiler_device_counting_service_cb_t rocprofiler_device_counting_service_callback_t;

ROCPROFILER_SDK_DEPRECATED("now rocprofiler_configure_device_counting_service")
static inline rocprofiler_status_t rocprofiler_configure_agent_profile_counting_service(
	rocprofiler_context_id_t context_id, rocprofiler_buffer_id_t buffer_id,
	rocprofiler_agent_id_t agent_id, rocprofiler_device_counting_service_cb_t cb,
	void *user_data)
{
	return rocprofiler_configure_device_counting_service(context_id, buffer_id, agent_id, cb,
							     user_data);
}
#endif

ROCPROFILER_EXTERN_C_FINI

#endif
