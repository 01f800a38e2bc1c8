# SPDX-License-Identifier: MIT
# What the scripts here share; each is given the PROGRAM that it is about.
set -u
program=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/tacho-example-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAIL: $*"
	sed 's/^/out| /' "$work/out"
	exit 1
}

# expect STATUS ARGUMENT...: the program prints what is on standard input, on whichever of the two.
expect() {
	expect_status=$1
	shift
	cat >"$work/expected"
	"$program" "$@" >"$work/out" 2>&1
	got=$?
	[ $got = "$expect_status" ] || fail "status $got with: $*"
	diff "$work/expected" "$work/out" || fail "it prints something else with: $*"
}
