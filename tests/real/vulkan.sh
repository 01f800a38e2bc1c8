#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 300
# Vulkan programs as they are, on Mesa's driver for CPUs: each command that a device ran is a row,
# with times where they can be told and the reason where not, and the program gets what it would get.
. "$ROOT/tests/real/lib.sh"
program=$BIN/tests/real/vulkan_compute
driver=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[ -n "$driver" ] || skip "mesa-vulkan-drivers is not installed"
checker=/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json
export VK_DRIVER_FILES="$driver" VK_ICD_FILENAMES="$driver"
unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH

# rows NAME COMMAND...: runs it recorded, with its rows in NAME.rows.
rows() {
	rows_name=$1
	shift
	"$TACHO" record -f -o "$rows_name" --export jsonl -- "$@" \
		>"$rows_name.out" 2>"$rows_name.err" </dev/null
	rows_status=$?
	[ $rows_status = 0 ] || {
		cat "$rows_name.err"
		fail "$* ended with $rows_status"
	}
	python3 "$ROOT/tests/real/vulkan_rows.py" "$rows_name.jsonl" >"$rows_name.rows" ||
		fail "the rows of $rows_name make no sense"
}

# mode NAME: vulkan_compute is right, and its rows are the lines of standard input.
mode() {
	cat >"$1.expected"
	rows "$1" "$program" "$1"
	same "output of $1" "$1: right" "$(cat "$1.out")"
	same_file "rows of $1" "$1.expected" "$1.rows"
	"$TACHO" check "$1" >"$1.check" || fail "$1 is not whole: $(cat "$1.check")"
	echo "rows of $1: $(awk '{ n += $2 } END { print n }' "$1.rows")"
}

modes() {
	plain probe "$program" plain
	[ $plain_status = 77 ] && skip "the driver of Vulkan makes no device here"
	same "status of the program alone" 0 $plain_status
	for submits in plain submit2; do
		mode $submits <<-END
			vkCmdCopyBuffer 8 8 8192
			vkCmdDispatch 12 12
			vkCmdFillBuffer 4 4
			vkCmdUpdateBuffer 4 4 32
		END
	done
	# a secondary that runs twice has no times of its own, but what runs it has
	mode secondary <<-END
		vkCmdDispatch 12 0
		vkCmdExecuteCommands 3 3
		vkCmdFillBuffer 3 3
	END
	mode simultaneous <<-END
		vkBeginCommandBuffer 6 6
		vkCmdFillBuffer 18 0
	END
	mode again <<-END
		vkCmdDispatch 10 10
		vkCmdFillBuffer 10 10
	END
	mode empty <<-END
		vkCmdFillBuffer 1 1
	END
	# what is suspended and resumed has no times, and nothing of ours in between
	mode rendering <<-END
		vkCmdBeginRendering 3 0
		vkCmdFillBuffer 2 2
	END
	"$TACHO" report rendering --json >rendering.json
	grep -q '"not_credible": 0' rendering.json || fail "times that nobody took were refused"
	mode devices <<-END
		vkCmdCopyBuffer 24 24 24576
		vkCmdDispatch 36 36
		vkCmdFillBuffer 12 12
		vkCmdUpdateBuffer 12 12 96
	END
	mode threads <<-END
		vkCmdFillBuffer 200 200
	END
}

# Of a buffer that never ends to grow the first 65,472 are timed; what is beyond says so.
many() {
	rows many "$program" many
	same "rows of 70,000 fills" "vkCmdFillBuffer 70000 65472 280000" "$(cat many.rows)"
}

# More submits than wait with their times: each is a row, and those beyond say so.
flood() {
	rows flood "$program" flood
	same "dispatches before a flood" "vkCmdDispatch 200 200" "$(grep Dispatch flood.rows)"
	awk '$1 == "vkCmdFillBuffer" && $2 == 600 && $3 >= 200 { good = 1 } END { exit !good }' \
		flood.rows || fail "rows of a flood: $(cat flood.rows)"
	echo "rows of a flood: 600"
}

