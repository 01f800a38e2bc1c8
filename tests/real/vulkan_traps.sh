#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 300
# What programs of Vulkan do that a layer could get wrong, and what drivers say that cannot be so: on
# a driver of tests, which complains where others keep silent and says what it is told to say; on
# Mesa's for CPUs; and on Google's, where Debian's chromium-common is installed (CHROMIUM: its
# folder). A check that must complain does.
. "$ROOT/tests/real/lib.sh"
program=$BIN/tests/real/vulkan_traps
fake=$BIN/tests/fake/vulkan/fake_vulkan.json
[ -x "$program" ] && [ -e "$fake" ] || skip "libvulkan-dev is not installed: vulkan_traps was not built"
lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
checker=/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json
chromium=${CHROMIUM:-/usr/lib/chromium}
unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH FAKE_VULKAN

use_driver() {
	export VK_DRIVER_FILES="$1" VK_ICD_FILENAMES="$1"
}

# rows NAME COMMAND...: runs it recorded, with its rows in NAME.rows. With rows_lose something may be
# lost, else the recording is whole.
rows() {
	rows_name=$1
	shift
	"$TACHO" record ${rows_option:-} -f -o "$rows_name" --export jsonl -- "$@" \
		>"$rows_name.out" 2>"$rows_name.err" </dev/null || {
		cat "$rows_name.err"
		fail "$* ended with $?"
	}
	if grep 'fake vulkan:' "$rows_name.err"; then fail "$rows_name breaks a rule"; fi
	python3 "$ROOT/tests/real/vulkan_rows.py" "$rows_name.jsonl" >"$rows_name.rows" ||
		fail "the rows of $rows_name make no sense"
	[ "${rows_lose:-}" ] || "$TACHO" check "$rows_name" >"$rows_name.check" || {
		cat "$rows_name.check"
		fail "$rows_name is not whole"
	}
}

# trap_of MODE [SETTING]: is right, and its rows are the lines of standard input.
trap_of() {
	cat >expected
	FAKE_VULKAN=${2:-}
	export FAKE_VULKAN
	rows "$1" "$program" "$1"
	unset FAKE_VULKAN
	same "output of $1${2:+ ($2)}" "$1: right" "$(grep -v '^names: ' "$1.out")"
	same_file "rows of $1${2:+ ($2)}" expected "$1.rows"
}

# has_reason NAME WORDS
has_reason() {
	grep -q "\"reason\": \"[^\"]*$2" "$1.jsonl" || fail "no row of $1 says: $2"
}

# On a driver whose queues do what they can do anywhere.
traps() {
	# 7 families: 8 fills of each; times of the first, and of the one with 36 bits; with resets by
	# the host also of transfers and of video
	for setting in "" version=1 version=2 uncalibrated; do
		trap_of families $setting <<-END
			vkCmdFillBuffer 56 32
		END
	done
	has_reason families "its queue has no clock that can time it"
	for setting in no_reset refuse; do
		trap_of families $setting <<-END
			vkCmdFillBuffer 56 16
		END
	done
	has_reason families "its queue has no clock that can time it"
	# a command buffer that runs again before tacho's thread has looked
	trap_of transfers <<-END
		vkCmdCopyBuffer 240 240 491520
		vkCmdFillBuffer 480 480
	END
	trap_of transfers late <<-END
		vkCmdCopyBuffer 240 240 491520
		vkCmdFillBuffer 480 480
	END
	for setting in silent garbage backwards; do
		trap_of transfers $setting <<-END
			vkCmdCopyBuffer 240 0 491520
			vkCmdFillBuffer 480 0
		END
	done
	trap_of chains <<-END
		vkCmdFillBuffer 4 4
	END
	# batches that are protected and ones that are not, with passes of counters, in one submit
	trap_of protected <<-END
		vkBeginCommandBuffer 2 2
		vkCmdFillBuffer 10 4
	END
	trap_of timeline <<-END
		vkCmdFillBuffer 6 6
	END
	trap_of destroy <<-END
		vkCmdFillBuffer 60 60
	END
	for kind in pairs fork; do
		case $kind in pairs) number=32 ;; fork) number=8 ;; esac
		trap_of $kind <<-END
			vkCmdFillBuffer $number $number
		END
	done
	for minor in 0 1 3; do
		trap_of old version=$minor <<-END
			vkCmdFillBuffer 4 4
		END
	done
	trap_of own <<-END
		vkCmdCopyQueryPoolResults 3 3
		vkCmdFillBuffer 12 12
	END
	trap_of nested <<-END
		vkCmdBeginRendering 2 2
		vkCmdDraw 2 0
		vkCmdExecuteCommands 8 2
		vkCmdFillBuffer 10 2
	END
	trap_of draws <<-END
		vkCmdBeginRendering 2 2
		vkCmdDispatch 2 2
		vkCmdDispatchIndirect 2 2
		vkCmdDraw 2 0
		vkCmdDrawIndexed 2 0
		vkCmdDrawIndexedIndirect 2 0
		vkCmdDrawIndirect 2 0
		vkCmdDrawIndirectCount 2 0
		vkCmdDrawMeshTasksEXT 2 0
		vkCmdDrawMeshTasksNV 2 0
		vkCmdTraceRaysKHR 2 2
	END
}

