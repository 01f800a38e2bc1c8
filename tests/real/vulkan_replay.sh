#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 200
# Counters in several passes of one and the same work: what gfxreconstruct captured of a program is
# played back once for each pass, and rows of the runs are put together by submit and command. The
# driver's counters are those of a layer of tests, which counts by a rule.
. "$ROOT/tests/real/lib.sh"
program=$BIN/tests/real/vulkan_draws
driver=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[ -n "$driver" ] || skip "mesa-vulkan-drivers is not installed"
[ -x "$program" ] || skip "libvulkan-dev is not installed: vulkan_draws was not built"
command -v gfxrecon-replay >/dev/null 2>&1 || skip "gfxreconstruct is not installed"
[ -e "$BIN/tests/fake/vulkan_counters/libfake-counters.so" ] ||
	skip "Khronos's layer headers are missing: the layer that counts was not built"
export VK_DRIVER_FILES="$driver" VK_ICD_FILENAMES="$driver"
unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH

# capture NAME COMMAND...: what it does is in NAME.gfxr.
capture() {
	capture_name=$1
	shift
	VK_INSTANCE_LAYERS=VK_LAYER_LUNARG_gfxreconstruct GFXRECON_CAPTURE_FILE=$capture_name.gfxr \
		GFXRECON_CAPTURE_FILE_TIMESTAMP=false GFXRECON_LOG_LEVEL=error \
		"$@" >"$capture_name.plain" 2>"$capture_name.plain-err" </dev/null
	capture_status=$?
	[ -s "$capture_name.gfxr" ] || return 1
	return $capture_status
}

with_counters() {
	VK_ADD_LAYER_PATH="$BIN/tests/fake/vulkan_counters" \
		VK_LAYER_PATH="$BIN/tests/fake/vulkan_counters" \
		VK_INSTANCE_LAYERS=VK_LAYER_FAKE_counters "$@"
}

# count NAME COMMAND...: three passes of it.
count() {
	count_name=$1
	shift
	with_counters "$TACHO" record -f -o "$count_name" -d llvmpipe --replay process \
		-m Waves_started,Busy__all_units,Drift --export jsonl -- "$@" \
		>"$count_name.out" 2>"$count_name.err" </dev/null
	count_status=$?
	[ $count_status = 0 ] || {
		cat "$count_name.err"
		fail "$* ended with $count_status"
	}
	if grep 'fake counters:' "$count_name.err"; then fail "$count_name breaks a rule"; fi
	"$TACHO" report "$count_name" >"$count_name.text" || fail "no report of $count_name"
	tr -s ' \n' ' ' <"$count_name.text" >"$count_name.line"
	"$TACHO" report "$count_name" --by kernel --json >"$count_name.json"
	python3 "$ROOT/tests/real/vulkan_counters.py" "$count_name.json" >"$count_name.counters" ||
		fail "no counters of $count_name"
}

# Of each command of a submit: what it is, where it stands, and all that was counted.
rows() {
	python3 -c '
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    if row["schema"] == "tacho.call/1" and row.get("command") and row.get("values"):
        row["arguments"].pop("buffer") # a handle, which is another each time
        print(row["function"], row["arguments"], row["command"]["kernel"]["name"], row["values"],
              row.get("values_note", ""))'
}

passes() {
	capture draws "$program" draws || fail "no capture: $(cat draws.plain-err)"
	count draws gfxrecon-replay draws.gfxr
	cat >expected <<-END
		dispatch Waves_started 1 1 1110 1110 1110
		dispatch Busy__all_units 1 1 - 3110.5 3110.5
		dispatch Drift 1 1 -5110 -5110 -5110
		draw Waves_started 3 3 3315 1103 1108
		draw Busy__all_units 3 3 - 3103.5 3108.5
		draw Drift 3 3 -15315 -5108 -5103
	END
	same_file "counters of a capture" expected draws.counters
	grep -q 'The program ran 3 times, once per pass: all of 4 counted launches are in every run' \
		draws.line || fail "runs of a capture differ: $(cat draws.text)"
	rows <draws.jsonl >draws.rows
	same "rows of a capture" 4 "$(grep -c . draws.rows)"
	count again gfxrecon-replay draws.gfxr
	rows <again.jsonl >again.rows
	same_file "rows of the same capture, counted twice" draws.rows again.rows
}

