# SPDX-License-Identifier: MIT
"""Recording and counting over a fake of AMD's library: rocm_count.py TACHO ROOT LIBRARY PROGRAM

The n-th counter of the fake (from 0) counts (n + 1) * 1000 * d + i in instance i of the d-th
dispatch that is counted; PROGRAM says when its dispatches ran. From these alone follows what tacho
has to show. Each fault of the fake must be seen in what tacho shows, and the fake must have nothing
to complain of.
"""
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import written

TACHO, ROOT, LIBRARY, PROGRAM = sys.argv[1:5]
COUNTERS = ["SQ_WAVES", "SQ_INSTS_VALU", "SQ_INSTS_SALU", "SQ_BUSY_CYCLES", "SQ_WAVE_CYCLES",
            "SQ_ACTIVE_INST_VALU", "SQ_LEVEL_WAVES", "SQ_INSTS_SMEM", "SQ_INSTS_LDS",
            "SQ_INSTS_FLAT", "SQ_INSTS_BRANCH", "TCC_HIT", "TCC_MISS", "TCC_REQ", "TCC_READ",
            "TCC_WRITE", "GRBM_COUNT", "GRBM_GUI_ACTIVE", "TA_TA_BUSY", "TA_FLAT_READ_WAVEFRONTS"]
# 104 compute units in the 14 positions of each of 8 engines
INSTANCES = {"SQ": 8, "TCC": 32, "GRBM": 1, "TA": 104}
MANY = [name for name in COUNTERS if name.startswith("SQ_")]
# as it was written, where there is a C++ library
SCALE = "scale(float*, int)" if written.has_library() else "_Z5scalePfi"
failures = []


def check(what, expected, got):
    if expected != got:
        failures.append(f"{what}: expected {expected!r}, got {got!r}")


def total(name, dispatch):
    count = INSTANCES[name.split("_")[0]]
    return count * (COUNTERS.index(name) + 1) * 1000 * dispatch + count * (count - 1) // 2


def tacho(*arguments, fault="", status=0):
    environment = dict(os.environ, FAKE_ROCM=fault)
    done = subprocess.run([TACHO] + list(arguments), capture_output=True, text=True, timeout=120,
                          env=environment)
    check(f"status of {arguments} with {fault!r}", status, done.returncode)
    check(f"misuse with {fault!r}", [], re.findall("fake: .*", done.stdout + done.stderr))
    return done


def record(*options, launches=6, threads=1, fault=""):
    """The dispatches as the program saw them, and a recording of it in x.tacho."""
    done = tacho("record", "-q", "-f", "-o", "x", *options, "--", PROGRAM, str(launches),
                 str(threads), fault=fault)
    lines = re.findall(r"dispatch (\d+) kernel (\d+) queue (\d+) ns (\d+) tid (\d+)", done.stdout)
    return [tuple(map(int, line)) for line in lines]


def export(kind):
    for name in os.listdir("."):
        if name.startswith("y."):
            os.remove(name)
    tacho("export", "-f", "x", "--to", kind, "-o", "y", "--partial")
    names = [name for name in os.listdir(".") if name.startswith("y.")]
    with open(names[0], encoding="utf-8") as file:
        return file.read()


def rows():
    return list(csv.DictReader(io.StringIO(export("csv"))))


def calls():
    lines = [json.loads(line) for line in export("jsonl").splitlines()]
    return [line for line in lines if line["schema"] == "tacho.call/1"]


def flat(text):
    return " ".join(text.split())


def report():
    return flat(tacho("report", "x").stdout)


