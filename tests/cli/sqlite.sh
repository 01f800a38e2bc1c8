# SPDX-License-Identifier: MIT
# tacho export --to sqlite: the file, a library that is missing, sums that are those of the report,
# and the examples of docs/sqlite.md.

run 0 tacho record -q --export none -o one true

# Without the library: which one, and where it is to be had.
mkdir lib
echo text >lib/libsqlite3.so.0
run 1 env LD_LIBRARY_PATH="$PWD/lib" tacho export one --to sqlite -o none
has err 'cannot load libsqlite3.so.0'
has err 'libsqlite3-0'
[ -e none.sqlite ] && fail "an export without the library"

tacho export one --to sqlite >out 2>err </dev/null
if [ $? = 1 ] && grep -q 'cannot load libsqlite3' err; then
	skip "libsqlite3 is not installed"
fi
same err
same out one.sqlite
[ "$(stat -c %a one.sqlite)" = 600 ] || fail "others can read the database"
run 1 tacho export one --to sqlite
has err 'one.sqlite'
has err '-f'
run 0 tacho export one --to sqlite,jsonl -f
same out one.sqlite one.jsonl
run 0 tacho record -q -f --export sqlite -o one true
run 0 tacho record -q --export sqlite -o two true
run 125 tacho record -q --export sqlite -o two true
[ "$(ls -d two*)" = "$(printf '%s\n' two.sqlite two.tacho)" ] || fail "not one database: $(ls)"

python=/usr/bin/python3
[ -x $python ] || python=python3
$python -c 'import sqlite3' 2>/dev/null || skip "Python's sqlite3 is not installed"
$python - <<'END' || fail "the database of a run without calls"
import sqlite3
db = sqlite3.connect("two.sqlite")
assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
run = db.execute("SELECT application, exit_status, wall_ns > 0, why_empty FROM v_run").fetchone()
assert run[0].endswith("/true") and run[1:3] == (0, 1) and run[3], run
assert db.execute("SELECT count(*) FROM v_call").fetchone() == (0,)
assert db.execute("SELECT about FROM v_note").fetchall() == [("run",)]
END

$python -c 'import numpy, pyopencl' 2>/dev/null || skip "pyopencl is not installed"
tacho doctor opencl >out 2>err || skip "tacho doctor finds no driver that works here"

# Commands on one device, of two processes' queues, threads and kinds: what overlaps, and what does not,
# counted moment by moment.
$python - <<'END' || fail "no session file"
import random

random.seed(7)
calls, times = {}, {}
for thread in range(3):
    now = 1000
    for _ in range(300):
        now += random.randrange(1, 900)
        start = now + random.randrange(400)
        end = start + random.randrange(1, 700)
        name, code, tail = random.choice([
            ("clEnqueueNDRangeKernel", "4592 CL_COMMAND_NDRANGE_KERNEL", "0x9 k      {64}     {64}"),
            ("clEnqueueReadBuffer", "4595 CL_COMMAND_READ_BUFFER", "4096"),
            ("clEnqueueMarker", "4606 CL_COMMAND_MARKER", "")])
        calls.setdefault(thread, []).append(f"CL_SUCCESS = {name} ( 0x5 )")
        times.setdefault(thread, []).append(
            f"0 {name} {now} {now + 1} {code} {now} {now} {start} {end} 0 0x5 0 0x6 gpu {tail}")
with open("overlap.atp", "w") as file:
    print("TraceFileVersion=3.2", file=file)
    for title, lines in ("API Trace", calls), ("Timestamp", times):
        print(f"=====ocl {title} Output=====", file=file)
        for thread, block in lines.items():
            print(thread, len(block), *block, sep="\n", file=file)
END
run 0 tacho export overlap.atp --to sqlite -o overlap
tacho report overlap.atp --json >overlap.json || fail "no report"
$python - <<'END' || fail "overlap, gaps or rates are not those of the report"
import json, sqlite3

db = sqlite3.connect("overlap.sqlite")
report = json.load(open("overlap.json"))
commands = db.execute("SELECT kind, start_ns, end_ns FROM v_command").fetchall()
assert len(commands) == 900, len(commands)
first, last = min(c[1] for c in commands), max(c[2] for c in commands)
kernel, transfer, other = (bytearray(last - first) for _ in range(3))
for kind, start, end in commands:
    moments = {"kernel": kernel, "read": transfer}.get(kind, other)
    moments[start - first:end - first] = b"\1" * (end - start)
