#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs one of what ./check runs side by side: a script of tests/real or tests/scripts, or a fuzz
# target. Prints its name when it has ended. The files of one that passed are removed.
#
#	one.sh real/kill
. "$ROOT/tests/harness.sh"

# A minute, from the inputs in fuzz/corpus/NAME if there are any.
run_fuzz() {
	set -- "$1" "$BUILD/tests/fuzz-$1" "$ROOT/fuzz/corpus/$1"
	mkdir -p "$2"
	[ -d "$3" ] || set -- "$1" "$2" "$2"
	run_test "fuzz/$1" 120 "$BUILD/fuzz-$1" -max_total_time=60 -timeout=10 \
		-artifact_prefix="$2/" "$2" "$3"
}

case $1 in
fuzz/*) run_fuzz "${1#*/}" ;;
*)
	WORK=$BUILD/tests/${1#*/}
	export WORK
	mkdir -p "$WORK"
	run_test "$1" "$(limit_of "$1.sh")" sh "$ROOT/tests/$1.sh"
	read -r status _ <"$test_file.end"
	[ "$status" = 0 ] && rm -rf "$WORK"
	;;
esac
echo "$1"
