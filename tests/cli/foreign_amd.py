# SPDX-License-Identifier: MIT
"""Files as AMD's profilers write them, of each generation, and what must be read from them.

    foreign_amd.py make        writes them into the current folder
    foreign_amd.py databases   the same of databases
    foreign_amd.py check NAME  reads JSON lines of one, or of a folder, from stdin
"""
import json
import os
import sqlite3
import sys

ADD = '"void add<float>(float*, float const*, int)"'

# Before 6.2: no thread, no dispatch; agents are numbers.
OLDEST = '''"Kind","Agent_Id","Queue_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Private_Segment_Size","Group_Segment_Size","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"
"KERNEL_DISPATCH",1,139690710949888,16,%s,5,2000,2600,16,512,64,1,1,1024,1024,1
"KERNEL_DISPATCH",1,139690710949888,16,"late",6,3000,2900,0,0,64,1,1,64,1,1
''' % ADD

NEW = '''"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"
"KERNEL_DISPATCH","Agent 4",1,1,43,1,10,%s,7,2000,2600,512,16,24,4,32,64,2,1,1024,8,1
"KERNEL_DISPATCH","Agent 4",2,2,43,2,11,"second [clone .kd]",9,2500,3000,0,0,8,0,16,1,1,1,4,3,2
''' % ADD

# Out of "rocpd convert": other case, one file for two processes with the same ids.
CONVERTED = '''"Guid","Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Lds_Block_Size","Scratch_Size","Vgpr_Count","Accum_Vgpr_Count","Sgpr_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"
"aa-1","KERNEL_DISPATCH","Agent 4",1,1,43,1,10,"k",7,100,200,0,0,8,0,16,64,1,1,128,1,1
"bb-2","KERNEL_DISPATCH","Agent 4",1,1,44,1,10,"k",7,150,260,0,0,8,0,16,64,1,1,64,1,1
'''

COUNTERS = '''"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"
7,1,"Agent 4",1,42,43,8192,10,%s,128,512,16,24,4,32,"SQ_WAVES",3564.000000,2000,2600
9,2,"Agent 4",2,42,43,24,11,"second",1,0,0,8,0,16,"SQ_WAVES",0.00000000e+00,2500,3000
7,1,"Agent 4",1,42,43,8192,10,%s,128,512,16,24,4,32,"L2CacheHit",6.29725980e-01,2000,2600
9,2,"Agent 4",2,42,43,24,11,"second",1,0,0,8,0,16,"L2CacheHit",nan,2500,3000
''' % (ADD, ADD)

# 0.5: values are whole, and there are no times.
OLD_COUNTERS = '''"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","SGPR_Count","Counter_Name","Counter_Value"
1,1,1,1,42,43,1024,16,"k",64,0,0,8,16,"SQ_WAVES",16384
'''

API = '''"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipMalloc",42,43,6,900,950
"HIP_RUNTIME_API_EXT","hipLaunchKernel",42,43,7,1000,1900
"HIP_COMPILER_API","__hipPopCallConfiguration",42,43,8,1910,1920
"HIP_RUNTIME_API","hipMemcpy",42,43,11,3100,3900
"HSA_CORE_API","hsa_signal_create",42,44,12,3950,3960
'''

MARKERS = '''"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MARKER_CORE_API","here",42,43,1,990,990
"MARKER_CORE_API","inner",42,43,3,995,1950
"MARKER_CORE_API","outer",42,43,2,980,4000
"MARKER_CORE_API","phase",42,0,4,970,3500
'''

COPIES = '''"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_COPY","MEMORY_COPY_HOST_TO_DEVICE",0,"Agent 0","Agent 4",11,3200,3300
"MEMORY_COPY","MEMORY_COPY_DEVICE_TO_HOST",0,"Agent 4","Agent 0",0,3400,3500
'''

ALLOCATIONS = '''"Kind","Operation","Agent_Id","Allocation_Size","Address","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 4",1024,"0x00007ffb26354000",6,910,920
'''

SCRATCH = '''"Kind","Operation","Agent_Id","Queue_Id","Thread_Id","Alloc_Flags","Start_Timestamp","End_Timestamp"
"SCRATCH_MEMORY","SCRATCH_MEMORY_ALLOC","Agent 4",1,43,0,1950,1960
'''

AGENTS = '''"Node_Id","Logical_Node_Id","Agent_Type","Wave_Front_Size","Num_Xcc","Cu_Count","Simd_Per_Cu","Location_Id","Domain","Max_Waves_Per_Cu","Workgroup_Max_Size","Name","Vendor_Name","Product_Name"
0,0,"CPU",0,0,96,0,0,0,0,0,"EPYC","CPU","AMD EPYC"
4,4,"GPU",64,8,304,4,1280,0,32,1024,"gfx942","AMD","AMD Instinct MI300X"
'''

SUMS = '''"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"
"hipMalloc",4,262497406,65624351.500000,85.15,3991286,249121840,122332531.343496
'''

# rocprof, first and second generation.
V1 = '''"Index","KernelName","gpu-id","queue-id","queue-index","pid","tid","grd","wgr","lds","scr","vgpr","sgpr","fbar","sig","obj","SQ_WAVES","DispatchNs","BeginNs","EndNs","CompleteNs","DurationNs"
0,"add(float*) [clone .kd]",1,0,0,42,43,4096,256,512,0,8,24,0,"0x0","0x7f",64,1000,1500,2500,2600,1000
1,"add(float*) [clone .kd]",1,0,2,42,43,4096,256,512,0,8,24,0,"0x0","0x7f",64.5,9000,3500,4500,4600,1000
'''
V2 = '''"Index","KernelName","gpu-id","queue-id","queue-index","pid","tid","grd","wgr","lds","scr","arch_vgpr","accum_vgpr","sgpr","wave_size","sig","obj","DispatchNs","BeginNs","EndNs","CompleteNs","DurationNs"
0,"add(float*) [clone .kd]",4,0,0,42,43,4096,256,512,0,8,4,24,64,"0x0","0x7f",1000,1500,2500,2600,1000
'''

