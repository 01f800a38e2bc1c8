#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Traces of Perfetto with render stages of GPUs: makes them, and knows what a reader must tell.

make            writes NAME.pftrace into the current folder
encode TEXT OUT makes a trace of a text of Perfetto's own tests (textproto)
check NAME      reads `tacho export NAME.pftrace --to jsonl` from the standard input
"""
import gzip
import json
import re
import sys

# Names of fields -> number, or number and the fields of the message inside.
DIM = {"x": 1, "y": 2, "z": 3}
ARGUMENT = {"name_iid": 1, "name": 2, "int_value": 3, "uint_value": 4}
DESCRIPTION = {"name": 1, "description": 2}
STAGE = {"event_id": 1, "duration": 2, "hw_queue_id": 3, "stage_id": 4, "context": 5,
         "specifications": (7, {"hw_queue": (2, DESCRIPTION), "stage": (3, DESCRIPTION)}), "gpu_id": 11,
         "hw_queue_iid": 13, "stage_iid": 14, "name": 17, "kernel_iid": 19, "name_iid": 20,
         "launch": (21, {"grid_size": (1, DIM), "workgroup_size": (2, DIM), "args": (3, ARGUMENT)})}
NAMED = {"iid": 1, "name": 2, "description": 3, "category": 4}
INTERNED = {"event_names": (2, NAMED), "graphics_contexts": (23, {"iid": 1, "pid": 2, "api": 3}),
            "gpu_specifications": (24, NAMED),
            "compute_kernels": (1000, {"iid": 1, "name": 2, "demangled_name": 3, "arch": 4, "args": (5, ARGUMENT)}),
            "compute_arg_names": (1001, NAMED)}
PACKET = {"clock_snapshot": (6, {"clocks": (1, {"clock_id": 1, "timestamp": 2}), "primary_trace_clock": 2}), "timestamp": 8,
          "trusted_packet_sequence_id": 10, "interned_data": (12, INTERNED), "sequence_flags": 13,
          "compressed_packets": 50, "gpu_counter_event": (52, {"gpu_id": 3}), "gpu_render_stage_event": (53, STAGE),
          "timestamp_clock_id": 58, "trace_packet_defaults": (59, {"timestamp_clock_id": 58}), "trusted_uid": 3}
TRACE = {"packet": (1, PACKET)}
WORDS = {"OTHER": 0, "GRAPHICS": 1, "COMPUTE": 2, "VULKAN": 2, "CUDA": 4}


def varint(value):
    out = b""
    value &= (1 << 64) - 1
    while value >= 0x80:
        out += bytes([value & 0x7f | 0x80])
        value >>= 7
    return out + bytes([value])


def encode(message, fields):
    """Pairs of names and values; a value is a number, a text or such pairs."""
    out = b""
    for name, value in message:
        field = fields[name]
        number, inside = field if isinstance(field, tuple) else (field, None)
        if isinstance(value, list):
            value = encode(value, inside)
        if isinstance(value, str):
            value = value.encode()
        if isinstance(value, bytes):
            out += varint(number << 3 | 2) + varint(len(value)) + value
        else:
            out += varint(number << 3) + varint(value)
    return out


def parse(tokens, fields):
    """Of a textproto, as pairs; fields that are not known here are left out."""
    message = []
    while tokens and tokens[0] != "}":
        name = tokens.pop(0).strip("[]").split(".")[-1]
        field = fields.get(name)
        if tokens[0] == "{":
            tokens.pop(0)
            value = parse(tokens, field[1] if isinstance(field, tuple) else {})
            tokens.pop(0)
        else:
            tokens.pop(0)
            text = tokens.pop(0)
            value = text[1:-1] if text[0] == '"' else WORDS.get(text, None) if text[0].isalpha() else int(text)
        if tokens and tokens[0] == ",":
            tokens.pop(0)
        if field and value is not None:
            message.append((name, value))
    return message


def of_text(text):
    text = re.sub(r"#[^\n]*", "", text)
    return encode(parse(re.findall(r'"[^"]*"|\[[^\]]*\]|[{}:,]|[\w.-]+', text), TRACE), TRACE)


def packet(sequence, *fields):
    return ("packet", [("trusted_packet_sequence_id", sequence)] + list(fields))


def stage(sequence, ts, duration, *fields, **more):
    return packet(sequence, ("timestamp", ts), ("gpu_render_stage_event", [("duration", duration)] + list(fields)),
                  *more.items())


def states():
    """Numbers mean what their own sequence says, until it forgets them; clocks; what is left out."""
    spec = lambda iid, name: ("gpu_specifications", [("iid", iid), ("name", name)])
    both = [("hw_queue_iid", 1), ("stage_iid", 2), ("context", 9)]
    context = ("graphics_contexts", [("iid", 9), ("pid", 77)])
    return [
        ("packet", [("clock_snapshot", [("clocks", [("clock_id", 6), ("timestamp", 1000)]),
                                        ("clocks", [("clock_id", 3), ("timestamp", 400)]),
                                        ("clocks", [("clock_id", 1), ("timestamp", 1700000000000001000)])])]),
        packet(1, ("interned_data", [spec(1, "queue A"), spec(2, "first"), context]), ("sequence_flags", 1)),
        packet(2, ("interned_data", [spec(1, "queue B"), spec(2, "second")]), ("sequence_flags", 1)),
        stage(1, 2000, 10, *both), stage(2, 2100, 20, *both),
        # in the same packet as its names; on another clock
        ("packet", [("timestamp", 1600), ("timestamp_clock_id", 3), ("trusted_packet_sequence_id", 1),
                    ("gpu_render_stage_event", [("duration", 5), ("hw_queue_iid", 3), ("stage_iid", 3)]),
                    ("interned_data", [spec(3, "late")])]),
        stage(1, 2300, 1, ("hw_queue_iid", 1), ("stage_iid", 2), timestamp_clock_id=64),
        packet(1, ("interned_data", [spec(2, "anew")]), ("sequence_flags", 1)),
        stage(1, 2400, 1, *both),
        packet(1, ("gpu_counter_event", [("gpu_id", 0)])), packet(1, ("compressed_packets", b"x"))]


def inline():
    """Early versions: descriptions inside of the first event, by their place."""
    old = ("specifications", [("hw_queue", [("name", "queue 0")]), ("hw_queue", [("name", "queue 1")]),
                              ("stage", [("name", "stage 0")]), ("stage", [("name", "stage 1")])])
    return [stage(0, 5, 1, old), stage(0, 10, 5, ("hw_queue_id", 1), ("stage_id", 1), ("gpu_id", 2)),
            stage(0, 40, 5, ("hw_queue_id", 3), ("stage_id", 4)),
            stage(0, 50, 5, ("hw_queue_id", 0), ("stage_id", 0), ("name", "own\nname"))]


def primary():
    """Times are of the clock that the trace is on, also where it does not know that of others."""
    snapshot = [("clocks", [("clock_id", 3), ("timestamp", 400)]),
                ("clocks", [("clock_id", 1), ("timestamp", 1700000000000000400)]), ("primary_trace_clock", 3)]
    names = [("gpu_specifications", [("iid", 1), ("name", "queue A")]), ("gpu_specifications", [("iid", 2), ("name", "draw")])]
    both = [("hw_queue_iid", 1), ("stage_iid", 2)]
    return [packet(1, ("clock_snapshot", snapshot), ("trace_packet_defaults", [("timestamp_clock_id", 3)]),
                   ("interned_data", names), ("sequence_flags", 1)),
            stage(1, 700, 10, *both), stage(1, 1700000000000000900, 20, *both, timestamp_clock_id=1)]


MADE = {f.__name__: f for f in (states, inline, primary)}


def equal(got, wanted, what):
    assert got == wanted, "%s: %r, not %r" % (what, got, wanted)


def shown(calls, objects):
    queues = {o["id"]: o["name"] for o in objects if o["kind"] == "queue"}
    return [(queues[c["command"]["queue"]], c["command"]["kernel"]["name"], c["command"]["start_ns"],
             c["command"].get("duration_ns"), c["pid"]) for c in calls]


def check_states(run, objects, calls):
    equal(shown(calls, objects), [
        ("queue A", "first", 2000, 10, 77), ("queue B", "second", 2100, 20, None), ("late", "late", 2200, 5, None),
        ("queue A", "first", None, None, None)], "stages")
    for said in ("1 packet of counters", "1 packet is left out, being compressed", "1 render stage of a queue that the trace does not",
                 "Times of 1 render stage are of a clock"):
        assert said in run["import_note"], run["import_note"]


def check_inline(run, objects, calls):
    equal(shown(calls, objects), [("queue 1", "stage 1", 10, 5, None), ("queue 3", "render stage(4)", 40, 5, None),
                                  ("queue 0", "own name", 50, 5, None)], "stages")
    equal([o["name"] for o in objects if o["kind"] == "device"], ["GPU 2", "GPU 0"], "devices")


def check_primary(run, objects, calls):
    equal(shown(calls, objects), [("queue A", "draw", 700, 10, None), ("queue A", "draw", 900, 20, None)], "stages")
    equal(run["realtime_offset_ns"], 1700000000000000000, "time of day")


def check_interned(run, objects, calls):
    equal(shown(calls, objects), [("vertex", "binning", 100, 10, 42), ("fragment", "render", 200, 10, 42),
                                  ("queue2", "render", 300, 10, None)], "stages of Perfetto's own test")


def check_kernel(run, objects, calls):
    add, multiply = "vectorAdd(float*, float*, float*, int)", "matMul(float*, float*, float*, int, int)"
    equal(shown(calls, objects), [("Compute Queue", add, 100, 50, 100), ("Compute Queue", multiply, 200, 100, 100),
                                  ("Compute Queue", add, 400, 50, 100)], "kernels of Perfetto's own test")


def check_launch(run, objects, calls):
    command = calls[0]["command"]
    equal((command["global"], command["local"]), ([32768], [128]), "work-items")
    kernels = [o["attributes"] for o in objects if o["kind"] == "kernel"]
    equal(kernels[0]["registers"], "32", "registers")


def main():
    if sys.argv[1] == "make":
        for name, make in MADE.items():
            data = encode(make(), TRACE)
            with open(name + ".pftrace", "wb") as file:
                file.write(data)
            with gzip.open(name + ".pftrace.gz", "wb") as file:
                file.write(data)
        return
    if sys.argv[1] == "encode":
        with open(sys.argv[2]) as text, open(sys.argv[3], "wb") as out:
            out.write(of_text(text.read()))
        return
    rows = [json.loads(line) for line in sys.stdin]
    of = lambda kind: [r for r in rows if r["schema"] == "tacho.%s/1" % kind]
    globals()["check_" + sys.argv[2]](of("run")[0], of("object"), of("call"))


main()
