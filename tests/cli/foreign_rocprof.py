# SPDX-License-Identifier: MIT
"""Traces as rocprof and rocprofv2 write them, and what must be read from them.

    foreign_rocprof.py make        writes them into the current folder
    foreign_rocprof.py check NAME  reads JSON lines of one, or of a folder, from stdin
"""
import json
import os
import sqlite3
import sys

from written import kernel as mangled

ZERO = 5000000000000  # of the machine's clock
LABELS = {0: "Markers and Ranges", 1: "COPY", 2: "CPU HIP API", 3: "CPU HSA API", 6: "GPU0", 518: "GPU Barriers0"}


def event(section, lane, name, begin, end, **args):
    """rocprof's numbers are texts, and its microseconds whole ones."""
    args = {"BeginNs": ZERO + begin, "EndNs": ZERO + end, "DurationNs": end - begin, **args}
    return ',{"ph":"X","name":"%s","pid":%d,"tid":%d,"ts":"%d","dur":"%d",\n  "args":{\n    %s\n  }\n}\n' % (
        name, section, lane, (ZERO + begin) // 1000, max((end - begin) // 1000, 1),
        ",\n    ".join('"%s":"%s"' % pair for pair in args.items()))


def flow(phase, section, lane, number):
    return ',{"ts":1,"ph":"%s","cat":"DataFlow","id":%d,"pid":%d,"tid":%d,"name":"dep"}\n' % (phase, number, section, lane)


def trace(*events):
    text = '{ "traceEvents":[{}\n'
    for section, label in LABELS.items():
        text += ',{"args":{"name":"%s"},"ph":"M","pid":%d,"name":"process_name","sort_index":0}\n' % (label, section)
    return text + "".join(events) + '],\n"otherData": {\n    "HSA Agents": "1"\n  }\n}'


def own(tid=43):
    return {"pid": 42, "tid": tid}


CALLS = [event(2, 43, "hipMemcpy", 1000, 3001, **own(), Name="hipMemcpy", args="( dst(0x7f) src(0x7e) sizeBytes(4096) kind(1))",
               Data=""),
         event(2, 43, "hipLaunchKernel", 4000, 4500, **own(), Name="hipLaunchKernel", args="( function_address(0x2))", Data=""),
         event(3, 44, "hsa_dispatch", 4600, 4600, **own(44), Name="hsa_dispatch", args="", Data=""),
         event(3, 44, "hsa_signal_create", 4700, 4707, **own(44), Name="hsa_signal_create", args="(1, 0)", Data="")]
MARKERS = [event(0, 43, "step", 900, 9000, **own(), Name="step"), event(0, 43, "here", 950, 951, **own(), Name="here")]
WORK = [event(1, 0, "CopyHostToDevice", 2000, 2900, **{"dev-id": 0, "queue-id": 0}, **own(), Name="CopyHostToDevice",
              **{"stream-id": 0}, Data="")]
OPS = [event(6, 0, "_Z4vaddPfi.kd", 5000, 7123, **{"dev-id": 0, "queue-id": 1}, **own(), Name="_Z4vaddPfi.kd", **{"stream-id": 2}, Data=""),
       event(6, 0, "<barrier packet>", 7200, 7300, **{"dev-id": 0, "queue-id": 1}, **own(), Name="<barrier packet>", **{"stream-id": 2}, Data="")]
KERNELS = [event(6, 43, "vadd(float*, int) [clone .kd]", 5000, 7123, KernelName="vadd(float*, int) [clone .kd]", **{"gpu-id": 0, "queue-id": 1, "queue-index": 0},
                 **own(), grd=8192, wgr=128, lds=512, scr=0, arch_vgpr=24, accum_vgpr=4, sgpr=32, wave_size=64, sig="0x0",
                 obj="0x1", SQ_WAVES=64, L2CacheHit="12.5", DispatchNs=ZERO + 4400, CompleteNs=ZERO + 7200)]