# rocprofiler-compute: tables that were joined, channels, times that a spreadsheet rounded.
PERF = '''Dispatch_ID,GPU_ID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Wave_Size,Kernel_Name,Correlation_ID,SQ_WAVES,Wave_Size_1,Correlation_ID_1,XCC_Index,TCC_HIT[0],TCC_HIT[1],obj_12,Start_Timestamp,End_Timestamp
0,2,1048576,256,0,0,4,4,16,64,"vecCopy(double*) (.kd)",0,16384,64,0,0,5,6,0x1,8000,9000
1,2,1048576,256,0,0,4,4,16,64,"vecCopy(double*) (.kd)",0,16384,64,0,0,7,,0x1,8.1097E+14,8.1097E+14
'''
LEVEL = '''Dispatch_ID,GPU_ID,Queue_ID,PID,TID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Wave_Size,Kernel_Name,Start_Timestamp,End_Timestamp,Correlation_ID,SQ_WAVES,SQ_LEVEL_WAVES,SQ_ACCUM_PREV_HIRES
0,2,1,1102,1102,1048576,256,0,0,4,4,16,64,"vecCopy(double*) (.kd)",8.1097E+14,8.1097E+14,0,16385,0,155189876
'''
STAMPS = '''Dispatch_ID,GPU_ID,Queue_ID,PID,TID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Wave_Size,Kernel_Name,Start_Timestamp,End_Timestamp,Correlation_ID
1,2,1,1103,1103,1048576,256,0,0,4,4,16,64,"vecCopy(double*) (.kd)",8000,9000,0
'''
SYSINFO = '''workload_name,command,hostname,gpu_model,gpu_arch,cu_per_gpu,simd_per_cu,wave_size,workgroup_max_size,max_waves_per_cu
vcopy,./vcopy -n 3,node7,MI300X,gfx942,304,4,64,1024,32
'''

# Since 2026: a file for each run that counted, each with its own id, a row for each counter.
RESULTS = "GPU_ID,GUID,Correlation_Id,Dispatch_ID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Kernel_Name,Start_Timestamp,End_Timestamp,Kernel_ID,Counter_Name,Counter_Value\n"
PASSES = [RESULTS + "".join('1,000000a7-%d,%d,%d,1024,64,0,0,8,0,128,"vecCopy(double*, int)",%d,%d,0,%s,%d.0\n'
                            % (run, n + 1, n, 1000 + run * 100 + 20 * n, 1010 + run * 100 + 20 * n, counter, value + n)
                            for n in range(2) for counter, value in counters)
          for run, counters in ((0, (("SQ_WAVES", 16), ("GRBM_COUNT", 700))), (10, (("SQ_WAIT_ANY", 50),)))]
# A trace with graphs (2026).
GRAPHS = NEW.replace('Grid_Size_Z"', 'Grid_Size_Z","Graph_Exec_Id","Graph_Node_Id"')
GRAPHS = GRAPHS.split("\n")[0] + "\n" + "".join(line + ',1,%d\n' % i for i, line in enumerate(GRAPHS.split("\n")[1:]) if line)

FILES = {
    "results/results_pmc_perf_0.csv": PASSES[0], "results/results_pmc_perf_10.csv": PASSES[1], "results/sysinfo.csv": SYSINFO,
    "whole/pmc_perf.csv": PASSES[0] + PASSES[1].partition("\n")[2], "graphs.csv": GRAPHS,
    "oldest.csv": OLDEST, "new.csv": NEW, "converted.csv": CONVERTED, "counters.csv": COUNTERS, "old_counters.csv": OLD_COUNTERS,
    "api.csv": API, "markers.csv": MARKERS, "copies.csv": COPIES, "allocations.csv": ALLOCATIONS, "scratch.csv": SCRATCH,
    "v1.csv": V1, "v2.csv": V2, "perf.csv": PERF, "level.csv": LEVEL, "sysinfo.csv": SYSINFO,
    "crlf.csv": NEW.replace("\n", "\r\n"), "42_kernel_trace.csv": NEW,
    "run/42_kernel_trace.csv": NEW, "run/42_counter_collection.csv": COUNTERS, "run/42_hip_api_trace.csv": API,
    "run/42_memory_copy_trace.csv": COPIES, "run/42_marker_api_trace.csv": MARKERS, "run/42_agent_info.csv": AGENTS,
    "run/42_memory_allocation_trace.csv": ALLOCATIONS, "run/42_scratch_memory_trace.csv": SCRATCH,
    "run/42_hip_api_stats.csv": SUMS,
    "work/pmc_perf.csv": PERF, "work/SQ_LEVEL_WAVES.csv": LEVEL, "work/timestamps.csv": STAMPS, "work/sysinfo.csv": SYSINFO,
}


