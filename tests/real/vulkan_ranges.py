#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vulkan_ranges.py FILE.jsonl: a line for each kind and path of ranges that have ended: KIND PATH
COUNT TIMED, and in brackets the commands in it: NAME COUNT, .... Looks at their times: what is timed
lies within what is around it, and the commands in a range within its times."""
import collections
import json
import sys


def within(inner, outer):
    return outer["start_ns"] <= inner["start_ns"] and inner["end_ns"] <= outer["end_ns"]


def main():
    ranges, calls = {}, []
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if row["schema"] == "tacho.range/1":
                ranges[row["id"]] = row
            elif row["schema"] == "tacho.call/1" and row.get("command"):
                calls.append(row)

    def path(row):
        around = ranges.get(row["parent"])
        return (path(around) + "/" if around else "") + row["name"]

    counts, timed = collections.Counter(), collections.Counter()
    inside = collections.defaultdict(collections.Counter)
    for row in ranges.values():
        if row["end_ns"] is None:
            assert row["kind"] == "frame", row
            continue
        key = row["kind"], path(row)
        counts[key] += 1
        timed[key] += row["kind"] == "frame" or bool(row.get("device_times"))
        if row["kind"] in ("label", "pass"):
            assert row["queue"], row
            around = ranges.get(row["parent"])
            if row["device_times"] and around and around["kind"] != "frame":
                assert around["device_times"] and within(row, around), (row, around)
    for call in calls:
        command = call["command"]
        for number in call.get("ranges", []):
            row = ranges[number]
            inside[row["kind"], path(row)][call["function"]] += row["end_ns"] is not None
            if row["kind"] in ("label", "pass") and command["state"] == "ok":
                assert within(command, row), (call, row)
    for key in sorted(counts):
        work = ", ".join("%s %d" % (name.replace("vkCmd", "", 1), count)
                         for name, count in sorted(inside[key].items()) if count)
        print(*key, counts[key], timed[key], "[%s]" % work)


main()
