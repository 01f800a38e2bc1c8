# SPDX-License-Identifier: MIT
"""Cases of expressions with their values, through the command: eval_cases.py TACHO ROOT [FILE...]

A FILE has "cases" (expression, counters, derived, and what is expected: `tacho` wins over
`expect`), "parser_cases" (accepted when they have expected_ast_text, else refused) and
"arch_suites" (counters and the values of all metrics of an architecture). More files can be named
in TACHO_EXPR_CASES, separated by colons.
"""
import json
import math
import os
import subprocess
import sys

TOLERANCE = 1e-9
INSTANCE = "DIMENSION_INSTANCE"


def by_column(answer):
    """The only row's columns by name, each with its values; an error as it is."""
    if "error" in answer:
        return answer
    columns = {column["name"]: dict(column, values=[]) for column in answer["columns"]}
    for value in answer["rows"][0]["values"]:
        columns[value["name"]]["values"].append(value)
    return columns


def run(tacho, values, arguments):
    done = subprocess.run([tacho, "eval", "--json", "--values", "-"] + arguments,
                          input=json.dumps(values), capture_output=True, text=True, timeout=60)
    try:
        answer = by_column(json.loads(done.stdout))
    except ValueError:
        answer = None
    return done.returncode, answer, done.stderr


def is_near(a, b):
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=1e-300)


def position(value):
    return tuple(sorted((k, v) for k, v in value.get("pos", {}).items() if v))


def compare(got, expected):
    """None when the values are the expected ones, else what differs."""
    values = [v["value"] for v in got["values"]]
    if isinstance(expected, (int, float)):
        expected = [expected]
    if len(values) != len(expected):
        return "%d values, not %d" % (len(values), len(expected))
    if expected and isinstance(expected[0], dict):
        by_position = {position(v): v["value"] for v in got["values"]}
        for value in expected:
            if position(value) not in by_position:
                return "no value at %s" % (position(value),)
            if not is_near(by_position[position(value)], value["value"]):
                return "%r at %s, not %r" % (by_position[position(value)], position(value),
                                             value["value"])
        return None
    for a, b in zip(sorted(values), sorted(expected)):
        if not is_near(a, b):
            return "%r, not %r" % (a, b)
    return None


def expectation(case):
    """(is an error, values)"""
    decided = case.get("tacho")
    if isinstance(decided, list):
        return False, decided
    if isinstance(decided, dict):
        return "error" in decided, decided.get("values")
    return "error" in case["expect"], case["expect"].get("values")


def check_error(code, answer):
    if code != 1 or not answer or "error" not in answer:
        return "status %d and %r, not an error" % (code, answer)
    missing = {"stage", "message", "column"} - set(answer["error"])
    return "the error has no %s" % missing if missing else None


def check_case(tacho, case):
    values = {key: case[key] for key in ("counters", "constants", "derived") if key in case}
    values.setdefault("counters", {})
    code, answer, error = run(tacho, values, ["-e", case["expression"]])
    is_error, expected = expectation(case)
    if is_error:
        return check_error(code, answer)
    if code != 0 or not answer or "error" in answer:
        return "status %d: %s %s" % (code, answer, error)
    return compare(answer[case["expression"]], expected)


def check_parser_case(tacho, case):
    code, answer, error = run(tacho, {"counters": {}}, ["-e", case["expression"]])
    is_refused = bool(answer) and answer.get("error", {}).get("stage") == "parse"
    if answer is None:
        return "status %d: %s" % (code, error)
    if is_refused == ("expected_ast_text" in case):
        return "%r" % answer
    return None


def check_suite(tacho, arch, suite):
    values = {"counters": suite["counters"], "constants": suite.get("constants", {})}
    names = list(suite["derived"])
    code, answer, error = run(tacho, values, ["--arch", arch, "-m", ",".join(names)])
    if code != 0 or not answer:
        return ["%s: status %d: %s %s" % (arch, code, answer, error)]
    failures = []
    for name in names:
        if "error" in suite["derived"][name]:
            continue
        if name not in answer:
            failures.append("%s %s: it is missing" % (arch, name))
            continue
        difference = compare(answer[name], suite["derived"][name]["values"])
        if difference:
            failures.append("%s %s: %s %s" % (arch, name, difference,
                                              answer[name].get("note", "")))
    # All that there is is a superset of what was named.
    code, answer, error = run(tacho, values, ["--arch", arch, "-m", "all"])
    if code != 0 or not answer or not set(names) <= set(answer):
        failures.append("%s: -m all: status %d %s" % (arch, code, error))
    return failures


def check_file(tacho, path):
    with open(path, encoding="utf-8") as stream:
        data = json.load(stream)
    failures = []
    for case in data.get("cases", []):
        difference = check_case(tacho, case)
        if difference:
            failures.append("%s: %s: %s" % (case["id"], case["expression"], difference))
    for case in data.get("parser_cases", []):
        difference = check_parser_case(tacho, case)
        if difference:
            failures.append("parser: %s: %s" % (case["expression"], difference))
    suites = data.get("arch_suites", {})
    for arch in suites:
        failures += check_suite(tacho, arch, suites[arch])
    print("%s: %d cases, %d parser cases, %d metrics of %d architectures, %d failed" % (
        os.path.basename(path), len(data.get("cases", [])), len(data.get("parser_cases", [])),
        sum(len(s["derived"]) for s in suites.values()), len(suites), len(failures)))
    return failures


def main():
    tacho, root = sys.argv[1:3]
    files = sys.argv[3:] + [f for f in os.environ.get("TACHO_EXPR_CASES", "").split(":") if f]
    failures = []
    is_absent = False
    if not sys.argv[3:]:
        files.append(os.path.join(root, "tests/data/values/expr_cases.json"))
        shared = os.path.join(root, "../shared/data/rocm/expr_cases.json")
        is_absent = not os.path.exists(shared)
        if not is_absent:
            files.append(shared)
    for path in files:
        failures += check_file(tacho, path)
    for failure in failures:
        print("FAIL: " + failure)
    if failures:
        return 1
    if is_absent:
        print("../shared/data/rocm is absent: only the cases of tests/data were run")
        return 77
    return 0


sys.exit(main())
