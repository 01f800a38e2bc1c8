#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes data/amd/rocm.yaml and rocm-later.yaml from ROCm's counter_defs.yaml (list schema).

    tools/import_rocm.py COUNTER_DEFS.yaml data/amd

Names, architectures, blocks, events and expressions are taken from that file, and for
rocm-later.yaml from tools/rocm_later.yaml, which has what ROCm published afterwards. Descriptions
are not: what is said about counters and metrics is in tools/rocm_descriptions.yaml, written by
hand. Needs PyYAML. Fails when a metric has no text, or a text belongs to nothing.
"""
import pathlib
import re
import sys
import textwrap

import yaml

PREFACE = """\
# SPDX-License-Identifier: MIT
# api: rocm
# arch: gfx9* gfx1*
#
# Hardware counters and metrics of AMD GPUs in the list schema of ROCm's counter_defs.yaml. Names,
# architectures, blocks, events and expressions are those of that file in ROCm/rocm-systems commit
# 1b1610fc (ROCprofiler-SDK 1.0.0, 2025-08-09, MIT licence); descriptions and the keys unit, range,
# better, advice and caveat are tacho's own. Made by tools/import_rocm.py, which says how to make
# it again; texts are edited in tools/rocm_descriptions.yaml.
rocprofiler-sdk:
  counters-schema-version: 1
  source: ROCprofiler-SDK 1.0.0 counter_defs.yaml (2025-08-09)
  counters:
"""

PREFACE_LATER = """\
# SPDX-License-Identifier: MIT
# api: rocm
# arch: gfx90a gfx94* gfx950 gfx115* gfx1250
#
# What ROCm's later counter_defs.yaml and its compute profiler have beside rocm.yaml (MIT licence).
# Made by tools/import_rocm.py of tools/rocm_later.yaml, which says where from; texts are tacho's
# own and edited in tools/rocm_descriptions.yaml.
rocprofiler-sdk:
  counters-schema-version: 1
  source: ROCm's counter_defs.yaml after ROCprofiler-SDK 1.0.0, and its compute profiler's
  counters:
