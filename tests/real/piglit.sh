#!/bin/sh
# SPDX-License-Identifier: MIT
# long
# limit: 400
# Piglit's OpenCL programs: what each finds is the same when it is recorded, on each driver.
. "$ROOT/tests/real/lib.sh"
programs=$(find /usr/lib/*/piglit/bin /usr/lib/piglit/bin /usr/lib64/piglit/bin \
	-name 'cl-api-*' -o -name 'cl-custom-*' 2>/dev/null | sort)
[ -n "$programs" ] || skip "piglit is not installed"

results() {
	grep -a '^PIGLIT: ' "$1"
}

compare() {
	compared=0 found=0
	for program in $programs; do
		name=$1-$(basename "$program")
		plain "$name" timeout 60 "$program" -auto
		timeout 60 "$TACHO" record -q -f -o recording -- "$program" -auto \
			>"$name.out" 2>"$name.err" </dev/null
		same "status of $name" $plain_status $?
		same "results of $name" "$(results "$name.plain")" "$(results "$name.out")"
		compared=$((compared + 1))
		[ -n "$(results "$name.plain")" ] && found=$((found + 1))
	done
	same "programs compared on $1" "$(echo "$programs" | wc -l)" $compared
	[ $found -gt $((compared / 2)) ] || fail "only $found programs found out anything on $1"
}

each_driver compare
