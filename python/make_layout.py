#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tacho/_layout.py: the structs and enums of include/tacho for ctypes.

    make_layout.py STRUCTS.TXT >_layout.py

STRUCTS.TXT is tests/abi/structs.txt, which a test compares with the headers. What is written is tried
here: sizes and offsets are those of the list, or it fails.
"""
import ctypes
import re
import sys

HEAD = '''\
# SPDX-License-Identifier: MIT
"""Structs and enums of libtacho, made from its headers. Private."""
from ctypes import (POINTER, Structure, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t,
                    c_uint8, c_uint16, c_uint32, c_uint64, c_void_p)
'''
PLAIN = {"int": "c_int", "int32_t": "c_int32", "int64_t": "c_int64", "size_t": "c_size_t",
         "uint8_t": "c_uint8", "uint16_t": "c_uint16", "uint32_t": "c_uint32",
         "uint64_t": "c_uint64", "double": "c_double", "char": "c_char",
         "unsigned char": "c_uint8", "tacho_range": "c_uint64"}


class Struct:
    def __init__(self, name, size):
        self.name, self.size, self.members = name, size, []  # members: (offset, type, name)


def read(path):
    """Structs and enums of tacho, by their names."""
    structs, enums, current = {}, {}, None
    with open(path) as file:
        for line in file:
            begin = re.match(r"(struct|enum) (\w+)(?: (\d+))?$", line)
            if begin:
                is_ours = begin[2].startswith("tacho_")
                current = None
                if is_ours and begin[1] == "struct":
                    current = structs[begin[2]] = Struct(begin[2], int(begin[3]))
                elif is_ours:
                    current = enums[begin[2]] = []
            elif current is not None and line.startswith("\t"):
                number, rest = line.strip().split(" ", 1)
                if isinstance(current, list):
                    current.append((rest, int(number)))
                else:
                    current.members.append((int(number), rest))
    return structs, enums


def type_of(declaration, structs):
    """The name of a member and its type, for ctypes."""
    declaration = re.sub(r"\bconst\b ?", "", declaration)
    base, stars, name, counts = re.fullmatch(
        r"(.*?) (\**)([\w.]+)((?:\[\d+\])*)", declaration).groups()
    if base.startswith("struct ") and base[7:] in structs:
        kind = base[7:]
    elif base.startswith("enum "):
        kind = "c_int"
    else:
        kind = PLAIN.get(base)
    if base in ("function", "union") or (stars and kind is None):
        kind, stars = "c_void_p", ""
    elif kind == "c_char" and stars:
        kind, stars = "c_char_p", stars[1:]
    if kind is None:
        raise SystemExit(f"make_layout.py: what is {declaration!r}?")
    for _ in stars:
        kind = f"POINTER({kind})"
    for count in reversed(re.findall(r"\d+", counts)):
        kind = f"{kind} * {count}"
    return name, kind


def fields_of(struct, structs):
    """Without members of unnamed unions, which are written as one pointer."""
    return [type_of(text, structs) for _, text in struct.members if "." not in text.split()[-1]]


def in_order(structs):
    """Those that others contain come before these."""
    done = []

    def visit(struct):
        if struct in done:
            return
        for _, kind in fields_of(struct, structs):
            if kind.split(" ")[0] in structs:
                visit(structs[kind.split(" ")[0]])
        done.append(struct)

    for struct in structs.values():
        visit(struct)
    return done


def write(structs, enums):
    lines = [HEAD]
    for name, values in sorted(enums.items()):
        lines.append("")
        lines += [f"{word} = {number}" for word, number in values]
    lines.append("")
    for struct in structs.values():
        lines.append(f"\n\nclass {struct.name}(Structure):\n    pass")
    lines.append("\n")
    for struct in in_order(structs):
        lines.append(f"{struct.name}._fields_ = [")
        lines += [f'    ("{name}", {kind}),' for name, kind in fields_of(struct, structs)]
        lines.append("]")
    return "\n".join(lines) + "\n"


def check(text, structs):
    made = {}
    exec(text, made)
    for struct in structs.values():
        one = made[struct.name]
        if ctypes.sizeof(one) != struct.size:
            raise SystemExit(f"make_layout.py: {struct.name} has {ctypes.sizeof(one)} bytes, "
                             f"not {struct.size}")
        for offset, text in struct.members:
            name = type_of(text, structs)[0]
            if "." not in name and getattr(one, name).offset != offset:
                raise SystemExit(f"make_layout.py: {struct.name}.{name} is not at {offset}")


def main():
    structs, enums = read(sys.argv[1])
    text = write(structs, enums)
    if len(structs) < 30 or len(enums) < 10:
        raise SystemExit("make_layout.py: the list of structs is not understood")
    check(text, structs)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
