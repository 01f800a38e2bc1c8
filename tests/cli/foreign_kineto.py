#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Traces as PyTorch's profiler writes them, of several generations: makes them, and knows what a reader must tell.

make            writes NAME.json and NAME.json.gz into the current folder
check NAME      reads `tacho export NAME.json --to jsonl` from the standard input
sums FILE ...   sums of an export, against those of the trace itself
"""
import csv
import gzip
import json
import os
import sys
from decimal import Decimal

BASE = 1727743122000000000
DEVICE = {"id": 0, "name": "NVIDIA Test GPU", "totalGlobalMem": 1 << 34, "computeMajor": 8, "computeMinor": 6,
          "numSms": 30, "warpSize": 32}


def event(cat, name, pid, tid, ts, dur, **args):
    made = {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur}
    if args:
        made["args"] = {key.replace("_", " ") if key.startswith(("registers", "shared")) else key: value
                        for key, value in args.items()}
    return made


def kernel(name, ts, dur, correlation, grid=(2, 1, 1), block=(64, 1, 1), stream=7, **args):
    made = {"queued": 0, "device": 0, "context": 1, "stream": stream, "correlation": correlation,
            "registers_per_thread": 16, "shared_memory": 1024}
    if grid:
        made.update(grid=list(grid), block=list(block))
    made.update(args)
    return event("kernel", name, 0, stream, ts, dur, **made)


def process(pid, name):
    return {"name": "process_name", "ph": "M", "ts": 1.0, "pid": pid, "tid": 0, "args": {"name": name}}


def cuda():
    """Decimals that a double cannot hold, a graph, transfers, what is left out."""
    events = [
        event("user_annotation", "step", 50, 51, 2413669096090.100, 20.5),
        event("cpu_op", "aten::add", 50, 51, 2413669096090.200, 10.0),
        event("python_function", "main.py(1): main", 50, 51, 2413669096090.0, 30),
        event("cuda_runtime", "cudaLaunchKernel", 50, 51, 2413669096091.001, 2.002, cbid=211, correlation=5),
        event("cuda_runtime", "cudaGraphLaunch", 50, 51, 2413669096095.000, 1, cbid=311, correlation=6),
        event("cuda_runtime", "cudaMemcpyAsync", 50, 51, 2413669096097.000, 1, correlation=7),
        event("cuda_driver", "cuLaunchKernelEx", 50, 52, 2413669096098.000, 1, correlation=8),
        {"ph": "s", "id": 5, "pid": 50, "tid": 51, "ts": 2413669096091.001, "cat": "ac2g", "name": "ac2g"},
        kernel("vadd(float*)\nlambda \u00e9 \"q\"", 2413669096092.592, 1.760, 5),
        kernel("node1", 2413669096099.0, 1, 6), kernel("node2", 2413669096100.0, 1, 6),
        kernel("node3", 2413669096101.0, 1, 6, registers_per_thread=32),
        kernel("launched before the capture", 2413669096080.0, 1, 99),
        event("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 0, 7, 2413669096102.5, 0.5, device=0, context=1,
              stream=7, correlation=7, bytes=4096),
        event("gpu_memset", "Memset (Device)", 0, 9, 2413669096103.5, 0.5, device=0, context=1, stream=9,
              correlation=0, bytes=64),
        kernel("by the driver", 2413669096104.0, 0.001, 8),
        event("cuda_sync", "Stream Sync", 0, -1, 2413669096105.0, 1, cuda_sync_kind="Stream Sync", stream=-1,
              correlation=7, device=0),
        event("gpu_user_annotation", "step", 0, 7, 2413669096092.0, 12),
        event("Trace", "PyTorch Profiler (0)", "Spans", "PyTorch Profiler", 2413669096080.0, 50),
        {"name": "Iteration Start", "ph": "i", "s": "g", "pid": "Traces", "tid": "Trace", "ts": 2413669096080.0},
        process(50, "python3"), process(0, "python3"),
    ]
    return {"schemaVersion": 1, "deviceProperties": [DEVICE], "cuda_runtime_version": 12040,
            "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8}, "displayTimeUnit": "ms",
            "traceEvents": events, "traceName": "x", "baseTimeNanoseconds": BASE}


def late():
    """What describes the devices and the clock comes behind the events; keys of events are sorted."""
    made = cuda()
    trace = {"traceEvents": [dict(sorted(e.items())) for e in made.pop("traceEvents")]}
    trace.update(made)
    return trace


def rocm_kernel(name, ts, correlation, grid, device=2):
    made = {"device": device, "stream": 0, "correlation": correlation, "kind": "Dispatch Kernel"}
    if grid:
        made.update(grid=[grid, 1, 1], block=[256, 1, 1])
    return event("kernel", name, device, 0, ts, 1, **made)


def rocm():
    """Sizes in groups or in work-items, by the call; none; no call; copies in three forms."""
    call = lambda name, ts, n, **args: event("cuda_runtime", name, 60, 60, ts, 1, cid=1, correlation=n, **args)
    return {"schemaVersion": 1, "hip_runtime_version": 60443483,
            "deviceProperties": [dict(DEVICE, name="AMD Test GPU", computeMajor=9, computeMinor=4)],
            "traceEvents": [
                call("hipLaunchKernel", 10, 1), call("hipExtModuleLaunchKernel", 20, 2),
                call("hipModuleLaunchKernel", 30, 3), call("hipLaunchKernel", 40, 4),
                call("hipMemcpyWithStream", 50, 6, size="512"), call("hipMemcpyAsync", 60, 7, bytes="9"),
                rocm_kernel("groups", 100, 1, 4), rocm_kernel("items", 110, 2, 1024),
                rocm_kernel("module", 120, 3, 2), rocm_kernel("no size", 130, 4, None),
                rocm_kernel("no call", 140, 5, 8), rocm_kernel("__amd_rocclr_copyBuffer.kd", 150, 0, None),
                event("gpu_memcpy", "Memcpy DtoD (Device -> Device)", 2, 0, 160, 1, device=2, stream=0,
                      correlation=6, kind="DtoD"),
                event("gpu_memcpy", "CopyHostToDevice", 2, 0, 170, 1, device=2, stream=0, correlation=7, bytes=100)]}


def early():
    """2021: other names of categories, threads as texts, whole microseconds since 1970."""
    start = 1623143089000000
    return {"schemaVersion": 1, "traceEvents": [
        event("Operator", "aten::mul", 70, "71", start, 30),
        event("Runtime", "cudaLaunchKernel", 70, "71", start + 10, 5, correlation=1, cbid=211),
        {"ph": "X", "cat": "Kernel", "name": "mul", "pid": 1, "tid": "stream 7", "ts": start + 20, "dur": 3,
         "args": {"queued": 0, "device": 1, "context": 1, "stream": 7, "correlation": 1, "external id": "12",
                  "registers per thread": 20, "shared memory": 0, "grid": [3, 2, 1], "block": [32, 4, 1]}},
        {"ph": "X", "cat": "Memcpy", "name": "Memcpy DtoH (Device -> Pageable)", "pid": 1, "tid": "stream 7",
         "ts": start + 30, "dur": 2, "args": {"device": 1, "context": 1, "stream": 7, "correlation": 2, "bytes": 12}}]}


def bare():
    """An array alone, as older versions and other tools write it."""
    return [event("cuda_runtime", "cudaLaunchKernel", 80, 80, 1000.5, 2, correlation=1), kernel("k", 1003.25, 2.5, 1)]


def counted():
    """Counters of kernels: no times, no correlation, a name that is missing, a number that is none."""
    made = lambda n, name, value: event("cuda_profiler_range", name, 0, 0, 100 + 50 * n, 50, **{
        "smsp__inst_executed.sum": value, "sm__busy.avg.pct": 12.5})
    return {"schemaVersion": 1, "deviceProperties": [DEVICE], "traceEvents": [
        event("cuda_runtime", "cudaLaunchKernel", 90, 90, 100, 2, correlation=1),
        made(0, "first", 86114304), made(1, "__missing__", 7), made(2, "first", float("nan"))]}


def several():
    """Ids repeat in each process: calls of a second process are not joined with the first one's work."""
    call = lambda pid, ts: event("cuda_runtime", "cudaLaunchKernel", pid, pid, ts, 1, correlation=1)
    return {"schemaVersion": 1, "traceEvents": [call(11, 10), call(12, 5), kernel("k", 20, 1, 1)]}


