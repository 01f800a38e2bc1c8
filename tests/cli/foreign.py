# SPDX-License-Identifier: MIT
"""Databases as Nsight Systems exports them, and what must be read from them.

    foreign.py make        writes one of each sort into the current folder
    foreign.py check NAME  reads JSON lines of it from stdin
"""
import json
import sqlite3
import sys

STRINGS = {1: "cudaLaunchKernel_v7000", 2: "cudaMemcpyAsync_v3020", 3: "cudaEventQuery_v3020", 4: "cudaMalloc_v3020",
           5: "vadd(float*)", 6: "step", 7: "inner", 8: "cuMemAlloc_v2", 9: "fill<T>(T*)"}


def tid(process, thread):
    return 1 << 48 | process << 24 | thread


def table(db, name, columns, rows):
    db.execute("CREATE TABLE %s (%s)" % (name, ", ".join(columns.split())))
    for row in rows:
        db.execute("INSERT INTO %s VALUES (%s)" % (name, ",".join("?" * len(row))), row)


def names(db, meta="META_DATA_EXPORT", schema="3.13.2"):
    db.execute("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)")
    db.executemany("INSERT INTO StringIds VALUES (?, ?)", STRINGS.items())
    if meta:
        table(db, meta, "name value", [("EXPORT_PRODUCT_VERSION", "2024.5.1"), ("EXPORT_SCHEMA_VERSION", schema)])


CALLS = "start end eventClass globalTid correlationId nameId returnValue callchainId"
KERNEL = ("start end deviceId contextId streamId correlationId globalPid demangledName shortName registersPerThread gridX "
          "gridY gridZ blockX blockY blockZ staticSharedMemory dynamicSharedMemory localMemoryPerThread")
COPY = "start end deviceId contextId streamId correlationId globalPid bytes copyKind"


def whole(db):
    """Two processes that use the same correlation ids; work without a call; a negative start."""
    names(db)
    table(db, "TARGET_INFO_SESSION_START_TIME", "utcEpochNs", [(1700000000000000000,)])
    table(db, "TARGET_INFO_GPU", "id name busLocation smCount computeMajor computeMinor totalMemory",
          [(0, "Other GPU", "0000:01:00.0", 1, 6, 1, 1), (3, "Big GPU", "0000:c1:00.0", 108, 8, 0, 85899345920)])
    table(db, "PROCESSES", "globalPid name", [(tid(100, 0), "one.exe"), (tid(200, 0), "two.exe")])
    table(db, "CUPTI_ACTIVITY_KIND_RUNTIME", CALLS, [
        (-500, -400, 1, tid(100, 101), 1, 8, 0, None),
        (1000, 1500, 0, tid(100, 101), 5, 1, 0, None),
        (1200, 1600, 0, tid(200, 201), 5, 1, 0, None),
        (2000, 2100, 0, tid(100, 101), 6, 2, 0, None),
        (2200, 2210, 0, tid(100, 101), 7, 3, 600, None),
        (2300, 2310, 0, tid(100, 101), 8, 4, 2, None)])
    table(db, "CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, [
        (2000, 5000, 3, 1, 7, 5, tid(100, 0), 5, 5, 32, 4, 2, 1, 64, 1, 1, 128, 256, 0),
        (3000, 4000, 3, 1, 7, 5, tid(200, 0), 5, 5, 32, 2, 1, 1, 32, 1, 1, 0, 0, 0),
        (6000, 6500, 3, 1, 7, 77, tid(100, 0), 9, 9, 40, 1, 1, 1, 1, 1, 1, 0, 0, 16)])
    table(db, "CUPTI_ACTIVITY_KIND_MEMCPY", COPY, [
        (5200, 5400, 3, 1, 7, 6, tid(100, 0), 4096, 1),
        (5500, 5600, 3, 1, 7, None, tid(100, 0), 65536, 12)])
    table(db, "CUPTI_ACTIVITY_KIND_MEMSET", "start end deviceId contextId streamId correlationId globalPid bytes",
          [(6700, 6800, 3, 1, 8, None, tid(200, 0), 100)])
    table(db, "NVTX_EVENTS", "start end eventType text textId globalTid domainId color", [
        (0, None, 75, "dom", None, tid(100, 101), 2, None),
        (900, 7000, 59, None, 6, tid(100, 101), 2, 0xff00ff00),
        (1900, 2250, 59, None, 7, tid(100, 101), 2, None),
        (950, None, 60, "phase", None, tid(100, 101), 0, None),
        (2250, None, 34, "here", None, tid(100, 101), 0, None)])


