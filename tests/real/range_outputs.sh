#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# Ranges that a real program named, in every format, and read back from session files.
. "$ROOT/tests/real/lib.sh"
need python3

record_options="-m device_time"
record run "$BIN/tests/real/steps_cl" "$driver_platform" \
	push:train begin:job one push:forward two:3 mark:here pop end one other:there pop one
same "exit status" 0 "$record_status"
for format in codexl html jsonl perfetto; do
	"$TACHO" export run --to $format -f >out || fail "tacho export --to $format"
done

# Exported twice, session files have the same bytes.
mkdir twice
"$TACHO" export run --to codexl -o twice/run >out || fail "tacho export --to codexl, again"
[ -s twice/run.atp ] && [ -s twice/run.csv ] || fail "not all session files were written"
for file in twice/run.*; do
	cmp "$file" "${file##*/}" || fail "two exports of one recording differ"
done

# The same bytes once more, and the same ranges whichever was read.
mkdir -p again
"$TACHO" export run.atp --to codexl -f -o again/run >out || fail "session files are not read"
cmp run.atp again/run.atp || fail "session files are others when they were read"
for name in run run.atp; do
	"$TACHO" report $name --by range --json --top 0 >"$name.json" || fail "tacho report $name"
done
python3 - <<'END' || fail "what is told of ranges differs"
import json

def lines(name):
    report = json.load(open(name))
    for line in report["lines"]:
        line.pop("values", None)  # session files do not tell which counters add up
    return {json.dumps(line, sort_keys=True) for line in report["lines"]}

assert lines("run.json") == lines("run.atp.json"), (lines("run.json") ^ lines("run.atp.json"))
ranges, calls = {}, []
for line in open("run.jsonl"):
    item = json.loads(line)
    if item["schema"] == "tacho.range/1":
        ranges[item["id"]] = item
    elif item["schema"] == "tacho.call/1":
        calls.append(item)
assert {item["name"] for item in ranges.values()} == {"train", "job", "forward", "here", "there"}
for call in calls:
    for item in (ranges[id] for id in call.get("ranges", [])):
        assert item["start_ns"] <= call["start_ns"] and call["end_ns"] <= item["end_ns"], call
        assert item["kind"] == "process" or item["thread"] == call["thread"], call
launches = [call for call in calls if call["command"] and call["command"]["kind"] == "kernel"]
paths = ["/".join(ranges[id]["name"] for id in reversed(call.get("ranges", [])))
         for call in launches]
assert paths.count("job/train/forward") == 3 and paths.count("") == 1, paths
END

# Values have the paths in a column, which those that read the file again leave out.
"$TACHO" export run --to csv -f >out || fail "tacho export --to csv"
same "ranges of launches" "train;job train/forward;job train/forward;job train/forward;job train there " \
	"$(tr -d '\r' <run.values.csv | awk -F, 'NR > 1 && $NF {printf "%s ", $NF}')"
"$TACHO" eval --arch opencl --values run.values.csv -m device_time >out || fail "tacho eval"

python3 "$ROOT/tests/real/page.py" check run.html || fail "the page is not well-formed"
grep -q '"kind":"range"' run.html || fail "the page draws no ranges"
"$TACHO" export run --to rocprofv3 -f >out 2>err || {
	grep -q 'cannot load libsqlite3' err && skip "libsqlite3 is not installed"
	fail "tacho export --to rocprofv3"
}
same "markers" 6 "$(wc -l <run_marker_api_trace.csv)"
