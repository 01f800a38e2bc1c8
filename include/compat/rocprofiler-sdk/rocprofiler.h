/* SPDX-License-Identifier: MIT */
/*
 * ROCprofiler-SDK 1.0: what tacho serves of it. docs/rocprofiler.md has each function's state.
 * Functions can be called from any thread; they return a status and never print, abort or throw.
 */
#ifndef TACHO_COMPAT_ROCPROFILER_ROCPROFILER_H
#define TACHO_COMPAT_ROCPROFILER_ROCPROFILER_H

#include <stddef.h>
#include <stdint.h>

#include <rocprofiler-sdk/agent.h>
#include <rocprofiler-sdk/buffer.h>
#include <rocprofiler-sdk/buffer_tracing.h>
#include <rocprofiler-sdk/callback_tracing.h>
#include <rocprofiler-sdk/context.h>
#include <rocprofiler-sdk/counter_config.h>
#include <rocprofiler-sdk/counters.h>
#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/deprecated/profile_config.h>
#include <rocprofiler-sdk/device_counting_service.h>
#include <rocprofiler-sdk/dispatch_counting_service.h>
#include <rocprofiler-sdk/external_correlation.h>
#include <rocprofiler-sdk/fwd.h>
#include <rocprofiler-sdk/hip.h>
#include <rocprofiler-sdk/hsa.h>
#include <rocprofiler-sdk/intercept_table.h>
#include <rocprofiler-sdk/internal_threading.h>
#include <rocprofiler-sdk/marker.h>
#include <rocprofiler-sdk/version.h>

ROCPROFILER_EXTERN_C_INIT

/* The library's version, 1.0.0; pointers may be NULL. Before tools are configured too. */
rocprofiler_status_t rocprofiler_get_version(uint32_t *major, uint32_t *minor,
					     uint32_t *patch) ROCPROFILER_API;
rocprofiler_status_t
rocprofiler_get_version_triplet(rocprofiler_version_triplet_t *info) ROCPROFILER_API
	ROCPROFILER_NONNULL(1);

/* The time on the clock of all records, in nanoseconds. */
rocprofiler_status_t rocprofiler_get_timestamp(rocprofiler_timestamp_t *ts) ROCPROFILER_API
	ROCPROFILER_NONNULL(1);

/* The calling thread's id in records. */
rocprofiler_status_t rocprofiler_get_thread_id(rocprofiler_thread_id_t *tid) ROCPROFILER_API
	ROCPROFILER_NONNULL(1);

/* The name and a sentence of a status, never to be freed; NULL for a number that is none. */
const char *rocprofiler_get_status_name(rocprofiler_status_t status) ROCPROFILER_API;
const char *rocprofiler_get_status_string(rocprofiler_status_t status) ROCPROFILER_API;

ROCPROFILER_EXTERN_C_FINI

#endif
