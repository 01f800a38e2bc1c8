#!/bin/sh
# SPDX-License-Identifier: MIT
# What recording costs whole programs: clpeak's figures, hashcat and OpenMM, each run in pairs with
# and without tacho; which one runs first alternates. Prints Markdown for bench/RESULTS.md: the
# median ratio of each figure with its 95 % interval. Programs that are not installed are left out.
#
#	[VARIABLE=VALUE...] bench/record/programs.sh [clpeak] [hashcat] [openmm]
#
# PAIRS=20       pairs of each program
# CLPEAK=WORDS   clpeak's options: which of its tests run ("" for all: a minute each run)
# BIN, OUT       see bench/lib.sh
ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
. "$ROOT/bench/lib.sh"
. "$ROOT/tools/driver.sh"

pairs=${PAIRS:-20}
clpeak_options=${CLPEAK---kernel-latency --global-bandwidth --transfer-bandwidth --compute-sp}
programs=${*:-clpeak hashcat openmm}

run_clpeak() {
	# shellcheck disable=SC2086 # words
	"$@" clpeak -p "$driver_platform" $clpeak_options
}

# "SECTION, NAME VALUE" with _ for blanks, of all that clpeak measured.
figures_clpeak() {
	awk -F ' : ' '
		/^ *(Driver version|Compute units|Clock frequency) / { next }
		NF == 1 && /^    [^ ]/ { section = $1; sub(/^ */, "", section); next }
		NF == 2 && $2 ~ /^[0-9.]+/ {
			name = /^    [^ ]/ ? $1 : section ", " $1
			sub(/^ */, "", name); gsub(/ +$/, "", name); gsub(/ +/, " ", name)
			gsub(/ /, "_", name)
			split($2, number, " ")
			print name, number[1]
		}' "$1"
}

run_hashcat() {
	"$@" hashcat -b -m 0 --force --potfile-disable --machine-readable
}

figures_hashcat() {
	awk -F : '/^[0-9]+:0:/ { print "MD5_speed", $NF }' "$1"
}

run_openmm() {
	"$@" /usr/bin/python3 "$ROOT/tests/real/argon.py" "$driver_platform"
}

figures_openmm() {
	:
}

has_program() {
	case $1 in
	clpeak | hashcat) command -v "$1" >/dev/null 2>&1 ;;
	openmm)
		/usr/bin/python3 -c 'import simtk' 2>/dev/null ||
			/usr/bin/python3 -c 'import openmm' 2>/dev/null
		;;
	*) bench_die "$1 is not one of clpeak, hashcat, openmm" ;;
	esac
}

# one PROGRAM VARIANT: runs it and notes its figures and its time.
one() {
	start=$(date +%s%N)
	case $2 in
	plain) "run_$1" ;;
	tacho) "run_$1" bench_record ;;
	esac >"$OUT/printed" 2>"$OUT/errors" </dev/null || {
		cat "$OUT/errors" >&2
		bench_die "$1 ($2) failed"
	}
	end=$(date +%s%N)
	lost="- -"
	[ "$2" = plain ] || lost=$(bench_lost) || exit 1
	echo "$pair $1:_time_of_the_whole_program $2 $((end - start)) $lost" >>"$RAW"
	"figures_$1" "$OUT/printed" >"$OUT/figures"
	while read -r name number; do
		echo "$pair $1:_$name $2 $number $lost" >>"$RAW"
	done <"$OUT/figures"
}

driver_choose || bench_die "no OpenCL driver runs kernels here"
machine=$(bench_machine)
: >"$RAW"
for program in $programs; do
	has_program "$program" || {
		bench_say "$program is not installed: left out"
		continue
	}
	pair=0
	one "$program" plain # fills the driver's cache of compiled kernels
	pair=1
	while [ $pair -le "$pairs" ]; do
		bench_say "$program: pair $pair of $pairs"
		if [ $((pair % 2)) = 1 ]; then
			one "$program" plain
			one "$program" tacho
		else
			one "$program" tacho
			one "$program" plain
		fi
		pair=$((pair + 1))
	done
done
rm -rf "$OUT/recording.tacho"

echo "$machine"
echo "- $pairs pairs of each program; ratio: recorded over not recorded, of the program's own" \
	"figure. The time of the whole program includes starting and ending tacho itself."
echo
awk -f "$ROOT/bench/stats.awk" -f "$ROOT/bench/record/pairs.awk" "$RAW"
bench_say "raw figures: $RAW"
