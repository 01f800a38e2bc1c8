# SPDX-License-Identifier: MIT
"""The table of bench/findings: what was stated against what was measured, medians of the rounds, or
with "least" as second word what the least runs of the twins differ by."""
import statistics
import sys

modes = {}
for line in open(sys.argv[1]):
    mode, kind, *numbers = line.split()
    kinds = modes.setdefault(mode, {"fault": [], "mended": [], "stated": []})
    kinds[kind].append([float(n) for n in numbers])

print("| fault | the run | its calls took | stated gain | measured gain | within a factor of two |")
print("|---|---|---|---|---|---|")
worst = 0.0
for mode, kinds in modes.items():
    took = statistics.median(n[0] for n in kinds["fault"]) / 1e6
    low, high, cost = (statistics.median(n[i] for n in kinds["stated"]) / 1e6 for i in range(3))
    gains = sorted((a[0] - b[0]) / 1e6 for a, b in zip(kinds["fault"], kinds["mended"]))
    middle = statistics.median(gains)
    # The middle half of the pairs.
    least, most = gains[len(gains) // 4], gains[-1 - len(gains) // 4]
    if sys.argv[2:] == ["least"]:
        middle = (min(n[0] for n in kinds["fault"]) - min(n[0] for n in kinds["mended"])) / 1e6
        least = most = middle
    if max(high, middle) < min(1, took / 100):
        verdict = "nothing to gain: both are less than a finding is"
    elif low / 2 <= middle <= high * 2:
        verdict = "yes"
    elif low / 2 <= most and least <= high * 2:
        verdict = "the pairs differ by more than that"
    else:
        verdict = "no"
    print(f"| {mode} | {took:.0f} ms | {cost:.1f} ms | {low:.1f} to {high:.1f} ms | {middle:.1f} ms "
          f"({least:.1f} to {most:.1f}) | {verdict} |")
    worst = max([worst] + [n[3] for n in kinds["stated"]])
print(f"\nIn no run did all findings together gain more than {worst:.0%} of its time. Measured gains are",
      "between the least runs of both twins." if sys.argv[2:] == ["least"] else
      "medians of the pairs, with the middle half of them.")
