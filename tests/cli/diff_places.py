# SPDX-License-Identifier: MIT
"""One program on two GPUs whose kernels have other names, as Nsight Systems' databases.

    diff_places.py make        writes them into the current folder
    diff_places.py check NAME  reads JSON of tacho diff from stdin
"""
import json
import os
import sqlite3
import sys

import foreign
from foreign import CALLS, KERNEL, equal, names, table, tid

A = ["norm", "gemm_a", "add"] * 5 + ["only_a", "tail_a", "norm"]
B = ["norm", "cijk_b", "add"] * 5 + ["tail_b", "norm", "only_b", "norm"]
# half of its launches stand beside another kernel: no more than a guess
MIXED = ["norm", "cijk_b", "add", "norm", "other_b", "add"] * 2 + ["norm"]
TIMES = {"norm": 10, "gemm_a": 40, "cijk_b": 30, "add": 5, "other_b": 3}


def make(path, gpu, order):
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    ids = {name: 100 + i for i, name in enumerate(sorted(set(order)))}
    foreign.STRINGS.update({number: name for name, number in ids.items()})
    names(db)
    table(db, "TARGET_INFO_GPU", "id name", [(0, gpu)])
    table(db, "CUPTI_ACTIVITY_KIND_RUNTIME", CALLS,
          [(100 * i, 100 * i + 10, 0, tid(7, 8), i + 1, 1, 0, None) for i in range(len(order))])
    table(db, "CUPTI_ACTIVITY_KIND_KERNEL", KERNEL,
          [(100 * i + 20, 100 * i + 20 + TIMES.get(name, 7), 0, 1, 7, i + 1, tid(7, 0), ids[name], ids[name],
            8, 1, 1, 1, 8, 1, 1, 0, 0, 0) for i, name in enumerate(order)])
    db.commit()
    db.close()


def write():
    make("a.sqlite", "GPU A", A)
    make("b.sqlite", "GPU B", B)
    make("same.sqlite", "GPU A", B)
    make("mixed.sqlite", "GPU B", MIXED)
    make("strange_a.sqlite", "GPU A", ["x1", "x2", "x1"])
    make("strange_b.sqlite", "GPU B", ["y1", "y2", "y1"])
    with open("pairs", "w") as file:
        file.write("# the last steps\nonly_a\tonly_b\r\n\ngemm_*\tregex:^cijk_\n")
    with open("wrong", "w") as file:
        file.write("only_a only_b\n")


def lines(document):
    return {l["name"]: (l["matched_by"], l["name_b"], [m["a"]["value"] for m in l["measures"] if m["name"] == "time"],
                        [m["b"]["value"] for m in l["measures"] if m["name"] == "time"]) for l in document["lines"]}


ALONE = {"tail_a": (None, None, [7], [None]), "tail_b": (None, None, [None], [7])}
SHARED = {"norm": ("name", None, [10], [10]), "add": ("name", None, [5], [5])}
ONLY = {"only_a": (None, None, [7], [None]), "only_b": (None, None, [None], [7])}


def check_place(document):
    """Between norm and add stands one kernel on both sides; at the end they are not as many."""
    equal(document["match"], "name", "match")
    equal(lines(document), dict(SHARED, gemm_a=("place", "cijk_b", [40], [30]), **ALONE, **ONLY), "lines")


def check_device(document):
    equal(document["match"], "device", "match")
    equal(sorted(lines(document)), ["add", "cijk_b", "gemm_a", "norm", "only_a", "only_b", "tail_a", "tail_b"], "lines")
    assert not any(l["matched_by"] for l in document["lines"]), "devices are not the same"


def check_pairs(document):
    equal(lines(document), dict(SHARED, only_a=("pair", "only_b", [7], [7]),
                                **{"gemm_*": ("pair", "regex:^cijk_", [40], [30])}, **ALONE), "lines")


def check_mixed(document):
    equal({l["name"]: l["matched_by"] for l in document["lines"] if l["name"] in ("gemm_a", "cijk_b", "other_b")},
          {"gemm_a": None, "cijk_b": None, "other_b": None}, "what is no more than a guess")


def check_strange(document):
    equal(lines(document), {"x1": ("place", "y1", [7], [7]), "x2": ("place", "y2", [7], [7])}, "lines")


def check_bert(document):
    kernels = document["lines"]
    by = {}
    for line in kernels:
        by.setdefault(line["matched_by"], []).append(line)
    equal({how: len(lines) for how, lines in by.items()}, {"name": 3, "place": 8}, "lines, by how they were matched")
    for side, time in (("a", 307197), ("b", 388344)): # TraceLens: 0.307198 and 0.388345 ms
        sums = {m["name"]: 0 for line in kernels for m in line["measures"]}
        for line in kernels:
            for measure in line["measures"]:
                sums[measure["name"]] += measure[side]["value"]
        equal((sums["count"], sums["total"]), (60, time), "launches and time of " + side)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        write()
    else:
        globals()["check_" + sys.argv[2]](json.load(sys.stdin))
