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
# What keeps a processor busy gains the run nothing: what it cost is what is stated.
if rule == "busy-wait":
    own = [dict(f, gain_low_ns=f["cost_ns"], gain_high_ns=f["cost_ns"])
           for f in report["findings"] if f["rule"] == rule]
low, high, cost = (sum(f[key] or 0 for f in own)
                   for key in ("gain_low_ns", "gain_high_ns", "cost_ns"))
print(mode, "stated", low, high, cost, share)
