#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# All that a program can see of itself and of OpenCL is the same when it is recorded.
. "$ROOT/tests/real/lib.sh"
need
program=$BIN/tests/real/transparent

sections="queues lists events callbacks commands native errors property"

recorded() {
	"$TACHO" export -f recording --to jsonl >/dev/null 2>&1
	grep -q clCreateContext recording.jsonl || fail "$name recorded nothing"
}

# Drivers die of some sections, or never come back; what they do before is compared all the same.
compare() {
	plain warm timeout 20 "$program" return
	for how in $2; do
		plain "$1-$how" timeout 10 "$program" "$how"
		[ $plain_status = 124 ] && {
			never_back "$1" "$how"
			continue
		}
		# The shell's own words are no message of the program.
		sed -i '/^\(Segmentation fault\|Aborted\|Terminated\)\( (core dumped)\)\{0,1\}$/d' \
			"$1-$how.plain-err"
		for via in $3; do
			name=$1-$how-$via
			"$TACHO" record -q --via "$via" -f -o recording -- "$program" "$how" \
				>"$name.out" 2>"$name.err" </dev/null
			same "status of $name" $plain_status $?
			same_file "output of $name" "$1-$how.plain" "$name.out"
			same_file "messages of $name" "$1-$how.plain-err" "$name.err"
			recorded
		done
		compared=$((compared + 1))
	done
}

# The driver never comes back, and goes on when it is recorded: it does not die.
never_back() {
	name=$1-$2-layer
	timeout 10 "$TACHO" record -q -f -o recording -- "$program" "$2" >"$name.out" 2>"$name.err" \
		</dev/null
	same "status of $name, which never comes back" 124 $?
	same_file "output of $name" "$1-$2.plain" "$name.out"
	recorded
}

compare_driver() {
	compared=0
	case $1-$long in
	pocl-*) compare pocl "all property return exit _exit quick_exit abort signal" "layer preload" ;;
	*-0) compare "$1" "queues errors" layer ;;
	*) compare "$1" "$sections return _exit abort" layer ;;
	esac
	[ $compared -ge 2 ] || fail "only $compared runs were compared on $1"
}

each_driver compare_driver
