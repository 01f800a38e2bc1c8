/* SPDX-License-Identifier: MIT */
/* What is called of AMD's library: the one that asked for us, and no other of its name. */
#ifndef TACHO_INJECT_ROCM_ROCM_FUNCTIONS_H
#define TACHO_INJECT_ROCM_ROCM_FUNCTIONS_H

#include <rocprofiler-sdk/rocprofiler.h>

#include <stdbool.h>
#include <stddef.h>

/* Needed for recording, whatever is counted. */
#define TACHO__ROCM_FUNCTIONS(X)                  \
	X(get_timestamp)                          \
	X(get_status_name)                        \
	X(create_context)                         \
	X(start_context)                          \
	X(stop_context)                           \
	X(create_buffer)                          \
	X(flush_buffer)                           \
	X(query_available_agents)                 \
	X(configure_callback_tracing_service)     \
	X(configure_buffer_tracing_service)       \
	X(iterate_buffer_tracing_kind_operations) \
	X(query_buffer_tracing_kind_operation_name)

/* Needed for counting. */
#define TACHO__ROCM_COUNTING_FUNCTIONS(X)   \
	X(iterate_agent_supported_counters) \
	X(query_counter_info)               \
	X(query_record_counter_id)          \
	X(query_record_dimension_position)  \
	X(create_counter)                   \
	X(create_counter_config)            \
	X(configure_callback_dispatch_counting_service)

struct tacho__rocm_functions {
#define X(name) __typeof__(rocprofiler_##name) *name;
	TACHO__ROCM_FUNCTIONS(X)
	TACHO__ROCM_COUNTING_FUNCTIONS(X)
#undef X
};

extern struct tacho__rocm_functions tacho__rocm;

/*
 * Finds them in the library that `caller`, an address in it, belongs to. NULL, or what it lacks for
 * recording: a function's name, static. What it lacks for counting is NULL in the table.
 */
const char *tacho__rocm_resolve(const void *caller);

/* Whether the address belongs to tacho's own library of that name. */
bool tacho__rocm_is_ours(const void *caller);

/* "ROCPROFILER_STATUS_ERROR_..." of a status; static. */
const char *tacho__rocm_get_status(rocprofiler_status_t status);

#endif