def make():
    for name, text in FILES.items():
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        with open(name, "w", newline="") as file:
            file.write(text)
    with open("cut.csv", "w") as file: # in the last line
        file.write(NEW[:NEW.index("second") + 3])
    with open("damaged.csv", "w") as file: # a line within has lost its end
        file.write(NEW.replace(",1024,8,1\n", ",1024\n"))
    with open("huge.csv", "w") as file: # numbers that cannot be
        file.write(NEW.replace("2600", "99999999999999999999999").replace("1024", "18446744073709551615"))


def read(lines):
    rows = [json.loads(line) for line in lines]
    of = lambda kind: [r for r in rows if r["schema"] == "tacho.%s/1" % kind]
    return of("run")[0], of("process"), of("object"), of("call"), of("range")


def equal(got, wanted, what):
    assert got == wanted, "%s: %r, not %r" % (what, got, wanted)


def kernels(calls):
    return [c for c in calls if c["command"] and c["command"]["kind"] == "kernel"]


def launches(calls):
    """Name, times, size, group."""
    return [(c["command"]["kernel"]["name"], c["command"].get("start_ns"), c["command"].get("end_ns"), c["command"]["global"],
             c["command"]["local"]) for c in kernels(calls)]


def values(calls):
    return [{n: v["value"] if v["state"] == "ok" else v["state"] for n, v in (c.get("values") or {}).items()} for c in kernels(calls)]


def facts(objects, kind):
    return [o["attributes"] for o in objects if o["kind"] == kind]


ADDED = "void add<float>(float*, float const*, int)"


def check_oldest(run, processes, objects, calls, ranges):
    equal(launches(calls)[0], (ADDED, 2000, 2600, [1024, 1024], [64, 1]), "work-items, not groups")
    equal(calls[-1]["command"]["state"], "absent", "ended before it began")
    kernel = facts(objects, "kernel")[0]
    equal((kernel["local_bytes"], kernel["private_bytes"], kernel.get("vgprs")), ("512", "16", None), "what this version has")


def check_new(run, processes, objects, calls, ranges, pid=None):
    equal(run["generator"], "rocprofv3, CSV", "generator")
    equal([p["pid"] for p in processes], [pid], "the process that the file's name says")
    equal(launches(calls), [(ADDED, 2000, 2600, [1024, 8], [64, 2]), ("second", 2500, 3000, [4, 3, 2], [1, 1, 1])], "launches")
    equal([c["thread"] for c in calls], [43, 43], "threads")
    equal([o["name"] for o in objects if o["kind"] == "queue"], ["queue 1", "queue 2"], "queues")
    equal(facts(objects, "kernel")[0]["vgprs"], "24", "registers")


def check_named(*all_of_it):
    check_new(*all_of_it, pid=42)


def check_converted(run, processes, objects, calls, ranges):
    equal(len(processes), 2, "a process for each Guid")
    equal([c["process"] for c in calls], [0, 1], "processes")
    equal(facts(objects, "kernel")[0]["vgprs"], "8", "titles of another case")


def check_counters(run, processes, objects, calls, ranges):
    equal([p["pid"] for p in processes], [42], "process")
    equal(launches(calls), [(ADDED, 2000, 2600, [8192], [128]), ("second", 2500, 3000, [24], [1])], "a launch for each dispatch")
    equal(values(calls), [{"SQ_WAVES": 3564, "L2CacheHit": 0.62972598}, {"SQ_WAVES": 0, "L2CacheHit": "absent"}], "values")


def check_old_counters(run, processes, objects, calls, ranges):
    equal(kernels(calls)[0]["command"]["state"], "absent", "no times")
    equal(values(calls), [{"SQ_WAVES": 16384}], "values")


def check_api(run, processes, objects, calls, ranges):
    equal([(c["api"], c["function"], c["thread"], c["start_ns"], c["end_ns"]) for c in calls],
          [("hip", "hipMalloc", 43, 900, 950), ("hip", "hipLaunchKernel", 43, 1000, 1900),
           ("hip", "__hipPopCallConfiguration", 43, 1910, 1920), ("hip", "hipMemcpy", 43, 3100, 3900),
           ("hsa", "hsa_signal_create", 44, 3950, 3960)], "calls")


def check_markers(run, processes, objects, calls, ranges):
    equal(sorted((r["name"], r["kind"], r["start_ns"], r["end_ns"]) for r in ranges),
          [("here", "mark", 990, 990), ("inner", "nested", 995, 1950), ("outer", "nested", 980, 4000),
           ("phase", "process", 970, 3500)], "ranges")


def check_copies(run, processes, objects, calls, ranges):
    equal([(c["command"]["kind"], c["command"]["name"], c["command"]["start_ns"], c["command"].get("bytes"),
            c["command"]["device"]["name"]) for c in calls],
          [("write", "copy host to device", 3200, None, "Agent 4"), ("read", "copy device to host", 3400, None, "Agent 4")], "copies")
    assert "How much was copied is not in such files" in run["import_note"], run["import_note"]


def check_allocations(run, processes, objects, calls, ranges):
    equal([(c["api"], c["function"], c["start_ns"], c["end_ns"]) for c in calls],
          [("memory", "MEMORY_ALLOCATION_ALLOCATE", 910, 920)], "allocation")


def check_scratch(run, processes, objects, calls, ranges):
    equal([(c["function"], c["thread"], c["start_ns"]) for c in calls], [("SCRATCH_MEMORY_ALLOC", 43, 1950)], "scratch")