def rank(number):
    """A process of a job: its numbers repeat in the others, and its clock is its own."""
    start = 10.0 * (number + 1)
    call = event("cuda_runtime", "cudaLaunchKernel", 500 + number, 500 + number, start, 1, correlation=1)
    return {"schemaVersion": 1, "deviceProperties": [DEVICE], "distributedInfo": {"rank": number},
            "traceEvents": [call, kernel("k%d" % number, start + 5, 1, 1)],
            "baseTimeNanoseconds": BASE + 1000000 * number}


def odd():
    """Numbers that are texts, sizes that cannot be, no durations, no times, objects where texts belong."""
    huge = 1 << 63
    return {"schemaVersion": {"a": []}, "deviceProperties": [7, {"id": "x"}, {"name": 5}], "distributedInfo": [1],
            "baseTimeNanoseconds": "soon", "traceEvents": [
                5, "x", [1], {},
                {"ph": "X", "cat": "kernel", "name": {"a": 1}, "pid": [2], "tid": None, "ts": "12.5", "dur": "0.5",
                 "args": {"grid": [huge, huge, huge], "block": [huge, 2, 3], "correlation": "x", "context": 1}},
                {"ph": "X", "cat": "kernel", "name": "no duration", "pid": 0, "tid": 0, "ts": 13,
                 "args": {"grid": [1, 2], "block": "x"}},
                {"ph": "X", "cat": "kernel", "name": "negative", "pid": 0, "tid": 0, "ts": 15, "dur": -1, "args": 3},
                {"ph": "X", "cat": "kernel", "name": "no time", "pid": 0, "tid": 0, "ts": "now", "dur": 1}]}


