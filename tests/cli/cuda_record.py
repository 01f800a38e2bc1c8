# SPDX-License-Identifier: MIT
"""Recording CUDA programs over fakes of NVIDIA's driver and libcupti:
cuda_record.py TACHO ROOT CUPTI PROGRAM RUNTIME_PROGRAM SANITIZER [TEST...]

The fake GPU writes a log of its own: each kernel, copy and set that it has done, with the number of
its launch, its place in a graph, and its times, bracketed by times of CLOCK_MONOTONIC; each launch
that has returned; each record that tacho was given. What is recorded must be this and nothing else,
and the program must print and return what it does without tacho.
"""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import written

TACHO, ROOT, CUPTI, PROGRAM, RUNTIME, SANITIZER = sys.argv[1:7]
# A sanitizer makes all some ten times slower, and looks at what threads and memory do in the program:
# what the command then reports is looked at without, clocks and ids without the thread sanitizer.
IS_PLAIN, IS_THREADS = SANITIZER == "none", "thread" in SANITIZER
KILLS = 20 if IS_PLAIN else 2
FAULTS = ((["late=30", "order", "unknown", "torn", "kernel9", "device", "own_clock"] if IS_PLAIN else []) +
          ([] if IS_THREADS else ["own_clock,slow_clock"]) +
          ["twice", "late=20,order,unknown,torn,kernel9"])
KINDS = {"kernel": {"kernel"}, "copy": {"read", "write", "copy"}, "set": {"fill"}}
GRAPH_KIND = {"kernel": 10, "copy": 1, "set": 2}
# kernels of the programs: registers, static shared bytes, local bytes
KERNELS = {"add": (24, 512, 0), "scale": (18, 0, 16), "busy": (10, 0, 0), "count": (8, 0, 0)}
HAS_NAMES = written.has_library()
failures = []
plain = {}  # what programs do without tacho


def check(what, expected, got):
    if expected != got:
        failures.append(f"{what}: expected {expected!r}, got {got!r}")


def environment(words):
    result = dict(os.environ, FAKE_CUDA=words, FAKE_CUDA_LOG=os.path.abspath("log"),
                  TACHO_CUPTI=CUPTI)
    result.pop("CUDA_INJECTION64_PATH", None)
    # the command leaves what it has to the end of the process; libc frees what a thread that has
    # ended had of a loaded library in another one, which the thread sanitizer takes for a race, as it
    # does a window of the pool that the keeper, a process, took from one thread for the next
    known = os.path.abspath("known")
    result["LSAN_OPTIONS"] = f"suppressions={known}.leaks"
    result["TSAN_OPTIONS"] = f"suppressions={known}.races"
    return result


def run(command, words=""):
    if os.path.exists("log"):
        os.remove("log")
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False,
                          env=environment(words), stdin=subprocess.DEVNULL)


def tacho(*arguments, words="", status=0):
    done = run([TACHO, *arguments], words)
    if status is not None and done.returncode != status:
        failures.append(f"{arguments} with {words!r}: status {done.returncode}: {done.stderr}")
    return done


def read_log():
    """Work by (pid, correlation, node), a list each; (pid, correlation) of launches that have
    returned; of records that the tool was given."""
    work, launched, delivered = {}, set(), set()
    text = ""
    if os.path.exists("log"):
        with open("log", encoding="utf-8") as file:
            text = file.read()
    for line in text.splitlines():
        fields = line.split(" ")
        pid, what, correlation = int(fields[0]), fields[1], int(fields[2])
        if what == "call":
            if fields[4] == "0":
                launched.add((pid, correlation))
        elif what == "delivered":
            delivered.add((pid, correlation))
        else:
            entry = {"what": what, "stream": int(fields[3]), "node": int(fields[4]),
                     "of": fields[5], "times": [int(field) for field in fields[6:12]]}
            work.setdefault((pid, correlation, entry["node"]), []).append(entry)
    return work, launched, delivered


def read_export(name, partial=()):
    done = subprocess.run([TACHO, "export", "-f", name, "--to", "jsonl", "-o", "-", *partial],
                          capture_output=True, text=True, timeout=120, check=False,
                          env=environment(""))
    check(f"export of {name}", 0, done.returncode)
    return [json.loads(line) for line in done.stdout.splitlines()]


