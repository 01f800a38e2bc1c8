/* SPDX-License-Identifier: MIT */
/* Definitions of counters that a tool brings along. */
#ifndef TACHO_COMPAT_ROCPROFILER_EXPERIMENTAL_COUNTERS_H
#define TACHO_COMPAT_ROCPROFILER_EXPERIMENTAL_COUNTERS_H

#include <rocprofiler-sdk/agent.h>
#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

/*
 * Reads `size` bytes of YAML in place of the definitions of the library, or in addition to them
 * with ROCPROFILER_COUNTER_FLAG_APPEND_DEFINITION. Before counters are asked for: ERROR once they
 * were, or when the text is wrong.
 */
ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_status_t rocprofiler_load_counter_definition(
	const char *yaml, size_t size, rocprofiler_counter_flag_t flags) ROCPROFILER_API;

ROCPROFILER_EXTERN_C_FINI

#endif
