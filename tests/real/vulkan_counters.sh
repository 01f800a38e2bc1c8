#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# Counters of Vulkan programs: statistics and samples that Mesa's driver for CPUs counts, and those of
# VK_KHR_performance_query of a layer of tests, which counts by a rule and looks at each of the
# extension's.
. "$ROOT/tests/real/lib.sh"
program=$BIN/tests/real/vulkan_draws
driver=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[ -n "$driver" ] || skip "mesa-vulkan-drivers is not installed"
[ -x "$program" ] || skip "libvulkan-dev is not installed: vulkan_draws was not built"
checker=/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json
export VK_DRIVER_FILES="$driver" VK_ICD_FILENAMES="$driver"
unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH
statistic=VK_QUERY_PIPELINE_STATISTIC_
few="${statistic}INPUT_ASSEMBLY_*,${statistic}COMPUTE_*,VK_QUERY_OCCLUSION_PRECISE"

# counted NAME OUTPUT COUNTERS [OPTION...]: vulkan_draws NAME, which says OUTPUT; its counters are the
# lines of standard input.
counted() {
	cat >expected
	mode=$1 output=$2 counters=$3
	shift 3
	"$TACHO" record "$@" -f -o "$mode" -d llvmpipe -m "$counters" -- "$program" "$mode" \
		>"$mode.out" 2>"$mode.err" </dev/null || {
		cat "$mode.err"
		fail "vulkan_draws $mode ended with $?"
	}
	same "output of $mode" "$output" "$(sort -u "$mode.out")"
	"$TACHO" report "$mode" --by kernel --json >"$mode.json" || fail "no report of $mode"
	python3 "$ROOT/tests/real/vulkan_counters.py" "$mode.json" >"$mode.counters" ||
		fail "no counters of $mode"
	same_file "counters of $mode" expected "$mode.counters"
	if grep 'fake counters:' "$mode.err"; then fail "$mode breaks a rule"; fi
	echo "counters of $mode: $(awk 'END { print NR }' expected)"
}

# What copies results is recorded once for the same command buffers, and not for other counters.
turns() {
	program=$BIN/tests/real/vulkan_compute
	counted turns "turns: right" "${statistic}COMPUTE_*" <<-END
		dispatch COMPUTE_SHADER_INVOCATIONS 5 5 20480 4096 4096
	END
	program=$BIN/tests/real/vulkan_draws
}

# has NAME WORDS: its report says so.
has() {
	"$TACHO" report "$1" | tr -s ' \n' ' ' | grep -q "$2" || {
		"$TACHO" report "$1"
		fail "the report of $1 does not say: $2"
	}
}

# A strip of 4 vertices over all 64 by 64 pixels, one of 3 over half, two of 4; a dispatch of 640.
statistics() {
	for kind in draws pass chained secondary; do
		counted $kind "$kind: right" "$few" <<-END
			dispatch INPUT_ASSEMBLY_VERTICES 1 1 0 0 0
			dispatch INPUT_ASSEMBLY_PRIMITIVES 1 1 0 0 0
			dispatch COMPUTE_SHADER_INVOCATIONS 1 1 640 640 640
			dispatch VK_QUERY_OCCLUSION_PRECISE 1 1 0 0 0
			draw INPUT_ASSEMBLY_VERTICES 3 3 15 3 8
			draw INPUT_ASSEMBLY_PRIMITIVES 3 3 7 1 4
			draw COMPUTE_SHADER_INVOCATIONS 3 3 0 0 0
			draw VK_QUERY_OCCLUSION_PRECISE 3 3 14304 2016 8192
		END
	done
	# what a program has in memory that cannot be written is not changed
	counted constant "constant: right" VK_QUERY_OCCLUSION_PRECISE <<-END
		dispatch VK_QUERY_OCCLUSION_PRECISE 1 0 - - -
		draw VK_QUERY_OCCLUSION_PRECISE 3 0 - - -
	END
	has constant "the program's device cannot be made with what counting needs"
	# the program's own queries count what they do alone, and are in the way of ours
	counted own "$("$program" own)" "$few" <<-END
		dispatch INPUT_ASSEMBLY_VERTICES 1 1 0 0 0
		dispatch INPUT_ASSEMBLY_PRIMITIVES 1 1 0 0 0
		dispatch COMPUTE_SHADER_INVOCATIONS 1 1 640 640 640
		dispatch VK_QUERY_OCCLUSION_PRECISE 1 1 0 0 0
		draw INPUT_ASSEMBLY_VERTICES 3 2 11 3 8
		draw INPUT_ASSEMBLY_PRIMITIVES 3 2 5 1 4
		draw COMPUTE_SHADER_INVOCATIONS 3 2 0 0 0
		draw VK_QUERY_OCCLUSION_PRECISE 3 2 12288 4096 8192
	END
	has own 'the program had a query of the same kind active'
	counted shared "shared: right" VK_QUERY_OCCLUSION_PRECISE <<-END
		dispatch VK_QUERY_OCCLUSION_PRECISE 1 1 0 0 0
		draw VK_QUERY_OCCLUSION_PRECISE 3 0 - - -
	END
	has shared 'its secondary command buffer may run several times in one submit'
	# what is drawn for several views is as many queries, and their sum: of each pool what fits
	for kind in views both; do
		counted $kind "$kind: right" "$few" <<-END
			dispatch INPUT_ASSEMBLY_VERTICES 1 1 0 0 0
			dispatch INPUT_ASSEMBLY_PRIMITIVES 1 1 0 0 0
			dispatch COMPUTE_SHADER_INVOCATIONS 1 1 640 640 640
			dispatch VK_QUERY_OCCLUSION_PRECISE 1 1 0 0 0
			draw INPUT_ASSEMBLY_VERTICES 3 3 30 6 16
			draw INPUT_ASSEMBLY_PRIMITIVES 3 3 14 2 8
			draw COMPUTE_SHADER_INVOCATIONS 3 3 0 0 0
			draw VK_QUERY_OCCLUSION_PRECISE 3 3 28608 4032 16384
		END
	done
	counted many "many: right" VK_QUERY_OCCLUSION_PRECISE <<-END
		dispatch VK_QUERY_OCCLUSION_PRECISE 1 1 0 0 0
		draw VK_QUERY_OCCLUSION_PRECISE 53 53 657312 6048 24576
	END
	counted again "again: right" VK_QUERY_OCCLUSION_PRECISE <<-END
		dispatch VK_QUERY_OCCLUSION_PRECISE 20 20 0 0 0
		draw VK_QUERY_OCCLUSION_PRECISE 60 60 286080 2016 8192
	END
}

