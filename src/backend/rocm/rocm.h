/* SPDX-License-Identifier: MIT */
/*
 * AMD's GPUs. They are found through sysfs; counting needs AMD's library, which counts only in the
 * process that launches the kernels: the library that goes into programs (src/inject/rocm) drives
 * it there, and hands the values to a session of this backend.
 */
#ifndef TACHO_BACKEND_ROCM_ROCM_H
#define TACHO_BACKEND_ROCM_ROCM_H

#include <stdbool.h>

#include "backend/backend.h"
#include "base/arena.h"
#include "tacho/export.h"

/* A folder to read instead of "/" by this backend alone: a container's ROCm, a test's. It counts.
 */
#define TACHO__ROCM_ROOT_VARIABLE "TACHO_ROCM_ROOT"

extern const struct tacho__backend tacho__backend_rocm;

/*
 * "/", or what the context (of `probe`, which may be NULL) or the environment names instead; ends
 * with a slash. In the arena, NULL with the error set: no memory. *out_is_foreign: it is of another
 * machine, on which nothing counts.
 */
const char *tacho__rocm_find_root(const struct tacho_probe *probe, struct tacho__arena *arena,
				  bool *out_is_foreign);

/* A session's collection as who counts sees it. */
struct tacho__rocm_pass {
	struct tacho__collection *collection; /* NULL: no pass is open */
	uint32_t pass;
};

/*
 * What `handle` of the context's options is in a program that is counted: where open passes are put
 * by the backend. One session at a time is made with it; it is borrowed for the session's life.
 */
struct tacho__rocm_live {
	uint32_t magic; /* TACHO__ROCM_LIVE_MAGIC */
	struct tacho__rocm_pass open;
};
#define TACHO__ROCM_LIVE_MAGIC UINT32_C(0x4c4d4352) /* "RCML" */

/* Delivers one dispatch: a row and a column for each counter of the pass, in the plan's order. */
TACHO_API int tacho__rocm_deliver(const struct tacho__rocm_pass *pass, const struct tacho_row *row,
				  const struct tacho_column *columns);

/* The node that the kernel shows the device as. */
TACHO_API uint32_t tacho__rocm_get_node(const struct tacho_device *device);

#endif
