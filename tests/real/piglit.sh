#!/bin/sh
# SPDX-License-Identifier: MIT
# long
# limit: 1500
# Piglit's OpenCL programs: what each finds is the same when it is recorded, on each driver.
. "$ROOT/tests/real/lib.sh"
programs=$(find /usr/lib/*/piglit/bin /usr/lib/piglit/bin /usr/lib64/piglit/bin \
	-name 'cl-api-*' -o -name 'cl-custom-*' 2>/dev/null | sort)
[ -n "$programs" ] || skip "piglit is not installed"

# Processor time, because on a busy machine a kernel of 5 s on oclgrind takes more than a minute.
ulimit -t 60
limit="timeout 300"

# outcome STATUS FILE: all that is compared.
outcome() {
	echo "status $1"
	grep -a '^PIGLIT: ' "$2"
}

# A program that finds something else each time by itself is no witness; such ones are few.
compare_again() {
	plain "$1" $limit "$2" -auto
	again=$(outcome $plain_status "$1.plain")
	[ "$again" = "$expected" ] && fail "$1: expected $expected, got $got"
	echo "$1 varies without tacho, too: $expected, then $again"
	varying=$((varying + 1))
}

compare() {
	compared=0 found=0 varying=0
	for program in $programs; do
		name=$1-$(basename "$program")
		plain "$name" $limit "$program" -auto
		expected=$(outcome $plain_status "$name.plain")
		$limit "$TACHO" record -q -f -o recording -- "$program" -auto \
			>"$name.out" 2>"$name.err" </dev/null
		got=$(outcome $? "$name.out")
		if [ "$got" = "$expected" ]; then
			echo "$name: $(echo "$got" | tail -n 1)"
		else
			compare_again "$name" "$program"
		fi
		compared=$((compared + 1))
		case $expected in *PIGLIT*) found=$((found + 1)) ;; esac
	done
	same "programs compared on $1" "$(echo "$programs" | wc -l)" $compared
	[ $varying -le 3 ] || fail "$varying programs vary on $1"
	[ $found -gt $((compared / 2)) ] || fail "only $found programs found out anything on $1"
}

each_driver compare
