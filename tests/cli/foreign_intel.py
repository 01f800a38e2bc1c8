#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Files as Intel's tracers, apitrace and LIKWID write them: makes them, and knows what a reader must tell.

make            writes them into the current folder
check NAME      reads `tacho export NAME --to jsonl` from the standard input
"""
import json
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
    "likwid.csv": "STRUCT,Info,3,,\nCPU name:,Test,,,\nTABLE,Region a,Group 1 Raw,X,2,\n",
}


def make():
    files = {"timeline.txt": TIMELINE, "onetrace.txt": ONETRACE, "apitrace.txt": APITRACE, "old_apitrace.txt": APITRACE_OLD, "unitrace.json": json.dumps(unitrace()),
             "clintercept.json": clintercept(False) + '{"ph":"M","name":"clintercept_eof","pid":60,"tid":0}\n]\n',
             "stages.json": clintercept(True)}
    files.update(SUMS)
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
    assert "ends early" in run["import_note"], run["import_note"]


def check_apitrace(run, processes, objects, calls):
    kernel = lambda c: c["command"] and (c["command"]["kernel"]["name"], c["command"]["start_ns"], c["command"]["end_ns"])
    equal([(c["function"], c["start_ns"], c["end_ns"], kernel(c)) for c in calls], [
        ("glViewport", 100, 150, None), ("glDrawArrays", 200, 220, ("glDrawArrays (program 5)", 300, 340)),
        ("glClear", 350, 360, ("glClear", 400, 460))], "calls")
    equal(calls[1]["values"]["pixels"]["value"], 640, "pixels")
    equal(calls[2].get("values"), None, "pixels that nobody counted")
    equal([c["ranges"] for c in calls], [[1], [1], [2]], "frames")


def check_old_apitrace(run, processes, objects, calls):
    equal([(c["function"], c["command"]["start_ns"], c["command"]["duration_ns"]) for c in calls],
          [("(no call)", 0, 100)], "work without calls, whose times were below 0")
    assert "--pcpu" in run["import_note"], run["import_note"]


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
