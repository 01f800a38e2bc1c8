#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# Launches from places that programs seldom are in: all of them are recorded, and no program notices.
. "$ROOT/tests/real/lib.sh"
need python3

# odd PLACE LAUNCHES
odd() {
	rm -rf root gone
	record "$1" "$BIN/tests/real/odd_cl" "$driver_platform" "$1"
	[ $record_status = 77 ] && grep -q 'not here' "$1.out" && {
		echo "$1: this machine does not have it"
		return 0
	}
	same "exit status of $1" 0 $record_status
	same "output of $1" "$2 launches" "$(cat "$1.out")"
	same "launches in $1" "$2" "$(launches "$1")"
	grep -q '^  nothing$' "$1.err" || fail "$1 lost something: $(cat "$1.err")"
}

odd empty-root 2
odd other-user 2
odd gone-folder 2
odd all-closed 2
odd small-stack 2
odd huge-stack 2
odd thread-end 5
odd loader-anew 2
odd no-environment 2
exit 0
