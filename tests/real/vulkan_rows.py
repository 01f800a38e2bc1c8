#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vulkan_rows.py FILE.jsonl: a line for each name of a command that a device ran, and how many have
times: NAME COUNT TIMED [BYTES]. Looks at all of their times: in order, of one queue and thread one
behind the other, and within the call and the wait that they are between."""
import collections
import json
import sys

SLACK_NS = 5000  # of a time's place on the host's clock


def main():
    counts, timed, sums = collections.Counter(), collections.Counter(), collections.Counter()
    last_end = {}
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            command = row.get("command") if row["schema"] == "tacho.call/1" else None
            if not command:
                continue
            name = row["function"]
            counts[name] += 1
            sums[name] += command.get("bytes") or 0
            if command["state"] != "ok":
                assert command["reason"], row
                continue
            timed[name] += 1
            queued = command["queued_ns"]  # not known where the clocks are not read together
            assert (queued or 0) <= command["start_ns"] <= command["end_ns"], row
            queue = command["queue"], row["thread"]
            if name != "vkCmdExecuteCommands" and not name.startswith("vkCmdBegin"):
                assert command["start_ns"] + SLACK_NS >= last_end.get(queue, 0), row
            last_end[queue] = command["end_ns"]
    for name in sorted(counts):
        print(name, counts[name], timed[name], *([sums[name]] if sums[name] else []))


main()