busy = sum(a | b | c for a, b, c in zip(kernel, transfer, other))
both = sum(a & b for a, b in zip(kernel, transfer))
total = sum(end - start for _, start, end in commands)
device, = report["devices"]
found = db.execute("SELECT device, commands, total_ns, busy_ns, kernel_ns, transfer_ns, "
                   "kernel_transfer_ns, parallel FROM v_overlap").fetchall()
assert found == [("gpu", 900, total, busy, sum(kernel), sum(transfer), both, total / busy)], found
assert busy == device["busy_ns"] and both > 0, device
gaps = db.execute("SELECT start_ns, end_ns, duration_ns, next_id FROM v_gap").fetchall()
assert sum(gap[2] for gap in gaps) == device["idle_ns"] == last - first - busy, device
starts = dict(db.execute("SELECT id, start_ns FROM v_command"))
for start, end, duration, next_id in gaps:
    assert end - start == duration > 0 and starts[next_id] == end
    assert not any(one[start - first:end - first].count(1) for one in (kernel, transfer, other))
line, = (line for line in report["transfers"] if line["name"] == "read")
assert db.execute("SELECT bytes_per_second FROM v_transfer_by_kind WHERE kind = 'read'").fetchone(
) == (1e9 * line["bytes"] / line["total_ns"],)
plan = db.execute("EXPLAIN QUERY PLAN SELECT * FROM v_gap").fetchall()
assert any("COVERING INDEX command_by_start" in row[3] for row in plan), plan
plan = db.execute("EXPLAIN QUERY PLAN SELECT id FROM call WHERE thread = 1 AND start_ns > 9").fetchall()
assert any("call_by_start" in row[3] for row in plan), plan
END

# Worked out by hand: kernels run from 0 to 100, 50 to 150 and 300 to 400, transfers from 120 to 200 and
# 380 to 450, a marker from 500 to 510. So some kernel ran for 150 + 100, some transfer for 80 + 70, both
# from 120 to 150 and 380 to 400, anything from 0 to 200, 300 to 450 and 500 to 510.
kernel='0x9 k {64} {64}'
{
	echo 'TraceFileVersion=3.2'
	echo '=====ocl API Trace Output====='
	printf '1\n6\n'
	for name in NDRangeKernel NDRangeKernel NDRangeKernel ReadBuffer ReadBuffer Marker; do
		echo "CL_SUCCESS = clEnqueue$name ( 0x5 )"
	done
	echo '=====ocl Timestamp Output====='
	printf '1\n6\n'
	while read -r at name code command from to tail; do
		echo "0 clEnqueue$name 1$at 1$at $code $command 10000 10000 1$from 1$to 0 0x5 0 0x6 gpu $tail"
	done <<END
0000 NDRangeKernel 4592 CL_COMMAND_NDRANGE_KERNEL 0000 0100 $kernel
0001 NDRangeKernel 4592 CL_COMMAND_NDRANGE_KERNEL 0050 0150 $kernel
0002 NDRangeKernel 4592 CL_COMMAND_NDRANGE_KERNEL 0300 0400 $kernel
0003 ReadBuffer 4595 CL_COMMAND_READ_BUFFER 0120 0200 64
0004 ReadBuffer 4595 CL_COMMAND_READ_BUFFER 0380 0450 64
0005 Marker 4606 CL_COMMAND_MARKER 0500 0510
END
} >hand.atp
run 0 tacho export hand.atp --to sqlite -o hand
$python - <<'END' || fail "what overlaps is not what was worked out"
import sqlite3

found = sqlite3.connect("hand.sqlite").execute(
    "SELECT commands, total_ns, busy_ns, kernel_ns, transfer_ns, kernel_transfer_ns, parallel "
    "FROM v_overlap").fetchall()
assert found == [(6, 460, 360, 250, 150, 50, 460 / 360)], found
END

# The sums of the views are those of the report.
run 0 tacho record -q --export sqlite,jsonl --sim mi300x \
	-m device_time,transfer_rate,SQ_WAVES,SQ_INSTS_VALU -o vadd -- \
	$python "$SOURCES/tests/real/vadd.py"
for key in kernel api thread; do
	tacho report vadd --json --by $key >$key.json || fail "tacho report --by $key"
done
$python - <<'END' || fail "the sums are not those of the report"
import json, sqlite3

db = sqlite3.connect("vadd.sqlite")
assert db.execute("PRAGMA foreign_key_check").fetchall() == []
report = {key: json.load(open(key + ".json")) for key in ("kernel", "api", "thread")}
lines = [json.loads(line) for line in open("vadd.jsonl")]


def rows(sql):
    return sorted(db.execute(sql).fetchall())


def told(lines, *keys):
    return sorted(tuple(line[key] for key in keys) for line in lines)