# A driver that writes a time for each view, by which each of the four others takes 50 microseconds
# more than the first.
each_view() {
	FAKE_VULKAN=each_view "$TACHO" record --draws -f -o each --export jsonl -- "$program" views \
		>each.out 2>each.err || fail "views of which each has a time: $(cat each.err)"
	if grep 'fake vulkan:' each.err; then fail "views of which each has a time break a rule"; fi
	python3 - each.jsonl <<-END || fail "the times of views are not added up"
		import json, sys
		rows = map(json.loads, open(sys.argv[1]))
		draws = [row["command"] for row in rows if row.get("function") == "vkCmdDraw"]
		draws = [draw for draw in draws if draw]
		assert len(draws) == 60 and all(draw["state"] == "ok" for draw in draws), draws
		assert all(200000 <= draw["end_ns"] - draw["start_ns"] < 50000000 for draw in draws), draws
	END
}

# With --draws draws have times where these are theirs, and their pass has none; it has its own where
# it holds no draw that has.
draws() {
	rows_option=--draws
	trap_of draws <<-END
		vkCmdBeginRendering 2 0
		vkCmdDispatch 2 2
		vkCmdDispatchIndirect 2 2
		vkCmdDraw 2 2
		vkCmdDrawIndexed 2 2
		vkCmdDrawIndexedIndirect 2 2
		vkCmdDrawIndirect 2 2
		vkCmdDrawIndirectCount 2 2
		vkCmdDrawMeshTasksEXT 2 2
		vkCmdDrawMeshTasksNV 2 2
		vkCmdTraceRaysKHR 2 2
	END
	has_reason draws "its parts have times of their own"
	# a time is five queries, which the first pool has not room for to its end
	trap_of views <<-END
		vkCmdBeginRendering 2 0
		vkCmdDraw 60 60
	END
	each_view
	trap_of nested <<-END
		vkCmdBeginRendering 2 0
		vkCmdDraw 2 2
		vkCmdExecuteCommands 8 2
		vkCmdFillBuffer 10 2
	END
	trap_of parts <<-END
		vkCmdBeginRenderPass 1 0
		vkCmdDraw 3 3
		vkCmdExecuteCommands 1 0
	END
	rows_option=
	trap_of parts <<-END
		vkCmdBeginRenderPass 1 1
		vkCmdDraw 3 0
		vkCmdExecuteCommands 1 0
	END
	trap_of views <<-END
		vkCmdBeginRendering 2 2
		vkCmdDraw 60 0
	END
	has_reason views "can be timed only as a whole"
	# a rendering in parts has one time, in the row of its first part, and nothing stands between
	# these; a command buffer that may run several times has its time from outside
	trap_of suspended <<-END
		vkBeginCommandBuffer 6 4
		vkCmdBeginRendering 10 3
		vkCmdDraw 10 0
		vkCmdExecuteCommands 1 0
		vkCmdFillBuffer 8 4
	END
	rows_option=--draws
	trap_of suspended <<-END
		vkBeginCommandBuffer 6 4
		vkCmdBeginRendering 10 0
		vkCmdDraw 10 8
		vkCmdExecuteCommands 1 0
		vkCmdFillBuffer 8 4
	END
	rows_option=
}