def early(db):
    """A version without a number, other tables, columns that lack."""
    names(db, None)
    table(db, "TARGET_INFO_CUDA_GPU", "deviceId name", [(0, "Old GPU")])
    table(db, "CUPTI_ACTIVITY_KIND_RUNTIME", "start end globalTid correlationId nameId",
          [(10, 20, tid(7, 8), 3, 1)])
    table(db, "CUPTI_ACTIVITY_KIND_KERNEL", "start end deviceId contextId streamId correlationId globalPid demangledName",
          [(30, 40, 0, 1, 7, 3, tid(7, 0), 5)])


def calls_only(db):
    names(db, "EXPORT_META_DATA", "3.1.7")
    table(db, "CUPTI_ACTIVITY_KIND_RUNTIME", CALLS, [(10, 20, 0, tid(7, 8), 3, 1, 0, None)])
    table(db, "DIAGNOSTIC_EVENT", "text severity", [("small thing", 1), ("CUDA trace was refused", 4)])


def graph(db):
    """A graph's kernels share the id of its one launch; a launch that was traced as a whole."""
    names(db)
    table(db, "CUPTI_ACTIVITY_KIND_RUNTIME", CALLS, [(10, 20, 0, tid(7, 8), 3, 1, 0, None)])
    table(db, "CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, [
        (30 + 10 * i, 35 + 10 * i, 0, 1, 7, 3, tid(7, 0), 5, 5, 8, 1, 1, 1, 8, 1, 1, 0, 0, 0) for i in range(3)])
    table(db, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "start end deviceId contextId streamId correlationId globalPid",
          [(100, 150, 0, 1, 7, 9, tid(7, 0))])
    table(db, "DIAGNOSTIC_EVENT", "text severity", [
        ("Number of CUDA events collected: 4", 1), ("Not all CUDA events might have been collected.", 2),
        ("No OpenGL events collected. Does the process use OpenGL?", 2), ("CUDA driver 99 is not supported\nInstall another", 2),
        ("Not all CUDA events might have been collected.", 2)])
    table(db, "OSRT_API", "start end", [(1, 2)])
    table(db, "GPU_METRICS", "timestamp value", [(1, 2)])
    table(db, "MPI_P2P_EVENTS", "start end", [])


def odd(db):
    """Numbers that are texts, ends before their starts, sizes that cannot be, ids of nothing."""
    names(db)
    table(db, "CUPTI_ACTIVITY_KIND_RUNTIME", CALLS, [
        ("x", 20, 0, tid(7, 8), 3, 1, 0, None), (50, 40, 0, tid(7, 8), 3, 999, "bad", None)])
    table(db, "CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, [
        (30, 20, "a", None, b"\0", 3, tid(7, 0), 5, 5, -4, 1 << 62, 1, 1, 1 << 62, 1, 1, -1, -1, "z"),
        (None, None, 1, 1, 1, -1, -1, None, None, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)])
    table(db, "CUPTI_ACTIVITY_KIND_MEMCPY", COPY, [(5, 6, 0, 0, 0, None, tid(7, 0), -8, 999)])
    table(db, "NVTX_EVENTS", "start end eventType text textId globalTid domainId color",
          [(90, 10, 59, "turned", None, tid(7, 8), 0, None), (None, 5, 59, "", 888, "q", None, None)])


