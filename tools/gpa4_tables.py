# SPDX-License-Identifier: MIT
"""Reads the counter tables in a checkout of GPUPerfAPI 4.x, which are C++.

tables(CHECKOUT) gives {"gl-gfx11": {"generation", "blocks", "counters", "sq_slots_per_stage"}, ...}
in the form of the older releases' tables: a block has name, counters, slots, first_index and, where
it is one of the shader's, sq_stage; a counter has name, group, usage, type, inputs, input_index and
comp. Chips whose counters differ from their generation's are generations of their own.
"""
import pathlib
import re
import sys

APIS = {"oglp": "gl", "vk": "vulkan", "dx11": "dx11", "dx12": "dx12"}
GENERATIONS = ["gfx10", "gfx103", "gfx11", "gfx12"]
CHIPS = {"gfx11": ["gfx1102", "gfx1103", "gfx1150"]}
SQ_SLOTS_PER_STAGE = {"gfx10": 16, "gfx103": 16, "gfx11": 8, "gfx12": 8}  # device_info
GENERATED = "source/auto_generated/gpu_perf_api_counter_generator"


# Time stamps at the bottom of the pipeline share a pass, and those from the top, not both: their
# duration, begin and end have numbers in a row.
STAMPS_OF_A_KIND = 3

def die(message):
    sys.exit("gpa4_tables: " + message)


def read(folder, name):
    return (folder / (name + ".cc")).read_text(encoding="utf-8", errors="strict")


def table(text, name):
    """The lines between braces of the array with this name."""
    match = re.search(r"\b%s(?:\[\])? = \{\n(.*?)\n    \};" % name, text, re.S)
    if not match:
        die("no table " + name)
    return match[1]


def events_of(text):
    """BLOCK -> number -> the counter's name behind its block's."""
    events = {}
    for number, name, block in re.findall(
            r'GpaHardwareCounterDesc\{(\d+), "(\w+)", "(\w+)",', text):
        if not name.startswith(block + "_"):
            die("%s is not of block %s" % (name, block))
        events.setdefault(block, {})[int(number)] = name[len(block) + 1:]
    return events


def blocks_of(text, api, generation):
    word = api.capitalize() + "%s" + generation.capitalize()
    groups = re.findall(r'\{(\d+), "(\w+)", (\d+), (\d+), (\d+), (\d+)\}',
                        table(text, "kHw" + word % "Groups" + "Data"))
    stages = dict(re.findall(r"\{(\d+), \d+, kSq(\w+)\}", table(text, "kHw" + word % "SqGroups")))
    masked = set(re.findall(r"(\d+),", table(text, "kHw" + word % "SqIsolatedGroups")))
    firsts = dict(re.findall(r"\{(\d+), (\d+)\}",
                             table(text, "kHw" + word % "ExposedCountersByGroup")))
    blocks, first = [], 0
    for index, name, instance, counters, slots, _ in groups:
        if int(firsts.get(index, first)) != first:
            die("%s %s: block %s begins at %s, not %d" % (api, generation, name, firsts[index],
                                                         first))
        block = {"name": name, "instance": int(instance), "counters": int(counters),
                 "slots": int(slots), "first_index": first}
        if index in stages:
            block["sq_stage"] = "SQ_" + stages[index].upper()
        if index in masked:
            block["is_masked"] = True
        blocks.append(block)
        first += int(counters)
    return blocks


def definitions_of(text):
    """Name, rest of the call and indices of the hardware counters, for each public counter."""
    for body in re.split(r"\{ // Index:\d+\n", text)[1:]:
        inputs = re.search(r"kHardwareCounters = \{(.*?)\};", body, re.S)
        call = re.search(r"c\.(\w+)\((.*?)\);\n", body, re.S)
        strings = re.findall(r'"((?:[^"\\]|\\.)*)"', call[2])
        yield call, strings, [int(n) for n in re.findall(r"\d+", inputs[1] if inputs else "")]


def name_inputs(blocks, events, indices):
    names = []
    for index in indices:
        block = next(b for b in blocks
                     if b["first_index"] <= index < b["first_index"] + b["counters"])
        number = index - block["first_index"]
        if number not in events.get(block["name"], {}):
            die("nothing is number %d of block %s" % (number, block["name"]))
        names.append("%s_%s" % (block["name"], events[block["name"]][number]))
    return names


def counters_of(text, blocks, events):
    counters = []
    for call, strings, indices in definitions_of(text):
        usage = re.search(r"kGpaUsageType(\w+)", call[2])[1].lower()
        kind = re.search(r"kGpaDataType(\w+)", call[2])[1].lower()
        counters.append({"name": strings[0], "group": strings[1], "usage": usage, "type": kind,
                         "inputs": name_inputs(blocks, events, indices), "input_index": indices,
                         "comp": strings[3]})
    return counters


def of_chip(folder, api, generation, chip, general, events):
    """The generation's table with the chip's own counters in it."""
    own = {b: dict(e) for b, e in events.items()}
    for block, numbers in events_of(read(folder, "gpa_hw_counter_%s_%s" % (generation,
                                                                         chip))).items():
        own[block] = {**own.get(block, {}), **numbers}
    by_name = {c["name"]: dict(c) for c in general["counters"]}
    text = read(folder, "public_counter_definitions_%s_%s_%s" % (api, generation, chip))
    for _, strings, indices in definitions_of(text):
        by_name[strings[0]].update(inputs=name_inputs(general["blocks"], own, indices),
                                   input_index=indices, comp=strings[1])
    return {**general, "generation": chip, "counters": list(by_name.values())}


def tables(checkout):
    folder, files = pathlib.Path(checkout) / GENERATED, {}
    for generation in GENERATIONS:
        events = events_of(read(folder, "gpa_hw_counter_" + generation))
        for api, own_name in APIS.items():
            text = read(folder, "gpa_hw_counter_%s_%s" % (api, generation))
            both = {b: dict(e) for b, e in events.items()}
            for block, numbers in events_of(text).items():
                both[block] = {**both.get(block, {}), **numbers}
            blocks = blocks_of(text, api, generation)
            counters = counters_of(
                read(folder, "public_counter_definitions_%s_%s" % (api, generation)), blocks, both)
            general = {"api": own_name, "generation": generation, "blocks": blocks,
                       "counters": counters, "sq_slots_per_stage": SQ_SLOTS_PER_STAGE[generation],
                       "stamps_of_a_kind": STAMPS_OF_A_KIND}
            files["%s-%s" % (own_name, generation)] = general
            for chip in CHIPS.get(generation, []):
                files["%s-%s" % (own_name, chip)] = of_chip(folder, api, generation, chip, general,
                                                           both)
    return files