def check_v1(run, processes, objects, calls, ranges):
    equal(run["generator"], "rocprof, CSV", "generator")
    equal(launches(calls), [("add(float*)", 1500, 2500, [4096], [256]), ("add(float*)", 3500, 4500, [4096], [256])], "launches")
    equal([c["command"]["queued_ns"] for c in calls], [1000, None], "queued, where it was before the start")
    equal(values(calls), [{"SQ_WAVES": 64}, {"SQ_WAVES": 64.5}], "values")


def check_v2(run, processes, objects, calls, ranges):
    equal(launches(calls), [("add(float*)", 1500, 2500, [4096], [256])], "launches")
    equal(facts(objects, "kernel")[0]["vgprs"], "8", "registers")
    equal(values(calls), [{}], "no counters")


def check_perf(run, processes, objects, calls, ranges, more=({}, {})):
    equal(launches(calls)[0], ("vecCopy(double*)", 8000, 9000, [1048576], [256]), "launch")
    equal((calls[1]["command"]["state"], calls[1]["command"]["reason"]), ("absent", "the file has rounded its times"), "rounded")
    got = values(calls)
    wanted = [{"SQ_WAVES": 16384, "TCC_HIT[0]": 5, "TCC_HIT[1]": 6}, {"SQ_WAVES": 16384, "TCC_HIT[0]": 7, "TCC_HIT[1]": "absent"}]
    equal(got, [dict(a, **b) for a, b in zip(wanted, more)], "columns that are counters")


def check_results(run, processes, objects, calls, ranges):
    equal(run["generator"], "rocprofiler-compute, CSV of a workload", "tool")
    equal(len(processes), 1, "processes")
    equal(launches(calls), [("vecCopy(double*, int)", 1000, 1010, [1024], [64]), ("vecCopy(double*, int)", 1020, 1030, [1024], [64])],
          "launches, once, with the times of the first run")
    equal(values(calls), [{"SQ_WAVES": 16 + n, "GRBM_COUNT": 700 + n, "SQ_WAIT_ANY": 50 + n} for n in (0, 1)], "values of all runs")
    assert "counted in several runs" in run["import_note"], run["import_note"]


def check_level(run, processes, objects, calls, ranges):
    equal([p["pid"] for p in processes], [1102], "process")
    equal(values(calls), [{"SQ_WAVES": 16385, "SQ_LEVEL_WAVES": 0, "SQ_ACCUM_PREV_HIRES": 155189876}], "values")


def check_sysinfo(run, processes, objects, calls, ranges):
    equal((run["host"], run["application"]), ("node7", "./vcopy -n 3"), "machine and command")


def check_run(run, processes, objects, calls, ranges):
    """All files of one process: what belongs together is one."""
    equal([p["pid"] for p in processes], [42], "processes")
    equal(launches(calls), [(ADDED, 2000, 2600, [1024, 8], [64, 2]), ("second", 2500, 3000, [4, 3, 2], [1, 1, 1])],
          "launches of the trace, once")
    equal(values(calls), [{"SQ_WAVES": 3564, "L2CacheHit": 0.62972598}, {"SQ_WAVES": 0, "L2CacheHit": "absent"}], "values")
    equal([(c["function"], c["command"]["kind"]) for c in calls if c["command"]],
          [("hipLaunchKernel", "kernel"), ("(no call)", "kernel"), ("(no call)", "read"), ("hipMemcpy", "write")], "joined")
    gpu = [o for o in objects if o["kind"] == "device"]
    equal([d["name"] for d in gpu], ["AMD Instinct MI300X"], "the one device that has work")
    equal((gpu[0]["attributes"]["compute_units"], gpu[0]["attributes"]["architecture"], gpu[0]["attributes"]["pci"]),
          ("304", "gfx942", "0000:05:00.0"), "what it is")
    equal(len(ranges), 4, "ranges")


def check_work(*all_of_it):
    objects = all_of_it[2]
    equal([p["pid"] for p in all_of_it[1]], [None], "launches of several processes")
    check_perf(*all_of_it, more=({"SQ_LEVEL_WAVES": 0, "SQ_LEVEL_WAVES_ACCUM": 155189876},
                                 {"SQ_LEVEL_WAVES": "absent", "SQ_LEVEL_WAVES_ACCUM": "absent"}))
    equal(facts(objects, "device")[0]["architecture"], "gfx942", "device")


def check_cut(run, processes, objects, calls, ranges):
    equal(len(launches(calls)), 1, "what is whole")


def check_huge(run, processes, objects, calls, ranges):
    equal(calls[0]["command"]["state"], "ok", "the one that can be")
    equal(calls[1]["command"]["state"], "absent", "a time that is no time")


def check_back(run, processes, objects, calls, ranges):
    """What tacho itself wrote of "run"."""
    equal([p["pid"] for p in processes], [42], "processes")
    equal(launches(calls), [(ADDED, 2000, 2600, [1024, 8], [64, 2]), ("second", 2500, 3000, [4, 3, 2], [1, 1, 1])], "launches")
    equal([c["thread"] for c in kernels(calls)], [43, 43], "threads")
    equal(values(calls), [{"SQ_WAVES": 3564, "L2CacheHit": 0.62972598}, {"SQ_WAVES": 0, "L2CacheHit": "absent"}], "values")
    equal([(k["local_bytes"], k["private_bytes"], k["vgprs"], k["sgprs"]) for k in facts(objects, "kernel")],
          [("512", "16", "24", "32"), ("0", "0", "8", "16")], "resources")
    equal([o["name"] for o in objects if o["kind"] == "device"], ["AMD Instinct MI300X"], "device")
    equal(sorted((r["name"], r["start_ns"], r["end_ns"]) for r in ranges),
          [("here", 990, 990), ("inner", 995, 1950), ("outer", 980, 4000), ("phase", 970, 3500)], "ranges")


