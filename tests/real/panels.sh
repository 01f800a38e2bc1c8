#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 1200
# long
# Panels of ROCm's compute profiler, worked out by its own parser and by tacho. ROCPROF_COMPUTE is a
# checkout of it; all of its workloads are compared with ROCPROF_COMPUTE_ALL=1, else one of each
# architecture.
. "$ROOT/tests/real/lib.sh"

[ -d "${ROCPROF_COMPUTE:-}/tests/workloads" ] ||
	skip "ROCPROF_COMPUTE names no checkout of rocprofiler-compute"
for python in python3 /usr/bin/python3 ""; do
	[ "$python" ] || skip "pandas is not installed"
	"$python" -c 'import pandas, yaml' 2>/dev/null && break
done
"$python" "$ROOT/tests/real/panels.py" "$ROCPROF_COMPUTE" "$BIN/cli/tacho" \
	$([ "${ROCPROF_COMPUTE_ALL:-}" ] && echo 1000 || echo 1)