"""

OVER = {
    "SQ": "shader engines",
    "TA": "texture address units",
    "TD": "texture data units",
    "TCP": "vector L1 caches",
    "TCA": "L2 arbiters",
    "TCC": "L2 channels",
    "GL2C": "L2 slices",
}


def systematic(name, expressions, events):
    """What is said about COUNTER_sum and the like."""
    if len(expressions) != 1:
        return None
    match = re.fullmatch(r"reduce\((\w+), *(sum|avr|min|max)\)", next(iter(expressions)))
    if not match or name != "_".join(match.groups()) or match[1] not in events:
        return None
    unit, phrase = events[match[1]][:2]
    block = OVER[match[1].split("_")[0]]
    if match[2] == "sum":
        text = f"{phrase}, summed over all {block}."
    elif match[2] == "avr":
        text = f"{phrase}, averaged over all {block}."
    else:
        word = "most" if match[2] == "max" else "least"
        text = f"{phrase}, in the one of the {block} that has the {word}."
    return {"unit": unit, "text": text}


# Which units one value of a raw counter is about, by its block.
SCOPES = {
    "CPC": "each die", "CPF": "each die", "GRBM": "each die", "SPI": "each shader engine",
    "SQ": "each shader engine", "TA": "each texture address unit", "TD": "each texture data unit",
    "TCP": "each vector L1 cache", "TCA": "each L2 arbiter", "TCC": "each L2 channel",
    "GL2C": "each L2 slice", "CHA": "each die", "CHC": "each hub cache",
    "GL1A": "each arbiter of a shader engine", "GL1C": "each L1 cache of a shader engine",
    "GLARBC": "each GLARBC", "GRBMA": "each die below the compute dies",
    "GRBMH": "each shader engine",
}


def architectures_of(counter):
    return {arch for d in counter["definitions"] for arch in d["architectures"]}


def of_event(counter, events):
    """What is said about a raw counter."""
    name = counter["name"]
    if name not in events:
        sys.exit(f"no text for {name}")
    unit, phrase = events[name][:2]
    archs = architectures_of(counter)
    newer = {arch for arch in archs if arch.startswith(("gfx11", "gfx12"))}
    scope = SCOPES[counter["definitions"][0]["block"]]
    if scope == "each shader engine" and counter["definitions"][0]["block"] == "SQ" and newer:
        scope = "each workgroup processor" if newer == archs else \
            scope + ", from gfx11 on for each workgroup processor"
    said = {"unit": unit, "text": f"{phrase}. One value for {scope}."}
    if len(events[name]) > 2:
        said["caveat"] = events[name][2]
    return said


def spans(expressions, metrics, seen=()):
    """Whether one of the expressions, or a metric in it, divides by GRBM_GUI_ACTIVE."""
    for text in expressions:
        if re.search(r"/ *\(*(reduce\()?GRBM_GUI_ACTIVE", text):
            return True
        for name in set(re.findall(r"\w+", text)) & set(metrics) - set(seen):
            if spans(metrics[name], metrics, (*seen, name)):
                return True
    return False


METRICS = {}
SEVERAL_DIES = {"gfx940", "gfx941", "gfx942", "gfx950"}


def with_span(counter, said):
    """The caveat of metrics that take GRBM_GUI_ACTIVE for the time of a kernel."""
    expressions = [str(d["expression"]) for d in counter["definitions"] if "expression" in d]
    archs = architectures_of(counter)
    if not spans(expressions, METRICS):
        return said
    text = "It divides by GRBM_GUI_ACTIVE, which goes on longer than a short kernel"
    if archs & SEVERAL_DIES:
        text += (" and exists once for each die: where values are sums over dies (gfx94x, "
                 "gfx950), the result is as many times too small")
    return {**said, "caveat": (said.get("caveat", "") + " " + text + ".").strip()}


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def key_line(key, value):
    """A key of an entry; long texts go on in further lines."""
    return "\n".join(textwrap.wrap(f"{key}: {value}", 98, initial_indent="    ",
                                   subsequent_indent="      ", break_on_hyphens=False,
                                   break_long_words=False))


def definition_line(definition):
    parts = ["architectures: [" + ", ".join(definition["architectures"]) + "]"]
    if "expression" in definition:
        parts.append("expression: " + quoted(str(definition["expression"])))
    else:
        parts += [f"block: {definition['block']}", f"event: {definition['event']}"]
    if "aliases" in definition:
        parts.append("aliases: [" + ", ".join(definition["aliases"]) + "]")
    return "\n".join(textwrap.wrap("- {" + ", ".join(parts) + "}", 98, initial_indent="    ",
                                   subsequent_indent="       ", break_on_hyphens=False,
                                   break_long_words=False))


def entry(counter, texts):
    name = counter["name"]
    expressions = {str(d["expression"]) for d in counter["definitions"] if "expression" in d}
    said = texts["metrics"].get(name)
    if said is None and expressions:
        said = systematic(name, expressions, texts["events"])
        if said is None:
            sys.exit(f"no text for {name}: {sorted(expressions)}")
    if said is None:
        said = of_event(counter, texts["events"])
    said = with_span(counter, said)
    lines = ["  - name: " + name, key_line("description", quoted(said["text"]))]
    if said.get("unit"):
        lines.append(key_line("unit", said["unit"]))
    if "range" in said:
        lines.append(key_line("range", "[{}, {}]".format(*said["range"])))
    if "better" in said:
        lines.append(key_line("better", said["better"]))
    for key in ("advice", "caveat"):
        if key in said:
            lines.append(key_line(key, quoted(said[key])))
    lines.append("    definitions:")
    lines += [definition_line(d) for d in counter["definitions"]]
    return "\n".join(lines)


def with_aliases(counter, names):
    """ROCm calls the interface TCC_EA or TCC_EA0; on gfx908, which has one, it does both."""
    definitions = []
    for d in counter["definitions"]:
        name = counter["name"]
        other = name.replace("TCC_EA_", "TCC_EA0_") if "TCC_EA_" in name \
            else name.replace("TCC_EA0_", "TCC_EA_")
        if "gfx908" not in d["architectures"] or other == name or ("gfx908", other) in names:
            definitions.append(d)
            continue
        rest = [arch for arch in d["architectures"] if arch != "gfx908"]
        if rest:
            definitions.append({**d, "architectures": rest})
        definitions.append({**d, "architectures": ["gfx908"], "aliases": [other]})
    return {**counter, "definitions": definitions}


def like_another(counters, like):
    """The counters of one architecture again, for others that have them."""
    for counter in counters:
        if counter["name"] in like["but"]:
            continue
        found = [{**d, "architectures": like["architectures"]} for d in counter["definitions"]
                 if like["of"] in d["architectures"]]
        if found:
            yield counter["name"], found


def later_counters(counters, later):
    """What rocm_later.yaml says, in the form of counter_defs.yaml."""
    definitions = {}
    for like in later["like"]:
        for name, found in like_another(counters, like):
            definitions.setdefault(name, []).extend(found)
    for group in later["counters"]:
        for block, events in group["blocks"].items():
            for name, event in events.items():
                definitions.setdefault(name, []).append(
                    {"architectures": group["architectures"], "block": block, "event": event})
    for group in later["accumulated"]:
        for name in group["counters"]:
            definitions[name + "_ACCUM"] = [{"architectures": group["architectures"],
                                             "expression": f"accumulate({name}, HIGH_RES)"}]
    return [{"name": name, "definitions": found} for name, found in sorted(definitions.items())]


def learn(counters, texts):
    """The metrics' expressions; what stands in both files counts with all its architectures."""
    for counter in counters:
        METRICS.setdefault(counter["name"], []).extend(
            str(d["expression"]) for d in counter["definitions"] if "expression" in d)
        if counter["name"].endswith("_ACCUM"):
            unit, phrase = texts["events"][counter["name"].removesuffix("_ACCUM")][:2]
            texts["metrics"][counter["name"]] = {
                "unit": f"{unit.removesuffix('s')}-cycles",
                "text": f"{phrase}, added up in every cycle by the sequencer."}


def main():
    tools = pathlib.Path(__file__).parent
    load = lambda path: yaml.safe_load(pathlib.Path(path).read_text(encoding="utf-8"))
    counters = load(sys.argv[1])["rocprofiler-sdk"]["counters"]
    texts = load(tools / "rocm_descriptions.yaml")
    later = later_counters(counters, load(tools / "rocm_later.yaml"))
    learn(counters + later, texts)
    names = {(arch, counter["name"]) for counter in counters for arch in architectures_of(counter)}
    strange = sorted((set(texts["events"]) | set(texts["metrics"])) -
                     {counter["name"] for counter in counters + later})
    if strange:
        sys.exit(f"texts for what does not exist: {strange}")
    counters = [with_aliases(counter, names) for counter in counters]
    for name, preface, of in (("rocm", PREFACE, counters), ("rocm-later", PREFACE_LATER, later)):
        text = preface + "\n".join(entry(counter, texts) for counter in of) + "\n"
        pathlib.Path(sys.argv[2], name + ".yaml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