# The user's own folders and layers stay, behind ours.
environment() {
	VK_LAYER_PATH=/none/here VK_INSTANCE_LAYERS=VK_LAYER_other "$TACHO" record -f -o settings \
		-- sh -c 'echo "$VK_LAYER_PATH|$VK_ADD_LAYER_PATH|$VK_INSTANCE_LAYERS"' \
		>settings.out 2>settings.err
	case $(cat settings.out) in
	/*:/none/here'||VK_LAYER_TACHO:VK_LAYER_other') ;;
	*) fail "layers of a program whose user has some: $(cat settings.out)" ;;
	esac
	"$TACHO" record -f -o settings -- sh -c 'echo "$VK_LAYER_PATH|$VK_ADD_LAYER_PATH"' \
		>settings.out 2>settings.err
	case $(cat settings.out) in
	'|'/*) echo "layers: as they should be" ;;
	*) fail "layers of a program whose user has none: $(cat settings.out)" ;;
	esac
}

# What was submitted when the program is killed is there, and its times as far as they had come.
killed() {
	"$TACHO" record -f -o killed --export jsonl -- sh -c "echo \$\$ >pid; exec '$program' endless" \
		>killed.out 2>killed.err </dev/null &
	recorder=$!
	for tries in 1 2 3 4 5 6 7 8 9 10; do
		grep -q begun killed.out && break
		sleep 1
	done
	sleep 1
	kill -9 "$(cat pid)"
	wait "$recorder"
	"$TACHO" check killed >killed.check || fail "killed is not whole: $(cat killed.check)"
	python3 "$ROOT/tests/real/vulkan_rows.py" killed.jsonl >killed.rows || fail "rows of killed"
	awk '$2 < 1 || $2 - $3 > 16 { bad = 1 } END { exit bad || NR != 4 }' killed.rows || {
		cat killed.rows
		fail "a killed program's rows, or their times, are missing"
	}
	echo "killed: $(awk '{ n += $2; t += $3 } END { print (n > 0), (t > 0) }' killed.rows)"
}

# The N-th piece of memory that tacho asks for in the program is not there, or none from the N-th
# on. The program is right, or it is told at its beginning that there is too little; its submits
# work, and Khronos's checker has nothing to say of them; what is not recorded of it is counted.
memory() {
	[ -e "$BIN/tests/real/fail_memory.so" ] || return
	for piece in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		without_memory $piece ""
	done
	for piece in 9 11 13; do
		without_memory $piece FAIL_ON=1
	done
	[ "${memory_right:-0}" -ge 8 ] || fail "right without a piece of memory: $memory_right runs"
}

# without_memory PIECE SETTING: `plain` is submitted four times, as some of its pieces come late.
without_memory() {
	[ ! -e "$checker" ] || export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
	# shellcheck disable=SC2086 # none or one
	"$TACHO" record -f -o memory --export jsonl -- env FAIL_IN=tacho-inject FAIL_AT=$1 $2 \
		LD_PRELOAD="$BIN/tests/real/fail_memory.so" "$program" plain \
		>memory.out 2>memory.err </dev/null
	memory_status=$?
	unset VK_INSTANCE_LAYERS
	case $memory_status$(cat memory.out) in
	"0plain: right") memory_right=$((${memory_right:-0} + 1)) ;;
	77 | 1)
		! grep -q 'vkQueueSubmit\|vkBegin\|vkEnd' memory.err && return
		fail "without piece $1 of memory $2: $(cat memory.err)"
		;;
	*)
		cat memory.out memory.err
		fail "without piece $1 of memory $2 the program ended with $memory_status"
		;;
	esac
	python3 "$ROOT/tests/real/vulkan_rows.py" memory.jsonl >memory.rows ||
		fail "the rows without piece $1 $2 make no sense"
	cmp -s memory.rows plain.rows || grep -q 'warning: lost' memory.err || {
		cat memory.rows memory.err
		fail "without piece $1 of memory $2 rows are missing, and nobody says so"
	}
}

# Counters of other devices are not those of Vulkan's, and that is told; times need none.
uncounted() {
	"$TACHO" stat --sim mi300x -m VALUBusy -- "$program" plain >stat.out 2>stat.err </dev/null
	cat stat.out stat.err | tr -s ' \n' ' ' >stat.text
	grep -q "commands of Vulkan are counted by Vulkan's own queries alone" stat.text || {
		cat stat.out stat.err
		fail "tacho stat does not say why nothing was counted"
	}
	"$TACHO" record -f -o device_time -m device_time --report -- "$program" plain \
		>time.out 2>time.err </dev/null
	grep -q 'not counted' time.err && fail "times of launches were not worked out"
	echo "counters: it is told whose there are"
}

# Khronos's checker says no more than without tacho; and of a flood that no queries are written
# that were not reset, where the results of a submit cannot be kept.
validated() {
	[ -e "$checker" ] || {
		echo "vulkan-validationlayers is not installed: nothing is validated"
		return
	}
	for name in plain submit2 secondary simultaneous again empty rendering devices threads \
		flood; do
		VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation \
			"$TACHO" record -f -o checked -- "$program" $name >checked.out 2>checked.err
		same "what the checker says of $name" "$name: right" "$(cat checked.out)"
	done
}

# Dispatches and copies are what gfxrecon-convert counted in a capture of the same.
ffmpeg_scales() {
	set -- ffmpeg -v error -nostdin -init_hw_device vulkan=vk:0 -filter_hw_device vk -f lavfi \
		-i testsrc=size=320x180:rate=25 -t 0.4 \
		-vf format=yuv420p,hwupload,scale_vulkan=w=160:h=90,hwdownload,format=yuv420p \
		-f framemd5 -
	plain ffmpeg "$@"
	[ $plain_status = 0 ] || {
		echo "this ffmpeg does not scale with Vulkan: $(head -n 1 ffmpeg.plain-err)"
		return
	}
	rows ffmpeg "$@"
	same_file "frames, recorded and not" ffmpeg.plain ffmpeg.out
	case $(ffmpeg -version | sed -n '1s/ffmpeg version \([0-9]*\.[0-9]*\).*/\1/p') in
	5.1)
		printf '%s\n' "vkCmdCopyBufferToImage 33 33" "vkCmdCopyImageToBuffer 33 33" \
			"vkCmdDispatch 11 11" >ffmpeg.expected
		same_file "rows of ffmpeg" ffmpeg.expected ffmpeg.rows
		;;
	*) grep -q '^vkCmdDispatch ' ffmpeg.rows || fail "ffmpeg's dispatches are missing" ;;
	esac
	echo "ffmpeg: $(tr '\n' ';' <ffmpeg.rows)"
}

