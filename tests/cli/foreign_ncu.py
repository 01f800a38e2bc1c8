# SPDX-License-Identifier: MIT
"""Reports and tables of Nsight Compute, and what must be read from them.

    foreign_ncu.py make        writes one of each sort into the current folder
    foreign_ncu.py check NAME  reads JSON lines of it from stdin
"""
import json
import struct
import sys

from written import kernel


# ---- reports ----

def number(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(place, value):
    if isinstance(value, float):
        return number(place << 3 | 1) + struct.pack("<d", value)
    if isinstance(value, int):
        return number(place << 3) + number(value)
    value = value.encode() if isinstance(value, str) else value
    return number(place << 3 | 2) + number(len(value)) + value


def message(*fields):
    return b"".join(field(place, value) for place, value in fields)


def sized(body):
    return struct.pack("<I", len(body)) + body


def value(of):
    return field(1 if isinstance(of, str) else 3 if isinstance(of, float) else 5, of)


class Report:
    """Blocks in the order in which they are added; texts of all of them are one list."""

    def __init__(self, version=7):
        self.bytes = b"NVR\0" + sized(message((1, version)))
        self.texts = []

    def block(self, *fields, sources=(), results=(), ranges=0):
        payload = b"".join(sized(s) for s in list(sources) + list(results))
        self.bytes += sized(message((1, len(sources)), (2, len(results)), *fields, (5, len(payload)), (7, ranges)))
        self.bytes += payload

    def metric(self, name, of, parts=0):
        """Its name's place is behind the texts that are written by then."""
        if name not in self.texts:
            self.texts.append(name)
        body = field(1, self.texts.index(name)) + (field(2, value(of)) if of is not None else b"")
        return body + b"".join(field(3, field(2, value(1.0))) for _ in range(parts))

    def result(self, pid, name, grid, block, metrics, stream=7, context=1):
        size = lambda s: message((1, s[0]), (2, s[1]), (3, s[2]))
        return message((1, pid), (6, name.split("(")[0]), (7, name), (10, size(grid)), (11, size(block)),
                       *[(13, m) for m in metrics], (22, context), (23, stream))

    def strings(self, since):
        return (4, message(*[(1, t) for t in self.texts[since:]]))


ATTRIBUTES = [("device__attribute_display_name", "NVIDIA Big"), ("device__attribute_multiprocessor_count", 108),
              ("device__attribute_compute_capability_major", 8), ("device__attribute_compute_capability_minor", 0),
              ("device__attribute_pci_domain_id", 0), ("device__attribute_pci_bus_id", 0xc1),
              ("device__attribute_pci_device_id", 0)]


def launch(report, pid, name, ns, more=(), grid=(4, 2, 1), block=(64, 1, 1), device=0):
    facts = [("gpu__time_duration.sum", ns), ("launch__registers_per_thread", 32.0), ("launch__device_id", float(device)),
             ("launch__shared_mem_per_block_static", 128.0), ("launch__shared_mem_per_block_dynamic", 256.0)]
    return report.result(pid, name, grid, block, [report.metric(n, v) for n, v in facts + list(more)])


def whole():
    """Two processes; texts in two blocks; a device that is described behind its launches."""
    report = Report()
    report.block((3, message((2, 1700000000))), (6, message((1, 100), (2, "host"), (3, "one.exe"))), sources=[b"\x22\x01x"])
    first = launch(report, 100, "vadd(float*)", 5000.0, [
        ("sm__throughput.avg.pct_of_peak_sustained_elapsed", 61.5), ("dram__bytes.sum", 4096.0),
        ("dram__bytes.sum.per_second", 2.5e9), ("sm__cycles_elapsed.max", 7000), ("launch__func_cache_config", "PreferNone"),
        ("big.sum", 1 << 40), ("nothing.sum", None), ("nan.sum", float("nan"))])
    report.block(report.strings(0), results=[first])
    known = len(report.texts)
    second = launch(report, 200, "fill<int>(T1 *)", 200.0, [("smsp__inst_executed.sum", 12.0)], grid=(1, 1, 1),
                    block=(32, 1, 1))
    parts = report.metric("parts.sum", 3.0, parts=4)
    third = report.result(100, "vadd(float*)", (1, 1, 1), (8, 1, 1), [parts, report.metric("launch__device_id", 0.0)])
    report.block((6, message((1, 200), (3, "two.exe"))), report.strings(known), results=[second, third], ranges=1)
    report.block((3, message((6, message((1, 0), (2, "NVIDIA Big"), *[(3, field(1, n) + field(2, value(v)))
                                                                      for n, v in ATTRIBUTES])))))
    report.block((3, message((8, message((1, "Nsight Compute Target"), (2, "2024.3.1.0 (build 1)"))))))
    return report.bytes


def empty():
    report = Report()
    report.block((6, message((1, 100), (3, "one.exe"))))
    return report.bytes


def later():
    """Another version, a launch without any size, values that name no text."""
    report = Report(9)
    lost = field(1, 999) + field(2, value(1.0))
    report.block(report.strings(0), results=[message((1, 5), (5, "_Z1kv"), (13, lost), (99, "new")),
                                             message((1, 5), (10, message((1, 1 << 62), (2, 1 << 62), (3, 4))),
                                                     (11, message((1, 1 << 62), (2, 4), (3, 4))))])
    return report.bytes


# ---- tables ----

FRONT = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size",
         "Device", "CC"]