MADE = {f.__name__: f for f in (cuda, late, rocm, early, bare, counted, several, odd)}


def read(lines):
    rows = [json.loads(line) for line in lines]
    of = lambda kind: [r for r in rows if r["schema"] == "tacho.%s/1" % kind]
    return of("run")[0], of("process"), of("object"), of("call"), of("range"), rows


def equal(got, wanted, what):
    assert got == wanted, "%s: %r, not %r" % (what, got, wanted)


def work(calls):
    return [c for c in calls if c["command"]]


def name_of(call):
    kernel = call["command"].get("kernel")
    return kernel["name"] if kernel else call["command"]["name"]


def check_cuda(run, processes, objects, calls, ranges, rows):
    zero = 2413669096080000
    equal(run["generator"], "PyTorch profiler (Kineto), CUDA 12.4", "generator")
    equal([(p["pid"], p["executable"]) for p in processes], [(50, "python3, rank 3")], "process")
    device = [o for o in objects if o["kind"] == "device"]
    equal([d["name"] for d in device], ["NVIDIA Test GPU"], "device")
    equal(device[0]["attributes"]["compute_capability"], "8.6", "capability")
    equal([(c["function"], c["thread"], c["start_ns"] - zero, name_of(c),
            c["command"]["start_ns"] - zero, c["command"]["end_ns"] - zero, c["command"].get("bytes"))
           for c in work(calls)], [
               ("(no call)", 0, 0, "launched before the capture", 0, 1000, None),
               ("cudaLaunchKernel", 51, 11001, "vadd(float*) lambda \u00e9 \"q\"", 12592, 14352, None),
               ("cudaGraphLaunch", 51, 15000, "node1", 19000, 20000, None),
               ("cudaMemcpyAsync", 51, 17000, "memcpy HtoD", 22500, 23000, 4096),
               ("cuLaunchKernelEx", 52, 18000, "by the driver", 24000, 24001, None),
               ("cudaGraphLaunch", 51, 20000, "node2", 20000, 21000, None),
               ("cudaGraphLaunch", 51, 21000, "node3", 21000, 22000, None),
               ("(no call)", 0, 23500, "memset", 23500, 24000, 64)], "work")
    launch = work(calls)[1]["command"]
    equal((launch["global"], launch["local"]), ([128], [64]), "groups times their size")
    kernels = {o["name"]: o["attributes"] for o in objects if o["kind"] == "kernel"}
    equal((kernels["node1"]["registers"], kernels["node3"]["registers"]), ("16", "32"), "registers")
    equal(kernels["node1"]["local_bytes"], "1024", "shared memory")
    equal([(r["name"], r["domain"] or "", r["start_ns"] - zero, r["end_ns"] - zero) for r in ranges],
          [("aten::add", "operator", 10200, 20200), ("step", "", 10100, 30600)], "ranges")
    names = {r["id"]: r["name"] for r in ranges}
    equal([names[i] for i in work(calls)[1]["ranges"]], ["aten::add", "step"], "ranges around a launch")
    for said in ("1 python_function", "1 cuda_sync", "1 piece of work names no call"):
        assert said in run["import_note"], run["import_note"]


