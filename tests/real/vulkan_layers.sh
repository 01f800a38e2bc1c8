#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 400
# Vulkan programs as they are, with what else comes into them: layers above and below tacho's, Mesa's
# OpenGL on Vulkan (zink), Direct3D 12 on Vulkan (vkd3d), surfaces without a window system, and
# extensions that Khronos's mock driver has. What is not installed is left out, and that is said.
. "$ROOT/tests/real/lib.sh"
driver=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[ -n "$driver" ] || skip "mesa-vulkan-drivers is not installed"
chromium=${CHROMIUM:-/usr/lib/chromium}
layers=/usr/share/vulkan/explicit_layer.d
unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH MANGOHUD
export GFXRECON_CAPTURE_FILE_TIMESTAMP=false XDG_RUNTIME_DIR="$WORK" HOME="$WORK"

use_driver() {
	export VK_DRIVER_FILES="$1" VK_ICD_FILENAMES="$1"
}

# rows NAME COMMAND...: runs it recorded, with its rows in NAME.rows and its ranges in NAME.ranges.
rows() {
	rows_name=$1
	shift
	"$TACHO" record -f -o "$rows_name" --export jsonl -- "$@" \
		>"$rows_name.out" 2>"$rows_name.err" </dev/null
	rows_status=$?
	[ $rows_status = 0 ] || {
		tail -n 20 "$rows_name.err"
		fail "$* ended with $rows_status"
	}
	read_rows
}

read_rows() {
	python3 "$ROOT/tests/real/vulkan_rows.py" "$rows_name.jsonl" >"$rows_name.rows" ||
		fail "the rows of $rows_name make no sense"
	python3 "$ROOT/tests/real/vulkan_ranges.py" "$rows_name.jsonl" >"$rows_name.ranges" ||
		fail "the ranges of $rows_name make no sense"
	"$TACHO" check "$rows_name" >"$rows_name.check" ||
		fail "$rows_name is not whole: $(cat "$rows_name.check")"
}

# number NAME COMMAND: how many rows of it there are; of several with a pattern.
number() {
	awk -v name="^$2\$" '$1 ~ name { n += $2 } END { print n + 0 }' "$1.rows"
}

# ---- layers ----

# between LAYER: vkcube has its draws with the layer below tacho's and with it above.
between() {
	[ -e "$layers/$2" ] || {
		echo "$1 is not installed: left out"
		return
	}
	export VK_INSTANCE_LAYERS="$1" GFXRECON_CAPTURE_FILE=below.gfxr
	rows below vkcube --c 30
	unset VK_INSTANCE_LAYERS
	GFXRECON_CAPTURE_FILE=above.gfxr
	rows above sh -c "VK_INSTANCE_LAYERS=$1:VK_LAYER_TACHO exec vkcube --c 30"
	for place in below above; do
		same "draws with $1 $place" 30 "$(number $place vkCmdDraw)"
		same "frames with it" 30 "$(awk '$1 == "frame" { print $3 }' $place.ranges)"
	done
}

# What a layer below captured of a recorded program, tacho's own batches among it, plays back.
plays_back() {
	[ -s below.gfxr ] || return 0
	for place in below above; do
		gfxrecon-replay --log-level error $place.gfxr >replay.out 2>&1 </dev/null || {
			cat replay.out
			fail "a capture with tacho $place does not play back"
		}
	done
	echo "captures below and above tacho play back"
}

# A layer below that guards memory, as gfxreconstruct's does, learns by faults of who touches it: of
# tacho's thread, too, which reads the times.
guarded() {
	[ -e "$layers/VkLayer_gfxreconstruct.json" ] || return 0
	export VK_INSTANCE_LAYERS=VK_LAYER_LUNARG_gfxreconstruct GFXRECON_CAPTURE_FILE=guarded.gfxr
	rows guarded "$BIN/tests/real/vulkan_compute" plain
	unset VK_INSTANCE_LAYERS
	grep -q "plain: right" guarded.out || fail "output with guarded memory: $(cat guarded.out)"
	awk '$1 == "vkCmdDispatch" && $2 == 12 && $3 == 12 { good = 1 } END { exit !good }' \
		guarded.rows || fail "times from guarded memory: $(cat guarded.rows)"
	echo "times from guarded memory: all"
}

# A layer above that asks for vkCreateDevice of no instance.
asks_none() {
	mkdir -p layer
	cat >layer/unreset.json <<-END
		{"file_format_version": "1.2.0", "layer": {"name": "VK_LAYER_TACHO_TESTS_unreset",
		 "type": "GLOBAL", "library_path": "$BIN/tests/real/vulkan_unreset.so",
		 "api_version": "1.3.239", "implementation_version": "1", "description": "a test's"}}
	END
	export VK_ADD_LAYER_PATH="$WORK/layer"
	rows none env ASKS_NONE=1 UNORDERED=1 sh -c "VK_INSTANCE_LAYERS=VK_LAYER_TACHO_TESTS_unreset:\
VK_LAYER_TACHO exec '$BIN/tests/real/vulkan_frames' deep"
	unset VK_ADD_LAYER_PATH
	same "output below a layer that asks no instance" "deep: right" "$(cat none.out)"
	[ "$(number none vkCmdFillBuffer)" -gt 0 ] || fail "nothing is recorded below such a layer"
}

# MangoHud draws into each picture, too, with a layer of its own above.
mangohud() {
	ls /usr/share/vulkan/implicit_layer.d/MangoHud*.json >/dev/null 2>&1 || {
		echo "mangohud is not installed: left out"
		return
	}
	rows mangohud env MANGOHUD=1 vkcube --c 30
	same "draws below MangoHud" 30 "$(number mangohud vkCmdDraw)"
	same "pictures of MangoHud" 30 "$(($(number mangohud vkCmdBeginRenderPass) - 30))"
}

