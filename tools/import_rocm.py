#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes data/amd/rocm.yaml from ROCm's counter_defs.yaml (list schema).

    tools/import_rocm.py COUNTER_DEFS.yaml tools/rocm_descriptions.yaml > data/amd/rocm.yaml

Names, architectures, blocks, events and expressions are taken from the first file, its
descriptions are not: what is said about counters and metrics is in the second file, written by
hand. Needs PyYAML. Fails when a metric has no text, or a text belongs to nothing.
"""
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
    "GL2C": "each L2 slice",
}


def of_event(counter, events):
    """What is said about a raw counter."""
    name = counter["name"]
    if name not in events:
        sys.exit(f"no text for {name}")
    unit, phrase = events[name][:2]
    archs = {arch for d in counter["definitions"] for arch in d["architectures"]}
    newer = {arch for arch in archs if arch.startswith(("gfx11", "gfx12"))}
    scope = SCOPES[counter["definitions"][0]["block"]]
    if scope == "each shader engine" and newer:
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
    archs = {arch for d in counter["definitions"] for arch in d["architectures"]}
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


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        counters = yaml.safe_load(file)["rocprofiler-sdk"]["counters"]
    with open(sys.argv[2], encoding="utf-8") as file:
        texts = yaml.safe_load(file)
    names = {counter["name"] for counter in counters}
    for counter in counters:
        METRICS[counter["name"]] = [str(d["expression"]) for d in counter["definitions"]
                                    if "expression" in d]
    for table in ("events", "metrics"):
        strange = sorted(set(texts[table]) - names)
        if strange:
            sys.exit(f"texts for what does not exist: {strange}")
    sys.stdout.write(PREFACE + "\n".join(entry(c, texts) for c in counters) + "\n")


if __name__ == "__main__":
    main()
