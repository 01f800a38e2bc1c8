#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Public structs as compilers lay them out on 64-bit machines, and the numbers of public enums.

    structs.py INCLUDE CC...              compares with structs.txt, which is beside this script
    structs.py --write INCLUDE CC...      writes structs.txt: look at what changed before you commit

A header is compiled with debug information, and readelf prints that.
"""
import difflib
import os
import re
import subprocess
import sys
import tempfile

REVIEWED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "structs.txt")
HEADERS = ("tacho/tacho.h", "compat/GPUPerfAPI.h", "rocprofiler-sdk/registration.h",
           "rocprofiler-sdk/rocprofiler.h")
OURS = re.compile(r"_?(tacho_|Gpa|GPA|rocprofiler_|HSA_|Hsa)")
HEAD = """\
# Public structs on 64-bit machines, with offsets and sizes in bytes, and public enums. Programs were
# compiled with them: a change must be meant. tests/abi/structs.py --write include cc writes this file.
"""


class Node:
    """A piece of debug information: a type, a member, an enumerator."""

    def __init__(self, tag):
        self.tag, self.values, self.children = tag, {}, []

    def number(self, key):
        return int(self.values.get(key, "0").split()[0], 0)


def compile_headers(include, cc, folder):
    source, target = os.path.join(folder, "all.c"), os.path.join(folder, "all.o")
    with open(source, "w") as file:
        file.writelines(f'#include "{header}"\n' for header in HEADERS)
    subprocess.run([*cc, "-std=c99", "-gdwarf-4", "-fno-eliminate-unused-debug-types",
                    f"-I{include}", f"-I{include}/compat", "-c", source, "-o", target], check=True)
    return subprocess.run(["readelf", "--debug-dump=info", target], check=True, text=True,
                          capture_output=True, env={**os.environ, "LC_ALL": "C"}).stdout


def read_nodes(text):
    """All nodes by their offsets."""
    nodes, open_nodes = {}, {}
    for line in text.splitlines():
        begin = re.match(r" <([0-9a-f]+)><([0-9a-f]+)>: .*\((DW_TAG_\w+)\)", line)
        if begin:
            depth, node = int(begin[1], 16), Node(begin[3][7:])
            nodes[begin[2]] = open_nodes[depth] = node
            if depth:
                open_nodes[depth - 1].children.append(node)
            continue
        value = re.match(r"    <[0-9a-f]+>   DW_AT_(\w+) *: (?:\(.*?, offset: \w+\): )?(.*)", line)
        if value and open_nodes:
            node.values[value[1]] = value[2].strip()
    return nodes


def type_of(nodes, node):
    return nodes.get(node.values.get("type", "<0x>")[3:-1])


def declare(nodes, node, name):
    """As C has it, but for functions."""
    inner = type_of(nodes, node) if node else None
    if not node:
        return f"void {name}"
    if node.tag == "pointer_type":
        return declare(nodes, inner, "*" + name)
    if node.tag == "const_type":
        return (declare(nodes, inner, "const " + name) if inner and inner.tag == "pointer_type"
                else "const " + declare(nodes, inner, name))
    if node.tag == "array_type":
        counts = [one.number("count") or one.number("upper_bound") + 1 for one in node.children]
        return declare(nodes, inner, name + "".join(f"[{count}]" for count in counts))
    if node.tag == "subroutine_type":
        return f"function {name}"
    keyword = {"structure_type": "struct", "union_type": "union", "enumeration_type": "enum"}
    words = [keyword.get(node.tag, ""), node.values.get("name", ""), name]
    return " ".join(word for word in words if word)


def print_members(nodes, node, base, path, lines):
    for member in node.children:
        if member.tag != "member":
            continue
        at, kind = base + member.number("data_member_location"), type_of(nodes, member)
        name = path + member.values.get("name", "")
        if "name" in member.values:
            lines.append(f"\t{at} {declare(nodes, kind, name)}")
        if "name" not in kind.values and kind.tag in ("structure_type", "union_type"):
            print_members(nodes, kind, at, name + "." if name else "", lines)


def print_layouts(nodes):
    found = {}
    for node in nodes.values():
        kind = type_of(nodes, node) if node.tag == "typedef" else node
        name = node.values.get("name", "")
        if not OURS.match(name) or not kind or (kind is not node and "name" in kind.values):
            continue
        lines = []
        if kind.tag == "enumeration_type":
            lines.append(f"enum {name}")
            lines += [f"\t{one.values['const_value'].split()[0]} {one.values['name']}"
                      for one in kind.children]
        elif kind.tag == "structure_type" and kind.children:
            lines.append(f"struct {name} {kind.number('byte_size')}")
            print_members(nodes, kind, 0, "", lines)
        if lines:
            found[lines[0]] = lines
    return HEAD + "".join("\n" + "\n".join(found[key]) + "\n" for key in sorted(found))


def main():
    arguments = sys.argv[1:]
    is_writing = arguments[:1] == ["--write"]
    include, *cc = arguments[is_writing:]
    with tempfile.TemporaryDirectory() as folder:
        text = compile_headers(include, cc, folder)
    if "Pointer Size:  8" not in text:
        print("SKIP: not a 64-bit machine")
        return 77
    layouts = print_layouts(read_nodes(text))
    if layouts.count("\nstruct ") < 30:
        print("structs.py: readelf's output is not understood")
        return 1
    if is_writing:
        with open(REVIEWED, "w") as file:
            file.write(layouts)
        return 0
    with open(REVIEWED) as file:
        reviewed = file.read()
    sys.stdout.writelines(difflib.unified_diff(
        reviewed.splitlines(True), layouts.splitlines(True), "reviewed", "headers"))
    if reviewed != layouts:
        print("\nif that is meant: python3 tests/abi/structs.py --write include cc")
    return reviewed != layouts


if __name__ == "__main__":
    sys.exit(main())