# What runs once in a submit of its primary has times, and what runs it has none; else that has.
secondaries() {
	for setting in "" late; do
		trap_of secondaries $setting <<-END
			vkCmdExecuteCommands 12 6
			vkCmdFillBuffer 30 24
		END
	done
	has_reason secondaries "its parts have times of their own"
	has_reason secondaries "may run several times at once"
	# which no program may do, and of which no time is believed
	"$TACHO" record -f -o twice --export jsonl -- "$program" twice >twice.out 2>twice.err
	python3 "$ROOT/tests/real/vulkan_rows.py" twice.jsonl >twice.rows
	printf 'vkCmdExecuteCommands 2 0\nvkCmdFillBuffer 4 0\n' >expected
	same_file "rows of what runs twice" expected twice.rows
}

# Bindings of memory are commands of their queue, a batch each; other work has its sizes.
sparse() {
	trap_of sparse <<-END
		vkCmdBuildAccelerationStructuresKHR 2 2
		vkCmdDecodeVideoKHR 1 1 5000
		vkCmdTraceRaysKHR 1 1
		vkQueueBindSparse 2 0 196608
	END
	for kept in '"bytes": "\[196608\]"' '"bytes": "\[5000\]"' '"builds": "\[3\]"' \
		'"rays": "\[8,4,2\]"'; do
		grep -q "$kept" sparse.jsonl || fail "no row of sparse has $kept"
	done
	same "rows of bindings whose size is not known" 1 \
		"$(grep '"function": "vkQueueBindSparse".*"bytes": "NULL"' sparse.jsonl | grep -c .)"
}

# What the program holds is known of each heap and type, whatever comes and goes.
memory() {
	rows memory "$program" memory
	same "output of memory" "memory: right" "$(cat memory.out)"
	python3 - memory.jsonl >memory.told <<-END || fail "no memory of the device is told"
		import json, sys
		for row in map(json.loads, open(sys.argv[1])):
		    if row["schema"] == "tacho.memory/1":
		        where = "type %d" % row["type"] if row["type"] is not None else "heap"
		        print(row["heap"], where, row["peak_bytes"], row["used_bytes"], row["allocations"],
		              row.get("size_bytes"), row.get("local", row.get("host_visible")))
	END
	# the harness of the program has 4 KiB of type 0 of its own
	cat >expected <<-END
		0 heap $((3072 * 1024 + 4096)) $((2048 * 1024 + 4096)) 3 $((1 << 30)) True
		0 type 0 4096 4096 1 None True
		0 type 2 $((3072 * 1024)) $((2048 * 1024)) 2 None False
		1 heap $((4096 * 1024)) $((4096 * 1024)) 2001 $((1 << 32)) False
		1 type 1 $((4096 * 1024)) $((4096 * 1024)) 2001 None True
	END
	same_file "memory" expected memory.told
	"$TACHO" export -f memory --to html,perfetto >export.out || fail "no exports of memory"
	python3 "$ROOT/tests/real/page.py" check memory.html || fail "the page is not well-formed"
	for heap in 0 1; do
		grep -q "\"memory of heap $heap\"" memory.html || fail "no memory in the timeline"
		grep -aq "memory of heap $heap" memory.pftrace || fail "no memory in the trace"
	done
	# the table on the page is of devices that ran something
	rows own "$program" own
	"$TACHO" export -f own --to html >export.out || fail "no page of own"
	grep -A 12 'id="memory"' own.html | tr -d '\n' |
		grep -q '<td>0</td><td>all</td><td class="num" data-v="4096">' ||
		fail "no memory on the page"
	echo "exports: memory"
}

