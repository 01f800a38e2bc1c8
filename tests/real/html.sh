#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 240
# The page of a recording is well-formed, and in a browser its script does what it should: its sums
# are those of the recording's JSON lines, and single calls have their times however many there are.
# With --long a page of a million calls and commands, and what axe-core says of all.
. "$ROOT/tests/real/lib.sh"
need python3

record run "$BIN/tests/real/busy" books 200
same "exit status" 0 $record_status
"$TACHO" export run --to html -f >out || fail "tacho export"
same "files" run.html "$(cat out)"
python3 "$ROOT/tests/real/page.py" check run.html || fail "the page is not well-formed"
has_calls=$(grep -c 'id="timeline-data"' run.html)
same "timelines" 1 "$has_calls"

# Two runs on one page.
"$TACHO" diff run run --html=run-diff.html >/dev/null || fail "tacho diff --html"
python3 "$ROOT/tests/real/page.py" check run-diff.html || fail "the page of diff is not well-formed"
same "timelines of two" 2 "$(grep -c 'id="timeline-data-[ab]"' run-diff.html)"

# No call at all: a page as well.
"$TACHO" record -q -f -o nothing --export html true 2>/dev/null || fail "tacho record"
python3 "$ROOT/tests/real/page.py" check nothing.html || fail "the empty page is not well-formed"
grep -q 'No calls:' nothing.html || fail "the empty page does not say why"
grep -q 'No call came, so none could be lost' nothing.html || fail "the empty page praises itself"

for program in chromium chromedriver; do
	command -v $program >/dev/null 2>&1 || skip "the page is well-formed; $program is not installed"
done
"$TACHO" report run --json --top 0 >report.json || fail "tacho report"
python3 "$ROOT/tests/real/page.py" drive run.html report.json || fail "the page in a browser"

# What axe-core says, where npm can fetch it.
axe=
if [ "$long" = 1 ] && command -v npm >/dev/null 2>&1; then
	if timeout 120 npm pack --silent axe-core@4.14.1 >/dev/null 2>&1 &&
		tar xzf axe-core-4.14.1.tgz package/axe.min.js; then
		axe=package/axe.min.js
	else
		echo "axe-core was not asked: npm cannot fetch it"
	fi
fi
python3 "$ROOT/tests/real/page_use.py" run $axe || fail "what the page says in a browser"

# Names without a blank that are longer than any line, a process without a name, ranges above its
# calls, and more sections than a line of them takes.
python3 - <<'END' >long.json
import json
name = "kernel_" + "x" * 300
host = {"ph": "X", "pid": 5, "tid": 5}
events = [{**host, "cat": "user_annotation", "name": "step", "ts": 1, "dur": 9000}]
for i in range(400):
    both = {"correlation": i + 1}
    events.append({**host, "cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": 10 + 20 * i,
                   "dur": 9, "args": both})
    events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7,
                   "ts": 20 + 20 * i, "dur": 2 + i % 3,
                   "args": {**both, "device": 0, "stream": 7}})
print(json.dumps({"schemaVersion": 1, "traceEvents": events,
                  "deviceProperties": [{"id": 0, "name": "A GPU"}]}))
END
"$TACHO" export long.json --to html -f -o long >/dev/null || fail "the page of long names"
python3 "$ROOT/tests/real/page_use.py" long --fits || fail "the page of long names does not fit"

enqueues=20000
[ "$long" = 1 ] && enqueues=500000
"$TACHO" record -q -f -o many --export html,jsonl -- "$BIN/bench/clcost" enqueues $enqueues \
	>/dev/null || fail "tacho record clcost"
size=$(wc -c <many.html)
[ "$size" -le 10000000 ] || fail "the page of $enqueues launches has $size bytes"
"$TACHO" export many --to html -f -o again >/dev/null || fail "the page once more"
cmp many.html again.html || fail "the page is not the same when it is made once more"
python3 "$ROOT/tests/real/page_use.py" many --brief || fail "a page of many calls"
