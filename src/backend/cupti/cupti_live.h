/* SPDX-License-Identifier: MIT */
/* What the part in the program asks of the backend, beside the public interface. */
#ifndef TACHO_BACKEND_CUPTI_CUPTI_LIVE_H
#define TACHO_BACKEND_CUPTI_CUPTI_LIVE_H

#include "backend/cupti/cupti_gpu.h"
#include "tacho/export.h"

/*
 * Fills magic, UUID and chip of the live context's device, of which context and device are set.
 * NODEVICE, NOTFOUND, VERSION, and what the library's status means.
 */
TACHO_API int tacho__cupti_describe_live(struct tacho__cupti_live *live);

/* Of the libcupti that is loaded; "" without. */
TACHO_API void tacho__cupti_get_path(char *out_path, size_t size);

#endif