# A buffer on one queue and then on the other has times where those of the first were read by then;
# the one on both at once has none. A time is never another run's: vulkan_rows.py looks at that.
two_queues() {
	rows queues "$program" queues
	same "output of queues" "queues: right" "$(cat queues.out)"
	awk '$1 == "vkCmdFillBuffer" && $2 == 40 && $3 <= 24 { good = 1 } END { exit !good }' \
		queues.rows || fail "rows of two queues: $(cat queues.rows)"
	has_reason queues "may run several times at once"
}

# Five pipelines with one handle have five names; so many dispatches of each are told.
handles() {
	trap_of handles <<-END
		vkCmdDispatch 5 5
	END
	"$TACHO" report handles --by kernel --json >handles.json
	same "names of a handle" 5 \
		"$(grep -o 'main (compute [0-9a-f]*)' handles.json | sort -u | grep -c .)"
}

# A driver without an extension's name has none with tacho either.
names() {
	trap_of aliases <<-END
		vkCmdDispatchBase 2 2
		vkCmdDispatchBaseKHR 2 2
	END
	trap_of aliases bare <<-END
		vkCmdDispatchBase 1 1
	END
	same "names of a bare driver" "names: 0" "$(grep names aliases.out)"
}

# What was submitted and never can end: the program does, at once.
endless() {
	for kind in endless endless_; do
		trap_of $kind <<-END
			vkCmdFillBuffer 2 0
		END
	done
}

# A device that cannot be made with more than the program asked for is made; one that is lost is
# lost to the program alone; where memory is short the program's submit comes first.
errors() {
	for setting in refuse uncalibrated no_reset; do
		trap_of old $setting <<-END
			vkCmdFillBuffer 4 4
		END
	done
	for number in 1 2 3 4 5 6 7; do
		FAKE_VULKAN=lost=$number
		export FAKE_VULKAN
		rows lost "$program" lost
		same "output when submit $number loses the device" "lost: right" "$(cat lost.out)"
		FAKE_VULKAN=full=$number
		rows_lose=yes
		rows full "$program" full
		rows_lose=
		unset FAKE_VULKAN
		same "output when submit $number fails" "full: right" "$(cat full.out)"
		awk '$2 == 12 && $3 >= 10 { good = 1 } END { exit !good }' full.rows ||
			fail "rows when submit $number fails: $(cat full.rows)"
	done
}

# Without a piece of tacho's memory a queue that only transfers does what it does, and no query is
# written that was not reset.
transfers_without_memory() {
	[ -e "$BIN/tests/real/fail_memory.so" ] || return 0
	short_right=0
	for piece in 1 3 5 6 7 8 9 10 11 12; do
		"$TACHO" record -f -o short --export jsonl -- env FAIL_IN=tacho-inject \
			FAIL_AT=$piece LD_PRELOAD="$BIN/tests/real/fail_memory.so" "$program" \
			transfers >short.out 2>short.err </dev/null
		short_status=$?
		if grep 'fake vulkan:' short.err; then fail "without piece $piece a rule is broken"; fi
		case $short_status$(cat short.out) in
		"0transfers: right") short_right=$((short_right + 1)) ;;
		1 | 77) ;;
		*) fail "without piece $piece the program ended with $short_status: $(cat short.out)" ;;
		esac
	done
	[ $short_right -ge 5 ] || fail "transfers without a piece of memory: $short_right are right"
	echo "transfers without a piece of memory: right, or refused at the start"
}

