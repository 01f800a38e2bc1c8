#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# A report begins with what the wall time went to: the function that took it, in the sentence, in the
# table and in JSON, whose parts add up to the wall time; so does the page.
. "$ROOT/tests/real/lib.sh"
need python3

POCL_CACHE_DIR=$WORK/cache # cold: something is built
export POCL_CACHE_DIR
mkdir -p "$POCL_CACHE_DIR"
"$TACHO" record -q -f -o run -- "$BIN/tests/real/spent_cl" "$driver_platform" 2000 >out 2>err ||
	{ cat err; fail "the program failed"; }
COLUMNS=100 "$TACHO" report run >report || fail "no report"
"$TACHO" report run --json >report.json || fail "no JSON"
"$TACHO" export run --to html -f >out || fail "no page"
python3 - <<'END' || { cat report; fail "what the time went to"; }
import html
import json

report = json.load(open("report.json"))
spent, page = report["breakdown"], open("run.html").read()
parts = spent["parts"]
assert spent["is_wall"] and spent["total_ns"] == report["totals"]["wall_ns"], spent
assert sum(part["ns"] for part in parts) == spent["total_ns"], parts
assert [part["ns"] for part in parts] == sorted((part["ns"] for part in parts), reverse=True), parts
finish = [part for part in parts if part["function"] == "clFinish"]
assert len(finish) == 1 and finish[0]["kind"] == "wait" and finish[0]["calls"] == 1, parts
# It slept so long for sure, and no device was busy; the machine may take its time for the rest.
assert finish[0]["ns"] >= 1_900_000_000, parts
assert any(part["kind"] == "build" and part["function"] == "clBuildProgram" for part in parts), parts
assert any(part["kind"] == "kernels" for part in parts), parts

lines = open("report").read().split("\n")
shown = " ".join(" ".join(lines[:lines.index("")]).split())
assert shown == spent["headline"], (shown, spent["headline"])
assert parts[0]["function"] in shown, shown
if finish[0] in parts[:3] and finish[0]["ns"] * 10 >= spent["total_ns"]:
    assert "clFinish (waiting" in shown, shown
table = lines[lines.index("") + 1:]
table = table[:table.index("")]
assert any(line.split()[0] == "clFinish" for line in table if line.split()), table
assert "API functions, by host time" in lines and "recording    run.tacho" in lines
assert lines.index("API functions, by host time") < lines.index("Kernels, by device time")
assert spent["headline"] in html.unescape(page), "the page does not say it"
END
echo "what the time went to: $(head -n 1 report)"