def test_recording():
    seen = record(launches=200, threads=4)
    check("dispatches of the program", 800, len(seen))
    all_calls = calls()
    dispatches = [call for call in all_calls if call["function"] == "kernel_dispatch"]
    got = sorted((int(call["arguments"]["dispatch"]),
                  1 if call["command"]["kernel"]["name"] == "add" else 2,
                  int(call["arguments"]["hsa_queue"], 16),
                  call["command"]["end_ns"] - call["command"]["start_ns"], call["thread"])
                 for call in dispatches)
    check("dispatches with kernel, queue, duration and thread", sorted(seen), got)
    for call in dispatches:
        command = call["command"]
        check("sizes", ([1024, 4], [256, 1]), (command["global"], command["local"]))
        check("device", "AMD Instinct MI210", command["device"]["name"])
        check("order", True, call["start_ns"] - 1000 <= command["queued_ns"] <=
              command["start_ns"] <= command["end_ns"])
        check("clock", "CLOCK_MONOTONIC", command["clock"])
    names = {}
    for call in all_calls:
        names[call["function"]] = names.get(call["function"], 0) + 1
    check("calls", {"kernel_dispatch": 800, "hipLaunchKernel": 800, "hipMalloc": 4,
                    "hipMemcpy": 8, "hipDeviceSynchronize": 4, "memory_copy_to_device": 4,
                    "memory_copy_from_device": 4}, names)
    for name, kind, size in (("memory_copy_to_device", "write", 4096),
                             ("memory_copy_from_device", "read", 1024)):
        for call in all_calls:
            if call["function"] == name:
                check(name, (kind, size, None), (call["command"]["kind"], call["command"]["bytes"],
                                                 call["command"]["queued_ns"]))
    # Each launch lies in the call that made it, on the host's clock.
    spans = {call["arguments"]["correlation"]: call for call in all_calls
             if call["function"] == "hipLaunchKernel"}
    inside = 0
    for call in dispatches:
        around = spans.get(call["arguments"]["correlation"])
        inside += bool(around and around["thread"] == call["thread"] and
                       around["start_ns"] - 5000 <= call["command"]["start_ns"] and
                       call["command"]["end_ns"] <= around["end_ns"] + 5000)
    # the fake's correlation ids of threads that launch at once may be each other's
    check("launches inside of their calls", True, inside > 200)
    check("the recording is whole", 0, tacho("check", "x").returncode)


def test_values():
    names = ["SQ_WAVES", "TCC_HIT", "GRBM_COUNT", "TA_TA_BUSY", "TA_BUSY_max", "VALUBusy", "L2CacheHit", "MeanOccupancyPerCU"]
    record("-d", "MI210", "-m", ",".join(names))
    table = rows()
    check("rows", ["add", SCALE] * 3, [row["name"] for row in table])
    for i, row in enumerate(table):
        dispatch = i + 1
        for name in ("SQ_WAVES", "TCC_HIT", "GRBM_COUNT", "TA_TA_BUSY"):
            check(f"{name} of dispatch {dispatch}", total(name, dispatch), int(row[name]))
        check("TA_BUSY_max", 19 * 1000 * dispatch + 103, int(float(row["TA_BUSY_max"])))
        hits, misses = total("TCC_HIT", dispatch), total("TCC_MISS", dispatch)
        active = total("GRBM_GUI_ACTIVE", dispatch)
        # the counter that tacho makes for accumulate() is the 21st of the fake
        levels = 8 * 21 * 1000 * dispatch + 28
        for name, value in (("VALUBusy", 100 * total("SQ_ACTIVE_INST_VALU", dispatch) * 4 / 416 /
                             active),
                            ("L2CacheHit", 100 * hits / (hits + misses)),
                            ("MeanOccupancyPerCU", levels / active / 104)):
            check(f"{name} of dispatch {dispatch}", True,
                  abs(float(row[name]) - value) <= 1e-12 * value)


def test_selection():
    record("-d", "MI210", "-m", "SQ_WAVES", "-k", "*scale*", "-s", "1", "-c", "2", launches=10)
    values = [(row["name"], row["SQ_WAVES"]) for row in rows() if row["SQ_WAVES"]]
    check("launches that were selected", [(SCALE, str(total("SQ_WAVES", n))) for n in (1, 2)],
          values)
    # of what follows from commands alone, too
    record("-m", "device_time", "-k", "add", launches=10)
    check("selected without counters", 5, len([row for row in rows() if row["device_time"]]))