def endless(db):
    """A view in place of a table, which never ends: it is none of the tables."""
    names(db)
    table(db, "CUPTI_ACTIVITY_KIND_RUNTIME", CALLS, [(10, 20, 0, tid(7, 8), 3, 1, 0, None)])
    db.execute("CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
               "FROM n) SELECT i AS start, i AS end, 0 AS deviceId FROM n")


def hostile(db):
    """Blobs where numbers are, a trigger, a view that never ends and grows."""
    names(db)
    table(db, "CUPTI_ACTIVITY_KIND_RUNTIME", CALLS, [(10, 20, 0, tid(7, 8), 3, 1, 0, None),
                                                     (bytes(1 << 20), 20, 0, bytes(1 << 20), 3, 1, 0, None)])
    db.execute("CREATE TRIGGER t AFTER INSERT ON StringIds BEGIN DELETE FROM StringIds; END")
    db.execute("CREATE VIEW NVTX_EVENTS AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
               "SELECT i AS start, randomblob(1000000) AS text FROM n")


def huge(db):
    """A name of 20 MB."""
    names(db)
    db.execute("UPDATE StringIds SET value = ? WHERE id = 1", ("x" * 20000000,))
    table(db, "CUPTI_ACTIVITY_KIND_RUNTIME", CALLS, [(10, 20, 0, tid(7, 8), 3, 1, 0, None)])


# What each schema has besides; columns come in the middle of tables, too.
GENERATIONS = {
    None: {"gpu": "TARGET_INFO_CUDA_GPU", "key": "deviceId"},
    "2.9.1": {"meta": "EXPORT_META_DATA", "kernel": "mangledName", "copy": "virtualAddress"},
    "3.1.7": {"meta": "EXPORT_META_DATA", "kernel": "mangledName", "enums": True},
    "3.4.0": {"kernel": "mangledName launchType", "enums": True},
    "3.16.1": {"kernel": "mangledName launchType", "place": "greenContextId", "enums": True},
    "3.20.2": {"kernel": "mangledName launchType", "place": "greenContextId", "copy": "copyCount", "enums": True},
    "3.25.0": {"kernel": "mangledName qmdBulkReleaseDone graphId clusterX clusterY clusterZ clusterSchedulingPolicy", "place": "greenContextId",
               "copy": "copyCount graphId", "session": "systemClockNs", "enums": True},
    "3.28.1": {"kernel": "mangledName qmdBulkReleaseDone graphId clusterX clusterY clusterZ clusterSchedulingPolicy", "place": "greenContextId",
               "copy": "copyCount graphId", "session": "systemClockNs sessionStartCntVctNs", "gpu_first": "vmId", "enums": True},
}


def put_columns(db, name, before, after, rows, more="", at=None):
    """Values of these columns, with more of them in front, in the middle, and behind."""
    columns = before.split()
    index = columns.index(at) + 1 if at else len(columns)
    extra = more.split()
    order = columns[:index] + extra + columns[index:] + after.split()
    db.execute("CREATE TABLE %s (%s)" % (name, ", ".join(order)))
    for row in rows:
        row = list(row[:index]) + [7] * len(extra) + list(row[index:]) + [9] * len(after.split())
        db.execute("INSERT INTO %s VALUES (%s)" % (name, ",".join("?" * len(row))), row)