def second():
    """rocprofv2's: keys are sorted, times whole microseconds, and "cid" joins."""
    def x(name, section, lane, cat, ts, dur, cid):
        return {"args": {"cid": cid}, "cat": cat, "dur": str(dur), "name": name, "ph": "X", "pid": section, "tid": lane, "ts": str(ts)}
    sections = [{"args": {"name": n}, "name": "process_name", "ph": "M", "pid": i + 1, "sort_index": i}
                for i, n in enumerate(("CPU", "GPU", "COPY", "HIPBLITKERNELS"))]
    return json.dumps({"traceEvents": sections + [
        x("CopyHostToDevice", 3, 1, "COPY", 5020, 4, 9), x("FillBuffer", 4, 0, "HIPBLITKERNELS", 5030, 1, 12),
        x("hipMemcpy", 1, 43, "CPU", 5001, 30, 9), x("hipLaunchKernel", 1, 43, "CPU", 5040, 5, 10), x("my range", 1, 43, "CPU", 5000, 90, 0),
        x("vadd(float*, int)", 2, 1, "GPU", 5060, 7, 10)]}, indent=2)


SECOND = {
    "hip_api_trace_42.csv": "Domain,Function,Start_Timestamp,End_Timestamp,Correlation_ID\n\n"
                            'HIP_API_DOMAIN,"hipLaunchKernel",1000,1900,7\nHIP_API_DOMAIN,"hipMemcpy",3000,3500,9\n',
    "hcc_ops_trace_42.csv": "Domain,Operation,Kernel_Name,Start_Timestamp,Stop_Timestamp,Correlation_ID\n\n"
                            'HIP_OPS_DOMAIN,"KernelExecution","vadd(float*, int)",2000,2600,7\n'
                            'HIP_OPS_DOMAIN,"CopyHostToDevice",,3100,3300,9\n',
    "async_copy_trace_42.csv": "Domain,Operation,Start_Timestamp,Stop_Timestamp,Correlation_ID\n\n"
                               'HSA_OPS_DOMAIN,"Copy",3600,3700,0\n',
    "roctx_trace_42.csv": "Domain,ROCTX_ID,Message,Timestamp\n\nROCTX_DOMAIN,0,\"step\",900\nROCTX_DOMAIN,0,,4000\n",
}
LAUNCHES = ("Dispatch_ID,GPU_ID,Queue_ID,PID,TID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,"
            "Accum_VGPR,SGPR,Wave_Size,Kernel_Name,Start_Timestamp,End_Timestamp,Correlation_ID%s\n\n%s")
ROW = '0,0,1,42,43,8192,128,512,0,24,4,32,64,"vadd(float*, int)",2000,2600,7'
# What a part of a device counted, in a row each.
PARTS = LAUNCHES % (",XCC_Index,SQ_WAVES", ROW + ",0,10\n" + ROW + ",1,20\n")


def database(path):
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)

    def put(table, columns, *rows):
        db.execute("CREATE TABLE %s (%s)" % (table, ", ".join('"%s"' % c for c in columns.split())))
        db.executemany("INSERT INTO %s VALUES (%s)" % (table, ",".join("?" * len(columns.split()))), rows)
    api = "BeginNs EndNs pid tid Name args Index Data __section __lane DurationNs"
    ops = "BeginNs EndNs dev-id queue-id Name pid tid roctx-range stream-id Index Data __section __lane DurationNs"
    at = lambda ns: ZERO + ns
    put("HIP", api, (at(1000), at(3001), 42, 43, "hipMemcpy", "( dst(0x7f) src(0x7e) sizeBytes(4096) kind(1))", 7, "", 2, 43, 2001),
        (at(4000), at(4500), 42, 43, "hipLaunchKernel", "( function_address(0x2))", 8, "", 2, 43, 500))
    put("HSA", api, (at(4600), at(4600), 42, 44, "hsa_dispatch", "", 1, "", 3, 44, 0),
        (at(4700), at(4707), 42, 44, "hsa_signal_create", "(1, 0)", 8, "", 3, 44, 7))
    put("OPS", ops, (at(5000), at(7123), 0, 1, "_Z4vaddPfi.kd", 42, 43, "", 2, 8, "", 6, 2, 2123))
    put("COPY", ops, (at(2000), at(2900), 0, 0, "CopyHostToDevice", 42, 43, "", 0, 7, "", 1, 0, 900))
    put("rocTX", "BeginNs EndNs pid tid Name Index __section __lane", (at(900), at(9000), "42", 43, "step", 0, 0, 43))
    put("KERN", "Index KernelName gpu-id queue-id pid tid grd wgr lds scr arch_vgpr accum_vgpr sgpr SQ_WAVES L2CacheHit TCC_HIT[0] BAD\"NAME DispatchNs "
        "BeginNs EndNs CompleteNs DurationNs".replace('"', '""'),
        (0, '"vadd(float*, int) [clone .kd]"', "0", "1", "42", "43", "8192", "128", "512", "0", "24", "4", "32", "64", 12.5, None, 7, str(at(4400)),
         str(at(5000)), str(at(7123)), str(at(7200)), 2123))
    db.commit()
    if path == "launches.db":
        db.execute("DELETE FROM OPS")
    if path == "apart.db":  # neither table knows the other's times
        db.execute("UPDATE KERN SET EndNs = EndNs + 1")
    db.commit()


