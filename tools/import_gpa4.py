#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes data/amd/gpa-rdna.yaml and data/amd/rdna/*.yaml.

    tools/import_gpa4.py CHECKOUT tools/gpa_descriptions.yaml tools/gpa4_descriptions.yaml data

CHECKOUT is GPUOpen-Tools/gpu_performance_api at v4.3. Names, numbers and equations are taken from
there; what is said about counters is in the two files, written by hand. Needs PyYAML. Fails when a
counter has no text, or a text belongs to nothing. docs/gpa-definitions.md describes what it writes.
"""
import pathlib
import sys

import yaml

import gpa4_tables
import import_gpa

SOURCE = "GPUPerfAPI 4.3 public counter definitions"
UNITS = {"percentage": "percent", "items": "items", "nanoseconds": "nanoseconds",
         "cycles": "cycles", "bytes": "bytes"}
PARTS = {"gl": ["gl"], "vulkan": ["vulkan"], "d3d": ["dx11", "dx12"]}
FAMILY = ("# AMD GPUs of the RDNA family, whose counters are in data/amd/rdna/API.yaml: of an architecture\n"
          "# they are read when somebody asks for them.")
APIS = {"gl": "OpenGL", "vulkan": "Vulkan", "d3d": "Direct3D 11 and 12"}
ABOUT = ("# Public counters of GPUPerfAPI 4.x for AMD GPUs of the RDNA family under %s.\n"
         "# Names, groups, usages, inputs, equations and blocks are those of\n# GPUOpen-Tools/"
         "gpu_performance_api v4.3 (MIT licence). Descriptions, ranges and advice are tacho's own.")


def fill(value, words):
    if isinstance(value, dict):
        return {k: fill(v, words) for k, v in value.items()}
    for word, by in words.items():
        value = value.replace("{%s}" % word, by) if isinstance(value, str) else value
    return value


def own_texts(raw):
    """The descriptions of gfx10 and later, templates filled in."""
    texts = {}
    for group, shaders in raw["groups"].items():
        for template, text in raw["templates"].items():
            texts[template.replace("{G}", group)] = {
                **fill(text, {"shaders": shaders}), "is_template": True}
    limits = raw["limits"]
    for stage, waves in limits["stages"].items():
        for room, (what, advice) in limits["rooms"].items():
            texts["%sLimitedBy%s" % (stage, room)] = {
                "text": fill(limits["text"], {"stage": waves, "room": what}),
                "range": limits["range"], "better": limits["better"], "advice": advice,
                "is_template": True}
    for name, text in raw["counters"].items():
        group = text.pop("as", None)
        texts[name] = fill(text, {"shaders": raw["groups"][group]}) if group else text
    return texts


def older_texts(path):
    """Those of the GCN family, without what is said about their equations."""
    _, texts, _ = import_gpa.load_texts(path)
    return {n: {k: v for k, v in t.items() if k in ("text", "range", "better", "advice")}
            for n, t in texts.items()}


def order_of(files, tags):
    """Names with the tags that they are for, so that those of each tag stand in AMD's order."""
    names = []
    for tag in tags:
        at = 0
        for counter in files[tag]["counters"]:
            if counter["name"] in names:
                at = names.index(counter["name"]) + 1
            else:
                names.insert(at, counter["name"])
                at += 1
    order = [(name, [t for t in tags if has(files[t], name)]) for name in names]
    for tag in tags:
        move(order, tag, [counter["name"] for counter in files[tag]["counters"]])
    return order


def has(file, name):
    return any(counter["name"] == name for counter in file["counters"])


def move(order, tag, names):
    """Where a tag's order is another one's, what stands too early there comes once more, later."""
    last = -1
    for name in names:
        at = next(i for i, (other, of) in enumerate(order) if other == name and tag in of)
        if at > last:
            last = at
            continue
        order[at][1].remove(tag)
        if last + 1 < len(order) and order[last + 1][0] == name:
            order[last + 1][1].append(tag)
        else:
            order.insert(last + 1, (name, [tag]))
        last += 1


