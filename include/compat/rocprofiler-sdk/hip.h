/* SPDX-License-Identifier: MIT */
/* Numbers of HIP's tables. Its functions and their arguments are not here. */
#ifndef TACHO_COMPAT_ROCPROFILER_HIP_H
#define TACHO_COMPAT_ROCPROFILER_HIP_H

/* HIP's own headers brought these along, and tools rely on it. */
#include <assert.h>
#include <stdbool.h>
#include <string.h>

typedef enum rocprofiler_hip_table_id_t {
	ROCPROFILER_HIP_TABLE_ID_NONE = -1,
	ROCPROFILER_HIP_TABLE_ID_Compiler = 0,
	ROCPROFILER_HIP_TABLE_ID_Runtime = 1,
	ROCPROFILER_HIP_TABLE_ID_LAST = 2
} rocprofiler_hip_table_id_t;

#endif
