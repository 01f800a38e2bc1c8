#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs what a page shows, in the current folder, and compares: shown.py PAGE [PROGRAM]

Lines "    $ COMMAND" are run by a shell, in their order; indented lines below one are its output.
Numbers with their units are not compared, nor how wide columns are and where lines are folded, nor
what hangs on the times of one run: what tacho diff thinks of one run a side, how grave a finding is
and which finding comes first. All else that is shown must be there. "..." stands for what is left
out. A block "```diff" changes PROGRAM. Prints how many commands were run.
"""
import pathlib
import re
import subprocess
import sys

NUMBER = re.compile(r"(?:\bx )?[<+-]?\d[\d,]*(?:\.\d+)?(?: ?(?:%|[kMGT]?B/s|[kMGT]?B|[num]?s)(?!\w))?")
JUDGEMENT = re.compile(r"\b(?:unsure|drift|noise)\b")
FINDING = re.compile(r"^(?:warning|advice|remark): (?=[a-z-]+$)", re.M)


def mask(text):
    text = FINDING.sub("finding: ", text)
    return " ".join(JUDGEMENT.sub("unsure", NUMBER.sub("#", text)).split())


def read_page(path):
    """("run", command, shown lines) and ("change", lines) in the order of the page."""
    steps, change, shown = [], None, None
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        if change is not None:
            if line == "```":
                change = None
            else:
                change.append(line)
        elif line == "```diff":
            change, shown = [], None
            steps.append(("change", change, None))
        elif line.startswith("    $ "):
            shown = []
            steps.append(["run", line[6:], shown])
        elif steps and shown == [] and steps[-1][1].endswith("\\"):
            steps[-1][1] += "\n" + line.removeprefix("    ")
        elif line.startswith("    ") and shown is not None:
            shown.append(line[4:])
        elif line:
            shown = None
    return steps


def apply(change, path):
    old = "".join(line[1:] + "\n" for line in change if line[0] in "- ")
    new = "".join(line[1:] + "\n" for line in change if line[0] in "+ ")
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        sys.exit(f"{path} has this {text.count(old)} times:\n{old}")
    path.write_text(text.replace(old, new), encoding="utf-8")


def run(command, shown):
    done = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.exit(f"status {done.returncode} of: {command}\n{done.stdout}")
    printed, at = mask(done.stdout), 0
    for part in (part for line in shown for part in line.split("...")):
        found = printed.find(mask(part), 0 if FINDING.match(part) else at)
        if found < 0:
            sys.exit(f"{command}\ndoes not print, in this order: {part}\n{done.stdout}")
        at = found + len(mask(part))


def main(page, program=None):
    count = 0
    for kind, what, shown in read_page(page):
        if kind == "change":
            apply(what, pathlib.Path(program))
        else:
            run(what, shown)
            count += 1
    print(f"{page}: {count} commands do what is shown")
    return count == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
