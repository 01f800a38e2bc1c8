#!/bin/sh
# SPDX-License-Identifier: MIT
# long
# limit: 5400
# Debian 13, whose gcc is 14: all is built with warnings as errors; the unit tests, as they are and with
# the address and undefined-behaviour sanitizers.
set -u
. "$ROOT/packaging/sources.sh"
. "$ROOT/packaging/root.sh"
root_check
machine=$WORK/machine
failed=0
root_make trixie "$machine" gcc libc6-dev meson ninja-build pkg-config libyaml-dev libexpat1-dev \
	zlib1g-dev libcmocka-dev libsqlite3-0 python3 || skip "no trixie: $(tail -n 1 "$machine.log")"
put_sources "$machine/src"

# builds NAME TARGET MESON_OPTIONS...: in a folder of its own.
builds() {
	name=$1 target=$2
	shift 2
	# shellcheck disable=SC2016 # words of the inner shell
	root_run "$machine" sh -euc 'folder=$1 target=$2
		shift 2
		meson setup "$folder" /src -Ddocs=disabled -Dc_args=-g1 "$@"
		ninja -C "$folder" -k 0 "$target"' sh "/build-$name" "$target" "$@" >"$WORK/$name.build" 2>&1 &&
		return
	grep -E 'error:|FAILED:' "$WORK/$name.build" | head -n 40
	echo "FAIL: $name does not build; all of it: $WORK/$name.build"
	failed=1
	return 1
}

# passes NAME: its unit tests, with limits of time for something that is ten times as slow.
passes() {
	root_run "$machine" env ASAN_OPTIONS=detect_leaks=1 \
		UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
		meson test -C "/build-$1" --suite unit -t 20 --print-errorlogs >"$WORK/$1.log" 2>&1 || {
		grep -E '^ *[0-9]+/[0-9]+ .* (FAIL|TIMEOUT|ERROR) |: error:|: runtime error:|ERROR: ' \
			"$WORK/$1.log" | head -n 40
		echo "FAIL: $1; all of it: $WORK/$1.log"
		failed=1
	}
	say "$1, unit tests:" $(sed -n 's/^\(Ok\|Fail\|Timeout\|Skipped\): *\([0-9]*\).*/\1 \2/p' "$WORK/$1.log")
}

say "$(root_run "$machine" gcc --version | head -n 1)"
builds plain all -Dwerror=true && passes plain
builds asan unit-programs -Db_sanitize=address,undefined -Db_lundef=false -Doptimization=0 &&
	passes asan
exit $failed
