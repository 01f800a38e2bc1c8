# SPDX-License-Identifier: MIT
# Recordings whose files were damaged on purpose: everything that is made of them says so, and
# export and diff do not take them unless told. MAKE_RECORDING makes a recording of 120 calls.

object=$SOURCES/tests/data/occupancy/gfx900-v3.o
"$MAKE_RECORDING" "$PWD/whole.tacho" "$object" || fail "no recording"
"$MAKE_RECORDING" "$PWD/other.tacho" "$object" || fail "no recording"

run 0 tacho report whole
has_not out 'NOT WHOLE'
has out '120 by 1 thread'
run 0 tacho report whole --json
has out '"whole": true'
has out '"faults": []'
has out '"missing": 0'
run 0 tacho export whole --to jsonl,html,perfetto,codexl,programs -o good
same err
has_not good.jsonl tacho.fault/1
has good.html 'Nothing was lost'
has_not good.atp NotWhole
run 0 tacho diff whole other
has_not out 'not whole'

# damage NAME COMMAND...: a copy, and the command run in its folder.
damage() {
	cp -r whole.tacho "$1.tacho"
	(cd "$1.tacho" && shift && "$@") || fail "cannot damage $1"
}

flip() { # one byte of the first records of a file
	flip_at=100
	flip_byte=$(dd if="$1" bs=1 skip=$flip_at count=1 2>/dev/null | od -An -tu1 | tr -d ' ')
	flip_byte=$((255 - flip_byte))
	printf "\\$(printf %03o $flip_byte)" | dd of="$1" bs=1 seek=$flip_at conv=notrunc 2>/dev/null
}

halve() {
	truncate -s $(($(stat -c %s "$1") / 2)) "$1"
}

damage missing rm calls-1.bin
damage halved halve calls-1.bin
damage emptied truncate -s 0 calls-1.bin
damage foreign cp ../other.tacho/calls-1.bin .
damage flipped flip calls-1.bin
damage uncontrolled rm control.bin
damage control_flipped flip control.bin

for name in missing halved emptied foreign flipped uncontrolled control_flipped; do
	broken=calls-1.bin
	case $name in *control*) broken=control.bin ;; esac

	# A report says it first, and again where losses stand.
	run 0 tacho report $name
	sed -n 2p out | grep -q '^NOT WHOLE ' || fail "$name: the report begins without it"
	has out "  $name.tacho/$broken "
	has_not out '  nothing'
	run 0 tacho report $name --findings
	has out 'NOT WHOLE'
	run 0 tacho report $name --json
	has out '"whole": false'
	has out "\"path\": \"$name.tacho/$broken\""

	# Nothing is written, and why not is said, with the way around it.
	for format in jsonl html perfetto codexl programs csv; do
		run 1 tacho export $name --to $format -o none
		same out
		has err "$name.tacho is not whole"
		has err "$name.tacho/$broken"
		has err '--partial'
	done
	for format in jsonl html perfetto; do
		run 1 tacho export $name --to $format -o -
		same out
		has err "$name.tacho/$broken"
	done
	[ "$(echo none*)" = 'none*' ] || fail "$name: $(echo none*) was left behind"

	# Or what there is, and each of the files says what it is.
	rm -f part.*
	run 0 tacho export $name --to jsonl,html,perfetto,codexl -o part --partial
	has err "warning: $name.tacho is not whole: $name.tacho/$broken"
	has part.jsonl '"schema": "tacho.fault/1"'
	has part.jsonl "\"path\": \"$name.tacho/$broken\""
	has part.html 'The recording is not whole'
	has part.html "$name.tacho/$broken"
	has part.pftrace "$name.tacho/$broken"
	for session in part.atp part.csv part.occupancy; do
		has $session "NotWhole=$name.tacho/$broken"
	done

	# Session files made of it do not look whole when they are read again.
	run 0 tacho report part.atp
	has out "NOT WHOLE    $name.tacho/$broken"
	run 1 tacho export part.atp --to jsonl -o again
	has err "$name.tacho/$broken"
	run 0 tacho export part.atp --to codexl -o again --partial
	cmp -s part.atp again.atp || sed 's/DisplayName=part/DisplayName=again/' part.atp |
		cmp -s - again.atp || fail "$name: the session files changed"
	rm -f again.*

	run 1 tacho diff whole $name
	same out
	has err "$name.tacho/$broken"
	has err '--partial'
	run 1 tacho diff $name whole --json
	same out
	run 0 tacho diff whole $name --partial
	tr '\n' ' ' <out | tr -s ' ' >flat
	has flat "$name.tacho is not whole: $name.tacho/$broken"
	has err "warning: $name.tacho is not whole"
done

# What is left of the calls is there, and what is missing is counted.
run 0 tacho report missing --json
has out '"missing": 120'
has out '"calls": 0,'
run 0 tacho report emptied --json
has out '"missing": 120'

# A device time that makes no sense is dropped, and that is counted; the calls are whole.
# A file ends with the slots of its last chunk; where what came behind the last launch has a chunk of
# its own it has none, and the recording is made again.
flip_last() {
	printf '\377\377\377\377' |
		dd of="$1" bs=1 seek=$(($(stat -c %s "$1") - 24)) conv=notrunc 2>/dev/null
}
for try in 1 2 3 4 5; do
	rm -rf slot.tacho
	"$MAKE_RECORDING" "$PWD/slot.tacho" "$object" || fail "no recording"
	flip_last slot.tacho/calls-1.bin
	run 0 tacho report slot --json
	! grep -q '"whole": true' out || break
done
has out '"whole": true'
has out '"untimed": 1'
run 0 tacho export slot --to jsonl
has slot.jsonl '"untimed": 1'

# Kept programs: with a file that says so.
run 0 tacho export flipped --to programs -o kept --partial
has kept.programs/not-whole.txt 'flipped.tacho/calls-1.bin'

# Session files with bytes that make no sense are not whole either.
sed 's/^=====ocl Timestamp Output=====/what is this\n&/' \
	"$SOURCES/tests/data/codexl/import/nbody.atp" >cut.atp
run 0 tacho report cut.atp
has out 'NOT WHOLE    13 bytes cannot be read'
run 1 tacho export cut.atp --to jsonl
has err '13 bytes cannot be read'
run 0 tacho export cut.atp --to jsonl --partial
has cut.jsonl '"unreadable_bytes": 13'

# The database, where SQLite is installed.
tacho export missing --to sqlite --partial >out 2>err </dev/null || exit 0
python=/usr/bin/python3
[ -x $python ] || python=python3
$python -c 'import sqlite3' 2>/dev/null || exit 0
$python - <<'END' || fail "the database does not tell"
import sqlite3
db = sqlite3.connect("missing.sqlite")
faults = db.execute("SELECT path, what, error, calls FROM v_fault").fetchall()
assert faults[0] == ("missing.tacho/calls-1.bin", "is missing", None, None), faults
assert db.execute("SELECT whole FROM v_run").fetchone() == (0,)
assert db.execute("SELECT missing FROM v_lost").fetchone() == (120,)
assert any("v_fault" in text for about, text in db.execute("SELECT * FROM v_note"))
END
run 0 tacho export whole --to sqlite
$python - <<'END' || fail "the database of a whole recording"
import sqlite3
db = sqlite3.connect("whole.sqlite")
assert db.execute("SELECT whole FROM v_run").fetchone() == (1,)
assert db.execute("SELECT count(*) FROM v_fault").fetchone() == (0,)
END
