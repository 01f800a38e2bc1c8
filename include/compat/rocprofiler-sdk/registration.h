/* SPDX-License-Identifier: MIT */
/* How tools come to be: rocprofiler_configure() of each, then its initialize, in the end finalize.
 */
#ifndef TACHO_COMPAT_ROCPROFILER_REGISTRATION_H
#define TACHO_COMPAT_ROCPROFILER_REGISTRATION_H

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

/* A tool, as the library knows it. */
typedef struct ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_client_id_t {
	size_t size;	  /* of this struct */
	const char *name; /* set by the tool, for messages; it must stay valid */
	const uint32_t handle;
} rocprofiler_client_id_t;

/* Finalizes a tool before the process ends: its contexts are stopped, its finalize is called. */
typedef void (*rocprofiler_client_finalize_t)(rocprofiler_client_id_t);

/*
 * Makes contexts, buffers and services: nowhere else can they be made. Anything but 0 discards all
 * that the tool made.
 */
typedef int (*rocprofiler_tool_initialize_t)(rocprofiler_client_finalize_t finalize_func,
					     void *tool_data);

/* Called once: when the tool asks for it, or when the process ends. */
typedef void (*rocprofiler_tool_finalize_t)(void *tool_data);

/* What a tool answers; it must stay valid. Functions may be NULL. */
typedef struct rocprofiler_tool_configure_result_t {
	size_t size; /* of this struct */
	rocprofiler_tool_initialize_t initialize;
	rocprofiler_tool_finalize_t finalize;
	void *tool_data; /* for both */
} rocprofiler_tool_configure_result_t;

/* *status: 0 tools were not looked for, -1 they are being configured, 1 they were. */
rocprofiler_status_t rocprofiler_is_initialized(int *status) ROCPROFILER_API ROCPROFILER_NONNULL(1);

/* *status: 0 not finalized, -1 being finalized, 1 done. */
rocprofiler_status_t rocprofiler_is_finalized(int *status) ROCPROFILER_API ROCPROFILER_NONNULL(1);

/*
 * Defined by each tool, not by the library. `version` is 10000 major + 100 minor + patch of the
 * library, `priority` how many tools were asked before. NULL: the tool does not want to run.
 */
rocprofiler_tool_configure_result_t *
rocprofiler_configure(uint32_t version, const char *runtime_version, uint32_t priority,
		      rocprofiler_client_id_t *client_id) ROCPROFILER_PUBLIC_API;

typedef rocprofiler_tool_configure_result_t *(*rocprofiler_configure_func_t)(
	uint32_t version, const char *runtime_version, uint32_t priority,
	rocprofiler_client_id_t *client_id);

/*
 * Looks for tools now, `configure_func` first when it is not NULL; without it that happens when a
 * runtime loads. ERROR_CONFIGURATION_LOCKED when it has happened or is happening.
 */
rocprofiler_status_t
rocprofiler_force_configure(rocprofiler_configure_func_t configure_func) ROCPROFILER_API;

ROCPROFILER_EXTERN_C_FINI

#endif
