#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 1500
# Recordings of Intel's OA unit that come through a pipe need the same memory for any length: 250 MB
# as for 25; with --long 10 GB, during which the reports' timestamps run over 110 times.
. "$ROOT/tests/real/lib.sh"

sizes="25 250"
[ "$long" = 1 ] && sizes="25 10000"

# through MB COMMAND...: a recording of that size through a pipe; peak is what resided, in KiB.
through() {
	reports=$(($1 * 1000000 / 264))
	shift
	{
		"$BIN/tests/real/oa_make" - chv RenderBasic 9d8a3af5-c02c-4a4a-b947-f1672469e0fb \
			"$reports" || echo "oa_make failed" >&2
	} 2>err | "$BIN/bench/peak" took "$@" 2>>err | tail -n 1 >last || fail "$*"
	[ ! -s err ] || {
		cat err
		fail "$*: it complains"
	}
	peak=$(sed -n 's/^peak_kib //p' took)
	seconds=$(sed -n 's/^wall_s //p' took)
}

# The maker's clock and tacho's: the last row ends with the last report, at so many ticks.
expect_end() {
	tr -d '\r' <last | awk -F , -v reports="$reports" -v field="$1" '{
		least = 1000000 + reports * 12500
		exit !($field >= least && $field < least + reports * 100)
	}' || fail "the last row is not that of the last report: $(cat last)"
}

for what in "metrics - --by context" "metrics - --by report -m GpuTime,EuActive" "decode -"; do
	first=
	for mb in $sizes; do
		# shellcheck disable=SC2086 # words
		through "$mb" "$TACHO" oa $what --csv
		case $what in
		metrics*) expect_end 4 ;;
		*) [ "$(cut -d , -f 1 <last)" -gt $((mb * 990000)) ] || fail "the end is missing" ;;
		esac
		echo "oa $what: $mb MB in $seconds s, $peak KiB resident at most"
		: "${first:=$peak}"
	done
	[ "$peak" -le $((first + 4096)) ] || fail "memory grew with the recording"
done