# ---- programs ----

# glxgears on zink: each picture has as many draws as it has without tacho, which are in a capture.
zink() {
	command -v glxgears >/dev/null 2>&1 || {
		echo "mesa-utils is not installed: zink is left out"
		return
	}
	set -- env MESA_LOADER_DRIVER_OVERRIDE=zink LIBGL_ALWAYS_SOFTWARE=1 glxgears
	timeout 3 "$@" -info >zink.info 2>&1
	grep -q 'GL_RENDERER.*zink' zink.info || {
		echo "zink makes no context here: $(head -n 1 zink.info)"
		return
	}
	run_for zink 3 "$@"
	zink_frames=$(awk '$1 == "frame" { print $3 }' zink.ranges)
	[ "${zink_frames:-0}" -ge 5 ] || fail "frames of glxgears on zink: ${zink_frames:-none}"
	# 3 gears of 4 draws; the last picture may not have been shown
	zink_rest=$(($(number zink 'vkCmdDraw.*') - 12 * zink_frames))
	[ $zink_rest -ge 0 ] && [ $zink_rest -le 24 ] ||
		fail "draws of $zink_frames frames of glxgears: $zink_rest too many"
	echo "glxgears on zink: 12 draws a frame"
}

# run_for NAME SECONDS COMMAND...: a program without an end, which is told to end, as with ^C.
run_for() {
	rows_name=$1 run_seconds=$2
	shift 2
	"$TACHO" record -f -o "$rows_name" --export jsonl -- timeout -s INT "$run_seconds" "$@" \
		>"$rows_name.out" 2>"$rows_name.err" </dev/null
	[ -e "$rows_name.jsonl" ] || fail "nothing is recorded of $*: $(cat "$rows_name.err")"
	read_rows
}

d3d12() {
	gears=$(command -v vkd3d-gears || ls /usr/lib/*/vkd3d/vkd3d-gears /usr/libexec/vkd3d-gears \
		2>/dev/null | head -n 1)
	[ -n "$gears" ] || {
		echo "vkd3d-demos is not installed: left out"
		return
	}
	run_for d3d12 3 "$gears"
	d3d12_frames=$(awk '$1 == "frame" { n += $3 } END { print n + 0 }' d3d12.ranges)
	[ "$d3d12_frames" -ge 5 ] || {
		tail -n 5 d3d12.err
		fail "frames of vkd3d-gears: $d3d12_frames"
	}
	# 3 gears of 2 draws
	d3d12_rest=$(($(number d3d12 vkCmdDrawIndexed) - 6 * d3d12_frames))
	[ $d3d12_rest -ge 0 ] && [ $d3d12_rest -le 12 ] ||
		fail "draws of $d3d12_frames frames of vkd3d-gears: $d3d12_rest too many"
	echo "vkd3d-gears: 6 draws a frame"
}

# Killed at 20 instants: the recording is whole, and no row has times that cannot be.
killed() {
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		rm -f pid
		"$TACHO" record -f -o killed --export jsonl -- sh -c "echo \$\$ >pid; exec vkcube" \
			>killed.out 2>killed.err </dev/null &
		kill_after 0.$((10 + 4 * try))
		rows_name=killed
		[ ! -e killed.jsonl ] || read_rows
	done
	[ "$(number killed vkCmdDraw)" -gt 0 ] || fail "no draws of vkcube before it was killed"
	echo "vkcube, killed at 20 instants: whole each time"
}

# ---- without a window system ----

# shown MODE FRAMES: vulkan_show is right, its 9 clears are rows, and FRAMES frames have ended.
shown() {
	rows "$1" "$BIN/tests/real/vulkan_show" "$1"
	same "output of $1" "$1: right" "$(cat "$1.out")"
	same "clears of $1" 9 "$(number "$1" vkCmdClearColorImage)"
	same "frames of $1" "$2" "$(awk '$1 == "frame" { print $3 }' "$1.ranges")"
}

without_windows() {
	[ -e "$chromium/libVkICD_mock_icd.so" ] || {
		echo "chromium-common is not installed: its drivers are not tried"
		return
	}
	for library in libvk_swiftshader libVkICD_mock_icd; do
		echo "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\":
			\"$chromium/$library.so\", \"api_version\": \"1.3.0\"}}" >$library.json
		use_driver "$WORK/$library.json"
		shown show 9
		shown two 9
		same "series of frames" 2 \
			"$("$TACHO" report two --by frame --json |
				sed -n 's/.*"series": \([0-9]*\).*/\1/p' | head -n 1)"
	done
	# a driver that does nothing, but has these extensions
	shown boundary 3
	shown markers 9
	printf '%s\n' "label picture 9 0 [ClearColorImage 9]" \
		"label picture/outer 9 0 [ClearColorImage 9]" \
		"label picture/outer/clear 9 0 [ClearColorImage 9]" >markers.expected
	grep '^label' markers.ranges >markers.labels
	same_file "markers" markers.expected markers.labels
}

use_driver "$driver"
if [ -x "$BIN/tests/real/vulkan_show" ]; then
	asks_none
	guarded
	without_windows
	use_driver "$driver"
else
	echo "libvulkan-dev is not installed: vulkan_show was not built"
fi
if command -v vkcube >/dev/null 2>&1 && start_x "what shows pictures"; then
	between VK_LAYER_MESA_overlay VkLayer_MESA_overlay.json
	between VK_LAYER_LUNARG_gfxreconstruct VkLayer_gfxreconstruct.json
	plays_back
	mangohud
	killed
	zink
	d3d12
fi
exit 0
