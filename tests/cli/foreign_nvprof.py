# SPDX-License-Identifier: MIT
"""Files as nvprof writes them, and what must be read from them.

    foreign_nvprof.py make         writes one of each sort into the current folder
    foreign_nvprof.py check NAME   reads JSON lines of it from stdin
"""
import csv
import io
import json
import os
import sqlite3
import struct
import sys

from written import kernel as mangled

HEAD = "==21602== NVPROF is profiling process 21602, command: ./a.out -n 3, 4\n==21602== Profiling application: ./a.out -n 3, 4\n"
RESULT = "==21602== Profiling result:\n"
OLD = ["Start", "Duration", "Grid X", "Grid Y", "Grid Z", "Block X", "Block Y", "Block Z", "Registers Per Thread",
       "Static SMem", "Dynamic SMem", "Size", "Throughput", "Device", "Context", "Stream", "Name"]
NEW = OLD[:13] + ["SrcMemType", "DstMemType"] + OLD[13:] + ["Correlation_ID"]
K20 = "Tesla K20c (0)"
RTX = "GeForce RTX 2080 Ti (1)"
VALUES = ["Device", "Kernel", "Invocations", "Metric Name", "Metric Description", "Min", "Max", "Avg"]


def quoted(*lines):
    """Rows with quoted texts and bare numbers; titles are texts."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC).writerows(
        [[number(c) for c in line] for line in lines])
    return out.getvalue().replace('""', "")


class Bare(float):
    def __new__(cls, text):
        made = super().__new__(cls, text)
        made.text = text
        return made

    def __repr__(self):
        return self.text

    __str__ = __repr__


def number(cell):
    try:
        return Bare(cell)
    except ValueError:
        return cell


def work():
    """With correlation ids, and KB of 1024 bytes."""
    return ("======== Profiling result:\n" + quoted(NEW) + "us,us,,,,,,,,KB,KB,KB,GB/s,,,,,,,\n" + quoted(
        ["0.000000", "1.568000"] + [""] * 9 + ["1.003906", "0.610586", "Device", "", RTX, "1", "7", "[CUDA memset]", "274"],
        ["4643.346000", "1.536000"] + [""] * 9 + ["0.125000", "0.077610", "Pinned", "Device", RTX, "1", "22", "[CUDA memcpy HtoD]", "316"],
        ["5000.5", "20.25", "4", "2", "1", "64", "1", "1", "32", "0.062500", "1.000000", "", "", "", "", RTX, "1", "7",
         "void k<int>(float*, int)", "317"]))


def both():
    """Calls and work in one table, joined by the numbers in brackets; a line of the program between."""
    return (HEAD + RESULT + quoted(OLD) + "s,ms,,,,,,,,B,MB,MB,GB/s,,,,\n" + quoted(
        ["1.000001", "0.500"] + [""] * 14 + ["cudaLaunch (vadd(float*, int) [119])"],
        ["1.100000", "0.010"] + [""] * 14 + ["cudaFree"]) + "hello, world\n" + quoted(
        ["1.200000", "2.000", "3", "1", "1", "128", "1", "1", "16", "48", "0.000000", "", "", K20, "1", "7", "vadd(float*, int) [119]"],
        ["1.300000", "0.001"] + [""] * 9 + ["2.5", "1.0", K20, "1", "7", "[CUDA memcpy DtoH]"],
        ["1.400000", ""] + [""] * 14 + ["[Marker] here"]))


def invalid():
    return ("==21602== Warning: 2 records have invalid timestamps due to insufficient device buffer space. You can configure the "
            "buffer space using the option --device-buffer-size.\n" + RESULT + quoted(OLD) + "ms,us,,,,,,,,KB,B,KB,GB/s,,,,\n" + quoted(
            ["1.0", "5.0", "1", "1", "1", "8", "1", "1", "16", "0", "0", "", "", K20, "1", "7", "k() [1]"],
            ["0.0", "0.0", "1", "1", "1", "8", "1", "1", "16", "0", "0", "", "", K20, "1", "7", "k() [2]"],
            ["", "", "1", "1", "1", "8", "1", "1", "16", "0", "0", "", "", K20, "1", "7", "k() [3]"]))


def calls():
    return ("======== Profiling result:\n" + quoted(["Start", "Duration", "Name", "Correlation_ID"]) + "us,us,,\n" +
            quoted(["0.000000", "2.866000", "cuDeviceGetPCIBusId", "1"], ["35863.518", "0.952", "cuLaunchKernel", "317"]))


def metrics():
    """Two kernels; a metric that every sort of value has."""
    return (HEAD + "==21602== Metric result:\n" + quoted(VALUES) + quoted(
        [K20, "f(int, float*)", "1", "sm_efficiency", "Multiprocessor Activity", "99.50%", "99.50%", "99.50%"],
        [K20, "f(int, float*)", "1", "alu_fu_utilization", "ALU", "Low (1)", "Low (1)", "Low (1)"],
        [K20, "f(int, float*)", "1", "dram_read_throughput", "Read", "1.5GB/s", "1.5GB/s", "1.5GB/s"],
        [K20, "f(int, float*)", "1", "ipc", "IPC", "<OVERFLOW>", "<OVERFLOW>", "<OVERFLOW>"],
        [K20, "g()", "3", "ipc", "IPC", "1.000000", "2.000000", "1.500000"],
        [K20, "g()", "3", "odd", "Odd", "n/a", "n/a", "n/a"]) +
        "==21602== Event result:\n" + quoted(["Device", "Kernel", "Invocations", "Event Name", "Min", "Max", "Avg", "Total"],
                                             [K20, "g()", "3", "warps_launched", "10", "10", "10", "30"]))


def launches():
    """Metrics of each launch, and a line of units that has none."""
    titles = ["Device", "Context", "Stream", "Kernel", "Correlation_ID", "ipc", "L2 Utilization"]
    return HEAD + RESULT + quoted(titles) + ",,,,,,\n" + quoted(
        [K20, "1", "7", "f(int, float*) [112]", "112", "1.5", "Low (2)"], [K20, "1", "8", "f(int, float*) [113]", "113", "<OVERFLOW>", "Low (3)"])


def unitless():
    return both().replace("s,ms,,,,,,,,B,MB,MB,GB/s,,,,\n", "")


EPOCH = 1512345678000000000
PLACE = "start INT, end INT, deviceId INT, contextId INT, streamId INT, correlationId INT"


def database(path):
    """One process; a launch with its call, one whose time is not valid, a copy, a fill, and a number that nobody knows."""
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    put = lambda table, *rows: [db.execute("INSERT INTO %s VALUES (%s)" % (table, ",".join("?" * len(r))), r) for r in rows]
    calls = "(_id_ INTEGER PRIMARY KEY, cbid INT, start INT, end INT, processId INT, threadId INT, correlationId INT, returnValue INT)"
    kind = "CUPTI_ACTIVITY_KIND_"
    db.execute("CREATE TABLE Version (version INT)")
    db.execute("CREATE TABLE StringTable (_id_ INTEGER PRIMARY KEY, value TEXT)")
    db.execute("CREATE TABLE " + kind + "RUNTIME " + calls)
    db.execute("CREATE TABLE " + kind + "DRIVER " + calls)
    db.execute("CREATE TABLE " + kind + "CONCURRENT_KERNEL (_id_ INTEGER PRIMARY KEY, " + PLACE + ", gridX INT, gridY INT, gridZ INT, "
               "blockX INT, blockY INT, blockZ INT, registersPerThread INT, staticSharedMemory INT, dynamicSharedMemory INT, "
               "localMemoryPerThread INT, name INT, queued INT, submitted INT)")
    db.execute("CREATE TABLE " + kind + "MEMCPY (_id_ INTEGER PRIMARY KEY, copyKind INT, bytes INT, " + PLACE + ")")
    db.execute("CREATE TABLE " + kind + "MEMSET (_id_ INTEGER PRIMARY KEY, value INT, bytes INT, " + PLACE + ")")
    put("Version", (11,))
    db.execute("CREATE TABLE " + kind + "MEMCPY2 (_id_ INTEGER PRIMARY KEY, copyKind INT, bytes INT, " + PLACE + ", srcDeviceId INT, dstDeviceId INT)")
    db.execute("CREATE TABLE " + kind + "MARKER (_id_ INTEGER PRIMARY KEY, flags INT, timestamp INT, id INT, objectKind INT, objectId BLOB, "
               "name INT, domain INT)")
    db.execute("CREATE TABLE " + kind + "DEVICE (_id_ INTEGER PRIMARY KEY, id INT, name INT, globalMemorySize INT, numMultiprocessors INT, "
               "coreClockRate INT, numThreadsPerWarp INT, computeCapabilityMajor INT, computeCapabilityMinor INT, uuid BLOB)")
    db.execute("CREATE TABLE " + kind + "EVENT (_id_ INTEGER PRIMARY KEY, id INT, value INT, domain INT, correlationId INT)")
    db.execute("CREATE TABLE " + kind + "EVENT_INSTANCE (_id_ INTEGER PRIMARY KEY, id INT, domain INT, instance INT, value INT, correlationId INT)")
    db.execute("CREATE TABLE " + kind + "METRIC (_id_ INTEGER PRIMARY KEY, id INT, value BLOB, correlationId INT, flags INT)")
    db.execute("CREATE TABLE " + kind + "METRIC_INSTANCE (_id_ INTEGER PRIMARY KEY, id INT, value BLOB, instance INT, correlationId INT, flags INT)")
    db.execute("CREATE TABLE " + kind + "CDP_KERNEL (_id_ INTEGER PRIMARY KEY, start INT)")
    db.execute("CREATE TABLE " + kind + "PC_SAMPLING (_id_ INTEGER PRIMARY KEY, samples INT)")
    put(kind + "CDP_KERNEL", (1, EPOCH))
    put("StringTable", (7, "_Z4vaddPfi"), (8, "Tesla K20c"), (9, "step"), (10, "inner"), (11, "my domain"), (12, "_Z4vaddPfi.kd"))
    put(kind + "RUNTIME", (1, 13, EPOCH, EPOCH + 100, 77, -1776818432, 5, 0), (2, 99999, EPOCH + 200, EPOCH + 300, 77, -1776818432, 6, 2))
    put(kind + "DRIVER", (1, 307, EPOCH + 310, EPOCH + 320, 77, -1776818432, 8, 0))
    put(kind + "CONCURRENT_KERNEL", (1, EPOCH + 1000, EPOCH + 3000, 0, 1, 7, 5, 3, 2, 1, 64, 1, 1, 24, 512, 128, 16, 7, EPOCH + 400, EPOCH + 500),
        (2, 0, 0, 0, 1, 7, 9, 3, 2, 1, 64, 1, 1, 24, 512, 0, 16, 7, 0, 0))
    put(kind + "MEMCPY2", (1, 10, 8192, EPOCH + 6000, EPOCH + 6200, 0, 1, 7, 11, 0, 1))
    put(kind + "DEVICE", (1, 0, 8, 5 << 30, 13, 705500, 32, 3, 5, b"0123456789abcdef"))
    put(kind + "EVENT", (1, 83886182, 1234, 0, 5), (2, 83886183, 77, 0, 4711), (3, 83886184, "98765", 0, 5), (4, 83886185, -1, 0, 5),
        (5, 83886186, "18446744073709551614", 0, 5), (6, 83886187, "many", 0, 5), (7, 83886188, 1, 0, 0))
    put(kind + "EVENT_INSTANCE", (1, 83886182, 0, 0, 1000, 5), (2, 83886182, 0, 1, 234, 5))
    real, whole = lambda x: struct.pack("<d", x), lambda x: struct.pack("<Q", x)
    put(kind + "METRIC", (1, 19923062, real(0.478515625), 5, 0), (2, 19923063, whole(123456789012), 5, 0), (3, 19923064, whole(7), 5, 0),
        (4, 19923065, real(99.5), 5, 1), (5, 19923066, real(1), 5, 2), (6, 19923067, b"\0" * 8, 5, 0), (7, 19923068, b"\0" * 4, 5, 0),
        (8, 19923069, b"\xff" * 8, 5, 0), (9, 19923070, real(-2.5), 9, 0))
    put(kind + "METRIC_INSTANCE", (1, 19923058, real(1.25), 12, 5, 0))
    thread = (77).to_bytes(4, "little") + (2518148864).to_bytes(4, "little")
    put(kind + "MARKER", (1, 2, EPOCH + 50, 1, 2, thread, 9, 0), (2, 2, EPOCH + 60, 2, 2, thread, 10, 11), (3, 4, EPOCH + 250, 2, 2, thread, 0, 11),
        (4, 4, EPOCH + 7000, 1, 2, thread, 0, 0), (5, 1, EPOCH + 70, 3, 2, thread, 10, 0), (6, 2, EPOCH + 80, 4, 1, thread, 9, 0))
    put(kind + "MEMCPY", (1, 1, 4096, EPOCH + 4000, EPOCH + 4500, 0, 1, 7, 6))
    put(kind + "MEMSET", (1, 0, 64, EPOCH + 5000, EPOCH + 5100, 0, 1, 7, 10))
    db.commit()


def check_database(run, processes, objects, calls):
    told_calls = [c for c in calls if not c.get("bare")]
    zero = told_calls[0]["start_ns"]
    since = lambda ns: None if ns is None else ns - zero
    equal([(c["function"], since(c["start_ns"]), since(c["end_ns"]), c["thread"], c["pid"], c["failed"], c["result"]) for c in told_calls],
          [("cudaLaunch", 0, 100, 2518148864, 77, False, "0"), ("cbid 99999", 200, 300, 2518148864, 77, True, "2"),
           ("cuLaunchKernel", 310, 320, 2518148864, 77, False, "0")], "calls")
    equal(sorted((c["function"], k["kind"], k["state"], since(k["start_ns"]), since(k["end_ns"]), k.get("bytes"))
                 for c in calls for k in [c["command"]] if k and k["state"] == "ok"),
          [("(no call)", "copy", "ok", 6000, 6200, 8192), ("(no call)", "fill", "ok", 5000, 5100, 64), ("cbid 99999", "write", "ok", 4000, 4500, 4096),
           ("cudaLaunch", "kernel", "ok", 1000, 3000, None)], "work with its calls")
    lost = [c["command"] for c in calls if c["command"] and c["command"]["state"] == "lost"]
    equal([(k["kind"], k["start_ns"], k["global"], k["local"]) for k in lost], [("kernel", None, [192, 2], [64, 1])], "no valid time")
    kernel, written = [o for o in objects if o["kind"] == "kernel"][0], mangled("_Z4vaddPfi", "vadd(float*, int)")
    equal((kernel["name"], kernel["attributes"]),
          (written[0], {"registers": "24", "local_bytes": "512", "private_bytes": "16", **written[1]}), "kernel")
    device = [o for o in objects if o["kind"] == "device"][0]
    equal((device["name"], device["attributes"]), ("Tesla K20c", {
        "vendor": "NVIDIA", "type": "gpu", "number": "0", "compute_units": "13", "memory_bytes": str(5 << 30), "clock_khz": "705500",
        "wave_size": "32", "compute_capability": "3.5"}), "device")
    launch = [c for c in calls if c["command"] and c["command"]["kind"] == "kernel" and c["command"]["state"] == "ok"][0]
    equal((since(launch["command"]["queued_ns"]), since(launch["command"]["submit_ns"])), (400, 500), "when it was queued and submitted")
    values = {k: (v["state"], v["value"]) for k, v in launch["values"].items()}
    equal({k: v for k, v in values.items() if k[:5] == "event"}, {
        "event 83886182": ("ok", 1234), "event 83886182[0]": ("ok", 1000), "event 83886182[1]": ("ok", 234), "event 83886183": ("absent", None),
        "event 83886184": ("ok", 98765), "event 83886185": ("absent", None), "event 83886186": ("absent", None),
        "event 83886187": ("absent", None)}, "events")
    # Bytes that would be next to 0 as a real number are a whole one.
    equal({k[8:]: v for k, v in values.items() if k[:6] == "metric"}, {
        "9923062": ("ok", 0.478515625), "9923063": ("ok", 123456789012), "9923064": ("ok", 7), "9923065": ("overflow", 99.5),
        "9923066": ("absent", None), "9923067": ("ok", 0), "9923068": ("absent", None), "9923069": ("absent", None), "9923070": ("absent", None),
        "9923058[12]": ("ok", 1.25)}, "metrics")
    equal([launch["values"][n]["note"] for n in ("event 83886185", "event 83886186", "metric 19923066", "metric 19923068", "metric 19923069")],
          ["nvprof says that the counter ran over", "nvprof says that the count is not valid", "nvprof says that it is not valid",
           "the file has no eight bytes for it", "its bytes are no number"], "why")
    other = [c for c in calls if c["command"] and c["command"]["state"] == "lost"][0]
    equal(other["values"]["metric 19923070"]["value"], -2.5, "of the other launch")
    equal(run["realtime_offset_ns"] + zero, EPOCH, "the time of day")
    told(run, "of 1 the name is not known", "Events and metrics have numbers", "do not say what a metric is in", "not read: CUPTI_ACTIVITY_KIND_CDP_KERNEL.", "1 event or metric that names no launch",
         "1 value of a counter names")


def check_ranges(rows, calls):
    zero = min(c["start_ns"] for c in calls if not c.get("bare"))
    equal(sorted((r["name"], r["domain"] or "", r["kind"], r["thread"], r["start_ns"] - zero, r["end_ns"] and r["end_ns"] - zero) for r in rows), [
        ("inner", "", "mark", 2518148864, 70, 70), ("inner", "my domain", "nested", 2518148864, 60, 250),
        ("step", "", "nested", 2518148864, 50, 7000), ("step", "", "process", 0, 80, None)], "ranges")


MADE = [work, both, invalid, calls, metrics, launches, unitless]


def equal(got, wanted, what):
    assert got == wanted, "%s: %r, not %r" % (what, got, wanted)


def told(run, *sentences):
    for words in sentences:
        assert words in run["import_note"], run["import_note"]


def commands(calls):
    return [(c["function"], c["command"]["kind"], c["command"]["start_ns"], c["command"]["end_ns"],
             c["command"].get("bytes")) for c in calls if c["command"]]


WORK = [("(no call)", "fill", 0, 1568, 1028), ("(no call)", "write", 4643346, 4644882, 128), ("(no call)", "kernel", 5000500, 5020750, None)]


def check_work(run, processes, objects, calls):
    equal(commands(calls), WORK, "work, to the byte")
    last = [c["command"] for c in calls if c["command"]][2]
    equal((last["global"], last["local"]), ([256, 2], [64, 1]), "work-items")
    kernel = [o for o in objects if o["kind"] == "kernel"][0]
    equal((kernel["name"], kernel["attributes"]), ("void k<int>(float*, int)", {"registers": "32", "local_bytes": "64"}), "kernel")
    device = [o for o in objects if o["kind"] == "device"][0]
    equal((device["name"], device["attributes"]["number"]), ("GeForce RTX 2080 Ti", "1"), "device")


def check_both(run, processes, objects, calls):
    equal(commands(calls), [("cudaLaunch", "kernel", 200000000 + 1000000000, 1202000000, None), ("(no call)", "read", 1300000000, 1300001000, 2621440)],
          "work with its calls")
    equal([(c["function"], c["start_ns"], c["end_ns"], c["pid"]) for c in calls if not c.get("bare")][:2],
          [("cudaLaunch", 1000001000, 1000501000, 21602), ("cudaFree", 1100000000, 1100010000, 21602)], "calls")
    equal(processes[0]["executable"], "./a.out -n 3, 4", "process")
    kernel = [o for o in objects if o["kind"] == "kernel"][0]
    equal((kernel["name"], kernel["attributes"]), ("vadd(float*, int)", {"registers": "16", "local_bytes": "48"}), "kernel")
    told(run, "names or all columns: 1.", "rounded to 1000 ns", "Sizes in MB or GB are rounded")


def check_invalid(run, processes, objects, calls):
    equal(sorted(c["command"]["state"] for c in calls), ["lost", "lost", "ok"], "states of times")
    told(run, "2 records have invalid timestamps", "--device-buffer-size")


def check_calls(run, processes, objects, calls):
    equal([(c["function"], c["start_ns"], c["end_ns"]) for c in calls],
          [("cuDeviceGetPCIBusId", 0, 2866), ("cuLaunchKernel", 35863518, 35864470)], "calls")


def check_apart(run, processes, objects, calls):
    equal(commands(calls), WORK, "work alone")
    told(run, "Left out: calls in tables whose time 0 is not")


def check_metrics(run, processes, objects, calls):
    found = {c["command"]["kernel"]["name"]: c["values"] for c in calls}
    values = {(k, name): v for k, c in found.items() for name, v in c.items()}
    show = lambda k, c: (values[k, c]["state"], values[k, c]["value"], values[k, c].get("note") or "")
    equal(sorted(found), ["f(int, float*)", "g()"], "kernels")
    equal(show("f(int, float*)", "sm_efficiency"), ("ok", 99.5, ""), "percent")
    equal(show("f(int, float*)", "alu_fu_utilization"), ("ok", 1, ""), "level")
    equal(show("f(int, float*)", "dram_read_throughput"), ("ok", 1.5 * 2**30, ""), "throughput")
    equal(show("f(int, float*)", "ipc"), ("absent", None, 'nvprof says "<OVERFLOW>"'), "overflow")
    equal(show("g()", "ipc"), ("ok", 1.5, ""), "average")
    equal([show("g()", n)[:2] for n in ("ipc (min)", "ipc (max)", "Invocations")], [("ok", 1), ("ok", 2), ("ok", 3)], "of 3 launches")
    equal(show("f(int, float*)", "Invocations")[0], "absent", "of one launch")
    equal(show("g()", "odd")[:2], ("absent", None), "no number")
    equal(show("g()", "warps_launched")[:2], ("ok", 10), "event")
    told(run, "The launches of a kernel are one here")


def check_launches(run, processes, objects, calls):
    show = lambda c: {name: (v["state"], v["value"]) for name, v in c["values"].items()}
    equal([(c["command"]["kernel"]["name"], c["command"]["state"], show(c)) for c in calls], [
        ("f(int, float*)", "absent", {"ipc": ("ok", 1.5), "L2 Utilization": ("ok", 2)}),
        ("f(int, float*)", "absent", {"ipc": ("absent", None), "L2 Utilization": ("ok", 3)})], "values of each launch")
    equal([o["name"] for o in objects if o["kind"] == "queue"], ["stream 7", "stream 8"], "streams")


def main():
    if sys.argv[1] == "make":
        for fill in MADE:
            open(fill.__name__ + ".csv", "w").write(fill())
        database("run.nvprof")
        return
    found = [json.loads(line) for line in sys.stdin]
    kinds = [[r for r in found if r["schema"] == "tacho.%s/1" % kind] for kind in ("run", "process", "object", "call")]
    globals()["check_" + sys.argv[2]](kinds[0][0], *kinds[1:])
    if sys.argv[2] == "database":
        check_ranges([r for r in found if r["schema"] == "tacho.range/1"], kinds[3])


main()