def calls_of(lines):
    return [line for line in lines if line["schema"] == "tacho.call/1"]


def commands_of(lines):
    """Commands by (pid, correlation, node)."""
    found = {}
    for call in calls_of(lines):
        if call["command"]:
            arguments = call["arguments"]
            key = (call["pid"], int(arguments["correlation"]), int(arguments.get("node", 0)))
            found.setdefault(key, []).append(call)
    return found


def base_of(name):
    """"scale" of "_Z5scalePffj", and of "scale(float*, float, unsigned int)"."""
    found = re.match(r"_Z(\d+)", name)
    return name[found.end():][:int(found[1])] if found else name.split("(")[0]


def check_times(where, call, entry):
    """The record's times are in brackets of the host's clock, give or take what tacho says."""
    command = call["command"]
    _, _, before, begun, ending, after = entry["times"]
    if command["state"] != "ok":
        failures.append(f"{where}: without times")
        return
    slack = command["uncertainty_ns"]
    if not before - slack <= command["start_ns"] <= begun + slack:
        failures.append(f"{where}: began at {command['start_ns']}, not {before}..{begun} "
                        f"+- {slack}")
    if not ending - slack <= command["end_ns"] <= after + slack:
        failures.append(f"{where}: ended at {command['end_ns']}, not {ending}..{after} "
                        f"+- {slack}")
    if command["end_ns"] - command["start_ns"] != entry["times"][1] - entry["times"][0]:
        failures.append(f"{where}: took {command['end_ns'] - command['start_ns']} ns, the GPU "
                        f"needed {entry['times'][1] - entry['times'][0]}")


def check_work(where, lines, log, untimed=0):
    """All that the GPU did is recorded once, as it was; `untimed` of it without times."""
    work, launched, _ = log
    commands = commands_of(lines)
    check(f"{where}: work", sorted(work), sorted(commands))
    check(f"{where}: work that was doubled", [],
          [key for key in commands if len(commands[key]) != len(work.get(key, ()))])
    lost = 0
    for key in set(work) & set(commands):
        call, entry = commands[key][0], work[key][0]
        command, place = call["command"], f"{where} {key}"
        if command["kind"] not in KINDS[entry["what"]]:
            failures.append(f"{place}: a {command['kind']}, not a {entry['what']}")
            continue
        if entry["what"] == "kernel":
            name = command["kernel"]["name"]
            check(f"{place}: name", base_of(entry["of"]) if HAS_NAMES else entry["of"],
                  name.split("(")[0])
        else:
            check(f"{place}: bytes", int(entry["of"]), command["bytes"])
        if command["state"] == "ok":
            check_times(place, call, entry)
        else:
            lost += 1
    check(f"{where}: without times", untimed, lost)
    check(f"{where}: launches that are not recorded", [],
          sorted(launched - {key[:2] for key in commands} - graphs_of(lines)))


def graphs_of(lines):
    """Launches of graphs, and of what a graph was captured from."""
    return {(call["pid"], int(call["arguments"]["correlation"])) for call in calls_of(lines)
            if "correlation" in call["arguments"]}


def record(program, *mode, words="", options=()):
    """Records it, and compares what it does with what it does without tacho."""
    machine = "".join(re.findall(r"devices=\d+", words))
    key = (program, mode, machine)
    if key not in plain:
        done = run([program, *mode], machine)
        plain[key] = (done.stdout, done.returncode)
    output, status = plain[key]
    done = tacho("record", "-q", "-f", "-o", "x", *options, "--", program, *mode, words=words,
                 status=status)
    check(f"output of {mode} with {words!r}", output, done.stdout)
    return done


def test_modes():
    """Every way to launch, with all that is known of it."""
    for mode in ("add", "graph", "capture", "child", "ways", "threads", "fork", "exec", "contexts",
                 "memory", "spin"):
        record(PROGRAM, mode)
        lines = read_export("x")
        check_work(mode, lines, read_log())
        for line in lines:
            if line["schema"] == "tacho.loss/1":
                check(f"{mode}: lost", 0, sum(line[name] for name in (
                    "no_window", "no_space", "nested", "too_big", "no_thread", "unwritten",
                    "unreported", "untimed")))
        if not IS_PLAIN:
            continue
        done = tacho("report", "x")
        if not re.search(r"^Lost\n  nothing$", done.stdout, re.M):
            failures.append(f"{mode}: something was lost: {done.stdout}")


