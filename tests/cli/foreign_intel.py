#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Files as Intel's tracers, apitrace and LIKWID write them: makes them, and knows what a reader must tell.

make            writes them into the current folder
check NAME      reads `tacho export NAME --to jsonl` from the standard input
"""
import json
import os
import sys

TIMELINE = """\
the program says: Thread 5 Device
Thread 7 Device 0xabc : clEnqueueWriteBuffer [ns] 1000 (append) 1100 (submit) 1200 (start) 1300 (end)
Thread 7 Device 0xabc : "a : b(int, "x")[SIMD32 {16; 4; 1} {64; 2; 1}]" [ns] 1400 (append) 1500 (submit) 1600 (start) 2600 (end)
Thread 8 Device 0xdef : "zeCommandListAppendMemoryCopy(D2M)[4096]" [ns] 3000 (append) 3000 (submit) 3100 (start) 3200 (end)
Thread 8 Device 0xdef : "zeCommandListAppendBarrier" [ns] 3000 (append) 3000 (submit) 3300 (start) 3310 (end)
Thread 8 Device 0xdef : array[3] [ns] 4000 (append) 4000 (submit) 4100 (start) 4200 (end)
Thread 8 Device 0xdef : backwards [ns] 5000 (append) 5000 (submit) 5200 (start) 5100 (end)
Thread 9 Device 0xdef : cut [ns] 5000 (append) 5000 (sub
"""

# Sums were asked for as well: behind them stands what is known of kernels.
FACTS = """\
Thread 7 Device 0xabc : "gemm<float, 3>[SIMD32 {8; 1; 1} {64; 1; 1}]" [ns] 1000 (append) 1100 (submit) 1200 (start) 1300 (end)
Thread 7 Device 0xabc : "plain" [ns] 1400 (append) 1500 (submit) 1600 (start) 2600 (end)

=== Device Timing Summary ===

== L0 Backend ==

                       Kernel,       Calls,           Time (ns),     Time (%)
              "gemm<float, 3>",           1,                 100,    50.000000

=== Kernel Properties ===

              Kernel, Compiled, SIMD, Number of Arguments, SLM Per Work Group, Private Memory Per Thread, Spill Memory Per Thread, Register File Size Per Thread
"gemm<float, 3>[SIMD32 {8; 1; 1} {64; 1; 1}]",     JIT,   32,                  4,               2048,                        16,                     128,                           256
"plain",     AOT,  ANY,                  1,                  0,                         0,                       0,                       unknown
"never ran",     AOT,   16,                  1,                  0,                         0,                       0,                       128

the program says goodbye, 1, 2
"""

METRICS = """\
the program prints this

=== Device #0 Metrics ===

Kernel,GlobalInstanceId,SubDeviceId,GpuTime[ns],GPU_MEMORY_BYTE_READ[bytes],XVE_ACTIVE[%],XVE_INST[events]
"k[SIMD16 {2; 1; 1} {32; 1; 1}]",0,0,1250,4096,12.500000,7

k<float, 3>[SIMD16 {2; 1; 1} {32; 1; 1}],77,0,1000,64,50.000000,nan
k<float, 3>[SIMD16 {2; 1; 1} {32; 1; 1}],77,1,1000,65,51.000000,9
cut,78
"""
SAMPLES = "\n=== Device #0 Metrics ===\n\nKernel, GlobalInstanceId, GpuTime[ns], QueryBeginTime[ns]\n\"k\", 1, 100, 5\n\"k\", 1, 100, 6\n"

LIKWID = """\
STRUCT,Info,3,,,
CPU name:,Test(R) CPU,,,,
CPU type:,Test lake,,,,
TABLE,Region copy,Group 1 Raw,FLOPS_SP,2,
Region Info,GPU 0,GPU 1,,,
RDTSC Runtime [s],3.426146,0.5,,,
call count,10,5,,,
Event,Counter,GPU 0,GPU 1,,
FADD,GPU0,2457600,2457601,,
FADD,GPU1,3276800,nan,,
TABLE,Region copy,Group 1 Raw STAT,FLOPS_SP,1,
Event,Counter,Sum,Min,Max,Avg
FADD STAT,GPU0,4915201,2457600,2457601,2457600.5
TABLE,Region copy,Group 1 Metric,FLOPS_SP,2,
Metric,GPU 0,GPU 1,,,
Runtime (RDTSC) [s],3.4261,0.5000,,,
FMA share [%],75.5,25,,,
TABLE,Region copy,Group 2 Raw,MEM,1,
Region Info,GPU 0,GPU 1,,,
RDTSC Runtime [s],1,1,,,
call count,2,2,,,
Event,Counter,GPU 0,GPU 1,,
DRAM,GPU0,11,12,,
TABLE,Group 1 Raw,L3,1,,
Event,Counter,HWThread 0,,,
LOADS,PMC0,77,,,
"""

ONETRACE = """\
Device Timeline (queue: 0x55a9): clEnqueueWriteBuffer [ns] = 100 (queued) 200 (submit) 300 (start) 400 (end)
Device Timeline (queue: 0x55a9): GEMM [ns] = 500 (queued) 600 (submit) 700 (start) 900 (end)
"""

EPOCH = 1700000000000000


def unitrace():
    x = lambda pid, tid, cat, name, ts, dur, **more: dict(
        {"ph": "X", "tid": tid, "pid": pid, "name": name, "cat": cat, "ts": EPOCH + ts, "dur": dur}, **more)
    arrow = lambda tid, ts, n: {"ph": "s", "tid": tid, "pid": 40, "name": "dep", "cat": "Flow_H2D_%d_0" % n,
                                "ts": EPOCH + ts, "id": n}
    meta = lambda what, pid, name, **more: dict({"ph": "M", "name": what, "pid": pid, "ts": EPOCH}, args={"name": name},
                                                **more)
    return {"traceEvents": [
        meta("process_name", 40, "RANK 2 HOST<node>"),
        x(40, 41, "cpu_op", "zeCommandQueueExecuteCommandLists", 10, 5.5, id=0),
        arrow(41, 10, 0), arrow(41, 10, 1),
        meta("process_name", 900, "DEVICE<node>[Intel(R) Test GPU] 0:3:0:0 #0"),
        meta("thread_name", 900, "Compute Engine<0,0>", tid=901),
        x(900, 901, "gpu_op", "k[SIMD16 {2; 1; 1} {32; 1; 1}]", 20, 1.25, args={"id": "0"}),
        x(900, 901, "gpu_op", "zeCommandListAppendMemoryCopy(M2D)[64]", 30, 2, args={"id": "1"}),
        {"ph": "t", "tid": 901, "pid": 900, "name": "dep", "cat": "Flow_H2D_0_0", "ts": EPOCH + 20, "id": 0},
        x(900, 901, "gpu_op", "k[SIMD16 {2; 1; 1} {32; 1; 1}]", 40, 1, args={"id": "77"})]}


def tiles():
    """A launch that is spread over two tiles is told for each, with one number."""
    made = unitrace()
    work = made["traceEvents"].pop()
    for tile in (0, 1):
        made["traceEvents"].append(dict(work, name="Tile #%d: %s" % (tile, work["name"]), ts=work["ts"] + tile))
    copy = made["traceEvents"][6 + 1]
    copy["name"] = "Tile #0: " + copy["name"]
    return made


def clintercept(stages):
    lines = ['{"ph":"M","name":"process_name","pid":60,"tid":0,"args":{"name":"app"}},',
             '{"ph":"M","name":"clintercept_start_time","pid":60,"tid":0,"args":{"start_time":123}},',
             '{"ph":"M","name":"thread_name","pid":60,"tid":61,"args":{"name":"Host Thread 61"}},',
             '{"ph":"M","name":"thread_name","pid":60,"tid":3.1,"args":{"name":"IOQ 0x55d0.0 Test GPU (GPU) (F:0 I:0)"}},',
             '{"ph":"X","pid":60,"tid":61,"name":"clCreateContext","ts":1.000,"dur":2.000},',
             '{"ph":"X","pid":60,"tid":61,"name":"clEnqueueNDRangeKernel( GEMM )","ts":5.001,"dur":2.000,"args":{"id":0}},',
             '{"ph":"s","pid":60,"tid":61,"name":"Command","cat":"Commands","ts":5.001,"id":0},',
             '{"ph":"X","pid":60,"tid":61,"name":"clEnqueueReadBuffer","ts":8.000,"dur":2.000,"args":{"id":1}},']
    if stages:
        lines += ['{"ph":"X","pid":60,"tid":0.3,"name":"GEMM (Queued)","ts":5.500,"dur":0.500,"cname":"c","args":{"id":0}},',
                  '{"ph":"X","pid":60,"tid":0.3,"name":"GEMM (Submitted)","ts":6.000,"dur":0.500,"cname":"c","args":{"id":0}},',
                  '{"ph":"X","pid":60,"tid":0.3,"name":"GEMM (Execution)","ts":6.500,"dur":3.000,"cname":"c","args":{"id":0}},',
                  '{"ph":"X","pid":60,"tid":"clEnqueueReadBuffer","name":"clEnqueueReadBuffer (Execution)","ts":9.750,'
                  '"dur":0.250,"args":{"id":1}},']
    else:
        lines += ['{"ph":"X","pid":60,"tid":3.1,"name":"GEMM","ts":6.500,"dur":3.000,"args":{"id":0}},',
                  '{"ph":"X","pid":60,"tid":3.1,"name":"clEnqueueReadBuffer","ts":9.750,"dur":0.250,"args":{"id":1}},']
    return "[\n" + "\n".join(lines) + "\n"


APITRACE = """\
loading the trace
# call no gpu_start gpu_dura cpu_start cpu_dura vsize_start vsize_dura rss_start rss_dura pixels program name
call 10 0 0 100 50 0 0 0 0 -1 0 glViewport
call 11 300 40 200 20 0 0 0 0 640 5 glDrawArrays
frame_end
call 12 400 60 350 10 0 0 0 0 0 0 glClear
frame_end
"""
APITRACE_OLD = """\
# frame_begin no gpu_start cpu_start
# call no gpu_start gpu_dura cpu_start cpu_dura pixels program name
call 7 -500 100 0 0 12 3 glDrawElements
"""

SUMS = {
    "d.txt": "\n=== Device Timing Summary ===\n\n    Total Execution Time (ns):   89614076\n",
    "h.txt": "\n=== API Timing Summary ===\n\n    Total Execution Time (ns):   89614076\n",
    "report.txt": "Total Enqueues: 3\n\nHost Performance Timing Results:\n\n      Function Name,  Calls,     Time (ns), Time (%)\n",
    "samples.csv": SAMPLES,
}


def make():
    files = {"timeline.txt": TIMELINE, "onetrace.txt": ONETRACE, "apitrace.txt": APITRACE, "old_apitrace.txt": APITRACE_OLD, "unitrace.json": json.dumps(unitrace()),
             "facts.txt": FACTS, "app.metrics.40.csv": METRICS, "likwid.csv": LIKWID,
             "job/unitrace.40.json": json.dumps(unitrace()), "job/app.metrics.40.csv": METRICS, "tiles.json": json.dumps(tiles()),
             "result/app.40/chrome_trace.json": json.dumps(unitrace()), "result/app.40/device_timeline.txt": TIMELINE,
             "result/app.40/metrics/metrics_0.csv": METRICS.replace("=== Device #0 Metrics ===", ""), "result/app.40/run_config.json": "{}",
             "lone/metrics/metrics_3.csv": METRICS.replace("=== Device #0 Metrics ===", ""),
             "clintercept.json": clintercept(False) + '{"ph":"M","name":"clintercept_eof","pid":60,"tid":0}\n]\n',
             "stages.json": clintercept(True)}
    files.update(SUMS)
    for folder in ("job", "result/app.40/metrics", "lone/metrics"):
        os.makedirs(folder, exist_ok=True)
    for name, text in files.items():
        with open(name, "w") as file:
            file.write(text)


def equal(got, wanted, what):
    assert got == wanted, "%s: %r, not %r" % (what, got, wanted)


def shown(call):
    command = call["command"]
    kernel = command.get("kernel")
    times = tuple(command[key] for key in ("queued_ns", "submit_ns", "start_ns", "end_ns"))
    return (call["function"], call["thread"], command["kind"], kernel["name"] if kernel else command["name"], times)


def check_timeline(run, processes, objects, calls):
    equal([shown(c)[1:] for c in calls if c["command"]["state"] == "ok"], [
        (7, "write", "clEnqueueWriteBuffer", (1000, 1100, 1200, 1300)),
        (7, "kernel", 'a : b(int, "x")', (1400, 1500, 1600, 2600)),
        (8, "read", "zeCommandListAppendMemoryCopy(D2M)", (3000, 3000, 3100, 3200)),
        (8, "other", "zeCommandListAppendBarrier", (3000, 3000, 3300, 3310)),
        (8, "kernel", "array", (4000, 4000, 4100, 4200))], "work")
    equal([c["command"]["state"] for c in calls].count("absent"), 1, "what ends before it begins")
    kernel = calls[1]["command"]
    equal((kernel["global"], kernel["local"]), ([1024, 8], [64, 2]), "groups times their size")
    equal(calls[2]["command"]["bytes"], 4096, "bytes")
    equal([o["name"] for o in objects if o["kind"] == "device"], ["GPU 0xabc", "GPU 0xdef"], "devices")
    assert "2 lines are no work" in run["import_note"], run["import_note"]


def check_onetrace(run, processes, objects, calls):
    equal([shown(c)[2:] for c in calls], [("write", "clEnqueueWriteBuffer", (100, 200, 300, 400)),
                                          ("kernel", "GEMM", (500, 600, 700, 900))], "work")
    equal([o["name"] for o in objects if o["kind"] == "queue"], ["0x55a9"], "queue")


def check_unitrace(run, processes, objects, calls):
    equal([(p["pid"], p["executable"]) for p in processes], [(40, "RANK 2 HOST<node>")], "process")
    equal([shown(c) for c in calls], [
        ("zeCommandQueueExecuteCommandLists", 41, "kernel", "k", (None, None, 10000, 11250)),
        ("zeCommandQueueExecuteCommandLists", 41, "write", "zeCommandListAppendMemoryCopy(M2D)",
         (None, None, 20000, 22000)),
        ("(no call)", 0, "kernel", "k", (None, None, 30000, 31000))], "calls with their work")
    equal((calls[0]["start_ns"], calls[0]["end_ns"]), (0, 5500), "the call")
    equal(calls[0]["command"]["global"], [64], "work-items")
    equal([o["name"] for o in objects if o["kind"] == "device"], ["Intel(R) Test GPU 0:3:0:0 #0"], "device")
    equal([o["name"] for o in objects if o["kind"] == "queue"], ["Compute Engine<0,0>"], "queue")


def check_clintercept(run, processes, objects, calls, staged=False):
    equal([(p["pid"], p["executable"]) for p in processes], [(60, "app")], "process")
    equal(calls[0]["function"], "clCreateContext", "a call without work")
    equal([shown(c) for c in calls[1:]], [
        ("clEnqueueNDRangeKernel", 61, "kernel", "GEMM", (5500 if staged else None, 6000 if staged else None, 6500, 9500)),
        ("clEnqueueReadBuffer", 61, "read", "clEnqueueReadBuffer", (None, None, 9750, 10000))], "calls with their work")
    if not staged:
        equal([o["name"] for o in objects if o["kind"] == "device"], ["Test GPU"], "device")


def check_stages(run, processes, objects, calls):
    check_clintercept(run, processes, objects, calls, True)


def check_apitrace(run, processes, objects, calls):
    kernel = lambda c: c["command"] and (c["command"]["kernel"]["name"], c["command"]["start_ns"], c["command"]["end_ns"])
    equal([(c["function"], c["start_ns"], c["end_ns"], kernel(c)) for c in calls], [
        ("glViewport", 100, 150, None), ("glDrawArrays", 200, 220, ("glDrawArrays (program 5)", 300, 340)),
        ("glClear", 350, 360, ("glClear", 400, 460))], "calls")
    equal(calls[1]["values"]["pixels"]["value"], 640, "pixels")
    equal(calls[2].get("values"), None, "pixels that nobody counted")
    equal([c["ranges"] for c in calls], [[1], [1], [2]], "frames")


def check_old_apitrace(run, processes, objects, calls):
    equal([(c["function"], c["start_ns"], c["command"]["start_ns"], c["command"]["duration_ns"]) for c in calls],
          [("(no call)", 0, 0, 100)], "work without calls, whose times were below 0")
    assert "--pcpu" in run["import_note"], run["import_note"]


def attributes(objects):
    return {o["name"]: o["attributes"] for o in objects if o["kind"] == "kernel"}


def check_facts(run, processes, objects, calls):
    equal([c["command"]["kernel"]["name"] for c in calls], ["gemm<float, 3>", "plain"], "launches")
    equal(attributes(objects), {
        "gemm<float, 3>": {"local_bytes": "2048", "private_bytes": "16", "registers": "256", "simd_width": "32", "spill_bytes": "128"},
        "plain": {"local_bytes": "0", "private_bytes": "0", "spill_bytes": "0"}}, "properties; what is not known is not 0")
    assert "6 lines are no work" in run["import_note"], run["import_note"]


def values(call):
    return {name: value["value"] if value["state"] == "ok" else value["note"] for name, value in call["values"].items()
            if value["state"] == "ok" or value["note"] == "the file has no number for it"}


FIRST = {"GpuTime": 1250, "GPU_MEMORY_BYTE_READ": 4096, "XVE_ACTIVE": 12.5, "XVE_INST": 7}
SECOND = {"GpuTime": 1000, "GPU_MEMORY_BYTE_READ": 64, "XVE_ACTIVE": 50, "XVE_INST": "the file has no number for it", "GpuTime[1]": 1000,
          "GPU_MEMORY_BYTE_READ[1]": 65, "XVE_ACTIVE[1]": 51, "XVE_INST[1]": 9}


def check_metrics(run, processes, objects, calls):
    equal([(p["pid"], c["command"]["kernel"]["name"], c["command"]["state"], c["command"]["duration_ns"], c["command"]["global"])
           for p in processes for c in calls], [(40, "k", "absent", 1250, [64]), (40, "k<float, 3>", "absent", 1000, [64])], "launches")
    equal([values(c) for c in calls], [FIRST, SECOND], "values")
    assert "1 line of metrics is not whole" in run["import_note"], run["import_note"]


def check_job(run, processes, objects, calls):
    equal([(c["command"]["start_ns"], values(c)) for c in calls if c["command"] and c["command"]["kind"] == "kernel"],
          [(10000, FIRST), (30000, SECOND)], "values of the trace's launches")
    equal([c["start_ns"] for c in calls], [0, 20000, 30000], "calls")


def check_result(run, processes, objects, calls):
    check_job(run, processes, objects, calls)
    assert "device_timeline.txt has the launches of the Chrome trace beside it" in run["import_note"], run["import_note"]


def check_lone(run, processes, objects, calls):
    equal([p["pid"] for p in processes], [None], "process")
    equal([o["name"] for o in objects if o["kind"] == "device"], ["GPU #3"], "device")
    equal([values(c) for c in calls], [FIRST, SECOND], "values")


def check_tiles(run, processes, objects, calls):
    of = {o["id"]: o["name"] for o in objects if o["kind"] == "queue"}
    equal([(c["command"]["kind"], c["command"]["name"], of[c["command"]["queue"]], c["command"]["start_ns"], c["command"].get("bytes"))
           for c in calls], [
        ("kernel", "kernel", "Compute Engine<0,0>", 10000, None),
        ("write", "zeCommandListAppendMemoryCopy(M2D)", "Compute Engine<0,0>, tile 0", 20000, 64),
        ("kernel", "kernel", "Compute Engine<0,0>, tile 0", 30000, None), ("kernel", "kernel", "Compute Engine<0,0>, tile 1", 31000, None)],
          "work of tiles")
    equal([o["name"] for o in objects if o["kind"] == "kernel"], ["k"], "kernels")
    assert "3 pieces of work are parts of launches" in run["import_note"], run["import_note"]


def check_likwid(run, processes, objects, calls):
    of = {o["id"]: o["name"] for o in objects if o["kind"] == "device"}
    equal([(c["command"]["kernel"]["name"], of[c["command"]["device"]["id"]], c["command"]["state"], c["command"].get("duration_ns"), values(c))
           for c in calls], [
        ("copy", "GPU 0", "absent", 3426146000, {"call count": 10, "FADD": 2457600, "FADD:GPU1": 3276800, "Runtime (RDTSC) [s]": 3.4261, "FMA share": 75.5}),
        ("copy", "GPU 1", "absent", 500000000, {"call count": 5, "FADD": 2457601, "FADD:GPU1": "the file has no number for it", "Runtime (RDTSC) [s]": 0.5, "FMA share": 25}),
        ("copy", "GPU 0", "absent", 1000000000, {"call count": 2, "DRAM": 11}), ("copy", "GPU 1", "absent", 1000000000, {"call count": 2, "DRAM": 12}),
        ("(the whole program)", "HWThread 0 of Test(R) CPU", "absent", None, {"LOADS": 77})], "regions")
    assert "1 table of sums" in run["import_note"], run["import_note"]


def check_sums(run, processes, objects, calls):
    total = {}
    for c in calls:
        row = shown(c)
        count, time, size = total.get(row[3], (0, 0, 0))
        total[row[3]] = (count + 1, time + row[4][3] - row[4][2], size + (c["command"].get("bytes") or 0))
    for name in sorted(total):
        print(name.split("(sycl")[0], *total[name])


def main():
    if sys.argv[1] == "make":
        return make()
    rows = [json.loads(line) for line in sys.stdin]
    of = lambda kind: [r for r in rows if r["schema"] == "tacho.%s/1" % kind]
    globals()["check_" + sys.argv[2]](of("run")[0], of("process"), of("object"), of("call"))


main()
