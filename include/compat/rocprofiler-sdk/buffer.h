/* SPDX-License-Identifier: MIT */
/* Buffers: records are kept until enough of them are there, then a callback gets them all. */
#ifndef TACHO_COMPAT_ROCPROFILER_BUFFER_H
#define TACHO_COMPAT_ROCPROFILER_BUFFER_H

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

/*
 * Gets `num_headers` records, at least one, in the order they came; they are valid until it
 * returns. `drop_count` is how many were dropped so far, in all. It runs in a thread of the
 * library, one call at a time for a buffer, and may flush this or another buffer.
 */
typedef void (*rocprofiler_buffer_tracing_cb_t)(rocprofiler_context_id_t context,
						rocprofiler_buffer_id_t buffer_id,
						rocprofiler_record_header_t **headers,
						size_t num_headers, void *data,
						uint64_t drop_count);

/*
 * Makes a buffer of `size` bytes. The callback is called once `watermark` bytes are used, or with
 * every record when that is 0; it gets `context`, which nobody looks at. Records that belong
 * together, such as the values of a launch, come in one call. While a tool is initialized only:
 * else ERROR_CONFIGURATION_LOCKED; ERROR_INVALID_ARGUMENT for an unknown policy or NULL,
 * ERROR_OUT_OF_RESOURCES.
 */
rocprofiler_status_t rocprofiler_create_buffer(rocprofiler_context_id_t context, size_t size,
					       size_t watermark, rocprofiler_buffer_policy_t policy,
					       rocprofiler_buffer_tracing_cb_t callback,
					       void *callback_data,
					       rocprofiler_buffer_id_t *buffer_id) ROCPROFILER_API
	ROCPROFILER_NONNULL(5, 7);

/*
 * Records that were not delivered are lost: flush before. ERROR_BUFFER_NOT_FOUND; ERROR_BUFFER_BUSY
 * while its records are being delivered or somebody waits for room or for a flush.
 */
rocprofiler_status_t rocprofiler_destroy_buffer(rocprofiler_buffer_id_t buffer_id) ROCPROFILER_API;

/*
 * Has all records that are in the buffer delivered and returns once they were, except from within
 * a callback of a buffer: there it returns at once. ERROR_BUFFER_NOT_FOUND; ERROR_FINALIZED once
 * the tools were finalized.
 */
rocprofiler_status_t rocprofiler_flush_buffer(rocprofiler_buffer_id_t buffer_id) ROCPROFILER_API;

ROCPROFILER_EXTERN_C_FINI

#endif
