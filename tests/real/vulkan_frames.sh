#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# Frames, labels, render passes and names of Vulkan programs, on Mesa's driver for CPUs: each is a
# range around exactly those commands of a submit that are in it.
. "$ROOT/tests/real/lib.sh"
program=$BIN/tests/real/vulkan_frames
driver=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[ -n "$driver" ] || skip "mesa-vulkan-drivers is not installed"
checker=/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json
export VK_DRIVER_FILES="$driver" VK_ICD_FILENAMES="$driver"
unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH

# ranges NAME COMMAND...: runs it recorded, with its ranges in NAME.ranges.
ranges() {
	ranges_name=$1
	shift
	"$TACHO" record -f -o "$ranges_name" --export jsonl -- "$@" \
		>"$ranges_name.out" 2>"$ranges_name.err" </dev/null || {
		cat "$ranges_name.err"
		fail "$* ended with $?"
	}
	python3 "$ROOT/tests/real/vulkan_ranges.py" "$ranges_name.jsonl" >"$ranges_name.ranges" ||
		fail "the ranges of $ranges_name make no sense"
	"$TACHO" check "$ranges_name" >"$ranges_name.check" ||
		fail "$ranges_name is not whole: $(cat "$ranges_name.check")"
}

# mode NAME: vulkan_frames is right, and its ranges are the lines of standard input.
mode() {
	cat >"$1.expected"
	ranges "$1" "$program" "$1"
	same "output of $1" "$1: right" "$(cat "$1.out")"
	same_file "ranges of $1" "$1.expected" "$1.ranges"
	echo "ranges of $1: $(awk 'END { print NR }' "$1.ranges") paths"
}

modes() {
	plain probe "$program" labels
	[ $plain_status = 77 ] && skip "the driver of Vulkan makes no device here"
	same "status of the program alone" 0 $plain_status
	mode frames <<-END
		frame frame 9 9 [BeginRenderPass 10, Draw 10, FillBuffer 10]
		pass render pass 1 12 0 [BeginRenderPass 12, Draw 12]
	END
	# a label goes over two buffers, and is a range of each submit; what ends nothing does nothing
	mode labels <<-END
		label of the queue 2 2 [ExecuteCommands 2, FillBuffer 10]
		label of the queue/outer 2 2 [ExecuteCommands 2, FillBuffer 8]
		label of the queue/outer/red 2 2 [ExecuteCommands 2, FillBuffer 6]
		label of the queue/outer/red/in a secondary 2 2 [FillBuffer 2]
		label outer 1 1 [ExecuteCommands 1, FillBuffer 4]
		label outer/red 1 1 [ExecuteCommands 1, FillBuffer 3]
		label outer/red/in a secondary 1 1 [FillBuffer 1]
		label over 2 2 [FillBuffer 2]
		mark of the queue 1 0 []
		mark of the queue/outer/red/red 2 0 []
		mark outer/red/red 1 0 []
	END
	grep -q '"name": *"red".*"#ffff0000"' labels.jsonl || fail "a label has lost its color"
	"$TACHO" report labels --by queue | grep -q 'queue 1, main queue' ||
		fail "a queue has not the name that the program gave it"
	# each command is in all labels and passes around it, also those of a secondary; a label that
	# ends behind the pass that it began in is no part of that
	mode passes <<-END
		label all of it 2 0 [BeginRenderPass 4, BeginRendering 2, Draw 20, ExecuteCommands 2]
		label all of it/scene 2 0 [BeginRenderPass 4, Draw 18, ExecuteCommands 2]
		label all of it/scene/lights 2 0 [Draw 4]
		pass all of it/rendering 16x32 2 0 [BeginRendering 2, Draw 2]
		pass all of it/scene/render pass 2 on the screen 2 0 [BeginRenderPass 2, Draw 8, ExecuteCommands 2]
		pass all of it/scene/shadows 2 0 [BeginRenderPass 2, Draw 10]
		pass all of it/scene/shadows/subpass 0 2 0 [Draw 6]
		pass all of it/scene/shadows/subpass 1 2 0 [Draw 4]
		pass render pass 4 1 0 [BeginRenderPass 1]
	END
	! grep -q '"gone"' passes.jsonl || fail "a pass has the name of one that is gone"
}

