#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# tacho plan and tacho info of a Vulkan device, whose driver says what it counts: Mesa's for CPUs,
# which has statistics and samples, and the same below a layer of tests that has counters of its own.
. "$ROOT/tests/real/lib.sh"
driver=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[ -n "$driver" ] || skip "mesa-vulkan-drivers is not installed"
export VK_DRIVER_FILES="$driver" VK_ICD_FILENAMES="$driver"
unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH
statistic=VK_QUERY_PIPELINE_STATISTIC_

# says STATUS WORDS COMMAND...: tacho COMMAND ends so, and says so.
says() {
	says_status=$1 says_words=$2
	shift 2
	"$TACHO" "$@" >out 2>&1 </dev/null
	says_got=$?
	[ $says_got = "$says_status" ] || {
		cat out
		fail "tacho $*: ended with $says_got, not $says_status"
	}
	tells "$says_words"
}

# tells WORDS: of the command before.
tells() {
	tr -s ' \n' ' ' <out | grep -qF -- "$1" || {
		cat out
		fail "it does not say: $1"
	}
}

# What any driver may have, of the one that is there.
standard() {
	says 0 ': 1 pass for 12 entries pass 1: 12 counters' \
		plan -d llvmpipe -m "${statistic}*,VK_QUERY_OCCLUSION"
	tells 'vulkan:llvmpipe'
	says 0 'counted by a query of the API that is begun and ended around each draw' \
		info VK_QUERY_OCCLUSION -d llvmpipe
	tells 'On vulkan:llvmpipe'
	says 0 'tacho has the times of commands without counting' info D3DGPUTime -d llvmpipe
	says 1 'the driver has no counters of its own: it lacks VK_KHR_performance_query' \
		plan -d llvmpipe -m Waves_started
	tells 'has no counter, metric or set "Waves_started"'
	grep -q '^tacho: llvmpipe' out || fail "the device is called $(head -n 1 out)"
	says 1 'the driver has no counters of its own: it lacks VK_KHR_performance_query' \
		info Waves_started -d llvmpipe
	says 1 'did you mean VK_QUERY_OCCLUSION' info VK_QUERY_OCCLUSIO -d llvmpipe
	says 2 'said by its driver, not by --model' plan -d llvmpipe --model mi300x -m VK_QUERY_OCCLUSION
	says 2 'exclude each other' info VK_QUERY_OCCLUSION -d llvmpipe --arch gfx942
	echo "a driver's standard queries: planned and explained"
}

# Passes are those that the driver needs: three groups, one of which holds what needs two alone.
own_counters() {
	says 0 ': 1 pass for 2 entries' plan -d llvmpipe -m Waves_started,GPU_Core_Clocks
	says 0 ': 3 passes for 6 entries' plan -d llvmpipe \
		-m Waves_started,Busy__all_units,Bytes_read,Drift,Frequency,VK_QUERY_OCCLUSION
	tells 'pass 1: 2 counters counters Waves_started, VK_QUERY_OCCLUSION'
	tells 'pass 2: 2 counters counters Busy__all_units, Bytes_read'
	tells 'pass 3: 2 counters counters Drift, Frequency'
	# what is counted of different wholes does not go together, though the driver says so
	says 0 ': 3 passes for 3 entries' plan -d llvmpipe -m Waves_started,Tile_bytes,Buffer_time
	says 5 '3 passes are needed' plan -d llvmpipe --passes 2 -m Waves_started,Bytes_read,Drift
	says 1 'its driver needs 2 passes for it alone' plan -d llvmpipe -m Power
	"$TACHO" plan -d llvmpipe -m Waves_started,Drift --json >plan.json || fail "no plan as JSON"
	same "a plan as JSON" "2 True [['Waves_started'], ['Drift']]" "$(python3 -c '
import json
plan = json.load(open("plan.json"))
print(plan["runs"], plan["device"].startswith("vulkan:llvmpipe"),
      [each["counters"] for each in plan["passes"]])')"
	says 0 'scope whole render passes, storage uint64' info Tile_bytes -d llvmpipe
	tells 'description Counter 7 of the test.'
	tells 'unit bytes'
	tells 'The driver counts it for whole render passes.'
	says 0 'scope single commands, storage float32' info Busy__all_units -d llvmpipe
	tells 'title Busy, all units'
	tells 'Other work at the same time changes it.'
	tells 'counted by a query of VK_KHR_performance_query around each command'
	tells 'width 32 bits'
	says 0 'Waves_started - counter' info '*Waves*' -d llvmpipe
	tells 'Other/Waves_started - counter'
	says 1 'did you mean Waves_started' info Waves_startd -d llvmpipe
	"$TACHO" info Drift -d llvmpipe --json >info.json || fail "no info as JSON"
	same "a counter as JSON" "True counter items f64 32 driver 4" "$(python3 -c '
import json
it, = json.load(open("info.json"))["entries"]
print(it["device"].startswith("vulkan:llvmpipe"), it["kind"], it["unit"], it["type"],
      it["width_bits"], it["block"], it["event"])')"
	if command -v bash >/dev/null; then
		"$TACHO" help --completion bash >tacho.bash
		for asked in plan:-m info:--device; do
			option=${asked#*:}
			[ "$option" = -m ] || option=
			PATH=$(dirname "$TACHO"):$PATH bash --norc -c '. ./tacho.bash; COMP_WORDS=("$@")
				COMP_CWORD=$(($# - 1)); _tacho; printf "%s\n" "${COMPREPLY[@]}"' \
				bash tacho "${asked%:*}" -d llvmpipe $option Waves_s >completed
			same "what completes tacho ${asked%:*} Waves_s" Waves_started "$(sort -u completed)"
		done
	fi
	echo "a driver's own counters: planned and explained"
}

"$TACHO" list devices --names | grep -q '^llvmpipe' || skip "the driver of Vulkan has no device here"
standard
[ -e "$BIN/tests/fake/vulkan_counters/libfake-counters.so" ] || {
	echo "Khronos's layer headers are missing: the driver's own counters are not tried"
	exit 0
}
export VK_ADD_LAYER_PATH="$BIN/tests/fake/vulkan_counters"
export VK_INSTANCE_LAYERS=VK_LAYER_FAKE_counters
export VK_LAYER_PATH="$VK_ADD_LAYER_PATH" # of loaders that do not know the other
own_counters