# What docs/vulkan.md shows, but for the names of Mesa's driver and of its compiler.
example() {
	sed -n '/^### Passes by playing/,/^## /s/^    //p' "$ROOT/docs/vulkan.md" >shown
	for part in '/^tacho: counting/,/^  pass 3/' '/^Counters of/,/^    Drift  *3/' \
		'/^  The program ran/,/^    run/'; do
		sed -n "${part}p" shown
	done | tr -s ' \n' '  ' >example.shown
	for part in '/^tacho: counting/,/^  pass 3/' '/^Counters of/,/^    Drift  *3/' \
		'/^  The program ran/,/^    run/'; do
		cat draws.err draws.text | sed -n "${part}p"
	done | sed 's/(LLVM [0-9.]*, [0-9]* bits)/(LLVM 15.0.6, 256 bits)/' |
		tr -s ' \n' '  ' >example.got
	[ -s example.shown ] || fail "docs/vulkan.md shows no example"
	same_file "the example of docs/vulkan.md" example.shown example.got
	echo "the example of docs/vulkan.md is true"
}

# A second run that plays something else lacks what the first one has: that is told, and of its
# values none is taken.
others() {
	capture other "$BIN/tests/real/vulkan_compute" plain || fail "no capture of vulkan_compute"
	cat >either <<-'END'
		echo run >>runs
		case $(wc -l <runs) in 2) exec gfxrecon-replay other.gfxr ;; esac
		exec gfxrecon-replay draws.gfxr
	END
	rm -f runs
	count either sh either
	cat >expected <<-END
		dispatch Waves_started 1 1 1110 1110 1110
		dispatch Busy__all_units 1 0 - - -
		dispatch Drift 1 1 -5110 -5110 -5110
		draw Waves_started 3 3 3315 1103 1108
		draw Busy__all_units 3 0 - - -
		draw Drift 3 3 -15315 -5108 -5103
	END
	same_file "counters of runs that differ" expected either.counters
	grep -q 'not each time the same' either.line || {
		cat either.text
		fail "nobody tells that the runs differ"
	}
}

# 20 pictures of a real program, Mesa's glxgears on Vulkan, which draws 12 times for each and takes
# as many as there is time for.
gears() {
	command -v glxgears >/dev/null 2>&1 && start_x glxgears || {
		echo "no glxgears: mesa-utils is not installed, or there is no X server"
		return 0
	}
	capture gears env GFXRECON_CAPTURE_FRAMES=1-20 MESA_LOADER_DRIVER_OVERRIDE=zink \
		LIBGL_ALWAYS_SOFTWARE=1 timeout 5 glxgears
	mv gears_frames_1_through_20.gfxr gears.gfxr 2>/dev/null || {
		echo "no capture of glxgears on zink: $(head -n 1 gears.plain-err)"
		return 0
	}
	count gears gfxrecon-replay gears.gfxr
	grep -q 'once per pass: all of 240 counted launches are in every run' gears.line ||
		fail "runs of the capture of glxgears differ: $(cat gears.text)"
	same "draws of glxgears, and those that have all counters" "240 240" \
		"$(awk '{ all[$2] += $3; has[$2] += $4 }
			END { for (i in all) print all[i], has[i] }' gears.counters | sort -u)"
	# Mesa counts vertices and samples of each draw; of a capture they are the same each time
	for time in first second; do
		"$TACHO" record -f -o $time -d llvmpipe --export jsonl -m \
			'VK_QUERY_PIPELINE_STATISTIC_INPUT_*,VK_QUERY_OCCLUSION_PRECISE' -- \
			gfxrecon-replay gears.gfxr >$time.out 2>$time.err </dev/null ||
			fail "a capture does not play back: $(cat $time.err)"
		rows <$time.jsonl >$time.rows
	done
	same "rows of glxgears" 240 "$(grep -c vkCmdDraw first.rows)"
	! grep -q "None, 'state'" first.rows || fail "draws of glxgears are not counted"
	same_file "rows of glxgears, counted twice" first.rows second.rows
}

passes
example
others
gears