check_late = check_cuda


def check_rocm(run, processes, objects, calls, ranges, rows):
    equal(run["generator"], "PyTorch profiler (Kineto), HIP 6.4.43483", "generator")
    equal([o["name"] for o in objects if o["kind"] == "device"], ["AMD Test GPU"], "the only device there is")
    equal({name_of(c): (c["command"].get("global"), c["command"].get("bytes")) for c in work(calls)}, {
        "groups": ([1024], None), "items": ([1024], None), "module": ([512], None), "no size": (None, None),
        "no call": (None, None), "__amd_rocclr_copyBuffer.kd": (None, None), "memcpy DtoD": (None, 512),
        "memcpy HtoD": (None, 100)}, "work-items and bytes")
    assert all(c["api"] == "hip" for c in calls if c["function"] != "(no call)")
    for said in ("sizes of 1 launch count groups or work-items", "1 kernel is a copy or fill",
                 "2 launches have no size"):
        assert said in run["import_note"], run["import_note"]


def check_early(run, processes, objects, calls, ranges, rows):
    equal([(c["function"], c["thread"], name_of(c), c["command"].get("global"), c["command"].get("bytes"),
            c["command"]["start_ns"], c["command"]["end_ns"]) for c in work(calls)],
          [("cudaLaunchKernel", 71, "mul", [96, 8], None, 20000, 23000),
           ("(no call)", 0, "memcpy DtoH", None, 12, 30000, 32000)], "times begin with the first one")
    equal([(r["name"], r["start_ns"], r["end_ns"]) for r in ranges], [("aten::mul", 0, 30000)], "range")
    equal([o["name"] for o in objects if o["kind"] == "device"], ["GPU 1"], "a device that is not described")


def check_bare(run, processes, objects, calls, ranges, rows):
    equal([(c["function"], c["start_ns"], c["command"]["start_ns"], c["command"]["end_ns"]) for c in calls],
          [("cudaLaunchKernel", 1000500, 1003250, 1005750)], "calls")


def check_counted(run, processes, objects, calls, ranges, rows):
    bare = [c for c in calls if c["function"] == "(no call)"]
    equal([(name_of(c), c["command"]["state"]) for c in bare],
          [("first", "absent"), ("__missing__", "absent"), ("first", "absent")], "kernels without times")
    counts = [(c["values"]["smsp__inst_executed.sum"]["value"], c["values"]["sm__busy.avg.pct"]["value"]) for c in bare]
    equal(counts, [(86114304, 12.5), (7, 12.5), (None, 12.5)], "values")


def check_several(run, processes, objects, calls, ranges, rows):
    equal(sorted((c["pid"], c["command"] and c["command"]["start_ns"]) for c in calls), [(11, 20000), (12, None)],
          "calls of two processes")
    assert "1 call is of another process" in run["import_note"], run["import_note"]