def make():
    files = {"hip.json": trace(*CALLS, *MARKERS, *WORK, *OPS, flow("s", 2, 43, 1), flow("t", 6, 2, 1)),
             "kernels.json": trace(*KERNELS, *OPS), "42_output.json": second(), "parts.csv": PARTS,
             "cut.json": trace(*CALLS, *WORK, *OPS)[:-400]}
    for folder, more in (("second", {}), ("counted", {"results_42.csv": LAUNCHES % (",SQ_WAVES", ROW + ",64\n")})):
        os.makedirs(folder, exist_ok=True)
        files.update({folder + "/" + name: text for name, text in {**SECOND, **more}.items()})
    for name, text in files.items():
        with open(name, "w") as file:
            file.write(text)


def equal(got, wanted, what):
    assert got == wanted, "%s: %r, not %r" % (what, got, wanted)


def told(run, *sentences):
    for words in sentences:
        assert words in run["import_note"], run["import_note"]


def shown(calls):
    return [(c["function"], c["pid"], c["thread"],
             c["command"] and (c["command"]["kind"], (c["command"].get("kernel") or {}).get("name") or c["command"]["name"],
                               c["command"]["start_ns"], c["command"]["end_ns"], c["command"].get("bytes"))) for c in calls]


VADD = "vadd(float*, int)"
WRITTEN = mangled("_Z4vaddPfi", VADD)  # of what was told with its symbol


def check_hip(run, processes, objects, calls, ranges):
    equal(run["generator"], "rocprof, JSON", "generator")
    since = lambda ns: ZERO + ns
    equal(sorted(shown(calls)), sorted([
        ("hipMemcpy", 42, 43, None), ("hipLaunchKernel", 42, 43, None), ("hsa_signal_create", 42, 44, None),
        ("(no call)", 42, 43, ("write", "copy host to device", since(2000), since(2900), None)),
        ("(no call)", 42, 43, ("kernel", WRITTEN[0], since(5000), since(7123), None)),
        ("(no call)", 42, 43, ("other", "barrier", since(7200), since(7300), None))]), "calls and work, to the nanosecond")
    kernel = [o for o in objects if o["kind"] == "kernel"][0]
    equal(kernel["attributes"], WRITTEN[1], "the kernel's name as the compiler wrote it")
    equal([(r["name"], r["kind"], r["end_ns"] - r["start_ns"]) for r in ranges], [("here", "mark", 0), ("step", "nested", 8100)], "markers")
    told(run, "Which call gave which work is not said there", "results.db")


def check_kernels(run, processes, objects, calls, ranges):
    launch = [c for c in calls if c["command"]["kind"] == "kernel"]
    equal([(c["command"]["start_ns"], c["command"]["queued_ns"], c["command"]["global"], c["command"]["local"]) for c in launch],
          [(ZERO + 5000, ZERO + 4400, [8192], [128])], "the launch, once")
    equal({k: v["value"] for k, v in launch[0]["values"].items()}, {"SQ_WAVES": 64, "L2CacheHit": 12.5}, "counters")
    kernel = [o for o in objects if o["kind"] == "kernel"][0]
    equal((kernel["name"], kernel["attributes"]), (VADD, {"local_bytes": "512", "private_bytes": "0", "vgprs": "24", "sgprs": "32"}), "kernel")
    told(run, "1 kernel is told twice")