def check_database(run, processes, objects, calls, ranges):
    check_back(run, processes, objects, calls, ranges)
    assert "rocpd database of schema 3" in run["generator"], run["generator"]
    equal([(c["function"], c["command"] and c["command"]["kind"]) for c in calls if c["api"] in ("hip", "hsa")],
          [("hipMalloc", None), ("hipLaunchKernel", "kernel"), ("__hipPopCallConfiguration", None), ("hipMemcpy", None),
           ("hsa_signal_create", None)], "calls, with their work")


def tables(db, suffix, shift):
    """A set as rocprofv3 writes it: instances of counters, copies, allocations, and a view that never ends."""
    def put(name, columns, *rows):
        db.execute("CREATE TABLE rocpd_%s%s (%s)" % (name, suffix, ", ".join('"%s"' % c for c in columns.split())))
        for row in rows:
            db.execute("INSERT INTO rocpd_%s%s VALUES (%s)" % (name, suffix, ",".join("?" * len(row))), row)
    put("metadata", "id tag value", (1, "schema_version", "3"))
    put("string", "id guid string", (1, "g", "HIP_RUNTIME_API"), (2, "g", "hipLaunchKernel"), (3, "g", "KERNEL_DISPATCH"),
        (4, "g", "MEMORY_COPY_HOST_TO_DEVICE"), (5, "g", "MARKER_CORE_API"), (6, "g", "step"), (7, "g", "hipMemcpy"))
    put("info_process", "id pid command", (1, 42 + shift, "./app%d" % shift))
    put("info_thread", "id pid tid", (9, 1, 43 + shift))
    put("info_agent", "id type absolute_index logical_index name product_name vendor_name",
        (1, "CPU", 0, 0, "EPYC", "", "CPU"), (2, "GPU", 4, 1, "gfx942", "AMD Instinct MI300X", "AMD"))
    put("info_queue", "id name", (1, "Queue 1"))
    put("info_stream", "id name", (1, "Stream 1"))
    put("info_kernel_symbol", "id kernel_name display_name group_segment_size private_segment_size sgpr_count arch_vgpr_count "
        "accum_vgpr_count", (3, "_Z3addPf.kd", "add(float*)", 128, 16, 32, 24, 4))
    put("info_pmc", "id pid name units", (1, 1, "SQ_WAVES", ""), (2, 1, "TCC_HIT", ""))
    put("event", "id category_id stack_id correlation_id", (1, 1, 7, 0), (2, 3, 7, 0), (3, 3, 8, 0), (4, 1, 9, 0), (5, 5, 10, 0))
    put("region", "id pid tid start end name_id event_id", (1, 1, 9, 1000, 1900, 2, 1), (2, 1, 9, 3000, 3500, 7, 4),
        (3, 1, 9, 900, 4000, 6, 5))
    put("kernel_dispatch", "id pid tid agent_id kernel_id dispatch_id queue_id stream_id start end private_segment_size "
        "group_segment_size workgroup_size_x workgroup_size_y workgroup_size_z grid_size_x grid_size_y grid_size_z event_id",
        (1, 1, 9, 2, 3, 1, 1, 1, 2000, 2600 + shift, 16, 640, 64, 2, 1, 1024, 8, 1, 2),
        (2, 1, 9, 2, 3, 2, 1, 1, 2500, 3000, 16, 128, 1, 1, 1, 4, 3, 2, 3))
    put("pmc_event", "id event_id pmc_id value extdata", (1, 3, 1, 7.0, "{}"), (2, 2, 2, 5.0, "{}"), (3, 2, 1, 64.0, "{}"),
        (4, 2, 2, 6.5, "{}"), (5, 77, 1, 1.0, "{}"))
    put("memory_copy", "id pid tid start end name_id dst_agent_id src_agent_id size queue_id stream_id event_id",
        (1, 1, 9, 3100, 3300, 4, 2, 1, 4096, 1, 1, 4))
    put("memory_allocate", "id pid tid agent_id type level start end size event_id",
        (1, 1, 9, 2, "ALLOC", "REAL", 800, 850, 1024, 1))