def check_job(run, processes, objects, calls, ranges, rows):
    equal([(p["pid"], p["executable"]) for p in processes], [(500, "rank 0"), (501, "rank 1")], "processes")
    equal([(c["pid"], c["command"]["kernel"]["name"], c["command"]["start_ns"]) for c in calls],
          [(500, "k0", 15000), (501, "k1", 1025000)], "each call with its own process's work, on one clock")
    equal(run["import_note"].count("When work was queued"), 1, "notes are said once")


def check_odd(run, processes, objects, calls, ranges, rows):
    equal([(c["command"]["state"], c["command"]["start_ns"], c["command"].get("global")) for c in calls],
          [("ok", 12500, None), ("absent", None, None), ("absent", None, None)], "what cannot be is not there")
    assert "1 event has no time" in run["import_note"], run["import_note"]


# ---- traces of real GPUs ----

def check_hta(run, processes, objects, calls, ranges, rows):
    bare = [c for c in calls if c["function"] == "(no call)"]
    equal(len(bare), 77, "ranges with counters")
    assert "fft2d_r2c_32x32" in name_of(bare[5]), name_of(bare[5])
    equal(bare[5]["values"]["smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"]["value"], 86114304, "additions")



def check_sums(path, table):
    """An export against the trace itself, in whole nanoseconds, and against a table of TraceLens."""
    with gzip.open(path, "rt") as text:
        trace = json.load(text, parse_float=Decimal)
    wanted = {}
    for e in trace["traceEvents"]:
        if e.get("cat") == "kernel":
            count, total = wanted.get(e["name"], (0, 0))
            wanted[e["name"]] = (count + 1, total + int(e["dur"] * 1000))
    _, _, objects, calls, _, _ = read(sys.stdin)
    got = {}
    for c in work(calls):
        if c["command"]["kind"] == "kernel":
            count, total = got.get(name_of(c), (0, 0))
            got[name_of(c)] = (count + 1, total + c["command"]["end_ns"] - c["command"]["start_ns"])
    equal(got, wanted, "kernels")
    callers = {e["args"]["correlation"]: e["name"] for e in trace["traceEvents"]
               if e.get("cat") in ("cuda_runtime", "cuda_driver")}
    sizes, items = [], 0
    for e in trace["traceEvents"]:
        if e.get("cat") == "kernel":
            args = e["args"]
            counts_items = callers.get(args["correlation"]) == "hipExtModuleLaunchKernel"
            items += counts_items
            sizes.append([g * (1 if counts_items else b) for g, b in zip(args["grid"], args["block"])])
    whole = lambda size: (size or []) + [1] * (3 - len(size or []))
    equal(sorted(whole(c["command"].get("global")) for c in work(calls) if c["command"]["kind"] == "kernel"),
          sorted(sizes), "work-items")
    if table:
        with open(table, newline="") as rows:
            sums = {}
            for row in csv.DictReader(rows):
                name = row["Kernel name"]
                count, total = sums.get(name, (0, 0))
                ns = round(float(row["Kernel duration (\u00b5s)_sum"]) * 1000)
                sums[name] = (count + int(row["Kernel duration (\u00b5s)_count"]), total + ns)
        equal(got, sums, "kernels of TraceLens")
    print(sum(v[0] for v in got.values()), sum(v[1] for v in got.values()), items)


def main():
    if sys.argv[1] == "make":
        for name, make in MADE.items():
            text = json.dumps(make(), indent=2 if name == "cuda" else None)
            with open(name + ".json", "w") as file:
                file.write(text)
            with gzip.open(name + ".json.gz", "wt") as file:
                file.write(text)
        os.makedirs("job", exist_ok=True)
        for number in (0, 1):
            with open("job/rank%d.json" % number, "w") as file:
                json.dump(rank(number), file)
        with open("open.json", "w") as file:
            file.write(json.dumps(bare())[:-1] + ",")
    elif sys.argv[1] == "sums":
        check_sums(sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None)
    else:
        globals()["check_" + sys.argv[2]](*read(sys.stdin))


main()
