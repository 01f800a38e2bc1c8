/* SPDX-License-Identifier: MIT */
/* Configs under their names of 0.5 and 0.6. No library exports these. */
#ifndef TACHO_COMPAT_ROCPROFILER_DEPRECATED_PROFILE_CONFIG_H
#define TACHO_COMPAT_ROCPROFILER_DEPRECATED_PROFILE_CONFIG_H

#include <rocprofiler-sdk/counter_config.h>
#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

#if ROCPROFILER_SDK_BETA_COMPAT > 0
ROCPROFILER_SDK_DEPRECATED("now rocprofiler_create_counter_config")
static inline rocprofiler_status_t
rocprofiler_create_profile_config(rocprofiler_agent_id_t agent_id,
				  rocprofiler_counter_id_t *counters_list, size_t counters_count,
				  rocprofiler_counter_config_id_t *config_id)
{
	return rocprofiler_create_counter_config(agent_id, counters_list, counters_count,
						 config_id);
}

ROCPROFILER_SDK_DEPRECATED("now rocprofiler_destroy_counter_config")
static inline rocprofiler_status_t
rocprofiler_destroy_profile_config(rocprofiler_counter_config_id_t config_id)
{
	return rocprofiler_destroy_counter_config(config_id);
}
#endif

ROCPROFILER_EXTERN_C_FINI

#endif