# by KEY NAME: the counters of the lines of its report by KEY are those of standard input.
by() {
	cat >expected
	"$TACHO" report "$2" --by "$1" --json >"$2.json" || fail "no report of $2 by $1"
	python3 "$ROOT/tests/real/vulkan_counters.py" "$2.json" >"$2.counters" ||
		fail "no counters of $2 by $1"
	same_file "counters of $2 by $1" expected "$2.counters"
}

# What a driver counts of a render pass, or of a command buffer, is told of that: its draws do not
# lack it, and what only these have the pass does not. In turns totals stand for all of them.
wholes() {
	counted pass "pass: right" Tile_bytes <<-END
		dispatch Tile_bytes 1 1 1099511635886 1099511635886 1099511635886
		draw Tile_bytes 3 0 - - -
	END
	has pass 'the driver counts it for more than one command'
	has pass 'Counters of commands as a whole'
	by command pass <<-END
		vkCmdBeginRenderPass Tile_bytes 1 1 1099511636091 1099511636091 1099511636091
	END
	by pass pass <<-END
		render_pass_1 Tile_bytes 1 1 1099511636091 1099511636091 1099511636091
	END
	"$TACHO" report pass --by pass | tr -s ' \n' ' ' |
		grep -q 'Counters of what ran in passes.* render pass 1 Tile_bytes 1 1.10 TB 1.10 TB' ||
		fail "the report by pass does not have its counters"
	counted draws "draws: right" Buffer_time <<-END
		dispatch Buffer_time 1 0 - - -
		draw Buffer_time 3 0 - - -
	END
	by command draws <<-END
		vkBeginCommandBuffer Buffer_time 1 1 1099511637201 1099511637201 1099511637201
	END
	by pass draws <<-END
		rendering_64x64 Buffer_time 3 0 - - -
	END
	counted once "once: right" Waves_started,Tile_bytes --replay rotate <<-END
		dispatch Waves_started 6 3 6660 1110 1110
		dispatch Tile_bytes 6 3 6597069815316 1099511635886 1099511635886
		draw Waves_started 18 9 19890 1103 1108
		draw Tile_bytes 18 0 - - -
	END
	by command once <<-END
		vkCmdBeginRendering Tile_bytes 6 3 6597069816546 1099511636091 1099511636091
	END
	by pass once <<-END
		rendering_64x64 Waves_started 18 9 19890 1103 1108
		rendering_64x64 Tile_bytes 6 3 6597069816546 1099511636091 1099511636091
	END
	counted pass "pass: right" Waves_started,Tile_bytes --replay process <<-END
		dispatch Waves_started 1 1 1110 1110 1110
		dispatch Tile_bytes 1 1 1099511635886 1099511635886 1099511635886
		draw Waves_started 3 3 3315 1103 1108
		draw Tile_bytes 3 0 - - -
	END
	by pass pass <<-END
		render_pass_1 Waves_started 3 3 3315 1103 1108
		render_pass_1 Tile_bytes 1 1 1099511636091 1099511636091 1099511636091
	END
	FAKE_COUNTERS=refuse counted pass "pass: right" Tile_bytes <<-END
		dispatch Tile_bytes 1 0 - - -
		draw Tile_bytes 3 0 - - -
	END
	by command pass <<-END
		vkCmdBeginRenderPass Tile_bytes 1 0 - - -
	END
}

