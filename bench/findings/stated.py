# SPDX-License-Identifier: MIT
"""What the findings of a mode's rules say: for bench/findings/run.sh."""
import json
import sys

mode, path = sys.argv[1:]
rule = mode.removeprefix("vk/")
report = json.load(open(path))
rules = {"changing-options": ("repeated-build",),
         "cold-cache": ("build-time", "slow-first-launch")}.get(rule, (rule,))
findings = [f for f in report["findings"] if f["gain_high_ns"] is not None]
run = report["run"]
share = sum(f["gain_high_ns"] for f in findings) / (run["end_ns"] - run["start_ns"])
own = [f for f in findings if f["rule"] in rules]


def tell(name, findings, low_key, high_key):
    """A line of the mode: gains or what was kept busy, the cost, and what all findings gain."""
    low, high, cost = (sum(f[key] or 0 for f in findings) for key in (low_key, high_key, "cost_ns"))
    print(name, "stated", low, high, cost, share)


# A loop of questions keeps a processor busy, which is not the run's time: that is a row of its own.
if rule == "busy-wait":
    loops = [f for f in report["findings"] if f["rule"] == rule]
    tell(mode, loops, "processor_low_ns", "processor_high_ns")
    tell(f"{mode}@wall", loops, "gain_low_ns", "gain_high_ns")
else:
    tell(mode, own, "gain_low_ns", "gain_high_ns")
