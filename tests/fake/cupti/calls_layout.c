/* SPDX-License-Identifier: MIT */
/*
 * What tacho takes the structs of libcupti's calls to be, beside CUDA's own headers: it compiles
 * when they agree. "string" is a header of C++ that one of them asks for; an empty file will do.
 */
#include <stddef.h>
#include <stdint.h>

#include <cuda.h>
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include "backend/cupti/cupti_calls.h"

/* A field lies where theirs does, and has its size. */
#define SAME(own, field, theirs, their_field)                                          \
	_Static_assert(offsetof(struct own, field) == offsetof(theirs, their_field) && \
			       sizeof(((struct own *)0)->field) ==                     \
				       sizeof(((theirs *)0)->their_field),             \
		       #own "." #field)
#define NUMBER(own, theirs) _Static_assert((int)(own) == (int)(theirs), #own)

SAME(tacho__cupti_samples_availability, device, CUpti_PmSampling_GetCounterAvailability_Params,
     deviceIndex);
SAME(tacho__cupti_samples_availability, size, CUpti_PmSampling_GetCounterAvailability_Params,
     counterAvailabilityImageSize);
SAME(tacho__cupti_samples_availability, bytes, CUpti_PmSampling_GetCounterAvailability_Params,
     pCounterAvailabilityImage);
SAME(tacho__cupti_samples_enable, device, CUpti_PmSampling_Enable_Params, deviceIndex);
SAME(tacho__cupti_samples_enable, sampler, CUpti_PmSampling_Enable_Params, pPmSamplingObject);
SAME(tacho__cupti_samples_config, sampler, CUpti_PmSampling_SetConfig_Params, pPmSamplingObject);
SAME(tacho__cupti_samples_config, config_size, CUpti_PmSampling_SetConfig_Params, configSize);
SAME(tacho__cupti_samples_config, config, CUpti_PmSampling_SetConfig_Params, pConfig);
SAME(tacho__cupti_samples_config, buffer_size, CUpti_PmSampling_SetConfig_Params,
     hardwareBufferSize);
SAME(tacho__cupti_samples_config, interval, CUpti_PmSampling_SetConfig_Params, samplingInterval);
SAME(tacho__cupti_samples_config, trigger, CUpti_PmSampling_SetConfig_Params, triggerMode);
SAME(tacho__cupti_samples_config, append, CUpti_PmSampling_SetConfig_Params, hwBufferAppendMode);
SAME(tacho__cupti_samples_size, names, CUpti_PmSampling_GetCounterDataSize_Params, pMetricNames);
SAME(tacho__cupti_samples_size, count, CUpti_PmSampling_GetCounterDataSize_Params, numMetrics);
SAME(tacho__cupti_samples_size, sample_max, CUpti_PmSampling_GetCounterDataSize_Params, maxSamples);
SAME(tacho__cupti_samples_size, size, CUpti_PmSampling_GetCounterDataSize_Params, counterDataSize);
SAME(tacho__cupti_data, size, CUpti_PmSampling_CounterDataImage_Initialize_Params, counterDataSize);
SAME(tacho__cupti_data, bytes, CUpti_PmSampling_CounterDataImage_Initialize_Params, pCounterData);
SAME(tacho__cupti_samples_decode, data, CUpti_PmSampling_DecodeData_Params, pCounterDataImage);
SAME(tacho__cupti_samples_decode, data_size, CUpti_PmSampling_DecodeData_Params,
     counterDataImageSize);
SAME(tacho__cupti_samples_decode, reason, CUpti_PmSampling_DecodeData_Params, decodeStopReason);
SAME(tacho__cupti_samples_decode, overflow, CUpti_PmSampling_DecodeData_Params, overflow);
SAME(tacho__cupti_samples_count, data, CUpti_PmSampling_GetCounterDataInfo_Params,
     pCounterDataImage);
SAME(tacho__cupti_samples_count, completed, CUpti_PmSampling_GetCounterDataInfo_Params,
     numCompletedSamples);
SAME(tacho__cupti_sample, sampler, CUpti_PmSampling_CounterData_GetSampleInfo_Params,
     pPmSamplingObject);
SAME(tacho__cupti_sample, index, CUpti_PmSampling_CounterData_GetSampleInfo_Params, sampleIndex);
SAME(tacho__cupti_sample, start_ns, CUpti_PmSampling_CounterData_GetSampleInfo_Params,
     startTimestamp);
SAME(tacho__cupti_sample, end_ns, CUpti_PmSampling_CounterData_GetSampleInfo_Params, endTimestamp);
SAME(tacho__cupti_profiler_only, profiler, CUpti_PmSampling_Start_Params, pPmSamplingObject);

SAME(tacho__cupti_open, profiler, CUpti_Profiler_Host_Initialize_Params, profilerType);
SAME(tacho__cupti_open, host, CUpti_Profiler_Host_Initialize_Params, pHostObject);
SAME(tacho__cupti_evaluate, range, CUpti_Profiler_Host_EvaluateToGpuValues_Params, rangeIndex);
SAME(tacho__cupti_evaluate, values, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pMetricValues);
SAME(tacho__cupti_chip_name, chip, CUpti_Device_GetChipName_Params, pChipName);
SAME(tacho__cupti_supported, device, CUpti_Profiler_DeviceSupported_Params, cuDevice);
SAME(tacho__cupti_supported, is_supported, CUpti_Profiler_DeviceSupported_Params, isSupported);
SAME(tacho__cupti_supported, sli, CUpti_Profiler_DeviceSupported_Params, sli);
SAME(tacho__cupti_supported, vgpu, CUpti_Profiler_DeviceSupported_Params, vGpu);
SAME(tacho__cupti_supported, confidential, CUpti_Profiler_DeviceSupported_Params,
     confidentialCompute);
SAME(tacho__cupti_supported, mining, CUpti_Profiler_DeviceSupported_Params, cmp);
SAME(tacho__cupti_supported, wsl, CUpti_Profiler_DeviceSupported_Params, wsl);
SAME(tacho__cupti_supported, api, CUpti_Profiler_DeviceSupported_Params, api);

NUMBER(TACHO__CUPTI_RANGES, CUPTI_PROFILER_TYPE_RANGE_PROFILER);
NUMBER(TACHO__CUPTI_SAMPLES, CUPTI_PROFILER_TYPE_PM_SAMPLING);
NUMBER(TACHO__CUPTI_API_SAMPLES, CUPTI_PROFILER_PM_SAMPLING);
NUMBER(TACHO__CUPTI_EVERY_CYCLES, CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL);
NUMBER(TACHO__CUPTI_EVERY_NS, CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL);
NUMBER(TACHO__CUPTI_SUPPORT_NONE, CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED);
NUMBER(TACHO__CUPTI_SUPPORT_GOOD, CUPTI_PROFILER_CONFIGURATION_SUPPORTED);
NUMBER(TACHO__CUPTI_NO_RIGHTS, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
NUMBER(TACHO__CUPTI_BUSY, CUPTI_ERROR_HARDWARE_BUSY);
