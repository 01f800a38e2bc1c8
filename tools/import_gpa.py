#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes data/amd/gpa-*.yaml and data/khronos/queries.yaml.

    tools/import_gpa.py FOLDER tools/gpa_descriptions.yaml tests/data/gpa/document.txt data

FOLDER has the public counters of GPUPerfAPI 2.23.1 as API-GENERATION.json (cl-gfx8.json): inputs,
equation, group, usage, and the hardware's blocks. Names, numbers and equations are taken from
there; what is said about counters is in the second file, written by hand; which counters the
hardware before GCN has is in the third. Needs PyYAML. Fails when a counter has no text, or a text
belongs to nothing. docs/gpa-definitions.md describes what it writes.
"""
import collections
import fnmatch
import graphlib
import json
import pathlib
import re
import sys

import yaml

UNITS = {"percentage": "percent", "items": "items", "milliseconds": "milliseconds",
         "kilobytes": "kilobytes", "bytes": "bytes"}
GPA = "GPUPerfAPI 2.23.1 public counter definitions"
GUIDE = "AMD GPU Performance API User Guide 2.15 (January 2015)"
BEFORE_GCN = ["r600", "r700", "evergreen", "northern-islands"]
NO_EQUATION = ("AMD has published no equation for hardware before GCN, only that GPUPerfAPI "
               "2.15 has this counter there: it cannot be counted or evaluated.")
# Generations before GCN by the footnotes of the guide's two tables of descriptions.
FOOTNOTES = {
    "cl": {"-": BEFORE_GCN[1:], "1": BEFORE_GCN[1:], "2": BEFORE_GCN[2:], "3": [], "4": []},
    "gfx": {"-": BEFORE_GCN, "1": BEFORE_GCN[:2], "2": BEFORE_GCN, "3": BEFORE_GCN[1:],
            "4": BEFORE_GCN[1:], "5": BEFORE_GCN[2:], "6": BEFORE_GCN[2:], "7": [], "8": []},
}
PREFACE = """\
# SPDX-License-Identifier: MIT
# api: %s
# arch: %s
#
%s
#
# Made by tools/%s, which says how to make it again; texts are edited in
# tools/%s. docs/gpa-definitions.md describes the form.
gpa-definitions: 1
"""


def preface(apis, generations, about, tool="import_gpa.py", texts="gpa_descriptions.yaml"):
    return PREFACE % (apis, generations, about, tool, texts)


def die(message):
    sys.exit("import_gpa: " + message)


def quote(text):
    """A scalar that YAML reads as this text."""
    plain = re.fullmatch(r"[A-Za-z_][\w ./()'<>=+-]*", text) and text.strip() == text
    if plain and text.lower() not in ("null", "true", "false", "yes", "no", "on", "off", "none"):
        return text
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def ranges_of(numbered):
    """Numbers that rise by one, three or more together, as A..B."""
    tokens, out, i = numbered.split(","), [], 0
    while i < len(tokens):
        j = i
        while (j + 1 < len(tokens) and tokens[i].isdigit() and tokens[j + 1].isdigit()
               and int(tokens[j + 1]) == int(tokens[j]) + 1):
            j += 1
        out += ["%s..%s" % (tokens[i], tokens[j])] if j - i >= 2 else tokens[i:j + 1]
        i = j + 1
    return ",".join(out)


def expand(pattern):
    match = re.fullmatch(r"(.*)\[(\d+)\.\.(\d+)\](.*)", pattern)
    if not match:
        return [pattern]
    first, last = int(match[2]), int(match[3])
    return ["%s%d%s" % (match[1], i, match[4]) for i in range(first, last + 1)]


def patterns_of(names):
    """Names that differ in one number, which rises by one, as NAME[A..B]."""
    out, i = [], 0
    while i < len(names):
        best = (i, names[i])
        for number in re.finditer(r"\d+", names[i]):
            head, tail, first = names[i][:number.start()], names[i][number.end():], int(number[0])
            j = i
            while j + 1 < len(names) and names[j + 1] == "%s%d%s" % (head, first + j + 1 - i, tail):
                j += 1
            if j > best[0]:
                best = (j, "%s[%d..%d]%s" % (head, first, first + j - i, tail))
        out.append(best[1])
        i = best[0] + 1
    assert sum((expand(p) for p in out), []) == names
    return out


def load(folder):
    files = {}
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        files[path.stem] = json.loads(path.read_text())
    if len(files) != 15:
        die("%d files in %s, not 15" % (len(files), folder))
    return files


def load_texts(path):
    """The descriptions, templates and numbered names filled in."""
    raw = yaml.safe_load(pathlib.Path(path).read_text())
    texts = dict(raw["counters"])

    def fill(value, words):
        if isinstance(value, str):
            for word, by in words.items():
                value = value.replace("{%s}" % word, by)
        elif isinstance(value, list):
            value = [fill(v, words) for v in value]
        elif isinstance(value, dict):
            value = {fill(k, words): fill(v, words) for k, v in value.items()}
        return value

    for template, text in raw["templates"].items():
        for stage, word in raw["stages"].items():
            name = template.replace("{S}", stage)
            if name in texts:
                continue
            own = fill(text, {"stage": word})
            own["defects"] = [d for d in own.get("defects", []) if not d[1]
                              or stage in d[1].split()]
            own["is_template"] = True
            texts[name] = own
    for name, aliases in raw["aliases"].items():
        texts[name]["aliases"] = aliases
    queries = {}
    for name, text in raw["queries"].items():
        if "{0..3}" not in name:
            queries[name] = text
            continue
        for i in range(4):
            queries[name.replace("{0..3}", str(i))] = fill(text, {"n": str(i)})
    for api in raw["query_counters"].values():
        events = {}
        for name, event in api["events"].items():
            for i in range(4) if "{n}" in name else [None]:
                event_of = fill(event, {"n": str(i)})
                events[name.replace("{n}", str(i))] = [event[0] + ((i or 0) << 32)] + event_of[1:]
        api["events"] = events
    return raw, texts, queries


def load_document(path):
    rows = []
    for line in pathlib.Path(path).read_text().splitlines():
        if line and not line.startswith("#"):
            rows.append(dict(zip(("name", "group", "table", "footnote", "kind"), line.split())))
    return rows


def defects_of(text, tag):
    """Equation, or None, and sentences for one API and generation."""
    comp, sentences = None, []
    for defect in text.get("defects", []):
        if fnmatch.fnmatch(tag, defect[0]):
            sentences.append(defect[2])
            comp = defect[3] if len(defect) > 3 else comp
    return comp, " ".join(sentences)


class Writer:
    def __init__(self):
        self.lines = []

    def put(self, format_, *values):
        self.lines.append(format_ % values if values else format_)

    def text(self, key, value, indent):
        if value:
            self.put("%s%s: %s", indent, key, quote(value))

    def metric(self, name, group, unit, text):
        self.put("- name: %s", name)
        self.put("  group: %s", group)
        self.put("  unit: %s", unit)
        self.text("text", text["text"], "  ")
        if "range" in text:
            self.put("  range: [%s]", ", ".join(str(n) for n in text["range"]))
        for key in ("better", "advice", "caveat"):
            self.text(key, text.get(key), "  ")
        if "aliases" in text:
            self.put("  aliases: [%s]", ", ".join(text["aliases"]))
        self.put("  variants:")

    def variant(self, tags, inputs, comp, caveat):
        self.put("  - where: [%s]", ", ".join(tags))
        if inputs:
            self.put("    inputs: [%s]", ", ".join(
                '"%s"' % p if "[" in p else p for p in patterns_of(inputs)))
        if comp:
            self.put('    equation: "%s"', comp)
        self.text("caveat", caveat, "    ")

    def constants(self, constants):
        self.put("constants:")
        for name, (unit, text) in constants.items():
            self.put("  %s: {unit: %s, text: %s}", name, unit, quote(text + "."))

    def arch(self, tag, title, source, families=None):
        api, name = tag.split("-", 1)
        self.put("- name: %s", name)
        self.put("  api: %s", api)
        self.text("title", title, "  ")
        self.text("source", source, "  ")
        if families:
            self.put("  events: [%s]", ", ".join(families))


def families_of(block):
    return re.sub(r"\d+$", "", block["name"])


def shader_family(block):
    """SQ of SQ_VS0: the stages of a shader's block count the same events."""
    return re.sub(r"_[A-Z]S$", "", families_of(block))


