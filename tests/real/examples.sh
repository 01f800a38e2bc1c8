#!/bin/sh
# SPDX-License-Identifier: MIT
# examples/launch_values.c reads what was counted of each launch of a real program: 256 work-items are
# four waves of the simulated device.
. "$ROOT/tests/real/lib.sh"
need
record_export=none
record_options="--sim mi300x -m work_items,SQ_WAVES -k one"
record first "$BIN/tests/real/steps_cl" "$driver_platform" one:2 two:3 one:1
same "exit status" 0 "$record_status"
same "the witness's launches" 6 "$(witnessed first)"
"$BIN/examples/launch_values" first >values 2>&1 || fail "status $? of launch_values: $(cat values)"
for launch in 1 2 3; do
	printf 'one\n  work_items 256 items (ok)\n  SQ_WAVES 4 wavefronts (ok) [simulated]\n'
done >expected
same_file "values of launches" expected values

# What is missing is not shown as if it were whole.
rm first.tacho/calls-*
"$BIN/examples/launch_values" first >values 2>&1 && fail "a damaged recording is whole to it"
same "without its calls" 1 "$(grep -c '^  cause: .*is missing' values)"