# libplacebo gives names to its objects, asks the instance for the function that does it, and draws:
# while a pass without times may run, nobody says that the device was idle.
ffmpeg_draws() {
	set -- ffmpeg -v error -nostdin -init_hw_device vulkan=vk:0 -filter_hw_device vk -f lavfi \
		-i testsrc=size=320x180:rate=25 -t 0.4 \
		-vf format=yuv420p,hwupload,libplacebo=w=160:h=90,hwdownload,format=yuv420p \
		-f framemd5 -
	plain placebo "$@"
	[ $plain_status = 0 ] || {
		echo "this ffmpeg has no libplacebo: $(head -n 1 placebo.plain-err)"
		return
	}
	rows placebo "$@"
	case $(ffmpeg -version | sed -n '1s/ffmpeg version \([0-9]*\.[0-9]*\).*/\1/p') in
	5.1)
		printf '%s\n' "vkCmdBeginRenderPass 110 0" "vkCmdCopyBufferToImage 42 42" \
			"vkCmdCopyImageToBuffer 33 33" "vkCmdDraw 110 0" >placebo.expected
		same_file "rows of libplacebo" placebo.expected placebo.rows
		;;
	*) grep -q '^vkCmdDraw ' placebo.rows || fail "libplacebo's draws are missing" ;;
	esac
	"$TACHO" report placebo --json >placebo.json
	grep -q '"unknown_ns": [1-9]' placebo.json || fail "draws without times took none: $(
		grep _ns placebo.json | head -n 20
	)"
}

# A draw a frame, recorded once for each picture of the window.
cube() {
	command -v vkcube >/dev/null 2>&1 || {
		echo "vulkan-tools is not installed: vkcube is left out"
		return
	}
	start_x vkcube || return 0
	rows cube vkcube --c 100
	same "draws of vkcube" "vkCmdDraw 100 0" "$(grep 'vkCmdDraw ' cube.rows)"
	same "passes of vkcube" "vkCmdBeginRenderPass 100 0" "$(grep Pass cube.rows)"
}

environment
if [ -x "$program" ]; then
	modes
	many
	flood
	killed
	memory
	uncounted
	validated
else
	echo "libvulkan-dev is not installed: vulkan_compute was not built"
fi
if command -v ffmpeg >/dev/null 2>&1; then
	ffmpeg_scales
	ffmpeg_draws
else
	echo "ffmpeg is not installed: left out"
fi
cube
