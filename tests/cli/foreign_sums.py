# SPDX-License-Identifier: MIT
"""What files of sums (tests/data/sums) say, worked out by hand.

    foreign_sums.py check NAME          reads the JSON of a report of it from stdin
    foreign_sums.py csv NAME            the same of --csv
    foreign_sums.py tool DB             prints the sums that "nsys stats" makes of a database
    foreign_sums.py equal               reads the JSON of a comparison in which nothing may differ
    foreign_sums.py totals FILE         a report's lines add up to what unitrace's FILE says they do
"""
import csv
import json
import re
import sqlite3
import sys

NUMBERS = ("count", "total", "mean", "median", "min", "max", "deviation", "share")
NO = None

# By, unit, part of the file: name, then what NUMBERS has, the longest first.
SUMS = {
    "nsys": [
        ("kernel", "nanoseconds", NO, [("gemm", 2, 9000, 4500, 4500, 4000, 5000, 707.1, 75),
                                       ("vadd(float *, int)", 3, 3000, 1000, 900, 800, 1300, 264.6, 25)]),
        ("transfer", "nanoseconds", NO, [("[CUDA memcpy Host-to-Device]", 2, 4000, 2000, 2000, 1000, 3000, 1414.2, 100)]),
        # What is rounded to 0.000 MB is not known.
        ("transfer", "bytes", NO, [("[CUDA memcpy Host-to-Device]", 2, 4194000, 2097000, 2097000, NO, 4194000, 2966000, NO)]),
        ("api", "nanoseconds", NO, [("cudaLaunchKernel", 5, 50000, 10000, 2000, 1000, 40000, 16000, 100)])],
    "nsys_2021.txt": [
        ("kernel", "nanoseconds", "CUDA GPU Kernel Summary", [("k(int, int)", 2, 2000, 1000.5, NO, 900, 1100, NO, 66.7)]),
        ("kernel", "nanoseconds", "CUDA Kernel Summary by shape",
         [("k(int, int) {896 1 1} {256 1 1}", 2, 2000, 1000, 1000, 900, 1100, 141.4, 100)]),
        # Of old versions the heading has the unit: 12.5 KiB.
        ("transfer", "bytes", "CUDA Memory Operation Statistics", [("[CUDA memcpy DtoH]", 2, 12800, 6400, NO, NO, 12800, NO, NO)]),
        ("range", "nanoseconds", "NVTX Range Summary", [("step", 1, 7500, 7500, 7500, 7500, 7500, 0, 100)])],
    "nvprof.csv": [
        ("kernel", "nanoseconds", "process 12", [("vadd(float*, int)", 3, 1500000, 500000, NO, 400000, 700000, NO, 75)]),
        ("transfer", "nanoseconds", "process 12", [("[CUDA memcpy HtoD]", 1, 500000, 500000, NO, 500000, 500000, NO, 25)]),
        ("transfer", "nanoseconds", "Tesla (0)", [("Host To Device", 2, 15500, NO, NO, NO, NO, NO, NO)]),
        # nvprof's KB has 1024 bytes.
        ("transfer", "bytes", "Tesla (0)", [("Host To Device", 2, 65536, 32768, NO, 4096, 61440, NO, NO)]),
        ("command", "nanoseconds", "Tesla (0)", [("Gpu page fault groups", 4, 30500, NO, NO, NO, NO, NO, NO)]),
        ("api", "nanoseconds", "process 12", [("cudaLaunchKernel", 4, 20000, 5000, NO, 1000, 9000, NO, 100)]),
        ("range", "nanoseconds", "OpenACC (excl)", [("acc_enqueue_launch@a.c:7", 1, 2000000, 2000000, NO, 2000000, 2000000, NO, 100)])],
    "nvprof_old.csv": [
        ("kernel", "nanoseconds", "process 7", [("k()", 2, 1234567000, 617283500, NO, 600000000, 634567000, NO, 100)]),
        ("api", "nanoseconds", "process 7", [("cuCtxCreate", 3, 9000, 3000, NO, 1000, 6000, NO, 100)])],
    "unitrace.txt": [
        ("kernel", "nanoseconds", "L0 backend", [("add(float*, int)", 2, 600, 300, NO, 200, 400, NO, 60)]),
        ("transfer", "nanoseconds", "L0 backend", [("zeCommandListAppendMemoryCopy(M2D)", 1, 300, 300, NO, 300, 300, NO, 30)]),
        ("command", "nanoseconds", "L0 backend", [("zeCommandListAppendBarrier", 4, 100, 25, NO, 10, 40, NO, 10)]),
        ("api", "nanoseconds", "L0 backend", [("zeDriverGet", 1, 5090, 5090, NO, 5090, 5090, NO, 100)])],
    # A name with a comma, without quotes; a column that is none of a time.
    "onetrace.txt": [("kernel", "nanoseconds", "CL GPU backend", [("add(float*, int)", 2, 600, 300, NO, 200, 400, NO, 100)])],
    "clintercept_report.txt": [
        ("kernel", "nanoseconds", "Test(R) Graphics [0x5916] (24CUs, 1100MHz)",
         [("sin SIMD16 GWS[ 64 x 2 ] LWS[ 8 ]", 4, 4000, 1000, NO, 900, 1200, NO, 80)]),
        ("transfer", "nanoseconds", "Test(R) Graphics [0x5916] (24CUs, 1100MHz)",
         [("clEnqueueWriteBuffer", 2, 1000, 500, NO, 400, 600, NO, 20)]),
        ("api", "nanoseconds", NO, [("clBuildProgram", 1, 900, 900, NO, 900, 900, NO, 90), ("clFinish", 2, 100, 50, NO, 40, 60, NO, 10)])],
    "rocprofv3": [
        ("kernel", "nanoseconds", NO, [("add(float*, int)", 4, 26, 6.5, NO, 3, 12, 1.2, 85.15)]),
        ("transfer", "nanoseconds", NO, [("MEMORY_COPY_HOST_TO_DEVICE", 2, 90, 45, NO, 40, 50, 7.0710678, 100)]),
        ("api", "nanoseconds", NO, [("hipMalloc", 2, 300, 150, NO, 100, 200, 70.710678, 100)])],
    # rocpd: by process, and titles in other letters. A view of it has whole microseconds.
    "rocpd": [
        ("kernel", "nanoseconds", "process 101, node7", [("add(float*, int)", 4, 26, 6.5, NO, 3, 12, 1.2, 65), ("k(int)", 1, 14, 14, NO, 14, 14, NO, 35)]),
        ("kernel", "nanoseconds", "process 102, node7", [("add(float*, int)", 2, 9, 4.5, NO, 4, 5, 0.7071067811865476, 100)]),
        ("transfer", "nanoseconds", NO, [("MEMORY_COPY_HOST_TO_DEVICE", 2, 90, 45, NO, 40, 50, 7.0710678118654755, 100)]),
        ("api", "nanoseconds", NO, [("hipMalloc", 2, 300, 150, NO, 100, 200, 70.71067811865476, 100)])],
    "top_kernels.csv": [("kernel", "nanoseconds", NO, [("add(float*, int)", 4, 2600000, 650000, NO, NO, NO, NO, 76.47058823529412),
                                                       ("k(int)", 1, 800000, 800000, NO, NO, NO, NO, 23.52941176470588)])],
    # A name with a bar; lines of the last table that others have are not told again.
    "rocprofv3_summary.txt": [
        ("kernel", "nanoseconds", "KERNEL_DISPATCH + MEMORY_COPY SUMMARY", [("add(float*, int) | f", 4, 26, 6.5, NO, 3, 12, 1.2, 22.413793)]),
        ("transfer", "nanoseconds", "KERNEL_DISPATCH + MEMORY_COPY SUMMARY", [("MEMORY_COPY_HOST_TO_DEVICE", 2, 90, 45, NO, 40, 50, 7.071, 77.586207)]),
        ("api", "nanoseconds", "HIP_API SUMMARY", [("hipMalloc", 2, 300, 150, NO, 100, 200, 70.71, 75), ("hipFree", 1, 100, 100, NO, 100, 100, 0, 25)]),
        ("api", "nanoseconds", "SUMMARY", [("MEMORY_ALLOCATION_ALLOCATE", 1, 3, 3, NO, 3, 3, 0, 0.6)])],
    "memory_copies_summary.md": [("transfer", "nanoseconds", NO, [("MEMORY_COPY_HOST_TO_DEVICE", 2, 90, 45, NO, 40, 50, 7.07107, 100)])],
    # An annotation has a line of the host and one of the device; an operator's device time is a line of its own.
    "pytorch.txt": [
        ("kernel", "nanoseconds", NO, [("void at::native::vectorized_elementwise_kernel<4, at...", 3, 40000, 13333, NO, NO, NO, NO, 80)]),
        ("transfer", "nanoseconds", NO, [("Memcpy HtoD (Pageable -> Device)", 1, 10000, 10000, NO, NO, NO, NO, 20)]),
        ("api", "nanoseconds", NO, [("cudaLaunchKernel", 3, 400000, 133333, NO, NO, NO, NO, 40)]),
        ("range", "nanoseconds", "CUDA, annotated", [("step (CUDA, annotated)", 1, 55989, 55989, NO, NO, NO, NO, 111.98)]),
        ("range", "nanoseconds", "CPU", [("step", 1, 1000000, 1000000, NO, NO, NO, NO, 100), ("aten::mm", 3, 600000, 200000, NO, NO, NO, NO, 60)]),
        ("range", "nanoseconds", "CUDA", [("step (CUDA)", 1, 50000, 50000, NO, NO, NO, NO, NO),
                                          ("aten::mm (CUDA)", 3, 40000, 13333, NO, NO, NO, NO, NO)])],
    # Titles are longer than the dashes, and a name has letters of two bytes.
    "pytorch_2019.txt": [
        ("range", "nanoseconds", "CPU", [("conv2d", 1, 60000, 60000, NO, NO, NO, NO, 60), ("rel\u00fc_", 2, 40000, 20000, NO, NO, NO, NO, 40)]),
        ("range", "nanoseconds", "CUDA", [("conv2d (CUDA)", 1, 1250000, 1250000, NO, NO, NO, NO, NO),
                                          ("rel\u00fc_ (CUDA)", 2, 1250000, 625000, NO, NO, NO, NO, NO)])],
    "results.stats.csv": [("kernel", "nanoseconds", NO, [("copy_kernel(float*, float*)", 1, 165920, 165920, NO, NO, NO, NO, 100)])],
}


