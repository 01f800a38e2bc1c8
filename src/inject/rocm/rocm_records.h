/* SPDX-License-Identifier: MIT */
/* Records of AMD's buffers become calls and commands of the recording. */
#ifndef TACHO_INJECT_ROCM_ROCM_RECORDS_H
#define TACHO_INJECT_ROCM_ROCM_RECORDS_H

#include <rocprofiler-sdk/rocprofiler.h>

#include <stdbool.h>
#include <stddef.h>

/* Before the first record. False: the library gives no time. */
bool tacho__rocm_records_start(void);

/*
 * A dispatch of which only its values are told, because the library has no records of dispatches: a
 * command all the same.
 */
void tacho__rocm_put_counted(const rocprofiler_dispatch_counting_service_data_t *data);

/* As rocprofiler_buffer_tracing_cb_t. */
void tacho__rocm_on_records(rocprofiler_context_id_t context, rocprofiler_buffer_id_t buffer,
			    rocprofiler_record_header_t **headers, size_t count, void *data,
			    uint64_t dropped);

#endif