def check_and_collect_events(files):
    """GENERATION -> FAMILY -> NAME -> number; all APIs and stages agree."""
    events = collections.defaultdict(lambda: collections.defaultdict(dict))
    for tag, file in files.items():
        first = 0
        for block in file["blocks"]:
            if block["first_index"] != first:
                die("%s: block %s does not follow" % (tag, block["name"]))
            first += block["counters"]
        for counter in file["counters"]:
            for name, index in zip(counter["inputs"], counter["input_index"]):
                block = next(b for b in file["blocks"]
                             if b["first_index"] <= index < b["first_index"] + b["counters"])
                if not name.startswith(block["name"] + "_"):
                    die("%s: %s is not of block %s" % (tag, name, block["name"]))
                family = shader_family(block) if "sq_stage" in block else families_of(block)
                rest, number = name[len(block["name"]) + 1:], index - block["first_index"]
                if events[file["generation"]][family].setdefault(rest, number) != number:
                    die("%s: %s has two numbers" % (tag, name))
    return {g: {f: dict(sorted(e.items(), key=lambda i: i[1])) for f, e in sorted(fs.items())}
            for g, fs in events.items()}


def put_blocks(out, file):
    out.put("  pass_cap: 120")
    out.put("  blocks:")
    runs, has_masked = [], any(block.get("is_masked") for block in file["blocks"])
    for block in file["blocks"]:
        if not block["slots"] or not block["counters"]:
            continue  # nothing can be counted there
        same = (families_of(block), block["counters"], block["slots"], block.get("sq_stage"),
                shader_family(block), block.get("is_masked"))
        number = block["name"][len(same[0]):]
        if (runs and runs[-1][0] == same and number
                and int(number) == runs[-1][1] + runs[-1][2]):
            runs[-1][2] += 1
        else:
            runs.append([same, int(number) if number else None, 1])
    for (family, counters, slots, stage, events_of, is_masked), first, count in runs:
        name = family
        if first is not None:
            name += "[%d..%d]" % (first, first + count - 1) if count > 1 else str(first)
        extra = ""
        if stage:
            extra = ", stage: %s, stage_slots: %d, events_of: %s" % (
                stage, file["sq_slots_per_stage"], events_of)
            if has_masked and stage != "SQ_ALL":
                extra += ", attributes: masks"
        elif family == "GPUTime":
            kind = file.get("stamps_of_a_kind", 1)
            extra = ", attributes: alone" + (":%d" % kind if kind > 1 else "")
        elif is_masked:
            extra = ", attributes: masked"
        out.put("  - {name: \"%s\", events: %d, slots: %d%s}", name, counters, slots, extra)


