# SPDX-License-Identifier: MIT
"""Compares what tacho and Debian's i915-perf-reader make of a recording.

    oa.py TACHO RECORDING LIMIT [OPTION...]

The options go to tacho oa metrics. Prints "COUNTERS VALUES" that are equal, or what differs and
ends with 1. `LIMIT` is how many differences are printed.
"""
import json
import math
import subprocess
import sys


def read_reference(path):
    """Spans with their reports: [{"cpu", "gpu", "values", "reports": [values]}]."""
    reader = subprocess.run(["i915-perf-reader", "-r", "-c", "all", path], stdout=subprocess.PIPE,
                            check=True, universal_newlines=True)
    spans, values = [], None
    for line in reader.stdout.splitlines():
        if line.startswith("Time: CPU="):
            cpu, gpu = line[len("Time: CPU="):].split(" GPU=")
            values = {}
            spans.append({"cpu": [int(x, 16) for x in cpu.split("-")],
                          "gpu": [int(x, 16) for x in gpu.split("-")],
                          "values": values, "reports": []})
        elif line.startswith("hw_id="):
            context = int(line[len("hw_id="):].split()[0], 16)
            spans[-1]["context"] = None if context == 0xffffffff else context
        elif line.startswith(" report"):
            values = {}
            spans[-1]["reports"].append(values)
        elif line.startswith("   ") and values is not None:
            name, text = line.strip().split(": ")
            values[name] = text
    return spans


def read_tacho(tacho, path, by, options):
    command = [tacho, "oa", "metrics", path, "--by", by, "--json"] + options
    run = subprocess.run(command, stdout=subprocess.PIPE, check=True, universal_newlines=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def is_equal(text, value):
    if "." not in text:
        return int(text) == value
    # six places are printed
    return math.isclose(float(text), value, rel_tol=1e-12, abs_tol=0.51e-6)


def is_nonsense(text):
    """What the reader makes of a difference below 0: 2^64 too much, or 0 where that overflows; 1
    where an equation divides by it and adds 1."""
    return float(text) in (0, 1) or float(text) > 1e9


class Comparison:
    def __init__(self):
        self.differences, self.names, self.count = [], set(), 0

    def differ(self, *words):
        self.differences.append(" ".join(str(word) for word in words))

    def compare_values(self, where, expected, got):
        for name in sorted(set(expected) | set(got)):
            mine = got.get(name)
            if mine is None:
                self.differ(where, name, "is missing")
            elif name not in expected:
                # the reader leaves out what the device does not have
                if mine["state"] != "absent":
                    self.differ(where, name, "is not known to the reader:", mine)
            elif "fell below 0" in mine.get("reason", ""):
                self.count += is_nonsense(expected[name])
                if not is_nonsense(expected[name]):
                    self.differ(where, name, "expected", expected[name], "got", mine)
            elif mine["value"] is None or not is_equal(expected[name], mine["value"]):
                self.differ(where, name, "expected", expected[name], "got", mine)
            else:
                self.names.add(name)
                self.count += 1

    def compare_spans(self, expected, got):
        if len(expected) != len(got):
            self.differ("spans: expected", len(expected), "got", len(got))
        for number, (span, mine) in enumerate(zip(expected, got)):
            for key, value in (("cpu_start_ns", span["cpu"][0]), ("cpu_end_ns", span["cpu"][1]),
                               ("gpu_start", span["gpu"][0]), ("gpu_end", span["gpu"][1]),
                               ("context", span["context"])):
                if mine[key] != value:
                    self.differ("span", number, key, "expected", value, "got", mine[key])
            self.compare_values("span %d" % number, span["values"], mine["values"])

    def compare_reports(self, spans, got):
        expected = [report for span in spans for report in span["reports"]]
        if len(expected) != len(got):
            self.differ("reports: expected", len(expected), "got", len(got))
        for number, (report, mine) in enumerate(zip(expected, got)):
            self.compare_values("report %d" % number, report, mine["values"])


def main():
    tacho, path, limit, options = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
    comparison = Comparison()
    spans = read_reference(path)
    comparison.compare_spans(spans, read_tacho(tacho, path, "context", options))
    comparison.compare_reports(spans, read_tacho(tacho, path, "report", options))
    for difference in comparison.differences[:limit]:
        print(difference)
    if comparison.differences:
        print(len(comparison.differences), "differences")
        return 1
    if not comparison.count:
        print("nothing was compared")
        return 1
    print(len(comparison.names), comparison.count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
