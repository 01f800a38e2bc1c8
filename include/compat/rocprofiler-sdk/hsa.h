/* SPDX-License-Identifier: MIT */
/* Numbers of HSA's tables and of scratch memory. Its functions and their arguments are not here. */
#ifndef TACHO_COMPAT_ROCPROFILER_HSA_H
#define TACHO_COMPAT_ROCPROFILER_HSA_H

typedef enum rocprofiler_hsa_table_id_t {
	ROCPROFILER_HSA_TABLE_ID_NONE = -1,
	ROCPROFILER_HSA_TABLE_ID_Core = 0,
	ROCPROFILER_HSA_TABLE_ID_AmdExt = 1,
	ROCPROFILER_HSA_TABLE_ID_ImageExt = 2,
	ROCPROFILER_HSA_TABLE_ID_FinalizeExt = 3,
	ROCPROFILER_HSA_TABLE_ID_AmdTool = 4,
	ROCPROFILER_HSA_TABLE_ID_PcSamplingExt = 5,
	ROCPROFILER_HSA_TABLE_ID_LAST = 6
} rocprofiler_hsa_table_id_t;

/* How scratch memory was given to a kernel; bits. */
typedef enum rocprofiler_scratch_alloc_flag_t {
	ROCPROFILER_SCRATCH_ALLOC_FLAG_NONE = 0,
	ROCPROFILER_SCRATCH_ALLOC_FLAG_USE_ONCE = 1,
	ROCPROFILER_SCRATCH_ALLOC_FLAG_ALT = 2
} rocprofiler_scratch_alloc_flag_t;

#endif
