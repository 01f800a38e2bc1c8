#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 300
# Counters of commands: one row per launch, and the times of the program's own events.
. "$ROOT/tests/real/lib.sh"
need python3
/usr/bin/python3 -c 'import numpy, pyopencl' 2>/dev/null || skip "pyopencl is not installed"

record_options="-m device_time,queued_delay,submit_delay,start_delay,transfer_bytes,transfer_rate"
record_options="$record_options,work_items,work_groups,wavefronts,local_memory,private_memory"
record vadd /usr/bin/python3 "$ROOT/tests/real/vadd.py" times
same "exit status" 0 $record_status
verify vadd 10
"$TACHO" export vadd --to csv || fail "tacho export"
# The program's own events, one line per command, in order.
cut -d ' ' -f 2 times >expected
tail -n +2 vadd.values.csv | cut -d , -f 4 >got
same_file "device times" expected got
same "rows of launches" 10 "$(grep -c '^[0-9]*,vadd,' vadd.values.csv)"
"$TACHO" report vadd --json >report.json || fail "tacho report"
python3 - <<'END' || fail "counters do not agree"
import csv, json
rows = list(csv.DictReader(open("vadd.values.csv", newline="")))
launches = [row for row in rows if row["name"] == "vadd"]
for row in launches:
    assert row["work_items"] == "65536", row
    assert row["transfer_bytes"] == "" and row["transfer_bytes:state"] == "absent", row
    assert int(row["start_delay"]) == int(row["queued_delay"]) + int(row["submit_delay"]), row
    # the program left the size of the groups to the driver
    assert row["work_groups"] == "" and row["wavefronts"] == "", row
read, = [row for row in rows if row["name"] == "read"]
assert read["transfer_bytes"] == "262144", read
rate = 1e9 * 262144 / int(read["device_time"])
assert abs(float(read["transfer_rate"]) / rate - 1) < 1e-9, read
report = json.load(open("report.json"))
line, = report["lines"]
values = {value["name"]: value for value in line["values"]}
assert values["device_time"]["total"] == line["total_ns"], line
assert values["work_items"] ["measured"] == 10 and values["work_items"]["total"] == 655360, line
assert values["wavefronts"]["measured"] == 0 and values["wavefronts"]["state"] == "absent", line
assert "transfer_bytes" not in values, line
print("rows:", len(rows))
END
# The session file has the counters of kernels behind its own columns.
same "columns" "device_time, queued_delay, submit_delay, start_delay, work_items, work_groups, wavefronts, local_memory, private_memory" \
	"$(grep '^Method' vadd.csv | sed 's/.*ScratchRegs, //')"
same "cells" 20 "$(grep '^vadd' vadd.csv | head -n 1 | sed 's/{[^}]*}/-/g' | tr -cd , | wc -c | awk '{print $1 + 1}')"

# Launches are selected where they happen: the first and the last three are left out.
record_options="-m device_time,work_items -k vadd -s 1 -c 6"
record some /usr/bin/python3 "$ROOT/tests/real/vadd.py" times
same "exit status" 0 $record_status
"$TACHO" export some --to csv || fail "tacho export"
same "selected launches" 6 "$(grep -c '^[0-9]*,vadd,' some.values.csv)"
sed -n 2,7p times | cut -d ' ' -f 2 >expected
tail -n +2 some.values.csv | cut -d , -f 4 >got
same_file "device times of selected launches" expected got
record_options="-m device_time -k other"
record other /usr/bin/python3 "$ROOT/tests/real/vadd.py" times
"$TACHO" export other --to csv || fail "tacho export"
same "launches of another kernel" 0 "$(grep -c '^[0-9]*,vadd,' other.values.csv)"

# The program again for each pass: every launch has its partner, and the values of both runs.
more=SQ_WAVES,SQ_INSTS_VALU,SQ_INSTS_SALU,SQ_INSTS_SMEM,SQ_INSTS_LDS,SQ_INSTS_GDS,SQ_INSTS_FLAT
more=$more,SQ_BUSY_CYCLES,SQ_INSTS_BRANCH
"$TACHO" record -q -f -o runs --export none --sim mi300x -m $more --replay process -- \
	/usr/bin/python3 "$ROOT/tests/real/vadd.py" times >out || fail "tacho record --replay process"
