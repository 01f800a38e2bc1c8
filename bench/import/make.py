# SPDX-License-Identifier: MIT
"""Files of other tools, as large as wanted.

    make.py nsys FILE KERNELS     Nsight Systems' SQLite export: so many launches, and a call for each
    make.py kineto FILE MEGABYTES PyTorch's trace: operators, calls, kernels
"""
import random
import sqlite3
import sys

NAMES = ["void layer_%d<float, (int)%d>(T1 *, const T1 *, unsigned long)" % (i, 32 << i % 4) for i in range(60)]


def kernels(count):
    """Number, name, when it was called, when it ran: work of one stream, in order, often waiting."""
    chance = random.Random(1)
    called = ran = 0
    for i in range(count):
        called += 2000 + chance.randrange(4000)
        start = max(called + 5000, ran)
        ran = start + 1000 + chance.randrange(9000)
        yield i + 1, chance.randrange(len(NAMES)), called, start, ran


def make_nsys(path, count):
    thread, process = 1 << 48 | 100 << 24 | 101, 1 << 48 | 100 << 24
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)")
    db.execute("INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000')")
    db.executemany("INSERT INTO StringIds VALUES (?, ?)", ((10 + i, name) for i, name in enumerate(NAMES)))
    db.execute("CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT)")
    db.execute("INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.20.2')")
    db.execute("CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, computeMajor INTEGER, computeMinor INTEGER)")
    db.execute("INSERT INTO TARGET_INFO_GPU VALUES (0, 'GPU', 9, 0)")
    db.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, "
               "globalTid INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER, callchainId INTEGER)")
    db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, 0, ?, ?, 1, 0, NULL)",
                   ((called, called + 1500, thread, i, ) for i, _, called, _, _ in kernels(count)))
    db.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, "
               "contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, "
               "shortName INTEGER, registersPerThread INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, "
               "blockX INTEGER, blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER, "
               "dynamicSharedMemory INTEGER, localMemoryPerThread INTEGER)")
    db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, 0, 1, 7, ?, ?, ?, ?, 32, ?, 1, 1, 128, 1, 1, "
                   "1024, 0, 0)",
                   ((start, end, i, process, 10 + name, 10 + name, 1 + i % 500)
                    for i, name, _, start, end in kernels(count)))
    db.commit()


EVENTS = """  {
    "ph": "X", "cat": "cpu_op", "name": "aten::op_%(name)d", "pid": 100, "tid": 101,
    "ts": %(called)s, "dur": 9.0,
    "args": {
      "External id": %(id)d,"Record function id": 0, "Ev Idx": %(id)d
    }
  },
  {
    "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 100, "tid": 101,
    "ts": %(called)s, "dur": 1.5,
    "args": {
      "External id": %(id)d, "cbid": 211, "correlation": %(id)d
    }
  },
  {
    "ph": "s", "id": %(id)d, "pid": 100, "tid": 101, "ts": %(called)s,
    "cat": "ac2g", "name": "ac2g"
  },
  {
    "ph": "X", "cat": "kernel", "name": "%(text)s", "pid": 0, "tid": 7,
    "ts": %(start)s, "dur": %(took)s,
    "args": {
      "External id": %(id)d, "queued": 0, "device": 0, "context": 1,
      "stream": 7, "correlation": %(id)d,
      "registers per thread": 32, "shared memory": 1024,
      "blocks per SM": 0.5, "warps per SM": 2.0,
      "grid": [%(groups)d, 1, 1], "block": [128, 1, 1], "est. achieved occupancy %%": 3
    }
  },
  {
    "ph": "f", "id": %(id)d, "pid": 0, "tid": 7, "ts": %(start)s,
    "cat": "ac2g", "name": "ac2g", "bp": "e"
  },
"""


def micro(ns):
    return "%d.%03d" % (ns // 1000, ns % 1000)


def make_kineto(path, megabytes):
    with open(path, "w") as file:
        file.write('{\n  "schemaVersion": 1,\n  "deviceProperties": [{"id": 0, "name": "GPU", "computeMajor": 9, '
                   '"computeMinor": 0}],\n  "baseTimeNanoseconds": 1700000000000000000,\n  "traceEvents": [\n')
        size = 0
        for number, name, called, start, end in kernels(1 << 40):
            size += file.write(EVENTS % {"id": number, "name": name, "text": NAMES[name], "called": micro(called),
                                         "start": micro(start), "took": micro(end - start), "groups": 1 + number % 500})
            if size > megabytes * 1000000:
                break
        file.write('  {"name": "process_name", "ph": "M", "ts": 0, "pid": 100, "tid": 0, "args": {"name": "python"}}\n]}\n')


if __name__ == "__main__":
    {"nsys": make_nsys, "kineto": make_kineto}[sys.argv[1]](sys.argv[2], int(sys.argv[3]))
