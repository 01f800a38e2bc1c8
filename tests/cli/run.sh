#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs one script of this folder in an empty folder. run.sh SCRIPT TACHO PTY SOURCES
#
# For scripts:
#	run STATUS COMMAND...	runs it; its output is in the files out and err; fails unless it
#				exits with STATUS
#	has FILE TEXT		fails unless FILE has a line with TEXT in it
#	has_not FILE TEXT	the opposite
#	narrow FILE COLUMNS	fails if FILE has a line of several words that is wider
#	same FILE [LINE...]	fails unless FILE has exactly these lines
#	lost FILE		fails unless every view of FILE, which was cut, says so; leaves the
#				report, each run of blanks as one, in the file flat
#	skip WHY		ends the test as skipped
#	hide_drivers		from here on no driver of OpenCL or Vulkan is installed: where none is
#				looked at, loading them takes longer than what is tested
set -u

SOURCES=$4
PTY=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
tacho=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
script=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/tacho-cli-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
# The command is called as users call it, by its name.
mkdir "$work/bin" "$work/here"
ln -s "$tacho" "$work/bin/tacho"
PATH=$work/bin:$PATH
export PATH
cd "$work/here" || exit 1
# What the caller's environment would change; Meson 1.7 names there the folders of fakes.
unset COLUMNS NO_COLOR LD_LIBRARY_PATH OMPI_COMM_WORLD_RANK PMI_RANK PMIX_RANK SLURM_PROCID
LC_ALL=C
export LC_ALL
# No configuration of this machine's user, no pager that waits for keys,
# and no colours.
TACHO_CONFIG= TACHO_PAGER= TERM=dumb
export TACHO_CONFIG TACHO_PAGER TERM
# Drivers write into a cache folder; a folder of the test's own is always writable.
POCL_CACHE_DIR=$work/cache
export POCL_CACHE_DIR
mkdir "$work/cache"

fail() {
	echo "FAIL: $*"
	for file in out err; do
		[ -s "$work/here/$file" ] && sed "s/^/$file| /" "$work/here/$file"
	done
	exit 1
}

# narrow FILE COLUMNS: fails if a line is wider, unless it is one word: paths are never cut.
narrow() {
	grep ".\\{$(($2 + 1))\\}" "$1" | grep -qv '^ *[^ ]*$' && fail "$1 is wider than $2 columns"
	return 0
}

skip() {
	echo "SKIP: $*"
	exit 77
}

hide_drivers() {
	mkdir -p "$work/none"
	OCL_ICD_VENDORS=$work/none OPENCL_VENDOR_PATH=$work/none
	VK_DRIVER_FILES=$work/none/none.json VK_ICD_FILENAMES=$work/none/none.json
	export OCL_ICD_VENDORS OPENCL_VENDOR_PATH VK_DRIVER_FILES VK_ICD_FILENAMES
}

run() {
	expected=$1
	shift
	"$@" >out 2>err </dev/null
	got=$?
	[ "$got" = "$expected" ] || fail "status $got, not $expected: $*"
}

has() {
	grep -qF -e "$2" "$1" || fail "\"$2\" is not in $1 of the last command"
}

has_not() {
	! grep -qF -e "$2" "$1" || fail "\"$2\" is in $1 of the last command"
}

lost() {
	run 1 tacho check "$1"
	run 0 tacho report --json "$1"
	has out ' ends '
	run 1 tacho diff --any "$1" "$1"
	has err 'is not whole'
	mkdir lost
	for kind in codexl sqlite perfetto html jsonl; do
		run 1 tacho export "$1" --to $kind -o lost/cut
		has err 'is not whole'
		run 0 tacho export --partial "$1" --to $kind -o lost/cut
	done
	rm -r lost
	run 0 tacho report "$1"
	tr -s ' \n' ' ' <out >flat
	has flat 'NOT WHOLE'
	has flat ' ends '
	has_not flat 'Lost nothing'
}

same() {
	file=$1
	shift
	if [ $# = 0 ]; then
		: >expected
	else
		printf '%s\n' "$@" >expected
	fi
	cmp -s "$file" expected || {
		diff expected "$file"
		fail "$file of the last command is not what was expected"
	}
}

. "$script"