def make_json():
    """As rocprofv3 writes it, two processes; and the same with its keys in another order."""
    def process(pid, shift):
        handle = lambda n: {"handle": n}
        launch = lambda dispatch, kernel, link, start, end, grid, group: {
            "size": 1, "kind": 2, "operation": 1, "thread_id": 43, "correlation_id": {"internal": link, "external": 0},
            "start_timestamp": start, "end_timestamp": end, "dispatch_info": {
                "size": 1, "agent_id": handle(77), "queue_id": handle(1), "kernel_id": kernel, "dispatch_id": dispatch,
                "private_segment_size": 16, "group_segment_size": 640, "workgroup_size": dict(zip("xyz", group)),
                "grid_size": dict(zip("xyz", grid))}}
        call = lambda kind, operation, link, start, end, **more: dict({
            "kind": kind, "operation": operation, "correlation_id": {"internal": link, "external": 0}, "start_timestamp": start,
            "end_timestamp": end, "thread_id": 43}, **more)
        first = launch(1, 1, 7, 2000, 2600 + shift, (1024, 8, 1), (64, 2, 1))
        return {
            "metadata": {"pid": pid, "init_time": 1, "fini_time": 2, "config": {"pid": "x", "list": [1, [2]]}},
            "agents": [{"id": handle(70), "type": 1, "node_id": 0, "name": "EPYC", "product_name": "AMD EPYC", "vendor_name": "CPU"},
                       {"id": handle(77), "type": 2, "node_id": 4, "name": "gfx942", "product_name": "AMD Instinct MI300X",
                        "vendor_name": "AMD", "cu_count": 304, "wave_front_size": 64}],
            "counters": [{"id": handle(501), "name": "SQ_WAVES", "dimension_ids": [{"id": 1, "instance_size": 1, "name": "DIMENSION_XCC"}]},
                         {"id": handle(502), "name": "TCC_HIT", "dimension_ids": [{"id": 1, "instance_size": 2, "name": "DIMENSION_INSTANCE"}]}],
            "strings": {"buffer_records": [
                {"kind": "NONE", "operations": []}, {"kind": "HIP_RUNTIME_API", "operations": ["none", "hipLaunchKernel", "hipMemcpy"]},
                {"kind": "KERNEL_DISPATCH", "operations": []}, {"kind": "MEMORY_COPY", "operations": ["NONE", "HOST_TO_DEVICE"]},
                {"kind": "MARKER_CORE_RANGE_API", "operations": ["roctxRangePushA"]},
                {"kind": "MEMORY_ALLOCATION", "operations": ["NONE", "ALLOCATE"]}],
                "marker_api": [{"key": 10, "value": "step"}]},
            "code_objects": [{"deep": [{"deeper": {}}]}],
            "kernel_symbols": [{"kernel_id": 0, "kernel_name": ""}, {
                "kernel_id": 1, "kernel_name": "_Z3addPf.kd", "formatted_kernel_name": "add(float*)", "group_segment_size": 128,
                "private_segment_size": 16, "sgpr_count": 32, "arch_vgpr_count": 24, "accum_vgpr_count": 4}],
            "callback_records": {"counter_collection": [{
                "dispatch_data": first, "thread_id": 43, "records": [
                    {"counter_id": handle(502), "value": 5.0}, {"counter_id": handle(501), "value": 64.0},
                    {"counter_id": handle(502), "value": 6.5}]}]},
            "buffer_records": {
                "kernel_dispatch": [first, launch(2, 1, 8, 2500, 3000, (4, 3, 2), (1, 1, 1))],
                "hip_api": [call(1, 1, 7, 1000, 1900, args=[{"name": "x", "value": "1"}]), call(1, 2, 9, 3000, 3500)],
                "marker_api": [call(4, 0, 10, 900, 4000)],
                "memory_copy": [call(3, 1, 9, 3100, 3300, bytes=4096, dst_agent_id=handle(77), src_agent_id=handle(70))],
                "memory_allocation": [call(5, 1, 7, 800, 850, allocation_size=1024)]}}
    turned = lambda value: ({k: turned(value[k]) for k in sorted(value)} if isinstance(value, dict)
                            else [turned(v) for v in value] if isinstance(value, list) else value)
    one, two = {"rocprofiler-sdk-tool": [process(42, 0)]}, {"rocprofiler-sdk-tool": [process(42, 0), process(43, 1)]}
    for name, text in (("one", json.dumps(one)), ("turned", json.dumps(turned(one))), ("two", json.dumps(two, indent=1)),
                       ("cut", json.dumps(two)[:-900]),
                       ("cut_first", json.dumps(turned(one))[:-900])):
        with open(name + ".json", "w") as file:
            file.write(text)


def check_one_json(run, processes, objects, calls, ranges):
    equal(run["generator"], "rocprofv3, JSON", "generator")
    equal([p["pid"] for p in processes], [42], "processes")
    equal(launches(calls), [("add(float*)", 2000, 2600, [1024, 8], [64, 2]), ("add(float*)", 2500, 3000, [4, 3, 2], [1, 1, 1])],
          "launches, each once")
    equal(values(calls), [{"SQ_WAVES": 64, "TCC_HIT": 11.5}, {}],
          "values, of all instances")
    assert "1 value is a sum over the instances" in run["import_note"], run["import_note"]
    equal([(c["function"], c["start_ns"], c["command"] and (c["command"]["kind"], c["command"].get("bytes"))) for c in calls],
          [("ALLOCATE", 800, None), ("hipLaunchKernel", 1000, ("kernel", None)), ("(no call)", 2500, ("kernel", None)),
           ("hipMemcpy", 3000, ("write", 4096))], "calls and their work")
    equal([(r["name"], r["start_ns"], r["end_ns"]) for r in ranges], [("step", 900, 4000)], "ranges")
    gpu = facts(objects, "device")[0]
    equal((gpu["architecture"], gpu["compute_units"]), ("gfx942", "304"), "device")


def check_two(run, processes, objects, calls, ranges):
    equal([p["pid"] for p in processes], [42, 43], "processes")
    equal(sorted(l[2] for l in launches(calls)), [2600, 2601, 3000, 3000], "launches of both")


def check_cut_json(run, processes, objects, calls, ranges):
    equal(len(launches(calls)) >= 2, True, "what is whole")


