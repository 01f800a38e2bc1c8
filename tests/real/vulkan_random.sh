#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 300
# Programs of Vulkan made by chance (vulkan_random.c), on a driver of tests, on Mesa's for CPUs and on
# Google's: each computes the same recorded and alone, has as many rows as it ran commands, of which
# as many have times as can be timed, whatever is counted beside that; Khronos's checker says no more
# of it above tacho and below; and of one that is killed all that had ended is there. CHROMIUM: the
# folder of Google's driver. More are tried with --long, and with SEEDS, the numbers of some.
. "$ROOT/tests/real/lib.sh"
program=$BIN/tests/real/vulkan_random
fake=$BIN/tests/fake/vulkan/fake_vulkan.json
[ -x "$program" ] && [ -e "$fake" ] || skip "libvulkan-dev is not installed: vulkan_random was not built"
lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
checker=/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json
chromium=${CHROMIUM:-/usr/lib/chromium}
unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH FAKE_VULKAN PROGRESS
tried=0

use_driver() {
	export VK_DRIVER_FILES="$1" VK_ICD_FILENAMES="$1"
}

# looked_at NAME SEED [EXPECTED]: its rows are as many as the program knows, and the recording is whole.
looked_at() {
	python3 "$ROOT/tests/real/vulkan_rows.py" "$1.jsonl" >"$1.rows" ||
		fail "the rows of seed $2 make no sense"
	awk 'NR == FNR { if (NF == 4) { all[$1] = $2; least[$1] = $3; most[$1] = $4 }; next }
		!($1 in all) || $2 != all[$1] || $3 < least[$1] || $3 > most[$1] {
			print $1, $2, "with", $3 + 0, "times, not", all[$1], least[$1], most[$1]
			wrong = 1 }
		{ delete all[$1] }
		END { for (name in all) { print "no row of", name; wrong = 1 }; exit wrong }' \
		"${3:-$1.plain}" "$1.rows" || fail "rows of seed $2"
	[ "${3:-}" ] || "$TACHO" check "$1" >"$1.check" ||
		fail "seed $2 is not whole: $(cat "$1.check")"
}

# random SEED ROUNDS LANES OPTIONS...: options of tacho record
random() {
	random_seed=$1
	plain random "$program" "$1" "$2" "$3"
	[ $plain_status = 0 ] || fail "seed $1 alone ended with $plain_status"
	random_command="$program $1 $2 $3"
	shift 3
	# shellcheck disable=SC2086 # words
	"$TACHO" record "$@" -f -o random --export jsonl -- $random_command >random.out \
		2>random.err </dev/null || {
		cat random.err
		fail "seed $random_seed recorded with $* ended with $?"
	}
	cat random.plain-err random.err | grep 'fake vulkan:' && fail "seed $random_seed breaks a rule"
	same_file "output of seed $random_seed with $*" random.plain random.out
	looked_at random "$random_seed"
	tried=$((tried + 1))
}

# What is said of a program alone, of what tacho gives to the driver, and of what it gives back.
checked() {
	[ -e "$checker" ] || return 0
	for checked_layers in VK_LAYER_KHRONOS_validation VK_LAYER_KHRONOS_validation:VK_LAYER_TACHO; do
		"$TACHO" record -f -o random -- env VK_INSTANCE_LAYERS="$(case $checked_layers in
			*TACHO) echo "$checked_layers" ;;
			*) echo "VK_LAYER_TACHO:$checked_layers" ;;
			esac)" "$program" "$1" "$2" 1 >checked.out 2>checked.err </dev/null ||
			fail "seed $1 with the checker ended with $?"
		cat checked.out checked.err | grep 'VUID-\|UNASSIGNED-' &&
			fail "Khronos's checker complains of seed $1, with $checked_layers"
		tried=$((tried + 1))
	done
}