# Times that cannot be are no numbers.
lies() {
	for setting in silent garbage garbage,uncalibrated backwards backwards,uncalibrated \
		bits=0 bits=16 bits=31; do
		trap_of old $setting <<-END
			vkCmdFillBuffer 4 0
		END
	done
	for setting in bits=32 bits=36 bits=36,uncalibrated period=52083 \
		period=52083,uncalibrated,bits=32; do
		trap_of own $setting <<-END
			vkCmdCopyQueryPoolResults 3 3
			vkCmdFillBuffer 12 12
		END
	done
	FAKE_VULKAN=garbage rows old "$program" old
	has_reason old "lie outside of its submit"
	FAKE_VULKAN=silent rows old "$program" old
	has_reason old "no times for this command"
}

# layer NAME: one of the tests', where loaders find it.
layer() {
	mkdir -p layer
	cat >"layer/$1.json" <<-END
		{"file_format_version": "1.2.0", "layer": {"name": "VK_LAYER_TACHO_TESTS_$1",
		 "type": "GLOBAL", "library_path": "$BIN/tests/real/vulkan_$1.so",
		 "api_version": "1.3.239", "implementation_version": "1", "description": "a test's"}}
	END
}

# control NAME COMMAND...: below tacho is a layer that lets no reset through.
control() {
	control_name=$1
	shift
	layer unreset
	VK_ADD_LAYER_PATH=$WORK/layer \
		VK_INSTANCE_LAYERS=VK_LAYER_TACHO_TESTS_unreset${control_layer:+:$control_layer} \
		"$TACHO" record -f -o "$control_name" -- "$@" >"$control_name.out" \
		2>"$control_name.err" </dev/null
}

# Whoever looks for a missing reset finds it when there is one.
controls() {
	control unreset "$program" old
	grep -q 'fake vulkan: a time is written where no reset was' unreset.err || {
		cat unreset.err
		fail "the driver of tests says nothing of queries that nobody reset"
	}
	control unreset "$program" transfers
	grep -q 'fake vulkan: a time is written where no reset was' unreset.err || {
		cat unreset.err
		fail "the driver of tests says nothing of queries that the host did not reset"
	}
	echo "the driver of tests: sees a missing reset"
	[ -n "$lavapipe" ] && [ -e "$checker" ] || return 0
	use_driver "$lavapipe"
	control_layer=VK_LAYER_KHRONOS_validation
	control unreset "$BIN/tests/real/vulkan_compute" plain
	control_layer=
	cat unreset.out unreset.err | grep -q 'QueryNotReset\|-00830' || {
		cat unreset.out unreset.err
		fail "Khronos's checker says nothing of queries that nobody reset"
	}
	echo "Khronos's checker: sees a missing reset"
}

# killed INSTANT...: of each the recording is whole, and no row has times that cannot be.
killed() {
	for try; do
		rm -f pid
		"$TACHO" record -f -o killed --export jsonl -- sh -c \
			"echo \$\$ >pid; exec '$BIN/tests/real/vulkan_compute' endless" \
			>killed.out 2>killed.err </dev/null &
		kill_after 0.$((10 + 3 * try))
		[ -d killed.tacho ] || fail "nothing was recorded of a program that was killed"
		"$TACHO" check killed >killed.check || fail "killed is not whole: $(cat killed.check)"
		[ ! -e killed.jsonl ] || python3 "$ROOT/tests/real/vulkan_rows.py" killed.jsonl \
			>killed.rows || fail "rows of killed"
	done
	echo "killed at $# instants: whole each time"
}

# Another layer between the program and tacho's, as a program has it that names its own.
above() {
	[ -e "$checker" ] || return 0
	rows above sh -c "VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation:VK_LAYER_TACHO \
		exec '$BIN/tests/real/vulkan_compute' submit2"
	same "output below the checker" "submit2: right" "$(cat above.out)"
	same "dispatches below the checker" "vkCmdDispatch 12 12" "$(grep Dispatch above.rows)"
}

