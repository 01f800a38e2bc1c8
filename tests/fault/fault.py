#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs each row of table.py with every allocation and system call failing in turn.

    fault.py BUILD SOURCES [--long] [--rows PATTERN] [--classes LIST] [--at N] [--jobs N]

Before that a row runs twice undisturbed: the same output, the numbers of allocations and calls.
Then a fault has one of two ends: the same status, output and files, byte by byte; or a status that
is not 0 and a message that names the cause, and nothing left behind but what was there before and
whole files. A crash, a hang and anything else is a failure.

--long    all of the first 2,000 of each kind and one of each call site behind them, else a sample;
          TACHO_LONG=1 is the same
--rows    rows whose name contains this
--classes kinds of faults, commas between
--at      this one only
"""
import argparse
import collections
import concurrent.futures
import errno
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zlib

import table

EVERY = 2000        # all of the first so many, with --long
SAMPLE = 5          # allocations of a row otherwise
SAMPLE_CALLS = 1    # calls of a class, for each way to fail
SHOWN = 60          # failures

# How calls of a class fail; what moves bytes can also move fewer, and be interrupted.
WAYS = {
    "look": (errno.EACCES, errno.EIO),
    "open": (errno.EACCES, errno.EMFILE, errno.ENOMEM),
    "read": (errno.EIO, "short", "interrupted"),
    "write": (errno.ENOSPC, errno.EIO, "short", "interrupted"),
    "mmap": (errno.ENOMEM,),
    "size": (errno.ENOSPC, errno.EIO),
    "rename": (errno.EACCES, errno.EIO),
    "sync": (errno.EIO,),
    "folder": (errno.EACCES, errno.ENOSPC),
    "close": (errno.EIO,),
    "fork": (errno.EAGAIN, errno.EMFILE),
}
NOT_WHOLE = re.compile(r'not.whole|"whole": false|tacho\.fault', re.IGNORECASE)
HARMLESS = ("short", "interrupted")
CANNOT = 99

Outcome = collections.namedtuple("Outcome", "status out err files")


class Fault(collections.namedtuple("Fault", "kind way at on")):
    def __str__(self):
        way = errno.errorcode.get(self.way, self.way)
        return f"{self.kind} {way} at {self.at}{' and on' if self.on else ''}"


# Other people's words for it, dlopen()'s and SQLite's.
NO_MEMORY = ("memory", "map segment", "shared object")
NOT_OPEN = "readonly database"


def names_cause(fault, text):
    """Whether what a command said tells the fault."""
    if fault.way == errno.ENOMEM and any(word in text for word in NO_MEMORY):
        return True
    if fault.kind == "open" and NOT_OPEN in text:
        return True
    return os.strerror(fault.way) in text or f"errno {fault.way}" in text


class Runner:
    def __init__(self, build, sources, made):
        self.places = {"data": f"{sources}/tests/data", "corpus": f"{sources}/fuzz/corpus",
                       "made": made, "programs": f"{build}/tests/fault"}
        self.build = build
        self.memory = f"{build}/tests/fault/fault-memory.so"
        self.calls = f"{build}/tests/fault/fault-calls"
        self.empty = os.path.join(made, "empty")
        os.makedirs(self.empty, exist_ok=True)
        self.local = threading.local()
        self.environment = {
            "MALLOC_PERTURB_": "165", # what is freed, or not set, reads as nonsense
            "PATH": os.environ["PATH"], "HOME": self.empty, "TZ": "UTC",
            "OCL_ICD_VENDORS": self.empty, "OCL_ICD_FILENAMES": "", "TMPDIR": made,
            "LD_LIBRARY_PATH": self.spoil_loader(made)}

    @staticmethod
    def spoil_loader(made):
        """Vulkan's loader and drivers get memory and read files as they like: here it is no library."""
        folder = os.path.join(made, "no-vulkan")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "libvulkan.so.1"), "w") as file:
            file.write("not a library\n")
        return folder

    def can_trace(self):
        if not os.path.exists(self.calls):
            return False
        words = [self.calls, "read", "5", "0", "0", "", "true"]
        return subprocess.run(words, capture_output=True, check=False).returncode == 0

    def expand(self, text):
        for key, value in self.places.items():
            text = text.replace("{%s}" % key, value)
        return text

    def command(self, row):
        program = f"{self.build}/cli/tacho" if row.program == "tacho" \
            else f"{self.build}/tests/fault/{row.program}"
        return [program] + self.expand(row.words).split()

    def folder(self, row):
        """An empty folder of this thread with the row's files."""
        if not hasattr(self.local, "folder"):
            self.local.folder = tempfile.mkdtemp(dir=self.places["made"])
        folder = self.local.folder
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if os.path.isdir(path):
                shutil.rmtree(path)
            else:
                os.unlink(path)
        for name, text in row.files.items():
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        return folder

    def run(self, row, words, more, seconds):
        folder = self.folder(row)
        with open(self.expand(row.stdin) if row.stdin else os.devnull, "rb") as stdin:
            process = subprocess.Popen(
                words, cwd=folder, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env={**self.environment, "LC_ALL": row.locale, **more}, start_new_session=True)
            try:
                out, err = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.communicate()
                return Outcome("hang", b"", "", {})
        status = process.returncode
        return Outcome(128 - status if status < 0 else status, out, err.decode("utf-8", "replace"),
                       read_tree(folder))

    def preload(self, row):
        return f"{self.memory}:{row.preload}" if row.preload else self.memory

    def run_plain(self, row, seconds=60, **more):
        return self.run(row, self.command(row), {"LD_PRELOAD": self.preload(row), **more}, seconds)

    def run_fault(self, row, fault, seconds, show=""):
        if fault.kind == "memory":
            return self.run_plain(row, seconds, FAULT_AT=str(fault.at), FAULT_ON=str(fault.on),
                                  FAULT_SHOW=show)
        return self.run(row, [self.calls, fault.kind, str(fault.way), str(fault.at), str(fault.on),
                              show, *self.command(row)], {"FAULT_PRELOAD": self.preload(row)}, seconds)


