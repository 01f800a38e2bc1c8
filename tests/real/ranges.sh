#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# Ranges that a program names: which launches lie in which, and -m ... --range counts these only.
. "$ROOT/tests/real/lib.sh"
need python3
steps="$BIN/tests/real/steps_cl"

# told NAME: the launches in order, each with its ranges and "!" when it was counted; equal ones once.
told() {
	python3 - "$1.jsonl" <<'END'
import itertools, json, sys
calls, ranges = [], {}
for line in open(sys.argv[1]):
    item = json.loads(line)
    if item["schema"] == "tacho.range/1":
        ranges[item["id"]] = item["name"]
    if item["schema"] == "tacho.call/1" and item["command"] and item["command"]["kind"] == "kernel":
        calls.append(item)
words = []
for call in calls:
    path = "/".join(ranges[id] for id in reversed(call.get("ranges", [])))
    words.append(f"{path}:{call['command']['kernel']['name']}{'!' if call['values'] else ''}")
print(" ".join(f"{len(list(group))}*{word}" for word, group in itertools.groupby(words)))
END
}

# expect WHAT OPTIONS EXPECTED STEP...: counters of commands, of a device, and of both.
expect() {
	expect_what=$1 expect_options=$2 expect_rows=$3
	shift 3
	for expect_list in device_time "SQ_WAVES --sim mi300x" "device_time,SQ_WAVES --sim mi300x"; do
		record_options="-m $expect_list $expect_options"
		record run "$steps" "$driver_platform" "$@"
		[ "$record_status" = 0 ] || tail -n 5 run.err
		same "$expect_what: exit status" 0 "$record_status"
		same "$expect_what ($expect_list)" "$expect_rows" "$(told run)"
	done
}

set -f # options are words, not files
expect "ranges in ranges" "" "1*train:one! 2*train/forward:two! 1*train:one! 1*:one!" \
	push:train one push:forward two:2 pop one pop one
expect "a range that began before the first call" "--range train" "2*train:one! 1*:one" \
	push:train one:2 pop one
expect "a range around others" "--range train" "1*train:one! 2*train/forward:two! 1*:one" \
	one:0 push:train one push:forward two:2 pop pop one
expect "a range in others" "--range forward" "1*train:one 2*train/forward:two! 1*train:one" \
	push:train one push:forward two:2 pop one
expect "a glob" "--range for*" "1*train:one 1*train/forward:one! 1*train/backward:one" \
	push:train one push:forward one pop push:backward one
expect "a regular expression" "--range regex:^(for|back)ward$" \
	"1*train:one 1*train/forward:one! 1*train/backward:one!" \
	push:train one push:forward one pop push:backward one
expect "two names" "--range a --range b" "1*a:one! 1*b:one! 1*c:one" \
	push:a one pop push:b one pop push:c one pop
expect "one range twice, and a kernel" "--range a -k one -s 1 -c 1" \
	"1*a:one 1*:one 1*a:two 1*a:one! 1*a:one" push:a one pop one push:a two one:2 pop
expect "a range of the process" "--range job" "1*:one 1*job:one! 1*job/x:one! 1*:one" \
	one begin:job one push:x one pop end one
expect "a range of another thread" "--range there" "1*here:one 1*there:one! 1*here:one" \
	push:here one other:there one pop
expect "pops without a push" "--range a" "1*:one 1*a:one! 1*:one" pop pop one push:a one pop pop one
expect "a mark is no range" "--range a" "1*:one" mark:a one
expect "a range that never began" "--range b" "1*a:one" push:a one pop
grep -q 'No range named "b" began' run.err || fail "nobody says that no range b began"
grep -q 'Ranges that did: a' run.err || fail "nobody says which did"
expect "a path is no name" "--range outer/a" "1*outer/a:one" push:outer push:a one pop pop
tr -s ' \n' ' ' <run.err | grep -q -e 'that did: outer, a\.' -e 'that did: a, outer\.' ||
	fail "not the names that --range takes"
set +f

# Counters by range: a launch counts in all ranges that it lies in, and outside of them in none.
record_options="--sim mi300x -m SQ_WAVES,work_items"
record run "$steps" "$driver_platform" one push:train one:2 push:forward two:3 pop pop push:train one pop
"$TACHO" report run --by range --json >run.json || fail "status $? of the report"
python3 - run.json <<'END' || fail "wrong counters of ranges"
import json, sys
lines = {line["name"]: line for line in json.load(open(sys.argv[1]))["lines"]}
assert set(lines) == {"train", "train/forward", "(outside of ranges)"}, lines
for name, count, launches in ("train", 2, 6), ("train/forward", 1, 3), ("(outside of ranges)", 0, 1):
    line = lines[name]
    totals = {value["name"]: value["total"] for value in line["values"]}
    assert (line["count"], line["launches"], line["device_measured"]) == (count, launches, launches)
    assert totals == {"SQ_WAVES": 4 * launches, "work_items": 256 * launches}, (name, totals)
assert lines["train"]["own_ns"] == lines["train"]["total_ns"] - lines["train/forward"]["total_ns"]
END

# Killed inside: what was open is told, with the time up to the last that is known.
record_options=
record run "$steps" "$driver_platform" push:outer one push:inner one:2 kill
same "killed inside: exit status" 137 "$record_status"
"$TACHO" report run --by range --json >run.json || fail "status $? of the report"
python3 - run.json <<'END' || fail "what was open is not told"
import json, sys
report = json.load(open(sys.argv[1]))
lines = {line["name"]: (line["count"], line["launches"]) for line in report["lines"]}
assert lines == {"outer": (1, 3), "outer/inner": (1, 2)}, lines
assert any("2 named ranges had not ended" in note for note in report["notes"]), report["notes"]
END