def missing_of(file, inputs):
    """A caveat where the published inputs name some of the instances of a block, not all."""
    there, named = {}, {}
    for block in file["blocks"]:
        there.setdefault(import_gpa.families_of(block), set()).add(block["name"])
    family_of = {b["name"]: import_gpa.families_of(b) for b in file["blocks"]}
    for name in inputs:
        block = next(b for b in sorted(family_of, key=len, reverse=True)
                     if name.startswith(b + "_"))
        named.setdefault(family_of[block], set()).add(block)
    return " ".join("The published inputs name %d of the %d blocks %s: what others count is missing."
                    % (len(blocks), len(there[family]), family)
                    for family, blocks in named.items() if len(blocks) < len(there[family]))


def put_metric(out, name, files, tags, texts):
    counters = {t: c for t in tags for c in files[t]["counters"] if c["name"] == name}
    facts = {(c["group"], c["usage"]) for c in counters.values()}
    if len(facts) != 1:
        gpa4_tables.die("%s has several groups or usages: %s" % (name, facts))
    group, usage = facts.pop()
    if name not in texts:
        gpa4_tables.die("%s has no text" % name)
    texts[name]["is_used"] = True
    out.metric(name, group, UNITS[usage], texts[name])
    variants = {}
    for tag, counter in counters.items():
        key = (tuple(counter["inputs"]), import_gpa.ranges_of(counter["comp"]),
               missing_of(files[tag], counter["inputs"]))
        variants.setdefault(key, []).append(tag)
    for (inputs, comp, caveat), on in variants.items():
        out.variant(on, list(inputs), comp, caveat)


def preface(apis, generations, about):
    return import_gpa.preface(" ".join(apis), " ".join(generations), about, "import_gpa4.py",
                              "gpa_descriptions.yaml and tools/gpa4_descriptions.yaml")


def select(files, apis):
    """The tags of these APIs, and their generations."""
    tags = [t for a in apis for t in files if files[t]["api"] == a]
    return tags, list(dict.fromkeys(files[t]["generation"] for t in tags))


def make_family(files, raw):
    """What is always read: names, titles, models."""
    apis = [a for part in PARTS.values() for a in part]
    tags, generations = select(files, apis)
    out = import_gpa.Writer()
    out.put("source: %s", import_gpa.quote(SOURCE))
    out.put("architectures:")
    for tag in tags:
        out.arch(tag, raw["generations"][files[tag]["generation"]]["title"], "")
        out.put("  pass_cap: 120")
    import_gpa.put_models(out, raw["generations"], generations)
    return preface(apis, generations, FAMILY) + "\n".join(out.lines) + "\n"


def make(files, apis, about, raw, texts):
    tags, generations = select(files, apis)
    events = import_gpa.check_and_collect_events({t: files[t] for t in files})
    out = import_gpa.Writer()
    out.put("source: %s", import_gpa.quote(SOURCE))
    out.put("architectures:")
    for tag in tags:
        out.arch(tag, raw["generations"][files[tag]["generation"]]["title"], "",
                 [files[tag]["generation"]])
        import_gpa.put_blocks(out, files[tag])
    out.put("events:")
    for generation in generations:
        out.put("  %s:", generation)
        for family, names in events[generation].items():
            out.put("    %s:", family)
            for name, number in names.items():
                out.put("      %s: %d", name, number)
    out.constants(raw["constants"])
    out.put("metrics:")
    for name, own in order_of(files, tags):
        put_metric(out, name, files, own, texts)
    return preface(apis, generations, about) + "\n".join(out.lines) + "\n"


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    files = gpa4_tables.tables(sys.argv[1])
    raw = yaml.safe_load(pathlib.Path(sys.argv[3]).read_text())
    own = own_texts(raw)
    texts = {**older_texts(sys.argv[2]), **own}
    made = {"amd/rdna/%s.yaml" % part: make(files, apis, ABOUT % APIS[part], raw, texts)
            for part, apis in PARTS.items()}
    made["amd/gpa-rdna.yaml"] = make_family(files, raw)
    unused = [n for n, t in own.items() if not t.get("is_used") and not t.get("is_template")]
    if unused:
        gpa4_tables.die("texts that belong to nothing: " + " ".join(unused))
    for name, text in made.items():
        (pathlib.Path(sys.argv[4]) / name).write_text(text)


main()