def test_shapes():
    record(PROGRAM, "ways")
    lines = read_export("x")
    got = []
    for call in calls_of(lines):
        if call["command"] and call["command"]["kind"] == "kernel":
            got.append((call["function"], call["command"]["global"], call["command"]["local"],
                        call["arguments"].get("cluster"), call["arguments"]["shared_bytes"]))
    check("shapes", [("cuLaunchKernel", [32], [32], "NULL", "0"),
                     ("cuLaunchKernel", [1], [1], "NULL", "0"),
                     ("cuLaunchKernel", [2], [2], "NULL", "0"),
                     ("cuLaunchCooperativeKernel", [512, 2], [512, 1], "NULL", "0"),
                     ("cuLaunchKernelEx", [256], [64], "[2,1,1]", "128")], got)
    check("a launch that is refused", [("cuLaunchKernel", "CUDA_ERROR_INVALID_VALUE")],
          [(call["function"], call["result"]) for call in calls_of(lines) if call["failed"]])
    record(PROGRAM, "add")
    lines = read_export("x")
    for line in lines:
        if line["schema"] != "tacho.object/1":
            continue
        if line["kind"] == "kernel":
            base = base_of(line["name"])
            _, shared, local = KERNELS[base]
            check(f"{base}: local memory", (str(shared), str(local)),
                  (line["attributes"]["local_bytes"], line["attributes"]["private_bytes"]))
        if line["kind"] == "device":
            check("device", "Fake GF100 80GB", line["name"])
            check("multiprocessors", "132", line["attributes"]["compute_units"])
    queues = [call["command"]["queue"] for call in calls_of(lines) if call["command"]]
    check("streams", 3, len(set(queues)))


def test_graphs():
    """Each node of each launch, by the number that CUPTI gives it."""
    record(PROGRAM, "graph", "3", options=("--json", "ending.json"))
    with open("ending.json", encoding="utf-8") as file:
        ending = json.load(file)
    totals = json.loads(tacho("report", "x", "--json").stdout)["totals"]
    check("calls and commands, at the end", [totals["calls"], totals["commands"]],
          [ending["calls"], ending["commands"]])
    commands = commands_of(read_export("x"))
    nodes = {}
    for (_, _, node), calls in commands.items():
        if node:
            nodes.setdefault(node, []).extend(call["command"]["kind"] for call in calls)
    check("nodes", [["fill"] * 3, ["kernel"] * 3, ["kernel"] * 3, ["read"] * 3],
          [nodes[node] for node in sorted(nodes)])


def test_device():
    """Kernels that the device launched are called so."""
    for words, name in (("", "graph_kernel"), ("device", "device_launched_kernel")):
        record(PROGRAM, "graph", "1", words=words)
        check(f"kernels with {words!r}", [name] * 2,
              [call["function"] for call in calls_of(read_export("x"))
               if call["command"] and call["command"]["kind"] == "kernel"])


def test_devices():
    record(PROGRAM, "devices", words="devices=3")
    lines = read_export("x")
    check_work("devices", lines, read_log())
    sizes = {}
    for call in calls_of(lines):
        if call["command"] and call["command"]["kind"] == "kernel":
            sizes.setdefault(call["command"]["device"]["id"], []).append(call["command"]["global"])
    check("launches of each device", [[[1], [1]], [[2], [2]], [[3], [3]]], sorted(sizes.values()))


