# SPDX-License-Identifier: MIT
"""Compares the files of one recording with each other and with what must always hold.

usage: verify.py NAME                  all of it; says what it compared
       verify.py NAME --times FILE     durations of kernels and reads that the program itself read
       verify.py NAME --programs       prints the names of the programs that made calls
       verify.py NAME --states         prints the states of all commands' times

Reads NAME.atp as its old reader does (words between blanks), NAME.jsonl, and what
`tacho report --json` says.
"""
import collections
import json
import os
import re
import subprocess
import sys

KERNEL_CALLS = ("clEnqueueNDRangeKernel", "clEnqueueTask")
ALL = "1000000"


def fail(text):
    sys.exit(f"FAIL: {text}")


def expect(condition, text):
    if not condition:
        fail(text)


def report(name, key):
    """The report by one key, with all its lines."""
    command = [os.environ["TACHO"], "report", name, "--by", key, "--top", ALL, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def read_jsonl(name):
    """{schema: [objects]}"""
    items = collections.defaultdict(list)
    with open(name + ".jsonl", encoding="utf-8") as file:
        for line in file:
            item = json.loads(line)
            items[item["schema"].rsplit("/", 1)[0]].append(item)
    return items


class Atp:
    """An .atp file: header, and per thread the lines of the two sections."""

    def __init__(self, path):
        self.header = {}
        self.api = {}
        self.times = {}
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().split("\n")
        expect(lines and lines[-1] == "", f"{path} does not end with a line end")
        at = 0
        while at < len(lines) and not lines[at].startswith("="):
            if "=" in lines[at]:
                key, value = lines[at].split("=", 1)
                self.header[key.strip()] = value
            at += 1
        while at < len(lines) - 1:
            match = re.fullmatch(r"=====ocl (API Trace|Timestamp) Output=====", lines[at])
            expect(match, f"{path}:{at + 1}: not a section: {lines[at]!r}")
            at = self.read_section(
                lines, at + 1, self.api if match[1] == "API Trace" else self.times
            )
        expect(self.api.keys() == self.times.keys(), f"{path}: threads differ between sections")
        for thread, calls in self.api.items():
            expect(
                len(calls) == len(self.times[thread]),
                f"{path}: thread {thread} has different numbers of lines in its sections",
            )
        expect(list(self.api) == sorted(self.api), f"{path}: threads are not in lexical order")

    @staticmethod
    def read_section(lines, at, threads):
        """Reads blocks up to the next section; returns where that is."""
        while at < len(lines) - 1 and not lines[at].startswith("="):
            thread, count = lines[at], int(lines[at + 1])
            expect(thread.isdigit() and thread not in threads, f"bad thread block {thread!r}")
            threads[thread] = lines[at + 2 : at + 2 + count]
            expect(len(threads[thread]) == count, f"thread {thread} has fewer lines than said")
            at += 2 + count
        return at

    def rows(self):
        """(API line, words of the timestamp line) of all calls."""
        for thread, calls in self.api.items():
            for call, times in zip(calls, self.times[thread]):
                yield call, times.split()


def check_atp(atp):
    """Sums over the .atp: ({kernel: [launches, ns]}, {function: [calls, ns]}, collapsed names)"""
    kernels = collections.defaultdict(lambda: [0, 0])
    functions = collections.defaultdict(lambda: [0, 0])
    collapsed = set()
    for call, words in atp.rows():
        match = re.match(r"(?:.* = )?(cl\w+) \( ", call)
        expect(match, f"not a call: {call!r}")
        name, start, end = words[1], int(words[2]), int(words[3])
        expect(match[1] == name, f"sections disagree: {call!r} and {name}")
        expect(start <= end, f"{name} starts after it ends")
        repeats = re.search(r" /\*(\d+) consecutive calls\*/$", call)
        if repeats:
            collapsed.add(name)
        functions[name][0] += int(repeats[1]) if repeats else 1
        functions[name][1] += end - start
        if len(words) == 4:
            continue
        queued, submit, begin, complete = map(int, words[6:10])
        expect(
            queued <= submit <= begin <= complete,
            f"{name}: queued {queued}, submitted {submit}, started {begin}, ended {complete}",
        )
        if name in KERNEL_CALLS:
            kernel = kernels[words[16]]
            kernel[0] += 1
            kernel[1] += complete - begin
    return kernels, functions, collapsed


def sums(lines, count):
    """{name: [count, ns]} of a report's lines, over all devices."""
    result = collections.defaultdict(lambda: [0, 0])
    for line in lines:
        result[line["name"]][0] += line[count]
        result[line["name"]][1] += line["total_ns"] or 0
    return {name: value for name, value in result.items() if value[0]}


def check_report(name, atp):
    """The report's sums are those over the .atp."""
    kernels, functions, collapsed = check_atp(atp)
    by_kernel = report(name, "kernel")
    by_api = report(name, "api")
    # what a command buffer ran has no rows of its own in the .atp
    launched = [line for line in by_kernel["lines"] if not line.get("command_buffer")]
    told = sums(launched, "measured")
    expect(told == dict(kernels), f"kernels: report {told}, .atp {dict(kernels)}")
    told = sums(by_api["lines"], "count")
    for function in collapsed:
        expect(told[function][0] == functions[function][0], f"number of {function} differs")
        del told[function], functions[function]
    expect(told == dict(functions), f"calls: report {told}, .atp {dict(functions)}")
    told = ("waits", "not_credible")
    lost = {key: value for key, value in by_kernel["lost"].items() if value and key not in told}
    expect(not lost, f"something was lost: {lost}")
    return by_kernel


def commands(items):
    return [call for call in items["tacho.call"] if call["command"]]


def check_jsonl(items, totals, lost):
    """What must hold for each call and command. Returns the largest uncertainty."""
    calls = items["tacho.call"]
    refused = sum(call["command"]["state"] == "absent" for call in commands(items))
    expect(
        refused == lost["not_credible"],
        f"{refused} commands without times, the report says {lost['not_credible']}",
    )
    expect(len(calls) == totals["calls"], f"{len(calls)} calls, the report says {totals['calls']}")
    for call in calls:
        expect(call["start_ns"] <= call["end_ns"], f"a call starts after it ends: {call}")
    worst = 0
    for call in commands(items):
        command = call["command"]
        if command["state"] != "ok":
            expect(command["start_ns"] is None, f"a time that is not ok has a number: {command}")
            expect(command["reason"], f"a state without a reason: {command}")
            continue
        times = [command[key] for key in ("queued_ns", "submit_ns", "start_ns", "end_ns")]
        expect(times == sorted(times), f"times out of order: {command}")
        early = call["start_ns"] - command["queued_ns"]
        expect(
            early <= command["uncertainty_ns"],
            f"queued {early} ns before its call, uncertainty {command['uncertainty_ns']} ns",
        )
        worst = max(worst, command["uncertainty_ns"])
    return worst


def check_times(items, path):
    """Durations that the program read from its own events, in order of the calls.

    The driver stamps CLOCK_MONOTONIC_RAW, a recording is on CLOCK_MONOTONIC, which the kernel slews
    by at most 500 ppm; rounding both ends adds 1 ns.
    """
    with open(path, encoding="ascii") as file:
        own = [(kind, int(ns)) for kind, ns in map(str.split, file)]
    found = []
    for call in commands(items):
        kind, command = call["command"]["kind"], call["command"]
        if kind in ("kernel", "read"):
            found.append((kind, command["end_ns"] - command["start_ns"]))
    same = len(own) == len(found) > 0 and all(
        a[0] == b[0] and abs(a[1] - b[1]) <= 1 + a[1] * 500e-6 for a, b in zip(own, found)
    )
    expect(same, f"the program read {own}, the recording has {found}")
    print(f"{len(own)} durations are the program's own")


def main():
    name, mode = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    items = read_jsonl(name)
    if mode == "--times":
        check_times(items, sys.argv[3])
        return
    if mode == "--states":
        print(" ".join(sorted({call["command"]["state"] for call in commands(items)})))
        return
    if mode == "--programs":
        used = {call["process"] for call in items["tacho.call"]}
        programs = [p["executable"] for p in items["tacho.process"] if p["process"] in used]
        print(" ".join(sorted(os.path.basename(program) for program in programs)))
        return
    atp = Atp(name + ".atp")
    for key in ("TraceFileVersion", "ProfilerVersion", "Generator", "Application"):
        expect(key in atp.header, f"the .atp's header has no {key}")
    told = check_report(name, atp)
    totals = told["totals"]
    worst = check_jsonl(items, totals, told["lost"])
    print(
        f"{totals['calls']} calls, {totals['launches']} launches agree;"
        f" uncertainty at most {worst} ns"
    )


main()
