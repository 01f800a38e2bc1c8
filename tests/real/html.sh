#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 200
# The page of a recording is well-formed, and in a browser its script does what it should.
. "$ROOT/tests/real/lib.sh"
need python3

record run "$BIN/tests/real/busy" books 200
same "exit status" 0 $record_status
"$TACHO" export run --to html -f >out || fail "tacho export"
same "files" run.html "$(cat out)"
python3 "$ROOT/tests/real/page.py" check run.html || fail "the page is not well-formed"
has_calls=$(grep -c 'id="timeline-data"' run.html)
same "timelines" 1 "$has_calls"

# No call at all: a page as well.
"$TACHO" record -q -f -o nothing --export html true 2>/dev/null || fail "tacho record"
python3 "$ROOT/tests/real/page.py" check nothing.html || fail "the empty page is not well-formed"
grep -q 'No calls:' nothing.html || fail "the empty page does not say why"

for program in chromium chromedriver; do
	command -v $program >/dev/null 2>&1 || skip "the page is well-formed; $program is not installed"
done
"$TACHO" report run --json --top 0 >report.json || fail "tacho report"
python3 "$ROOT/tests/real/page.py" drive run.html report.json || fail "the page in a browser"
