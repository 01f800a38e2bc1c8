#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What looking for a better order saves: passes of NVIDIA's library as given and in the best order.

    cupti_orders.py TACHO        prints the table of bench/RESULTS.md; needs CUPTI, and no GPU
"""
import json
import os
import subprocess
import sys
import tempfile
import time

CHIPS = "gv100 tu102 tu116 ga100 ga102 gh100 ad102 gb100 gb110 gb202".split()
SETS = "basic detailed full".split()


def plan(tacho, chip, entries, cache):
    """The plan, and the seconds that it took."""
    begin = time.monotonic()
    done = subprocess.run([tacho, "plan", "--arch", chip, "--api", "cuda", "-m", entries, "--json"],
                          check=True, text=True, stdout=subprocess.PIPE,
                          env={**os.environ, "XDG_CACHE_HOME": cache})
    return json.loads(done.stdout), time.monotonic() - begin


def main():
    print("| chip | set | entries | by name | as given | found | orders tried | s | s, kept |")
    print("|---|---|---|---|---|---|---|---|---|")
    for chip in CHIPS:
        for name in SETS:
            with tempfile.TemporaryDirectory() as cache:
                found, first = plan(sys.argv[1], chip, "set:" + name, cache)
                again, second = plan(sys.argv[1], chip, "set:" + name, cache)
                names = sorted(entry["name"] for entry in found["entries"])
                by_name, _ = plan(sys.argv[1], chip, ",".join(names), cache)
            assert len(found["passes"]) == len(again["passes"])
            print("| %s | %s | %d | %d | %d | %d | %d | %.1f | %.1f |" % (
                chip, name, len(names), by_name["passes_as_given"], found["passes_as_given"],
                len(found["passes"]), found["orders_tried"], first, second), flush=True)


if __name__ == "__main__":
    main()