BACK = ["Section Name", "Metric Name", "Metric Unit", "Metric Value"]
RULES = ["Rule Name", "Rule Type", "Rule Description", "Estimated Speedup Type", "Estimated Speedup"]


def quoted(cells):
    return ",".join('"%s"' % c.replace('"', '""') for c in cells)


def front(number, name="vadd(float*, int)", grid="(4, 2, 1)", pid="100"):
    return [str(number), pid, "one.exe", "127.0.0.1", name, "1", "7", "(64, 1, 1)", grid, "0", "7.5"]


def table(*lines):
    return ("\n".join(lines) + "\n").encode()


def details():
    """Lines of the profiler and the program in between, ragged lines, what rules say, a name with two units."""
    row = lambda number, section, metric, unit, cell, **more: quoted(front(number, **more) + [section, metric, unit, cell]) + ","
    return table(
        "==PROF== Connected to process 100 (/tmp/one.exe)", '==PROF== Profiling "vadd" - 0: 0%....100% - 9 passes',
        "the program says, here: 1,5", "==ERROR== ERR_NVGPUCTRPERM was near", quoted(FRONT + BACK + RULES),
        row(0, "GPU Speed Of Light Throughput", "DRAM Frequency", "hz", "1,215,000,000.00"),
        row(0, "GPU Speed Of Light Throughput", "Memory Throughput", "%", "61.84"),
        row(0, "GPU Speed Of Light Throughput", "Duration", "usecond", "5.50"),
        row(0, "GPU Speed Of Light Throughput", "Elapsed Cycles", "cycle", "12,319"),
        row(0, "Launch Statistics", "Registers Per Thread", "register/thread", "32"),
        row(0, "Launch Statistics", "Static Shared Memory Per Block", "Kbyte/block", "1.02"),
        row(0, "Launch Statistics", "Dynamic Shared Memory Per Block", "byte/block", "256"),
        row(0, "Memory Workload Analysis", "Memory Throughput", "Gbyte/second", "1.50"),
        row(0, "Memory Workload Analysis", "Wide", "Kbyte", "1.25e+2"),
        row(0, "Memory Workload Analysis", "Nothing", "", "n/a"),
        row(0, "Memory Workload Analysis", "Doubtful", "inst", "(!) 5"),
        row(0, "Memory Workload Analysis", "Parts", "inst", "12 (5; 7)"),
        quoted(front(0) + ["SourceCounters", "", "", "", "Rule", "OPT", "It has 25165824 sectors, of 3.", "global", "74.1"]),
        "still running",
        row(1, "GPU Speed Of Light Throughput", "Duration", "ms", "0.20", name="fill<int>(T1 *)", grid="(1, 1, 1)"),
        row(1, "GPU Speed Of Light Throughput", "Memory Throughput", "%", "1.00", name="fill<int>(T1 *)", grid="(1, 1, 1)"),
        "==PROF== Disconnected from process 100")


