# SPDX-License-Identifier: MIT
"""Metrics of real GPUs' counters: eval_samples.py TACHO ROOT

The counters are those that rocprof-compute measured of a vector copy on MI100, MI200 and MI300X.
Some metrics are worked out here from the same columns; of all others the percentages must lie
between 0 and 100, or be flagged.
"""
import csv
import json
import math
import os
import subprocess
import sys

# GPU in the file's name, architecture, model, compute units
GPUS = [("MI100", "gfx908", "mi100", 120), ("MI200", "gfx90a", "mi210", 104),
        ("MI300X", "gfx942", "mi300x", 304)]
# What AMD does not define there.
UNDEFINED = {"gfx942": ("L2CacheHit", "VALUInsts")}


def total(row, name):
    return float(row[name]) if name in row else sum(
        float(value) for column, value in row.items() if column.startswith(name + "["))


def by_hand(row, units):
    """Metrics from the columns, with the formulas of AMD's documentation."""
    active = total(row, "GRBM_GUI_ACTIVE")
    hits, misses = total(row, "TCC_HIT"), total(row, "TCC_MISS")
    return {
        "GPU_UTIL": 100 * active / total(row, "GRBM_COUNT"),
        "VALUBusy": 100 * total(row, "SQ_ACTIVE_INST_VALU") / units / active,
        "VALUInsts": total(row, "SQ_INSTS_VALU") / total(row, "SQ_WAVES"),
        "VALUUtilization": 100 * total(row, "SQ_THREAD_CYCLES_VALU") /
        (total(row, "SQ_ACTIVE_INST_VALU") * 64),
        "L2CacheHit": 100 * hits / (hits + misses),
    }


def check(tacho, path, arch, model, units):
    with open(path, encoding="utf-8", newline="") as stream:
        row = next(csv.DictReader(stream))
    done = subprocess.run([tacho, "eval", "--arch", arch, "--model", model, "-m", "all",
                           "--values", path, "--json"], capture_output=True, text=True, timeout=60)
    if done.returncode:
        return ["%s: status %d: %s" % (arch, done.returncode, done.stderr)]
    answer = json.loads(done.stdout)
    values = {column["name"]: dict(column, values=[]) for column in answer["columns"]}
    for value in answer["rows"][0]["values"]:
        values[value["name"]]["values"].append(value)
    failures, percentages = [], 0
    for name, wanted in by_hand(row, units).items():
        got = values[name]["values"][0]["value"] if name in values else None
        if name in UNDEFINED.get(arch, ()):
            if name in values:
                failures.append("%s %s: it is defined now" % (arch, name))
            continue
        if got is None or not math.isclose(got, wanted, rel_tol=1e-12):
            failures.append("%s %s: %r, not %r" % (arch, name, got, wanted))
    for name, column in values.items():
        for value in column["values"]:
            if column.get("unit") != "percent" or value["value"] is None:
                continue
            percentages += 1
            if not 0 <= value["value"] <= 100 and not value.get("out_of_range"):
                failures.append("%s %s: %r percent" % (arch, name, value["value"]))
    print("%s: %d columns, %d percentages" % (arch, len(values), percentages))
    if percentages < 5:
        failures.append("%s: only %d percentages" % (arch, percentages))
    return failures


def main():
    tacho, root = sys.argv[1:3]
    folder = os.path.join(root, "../shared/data/rocm")
    if not os.path.isdir(folder):
        print("../shared/data/rocm is absent: no sample of a real GPU was read")
        return 77
    failures = []
    for gpu, arch, model, units in GPUS:
        failures += check(tacho, os.path.join(
            folder, "sample_rocprof-compute_%s_dispatch_0_pmc_perf.csv" % gpu), arch, model, units)
    for failure in failures:
        print("FAIL: " + failure)
    return 1 if failures else 0


sys.exit(main())