def test_runtime():
    """Calls of the runtime, with those of the driver in them, whatever numbers they have."""
    for words in ("",) if IS_THREADS else ("", "inner_ids", "outer_ids"):
        record(RUNTIME, "3", words=words)
        lines = read_export("x")
        kernels = [call for call in calls_of(lines)
                   if call["command"] and call["command"]["kind"] == "kernel"]
        check(f"runtime's kernels with {words!r}", 9, len(kernels))
        check(f"runtime's work without times with {words!r}", 0,
              sum(call["command"]["state"] != "ok" for call in calls_of(lines) if call["command"]))
        work, _, _ = read_log()
        check(f"runtime's work with {words!r}", sum(len(entries) for entries in work.values()),
              sum(call["command"] is not None for call in calls_of(lines)))
        entries = sorted((one for entries in work.values() for one in entries),
                         key=lambda entry: entry["times"][0])
        commands = sorted((call for call in calls_of(lines) if call["command"]),
                          key=lambda call: call["command"]["start_ns"] or 0)
        for call, entry in zip(commands, entries):
            check_times(f"runtime with {words!r}", call, entry)
        functions = {call["function"] for call in calls_of(lines)}
        if not {"cudaLaunchKernel", "cudaMalloc", "cudaMemcpy"} <= functions:
            failures.append(f"runtime's calls with {words!r}: {sorted(functions)}")


def test_records():
    """Records of activity as they should not come."""
    for words in FAULTS:
        record(PROGRAM, "threads", "10", words=words)
        check_work(f"threads with {words!r}", read_export("x"), read_log())
        if IS_PLAIN:
            told = not re.search(r"^Lost\n  nothing$", tacho("report", "x").stdout, re.M)
            check(f"a loss is told with {words!r}", "torn" in words, told)
        record(PROGRAM, "graph", "2", words=words)
        check_work(f"graph with {words!r}", read_export("x"), read_log())


def test_dropped():
    """Every third record is dropped by CUPTI: its launch is there, without times, and told."""
    record(PROGRAM, "many", "100", words="full=3")
    log = read_log()
    check("work", 102, len(log[0]))
    check_work("full", read_export("x"), log, untimed=34)
    lines = read_export("x")
    check("dropped", 34, sum(line["unreported"] for line in lines
                             if line["schema"] == "tacho.loss/1"))
    done = tacho("report", "x")
    if not re.search(r"^Lost\n  (?!nothing)", done.stdout, re.M) or "34" not in done.stdout:
        failures.append(f"34 lost times are not told: {done.stdout}")
    for words in ("no_times", "backwards"):
        record(PROGRAM, "many", "20", words=words)
        commands = commands_of(read_export("x"))
        check(f"commands with {words}", 22, len(commands))
        check(f"times with {words}", 0, sum(
            call["command"]["state"] == "ok" and
            call["command"]["start_ns"] < call["command"]["end_ns"]
            for calls in commands.values() for call in calls))


def test_lost_contexts():
    """Contexts that go with work that has not begun: it never ends."""
    record(PROGRAM, "contexts", words="abandon")
    work, _, _ = read_log()
    lines = read_export("x")
    kernels = [call for call in calls_of(lines) if call["command"]]
    check("launches", 9, len(kernels))
    done = sum(entry["what"] == "kernel" for entries in work.values() for entry in entries)
    check("with times", done, sum(call["command"]["state"] == "ok" for call in kernels))
    if done < 9 and re.search(r"^Lost\n  nothing$", tacho("report", "x").stdout, re.M):
        failures.append("work that never ended is not told")
    record(PROGRAM, "leave", "5")
    check("launches before it left", 2, len(commands_of(read_export("x"))))


def test_refused():
    """Another tool has CUPTI, or the driver is too old: the program runs, and why is told."""
    for words, cause in (("subscribed", "MULTIPLE_SUBSCRIBERS|another"),
                         ("old_driver", "NOT_INITIALIZED|older|newer")):
        done = record(PROGRAM, "add", words=words, options=())
        text = done.stderr + tacho("report", "x", status=None).stdout
        if not re.search(cause, text):
            failures.append(f"{words}: nothing says why: {text}")
    check("no device", 3, tacho("record", "-f", "-o", "x", "--", PROGRAM, "add",
                                words="no_device", status=None).returncode)


def wait_for_lines(count):
    """Until the GPU's log has so many lines of work; its process."""
    pattern = re.compile(rb"^(\d+) kernel ", re.M)
    for _ in range(6000):
        if os.path.exists("log"):
            with open("log", "rb") as file:
                found = pattern.findall(file.read())
            if len(found) >= count:
                return int(found[0])
        time.sleep(0.005)
    raise RuntimeError("the program does not run")


