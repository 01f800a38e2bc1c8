/* SPDX-License-Identifier: MIT */
/* Contexts: the services that are started and stopped together. */
#ifndef TACHO_COMPAT_ROCPROFILER_CONTEXT_H
#define TACHO_COMPAT_ROCPROFILER_CONTEXT_H

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

#define ROCPROFILER_CONTEXT_NONE ROCPROFILER_HANDLE_LITERAL(rocprofiler_context_id_t, 0UL)

/*
 * Makes a context; *context_id is 0 before, or it is ERROR_CONTEXT_ID_NOT_ZERO. While a tool is
 * initialized only: else ERROR_CONFIGURATION_LOCKED; ERROR_CONTEXT_ERROR when there are too many.
 */
rocprofiler_status_t
rocprofiler_create_context(rocprofiler_context_id_t *context_id) ROCPROFILER_API
	ROCPROFILER_NONNULL(1);

/*
 * Starts the services of a context; of one that runs already, SUCCESS. ERROR_CONTEXT_NOT_FOUND,
 * ERROR_CONTEXT_CONFLICT when another one that runs counts launches too, ERROR_CONFIGURATION_LOCKED
 * once the tools are finalized, ERROR_CONTEXT_ERROR from within a callback of its own start, and
 * the services' own errors: it does not run then.
 */
rocprofiler_status_t rocprofiler_start_context(rocprofiler_context_id_t context_id) ROCPROFILER_API;

/*
 * What was launched before is still delivered. ERROR_CONTEXT_NOT_FOUND when there is none, or it
 * does not run; ERROR_CONTEXT_ERROR as above.
 */
rocprofiler_status_t rocprofiler_stop_context(rocprofiler_context_id_t context_id) ROCPROFILER_API;

/* *status is 1 when the context runs, else 0. ERROR_CONTEXT_NOT_FOUND. */
rocprofiler_status_t rocprofiler_context_is_active(rocprofiler_context_id_t context_id,
						   int *status) ROCPROFILER_API
	ROCPROFILER_NONNULL(2);

/* *status is 1 when there is such a context, else 0 with ERROR_CONTEXT_NOT_FOUND. */
rocprofiler_status_t rocprofiler_context_is_valid(rocprofiler_context_id_t context_id,
						  int *status) ROCPROFILER_API
	ROCPROFILER_NONNULL(2);

ROCPROFILER_EXTERN_C_FINI

#endif
