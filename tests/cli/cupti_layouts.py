#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cupti_layouts.py SOURCE CC...: the structs that tacho gives to libcupti are those of NVIDIA's
headers, field by field and in their sizes, where these are installed. Skipped (77) without headers of
CUDA 13.0."""
import glob
import os
import subprocess
import sys
import tempfile

# ours, NVIDIA's, last field there: fields of both, in order. All begin with size and pPriv.
STRUCTS = [
    ("supported", "CUpti_Profiler_DeviceSupported_Params", "api",
     "device=cuDevice is_supported=isSupported architecture=architecture sli=sli vgpu=vGpu "
     "confidential=confidentialCompute mining=cmp wsl=wsl api=api"),
    ("chip_name", "CUpti_Device_GetChipName_Params", "chip", "device=deviceIndex chip=pChipName"),
    ("availability", "CUpti_Profiler_GetCounterAvailability_Params", "bytes",
     "context=ctx size=counterAvailabilityImageSize bytes=pCounterAvailabilityImage"),
    ("enable", "CUpti_RangeProfiler_Enable_Params", "profiler",
     "context=ctx profiler=pRangeProfilerObject"),
    ("profiler_only", "CUpti_RangeProfiler_Disable_Params", "profiler",
     "profiler=pRangeProfilerObject"),
    ("profiler_only", "CUpti_RangeProfiler_Start_Params", "profiler",
     "profiler=pRangeProfilerObject"),
    ("profiler_only", "CUpti_RangeProfiler_PopRange_Params", "profiler",
     "profiler=pRangeProfilerObject"),
    ("set_config", "CUpti_RangeProfiler_SetConfig_Params", "level",
     "profiler=pRangeProfilerObject config_size=configSize config=pConfig "
     "data_size=counterDataImageSize data=pCounterDataImage ranges=range replay=replayMode "
     "range_max=maxRangesPerPass levels=numNestingLevels first_level=minNestingLevel "
     "pass=passIndex level=targetNestingLevel"),
    ("stop", "CUpti_RangeProfiler_Stop_Params", "all_submitted",
     "profiler=pRangeProfilerObject pass=passIndex level=targetNestingLevel "
     "all_submitted=isAllPassSubmitted"),
    ("push", "CUpti_RangeProfiler_PushRange_Params", "name",
     "profiler=pRangeProfilerObject name=pRangeName"),
    ("decode", "CUpti_RangeProfiler_DecodeData_Params", "dropped",
     "profiler=pRangeProfilerObject dropped=numOfRangeDropped"),
    ("data_size", "CUpti_RangeProfiler_GetCounterDataSize_Params", "size",
     "profiler=pRangeProfilerObject names=pMetricNames count=numMetrics range_max=maxNumOfRanges "
     "node_max=maxNumRangeTreeNodes size=counterDataSize"),
    ("data", "CUpti_RangeProfiler_CounterDataImage_Initialize_Params", "bytes",
     "profiler=pRangeProfilerObject size=counterDataSize bytes=pCounterData"),
    ("data_info", "CUpti_RangeProfiler_GetCounterDataInfo_Params", "range_count",
     "bytes=pCounterDataImage size=counterDataImageSize range_count=numTotalRanges"),
    ("range_info", "CUpti_RangeProfiler_CounterData_GetRangeInfo_Params", "name",
     "bytes=pCounterDataImage size=counterDataImageSize range=rangeIndex "
     "delimiter=rangeDelimiter name=rangeName"),
    ("evaluate", "CUpti_Profiler_Host_EvaluateToGpuValues_Params", "values",
     "host=pHostObject data=pCounterDataImage data_size=counterDataImageSize range=rangeIndex "
     "names=ppMetricNames count=numMetrics values=pMetricValues"),
    ("open", "CUpti_Profiler_Host_Initialize_Params", "host",
     "profiler=profilerType chip=pChipName availability=pCounterAvailabilityImage "
     "host=pHostObject"),
]
NUMBERS = {"TACHO__CUPTI_AUTO_RANGES": "CUPTI_AutoRange",
           "TACHO__CUPTI_USER_RANGES": "CUPTI_UserRange",
           "TACHO__CUPTI_REPLAY_APPLICATION": "CUPTI_ApplicationReplay",
           "TACHO__CUPTI_REPLAY_KERNEL": "CUPTI_KernelReplay",
           "TACHO__CUPTI_REPLAY_USER": "CUPTI_UserReplay",
           "TACHO__CUPTI_BUSY": "CUPTI_ERROR_HARDWARE_BUSY",
           "TACHO__CUPTI_NO_RIGHTS": "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES",
           "TACHO__CUPTI_SUPPORT_GOOD": "CUPTI_PROFILER_CONFIGURATION_SUPPORTED",
           "TACHO__CUPTI_SUPPORT_DISABLED": "CUPTI_PROFILER_CONFIGURATION_DISABLED"}


def find_headers():
    for folder in [os.environ.get("CUDA_HOME", "/usr/local/cuda"), *glob.glob("/usr/local/cuda-*")]:
        include = folder + "/include"
        if os.path.exists(include + "/cupti_range_profiler.h"):
            with open(include + "/cuda.h", encoding="utf-8") as header:
                if "CUDA_VERSION 13000" in header.read():
                    return include
    return None


def write_checks():
    yield "#include <stddef.h>\n#include <stdint.h>\n"
    for header in ("cupti_target", "cupti_profiler_target", "cupti_profiler_host",
                   "cupti_range_profiler"):
        yield f"#include <{header}.h>\n"
    yield '#include "backend/cupti/cupti_calls.h"\n'
    for ours, theirs, last, fields in STRUCTS:
        ours = f"struct tacho__cupti_{ours}"
        for pair in fields.split():
            own, other = pair.split("=")
            yield (f'_Static_assert(offsetof({ours}, {own}) == offsetof({theirs}, {other}), '
                   f'"{ours}.{own}");\n')
        yield (f'_Static_assert(offsetof({ours}, {last}) + sizeof((({ours} *)0)->{last}) == '
               f'{theirs}_STRUCT_SIZE, "size of {ours}");\n')
    for own, other in NUMBERS.items():
        yield f'_Static_assert((int){own} == (int){other}, "{own}");\n'


def main():
    source, compiler = sys.argv[1], sys.argv[2:]
    include = find_headers()
    if not include:
        print("headers of CUDA 13.0 are not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        open(folder + "/string", "w", encoding="utf-8").close()  # a header of C++ that one names
        with open(folder + "/checks.c", "w", encoding="utf-8") as file:
            file.writelines(write_checks())
        return subprocess.run([*compiler, "-std=gnu17", "-fsyntax-only", "-isystem", include,
                               "-isystem", folder, "-I", source + "/src", folder + "/checks.c"],
                              check=False).returncode


sys.exit(main())
