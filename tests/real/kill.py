# SPDX-License-Identifier: MIT
"""Kills a busy program at random instants and compares its books with the recording.

usage: kill.py TACHO BUSY TIMES [SEED]

busy adds to a counter in a shared file after each call that has returned. So each thread has, per
function, at least that many calls in the recording, and at most one more in all: the call that was
complete but not yet counted.
"""
import json
import os
import random
import signal
import struct
import subprocess
import sys
import time

THREADS = 4
FUNCTIONS = [
    "clSetKernelArg",
    "clEnqueueNDRangeKernel",
    "clGetKernelInfo",
    "clWaitForEvents",
    "clReleaseEvent",
    "clFinish",
]
BOOKS = struct.Struct("<II" + "Q" * (THREADS * (1 + len(FUNCTIONS))))


def read_books(path):
    """(threads that have begun, {tid: {function: count}})"""
    try:
        with open(path, "rb") as file:
            data = file.read(BOOKS.size)
    except FileNotFoundError:
        return 0, {}
    if len(data) < BOOKS.size:
        return 0, {}
    ready, _, *numbers = BOOKS.unpack(data)
    threads = {}
    for i in range(THREADS):
        tid, *counts = numbers[i * 7 : i * 7 + 7]
        threads[tid] = dict(zip(FUNCTIONS, counts))
    return ready, threads


def child_of(pid):
    """The program that the launcher started: its one child that executes busy."""
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
            for child in file.read().split():
                try:
                    if os.path.basename(os.readlink(f"/proc/{child}/exe")) == "busy":
                        return int(child)
                except OSError:
                    pass
    return None


def wait_until(what, seconds, condition):
    """Waits for a true value of condition() and returns it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.002)
    sys.exit(f"FAIL: {what}: not within {seconds} s")


def recorded(path):
    """{tid: {function: count}} of a JSON lines export."""
    threads = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            item = json.loads(line)
            if item["schema"] == "tacho.call/1" and item["function"] in FUNCTIONS:
                counts = threads.setdefault(item["thread"], dict.fromkeys(FUNCTIONS, 0))
                counts[item["function"]] += 1
    return threads


def kill_once(tacho, busy, delay):
    """Returns the number of counted calls."""
    for name in ("books", "killed.jsonl"):
        if os.path.exists(name):
            os.unlink(name)
    launcher = subprocess.Popen(
        [tacho, "record", "-q", "-f", "-o", "killed", "--export", "jsonl", "--", busy, "books", "0"],
        stdin=subprocess.DEVNULL,
    )
    wait_until("all threads at work", 60, lambda: read_books("books")[0] == THREADS)
    program = wait_until("the program's number", 5, lambda: child_of(launcher.pid))
    time.sleep(delay)
    os.kill(program, signal.SIGKILL)
    status = launcher.wait(timeout=60)
    if status != 128 + signal.SIGKILL:
        sys.exit(f"FAIL: tacho record ended with {status}, expected 137")
    books = read_books("books")[1]
    found = recorded("killed.jsonl")
    for tid, counts in books.items():
        seen = found.get(tid, dict.fromkeys(FUNCTIONS, 0))
        for function, count in counts.items():
            if seen[function] < count:
                sys.exit(
                    f"FAIL: thread {tid} had completed {count} {function}, "
                    f"{seen[function]} are in the recording"
                )
        if sum(seen.values()) > sum(counts.values()) + 1:
            sys.exit(f"FAIL: thread {tid} has {seen}, but only {counts} were made")
    return sum(sum(counts.values()) for counts in books.values())


def main():
    tacho, busy, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else int(time.time())
    print(f"seed {seed}")
    instants = random.Random(seed)
    total = 0
    for _ in range(times):
        total += kill_once(tacho, busy, instants.uniform(0, 0.3))
    if total < times:
        sys.exit("FAIL: nothing was at work when it was killed")
    print(f"{times} kills, {total} completed calls, all of them in the recordings")


main()