def early():
    """A first generation: neither sizes nor a device, and the time of day."""
    return table(quoted(["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context", "Stream"] + BACK),
                 quoted(["0", "9", "a.out", "h", "k", "2020-Apr-07 17:01:05", "1", "7", "S", "Duration", "nsecond", "1,234"]))


def nvtx():
    head = FRONT[:4] + ["thread Domain:Push/Pop_Range", "Id:Domain:Start/Stop_Range"] + FRONT[4:] + BACK
    cells = front(0)
    return table(quoted(head), quoted(cells[:4] + ['"<default domain>:step"', ""] + cells[4:] +
                                      ["S", "Duration", "second", "0.50"]))


def raw():
    head = FRONT + ["device__attribute_display_name", "dram__bytes.sum", "gpu__time_duration.sum",
                    "launch__registers_per_thread", "launch__func_cache_config"]
    rows = [quoted(head), quoted([""] * len(FRONT) + ["", "Mbyte", "us", "register/thread", ""]),
            quoted(front(0) + ["NVIDIA Big", "4.10", "5.50", "32", "PreferNone"]),
            quoted(front(1) + ["NVIDIA Big", "n/a", "0.25", "32", "PreferNone"])]
    return table(*rows)


def european():
    """Points between groups, a comma before the fraction; UTF-16 as PowerShell writes it."""
    row = lambda name, unit, cell: quoted(front(0) + ["S", name, unit, cell]) + ","
    lines = table(quoted(FRONT + BACK + RULES), row("Elapsed Cycles", "cycle", "27.595"), row("Sum", "inst", "27.595.520"),
                  row("Share", "%", "61,84"), row("Duration", "ns", "1.234"))
    return lines.decode().replace("\n", "\r\n").encode("utf-16")


def thin():
    row = lambda name, unit, cell: quoted(front(0) + ["S", name, unit, cell]) + ","
    return table(quoted(FRONT + BACK + RULES), row("Sum", "inst", "27\u2009595\u202f520"), row("Share", "%", "1\u00a0061,84"))


def unclear():
    """Nothing says what the point is."""
    row = lambda name, unit, cell: quoted(front(0) + ["S", name, unit, cell]) + ","
    return table(quoted(FRONT + BACK + RULES), row("Elapsed Cycles", "cycle", "27.595"), row("Duration", "ns", "1234"))


def mixed():
    row = lambda name, unit, cell: quoted(front(0) + ["S", name, unit, cell]) + ","
    return table(quoted(FRONT + BACK + RULES), row("A", "cycle", "27,5"), row("B", "ns", "12.34"))


def summary():
    head = FRONT[1:5] + FRONT[7:] + ["Invocations"] + BACK[:3] + ["Minimum", "Maximum", "Average"]
    row = lambda name, unit, low, high, mean: quoted(front(0)[1:5] + front(0)[7:] + ["12", "S", name, unit, low, high, mean])
    return table(quoted(head), row("Duration", "us", "1.00", "3.00", "2.50"), row("Elapsed Cycles", "cycle", "1,000", "3,000", "2,000"))


def refused():
    return table("==PROF== Connected to process 100", "==ERROR== ERR_NVGPUCTRPERM - no permission on device 0.")


TABLES = {"details": details, "early": early, "nvtx": nvtx, "raw": raw, "european": european, "thin": thin,
          "unclear": unclear, "mixed": mixed, "summary": summary, "refused": refused}
MADE = {"whole": whole, "empty": empty, "later": later}


