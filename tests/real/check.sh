#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# tacho check: a whole recording is whole, and whatever is cut, gone, altered or exchanged is told.
. "$ROOT/tests/real/lib.sh"
need python3
busy=$BIN/tests/real/busy

record_export=none
record whole "$busy" books 500
same "exit status" 0 $record_status
"$TACHO" check whole >out || { cat out; fail "tacho check of a whole recording"; }
same "launches that the witness saw" 2000 "$(witnessed whole)"
grep -q '^read         1 process, 5 threads, 12,017 calls, 2,000 commands$' out ||
	{ cat out; fail "other counts"; }
# Its keeper has ended with it, so there is nothing more to come.
same "what cannot be verified" "  nothing" "$(sed -n '/^Not verified/{n;p;}' out)"
record other "$busy" books 100

# damage NAME: a copy to damage.
damage() {
	rm -rf "$1.tacho"
	cp -r whole.tacho "$1.tacho"
}

# missing NAME TEXT: the check says so.
missing() {
	"$TACHO" check "$1" >out 2>&1
	same "status of $1" 1 $?
	tr -s ' \n' ' ' <out | grep -q "$2" || { cat out; fail "$1: not told: $2"; }
	grep -q 'Something is missing' out || fail "$1: it is said to be whole"
	"$TACHO" check "$1" --json >out.json 2>/dev/null
	python3 - "$1" <<'END' || fail "$1: the JSON"
import json, sys
check = json.load(open("out.json"))
sys.exit(check["whole"] or not check["faults"])
END
}

damage gone
rm gone.tacho/calls-1.bin
missing gone 'calls-1.bin is missing'
damage cut
truncate -s 4096 cut.tacho/calls-1.bin
missing cut 'calls-1.bin is cut'
damage empty
truncate -s 0 empty.tacho/calls-1.bin
missing empty 'calls-1.bin is cut'
damage foreign
cp other.tacho/calls-1.bin foreign.tacho/calls-1.bin
missing foreign 'calls-1.bin is of another recording'
damage ends
truncate -s -8 ends.tacho/control.bin
missing ends 'control.bin has no end'
if [ "$(id -u)" != 0 ]; then
	damage closed
	chmod 0 closed.tacho/calls-1.bin
	missing closed 'calls-1.bin cannot be opened.*Permission denied'
fi

# One byte, anywhere. Device times have checksums each; what pads them to eight bytes has none.
size=$(stat -c %s whole.tacho/calls-1.bin)
seen=0
for part in 1 2 3 4 5 6 7; do
	damage bit
	python3 - bit.tacho/calls-1.bin $((size * part / 8 / 64 * 64 + part * 3)) <<'END'
import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(int(sys.argv[2]))
    byte = file.read(1)[0]
    file.seek(int(sys.argv[2]))
    file.write(bytes([byte ^ 0x41]))
END
	"$TACHO" check bit >out 2>&1 || seen=$((seen + 1))
done
same "altered bytes that were noticed" 7 $seen

# What a ring and a list of functions leave out is not missing.
"$TACHO" record -q -f -o bounded --ring 1M --calls 'clEnq*,clSetKernelArg' -- "$busy" books 10000 ||
	fail "tacho record --ring --calls"
"$TACHO" check bounded >out || { cat out; fail "a bounded recording is not whole"; }
grep -q 'calls from before the newest 1.00 MB (a ring)' out || { cat out; fail "the ring is not told"; }
"$TACHO" record -q -f -o whole --calls 'clEnq*,clSetKernelArg' -- "$busy" books 10000 ||
	fail "tacho record --calls"
# sum NAME: calls that are there and that the ring let go.
sum() {
	"$TACHO" check --json "$1" | python3 -c 'import json, sys
found = json.load(sys.stdin)
print(found["calls"] + found["left_out"]["ring_calls"])'
}
same "calls that are there or went" "$(sum whole)" "$(sum bounded)"
exit 0
