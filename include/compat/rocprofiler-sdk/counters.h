/* SPDX-License-Identifier: MIT */
/* Counters of agents, and what the ids of their values mean. */
#ifndef TACHO_COMPAT_ROCPROFILER_COUNTERS_H
#define TACHO_COMPAT_ROCPROFILER_COUNTERS_H

#include <rocprofiler-sdk/agent.h>
#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/deprecated/counters.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

/* Strings are never NULL and live as long as the library; "" is none. */
typedef struct ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_counter_info_v0_t {
	rocprofiler_counter_id_t id;
	const char *name;
	const char *description;
	const char *block;	 /* of a counter of the hardware */
	const char *expression;	 /* of a derived one */
	uint8_t is_constant : 1; /* a property of the agent, such as its compute units */
	uint8_t is_derived : 1;
} rocprofiler_counter_info_v0_t;

/* The position of an instance in one dimension. */
typedef struct ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_counter_dimension_info_t {
	uint64_t size; /* of this struct */
	const char *dimension_name;
	size_t index; /* from 0 */
} rocprofiler_counter_dimension_info_t;

/* An instance of a counter. */
typedef struct ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_counter_record_dimension_instance_info_t {
	uint64_t size; /* of this struct */
	rocprofiler_counter_instance_id_t instance_id;
	uint64_t counter_id;
	uint64_t dimensions_count;
	const rocprofiler_counter_dimension_info_t **dimensions;
} rocprofiler_counter_record_dimension_instance_info_t;

/* All of version 0, the dimensions and every instance. */
typedef struct ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_counter_info_v1_t {
	uint64_t size; /* of this struct */
	rocprofiler_counter_id_t id;
	const char *name;
	const char *description;
	const char *block;
	const char *expression;
	uint8_t is_constant : 1;
	uint8_t is_derived : 1;
	uint64_t dimensions_count;
	const rocprofiler_counter_record_dimension_info_t **dimensions;
	uint64_t dimensions_instances_count;
	const rocprofiler_counter_record_dimension_instance_info_t **dimensions_instances;
} rocprofiler_counter_info_v1_t;

/* The counter that the value with this id is of. */
ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_status_t rocprofiler_query_record_counter_id(
	rocprofiler_counter_instance_id_t id, rocprofiler_counter_id_t *counter_id) ROCPROFILER_API
	ROCPROFILER_NONNULL(2);

/*
 * Its position in a dimension, from 0; 0 where the counter lacks the dimension. ERROR_DIM_NOT_FOUND
 * for what is no dimension.
 */
ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_status_t rocprofiler_query_record_dimension_position(
	rocprofiler_counter_instance_id_t id, rocprofiler_counter_dimension_id_t dim,
	size_t *pos) ROCPROFILER_API ROCPROFILER_NONNULL(3);

/*
 * Fills *info, which is a struct of `version`. ERROR_COUNTER_NOT_FOUND; ERROR_INCOMPATIBLE_ABI when
 * the version is unknown.
 */
ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_status_t rocprofiler_query_counter_info(
	rocprofiler_counter_id_t counter_id, rocprofiler_counter_info_version_id_t version,
	void *info) ROCPROFILER_API ROCPROFILER_NONNULL(3);

/* The array belongs to the library and is valid during the call. */
ROCPROFILER_SDK_EXPERIMENTAL typedef rocprofiler_status_t (*rocprofiler_available_counters_cb_t)(
	rocprofiler_agent_id_t agent_id, rocprofiler_counter_id_t *counters, size_t num_counters,
	void *user_data);

/*
 * Calls `cb` once, with all counters of an agent, and returns what it returns.
 * ERROR_AGENT_NOT_FOUND; ERROR_AGENT_ARCH_NOT_SUPPORTED when the agent has none.
 */
ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_status_t rocprofiler_iterate_agent_supported_counters(
	rocprofiler_agent_id_t agent_id, rocprofiler_available_counters_cb_t cb,
	void *user_data) ROCPROFILER_API ROCPROFILER_NONNULL(2);

/*
 * Makes a derived counter of an agent's. The strings need no 0 at their end; the description may be
 * NULL. ERROR_AST_GENERATION_FAILED when the expression is wrong or names what is not there,
 * ERROR_INVALID_ARGUMENT when the name is empty or taken, ERROR_AGENT_NOT_FOUND.
 */
ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_status_t rocprofiler_create_counter(
	const char *name, size_t name_len, const char *expr, size_t expr_len,
	const char *description, size_t description_len, rocprofiler_agent_id_t agent,
	rocprofiler_counter_id_t *counter_id) ROCPROFILER_API ROCPROFILER_NONNULL(1, 3, 8);

ROCPROFILER_EXTERN_C_FINI

#endif
