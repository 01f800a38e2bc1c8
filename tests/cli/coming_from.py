#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What docs/coming-from.md says to type, typed: coming_from.py DOCS SOURCES, in an empty folder that
has the file FILE and the recording NAME. Options alone are given to `tacho record`."""
import os
import re
import shutil
import subprocess
import sys

docs, sources = sys.argv[1:]
# What stands in the table for somebody's own.
WORDS = {
    "./app": "true", "FILE": "FILE", "FILE.atp": "nbody.atp", "regex:RE": "regex:a", "MS": "1",
    "A,B": "SQ_WAVES,GRBM_COUNT", "M": "SQ_WAVES", "N": "1", "FOLDER/NAME": "FOLDER/NAME", "A": "gfx942",
    "EVENT": "page-faults", "WORD": "lds", "KERNEL": "spread", "OUT": "stat.txt", "PID": str(os.getpid()),
}
OWN_DEVICE = "DEV" # there may be none


def works(*words):
    return not subprocess.run(words, capture_output=True, check=False).returncode


CUPTI = works("tacho", "list", "archs", "--api", "cuda")
# What the kernel lets this user count: programs, and the whole machine.
COUNTS = {False: works("tacho", "stat", "true"), True: works("tacho", "stat", "-a", "true")}
# What an export of programs says, and ends with 125, of a program that compiles nothing.
NOTHING = "there is nothing to write to run.programs"


def run(words):
    result = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if result.returncode and NOTHING not in result.stderr:
        sys.exit(f"{' '.join(words)}: status {result.returncode}\n{result.stderr}")


def is_ours(text):
    """Whether this machine has what the line needs."""
    if text.startswith("tacho stat ") and not COUNTS["-a" in text.split()]:
        return False
    return (OWN_DEVICE not in text.split() or "set:" in text) and (CUPTI or "--api cuda" not in text)


def try_cell(text):
    words = [WORDS.get(word.strip('"'), word.strip("\"'")) for word in text.split()]
    sets = [word for word in words if word.startswith("set:")]
    if sets: # NVIDIA's: what they are is known without a GPU
        if CUPTI:
            run(["tacho", "plan", "--arch", "gh100", "--api", "cuda", "-m", *sets])
        return
    if words[:2] == ["tacho", "record"]:
        words[2:2] = ["-q", "-f", "--sim", "mi300x"]
        if "-o" not in words:
            words[2:2] = ["-o", "run"]
        run(words)
    elif words[:3] == ["tacho", "oa", "record"]:
        run(words[:3] + ["--sim", "bsw"] + words[3:])
    elif words[0] == "tacho":
        if words[1] == "export":
            words.append("-f")
        if "--definitions" in words:
            words[words.index("--definitions") + 1] = sources + "/tests/data/catalog/extra.yaml"
            words += ["--arch", "gfx942", "-m", "SQ_WAVES"]
            words += ["--values", "values.csv"] if words[1] == "eval" else []
        run(words)
    else:
        words = ["other" if word == "NAME" and "-o" in words else word for word in words]
        more = [] if "-o" in words else ["-o", "run"]
        quiet = [] if "--report" in words else ["-q"]
        run(["tacho", "record", *quiet, "-f", "--sim", "mi300x", "-m", "SQ_WAVES", *more, *words,
             "--", "true"])


os.makedirs("FOLDER", exist_ok=True)
for suffix in ("atp", "csv"):
    shutil.copy(f"{sources}/tests/data/codexl/import/nbody.{suffix}", ".")
with open("values.csv", "w") as file:
    file.write("name,SQ_WAVES,SQ_INSTS_VALU\na,1,2\n")
tried = 0
for line in open(docs):
    cells = re.split(r" \| ", line.strip().strip("|").strip())
    if not line.startswith("| `") and not line.startswith("| a run"):
        continue
    for text in re.findall(r"`([^`]+)`", cells[1]):
        if is_ours(text):
            try_cell(text)
            tried += 1
print(tried, "lines do what they say")