def test_killed():
    """Killed at some instants. Each launch that returned is recorded; each of these whose record
    tacho was given has its times; what has none is told. Work that was done in the last moments
    has its record in CUPTI's hands only: it is recorded, without times. The launch that the
    program was in when it was killed may be lost, although the GPU has done its work."""
    with_times = 0
    for round_number in range(KILLS):
        if os.path.exists("log"):
            os.remove("log")
        process = subprocess.Popen([TACHO, "record", "-q", "-f", "-o", "x", "--", PROGRAM,
                                    "endless", "200000"], env=environment(""),
                                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        pid = wait_for_lines(1 + 40 * round_number)
        time.sleep(random.random() * 0.02)
        os.kill(pid, signal.SIGKILL)
        check("status of what was killed", 128 + signal.SIGKILL, process.wait(timeout=60))
        work, launched, delivered = read_log()
        lines = read_export("x")
        commands = commands_of(lines)
        where = f"killed #{round_number}"
        check(f"{where}: launches that are lost", [],
              sorted(launched - {key[:2] for key in commands}))
        if len(set(work) - set(commands)) > 1:
            failures.append(f"{where}: lost work {sorted(set(work) - set(commands))}")
        ok = {key[:2] for key, calls in commands.items() if calls[0]["command"]["state"] == "ok"}
        check(f"{where}: times that are lost", [], sorted((delivered & launched) - ok))
        for key in set(work) & set(commands):
            if commands[key][0]["command"]["state"] == "ok":
                check_times(f"{where} {key}", commands[key][0], work[key][0])
        with_times += len(ok)
        missing = len(commands) - len(ok)
        if not IS_PLAIN:
            continue
        report = tacho("report", "x").stdout
        if missing and not re.search(rf"^Lost\n(  .*\n)*?  {missing} command", report, re.M):
            failures.append(f"{where}: {missing} without times are not told: {report}")
    if not with_times:
        failures.append("killed: no kernel had its times")


def test_outputs():
    """The same outputs as for OpenCL."""
    if not IS_PLAIN:
        return
    for name, mode in (("a", "add"), ("b", "add"), ("g", "graph")):
        record(PROGRAM, mode)
        shutil.rmtree(f"{name}.tacho", ignore_errors=True)
        os.rename("x.tacho", f"{name}.tacho")
    for name in ("a", "g"):
        tacho("export", "-f", name, "--to", "codexl,html,jsonl,perfetto,sqlite,rocprofv3")
        for ending in (".atp", ".html", ".jsonl"):
            if not os.path.getsize(name + ending):
                failures.append(f"{name}{ending} is empty")
        json.loads(tacho("report", "--json", name).stdout)
        tacho("check", name)
    for name, word in (("a.jsonl", "cuLaunchKernel"), ("a.html", "scale("), ("g.html", "scale("),
                       ("a_kernel_trace.csv", "scale(")):
        with open(name, encoding="utf-8") as file:
            if (word if HAS_NAMES else "scale") not in file.read():
                failures.append(f"{name} has no {word}")
    tacho("report", "a.atp")
    difference = tacho("diff", "a", "b", status=None)
    check("diff", True, difference.returncode in (0, 6) and "scale" in difference.stdout)


def main():
    tests = [value for name, value in sorted(globals().items()) if name.startswith("test_")]
    # where threads meet; all of it takes minutes with the thread sanitizer
    wanted = sys.argv[7:] or (["test_killed", "test_records", "test_runtime"]
                              if IS_THREADS else [])
    with tempfile.TemporaryDirectory(prefix="tacho-cuda-") as folder:
        os.chdir(folder)
        for name, text in (("leaks", "leak:cli_\n"), ("races", "race:dl_deallocate_tls\nrace:write_call\n")):
            with open(f"known.{name}", "w", encoding="utf-8") as file:
                file.write(text)
        for test in tests:
            if not wanted or test.__name__ in wanted:
                begun = time.monotonic()
                test()
                print(f"{test.__name__}: {time.monotonic() - begun:.1f} s", flush=True)
        os.chdir("/")
    for failure in failures[:30]:
        print("FAIL:", failure[:1500])
    if failures:
        print(f"{len(failures)} failures")
    return bool(failures)


sys.exit(main())
