# SPDX-License-Identifier: MIT
"""Tables as "nsys stats --format csv" prints them, and what must be read from them.

    foreign_nsys_stats.py make             writes one of each sort into the current folder
    foreign_nsys_stats.py check NAME       reads JSON lines of it from stdin
    foreign_nsys_stats.py print DB         prints the traces of a database as these tables
    foreign_nsys_stats.py same FILE FILE   JSON lines of two recordings say the same of work and calls
    foreign_nsys_stats.py pipit LINES GPU API  the same of pipit's tables of that run
"""
import csv
import io
import json
import sqlite3
import sys

GPU = ("Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),"
       "Throughput (MB/s),SrcMemKd,DstMemKd,Device,Ctx,GreenCtx,Strm,Name")
API = "Start (ns),Duration (ns),Name,Result,CorrID,Pid,Tid,T-Pri,Thread Name"
KERNELS = ("Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
           '100.0,5000,1,5000.0,5000.0,5000,5000,0.0,"vadd(float*, int)"\n')
BIG = "NVIDIA Big (PCIe) (2)"


def rows(*lines):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue()


def both(pids=(100, 100)):
    """Two tables and one of sums in one stream, between lines of the tool."""
    return ("Generating SQLite file a.sqlite from a.nsys-rep\nProcessing [a.sqlite] with [cuda_gpu_trace.py]...\n\n"
            " ** CUDA GPU Trace (cuda_gpu_trace):\n" + GPU + "\n" +
            rows([2000, 5000, 5, 4, 2, 1, 64, 1, 1, 32, "0.001", "0.000", "", "", "", "", BIG, 1, "", 7, "vadd(float*, int)"],
                 [8000, 400, 6, "", "", "", "", "", "", "", "", "", "4.096", "1", "Pageable", "Device", BIG, 1, "", 7,
                  "[CUDA memcpy Host-to-Device]"],
                 [9000, 10, 7, "", "", "", "", "", "", "", "", "", "0.000", "1", "", "", BIG, 1, "", 7, "[CUDA memset]"]) +
            "\nProcessing [a.sqlite] with [cuda_api_trace.py]...\n\n ** CUDA API Trace (cuda_api_trace):\n" + API + "\n" +
            rows([1000, 500, "cudaLaunchKernel", 0, 5, pids[0], 101, 20, "main"],
                 [1600, 100, "cudaMemcpyAsync", 1, 6, pids[1], 101, 20, "main"]) +
            "\n ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):\n" + KERNELS)


def several():
    return both((100, 200))


def early():
    """2021: other units, other titles, no green contexts; a comma as the point."""
    return ("Start(sec),Duration(nsec),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem,DymSMem,Bytes,Thru(MB/s),"
            "SrcMemKd,DstMemKd,Device,Ctx,Strm,Name\n" +
            rows(["1.234567891", 1000, 3, 1, 1, 1, 8, 1, 1, 16, 128, 64, "", "", "", "", "Old GPU (0)", 1, 7, "k(int)"],
                 ["1,5", 20, 4, "", "", "", "", "", "", "", "", "", 615200, "1", "", "", "Old GPU (0)", 1, 7, "[CUDA memcpy DtoH]"],
                 ["x", 20, 4, "", "", "", "", "", "", "", "", "", 1, "1", "", "", "Old GPU (0)", 1, 7, "[CUDA memcpy DtoH]"]))


MADE = {"both": both, "several": several, "early": early}


def equal(got, wanted, what):
    assert got == wanted, "%s: %r, not %r" % (what, got, wanted)


def work(calls):
    return [(c["function"], c["command"]["kind"], c["command"]["start_ns"], c["command"]["end_ns"],
             c["command"].get("bytes")) for c in calls if c["command"]]


def check_both(run, processes, objects, calls):
    equal(work(calls), [("cudaLaunchKernel", "kernel", 2000, 7000, None), ("cudaMemcpyAsync", "write", 8000, 8400, 4096000),
                        ("(no call)", "fill", 9000, 9010, None)], "work with its calls; a size that rounds to 0 is not known")
    equal([(c["start_ns"], c["end_ns"], c["pid"], c["thread"], c["failed"]) for c in calls[:2]],
          [(1000, 1500, 100, 101, False), (1600, 1700, 100, 101, True)], "calls")
    equal((calls[0]["command"]["global"], calls[0]["command"]["local"]), ([256, 2], [64, 1]), "work-items")
    device = [o for o in objects if o["kind"] == "device"][0]
    equal((device["name"], device["attributes"]["number"]), ("NVIDIA Big (PCIe)", "2"), "device")
    kernel = [o for o in objects if o["kind"] == "kernel"][0]
    equal((kernel["name"], kernel["attributes"]), ("vadd(float*, int)", {"registers": "32"}), "kernel: rounded sizes are left out")
    for words in ("Sizes are rounded", "1 table of sums is left out"):
        assert words in run["import_note"], run["import_note"]