def test_passes():
    names = ",".join(MANY)
    done = tacho("stat", "-d", "MI210", "-m", names, "--", PROGRAM, "4", status=125)
    check("kernel replay", True, "cannot run a kernel again" in flat(done.stderr) and
          "--replay process or rotate" in flat(done.stderr))
    record("-d", "MI210", "--replay", "process", "-m", names, launches=4)
    for i, row in enumerate(rows()):
        for name in MANY:
            check(f"{name} of dispatch {i + 1}, passes by process", str(total(name, i + 1)),
                  row[name])
    record("-d", "MI210", "--replay", "rotate", "-m", names, launches=8)
    table = rows()
    check("rows of rotation", 8, len(table))
    for i, row in enumerate(table):
        there = [name for name in MANY if row[name]]
        check("a launch has some of the counters", True, 0 < len(there) < len(MANY))
        for name in there:
            check(f"{name} of dispatch {i + 1}, rotated", str(total(name, i + 1)), row[name])
    for kernel in ("add", SCALE):
        check("each counter of each kernel came once in two launches", {2},
              {sum(1 for row in table if row["name"] == kernel and row[name]) for name in MANY})


def test_modes():
    """Launches are counted one at a time: serialized is the same, pipelined is not to be had."""
    record("-d", "MI210", "-m", "SQ_WAVES:serialized", launches=3)
    check("serialized", [str(total("SQ_WAVES", i + 1)) for i in range(3)],
          [row["SQ_WAVES"] for row in rows()])
    done = tacho("stat", "-d", "MI210", "-m", "SQ_WAVES:pipelined", "--", PROGRAM, "3", status=125)
    check("pipelined", True, "cannot count pipelined" in flat(done.stderr) and
          "counts launches one at a time" in flat(done.stderr))
    check("nothing ran", "", done.stdout)


def test_threads():
    record("-d", "MI210", "-m", "SQ_WAVES", launches=300, threads=8)
    values = sorted(int(row["SQ_WAVES"]) for row in rows())
    check("values of 8 threads", [total("SQ_WAVES", n) for n in range(1, 2401)], values)


def counted(fault, launches=4):
    record("-d", "MI210", "-m", "SQ_WAVES,TCC_HIT", launches=launches, fault=fault)
    table = rows()
    return ([row["SQ_WAVES"] for row in table], [row["TCC_HIT"] for row in table], report())


def test_faults_of_values():
    waves = [str(total("SQ_WAVES", n)) for n in range(1, 5)]
    hits = [str(total("TCC_HIT", n)) for n in range(1, 5)]
    none = [""] * 4
    for fault, expected, text in (
            ("short=TCC_HIT", (waves, none), "AMD's library gave 31 of 32 values of TCC_HIT"),
            ("beyond=TCC_HIT", (waves, none), "gave values of TCC_HIT that cannot be"),
            ("negative=TCC_HIT", (waves, none), "gave values of TCC_HIT that cannot be"),
            ("twice=SQ_WAVES", (none, hits), "gave values of SQ_WAVES that cannot be"),
            ("hide=SQ_WAVES", (none, None), "AMD's library has no counter SQ_WAVES"),
            ("foreign", (waves, hits), "Lost nothing"),
            ("late=20", (waves, hits), "Lost nothing"),
            ("busy=3", (waves, hits), "Lost nothing"),
            ("shuffle", (waves, hits), "Lost nothing")):
        got = counted(fault)
        check(f"SQ_WAVES with {fault}", expected[0], got[0])
        if expected[1] is not None:
            check(f"TCC_HIT with {fault}", expected[1], got[1])
        check(f"report with {fault}", True, text in got[2])
    record("-d", "MI210", "-m", "GRBM_COUNT", launches=2, fault="hide=GRBM_COUNT")
    check("no counter at all", True, "AMD's library has none of the counters: its definitions lack "
          "all of them" in report())
    got = counted("silent=2")
    check("silent", [waves[0], "", waves[2], ""], got[0])
    check("silent is told", True, "AMD's library gave no values of it" in got[2])


