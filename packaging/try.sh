# SPDX-License-Identifier: MIT
# What must work of an installed tacho, on a machine that has an OpenCL driver and nothing of this
# checkout. Runs there: try.sh TACHO OPENCL_PROGRAM PYTHONPATH, with tests/data/codexl/mixed.atp beside
# the program; OPENCL_PROGRAM-linked is the same with the loader linked, for machines whose loader knows no
# layers.
set -eu
tacho=$1 program=$2
cd "$(mktemp -d)"
export POCL_CACHE_DIR="$PWD/cache"
mkdir cache

fail() {
	echo "FAIL: $*"
	exit 1
}

has() {
	grep -q -- "$2" "$1" || {
		cat "$1"
		fail "$1 has no \"$2\""
	}
}

"$tacho" --version
"$tacho" doctor >doctor 2>&1 || true
has doctor 'libtacho-inject\|layer'
"$tacho" list metrics --arch gfx942 VALUBusy >list
has list VALUBusy
"$tacho" list devices >devices 2>&1 || fail "list devices: $(cat devices)"
has devices cpu
# containers may permit no counting at all, and say so
"$tacho" stat -m task-clock -- true >stat 2>&1 || has stat 'perf\|permitted'
"$tacho" report "$(dirname "$program")/mixed.atp" >session
has session vadd
PYTHONPATH="$3" python3 -c 'import sys, tacho
assert len(tacho.open(sys.argv[1]).commands) == 6' "$(dirname "$program")/mixed.atp"
said= work="5" # rounds of each of four threads
# A driver that is older than the CPU builds nothing for it: PoCL 1.6 of 2020 says "unknown target CPU".
# Oclgrind builds for no CPU; it takes one thread.
if ! "$program" books $work >alone 2>&1; then
	has alone 'clBuildProgram failed'
	ls /usr/lib/oclgrind/*-icd.so >"$PWD/oclgrind.icd"
	export OCL_ICD_VENDORS="$PWD/oclgrind.icd"
	work="20 1"
	"$program" books $work >alone 2>&1 || fail "PoCL cannot build for this CPU, and Oclgrind: $(cat alone)"
	said=", with Oclgrind: PoCL here is older than the CPU"
fi
"$tacho" record -q -o run -- "$program" books $work >record 2>&1 || fail "record: $(cat record)"
"$tacho" report run >report
# Before 2.3 of 2021 ocl-icd knows no layers, and a program that opens it by itself is not reached.
if grep -q 'preloading misses' report; then
	program=$program-linked
	"$tacho" record -q -f -o run -- "$program" books $work >record 2>&1 || fail "record: $(cat record)"
	"$tacho" report run >report
	said="$said, and a program that has the loader linked: the loader here knows no layers"
fi
has report '20 kernel launches'
"$tacho" check run >check || fail "check: $(cat check)"
"$tacho" export run --to jsonl -o - >run.jsonl
has run.jsonl clEnqueueNDRangeKernel
"$tacho" record -q -o counted --sim mi300x -m SQ_WAVES -- "$program" books $work >record 2>&1 ||
	fail "record -m: $(cat record)"
"$tacho" report counted >report
has report SQ_WAVES
PYTHONPATH="$3" python3 - <<'EOF'
import tacho

with tacho.open("counted") as recording:
    kernels = [row for row in recording.commands.rows() if row["kind"] == "kernel"]
    assert len(kernels) == 20, len(kernels)
    waves = [one for one in recording.values.column("SQ_WAVES").tolist() if one is not None]
    assert len(waves) == 20 and all(waves), waves
    assert recording.losses.missing == 0
print("import tacho:", tacho.__version__)
EOF
echo "all of it works$said"