def generation(version):
    has = GENERATIONS[version]

    def fill(db):
        names(db, None if version is None else has.get("meta", "META_DATA_EXPORT"), version)
        gpu = has.get("gpu", "TARGET_INFO_GPU")
        put_columns(db, gpu, has.get("key", "id") + " name smCount computeMajor computeMinor", "", [(2, "This GPU", 80, 7, 0)])
        if has.get("enums"):
            table(db, "ENUM_CUDA_MEMCPY_OPER", "id name label", [(1, "CUDA_MEMCPY_KIND_HTOD", "Host-to-Device")])
            table(db, "TARGET_INFO_CUDA_DEVICE", "gpuId cudaId pid uuid numMultiprocessors", [(2, 0, 7, "u", 80)])
        if version:
            put_columns(db, "TARGET_INFO_SESSION_START_TIME", "utcEpochNs utcTime localTime", has.get("session", ""),
                        [(1700000000000000000, "x", "y")])
        place = has.get("place", "")
        put_columns(db, "CUPTI_ACTIVITY_KIND_RUNTIME", CALLS, "", [(10, 20, 0, tid(7, 8), 3, 1, 0, None), (100, 140, 0, tid(7, 8), 4, 2, 0, None)])
        put_columns(db, "CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, has.get("kernel", ""), [
            (30, 50, 2, 1, 7, 3, tid(7, 0), 5, 5, 24, 4, 2, 1, 64, 1, 1, 512, 128, 16)], place, "contextId")
        put_columns(db, "CUPTI_ACTIVITY_KIND_MEMCPY", COPY, has.get("copy", ""), [(110, 130, 2, 1, 7, 4, tid(7, 0), 4096, 1)], place, "contextId")
        put_columns(db, "NVTX_EVENTS", "start end eventType text textId globalTid domainId color", "eventId", [
            (5, 150, 59, None, 6, tid(7, 8), 0, None)])
    return fill


def check_generation(run, processes, objects, calls, ranges):
    equal([(c["function"], c["start_ns"], c["end_ns"], c["command"]["kind"], c["command"]["start_ns"], c["command"]["end_ns"],
            c["command"].get("bytes"), c["command"].get("global")) for c in calls], [
        ("cudaLaunchKernel", 10, 20, "kernel", 30, 50, None, [256, 2]), ("cudaMemcpyAsync", 100, 140, "write", 110, 130, 4096, None)], "calls and work")
    equal([(o["name"], o["attributes"]) for o in objects if o["kind"] == "kernel"],
          [("vadd(float*)", {"registers": "24", "local_bytes": "512", "private_bytes": "16"})], "kernel")
    equal([(o["name"], o["attributes"]["compute_capability"]) for o in objects if o["kind"] == "device"], [("This GPU", "7.0")], "device")
    equal([(r["name"], r["start_ns"], r["end_ns"]) for r in ranges], [("step", 5, 150)], "range")
    schema = run["generator"].rpartition(" of schema ")[2] if " of schema " in run["generator"] else None
    assert schema in GENERATIONS, run["generator"]
    equal(run["realtime_offset_ns"], 1700000000000000000 if schema else None, "the time of day")


MADE = {"hostile": hostile, "huge": huge, "whole": whole, "early": early, "calls_only": calls_only, "graph": graph, "odd": odd, "endless": endless}
MADE.update({"generation-%s" % version: generation(version) for version in GENERATIONS})


def read(lines):
    rows = [json.loads(line) for line in lines]
    of = lambda kind: [r for r in rows if r["schema"] == "tacho.%s/1" % kind]
    return of("run")[0], of("process"), of("object"), of("call"), of("range")


def equal(got, wanted, what):
    assert got == wanted, "%s: %r, not %r" % (what, got, wanted)


def times(calls):
    return [(c["function"], c["start_ns"], c["end_ns"], c["command"] and (c["command"]["start_ns"], c["command"]["end_ns"]))
            for c in calls]


