#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each public function has a comment of its own, right above it: comments.py HEADER..."""
import sys

FUNCTION = "TACHO_API "


def find_bare(lines):
    """Numbers of lines, from 1, on which a function is declared without one."""
    before = ""
    for number, line in enumerate(lines, 1):
        if line.startswith(FUNCTION):
            is_comment = before.startswith(("/*", " *")) and before.endswith("*/")
            if not is_comment:
                yield number
        before = line


assert list(find_bare(["/* a */", FUNCTION + "a();", FUNCTION + "b(); /* b */",
                       FUNCTION + "c();"])) == [3, 4]
bare = functions = 0
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as header:
        text = header.read().splitlines()
    functions += sum(line.startswith(FUNCTION) for line in text)
    for at in find_bare(text):
        print(f"{name}:{at}: no comment of its own: {text[at - 1].strip()}")
        bare += 1
print(f"{functions} functions, {bare} without a comment")
sys.exit(bare > 0 or functions < 100)