# A pipeline that is put together has the name of one that was made of the same shaders at once.
parts() {
	plain parts "$program" parts
	[ $plain_status = 77 ] && {
		echo "this driver puts no pipelines together"
		return
	}
	ranges parts "$program" parts
	same "output of parts" "parts: right" "$(cat parts.out)"
	"$TACHO" report parts --by kernel --json >parts.json
	same "draws by name" "main (graphics 6 " "$(python3 -c '
import json, re
for line in json.load(open("parts.json"))["lines"]:
    print(re.sub("[0-9a-f]{8}\)$", "", line["name"]) + str(line["count"]), end=" ")')"
}

# Of 100 labels in each other 64 are there, cut to what is kept of a name, and that is told.
deep() {
	ranges deep "$program" deep
	same "labels in each other" "64 behind" \
		"$(awk '$2 ~ /^n/ { n++ } $2 == "behind" { last = $2 } END { print n, last }' deep.ranges)"
	grep -q "\"name\": *\"n\{255\}\"" deep.jsonl || fail "a long name is not cut at 255 bytes"
	"$TACHO" report deep | tr -s ' \n' ' ' | grep -q 'labels that are more than 64 deep' ||
		fail "nobody tells that labels are missing"
	echo "labels: as deep as can be"
}

# The N-th piece of memory that tacho asks for in the program is not there: the program is right all
# the same, or is told at its beginning; and labels that are missing are counted.
memory() {
	[ -e "$BIN/tests/real/fail_memory.so" ] || return
	memory_right=0
	for piece in 4 6 8 9 10 11 12 13 14 15 16 17 18 20; do
		for name in labels passes; do
			without_memory $piece $name
		done
	done
	[ $memory_right -ge 16 ] || fail "right without a piece of memory: $memory_right runs"
	echo "without memory: labels and passes are there, or are counted"
}

# without_memory PIECE MODE
without_memory() {
	"$TACHO" record -f -o memory --export jsonl -- env FAIL_IN=tacho-inject FAIL_AT=$1 \
		LD_PRELOAD="$BIN/tests/real/fail_memory.so" "$program" $2 >memory.out 2>memory.err </dev/null
	memory_status=$?
	case $memory_status$(cat memory.out) in
	"0$2: right") memory_right=$((memory_right + 1)) ;;
	77 | 1) ;;
	*)
		cat memory.out memory.err
		fail "$2 without piece $1 of memory ended with $memory_status"
		;;
	esac
	python3 "$ROOT/tests/real/vulkan_ranges.py" memory.jsonl >memory.ranges ||
		fail "the ranges of $2 without piece $1 make no sense"
	[ $memory_status != 0 ] || cmp -s memory.ranges $2.ranges ||
		grep -q 'warning: lost' memory.err || {
		diff memory.ranges $2.ranges
		cat memory.err
		fail "of $2 without piece $1 ranges are missing, and nobody says so"
	}
}

# The report names the frames that took long, and says so of a program that has none.
reports() {
	"$TACHO" report frames --by frame --json >frames.json
	python3 - frames.json <<-END || fail "frames in the report: $(cat frames.json)"
		import json, sys
		frames = json.load(open(sys.argv[1]))["frames"]
		assert (frames["count"], frames["measured"], frames["series"]) == (9, 8, 1), frames
		all = frames["longest"]
		assert sorted(f["number"] for f in all) == list(range(1, 10))
		assert sum(f["draws"] for f in all) == 10 and sum(f["submits"] for f in all) == 10
		assert sum(f["transfers"] for f in all) == 10 and sum(f["dispatches"] for f in all) == 0
		assert frames["min_ns"] <= frames["p50_ns"] <= frames["p95_ns"] <= frames["max_ns"]
		assert frames["stutters"] == sum(f["stutter"] for f in all)
		lengths = [f["end_ns"] - f["start_ns"] for f in all]
		assert lengths == sorted(lengths, reverse=True)
	END
	"$TACHO" report frames | grep -q '^frames       9: half within' || fail "no line of frames"
	"$TACHO" report labels --by frame | tr -s ' \n' ' ' |
		grep -q 'none: the program handed over no picture' || fail "frames of a program without"
	"$TACHO" report passes --by pass >passes.report
	grep -q '^  pass .*launches' passes.report || fail "no passes in the report"
	grep -q 'scene/shadows/subpass 1 ' passes.report || fail "no part of a pass in the report"
	"$TACHO" report passes --by command | grep -q '^  vkCmdDraw  *20 ' ||
		fail "no draws in the report by command"
	echo "reports: frames, passes and commands"
}