def put_query_blocks(out, counters):
    """The block of the queries, and that of those which share a pass with no others."""
    for part, extra in [(counters, ", events_of: %s" % counters["block"]),
                        (counters.get("apart"), ", attributes: apart")]:
        if part:
            out.put("  - {name: %s, events: %d, slots: %d%s}", part["block"],
                    len(part["events"]), len(part["events"]), extra)


def put_models(out, generations, wanted):
    out.put("models:")
    for generation in wanted:
        for name, model in generations[generation]["models"].items():
            out.put("- name: %s", name)
            out.put("  title: %s", model["title"])
            out.put("  where: %s", generation)
            out.put("  source: \"CodeXL 2.x device tables\"")
            for key, value in model.items():
                if key != "title":
                    out.put("  %s: %d", key, value)


def put_gcn_metric(out, name, tags, files, texts):
    counters = {t: next(c for c in files[t]["counters"] if c["name"] == name)
                for t in tags if any(c["name"] == name for c in files[t]["counters"])}
    if not counters:
        return
    facts = {(c["group"], c["usage"], c["type"]) for c in counters.values()}
    if len(facts) != 1:
        die("%s has several groups or usages: %s" % (name, facts))
    group, usage, _ = facts.pop()
    text = texts[name]
    if "unit" in text:
        die("%s has a unit of its own" % name)
    text["is_used"] = True
    out.metric(name, group, UNITS[usage], text)
    variants = collections.OrderedDict()
    for tag, counter in counters.items():
        comp, caveat = defects_of(text, tag)
        comp = ranges_of(comp or counter["comp"])
        variants.setdefault((tuple(counter["inputs"]), comp, caveat), []).append(tag)
    for (inputs, comp, caveat), on in variants.items():
        out.variant(on, list(inputs), comp, caveat)