def make_databases():
    for name, sets in (("one", 1), ("merged", 2)):
        db = sqlite3.connect(name + ".db")
        for i in range(sets):
            tables(db, "_0000%d_aa" % i, i)
        db.execute("CREATE VIEW rocpd_string AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, "
                   "'x' AS string FROM n")
        db.commit()


    # Later ones of schema 3: samples among the values of launches, and tables that are not read.
    db = sqlite3.connect("newer.db")
    tables(db, "_0_aa", 0)
    db.execute('ALTER TABLE rocpd_pmc_event_0_aa ADD COLUMN sample_id INTEGER')
    db.execute('INSERT INTO rocpd_pmc_event_0_aa VALUES (6, 2, 1, 1000.0, "{}", 1), (7, 3, 2, 50.0, "{}", 2)')
    db.execute('CREATE TABLE rocpd_sample_0_aa (id, track_id, timestamp)')
    db.execute('INSERT INTO rocpd_sample_0_aa VALUES (1, 1, 2100), (2, 1, 2200)')
    db.execute('CREATE TABLE rocpd_hip_event_0_aa (id, pid)')
    db.execute('INSERT INTO rocpd_hip_event_0_aa VALUES (1, 1)')
    db.execute('CREATE TABLE rocpd_graph_launch_0_aa (id, pid)')
    db.commit()
    for name in ("tracks", "times"):
        db = sqlite3.connect(name + ".db")
        tables(db, "_0_aa", 0)
        by_tracks(db, "_0_aa")
        if name == "times":
            by_stamps(db, "_0_aa")
        db.commit()
    make_runs()


def by_stamps(db, suffix):
    """The same in schema 4.0: rows name their times, too."""
    db.execute("CREATE TABLE rocpd_timestamp%s (id INTEGER PRIMARY KEY, value, phase, track_id)" % suffix)
    for name in ("region", "kernel_dispatch", "memory_copy", "memory_allocate"):
        table = "rocpd_" + name + suffix
        for column in ("start", "end"):
            db.execute('ALTER TABLE %s ADD COLUMN %s_id INTEGER' % (table, column))
            for row, value in db.execute('SELECT rowid, "%s" FROM %s' % (column, table)).fetchall():
                # ids count down, so that none is a time or a row by chance
                stamp = 100000 - db.execute("SELECT count(*) FROM rocpd_timestamp" + suffix).fetchone()[0]
                db.execute("INSERT INTO rocpd_timestamp%s VALUES (?, ?, 1, 1)" % suffix, (stamp, value))
                db.execute("UPDATE %s SET %s_id = ? WHERE rowid = ?" % (table, column), (stamp, row))
        kept = ", ".join('"%s"' % c[1] for c in db.execute("PRAGMA table_info(%s)" % table).fetchall() if c[1] not in ("start", "end"))
        db.execute("ALTER TABLE %s RENAME TO old" % table)
        db.execute("CREATE TABLE %s AS SELECT %s FROM old" % (table, kept))
        db.execute("DROP TABLE old")
    db.execute("UPDATE rocpd_metadata%s SET value = '4.0.0'" % suffix)


def make_runs():
    """A workload of rocprofiler-compute with a database for each run: processes, events, times, counters differ, launches do not."""
    os.makedirs("runs")
    for name, run, counters in (("pmc_perf_0_42", 0, None), ("pmc_perf_1_142", 1, ("SQ_WAIT_ANY", "SQ_BUSY_CYCLES")),
                                ("SQ_LEVEL_WAVES_242", 2, ("SQ_ACCUM_PREV_HIRES", "SQ_CYCLES"))):
        db, suffix = sqlite3.connect("runs/%s.db" % name), "_00r%d_aa" % run
        tables(db, suffix, 0)
        if run:
            db.execute("UPDATE rocpd_info_process%s SET id = ?, pid = ?" % suffix, (1 + run, 42 + 100 * run))
            db.execute('UPDATE rocpd_kernel_dispatch%s SET pid = ?, event_id = event_id + 20, "start" = "start" + 50000, '
                       '"end" = "end" + 50100' % suffix, (1 + run,))
            db.execute("UPDATE rocpd_event%s SET id = id + 20" % suffix)
            db.execute("UPDATE rocpd_pmc_event%s SET event_id = event_id + 20" % suffix)
            for i, counter in enumerate(counters):
                db.execute("UPDATE rocpd_info_pmc%s SET name = ? WHERE id = ?" % suffix, (counter, i + 1))
        if run == 1: # here the second launch is of another kernel
            db.execute("INSERT INTO rocpd_info_kernel_symbol%s VALUES (4, '_Z3subPf.kd', 'sub(float*)', 0, 0, 8, 8, 0)" % suffix)
            db.execute("UPDATE rocpd_kernel_dispatch%s SET kernel_id = 4 WHERE id = 2" % suffix)
        db.commit()
    with open("runs/sysinfo.csv", "w") as file:
        file.write(SYSINFO)


def make_again(path):
    """Another process of the first run."""
    db, suffix = sqlite3.connect(path), "_00r9_aa"
    tables(db, suffix, 0)
    db.execute("UPDATE rocpd_info_process%s SET pid = 43" % suffix)
    db.execute('UPDATE rocpd_kernel_dispatch%s SET "start" = "start" + 10000, "end" = "end" + 10000' % suffix)
    db.commit()