times = ("total_ns", "min_ns", "max_ns")
assert rows("SELECT kernel, device, launches, measured, total_ns, min_ns, max_ns, first_ns, state "
            "FROM v_kernel") == told(report["kernel"]["lines"], "name", "device", "count",
                                     "measured", *times, "first_ns", "state")
assert rows("SELECT kind, device, count, measured, total_ns, min_ns, max_ns, bytes, state "
            "FROM v_transfer_by_kind") == told(report["kernel"]["transfers"], "name", "device",
                                               "count", "measured", *times, "bytes", "state")
assert rows("SELECT function, calls, failed, total_ns, min_ns, max_ns FROM v_api") == told(
    report["api"]["lines"], "name", "count", "failed", *times)
assert rows("SELECT pid, thread, calls, failed, api_ns FROM v_thread") == told(
    report["thread"]["lines"], "pid", "thread", "count", "failed", "total_ns")

# Of each thread's functions, in sum and one by one.
by_thread = {}
for line in lines:
    if line["schema"] == "tacho.call/1":
        sums = by_thread.setdefault((line["thread"], line["function"]), [0, 0])
        sums[0] += 1 + line.get("repeats", 0)
        sums[1] += line["end_ns"] - line["start_ns"]
assert rows("SELECT thread, function, calls, total_ns FROM v_api_by_thread") == sorted(
    (*key, *sums) for key, sums in by_thread.items())
assert rows("SELECT thread, sum(total_ns) FROM v_api_by_thread GROUP BY thread") == told(
    report["thread"]["lines"], "thread", "total_ns")

values = 0
columns = {column["name"]: column for column in report["kernel"]["counting"]["columns"]}
for view, part in ("v_metric_by_kernel", "lines"), ("v_metric_by_transfer", "transfers"):
    name = "kernel" if part == "lines" else "kind"
    found = rows(f"SELECT {name}, counter, unit, simulated, count, measured, total, mean, min, max,"
                 f" state, coverage, is_default FROM {view}")
    expected = sorted(
        (line["name"], value["name"], columns[value["name"]]["unit"],
         int(columns[value["name"]].get("simulated", False)), value["count"],
         value["measured"], value["total"], value["mean"], value["min"], value["max"],
         value["state"], value.get("coverage", 1 if value["measured"] else None),
         int(value.get("default", False)))
        for line in report["kernel"][part] for value in line["values"])
    assert found == expected, (found, expected)
    values += len(found)
assert values >= 5, values

# Each call is there, with its arguments.
calls = [line for line in lines if line["schema"] == "tacho.call/1"]
found = db.execute("SELECT id, thread, thread_index, function, start_ns, end_ns, result, failed, "
                   "arguments FROM v_call ORDER BY id").fetchall()
assert len(found) == len(calls) > 50, len(found)
for number, (row, call) in enumerate(zip(found, calls), 1):
    assert row[:8] == (number, call["thread"], call["index"], call["function"], call["start_ns"],
                       call["end_ns"], call["result"], int(call["failed"])), (row, call)
    assert json.loads(row[8]) == call["arguments"], (row, call)
busy, = report["kernel"]["devices"]
open("busy", "w").write(str(busy["busy_ns"]))
END

# The examples of the page, as they stand. Numbers differ from run to run, columns do not.
page=$SOURCES/docs/sqlite.md
sed -n '/^```python$/,/^```$/p' "$page" | sed '/^```/d' >recipe.py
[ -s recipe.py ] || fail "the page has no recipe"
run 0 $python recipe.py
grep -q '^vadd 10 [0-9.]* ms$' out || fail "the recipe does not tell of vadd"
command -v sqlite3 >/dev/null 2>&1 || skip "the program sqlite3 is not installed"
sed -n 's/^    //p' "$page" | awk '
	# a command goes on until its quotes are closed; the line behind it names the columns
	/^\$ sqlite3 / { number++; sub(/^\$ /, ""); open = 0; taking = 1 }
	taking { print >("command-" number); open += gsub(/"/, "\"")
		if (open % 2 == 0) { taking = 0; heading = 1 } next }
	heading { print >("columns-" number); heading = 0 }'
count=0
for command in command-*; do
	count=$((count + 1))
	run 0 sh "$command"
	same err
	[ "$(sed -n 1p out | tr -s ' ' | sed 's/ $//')" = "$(tr -s ' ' <"columns${command#command}")" ] ||
		fail "not the columns that the page shows: $command"
	[ "$(wc -l <out)" -ge 3 ] || fail "no rows: $command"
	# Overlapping commands count once, as in the report.
	if grep -q busy_ns "$command"; then
		has out " $(cat busy) "
	fi
done
[ $count = 8 ] || fail "$count examples, not 8"
