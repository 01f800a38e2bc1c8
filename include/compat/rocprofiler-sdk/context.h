/* SPDX-License-Identifier: MIT */
/* Contexts: the services that are started and stopped together. */
#ifndef TACHO_COMPAT_ROCPROFILER_CONTEXT_H
#define TACHO_COMPAT_ROCPROFILER_CONTEXT_H

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

#define ROCPROFILER_CONTEXT_NONE ROCPROFILER_HANDLE_LITERAL(rocprofiler_context_id_t, 0UL)

/*
 * Makes a context. While a tool is configured only: else ERROR_CONFIGURATION_LOCKED;
 * ERROR_CONTEXT_ID_NOT_ZERO when the handle is in use already, as far as can be told.
 */
rocprofiler_status_t
rocprofiler_create_context(rocprofiler_context_id_t *context_id) ROCPROFILER_API
	ROCPROFILER_NONNULL(1);

/*
 * Starts the services of a context; of one that runs already, SUCCESS. ERROR_CONTEXT_NOT_FOUND,
 * ERROR_CONTEXT_CONFLICT when another context has what it needs, and the services' own errors.
 */
rocprofiler_status_t rocprofiler_start_context(rocprofiler_context_id_t context_id) ROCPROFILER_API;

/* What was launched before is still delivered. ERROR_CONTEXT_NOT_FOUND. */
rocprofiler_status_t rocprofiler_stop_context(rocprofiler_context_id_t context_id) ROCPROFILER_API;

/* *status is 1 when the context runs, else 0. ERROR_CONTEXT_NOT_FOUND. */
rocprofiler_status_t rocprofiler_context_is_active(rocprofiler_context_id_t context_id,
						   int *status) ROCPROFILER_API
	ROCPROFILER_NONNULL(2);

/* *status is 1 when there is such a context and its services fit together, else 0. */
rocprofiler_status_t rocprofiler_context_is_valid(rocprofiler_context_id_t context_id,
						  int *status) ROCPROFILER_API
	ROCPROFILER_NONNULL(2);

ROCPROFILER_EXTERN_C_FINI

#endif
