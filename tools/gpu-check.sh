#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks on a machine with an AMD or NVIDIA GPU what tacho claims of recording and live counting
# (docs/rocm.md, docs/nvidia.md), which its tests know from fakes of the vendors' libraries alone. One
# command, no network, nothing is installed:
#
#	tools/gpu-check.sh [-b BUILD] [-o FILE.tar.gz] [-- PROGRAM [ARGUMENT...]]
#
# Prints ok, FAIL or skip for each claim, and packs all that it saw into one file for a bug report:
# versions, what the kernel tells of the GPUs, outputs of tacho and recordings. It holds no data of
# programs but those that it runs itself. Without PROGRAM a HIP program is compiled (hipcc), and for
# NVIDIA programs of the build are run; with it the claims that need to know what the program does are
# skipped.
# Exits with 0 when all holds, 1 when something does not, 2 for wrong usage, 3 when there is no GPU.
set -u

here=$(cd "$(dirname "$0")/.." && pwd)
build=$here/build
pack=$PWD/tacho-gpu-check.tar.gz
while [ $# -gt 0 ]; do
	case $1 in
	-b) build=${2:?} && shift 2 ;;
	-o) pack=${2:?} && shift 2 ;;
	--) shift && break ;;
	*) sed -n 's/^#	//p' "$0" >&2 && exit 2 ;;
	esac
done
case $pack in /*) ;; *) pack=$PWD/$pack ;; esac
case $build in /*) ;; *) build=$PWD/$build ;; esac
tacho=$build/cli/tacho
[ -x "$tacho" ] || tacho=$(command -v tacho) || {
	echo "there is no tacho in $build and none in PATH: build it, or give -b" >&2
	exit 2
}
work=$(mktemp -d "${TMPDIR:-/tmp}/tacho-gpu-check-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
saw=$work/tacho-gpu-check
mkdir "$saw"
cd "$saw" || exit 2
LC_ALL=C
export LC_ALL
failed=0 passed=0 skipped=0
counters=${GPU_CHECK_COUNTERS:-SQ_*} # all hardware counters of the instruction sequencer

say() {
	printf '%-5s %s\n' "$1" "$2" | tee -a result.txt
}

# claim TEXT COMMAND...: what the command prints is kept.
claim() {
	claim_text=$1
	shift
	if "$@" >>log.txt 2>&1; then
		passed=$((passed + 1))
		say ok "$claim_text"
	else
		failed=$((failed + 1))
		say FAIL "$claim_text"
	fi
}

skip() {
	skipped=$((skipped + 1))
	say skip "$1: $2"
}

# keep NAME COMMAND...: its output goes into the pack.
keep() {
	keep_name=$1
	shift
	"$@" >"$keep_name.txt" 2>&1
}

between() {
	echo "$1: $2 between $3 and $4"
	awk -v x="$2" -v low="$3" -v high="$4" 'BEGIN { exit !(x != "" && x >= low && x <= high) }'
}

record() {
	rm -rf run.tacho
	"$tacho" record -q -f -o run "$@" >program.txt 2>record.txt
	record_status=$?
	cat program.txt record.txt
	return $record_status
}

# ---- what is here ----

root=${TACHO_ROCM_ROOT:-}
gpus=$(grep -l '^simd_count [1-9]' "$root"/sys/class/kfd/kfd/topology/nodes/*/properties 2>/dev/null |
	xargs -r grep -l '^gfx_target_version [1-9]' 2>/dev/null | wc -l)
cuda_work=$build/tools/gpu-check/cuda_work
cuda_gpus=0
[ ! -x "$cuda_work" ] || "$cuda_work" devices >cuda.txt 2>&1
[ ! -f cuda.txt ] || cuda_gpus=$(sed -n 's/^devices //p' cuda.txt)
if [ "$gpus" = 0 ] && [ "${cuda_gpus:-0}" = 0 ]; then
	echo "nothing to check: no AMD GPU is in $root/sys/class/kfd, and no NVIDIA GPU is known to libcuda"
	exit 3
fi
keep version "$tacho" --version
keep uname uname -a
keep os cat /etc/os-release

[ "${cuda_gpus:-0}" = 0 ] || . "$here/tools/gpu-check/nvidia.sh"
[ "$gpus" = 0 ] || . "$here/tools/gpu-check/amd.sh"

say "" ""
say "" "$passed ok, $failed failed, $skipped skipped"
tar -C "$work" -czf "$pack" tacho-gpu-check && echo "      all that was seen is in $pack"
[ "$failed" = 0 ]