def test_faults_of_records():
    record(launches=20, fault="drop=7")
    check("losses", True, "records were not recorded: the vendor's library" in report())
    done = tacho("check", "x", status=1)
    check("losses in check", True, "the vendor's library dropped them" in flat(done.stdout))
    lost = int(re.search(r"(\d+) calls: the vendor's library", flat(done.stdout)).group(1))
    # 1 + 1 + 20 + 1 + 1 calls of HIP, 20 dispatches and 2 copies
    check("what was dropped and what is there", 46, len(calls()) + lost)
    check("every seventh was dropped", 46 // 7, lost)
    record(launches=3, fault="future")
    states = {call["command"]["state"] for call in calls() if call["function"] == "kernel_dispatch"}
    check("times that cannot be", {"absent"}, states)
    before = record(launches=30, fault="shuffle")
    got = [call["command"]["end_ns"] - call["command"]["start_ns"] for call in calls()
           if call["function"] == "kernel_dispatch"]
    check("records out of order", [entry[3] for entry in before], got)


def test_refusals():
    """What the library refuses is told with its own status; the program goes on."""
    for fault, text in (
            ("fail=create_context:12", "HIP and HSA (ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT)"),
            ("fail=create_buffer:1", "HIP and HSA (ROCPROFILER_STATUS_ERROR)"),
            ("fail=start_context:12", "HIP and HSA (ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT)"),
            ("fail=get_timestamp:1", "HIP and HSA (ROCPROFILER_STATUS_ERROR)"),
            ("fail=configure_callback_tracing_service:17", "names of kernels (ROCPROFILER_STATUS_"
             "ERROR_NOT_IMPLEMENTED)")):
        record(launches=2, fault=fault)
        check(f"report with {fault}", True, text in report())
    for fault, text in (
            ("fail=create_counter_config:38", "ERROR_EXCEEDS_HW_LIMIT"),
            ("fail=configure_callback_dispatch_counting_service:40", "ERROR_PERMISSION_DENIED. Run "
             "as root: sysctl kernel.perf_event_paranoid=2"),
            ("fail=query_available_agents:1", "the program's runtime hides it"),
            ("fail=iterate_agent_supported_counters:1", "refuses the list of counters"),
            ("fail=query_counter_info:1", "counting did not begin")):
        record("-d", "MI210", "-m", "SQ_WAVES", launches=2, fault=fault)
        told = report()
        check(f"report with {fault}: {told[-600:]}", True, text in told)
        check(f"kernels with {fault}", True, "2 kernel launches" in told)


def main():
    folder = tempfile.mkdtemp(prefix="tacho-rocm-")
    os.chdir(folder)
    shutil.copytree(os.path.join(ROOT, "tests/data/kfd/mi210"), "root")
    os.makedirs("root/opt/rocm/lib")
    os.symlink(LIBRARY, "root/opt/rocm/lib/librocprofiler-sdk.so.1")
    os.environ["TACHO_ROCM_ROOT"] = os.path.abspath("root")
    os.environ.pop("ROCP_TOOL_LIBRARIES", None)
    # No driver of OpenCL or Vulkan: loading them takes longer than what is tested.
    os.environ["OCL_ICD_VENDORS"] = os.environ["OPENCL_VENDOR_PATH"] = os.path.abspath("none")
    os.environ["VK_DRIVER_FILES"] = os.environ["VK_ICD_FILENAMES"] = os.path.abspath("none.json")
    try:
        for name, test in list(globals().items()):
            if name.startswith("test_"):
                test()
    finally:
        os.chdir("/")
        shutil.rmtree(folder)
    for failure in failures[:20]:
        print("FAIL:", failure)
    return 1 if failures else 0


sys.exit(main())
