# SPDX-License-Identifier: MIT
# Names from a program or a file, made to harm whoever looks at them: every output is what it says it
# is, and shows no character that does something else. tests/cli/hostile.py knows them.
python=/usr/bin/python3
[ -x $python ] || python=python3
$python -c 'import sqlite3' 2>/dev/null || skip "Python's sqlite3 is not installed"
judge="$python $SOURCES/tests/cli/hostile.py"
$judge write || fail "no session files"

# see KIND STATUS COMMAND...: what it prints is of this kind; and what it says is text.
see() {
	kind=$1
	shift
	run "$@"
	$judge check $kind out || fail "not $kind: $*"
	$judge check any err || fail "what it says: $*"
}

for locale in C C.UTF-8; do
	LC_ALL=$locale
	for key in kernel api queue thread range; do
		see any 0 tacho report h.atp --by $key
		see any 0 tacho report h.atp --by $key --json
	done
	see text 0 tacho report h.atp
	run 0 "$PTY" 24 60 tacho report h.atp
	tr -d '\r' <out >err
	$judge check text err || fail "on a terminal"
	see text 0 tacho report h.csv
	see text 0 tacho report h.occupancy
	see text 0 tacho diff --any h.atp h.atp
	see text 0 tacho diff --any --markdown h.atp h.atp
	see any 0 tacho check h.atp
done
LC_ALL=C
see json 0 tacho report h.atp --json
see json 0 tacho report h.csv --json
see json 0 tacho diff --any --json h.atp h.atp
see csv 0 tacho diff --any --csv h.atp h.atp
see safe 0 tacho diff --any --csv-safe h.atp h.atp
see any 0 tacho check h.atp --json
run 0 tacho diff --any --html=diff.html h.atp h.atp
$judge check html diff.html || fail "the page of differences"

# All formats.
run 0 tacho export h.atp --to codexl,csv,html,jsonl,perfetto,rocprofv3,sqlite -o x

$judge check text x.atp x.csv x.occupancy || fail "the session files"
$judge check csv x.values.csv x_kernel_trace.csv x_marker_api_trace.csv x_agent_info.csv ||
	fail "the CSV"
$judge check html x.html || fail "the page"
$judge check jsonl x.jsonl || fail "the lines of JSON"
$judge check sqlite x.sqlite x_results.db || fail "the databases"
$judge check binary x.pftrace || fail "the trace"
run 0 tacho export h.atp --to codexl,csv,rocprofv3 -f --csv-safe -o y
$judge check safe y.csv y.occupancy y.values.csv y_kernel_trace.csv y_marker_api_trace.csv \
	y_agent_info.csv || fail "the harmless CSV"
has y_kernel_trace.csv "'=cmd()"
has y_marker_api_trace.csv "'-1+cmd()"
has y.values.csv ',-3.5'
run 0 tacho export h.atp --to csv --csv-safe -o -
cmp out y.values.csv || fail "another one on standard output"
run 0 tacho export h.atp --to csv -o -
has out '=cmd()'
has_not out "'=cmd()"
# What was written can be read, and its names stay.
see text 0 tacho report x.atp
see json 0 tacho report x.atp --json

# Values out of CSV, occupancy, lists.
(printf 'Dispatch_Id,Kernel_Name,Counter_Name,Counter_Value\n1,"@k\377\342\200\256",SQ_WAVES,64\n'
	printf '1,"@k\377\342\200\256",SQ_INSTS_VALU,512\n') >values.csv
for form in any: any:--json csv:--csv safe:--csv-safe; do
	# shellcheck disable=SC2086 # none or one
	see ${form%%:*} 0 tacho eval --arch gfx90a -m VALUInsts --values values.csv ${form#*:}
	has out 'xff'
done
run 0 tacho eval --arch gfx90a -m VALUInsts --values values.csv --csv-safe
has out "'@k"
# What is wrong with a word that is wrong.
bad=$(printf 'x\377\033[31m\342\200\256\302\233')
for words in report info 'export --to jsonl' 'diff h.atp' 'report --by' 'list metrics' 'list' \
	'record -k' 'stat -m' 'plan -m' 'check' 'eval --values' 'occupancy' 'help' 'env' 'config' ''; do
	# shellcheck disable=SC2086 # words
	tacho $words "$bad" >out 2>err </dev/null
	$judge check any out err || fail "$words"
	TERM=xterm "$PTY" 24 60 tacho $words "$bad" >out 2>&1 </dev/null
	sed 's/\x1b\[[0-9;]*[mK]//g; s/\r//g' out >err
	$judge check any err || fail "on a terminal: $words"
done

# A run whose arguments, folder and name are so.
mkdir "$bad" && cd "$bad" || skip "this file system has no such names"
run 0 tacho record -q --export none -o "r$bad" true "$bad"
mv out err ..
cd ..
$judge check any err || fail "what record says"
mv "$bad/r$bad.tacho" r.tacho
see text 0 tacho report r
see json 0 tacho report r --json
run 0 tacho export r --to jsonl,html,codexl,sqlite -o r
$judge check jsonl r.jsonl || fail "the lines of JSON of a run"