def make():
    for name, fill in MADE.items():
        open(name + ".ncu-rep", "wb").write(fill())
    for name, fill in TABLES.items():
        open(name + ".csv", "wb").write(fill())
    good = whole()
    open("cut.ncu-rep", "wb").write(good[:-40])
    open("bare.ncu-rep", "wb").write(good[:9])
    report = Report()
    report.block(results=[b"\x0a\xff"])
    open("launch.ncu-rep", "wb").write(report.bytes)
    open("block.ncu-rep", "wb").write(Report().bytes + sized(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"))
    open("size.ncu-rep", "wb").write(Report().bytes + b"\xff\xff\xff\xff" + b"\0" * 100)


# ---- what is read ----

def equal(got, wanted, what):
    assert got == wanted, "%s: %r, not %r" % (what, got, wanted)


def values(call):
    return {n: v["value"] for n, v in (call.get("values") or {}).items() if v["state"] != "absent"}


def check_whole(run, processes, objects, calls, counters):
    equal(run["generator"], "Nsight Compute 2024.3.1.0", "generator")
    equal(run["application"], "one.exe", "program")
    equal([(p["pid"], p["executable"]) for p in processes], [(100, "one.exe"), (200, "two.exe")], "processes")
    commands = [c["command"] for c in calls]
    equal([(c["pid"], c["command"]["kernel"]["name"], c["command"].get("duration_ns")) for c in calls],
          [(100, "vadd(float*)", 5000), (100, "vadd(float*)", None), (200, "fill<int>(T1 *)", 200)], "launches")
    assert all(c["start_ns"] is None and c["state"] == "absent" for c in commands), "no start is invented"
    equal((commands[0]["global"], commands[0]["local"]), ([256, 2], [64, 1]), "groups times their size are work-items")
    device = [o for o in objects if o["kind"] == "device"][0]
    equal(device["name"], "NVIDIA Big", "device")
    equal((device["attributes"]["compute_capability"], device["attributes"]["compute_units"], device["attributes"]["pci"]),
          ("8.0", "108", "0000:c1:00.0"), "what the device is")
    kernels = [o["attributes"] for o in objects if o["kind"] == "kernel"]
    equal((kernels[0]["registers"], kernels[0]["local_bytes"]), ("32", "128"), "kernel")
    got = values(calls[0])
    equal(got["sm__throughput.avg.pct_of_peak_sustained_elapsed"], 61.5, "percentage")
    equal((got["big.sum"], got["sm__cycles_elapsed.max"]), (1 << 40, 7000), "whole numbers")
    assert "nothing.sum" not in got and "nan.sum" not in got and "smsp__inst_executed.sum" not in got, got
    equal(values(calls[2])["smsp__inst_executed.sum"], 12, "a text of a later block")
    equal(values(calls[1])["parts.sum"], 3, "the value as a whole")
    units = {c["name"]: c["unit"] for c in counters}
    equal([units[n] for n in ("sm__throughput.avg.pct_of_peak_sustained_elapsed", "dram__bytes.sum", "dram__bytes.sum.per_second",
                              "sm__cycles_elapsed.max", "gpu__time_duration.sum", "smsp__inst_executed.sum")],
          ["percent", "bytes", "bytes/second", "cycles", "ns", None], "units that names tell")
    for words in ("does not say when a kernel ran", "1 value has parts", "1 profiled range is not", "1 value that is a text"):
        assert words in run["import_note"], run["import_note"]


def check_empty(run, processes, objects, calls, counters):
    equal(calls, [], "calls")
    assert "no profiled kernel" in run["why_empty"], run


def check_later(run, processes, objects, calls, counters):
    equal([c["command"]["kernel"]["name"] for c in calls], [kernel("_Z1kv", "k()")[0], "(no name)"], "kernels")
    assert all(not c["command"].get("global") for c in calls), "sizes that cannot be"
    assert "of version 9" in run["import_note"] and "1 value without a name" in run["import_note"], run["import_note"]


def check_cut(run, processes, objects, calls, counters):
    equal(len(calls), 3, "what is whole")


def units(counters):
    return {c["name"]: c["unit"] for c in counters}


def durations(calls):
    return [c["command"].get("duration_ns") for c in calls]


def check_details(run, processes, objects, calls, counters):
    equal([(c["pid"], c["command"]["kernel"]["name"]) for c in calls],
          [(100, "vadd(float*, int)"), (100, "fill<int>(T1 *)")], "launches")
    equal(durations(calls), [5500, 200000], "durations in one unit")
    assert all(c["command"]["start_ns"] is None for c in calls), "no start is invented"
    equal((calls[0]["command"]["global"], calls[0]["command"]["local"]), ([256, 2], [64, 1]), "work-items")
    got = values(calls[0])
    wanted = {"DRAM Frequency": 1215000000, "Memory Throughput (percent)": 61.84, "Memory Throughput (bytes/second)": 1.5e9,
              "Duration": 5500, "Elapsed Cycles": 12319, "Registers Per Thread": 32, "Static Shared Memory Per Block": 1020,
              "Dynamic Shared Memory Per Block": 256, "Doubtful": 5, "Parts": 12, "Wide": 125000}
    equal(got, wanted, "values")
    equal(calls[0]["values"]["Doubtful"]["state"], "lost", "a value that the tool marks")
    equal(values(calls[1]), {"Duration": 200000, "Memory Throughput (percent)": 1}, "values of the second")
    equal({n: units(counters)[n] for n in ("DRAM Frequency", "Duration", "Memory Throughput (bytes/second)")},
          {"DRAM Frequency": "hz", "Duration": "ns", "Memory Throughput (bytes/second)": "bytes/second"}, "units")
    kernel = [o["attributes"] for o in objects if o["kind"] == "kernel"][0]
    equal((kernel["registers"], kernel["local_bytes"]), ("32", "1020"), "kernel")
    device = [o["attributes"] for o in objects if o["kind"] == "device"][0]
    equal(device["compute_capability"], "7.5", "device")
    assert "ERR_NVGPUCTRPERM was near" in run["import_note"] and "1 value with parts" in run["import_note"], run["import_note"]


def check_early(run, processes, objects, calls, counters):
    equal(durations(calls), [1234], "durations")
    assert not calls[0]["command"].get("global"), "a size that the file does not have"


def check_nvtx(run, processes, objects, calls, counters):
    equal((durations(calls), calls[0]["command"]["kernel"]["name"]), ([500000000], "vadd(float*, int)"), "launches")


def check_raw(run, processes, objects, calls, counters):
    equal(durations(calls), [5500, 250], "durations")
    equal([values(c).get("dram__bytes.sum") for c in calls], [4100000, None], "values")
    equal([o["name"] for o in objects if o["kind"] == "device"], ["NVIDIA Big"], "device")
    equal(units(counters)["dram__bytes.sum"], "bytes", "unit")


def check_european(run, processes, objects, calls, counters):
    equal(values(calls[0]), {"Elapsed Cycles": 27595, "Sum": 27595520, "Share": 61.84, "Duration": 1234}, "values")


def check_thin(run, processes, objects, calls, counters):
    equal(values(calls[0]), {"Sum": 27595520, "Share": 1061.84}, "values")


def check_unclear(run, processes, objects, calls, counters):
    equal(values(calls[0]), {"Duration": 1234}, "values")
    assert "1 value can be read in two ways" in run["import_note"], run["import_note"]


def check_summary(run, processes, objects, calls, counters):
    equal(durations(calls), [None], "an average is no duration of a launch")
    equal(values(calls[0]), {"Duration": 2500, "Duration (min)": 1000, "Duration (max)": 3000, "Elapsed Cycles": 2000,
                             "Elapsed Cycles (min)": 1000, "Elapsed Cycles (max)": 3000}, "values")
    assert "values are averages" in run["import_note"] and "12 in all" in run["import_note"], run["import_note"]


def check_t4(run, processes, objects, calls, counters):
    equal(durations(calls), [21058944], "duration")
    equal(values(calls[0])["Elapsed Cycles"], 12319469, "cycles")


def check_a100(run, processes, objects, calls, counters):
    equal([(c["command"]["kernel"]["name"].split("(")[0], c["command"]["duration_ns"]) for c in calls if "vector_add1" not in
           c["command"]["kernel"]["name"] and "vector_mul" not in c["command"]["kernel"]["name"]],
          [("init_array", 644672), ("init_array", 644672), ("vector_add", 7046848), ("vector_dot", 6574848)], "durations")
    equal(len(calls), 6, "launches")
    equal({c["command"]["device"]["name"] for c in calls}, {"A100-PCIE-40GB"}, "device")


def main():
    if sys.argv[1] == "make":
        make()
        return
    rows = [json.loads(line) for line in sys.stdin]
    of = lambda kind: [r for r in rows if r["schema"] == "tacho.%s/1" % kind]
    counters = (of("counters") or [{}])[0].get("counters") or []
    globals()["check_" + sys.argv[2]](of("run")[0], of("process"), of("object"), of("call"), counters)


main()
