# SPDX-License-Identifier: MIT
"""What one writes by hand: launches and time of each kernel, and nothing else.

    sums.py nsys|kineto FILE      prints "LAUNCHES NANOSECONDS"
"""
import json
import sqlite3
import sys


def read_nsys(path):
    db = sqlite3.connect(path)
    names = dict(db.execute("SELECT id, value FROM StringIds"))
    for name, start, end in db.execute("SELECT demangledName, start, end FROM CUPTI_ACTIVITY_KIND_KERNEL"):
        yield names[name], end - start


def read_kineto(path):
    with open(path) as file:
        for event in json.load(file)["traceEvents"]:
            if event.get("cat") == "kernel":
                yield event["name"], round(event["dur"] * 1000)


sums = {}
for kernel, took in {"nsys": read_nsys, "kineto": read_kineto}[sys.argv[1]](sys.argv[2]):
    launches, total = sums.get(kernel, (0, 0))
    sums[kernel] = launches + 1, total + took
print(sum(launches for launches, _ in sums.values()), sum(total for _, total in sums.values()))
