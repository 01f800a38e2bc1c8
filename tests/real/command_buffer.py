# SPDX-License-Identifier: MIT
"""Whether all files of a recording of command_buffer_cl tell what it did: command_buffer.sh.

    command_buffer.py NAME CHANGES COPIES

CHANGES and COPIES are how often the driver changed and copied a command buffer.
"""
import csv
import json
import sqlite3
import sys

name, changes, copies = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

# How often each runs, and which kernels it has: as the steps of the script say.
SCALE, ADD = "scale", "add"
RUNS = [
    ("command buffer (5 kernels)", 32 + 2 * copies, [SCALE, ADD, SCALE, ADD, ADD]),
    ("command buffer (3 kernels)", 4, [ADD, ADD, SCALE]),
    ("command buffer (no kernels)", 2, []),
    ("command buffer (1 kernel)", 3, [ADD]),
    ("command buffer (3 kernels) #2", 2, [SCALE, ADD, SCALE]),
    ("command buffer (2 kernels)", 6 if changes else 1, [SCALE, ADD]),
]
DIRECT = 6
ITEMS = 2048
BUFFERS = sum(runs for _, runs, _ in RUNS)
KERNELS = sum(runs * len(kernels) for _, runs, kernels in RUNS)


def same(what, expected, got):
    if expected != got:
        sys.exit(f"{what}: expected {expected}, got {got}")


def count_kernels(kernels, runs):
    return {kernel: runs * kernels.count(kernel) for kernel in sorted(set(kernels))}


def check_report():
    with open(f"{name}.report.json") as file:
        report = json.load(file)
    totals = report["totals"]
    same("launches", KERNELS + DIRECT, totals["launches"])
    same("command buffers", BUFFERS, totals["command_buffers"])
    same("launches in them", KERNELS, totals["command_buffer_launches"])
    same("unknown time", 0, totals["device_unknown_ns"])
    lines = {line["name"]: line for line in report["lines"]}
    for title, runs, kernels in RUNS:
        line = lines[title]
        same(f"{title}: count", runs, line["count"])
        same(f"{title}: with times", runs, line["measured"])
        same(f"{title}: kernels", count_kernels(kernels, runs),
             {part["name"]: part["count"] for part in line.get("kernels", [])})
        for part in line.get("kernels", []):
            assert part["total_ns"] is None and part["reason"], part
    same("direct launches", DIRECT, lines[ADD]["count"])
    # The device was busy while they ran: five kernels take longer than one of them.
    assert lines["command buffer (5 kernels)"]["max_ns"] > lines[ADD]["min_ns"], lines
    longest = max(line["total_ns"] for line in lines.values())
    assert totals["device_busy_ns"] >= longest, totals


def check_jsonl():
    templates, commands, launches = {}, [], 0
    with open(f"{name}.jsonl") as file:
        for text in file:
            line = json.loads(text)
            if line["schema"] == "tacho.template/1":
                templates[line["id"]] = line
            elif line["schema"] == "tacho.call/1" and line["command"]:
                if line["command"]["kind"] == "command buffer":
                    commands.append(line)
                launches += line["command"]["kind"] == "kernel"
    same("kernels in .jsonl", DIRECT, launches)
    same("command buffers in .jsonl", BUFFERS, len(commands))
    sizes = []
    for call in commands:
        command = call["command"]
        template = templates[command["template"]["id"]]
        same("known", True, template["known"])
        same("name", template["name"], command["template"]["name"])
        kernels = [part for part in template["commands"] if part["kind"] == "kernel"]
        same("kernels", [kernels for title, _, kernels in RUNS if title == template["name"]][0],
             [part["kernel"]["name"] for part in kernels])
        if template["name"] == "command buffer (2 kernels)":
            sizes.append(kernels[0]["global"][0])
        assert command["state"] == "ok", command
        assert command["queued_ns"] <= command["submit_ns"], command
        assert command["submit_ns"] <= command["start_ns"] <= command["end_ns"], command
        assert call["start_ns"] <= command["end_ns"] + command["uncertainty_ns"], call
    half = [ITEMS] * 3 + [ITEMS // 2] * 2 + [ITEMS]
    same("sizes that changed", half if changes else [ITEMS], sizes)
    mixed = [t for t in templates.values() if t["name"] == "command buffer (3 kernels)"]
    same("other commands", ["fill", "other", "kernel", "kernel", "kernel", "copy"],
         [part["kind"] for part in mixed[0]["commands"]])
    same("bytes", [4 * ITEMS, 4 * ITEMS],
         [part["bytes"] for part in mixed[0]["commands"] if part["kind"] in ("fill", "copy")])


def check_sqlite():
    database = sqlite3.connect(f"{name}.sqlite")
    rows = database.execute("SELECT kernel, launches, measured FROM v_kernel "
                            "WHERE kind = 'command buffer' ORDER BY kernel").fetchall()
    same("v_kernel", sorted((title, runs, runs) for title, runs, _ in RUNS), rows)
    for title, runs, kernels in RUNS:
        rows = database.execute("SELECT kernel, runs FROM v_template_kernel "
                                "WHERE template = ? ORDER BY kernel", (title,)).fetchall()
        same(f"{title} in v_template_kernel", count_kernels(kernels, runs), dict(rows))
    rows = database.execute("SELECT sum(commands), sum(without_times) FROM v_device").fetchall()
    commands = database.execute("SELECT count(*) FROM v_command").fetchone()[0]
    same("commands in v_device", [(commands, 0)], rows)


def check_values():
    with open(f"{name}.values.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["name"].startswith("command buffer")]
    same("rows of values", BUFFERS, len(rows))
    for row in rows:
        kernels = [kernels for title, _, kernels in RUNS if title == row["name"]][0]
        items = {len(kernels) * ITEMS}
        if kernels == [SCALE, ADD]:
            items.add(ITEMS + ITEMS // 2)
        assert int(row["work_items"]) in items, row
        assert int(row["device_time"]) >= 0, row
        # the driver chose the groups; local memory is each kernel's own
        assert row["work_groups:state"] == "absent" or not kernels, row
        assert row["local_memory:state"] == "absent", row


def check_others():
    with open(f"{name}.atp") as file:
        text = file.read()
    same("lines of .atp", BUFFERS, text.count(" CL_COMMAND_COMMAND_BUFFER_KHR "))
    with open(f"{name}.csv") as file:
        assert f"#CommandBuffers={BUFFERS}\n" in file.read()
    with open(f"{name}.pftrace", "rb") as file:
        trace = file.read()
    with open(f"{name}.html") as file:
        page = file.read()
    for title, _, _ in RUNS:
        assert title.encode() in trace, title
        assert f">{title}</span>" in page, title
    assert f"{KERNELS} of them in {BUFFERS} command buffers" in page, page[:2000]


check_report()
check_jsonl()
check_sqlite()
check_values()
check_others()
print(f"{BUFFERS} command buffers of {KERNELS} kernels")