# Khronos's checker says no more than without tacho.
validated() {
	[ -e "$checker" ] || {
		echo "vulkan-validationlayers is not installed: nothing is validated"
		return
	}
	for kind in draws pass own again secondary views both many; do
		VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation "$TACHO" record -f -o checked \
			-d llvmpipe -m "$few" -- "$program" $kind >checked.out 2>checked.err
		same "what the checker says of $kind" "$("$program" $kind)" "$(cat checked.out)"
	done
}

# The rule: 1000 * (the counter's number + 1) + 100 * commands + vertices or groups.
driver_counts() {
	[ -e "$BIN/tests/fake/vulkan_counters/libfake-counters.so" ] || {
		echo "Khronos's layer headers are missing: the driver's own counters are not tried"
		return
	}
	export VK_ADD_LAYER_PATH="$BIN/tests/fake/vulkan_counters"
	export VK_INSTANCE_LAYERS=VK_LAYER_FAKE_counters
	export VK_LAYER_PATH="$VK_ADD_LAYER_PATH" # of loaders that do not know the other
	counted draws "draws: right" Waves_started,GPU_Core_Clocks <<-END
		dispatch Waves_started 1 1 1110 1110 1110
		dispatch GPU_Core_Clocks 1 1 1099511629886 1099511629886 1099511629886
		draw Waves_started 3 3 3315 1103 1108
		draw GPU_Core_Clocks 3 3 3298534889643 1099511629879 1099511629884
	END
	# three passes, each in a run of its own
	counted draws "draws: right" Waves_started,Busy__all_units,Drift,Frequency,Balance \
		--replay process <<-END
		dispatch Waves_started 1 1 1110 1110 1110
		dispatch Busy__all_units 1 1 - 3110.5 3110.5
		dispatch Drift 1 1 -5110 -5110 -5110
		dispatch Frequency 1 1 - 6110.25 6110.25
		dispatch Balance 1 1 -7110 -7110 -7110
		draw Waves_started 3 3 3315 1103 1108
		draw Busy__all_units 3 3 - 3103.5 3108.5
		draw Drift 3 3 -15315 -5108 -5103
		draw Frequency 3 3 - 6103.25 6108.25
		draw Balance 3 3 -21315 -7108 -7103
	END
	# recorded six times: two command buffers a pass, and totals of all six from these
	counted once "once: right" Waves_started,Bytes_read,Drift --replay rotate <<-END
		dispatch Waves_started 6 2 6660 1110 1110
		dispatch Bytes_read 6 2 6597069791316 1099511631886 1099511631886
		dispatch Drift 6 2 -30660 -5110 -5110
		draw Waves_started 18 6 19890 1103 1108
		draw Bytes_read 18 6 19791209373858 1099511631879 1099511631884
		draw Drift 18 6 -91890 -5108 -5103
	END
	wholes
	# a pass whose draws are in a secondary is not counted: no query may be around that
	counted secondary "secondary: right" Tile_bytes <<-END
		dispatch Tile_bytes 1 1 1099511635886 1099511635886 1099511635886
		draw Tile_bytes 3 0 - - -
	END
	for kind in secondary views; do
		counted $kind "$kind: right" Waves_started <<-END
			dispatch Waves_started 1 1 1110 1110 1110
			draw Waves_started 3 0 - - -
		END
	done
	has secondary "the driver's own counters are not counted in secondary command buffers"
	has views "the driver's own counters cannot be told apart"
	FAKE_COUNTERS=direct counted draws "draws: right" Waves_started <<-END
		dispatch Waves_started 1 1 1110 1110 1110
		draw Waves_started 3 3 3315 1103 1108
	END
	FAKE_COUNTERS=refuse counted draws "draws: right" Waves_started <<-END
		dispatch Waves_started 1 0 - - -
		draw Waves_started 3 0 - - -
	END
	has draws "profiling lock was refused"
	FAKE_COUNTERS=fail counted draws "draws: right" Waves_started <<-END
		dispatch Waves_started 1 0 - - -
		draw Waves_started 3 0 - - -
	END
	"$TACHO" record -f -o power -d llvmpipe -m Power -- "$program" draws >power.out 2>&1 &&
		fail "a counter that needs two passes by itself was counted"
	grep -q 'needs 2 passes for it alone' power.out || fail "nobody says why Power is not counted"
}

plain probe "$program" draws
[ $plain_status = 77 ] && skip "the driver of Vulkan makes no device here"
statistics
turns
validated
driver_counts