# tacho's own reader of traces of Perfetto finds the commands with times, and what they are on.
perfetto() {
	"$TACHO" export -f labels --to perfetto,html >export.out || fail "no exports of labels"
	"$TACHO" export -f frames --to html >export.out || fail "no exports of frames"
	mkdir trace && mv labels.pftrace trace/
	"$TACHO" report trace/labels.pftrace --by kernel --json >trace.json
	python3 - trace.json labels.jsonl <<-END || fail "stages in the trace: $(cat trace.json)"
		import collections, json, sys
		lines = {l["name"]: l for l in json.load(open(sys.argv[1]))["lines"]}
		rows = [json.loads(line) for line in open(sys.argv[2])]
		commands = [r for r in rows if r["schema"] == "tacho.call/1" and r["command"]]
		ok = [c for c in commands if c["command"]["state"] == "ok"]
		counts = collections.Counter(c["function"] for c in ok)
		sums = collections.Counter()
		for c in ok:
		    sums[c["function"]] += c["command"]["end_ns"] - c["command"]["start_ns"]
		assert counts and set(lines) == set(counts), (lines, counts)
		for name, line in lines.items():
		    assert line["count"] == line["measured"] == counts[name], (name, line, counts)
		    assert line["total_ns"] == sums[name], (name, line, sums)
	END
	grep -q '"label":"labels of queue 1"' labels.html || fail "no labels on the page"
	grep -q '"label":"frames"' frames.html || fail "no frames on the page"
	python3 "$ROOT/tests/real/page.py" check frames.html || fail "the page is not well-formed"
	if command -v chromium >/dev/null 2>&1 && command -v chromedriver >/dev/null 2>&1; then
		"$TACHO" report frames --by frame --top 0 --json >frames.json
		python3 "$ROOT/tests/real/page.py" frames frames.html frames.json ||
			fail "the table of frames in a browser"
	else
		echo "chromium and chromedriver are not installed: frames on the page are not used"
	fi
	echo "exports: stages, labels and frames"
}

# The checker says what it says of the program alone: newer ones tell that it ends a label where none
# is open.
validated() {
	[ -e "$checker" ] || {
		echo "vulkan-validationlayers is not installed: nothing is validated"
		return
	}
	for name in labels passes deep; do
		VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation "$program" $name >alone.out 2>alone.err
		VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation \
			"$TACHO" record -f -o checked -- "$program" $name >checked.out 2>checked.err
		same "output of $name with the checker" "$name: right" "$(tail -n 1 checked.out)"
		# tacho submits buffers of its own before the program's, in the same call
		sed -i 's/0x[0-9a-f]*/HANDLE/g; s/pSubmits\[[0-9]*\]/pSubmits/g' alone.out checked.out
		same_file "what the checker says of $name" alone.out checked.out
	done
}

# A frame for each picture of the window.
cube() {
	command -v vkcube >/dev/null 2>&1 || {
		echo "vulkan-tools is not installed: vkcube is left out"
		return
	}
	start_x vkcube || return 0
	ranges cube vkcube --c 100
	printf '%s\n' "frame frame 100 100 [vkBeginCommandBuffer 100, BeginRenderPass 100, Draw 100]" \
		"pass render pass 1 100 0 [BeginRenderPass 100, Draw 100]" >cube.expected
	same_file "ranges of vkcube" cube.expected cube.ranges
	"$TACHO" report cube --by frame --json >cube.json
	python3 - cube.json <<-END || fail "frames of vkcube in the report"
		import json, sys
		frames = json.load(open(sys.argv[1]))["frames"]
		assert frames["count"] == 100 and frames["measured"] == 99, frames
		assert sum(f["shown_ns"] > 0 for f in frames["longest"]) == 100
		assert sum(f["submits"] for f in frames["longest"]) in (100, 101)
	END
	echo "vkcube: 100 frames"
}

if [ -x "$program" ]; then
	modes
	parts
	deep
	reports
	perfetto
	memory
	validated
else
	echo "libvulkan-dev is not installed: vulkan_frames was not built"
fi
cube
