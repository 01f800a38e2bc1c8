#!/bin/sh
# SPDX-License-Identifier: MIT
# oneTBB speaks ITT: its algorithms are tasks by their kind, and, in programs that are compiled with
# TBB_USE_PROFILING_TOOLS, so is the body of a node each time it runs.
. "$ROOT/tests/real/lib.sh"
${CXX:-c++} -std=c++17 -DTBB_USE_PROFILING_TOOLS=1 -o tbb "$ROOT/tests/real/tbb_ranges.cpp" -ltbb \
	2>tbb.log || skip "no program with oneTBB can be compiled here"
grep -q INTEL_LIBITTNOTIFY64 "$(ldd ./tbb | awk '/libtbb/ { print $3 }')" ||
	skip "this oneTBB was built without ITT"
ranges tbb ./tbb
same "runs of bodies: 3 values through 2 nodes" 6 \
	"$(grep -c '^itt nested "tbb.flow" "body" in ""$' tbb.list)"
for kind in tbb_custom tbb_flow_graph tbb_parallel_for; do
	grep -q "^itt nested \"tbb\" \"$kind\"" tbb.list || fail "no $kind: $(cat tbb.list)"
done