def check_second_json(run, processes, objects, calls, ranges):
    equal(run["generator"], "rocprofv2, JSON", "generator")
    equal(sorted(shown(calls)), sorted([
        ("hipMemcpy", 42, 43, ("write", "copy host to device", 5020000, 5024000, None)),
        ("hipLaunchKernel", 42, 43, ("kernel", VADD, 5060000, 5067000, None)),
        ("(no call)", 42, 0, ("fill", "fill", 5030000, 5031000, None))]), "calls with their work")
    equal([(r["name"], r["end_ns"] - r["start_ns"]) for r in ranges], [("my range", 90000)], "ranges")
    told(run, "whole microseconds")


def check_second(run, processes, objects, calls, ranges, sizes=None):
    equal(run["generator"], "rocprofv2, CSV", "generator")
    equal(sorted(shown(calls)), sorted([
        ("hipLaunchKernel", 42, 0, ("kernel", VADD, 2000, 2600, None)),
        ("hipMemcpy", 42, 0, ("write", "copy host to device", 3100, 3300, None)),
        ("(no call)", 42, 0, ("copy", "copy", 3600, 3700, None))]), "calls with their work")
    equal([(r["name"], r["kind"], r["start_ns"]) for r in ranges], [("step", "mark", 900)], "markers")
    launch = [c["command"] for c in calls if c["command"]["kind"] == "kernel"][0]
    equal(launch["global"], sizes, "sizes")
    told(run, "1 marker without a text is left out")


def check_counted(run, processes, objects, calls, ranges):
    check_second(run, processes, objects, calls, ranges, [8192])
    equal([c["values"]["SQ_WAVES"]["value"] for c in calls if c["command"]["kind"] == "kernel"], [64], "counter")
    told(run, "1 kernel of the trace of operations is left out")


def check_parts(run, processes, objects, calls, ranges):
    equal([{k: v["value"] for k, v in c["values"].items()} for c in calls], [{"SQ_WAVES": 10, "SQ_WAVES[1]": 20}], "one launch")


COUNTED = {"SQ_WAVES": 64, "L2CacheHit": 12.5}  # and TCC_HIT[0], of which the file has no value


def counted(calls):
    """Of each kernel; what is absent is no number."""
    kernels = [c for c in calls if c["command"] and c["command"]["kind"] == "kernel"]
    return [{k: v["value"] for k, v in (c["values"] or {}).items() if v["state"] == "ok"} for c in kernels]


def check_database(run, processes, objects, calls, ranges):
    equal(run["generator"], "rocprof, database", "generator")
    since = lambda ns: ZERO + ns
    equal(sorted(shown(calls)), sorted([
        ("hipMemcpy", 42, 43, ("write", "copy host to device", since(2000), since(2900), 4096)),
        ("hipLaunchKernel", 42, 43, ("kernel", WRITTEN[0], since(5000), since(7123), None)),
        ("hsa_signal_create", 42, 44, None)]), "calls with their work, and how much a call copied")
    equal([(r["name"], r["kind"]) for r in ranges], [("step", "nested")], "markers")
    told(run, "Launches of the table KERN are left out, 1 in all", "and has their values, by their times")
    equal(counted(calls), [COUNTED], "values of the launch, joined by its times")


def check_launches(run, processes, objects, calls, ranges):
    launch = [c["command"] for c in calls if c["command"] and c["command"]["kind"] == "kernel"]
    equal([(k["kernel"]["name"], k["global"], k["local"], k["start_ns"], k["queued_ns"]) for k in launch],
          [(VADD, [8192], [128], ZERO + 5000, ZERO + 4400)], "launches of the table")
    equal(counted(calls), [COUNTED], "values of the launch")


def check_apart(run, processes, objects, calls, ranges):
    equal(counted(calls), [{}], "no value of another launch")
    told(run, "2 values of counters name no launch that the file has")


def check_cut(run, processes, objects, calls, ranges):
    equal(any(c["function"] == "hipMemcpy" for c in calls), True, "what is whole")


def main():
    if sys.argv[1] == "make":
        return make()
    if sys.argv[1] == "databases":
        return database("results.db"), database("launches.db"), database("apart.db")
    rows = [json.loads(line) for line in sys.stdin]
    of = lambda kind: [r for r in rows if r["schema"] == "tacho.%s/1" % kind]
    globals()["check_" + sys.argv[2]](of("run")[0], of("process"), of("object"), of("call"), of("range"))


main()