def check_whole(run, processes, objects, calls, ranges):
    first = 500 # the earliest start is the new 0
    equal(run["generator"], "Nsight Systems 2024.5.1, SQLite export of schema 3.13.2", "generator")
    equal([(p["pid"], p["executable"]) for p in processes], [(100, "one.exe"), (200, "two.exe")], "processes")
    devices = [o for o in objects if o["kind"] == "device"]
    equal([d["name"] for d in devices], ["Big GPU", "Big GPU"], "devices of two processes")
    equal(devices[0]["attributes"]["compute_capability"], "8.0", "capability")
    shift = lambda a: [(f, s + first, e + first, c and (c[0] + first, c[1] + first)) for f, s, e, c in a]
    made = [c for c in calls if not c.get("no_call") and c["function"] != "(no call)"]
    equal(times(made), shift([
        ("cuMemAlloc_v2", -500, -400, None),
        ("cudaLaunchKernel", 1000, 1500, (2000, 5000)),
        ("cudaLaunchKernel", 1200, 1600, (3000, 4000)),
        ("cudaMemcpyAsync", 2000, 2100, (5200, 5400)),
        ("cudaEventQuery", 2200, 2210, None),
        ("cudaMalloc", 2300, 2310, None)]), "calls in the order of their ends, each with its own process's work")
    equal([c["pid"] for c in made], [100, 100, 200, 100, 100, 100], "processes of calls")
    equal([c["failed"] for c in made], [False] * 5 + [True], "not ready is an answer, out of memory a failure")
    bare = [c for c in calls if c["function"] == "(no call)"]
    equal([(c["command"]["start_ns"] - first, c["command"].get("bytes")) for c in bare],
          [(5500, 65536), (6000, None), (6700, 100)], "work without a call")
    kernel = made[1]["command"]
    equal((kernel["global"], kernel["local"]), ([256, 2], [64, 1]), "groups times their size are work-items")
    equal([(r["name"], r["kind"], r["start_ns"] - first, r["end_ns"] and r["end_ns"] - first, r["domain"] or "") for r in ranges],
          [("here", "mark", 2250, 2250, ""), ("inner", "nested", 1900, 2250, "dom"),
           ("step", "nested", 900, 7000, "dom"), ("phase", "process", 950, None, "")], "ranges")
    names_of = {r["id"]: r["name"] for r in ranges}
    equal([names_of[i] for i in made[3]["ranges"]], ["inner", "step", "phase"], "ranges around a call")
    assert "unified memory" in run["import_note"], run["import_note"]


def check_early(run, processes, objects, calls, ranges):
    equal(run["generator"], "Nsight Systems, SQLite export without a schema version", "generator")
    equal(times(calls), [("cudaLaunchKernel", 10, 20, (30, 40))], "calls")
    equal([o["name"] for o in objects if o["kind"] == "device"], ["Old GPU"], "device")
    kernel = [o for o in objects if o["kind"] == "kernel"][0]
    equal(sorted(kernel["attributes"]), [], "what the file does not have is no 0")
    assert not calls[0]["command"].get("global") and not calls[0]["command"].get("local"), calls[0]["command"]


def check_calls_only(run, processes, objects, calls, ranges):
    equal(times(calls), [("cudaLaunchKernel", 10, 20, None)], "calls")
    assert "no kernel and no transfer" in run["import_note"], run["import_note"]
    assert "CUDA trace was refused" in run["import_note"], run["import_note"]


def check_graph(run, processes, objects, calls, ranges):
    equal([(c["function"], c["command"]["start_ns"]) for c in calls],
          [("cudaLaunchKernel", 30), ("cudaLaunchKernel", 40), ("cudaLaunchKernel", 50), ("(no call)", 100)], "nodes")
    note = run["import_note"]
    for words in ("1 launch of a graph", "Nsight Systems warned: Not all CUDA events might have been collected. ",
                  "Nsight Systems warned: CUDA driver 99 is not supported. ", "Tables of the file that are not read: GPU_METRICS, OSRT_API."):
        equal(note.count(words), 1, words)
    assert "OpenGL" not in note and "Install" not in note and "collected: 4" not in note and "MPI" not in note, note


def check_odd(run, processes, objects, calls, ranges):
    states = sorted((c["command"]["kind"], c["command"]["state"]) for c in calls if c["command"])
    equal(states, [("copy", "ok"), ("kernel", "absent"), ("kernel", "absent")], "times that cannot be are not there")
    assert all(c["command"].get("bytes") is None for c in calls if c["command"]), "bytes below 0"


def check_endless(run, processes, objects, calls, ranges):
    equal(times(calls), [("cudaLaunchKernel", 10, 20, None)], "calls")


def main():
    if sys.argv[1] == "make":
        for name, fill in MADE.items():
            db = sqlite3.connect(name + ".sqlite")
            fill(db)
            db.commit()
            db.close()
        return
    globals()["check_" + sys.argv[2]](*read(sys.stdin))


if __name__ == "__main__":
    main()
