# SPDX-License-Identifier: MIT
"""Recordings of each platform without a file of definitions, against what i915-perf-reader of IGT
1.27.1 made of the same ones.

    oa_vectors.py TACHO OA_MAKE VECTORS [--write]

VECTORS has "ARCH SET GUID", and behind it "  NAME VALUE" as the reader printed it for the first span of
a recording that oa_make writes. --write makes it, with the reader.
"""
import math
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oa  # noqa: E402


def make(oa_make, folder, arch, name, guid):
    path = os.path.join(folder, arch + ".rec")
    subprocess.run([oa_make, path, arch, name, guid, "24", "1"], check=True)
    return path


def read(path):
    """[(arch, set, guid, {name: text})]"""
    blocks = []
    with open(path) as file:
        for line in file:
            words = line.split()
            if line.startswith("#"):
                continue
            if line.startswith("  "):
                blocks[-1][3][words[0]] = words[1]
            else:
                blocks.append((*words, {}))
    return blocks


def write(oa_make, path, blocks):
    with tempfile.TemporaryDirectory() as folder, open(path, "w") as file:
        file.write("# SPDX-License-Identifier: MIT\n"
                   "# What i915-perf-reader 1.27.1 makes of recordings: tests/real/oa_vectors.py.\n")
        for arch, name, guid, _ in blocks:
            file.write("%s %s %s\n" % (arch, name, guid))
            span = oa.read_reference(make(oa_make, folder, arch, name, guid))[0]
            for counter, text in span["values"].items():
                file.write("  %s %s\n" % (counter, text))


def compare(tacho, oa_make, blocks):
    faults = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for arch, name, guid, expected in blocks:
            path = make(oa_make, folder, arch, name, guid)
            got = oa.read_tacho(tacho, path, "context", [])[0]["values"]
            for counter, text in expected.items():
                mine = got.get(counter, {"value": None})
                is_below = "fell below 0" in mine.get("reason", "") and oa.is_nonsense(text)
                count += 1
                if not is_below and (mine["value"] is None or not oa.is_equal(text, mine["value"])):
                    print("%s %s %s: expected %s, got %s" % (arch, name, counter, text, mine))
                    faults += 1
            for counter in set(got) - set(expected):
                if got[counter]["state"] != "absent":
                    print("%s %s %s: the reader does not know it" % (arch, name, counter))
                    faults += 1
    print("%d values of %d platforms, %d faults" % (count, len(blocks), faults))
    return faults


def main():
    tacho, oa_make, path = sys.argv[1:4]
    if "--write" in sys.argv:
        write(oa_make, path, read(path))
        return 0
    return 1 if compare(tacho, oa_make, read(path)) else 0


if __name__ == "__main__":
    sys.exit(main())
