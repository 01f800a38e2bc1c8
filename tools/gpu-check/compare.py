# SPDX-License-Identifier: MIT
"""Compares what tacho counted and recorded with what NVIDIA's tools did, of the same program.

counts NCU.csv VALUES.csv      ncu --csv --print-units base, either page; tacho export --to csv
launches NSYS.csv CALLS.jsonl  nsys stats --report cuda_gpu_trace --format csv; tacho export --to jsonl

Prints a line for each comparison. Ends with 0 when counts are equal, ratios and bytes within 2 %,
launches as many, and the median durations of kernels within 1 % (or 200 ns).
"""
import csv
import json
import statistics
import sys

RATIO = 0.02  # of what no two runs have the same: caches, averages
DURATION = 0.01
SHORT_NS = 200  # what the clocks' steps make of a short kernel


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def is_exact(metric):
    return metric.endswith(".sum") and not metric.startswith(("dram__", "lts__"))


def read_ncu(path):
    """{(kernel, metric): [value of each launch]} out of either page; lines of ncu's own are skipped."""
    with open(path, newline="") as file:
        lines = [line for line in file if line.startswith('"')]
    values = {}
    for row in csv.DictReader(lines):
        if not row.get("ID"):
            continue  # units
        cells = [(row["Metric Name"], row["Metric Value"])] if "Metric Name" in row else row.items()
        for metric, text in cells:
            if "__" in (metric or "") and number(text or "") is not None:
                kernel = row["Kernel Name"].split("(")[0]
                values.setdefault((kernel, metric), []).append(number(text))
    return values


def read_values(path):
    """The same of tacho's table, which has a row for each launch."""
    values = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            for metric, text in row.items():
                if "__" in metric and ":" not in metric and number(text or "") is not None:
                    values.setdefault((row["name"].split("(")[0], metric), []).append(number(text))
    return values


def compare_counts(ncu_path, tacho_path):
    theirs, ours = read_ncu(ncu_path), read_values(tacho_path)
    bad = 0
    for key in sorted(theirs):
        if key not in ours:
            print("FAIL %s %s: tacho has no value" % key)
            bad += 1
            continue
        if is_exact(key[1]):
            good = sorted(ours[key]) == sorted(theirs[key])
            words = "%s, ncu %s" % (sorted(set(ours[key])), sorted(set(theirs[key])))
        else:
            mine, other = statistics.median(ours[key]), statistics.median(theirs[key])
            good = abs(mine - other) <= RATIO * abs(other)
            words = "%g, ncu %g" % (mine, other)
        print("%-4s %s %s: %s" % (("ok" if good else "FAIL",) + key + (words,)))
        bad += not good
    return 1 if bad or not theirs else 0


def read_nsys(path):
    with open(path, newline="") as file:
        lines = file.read().splitlines()
    while lines and "Duration (ns)" not in lines[0]:
        lines.pop(0)
    durations = {}
    for row in csv.DictReader(lines):
        if row.get("GrdX"):  # copies have no grid
            durations.setdefault(row["Name"].split("(")[0], []).append(number(row["Duration (ns)"]))
    return durations


def read_calls(path):
    durations = {}
    with open(path) as file:
        for line in file:
            command = json.loads(line).get("command")
            if command and command["kind"] == "kernel" and command.get("kernel"):
                ns = command["end_ns"] - command["start_ns"] if command["state"] == "ok" else None
                durations.setdefault(command["kernel"]["name"].split("(")[0], []).append(ns)
    return durations


def compare_launches(nsys_path, tacho_path):
    theirs, ours = read_nsys(nsys_path), read_calls(tacho_path)
    bad = 0
    for kernel in sorted(set(theirs) | set(ours)):
        mine, other = ours.get(kernel, []), theirs.get(kernel, [])
        good = len(mine) == len(other) and None not in mine
        words = "%d launches, nsys %d" % (len(mine), len(other))
        if good:
            a, b = statistics.median(mine), statistics.median(other)
            good = abs(a - b) <= max(DURATION * b, SHORT_NS)
            words += "; median %g ns, nsys %g" % (a, b)
        print("%-4s %s: %s" % ("ok" if good else "FAIL", kernel, words))
        bad += not good
    return 1 if bad or not theirs else 0


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("counts", "launches"):
        sys.exit(__doc__)
    sys.exit((compare_counts if sys.argv[1] == "counts" else compare_launches)(*sys.argv[2:]))