def check_runs(run, processes, objects, calls, ranges):
    assert "rocpd database of schema 3" in run["generator"], run["generator"]
    equal([p["pid"] for p in processes if p["pid"]], [42], "the process of the first run")
    # the one that is another in the second run has no time of the first, and stands where it was told
    calls = sorted((c for c in calls), key=lambda c: bool(c["command"]) and c["command"]["state"] == "absent")
    equal([l for l in launches(calls) if l[0] == "add(float*)"],
          [("add(float*)", 2000, 2600, [1024, 8], [64, 2]), ("add(float*)", 2500, 3000, [4, 3, 2], [1, 1, 1])],
          "launches once, with the times of the first run")
    last = kernels(calls)[2]["command"]
    equal((last["state"], last["reason"]), ("absent", "it ran in another run of the program than the first"), "the other one")
    absent = dict.fromkeys(("SQ_WAVES", "TCC_HIT", "SQ_WAIT_ANY", "SQ_BUSY_CYCLES", "SQ_LEVEL_WAVES_ACCUM", "SQ_CYCLES"), "absent")
    equal(values(calls), [dict(absent, SQ_WAVES=64, TCC_HIT=11.5, SQ_WAIT_ANY=64, SQ_BUSY_CYCLES=11.5, SQ_LEVEL_WAVES_ACCUM=64, SQ_CYCLES=11.5),
                          dict(absent, SQ_WAVES=7, SQ_LEVEL_WAVES_ACCUM=7), dict(absent, SQ_WAIT_ANY=7)], "values of all runs")
    equal(sum(1 for c in calls if c["function"] == "hipLaunchKernel"), 1, "calls of the first run")
    for words in ("in 2 more databases: times and calls are those of the first run", "1 launch is not in the first run"):
        assert words in run["import_note"], run["import_note"]


def by_tracks(db, suffix):
    """The same in schema 4.1: rows name a track, which says whose they are, and events are sorted by a table of categories."""
    places = ("pid", "tid", "agent_id", "queue_id", "stream_id")
    db.execute("CREATE TABLE rocpd_track%s (id INTEGER PRIMARY KEY, %s)" % (suffix, ", ".join(places)))
    for name in ("region", "kernel_dispatch", "memory_copy", "memory_allocate"):
        table = "rocpd_" + name + suffix
        columns = [c[1] for c in db.execute("PRAGMA table_info(%s)" % table)]
        db.execute("ALTER TABLE %s ADD COLUMN track_id INTEGER" % table)
        for row in db.execute("SELECT rowid, %s FROM %s" % (", ".join(c if c in columns else "NULL" for c in places), table)).fetchall():
            track = db.execute("INSERT INTO rocpd_track%s (%s) VALUES (?, ?, ?, ?, ?)" % (suffix, ", ".join(places)), row[1:])
            db.execute("UPDATE %s SET track_id = ? WHERE rowid = ?" % table, (track.lastrowid, row[0]))
        kept = ", ".join('"%s"' % c for c in columns + ["track_id"] if c not in places)
        db.execute("ALTER TABLE %s RENAME TO old" % table)
        db.execute("CREATE TABLE %s AS SELECT %s FROM old" % (table, kept))
        db.execute("DROP TABLE old")
    # ids of categories are not those of texts
    db.execute("CREATE TABLE rocpd_info_category%s (id INTEGER PRIMARY KEY, name)" % suffix)
    db.execute("INSERT INTO rocpd_info_category%s SELECT id + 100, string FROM rocpd_string%s" % (suffix, suffix))
    db.execute("UPDATE rocpd_event%s SET category_id = category_id + 100" % suffix)
    db.execute("UPDATE rocpd_metadata%s SET value = '4.1.0'" % suffix)


def check_tracks(run, processes, objects, calls, ranges):
    check_one(run, processes, objects, calls, ranges)
    assert "schema 4.1.0" in run["generator"], run["generator"]


def check_times(run, processes, objects, calls, ranges):
    check_one(run, processes, objects, calls, ranges)
    assert "schema 4.0.0" in run["generator"] and "rocpd_timestamp" not in run["import_note"], run


def check_newer(run, processes, objects, calls, ranges):
    check_one(run, processes, objects, calls, ranges)
    for words in ("2 values are samples while kernels ran", "2 rows of rocpd_sample are left out", "1 row of rocpd_hip_event is left out"):
        assert words in run["import_note"], run["import_note"]
    assert "graph_launch" not in run["import_note"], run["import_note"]


def check_one(run, processes, objects, calls, ranges):
    equal([(p["pid"], p["executable"]) for p in processes], [(42, "./app0")], "processes")
    equal(launches(calls), [("add(float*)", 2000, 2600, [1024, 8], [64, 2]), ("add(float*)", 2500, 3000, [4, 3, 2], [1, 1, 1])],
          "launches")
    equal(values(calls), [{"SQ_WAVES": 64, "TCC_HIT": 11.5}, {"SQ_WAVES": 7, "TCC_HIT": "absent"}], "values, of all instances")
    equal([(c["function"], c["start_ns"], c["command"] and (c["command"]["kind"], c["command"].get("bytes"))) for c in calls],
          [("ALLOC REAL", 800, None), ("hipLaunchKernel", 1000, ("kernel", None)), ("(no call)", 2500, ("kernel", None)),
           ("hipMemcpy", 3000, ("write", 4096))], "calls and their work")
    equal([(r["name"], r["start_ns"], r["end_ns"]) for r in ranges], [("step", 900, 4000)], "ranges")
    assert "1 value is of no launch" in run["import_note"], run["import_note"]


def check_merged(run, processes, objects, calls, ranges):
    equal([p["pid"] for p in processes], [42, 43], "a process for each set of tables")
    equal(sorted(l[2] for l in launches(calls)), [2600, 2601, 3000, 3000], "launches of both")
    equal(sum(1 for c in calls if c["function"] == "hipLaunchKernel" and c["command"]), 2, "each joined in its own set")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make()
        make_json()
    elif sys.argv[1] == "databases":
        make_databases()
    elif sys.argv[1] == "again":
        make_again(sys.argv[2])
    else:
        globals()["check_" + sys.argv[2]](*read(sys.stdin))