def check_several(run, processes, objects, calls):
    equal([f for f, *_ in work(calls)], ["(no call)"] * 3, "work of nobody knows whom is joined with no call")
    assert "not joined" in run["import_note"], run["import_note"]


def check_early(run, processes, objects, calls):
    equal(work(calls), [("(no call)", "kernel", 1234567891, 1234568891, None), ("(no call)", "read", 1500000000, 1500000020, 615200)],
          "work")
    kernel = [o for o in objects if o["kind"] == "kernel"][0]
    equal(kernel["attributes"], {"registers": "16", "local_bytes": "128"}, "kernel")
    assert "1 line without times is left out" in run["import_note"], run["import_note"]


def read(lines):
    found = [json.loads(line) for line in lines]
    return [[r for r in found if r["schema"] == "tacho.%s/1" % kind] for kind in ("run", "process", "object", "call")]


COPIES = {0: "memcpy", 1: "memcpy Host-to-Device", 2: "memcpy Device-to-Host", 8: "memcpy Device-to-Device"}


def print_tables(path):
    db = sqlite3.connect(path)
    text = lambda i: (db.execute("SELECT value FROM StringIds WHERE id = ?", (i,)).fetchone() or [""])[0]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(GPU.replace("Bytes (MB)", "Bytes (B)").split(","))
    for r in db.execute("SELECT start, end - start, correlationId, gridX, gridY, gridZ, blockX, blockY, blockZ, registersPerThread, "
                        "deviceId, contextId, streamId, demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL"):
        out.writerow(list(r[:10]) + ["", "", "", "", "", "", "GPU (%d)" % r[10], r[11], "", r[12], text(r[13])])
    for r in db.execute("SELECT start, end - start, correlationId, bytes, deviceId, contextId, streamId, copyKind "
                        "FROM CUPTI_ACTIVITY_KIND_MEMCPY"):
        out.writerow(list(r[:3]) + [""] * 9 + [r[3], "", "", "", "GPU (%d)" % r[4], r[5], "", r[6], "[CUDA %s]" % COPIES[r[7]]])
    out.writerow([])
    out.writerow(API.split(","))
    for r in db.execute("SELECT start, end - start, nameId, returnValue, correlationId, globalTid FROM CUPTI_ACTIVITY_KIND_RUNTIME"):
        name = text(r[2])
        name = name[:-6] if name[-6:-4] == "_v" else name
        out.writerow([r[0], r[1], name, r[3], r[4], r[5] >> 24 & 0xffffff, r[5] & 0xffffff, 20, ""])


def facts(path):
    run, processes, objects, calls = read(open(path))
    name = lambda c: (c["command"].get("kernel") or {}).get("name") if c["command"] else None
    return sorted((c["start_ns"], c["end_ns"], c["function"], c["thread"], name(c) or "",
                   *[c["command"][k] or 0 for k in ("kind", "start_ns", "end_ns")], c["command"].get("bytes") or 0,
                   c["command"].get("global") or [])
                  if c["command"] and c["command"]["kind"] != "fill" else (c["start_ns"], c["end_ns"], c["function"], c["thread"])
                  for c in calls if not (c["command"] and c["command"]["kind"] == "fill" and c.get("bare")))


def same(left, right):
    a, b = facts(left), facts(right)
    assert len(a) == len(b), (len(a), len(b))
    for one, other in zip(a, b):
        equal(one, other, "row")


def pipit(lines, gpu, api):
    run, processes, objects, calls = read(open(lines))
    pairs = {}
    for row in csv.DictReader(open(api)):
        if row["Event Type"] == "Enter":
            key = int(row["Timestamp (ns)"]), int(row["_matching_timestamp"])
            pairs[key] = pairs.get(key, 0) + 1
    mine = {}
    for c in calls:
        if not c.get("bare"):
            key = c["start_ns"], c["end_ns"]
            mine[key] = mine.get(key, 0) + 1
    equal(mine, pairs, "times of calls")
    wanted = sorted((int(r["Timestamp (ns)"]), int(r["_matching_timestamp"]), int(float(r["bytes"] or 0)))
                    for r in csv.DictReader(open(gpu)) if r["Event Type"] == "Enter" and "MEMSET" not in r["type"].upper())
    got = sorted((c["command"]["start_ns"], c["command"]["end_ns"], c["command"].get("bytes") or 0)
                 for c in calls if c["command"] and c["command"]["kind"] != "fill")
    equal(got, wanted, "times and bytes of work")


def main():
    if sys.argv[1] == "make":
        for name, fill in MADE.items():
            open(name + ".csv", "w").write(fill())
    elif sys.argv[1] == "check":
        globals()["check_" + sys.argv[2]](*[r[0] if i == 0 else r for i, r in enumerate(read(sys.stdin))])
    else:
        {"print": print_tables, "same": same, "pipit": pipit}[sys.argv[1]](*sys.argv[2:])


main()
