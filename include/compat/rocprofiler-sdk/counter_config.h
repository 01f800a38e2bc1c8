/* SPDX-License-Identifier: MIT */
/* Configs: sets of counters of one agent that are counted together. */
#ifndef TACHO_COMPAT_ROCPROFILER_COUNTER_CONFIG_H
#define TACHO_COMPAT_ROCPROFILER_COUNTER_CONFIG_H

#include <rocprofiler-sdk/agent.h>
#include <rocprofiler-sdk/counters.h>
#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

/*
 * Makes a config of `counters_count` counters. *config_id is 0, or an existing config whose
 * counters are taken over too; it becomes the new one. Configs never change and can be used any
 * number of times. ERROR_AGENT_NOT_FOUND, ERROR_COUNTER_NOT_FOUND,
 * ERROR_METRIC_NOT_VALID_FOR_AGENT, ERROR_EXCEEDS_HW_LIMIT when they cannot be counted at once;
 * checked in this order.
 */
ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_status_t rocprofiler_create_counter_config(
	rocprofiler_agent_id_t agent_id, rocprofiler_counter_id_t *counters_list,
	size_t counters_count, rocprofiler_counter_config_id_t *config_id) ROCPROFILER_API
	ROCPROFILER_NONNULL(4);

/* Launches that use it already are not disturbed. ERROR_PROFILE_NOT_FOUND. */
ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_status_t
rocprofiler_destroy_counter_config(rocprofiler_counter_config_id_t config_id) ROCPROFILER_API;

ROCPROFILER_EXTERN_C_FINI

#endif