# short SEED: each N-th thing of tacho's that the driver makes is one too many: the program sees nothing
# of it, no rule is broken, and all rows are there, some without times.
short() {
	plain random "$program" "$1" 300 9
	for short_of in 1 2 3 5 7 11 13; do
		FAKE_VULKAN=stingy=$short_of "$TACHO" record -f -o random --export jsonl -- \
			"$program" "$1" 300 9 >random.out 2>random.err </dev/null ||
			fail "without each thing $short_of seed $1 ended with $?: $(cat random.err)"
		grep 'fake vulkan:' random.err && fail "without each thing $short_of a rule is broken"
		same_file "output without each thing $short_of" random.plain random.out
		awk 'NF == 4 { print $1, $2, 0, $4 }' random.plain >fewer.plain
		looked_at random "$1" fewer.plain
		tried=$((tried + 1))
	done
}

# lacking SEED: without a piece of memory of tacho's no rule is broken either, and the program computes
# what it does.
lacking() {
	[ -e "$BIN/tests/real/fail_memory.so" ] || return 0
	plain random "$program" "$1" 400 1
	for lacking_piece in 14 30 46 54 55 56 72 73 74 86; do
		"$TACHO" record -f -o random -- env FAIL_IN=tacho-inject FAIL_AT=$lacking_piece \
			LD_PRELOAD="$BIN/tests/real/fail_memory.so" "$program" "$1" 400 1 \
			>random.out 2>random.err </dev/null
		lacking_status=$?
		grep 'fake vulkan:' random.err && fail "without piece $lacking_piece a rule is broken"
		# at the start it may be refused
		case $lacking_status in
		0) same_file "output without piece $lacking_piece" random.plain random.out ;;
		1 | 77) continue ;;
		*) fail "without piece $lacking_piece the program ended with $lacking_status" ;;
		esac
		tried=$((tried + 1))
	done
}

# killed SEED SECONDS: all that had ended by then has its rows.
killed() {
	rm -f pid progress
	"$TACHO" record -f -o killed --export jsonl -- sh -c "echo \$\$ >pid; PROGRESS=progress \
		exec '$program' $1 1000000 1" >killed.out 2>killed.err </dev/null &
	kill_after "$2"
	[ -d killed.tacho ] || fail "nothing was recorded of a program that was killed"
	[ -s progress ] || return 0
	"$TACHO" check killed >killed.check || fail "killed is not whole: $(cat killed.check)"
	python3 "$ROOT/tests/real/vulkan_rows.py" killed.jsonl >killed.rows || fail "rows of killed"
	awk 'NR == FNR { all[$1] = $2; next }
		all[$1] < $2 { print $1, all[$1] + 0, "of", $2; wrong = 1 }
		END { exit wrong }' killed.rows progress || fail "rows of what had ended are missing"
	tried=$((tried + 1))
}

use_driver "$fake"
plain probe "$program" 1 1 1
[ $plain_status = 0 ] || skip "the loader of Vulkan does not take a driver of tests"
seeds=${SEEDS:-1 2 3}
[ "$long" = 1 ] && seeds=${SEEDS:-$(seq 100 160)}
for seed in $seeds; do
	use_driver "$fake"
	random "$seed" 400 9
	if [ -n "$lavapipe" ]; then
		use_driver "$lavapipe"
		random "$seed" 150 2
		random "$seed" 100 1 -d llvmpipe -m 'VK_QUERY_*'
		checked "$seed" 100
	fi
	[ -e "$chromium/libvk_swiftshader.so" ] || continue
	cat >swiftshader.json <<-END
		{"file_format_version": "1.0.0", "ICD": {"library_path": "$chromium/libvk_swiftshader.so",
		 "api_version": "1.3.0"}}
	END
	use_driver "$WORK/swiftshader.json"
	random "$seed" 100 2
done
use_driver "$fake"
short 4
lacking 4
use_driver "${lavapipe:-$fake}"
for seed in $seeds; do
	killed "$seed" "0.$((seed % 9 + 1))"
done
echo "programs by chance: $tried runs are right"
