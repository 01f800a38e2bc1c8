#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# Counters of launches that are asked for in two modes: a column and a pass each, in the recording
# and in all that is made of it. Launches of 256 items are 4 waves, whatever the mode.
. "$ROOT/tests/real/lib.sh"
need python3
steps="$BIN/tests/real/steps_cl"
list=SQ_WAVES,SQ_WAVES:serialized,TCC_HIT:serialized,VALUBusy,VALUBusy:serialized,device_time

for how in kernel process rotate; do
	"$TACHO" record -q -f -o $how --export csv --sim mi300x --replay $how -m $list -- \
		"$steps" "$driver_platform" one:4 two:2 >/dev/null 2>$how.err ||
		fail "tacho record, $how: $(cat $how.err)"
	"$TACHO" check $how >$how.check || fail "$how is not whole: $(cat $how.check)"
done
"$TACHO" record -q -f -o none --export csv --sim mi300x --replay none -m SQ_WAVES:serialized -- \
	"$steps" "$driver_platform" one:4 >/dev/null || fail "one pass needs a replay"
"$TACHO" report kernel --json >report.json || fail "tacho report --json"
"$TACHO" report kernel >report.txt || fail "tacho report"
grep -q 'SQ_WAVES:ser[^ ]* \[simulated\]  *4  *16 ' report.txt || fail "$(cat report.txt)"
"$TACHO" export kernel --to jsonl,codexl,sqlite,html,perfetto,rocprofv3 || fail "tacho export"
"$TACHO" eval --values kernel.values.csv -m SQ_WAVES:serialized --csv >eval.csv || fail "tacho eval"
"$TACHO" diff kernel process --json >diff.json || fail "tacho diff"
python3 - <<'END' || fail "a mode is lost"
import csv, json, sqlite3

NAMES = ["SQ_WAVES", "SQ_WAVES:serialized", "TCC_HIT", "VALUBusy", "VALUBusy:serialized"]

def rows(name):
    return list(csv.DictReader(open(name + ".values.csv", newline="")))

for how in "kernel", "process":
    found = rows(how)
    assert len(found) == 6, (how, len(found))
    for row in found:
        assert row["SQ_WAVES"] == row["SQ_WAVES:serialized"] == "4", (how, row)
        if how == "kernel":  # two passes of one mode may not be joined to a metric
            assert row["VALUBusy"] == row["VALUBusy:serialized"] != "", (how, row)
        assert row["TCC_HIT"] != "", (how, row)
turns = rows("rotate")
for row in turns:  # one mode each, and each mode of some launch
    assert [row["SQ_WAVES"], row["SQ_WAVES:serialized"]].count("4") == 1, row
assert {row["SQ_WAVES"] for row in turns} == {"4", ""}, turns
assert all(row["SQ_WAVES"] == "4" for row in rows("none"))

plan = json.load(open("kernel.tacho/counting.json"))["plan"]
assert [entry["mode"] for entry in plan["entries"]].count("serialized") == 3, plan
assert {entry["mode"] for entry in plan["passes"]} == {"default", "serialized"}, plan
assert all(row["SQ_WAVES:serialized"] == "4" for row in csv.DictReader(open("eval.csv")))

report = json.load(open("report.json"))
names = [column["name"] for column in report["counting"]["columns"]]
assert [name for name in names if name != "device_time"] == NAMES, names
for line in open("kernel.jsonl"):
    values = json.loads(line).get("values")
    assert not values or set(NAMES) <= set(values), values
for row in csv.reader(line for line in open("kernel.csv") if not line.startswith("#")):
    assert set(NAMES) <= {name.strip() for name in row}, row
    break
base = sqlite3.connect("kernel.sqlite")
counters = {name for (name,) in base.execute("select distinct counter from v_value")}
assert set(NAMES) <= counters, counters
page = open("kernel.html", encoding="utf-8").read()
trace = open("kernel.pftrace", "rb").read()
other = open("kernel_counter_collection.csv").read()
changes = open("diff.json").read()
for name in NAMES:
    assert name in page and name.encode() in trace and '"%s"' % name in changes, name
    assert '"%s"' % name in other, name
END
echo "both modes are in every output"
