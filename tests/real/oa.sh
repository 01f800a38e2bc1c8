#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# Intel OA recordings that tacho writes: Debian's i915-perf-reader works out the same values from
# them, for every counter of every set of 19 architectures; and tacho survives what makes it crash.
. "$ROOT/tests/real/lib.sh"
command -v i915-perf-reader >/dev/null 2>&1 || skip "i915-perf-reader (intel-gpu-tools) is not installed"
command -v python3 >/dev/null 2>&1 || skip "python3 is not installed"
make=$BIN/tests/real/oa_make

# compare ARCH [OPTION...]: all its sets.
compare() {
	arch=$1
	shift
	sets=0 names=0 values=0
	"$TACHO" oa sets --arch "$arch" --json "$@" >"$arch.json" || fail "tacho oa sets"
	python3 - "$arch.json" >"$arch.sets" <<'PYTHON' || fail "the sets of $arch cannot be read"
import json, sys
for one in json.load(open(sys.argv[1]))["sets"]:
    print(one["name"], one["guid"])
PYTHON
	while read -r set guid; do
		"$make" set.rec "$arch" "$set" "$guid" 24 $((sets + 1)) || fail "oa_make"
		counts=$(python3 "$ROOT/tests/real/oa.py" "$TACHO" set.rec 20 --arch "$arch" "$@") || {
			echo "$counts"
			fail "$arch $set: tacho and i915-perf-reader differ"
		}
		sets=$((sets + 1)) names=$((names + ${counts% *})) values=$((values + ${counts#* }))
	done <"$arch.sets"
	[ "$values" -gt 0 ] || fail "$arch has no sets"
	echo "$arch: $sets sets, $names counters, $values values are equal"
}

for arch in hsw bdw chv sklgt2 sklgt3 sklgt4 bxt kblgt2 kblgt3 glk cflgt2 cflgt3 icl ehl tglgt1 \
	tglgt2 rkl dg1 adl; do
	compare $arch
done
