# SPDX-License-Identifier: MIT
"""Several files of another tool that are one recording, and what must be read from them.

    foreign_files.py make        writes them into the current folder
    foreign_files.py check NAME  reads JSON lines of it from stdin
"""
import gzip
import json
import os
import sqlite3
import sys

from foreign import CALLS, KERNEL, equal, names, read, table, tid, times

EPOCH = 1700000000000000000


def rank(path, epoch, base):
    """Process 7, thread 8, on every rank: a call of correlation id 3 and its kernel."""
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    names(db)
    if epoch is not None:
        table(db, "TARGET_INFO_SESSION_START_TIME", "utcEpochNs", [(epoch,)])
    table(db, "PROCESSES", "globalPid name", [(tid(7, 0), path + ".exe")])
    table(db, "CUPTI_ACTIVITY_KIND_RUNTIME", CALLS, [(base, base + 10, 0, tid(7, 8), 3, 1, 0, None)])
    table(db, "CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, [
        (base + 20, base + 30, 0, 1, 7, 3, tid(7, 0), 5, 5, 8, 1, 1, 1, 8, 1, 1, 0, 0, 0)])
    db.commit()
    db.close()


def make_t4():
    """75 registers and 5120 bytes a block of 128 threads: 6 blocks on a multiprocessor of 65536 registers."""
    if os.path.exists("t4.sqlite"):
        os.remove("t4.sqlite")
    db = sqlite3.connect("t4.sqlite")
    names(db)
    table(db, "TARGET_INFO_GPU", "id name computeMajor computeMinor", [(0, "Tesla T4", 7, 5)])
    table(db, "CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, [
        (20, 30, 0, 1, 7, 3, tid(7, 0), 5, 5, 75, 1, 1, 1, 128, 1, 1, 4096, 1024, 0)])
    db.commit()
    db.close()


def make():
    make_t4()
    os.makedirs("job/deep/er", exist_ok=True)
    os.makedirs("old.tacho", exist_ok=True)
    rank("job/rank10.sqlite", EPOCH + 1000, 100)
    rank("job/rank2.sqlite", EPOCH, 100)
    rank("job/deep/er/rank3.sqlite", EPOCH - 50, 1000)
    rank("bare.sqlite", None, 5)
    rank("bare2.sqlite", None, 7)
    for name in ("README.txt", "job/notes.md", "job/deep/log"):
        with open(name, "w") as file:
            file.write("nothing that anybody reads\n")
    with open("job/rank2.sqlite", "rb") as file:
        whole = file.read()
    with gzip.open("packed.sqlite.gz", "wb") as file:
        file.write(whole)
    with open("packed.sqlite.gz", "rb") as file:
        packed = file.read()
    with open("cut.sqlite.gz", "wb") as file:
        file.write(packed[:len(packed) // 2])
    with gzip.open("bomb.sqlite.gz", "wb") as file: # more than anybody packs
        file.write(b"SQLite format 3\0")
        for _ in range(90):
            file.write(bytes(1 << 20))


def check_job(run, processes, objects, calls, ranges):
    """By time, on the clock of deep/er/rank3, which is the first file: a process for each."""
    equal([p["pid"] for p in processes], [7, 7, 7], "processes")
    equal([(c["process"], t[1:]) for c, t in zip(calls, times(calls))],
          [(1, (150, 160, (170, 180))), (0, (1000, 1010, (1020, 1030))), (2, (1150, 1160, (1170, 1180)))], "times")


def check_mixed(run, processes, objects, calls, ranges):
    equal([t[1:] for t in times(calls)], [(5, 15, (25, 35)), (100, 110, (120, 130))], "times")
    assert "1 of 2 files do not tell the time of day" in run["import_note"], run["import_note"]


def check_packed(run, processes, objects, calls, ranges):
    equal([t[1:] for t in times(calls)], [(100, 110, (120, 130))], "times")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make()
    elif sys.argv[1] == "occupancy":
        kernel, = json.load(sys.stdin)["kernels"]
        assert kernel["arch"] == "sm_75" and kernel["waves"] == 24 and kernel["resources"]["local_bytes"]["used"] == 5120, kernel
    else:
        globals()["check_" + sys.argv[2]](*read(sys.stdin))