def equal(got, wanted, what):
    assert got == wanted, "%s:\n%r, not\n%r" % (what, got, wanted)


def close(got, wanted):
    """Numbers of other units are multiplied in floating point."""
    if got is None or wanted is None:
        return got is wanted
    return abs(got - wanted) <= 1e-12 * abs(wanted)


def same_lines(got, wanted, what):
    equal([line[0] for line in got], [line[0] for line in wanted], what + ": names")
    for one, other in zip(got, wanted):
        assert all(close(a, b) for a, b in zip(one[1:], other[1:])), "%s: %r, not %r" % (what, one, other)


def column(name, unit):
    short = "bytes" if unit == "bytes" else "ns"
    return name if name == "count" else name + "_percent" if name == "share" else "%s_%s" % (name, short)


def check(name):
    report = json.load(sys.stdin)
    equal(report["schema"], "tacho.report/1", "schema")
    tables = report["sums"]
    equal([(t["by"], t["unit"], t["part"]) for t in tables], [s[:3] for s in SUMS[name]], "tables")
    for table, (by, unit, part, lines) in zip(tables, SUMS[name]):
        got = [(line["name"], *[line[column(n, unit)] for n in NUMBERS]) for line in table["lines"]]
        same_lines(got, lines, "%s by %s" % (name, by))
        for line in table["lines"]:
            absent = sorted(column(n, unit) for n in NUMBERS if line[column(n, unit)] is None)
            equal(sorted(line["absent"]), absent, "each that is absent has a reason")
            assert all(line["absent"].values()), line
    assert ": no timeline" in report["run"]["why_empty"], report["run"]["why_empty"]


