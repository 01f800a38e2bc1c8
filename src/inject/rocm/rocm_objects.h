/* SPDX-License-Identifier: MIT */
/* Agents, queues and kernels: what commands of the recording refer to. */
#ifndef TACHO_INJECT_ROCM_ROCM_OBJECTS_H
#define TACHO_INJECT_ROCM_ROCM_OBJECTS_H

#include <rocprofiler-sdk/rocprofiler.h>

#include <stdbool.h>
#include <stdint.h>

#include "inject/counting_select.h"

struct tacho__rocm_kernel {
	struct tacho__counted_kernel counted;
	atomic_uint turn; /* of rotation */
};

/* Reports all agents, each with a queue for what names none. A status of the library. */
rocprofiler_status_t tacho__rocm_report_agents(void);

/* The agent that the kernel shows as this node; 0: none. */
uint64_t tacho__rocm_find_agent(uint32_t node);
/* Whether commands can be on it: a GPU, or the host for copies. */
bool tacho__rocm_is_gpu(uint64_t agent);

/* As rocprofiler_callback_tracing_cb_t, of code objects. */
void tacho__rocm_on_code_object(rocprofiler_callback_tracing_record_t record,
				rocprofiler_user_data_t *user_data, void *callback_data);

/* A queue, reported when it is seen first. */
void tacho__rocm_meet_queue(uint64_t queue, uint64_t agent);
/* The handle that a command names: the queue when it was met, else the agent's own. */
uint64_t tacho__rocm_get_queue(uint64_t queue, uint64_t agent);

/* NULL: it is not known, or no memory was there for it. */
struct tacho__rocm_kernel *tacho__rocm_find_kernel(uint64_t kernel);

#endif