def read_tree(folder):
    files = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                files[os.path.relpath(path, folder)] = file.read()
    return files


def judge(row, fault, before, plain, got):
    """What is wrong with the end of a command under a fault; None when nothing is."""
    if got.status == "hang":
        return "it does not end"
    if got.status == CANNOT:
        return "the fault could not be made: " + got.err
    if got.status >= 128 and got.status != plain.status:
        return f"it crashes with signal {got.status - 128}"
    left = [name for name, text in got.files.items()
            if text != plain.files.get(name) and text != before.get(name)]
    if left and fault.kind != "folder":
        return "it leaves behind " + ", ".join(sorted(left))
    if got.status == plain.status and got.out == plain.out and got.files == plain.files:
        return None
    if fault.kind == "folder" and got.status == plain.status != 0 and got.err == plain.err:
        return None # it has failed anyway, and cannot take away what it made
    if fault.way in HARMLESS:
        return f"status {got.status} instead of {plain.status}, or another output: " + got.err
    said = got.err
    if row.says == "out":
        if fault.kind != "memory":
            return None
        said += got.out.decode("utf-8", "replace")
    elif got.status == 0:
        # What a look could not find out may be shown as not known, with the cause.
        shown = got.out.decode("utf-8", "replace")
        if fault.kind == "look" and names_cause(fault, shown):
            return None
        # A report of what can be read of a recording says so, and why not all can be.
        if row.says == "shown" and names_cause(fault, shown) and NOT_WHOLE.search(shown):
            return None
        return "another output with status 0"
    elif row.says == "json":
        said += got.out.decode("utf-8", "replace")
    if not said.strip():
        return f"status {got.status} without a message"
    if not names_cause(fault, said):
        return f"status {got.status} without the cause: " + said
    if got.status != plain.status and got.status not in (1, 4):
        return f"status {got.status} is not that of a failure: " + said
    return None