def check_csv(name):
    rows = list(csv.reader(sys.stdin))
    equal(rows[0], ["by", "file", "part", "name", "unit", *NUMBERS], "titles")
    wanted = [(by, part or "", unit, line) for by, unit, part, lines in SUMS[name] for line in lines]
    equal([(r[0], r[2], r[4], r[3]) for r in rows[1:]], [(w[0], w[1], w[2], w[3][0]) for w in wanted], "rows")
    for row, want in zip(rows[1:], wanted):
        same_lines([[row[3]] + [float(cell) if cell else None for cell in row[5:]]], [want[3]], name)


def tool(path):
    """As the tool's scripts work them out; its standard deviation is left out."""
    db = sqlite3.connect(path)
    out = csv.writer(sys.stdout, lineterminator="\n")
    rows = db.execute("SELECT value, SUM(end - start), COUNT(*), AVG(end - start), MIN(end - start), MAX(end - start) "
                      "FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id = demangledName GROUP BY value").fetchall()
    whole = sum(r[1] for r in rows)
    out.writerow("Time (%),Total Time (ns),Instances,Avg (ns),Min (ns),Max (ns),Name".split(","))
    for name, total, count, mean, least, most in sorted(rows, key=lambda r: -r[1]):
        out.writerow(["%.1f" % (100 * total / whole), total, count, "%.1f" % mean, least, most, name])


def no_change():
    diff = json.load(sys.stdin)
    equal(diff["time_is"], "mean", "what the time of a launch is")
    equal(diff["tested"], "nothing", "what is tested")
    assert len(diff["lines"]) > 10, len(diff["lines"])
    for line in diff["lines"]:
        assert line["in_a"] and line["in_b"], line["name"]
        for measure in line["measures"]:
            if measure["name"] in ("time", "total", "count"):
                equal((measure["difference"], measure["verdict"] in ("same", "few"), measure["p"]), (0, True, None), line["name"])


def totals(path):
    stated = sum(int(n) for n in re.findall(r"Total (?:Device|API) Time for .* \(ns\): *(\d+)", open(path).read()))
    got = sum(line["total_ns"] for table in json.load(sys.stdin)["sums"] for line in table["lines"])
    equal(got, stated, path)


def main():
    {"check": check, "csv": check_csv, "tool": tool, "equal": no_change, "totals": totals}[sys.argv[1]](*sys.argv[2:])


main()
