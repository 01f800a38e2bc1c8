/* SPDX-License-Identifier: MIT */
/* What tools of ROCprofiler-SDK do first, for tests and benches. */
#ifndef TACHO_TESTS_ROCP_TOOL_H
#define TACHO_TESTS_ROCP_TOOL_H

#include <stddef.h>

#include "rocprofiler-sdk/rocprofiler.h"

#define TOOL_COUNTERS 4
/* Of the simulated MI300X: two of 32 shader engines, two of 8 dies. */
extern const char *const tool_counters[TOOL_COUNTERS];
enum { TOOL_VALUES = 2 * 32 + 2 * 8 };

/* Writes the GPU agents, `room` at most; returns how many there are. */
size_t tool_list_gpus(rocprofiler_agent_id_t *gpus, size_t room);
/* Of the counters with these names; handle 0 when one is missing or it cannot be made. */
rocprofiler_counter_config_id_t tool_make_config(rocprofiler_agent_id_t agent,
						 const char *const *names, size_t count);
/* Whether this is a value of the counter. */
int tool_is_of(const rocprofiler_counter_record_t *value, const char *name);

#endif