def spread(numbers, count, seed):
    """At most `count` of the numbers, evenly, and elsewhere for another seed."""
    if len(numbers) <= count:
        return list(numbers)
    first = zlib.crc32(seed.encode()) % len(numbers)
    return sorted({numbers[(first + i * len(numbers) // count) % len(numbers)]
                   for i in range(count)})


class Sweep:
    def __init__(self, runner, options):
        self.runner, self.options = runner, options
        self.points = collections.Counter()
        self.failures = []
        self.asked = options.classes.split(",") if options.classes else None
        if not runner.can_trace():
            print("system calls cannot be made to fail here: allocations only")
            self.asked = ["memory"]

    def is_asked(self, row, kind):
        return kind in row.classes.split() and (not self.asked or kind in self.asked)

    def choose(self, total, firsts, sample, seed):
        if self.options.at:
            return [self.options.at]
        if not self.options.long:
            return spread(firsts, sample, seed)
        return sorted(set(range(1, min(total, EVERY) + 1)) | set(firsts))

    def memory_faults(self, row, log):
        with open(log) as file:
            total = int(file.readline())
            firsts = sorted(int(line.split()[0]) for line in file)
        for number, at in enumerate(self.choose(total, firsts, SAMPLE, row.name)):
            for on in (0, 1) if self.options.long or self.options.at else (number % 2,):
                yield Fault("memory", errno.ENOMEM, at, on)

    def count_calls(self, row, log):
        """kind -> how many there are, and (kind, "moves") -> how many of them move bytes."""
        self.runner.run_fault(row, Fault("all", 0, 0, 0), 60, log)
        totals = collections.Counter()
        with open(log) as file:
            for kind, *moves in map(str.split, file):
                totals[kind] += 1
                totals[kind, *moves] += bool(moves)
        return totals

    def choose_ways(self, row, kind):
        """In a sample one error, and one that does no harm: another one in another row."""
        if self.options.long or self.options.at:
            return WAYS[kind]
        ways = [[way for way in WAYS[kind] if (way in HARMLESS) == harmless]
                for harmless in (False, True)]
        return [way for some in ways for way in spread(some, 1, f"{row.name} {kind}")]

    def call_faults(self, row, kind, totals):
        for way in self.choose_ways(row, kind):
            numbers = range(1, totals[(kind, "moves") if way in HARMLESS else kind] + 1)
            if self.options.long:
                numbers = spread(numbers, EVERY, row.name)
            for at in self.choose(len(numbers), numbers, SAMPLE_CALLS, f"{row.name} {way}"):
                for on in (0, 1) if self.options.long or self.options.at else (at % 2,):
                    yield Fault(kind, way, at, on)

    def plan(self, row):
        """(plain, faults) of a row."""
        log = os.path.join(self.runner.places["made"], f"log-{threading.get_ident()}")
        sparse = {} if self.options.long else {"FAULT_SPARSE": "1"}
        plain = self.runner.run_plain(row, FAULT_LOG=log, **sparse)
        again = self.runner.run_plain(row)
        if plain != again:
            self.failures.append((row, None, "two undisturbed runs differ", plain))
            return plain, []
        faults = []
        if self.is_asked(row, "memory"):
            faults += self.memory_faults(row, log)
        kinds = [kind for kind in WAYS if self.is_asked(row, kind)]
        totals = self.count_calls(row, log) if kinds else {}
        for kind in kinds:
            faults += self.call_faults(row, kind, totals)
        return plain, faults

    def try_fault(self, row, plain, fault):
        before = {name: text.encode() for name, text in row.files.items()}
        got = self.runner.run_fault(row, fault, 30)
        wrong = judge(row, fault, before, plain, got)
        self.points[fault.kind] += 1
        if wrong:
            self.failures.append((row, fault, wrong, got))

    def full_disk(self, row, plain):
        if not plain.out:
            return
        words = ["sh", "-c", 'exec "$@" >/dev/full', "sh", *self.runner.command(row)]
        got = self.runner.run(row, words, {}, 30)
        self.points["full"] += 1
        if got.status == 0 or os.strerror(errno.ENOSPC) not in got.err:
            self.failures.append((row, None, "a full disk under its output is not told", got))

    def run(self, rows):
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for row, (plain, faults) in zip(rows, pool.map(self.plan, rows)):
                list(pool.map(lambda fault: self.try_fault(row, plain, fault), faults))
                self.full_disk(row, plain)
                if self.options.verbose:
                    print(f"{len(faults):6} {row.name}", flush=True)


def describe_site(runner, row, fault):
    """Where the call that failed was made, innermost first; of a system call, what it was."""
    show = os.path.join(runner.places["made"], "show")
    if os.path.exists(show):
        os.unlink(show)
    runner.run_fault(row, fault, 30, show)
    if not os.path.exists(show):
        return ["(not reached)"]
    with open(show) as file:
        text = file.read()
    if fault.kind != "memory":
        return [line for line in text.splitlines() if line.split()[0] == str(fault.at)]
    lines = []
    for address in text.split()[2:]:
        module, _, offset = address.rpartition("+")
        if not module or "fault-memory" in module:
            continue
        line = subprocess.run(["addr2line", "-fpse", module, hex(int(offset, 16) - 1)],
                              capture_output=True, text=True, check=False).stdout.strip()
        lines.append(line if "??" not in line else os.path.basename(module))
    return lines


def print_failures(sweep):
    shown = collections.OrderedDict()
    for row, fault, wrong, got in sweep.failures:
        site = describe_site(sweep.runner, row, fault) if fault and len(shown) < SHOWN else []
        key = (row.name, wrong.split(":")[0], tuple(site[:4])) if fault else (row.name, wrong)
        shown.setdefault(key, []).append((row, fault, wrong, site))
    for cases in list(shown.values())[:SHOWN]:
        row, fault, wrong, site = cases[0]
        more = f" (and {len(cases) - 1} more like it)" if len(cases) > 1 else ""
        lines = wrong.strip().splitlines()
        print(f"FAIL: {row.name}: {fault or ''}: {lines[0]}{more}")
        for line in lines[1:4]:
            print(f"    | {line}")
        for line in site[:8]:
            print(f"      {line}")
    if len(shown) > SHOWN:
        print(f"... and {len(shown) - SHOWN} more kinds of failures")


def make_utf8(source, path):
    """The session file with another kernel's name."""
    with open(source) as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("step", "Schritt-f\u00fcr-Schritt"))


def make_cut(source, path):
    """The session file without its end."""
    with open(source, "rb") as file:
        text = file.read()
    with open(path, "wb") as file:
        file.write(text[:len(text) * 2 // 3])


def make_amd(sources, folder):
    """Files of other tools, with the databases that no text in a table could be."""
    os.makedirs(folder)
    for words in ("make", "databases"):
        subprocess.run([sys.executable, f"{sources}/tests/cli/foreign_amd.py", words], cwd=folder,
                       check=True)


def wait_for_keeper(recording):
    """Until it has taken its pool away: what stands there would change what readers do."""
    with open(f"{recording}/meta.json") as file:
        pool = json.load(file)["pool"]
    while os.path.exists(pool):
        time.sleep(0.01)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("sources")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--rows", default="")
    parser.add_argument("--classes", default="")
    parser.add_argument("--at", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.long = options.long or os.environ.get("TACHO_LONG") == "1"
    made = tempfile.mkdtemp(prefix="tacho-fault-")
    try:
        build = os.path.abspath(options.build)
        maker = f"{build}/tests/fault/fault-recording"
        subprocess.run([maker, f"{made}/sample.tacho",
                        f"{options.sources}/tests/data/occupancy/gfx900-v3.o"], check=True)
        wait_for_keeper(f"{made}/sample.tacho")
        make_utf8(f"{options.sources}/tests/data/codexl/import/nbody.atp", f"{made}/utf8.atp")
        make_cut(f"{options.sources}/tests/data/codexl/import/nbody.atp", f"{made}/cut.atp")
        make_amd(os.path.abspath(options.sources), f"{made}/amd")
        rows = [row for row in table.TABLE if options.rows in row.name]
        sweep = Sweep(Runner(build, os.path.abspath(options.sources), made), options)
        sweep.run(rows)
        print_failures(sweep)
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(sweep.points.items()))
        print(f"{sum(sweep.points.values())} injection points in {len(rows)} rows ({counts}), "
              f"{len(sweep.failures)} failures")
        return 1 if sweep.failures else 0
    finally:
        shutil.rmtree(made, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
