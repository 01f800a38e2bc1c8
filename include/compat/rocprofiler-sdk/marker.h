/* SPDX-License-Identifier: MIT */
/* Numbers of the functions of ROCTx, as operations of the MARKER kinds. */
#ifndef TACHO_COMPAT_ROCPROFILER_MARKER_H
#define TACHO_COMPAT_ROCPROFILER_MARKER_H

typedef enum rocprofiler_marker_table_id_t {
	ROCPROFILER_MARKER_TABLE_ID_NONE = -1,
	ROCPROFILER_MARKER_TABLE_ID_RoctxCore = 0,
	ROCPROFILER_MARKER_TABLE_ID_RoctxControl = 1,
	ROCPROFILER_MARKER_TABLE_ID_RoctxName = 2,
	ROCPROFILER_MARKER_TABLE_ID_RoctxCoreRange = 3,
	ROCPROFILER_MARKER_TABLE_ID_LAST = 4
} rocprofiler_marker_table_id_t;

typedef enum rocprofiler_marker_core_api_id_t {
	ROCPROFILER_MARKER_CORE_API_ID_NONE = -1,
	ROCPROFILER_MARKER_CORE_API_ID_roctxMarkA = 0,
	ROCPROFILER_MARKER_CORE_API_ID_roctxRangePushA = 1,
	ROCPROFILER_MARKER_CORE_API_ID_roctxRangePop = 2,
	ROCPROFILER_MARKER_CORE_API_ID_roctxRangeStartA = 3,
	ROCPROFILER_MARKER_CORE_API_ID_roctxRangeStop = 4,
	ROCPROFILER_MARKER_CORE_API_ID_roctxGetThreadId = 5,
	ROCPROFILER_MARKER_CORE_API_ID_LAST = 6
} rocprofiler_marker_core_api_id_t;

typedef enum rocprofiler_marker_control_api_id_t {
	ROCPROFILER_MARKER_CONTROL_API_ID_NONE = -1,
	ROCPROFILER_MARKER_CONTROL_API_ID_roctxProfilerPause = 0,
	ROCPROFILER_MARKER_CONTROL_API_ID_roctxProfilerResume = 1,
	ROCPROFILER_MARKER_CONTROL_API_ID_LAST = 2
} rocprofiler_marker_control_api_id_t;

typedef enum rocprofiler_marker_name_api_id_t {
	ROCPROFILER_MARKER_NAME_API_ID_NONE = -1,
	ROCPROFILER_MARKER_NAME_API_ID_roctxNameOsThread = 0,
	ROCPROFILER_MARKER_NAME_API_ID_roctxNameHsaAgent = 1,
	ROCPROFILER_MARKER_NAME_API_ID_roctxNameHipDevice = 2,
	ROCPROFILER_MARKER_NAME_API_ID_roctxNameHipStream = 3,
	ROCPROFILER_MARKER_NAME_API_ID_LAST = 4
} rocprofiler_marker_name_api_id_t;

typedef enum rocprofiler_marker_core_range_api_id_t {
	ROCPROFILER_MARKER_CORE_RANGE_API_ID_NONE = -1,
	ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxMarkA = 0,
	ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxThreadRangeA = 1,
	ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxProcessRangeA = 2,
	ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxGetThreadId = 3,
	ROCPROFILER_MARKER_CORE_RANGE_API_ID_LAST = 4
} rocprofiler_marker_core_range_api_id_t;

#endif