def put_queries(out, queries, tags):
    apis = dict.fromkeys(t.split("-")[0] for t in tags)
    for name, text in queries.items():
        if not any(api in text for api in apis):
            continue
        out.metric(name, text.get("group", "D3D11"), text.get("unit", "items"), text)
        for api in apis:
            inputs = sum((expand(p) for p in text[api][1:]), [])
            out.variant([t for t in tags if t.startswith(api + "-")], inputs, text[api][0], "")


def make_gcn(files, apis, raw, texts, queries, about):
    tags = [t for t in files if t.split("-")[0] in apis]
    generations = list(dict.fromkeys(files[t]["generation"] for t in tags))
    events = check_and_collect_events(files)
    order = graphlib.TopologicalSorter()
    for tag in tags:
        previous = []
        for counter in files[tag]["counters"]:
            order.add(counter["name"], *previous)
            previous = [counter["name"]]
    out = Writer()
    out.put("source: %s", quote(GPA))
    out.put("architectures:")
    for tag in sorted(tags, key=lambda t: (apis.index(t.split("-")[0]), t)):
        generation = files[tag]["generation"]
        out.arch(tag, raw["generations"][generation]["title"], "",
                 [generation] + (["d3d11"] if tag.startswith("dx11") else []))
        put_blocks(out, files[tag])
        if tag.startswith("dx11"):
            put_query_blocks(out, raw["query_counters"]["dx11"])
    out.put("events:")
    for generation in generations:
        used = {f for t in tags if files[t]["generation"] == generation
                for b in files[t]["blocks"] for f in [families_of(b)]}
        out.put("  %s:", generation)
        for family, names in events[generation].items():
            if family not in used:
                continue
            out.put("    %s:", family)
            for name, number in names.items():
                out.put("      %s: %d", name, number)
    dx11 = [t for t in tags if t.startswith("dx11")]
    if dx11:
        put_query_events(out, "d3d11", raw["query_counters"]["dx11"])
    out.constants(raw["constants"])
    put_models(out, raw["generations"], generations)
    out.put("metrics:")
    for name in order.static_order():
        put_gcn_metric(out, name, tags, files, texts)
    if dx11:
        put_queries(out, queries, dx11)
    globs = " ".join(generations)
    return preface(" ".join(apis), globs, about) + "\n".join(out.lines) + "\n"


def put_query_events(out, table, counters):
    out.put("  %s:", table)
    for part in [counters] + [counters[key] for key in ["apart"] if key in counters]:
        out.put("    %s:", part["block"])
        for name, (number, unit, text) in part["events"].items():
            out.put("      %s: [0x%x, %s, %s]", name, number, unit, quote(text + "."))


def of_elapsed_time(text):
    """The guide says of what time a share is, and no equation that it is the active part of it."""
    return {key: value.replace("the GPU's active time", "the elapsed time")
            if isinstance(value, str) else value for key, value in text.items()}


