/* SPDX-License-Identifier: MIT */
/* The threads that buffers are delivered in. */
#ifndef TACHO_COMPAT_ROCPROFILER_INTERNAL_THREADING_H
#define TACHO_COMPAT_ROCPROFILER_INTERNAL_THREADING_H

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

ROCPROFILER_SDK_EXPERIMENTAL typedef void (*rocprofiler_internal_thread_library_cb_t)(
	rocprofiler_runtime_library_t library, void *data);

/*
 * Has `precreate` and `postcreate` called around the making of each thread of the library; either
 * may be NULL. `libs` are bits of rocprofiler_runtime_library_t; 0 is all.
 */
ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_status_t rocprofiler_at_internal_thread_create(
	rocprofiler_internal_thread_library_cb_t precreate,
	rocprofiler_internal_thread_library_cb_t postcreate, int libs, void *data) ROCPROFILER_API;

typedef struct ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_callback_thread_t {
	uint64_t handle;
} rocprofiler_callback_thread_t;

/*
 * Makes a thread for callbacks of buffers. While a tool is initialized only: else
 * ERROR_CONFIGURATION_LOCKED; ERROR when it cannot be made.
 */
ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_status_t rocprofiler_create_callback_thread(
	rocprofiler_callback_thread_t *cb_thread_id) ROCPROFILER_API ROCPROFILER_NONNULL(1);

/*
 * A buffer is delivered in this thread from now on; without it in one that all others share.
 * ERROR_CONFIGURATION_LOCKED, ERROR_BUFFER_NOT_FOUND, ERROR_THREAD_NOT_FOUND.
 */
ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_status_t
rocprofiler_assign_callback_thread(rocprofiler_buffer_id_t buffer_id,
				   rocprofiler_callback_thread_t cb_thread_id) ROCPROFILER_API;

ROCPROFILER_EXTERN_C_FINI

#endif