same "results" 1 "$(sort -u out | wc -l)"
"$TACHO" report runs >text || fail "tacho report"
grep -q 'all of 10 counted launches are in' text || fail "launches do not match: $(cat text)"
grep -q 'mi300x \[simulated\]' text || fail "the report does not say that it is simulated"
"$TACHO" export runs --to csv || fail "tacho export"
# 65,536 items are 1,024 waves of 64
same "waves of a launch" "1024" "$(sed -n 2p runs.values.csv | cut -d , -f 4)"
grep -q absent runs.values.csv && fail "a value is missing"

# Runs that differ: the second one makes a launch less.
cat >differs.py <<END
import os, re
source = open("$ROOT/tests/real/vadd.py").read()
launches = 9 if os.path.exists("been") else 10
open("been", "w").close()
exec(re.sub("LAUNCHES = [0-9]*", "LAUNCHES = %d" % launches, source))
END
"$TACHO" record -q -f -o differs --export none --sim mi300x -m $more --replay process -- \
	/usr/bin/python3 differs.py >/dev/null || fail "tacho record of runs that differ"
"$TACHO" report differs >text || fail "tacho report"
tr -s ' \n' ' ' <text | grep -q 'of 10 counted launches 1 are missing in another run' ||
	fail "a missing launch was not told: $(cat text)"

# stat: the same table, and nothing stays.
mkdir tmp
TMPDIR=$WORK/tmp "$TACHO" stat -m device_time,work_items -- /usr/bin/python3 "$ROOT/tests/real/vadd.py" \
	>out 2>err || fail "tacho stat"
grep -q 'work_items *10  655,360' err || fail "no line for work_items: $(cat err)"
# For programs, the values have the form of all counted values; the folder that is gone is in none.
TMPDIR=$WORK/tmp "$TACHO" stat --json -m device_time,work_items -- /usr/bin/python3 \
	"$ROOT/tests/real/vadd.py" >out 2>stat.json || fail "tacho stat --json"
TMPDIR=$WORK/tmp "$TACHO" stat --csv -m device_time,work_items -- /usr/bin/python3 \
	"$ROOT/tests/real/vadd.py" >out 2>stat.csv || fail "tacho stat --csv"
grep -F "$WORK/tmp" stat.json stat.csv && fail "the path of a folder that is gone was printed"
python3 - <<'END' || fail "what stat prints for programs is not what it counted"
import csv, json
answer = json.load(open("stat.json"))
assert answer["schema"] == "tacho.values/1" and answer["status"] == 0, answer
assert answer["device"] is None and answer["elapsed_ns"] > 0, answer
columns = {column["name"]: column for column in answer["columns"]}
assert columns["device_time"]["unit"] == "nanoseconds", columns
assert columns["work_items"]["type"] == "u64", columns
row, = [row for row in answer["rows"] if row["of"] == "kernel"]
assert row["name"] == "vadd" and row["device"], row
values = {value["name"]: value for value in row["values"]}
assert values["work_items"]["count"] == values["work_items"]["measured"] == 10, values
assert values["work_items"]["total"] == 655360 and values["work_items"]["mean"] == 65536, values
assert {row["of"] for row in answer["rows"]} == {"kernel", "transfer"}, answer["rows"]
rows = list(csv.DictReader(open("stat.csv", newline="")))
assert list(rows[0])[:5] == ["id", "name", "device", "device_time", "work_items"], rows[0]
assert [row["work_items"] for row in rows if row["name"] == "vadd"] == ["65536"] * 10, rows
print("rows of stat:", len(rows))
END
same "files left behind" "" "$(ls tmp)"

# Every driver that is here: rows are launches.
rows_of() {
	record_options="-m device_time,work_items,local_memory -k *"
	record "on-$1" /usr/bin/python3 "$ROOT/tests/real/vadd.py" "times-$1"
	same "$1: exit status" 0 $record_status
	"$TACHO" export "on-$1" --to csv || fail "tacho export"
	same "$1: rows" "$(witnessed "on-$1")" "$(grep -c '^[0-9]*,vadd,' "on-$1.values.csv")"
}
set -f
each_driver rows_of
