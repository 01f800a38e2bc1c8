#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a tool of the code in ROCprofiler-SDK's document on counter collection.

    document.py DOCUMENT dispatch|device >tool.cpp

The document's code is taken as it stands there, but for one thing: its second sample has both ways
of counting, one behind the other, of which a tool can have one. What the document leaves out is in
frame.cpp beside this file, whose lines "//@ NAME" are where the samples go.
"""

import os
import re
import sys

FRAME = os.path.join(os.path.dirname(os.path.abspath(__file__)), "frame.cpp")
NAMES = ("create", "configure", "agents", "counters", "info", "config", "dispatch_callback",
         "set_profile", "records")


def read_samples(path):
    with open(path, encoding="utf-8") as file:
        samples = re.findall(r"^```C(?:PP|\+\+)\n(.*?)^```", file.read(), re.M | re.S)
    if len(samples) != len(NAMES):
        sys.exit("%s has %d samples of C++, not %d" % (path, len(samples), len(NAMES)))
    return dict(zip(NAMES, samples))


def choose(configure, way):
    """One of the two halves, which begin with a comment each."""
    halves = re.split(r"^\s*/\* For \w+ Counting \*/\n", configure, flags=re.M)
    if len(halves) != 3:
        sys.exit("the sample that configures has %d halves" % (len(halves) - 1))
    return halves[1 if way == "dispatch" else 2]


def main():
    samples = read_samples(sys.argv[1])
    samples["configure"] = choose(samples["configure"], sys.argv[2])
    print("#define COUNTS_DEVICE %d" % (sys.argv[2] == "device"))
    with open(FRAME, encoding="utf-8") as file:
        for line in file:
            name = re.match(r"\s*//@ (\w+)", line)
            print(samples[name.group(1)] if name else line, end="")


if __name__ == "__main__":
    main()
