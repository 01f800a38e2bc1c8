#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# Every process of one invocation is in one recording: a shell's, a Python wrapper's.
. "$ROOT/tests/real/lib.sh"
need python3
busy=$BIN/tests/real/busy

# The programs that made calls, from the recording.
programs() {
	python3 "$ROOT/tests/real/verify.py" "$1" --programs
}

record two sh -c "'$busy' books.1 5; '$busy' books.2 7"
same "exit status" 0 $record_status
verify two $((4 * 5 + 4 * 7))
same "programs under a shell" "busy busy" "$(programs two)"

record wrapper python3 -c "import subprocess as s, sys
for rounds in '3', '4':
	s.run([sys.argv[1], 'books.3', rounds], check=True)" "$busy"
same "exit status" 0 $record_status
verify wrapper $((4 * 3 + 4 * 4))
same "programs under Python" "busy busy" "$(programs wrapper)"

# Both at once.
record both sh -c "'$busy' books.4 9 & '$busy' books.5 9 & wait"
same "exit status" 0 $record_status
verify both $((2 * 4 * 9))

# Only the program itself when asked: a shell makes no call.
record_options=--no-follow
record alone sh -c "'$busy' books.6 5; exit 3"
same "exit status of the shell" 3 $record_status
same "launches that the witness saw" 20 "$(witnessed alone)"
same "programs with --no-follow" "" "$(programs alone)"

# One that takes itself for process 1 is not mistaken for that of the machine, which never ends.
record_options=
if unshare -r -p -f true 2>/dev/null; then
	record inner unshare -r -p -f "$busy" books.7 5
	same "exit status of a process 1" 0 $record_status
	verify inner 20
	grep -q 'still records' inner.err && fail "the end of a process 1 is not seen"
fi
exit 0