def make_before_gcn(rows, raw, texts, files, queries):
    usages = {c["name"]: UNITS[c["usage"]] for f in files.values() for c in f["counters"]}
    out = Writer()
    out.put("source: %s", quote(GUIDE))
    out.text("no_equation", NO_EQUATION, "")
    out.put("architectures:")
    for api in ("cl", "gl", "dx11"):
        for generation in BEFORE_GCN[1:] if api == "cl" else BEFORE_GCN:
            tag = "%s-%s" % (api, generation)
            out.arch(tag, raw["generations"][generation]["title"], "",
                     ["d3d11"] if api == "dx11" else None)
            if api == "dx11":
                out.put("  blocks:")
                put_query_blocks(out, raw["query_counters"]["dx11"])
    out.put("events:")
    put_query_events(out, "d3d11", raw["query_counters"]["dx11"])
    out.put("metrics:")
    for row in rows:
        generations = FOOTNOTES[row["table"]][row["footnote"]]
        if row["kind"] == "query" or not generations:
            continue
        text = of_elapsed_time(texts[row["name"]])
        texts[row["name"]]["is_used"] = True
        if row["kind"] == "equation":
            text.pop("caveat", None)  # about the equation of later hardware
        elif "unit" not in text:
            die("%s has no unit" % row["name"])
        apis = ["cl"] if row["table"] == "cl" else ["gl", "dx11"]
        tags = ["%s-%s" % (a, g) for a in apis for g in generations]
        out.metric(row["name"], row["group"], text.get("unit") or usages[row["name"]], text)
        out.variant(tags, [], "", "")
    put_queries(out, queries, ["dx11-" + g for g in BEFORE_GCN])
    about = ("# Counters of GPUPerfAPI 2.15 on AMD GPUs before GCN, as the footnotes of its user "
             "guide of January\n# 2015 tell. No equations of them were published, but those over "
             "D3D11 queries.")
    return preface("cl gl dx11", " ".join(BEFORE_GCN), about) + "\n".join(out.lines) + "\n"


def make_queries(raw, queries):
    out = Writer()
    out.put("source: %s", quote(GUIDE))
    out.put("architectures:")
    for api in ("gl", "vulkan"):
        counters = raw["query_counters"][api]
        out.arch(api + "-any", counters["title"], "", [api])
        out.put("  vendor: any")
        out.put("  blocks:")
        put_query_blocks(out, counters)
    out.put("events:")
    for api in ("gl", "vulkan"):
        put_query_events(out, api, raw["query_counters"][api])
    out.put("metrics:")
    put_queries(out, queries, ["gl-any", "vulkan-any"])
    about = ("# The query counters of GPUPerfAPI's group D3D11, over standard queries that GPUs of "
             "all vendors have.\n# Sources: %s;\n# %s." % (
                 raw["query_counters"]["gl"]["source"].replace("; ", ";\n# "),
                 raw["query_counters"]["vulkan"]["source"]))
    return preface("gl vulkan", "any", about) + "\n".join(out.lines) + "\n"


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    files = load(sys.argv[1])
    raw, texts, queries = load_texts(sys.argv[2])
    rows = load_document(sys.argv[3])
    data = pathlib.Path(sys.argv[4])
    about = ("# Public counters of GPUPerfAPI 2.x for AMD GPUs of the GCN family under %s.\n# "
             "Names, groups, usages, inputs, equations and blocks are those of\n# GPUOpen-Tools/"
             "gpu_performance_api v2.23.1 (MIT licence), but for the equations whose caveat says\n"
             "# what tacho does instead. Descriptions, ranges and advice are tacho's own.")
    made = {
        "amd/gpa-compute.yaml": make_gcn(files, ["cl", "hsa"], raw, texts, queries,
                                         about % "OpenCL and HSA"),
        "amd/gpa-graphics.yaml": make_gcn(files, ["gl", "dx11"], raw, texts, queries,
                                          about % "OpenGL and Direct3D 11"),
        "amd/gpa-pre-gcn.yaml": make_before_gcn(rows, raw, texts, files, queries),
        "khronos/queries.yaml": make_queries(raw, queries),
    }
    unused = [n for n, t in texts.items() if not t.get("is_used") and not t.get("is_template")]
    if unused:
        die("texts that belong to nothing: " + " ".join(unused))
    for name, text in made.items():
        (data / name).parent.mkdir(exist_ok=True)
        (data / name).write_text(text)


if __name__ == "__main__":
    main()
