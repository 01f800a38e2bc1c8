#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 300
# What Khronos's checker says of recorded Vulkan programs, as Debian's chromium-common has it, with
# its loader: years newer than the one of Debian 12. It says no more than of the programs alone, also
# where it looks for accesses that nothing orders; and it sees a tacho that forgets a reset.
# CHROMIUM: its folder.
. "$ROOT/tests/real/lib.sh"
chromium=${CHROMIUM:-/usr/lib/chromium}
checker=$chromium/libVkLayer_khronos_validation.so
manifest=/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json
driver=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[ -n "$driver" ] || skip "mesa-vulkan-drivers is not installed"
[ -x "$BIN/tests/real/vulkan_draws" ] ||
	skip "libvulkan-dev is not installed: no programs were built"
[ -e "$checker" ] && [ -e "$chromium/libvulkan.so.1" ] ||
	skip "chromium-common is not installed: its checker is not tried"
[ -e "$manifest" ] || skip "vulkan-validationlayers is not installed: its manifest is needed"
export VK_DRIVER_FILES="$driver" VK_ICD_FILENAMES="$driver"
unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH

# Of that folder the loader and the checker, and nothing else that it has.
mkdir -p loader layer
ln -sf "$chromium/libvulkan.so.1" loader/
sed "s|\"library_path\": *\"[^\"]*\"|\"library_path\": \"$checker\"|" "$manifest" >layer/checker.json
cat >layer/unreset.json <<-END
	{"file_format_version": "1.2.0", "layer": {"name": "VK_LAYER_TACHO_TESTS_unreset",
	 "type": "GLOBAL", "library_path": "$BIN/tests/real/vulkan_unreset.so",
	 "api_version": "1.3.239", "implementation_version": "1", "description": "a test's"}}
END
export VK_LAYER_PATH="$WORK/layer" LD_LIBRARY_PATH="$WORK/loader"
# all that it has to say, each time
export VK_KHRONOS_VALIDATION_ENABLE_MESSAGE_LIMIT=false VK_LAYER_ENABLE_MESSAGE_LIMIT=false

# said FILE...: the messages, as often as each was said.
said() {
	cat "$@" | grep -o '\[ [A-Za-z0-9_-]* \]\|VUID-[A-Za-z0-9_-]*\|SYNC-HAZARD-[A-Z-]*' |
		sort | uniq -c
}

# checked NAME OUTPUT COMMAND...: with the options of $options
checked() {
	checked_name=$1 checked_output=$2
	shift 2
	VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation "$@" >alone.out 2>alone.err </dev/null
	[ $? = 77 ] && return
	# shellcheck disable=SC2086 # words
	VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation "$TACHO" record -f -o checked $options -- \
		"$@" >checked.out 2>checked.err </dev/null
	checked_status=$?
	[ $checked_status = 0 ] || {
		cat checked.out checked.err
		fail "$checked_name ended with $checked_status"
	}
	grep -q "$checked_output" checked.out || fail "output of $checked_name: $(cat checked.out)"
	said alone.out alone.err >alone.said
	said checked.out checked.err >checked.said
	cmp -s alone.said checked.said || {
		head -n 40 checked.out checked.err
		diff alone.said checked.said
		fail "the checker says more of $checked_name, with $how"
	}
	tried=$((tried + 1))
}

all_programs() {
	options=
	for name in plain submit2 secondary simultaneous again empty rendering threads flood; do
		checked $name "$name: right" "$BIN/tests/real/vulkan_compute" $name
	done
	checked secondaries "secondaries: right" "$BIN/tests/real/vulkan_traps" secondaries
	for name in 1 2 3; do
		checked "chance $name" "^memory" "$BIN/tests/real/vulkan_random" $name 60 1
	done
	for name in labels passes deep; do
		checked $name "$name: right" "$BIN/tests/real/vulkan_frames" $name
	done
	for name in show two; do
		checked $name "$name: right" "$BIN/tests/real/vulkan_show" $name
	done
	options="-d llvmpipe -m VK_QUERY_*"
	for name in draws pass own again secondary views once; do
		checked $name . "$BIN/tests/real/vulkan_draws" $name
	done
}

# control WORDS PROGRAM...: below tacho is a layer that leaves something out, which the checker sees.
control() {
	control_words=$1
	shift
	VK_INSTANCE_LAYERS=VK_LAYER_TACHO_TESTS_unreset:VK_LAYER_KHRONOS_validation \
		"$TACHO" record -f -o control -- "$@" >control.out 2>control.err </dev/null
	cat control.out control.err | grep -q "$control_words" || {
		head -n 40 control.out control.err
		fail "the checker does not say $control_words"
	}
	echo "the checker can say: $control_words"
}

tried=0
how="its usual checks"
all_programs
control 'VUID-vkCmdWriteTimestamp.*-00830' "$BIN/tests/real/vulkan_compute" plain
control 'VUID-vkCmdWriteTimestamp.*-00830' "$BIN/tests/real/vulkan_compute" submit2
export VK_KHRONOS_VALIDATION_VALIDATE_SYNC=true VK_LAYER_VALIDATE_SYNC=true
how="accesses that nothing orders"
all_programs
control SYNC-HAZARD env UNORDERED=1 "$BIN/tests/real/vulkan_compute" plain
[ $tried -ge 30 ] || fail "too few runs: $tried"
echo "the checker says no more in $tried runs"