# Mesa's driver timed as if it only transferred, and Khronos's checker below tacho.
by_host() {
	layer transfers
	by_host_layers=VK_LAYER_TACHO_TESTS_transfers
	[ ! -e "$checker" ] || by_host_layers=$by_host_layers:VK_LAYER_KHRONOS_validation
	export VK_ADD_LAYER_PATH="$WORK/layer" VK_INSTANCE_LAYERS=$by_host_layers
	for kind in plain again threads; do
		case $kind in
		plain) commands="vkCmdCopyBuffer 8 8 8192 vkCmdDispatch 12 12 vkCmdFillBuffer 4 4" ;;
		again) commands="vkCmdDispatch 10 10 vkCmdFillBuffer 10 10" ;;
		threads) commands="vkCmdFillBuffer 200 200" ;;
		esac
		rows by_host "$BIN/tests/real/vulkan_compute" $kind
		same "output of $kind by the host" "$kind: right" "$(cat by_host.out)"
		same "rows of it" "$commands" "$(grep -v Update by_host.rows | tr '\n' ' ' |
			sed 's/ $//')"
	done
	killed 2 7 12 17
	unset VK_ADD_LAYER_PATH VK_INSTANCE_LAYERS
}

# Google's driver, whose times are others and which draws by tiles no more than it must.
swiftshader() {
	[ -e "$chromium/libvk_swiftshader.so" ] || {
		echo "chromium-common is not installed: its drivers are not tried"
		return
	}
	cat >swiftshader.json <<-END
		{"file_format_version": "1.0.0", "ICD": {"library_path": "$chromium/libvk_swiftshader.so",
		 "api_version": "1.3.0"}}
	END
	use_driver "$WORK/swiftshader.json"
	"$TACHO" doctor vulkan >doctor.out
	same "queues of SwiftShader" 1 "$(tr -s ' \n' ' ' <doctor.out | grep -o 'queue for' | grep -c .)"
	for kind in plain submit2; do
		rows $kind "$BIN/tests/real/vulkan_compute" $kind
		same "output of $kind with SwiftShader" "$kind: right" "$(cat $kind.out)"
		same "dispatches of it" "vkCmdDispatch 12 12" "$(grep Dispatch $kind.rows)"
	done
	# a driver that does nothing writes nothing: there are no times, and none are made up
	cat >mock.json <<-END
		{"file_format_version": "1.0.0", "ICD": {"library_path": "$chromium/libVkICD_mock_icd.so",
		 "api_version": "1.3.0"}}
	END
	use_driver "$WORK/mock.json"
	trap_of pairs <<-END
		vkCmdFillBuffer 32 0
	END
	trap_of sparse <<-END
		vkCmdBuildAccelerationStructuresKHR 2 0
		vkCmdDecodeVideoKHR 1 0 5000
		vkCmdTraceRaysKHR 1 0
		vkQueueBindSparse 2 0 196608
	END
}

use_driver "$fake"
plain probe "$program" old
[ $plain_status = 0 ] || skip "the loader of Vulkan does not take a driver of tests"
traps
draws
secondaries
sparse
memory
two_queues
transfers_without_memory
handles
names
endless
errors
lies
controls
if [ -n "$lavapipe" ]; then
	use_driver "$lavapipe"
	plain probe "$program" old
	if [ $plain_status = 0 ]; then
		killed 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20
		above
		rows_option=--draws rows tiles "$BIN/tests/real/vulkan_draws" pass
		same "draws of a device that draws by tiles" "vkCmdDraw 3 0" \
			"$(grep vkCmdDraw tiles.rows)"
		has_reason tiles "the device draws tile by tile"
		by_host
		trap_of own <<-END
			vkCmdCopyQueryPoolResults 3 3
			vkCmdFillBuffer 12 12
		END
		trap_of pairs <<-END
			vkCmdFillBuffer 32 32
		END
		trap_of fork <<-END
			vkCmdFillBuffer 8 8
		END
		trap_of timeline <<-END
			vkCmdFillBuffer 6 6
		END
		trap_of secondaries <<-END
			vkCmdExecuteCommands 6 3
			vkCmdFillBuffer 15 12
		END
	fi
fi
swiftshader
