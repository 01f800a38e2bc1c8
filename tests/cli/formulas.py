# SPDX-License-Identifier: MIT
"""The tables and examples of docs/formulas.md are what tacho answers. formulas.py SOURCES"""
import json
import re
import subprocess
import sys

sources = sys.argv[1]
values = sources + "/tests/data/formula/example.json"
short = {"DIMENSION_" + name: name for name in
         "XCC AID SHADER_ENGINE AGENT SHADER_ARRAY WGP INSTANCE".split()}
failures = 0
checked = {"result": 0, "error": 0, "example": 0}


def ask(formula, notation="infix"):
    command = ["tacho", "eval", "--values", values, "--notation", notation, "--json", "-e", formula]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        return done.returncode, json.loads(done.stdout)
    except ValueError:
        return done.returncode, {"error": {"message": done.stdout + done.stderr, "column": None}}


def fail(formula, wanted, got):
    global failures
    failures += 1
    print("FAIL: %s: the page says %s, tacho eval %s" % (formula, wanted, got))


def numbers_of(text):
    """"WGP 4: 56 64" or "SHADER_ENGINE 4, WGP 4: 1 ... 16" or "272"."""
    numbers = []
    for word in re.findall(r"\.\.\.|-?\d+(?:\.\d+)?", text.split(": ", 1)[-1]):
        numbers.append(word if word == "..." else float(word))
    while "..." in numbers:
        at = numbers.index("...")
        numbers[at:at + 1] = [float(n) for n in range(int(numbers[at - 1]) + 1,
                                                      int(numbers[at + 1]))]
    return numbers


def dimensions_of(text):
    if ": " not in text:
        return []
    return [(name, int(extent)) for name, extent in
            re.findall(r"([A-Z_]+) (\d+)(?:,|$)", text.split(": ")[0])]


def check_result(formula, wanted):
    status, answer = ask(formula)
    if wanted.startswith("error"):
        if status != 1 or answer.get("error", {}).get("stage") != "shape":
            fail(formula, wanted, answer)
        return
    if status or "error" in answer:
        fail(formula, wanted, answer)
        return
    column, values = answer["columns"][0], answer["rows"][0]["values"]
    got = [value["value"] for value in values]
    if got != numbers_of(wanted.replace(", the 0 with the mark `div0`", "")):
        fail(formula, wanted, got)
    if [bool(value.get("div0")) for value in values] != \
            ["div0" in wanted and number == 0 for number in got]:
        fail(formula, wanted, values)
    dimensions = [(short[name], extent) for name, extent in column.get("dims", []) if extent > 1]
    if "at positions" not in wanted and dimensions != dimensions_of(wanted):
        fail(formula, wanted, dimensions)
    at = re.search(r"at positions (\d+) and (\d+)", wanted)
    if at:
        positions = [value["pos"].get("DIMENSION_INSTANCE", 0) for value in values]
        if positions != [int(at.group(1)), int(at.group(2))]:
            fail(formula, wanted, positions)


def check_error(text, notation, column, message):
    status, answer = ask(text, notation)
    error = answer.get("error", {})
    if status != 1 or error.get("stage") not in ("parse", "resolve") or \
            (error.get("column"), error.get("message")) != (column, message):
        fail(text, "%s in column %d" % (message, column), answer)


def check_examples(text):
    """Blocks that begin with "    $ command": what it prints follows."""
    for command, wanted in re.findall(r"^    \$ (.*)\n((?:    .*\n)*)", text, re.M):
        done = subprocess.run(["sh", "-c", command], cwd=sources, capture_output=True, text=True)
        got = "".join(("    " + line).rstrip() + "\n"
                      for line in (done.stdout + done.stderr).splitlines())
        if got != wanted:
            fail(command, wanted, got)
        checked["example"] += 1


page = open(sources + "/docs/formulas.md", encoding="utf-8").read()
check_examples(page)
header = ""
for line in page.splitlines():
    cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
    if not line.startswith("|"):
        header = ""
    elif not header:
        header = cells
    elif header == ["formula", "result"] and not line.startswith("|--"):
        check_result(re.match("`([^`]*)`", cells[0]).group(1), cells[1])
        checked["result"] += 1
    elif header == ["text", "column", "message"] and not line.startswith("|--"):
        found = re.match(r"`([^`]*)`(?: \((\w+)\))?$", cells[0])
        check_error(found.group(1), found.group(2) or "infix", int(cells[1]), cells[2])
        checked["error"] += 1
print(checked)
sys.exit(failures > 0 or checked["result"] < 15 or checked["error"] < 8 or
         checked["example"] < 3)
