#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# A Vulkan program with one fault, and its twin that does the same work without it: the fault's rule
# finds the one, as often as it was made, and not the other. What depends on how busy the machine is,
# is in the unit tests.
. "$ROOT/tests/real/lib.sh"
command -v python3 >/dev/null 2>&1 || skip "python3 is not installed"
program=$BIN/tests/real/twins_vk
driver=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[ -n "$driver" ] || skip "mesa-vulkan-drivers is not installed"
[ -x "$program" ] || skip "libvulkan-dev is not installed: twins_vk was not built"
export VK_DRIVER_FILES="$driver" VK_ICD_FILENAMES="$driver"
unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH

plain probe "$program" leaked-object mended
[ $plain_status = 77 ] && skip "the driver of Vulkan makes no device here"
same "status of the program alone" 0 $plain_status

# twins RULE SUBJECT COUNT [OPTION...]: of the fault as many cases as that at least, of the twin none.
twins() {
	twins_rule=$1 twins_subject=$2 twins_count=$3
	shift 3
	for twin in fault mended; do
		"$TACHO" record -f -o twin -- "$program" "$twins_rule" $twin >twin.out 2>twin.err || {
			cat twin.out twin.err
			fail "$twins_rule $twin ended with $?"
		}
		"$TACHO" report twin "--findings=$twins_rule" --json --rule min-cost-ns=0 "$@" \
			>twin.json || fail "tacho report of $twins_rule $twin failed"
		RULE=$twins_rule SUBJECT=$twins_subject COUNT=$twins_count TWIN=$twin python3 - <<'END' ||
import json, os, re
env = os.environ
report = json.load(open("twin.json"))
found = [f for f in report["findings"] if re.match(env["SUBJECT"], f["subject"])]
print(f"{env['RULE']}, {env['TWIN']}: {[(f['subject'], f['count']) for f in found]}")
assert all(f["rule"] == env["RULE"] for f in found), found
assert bool(found) == (env["TWIN"] == "fault"), found
assert not found or found[0]["count"] >= int(env["COUNT"]), found
wall = report["run"]["end_ns"] - report["run"]["start_ns"]
for finding in found:
    if finding["processor_high_ns"] is not None:
        assert 0 <= finding["processor_low_ns"] <= finding["processor_high_ns"] <= finding["cost_ns"]
    if finding["gain_high_ns"] is not None:
        assert 0 <= finding["gain_low_ns"] <= finding["gain_high_ns"] <= wall, finding
END
			fail "see above"
	done
}

twins drained-queue vkWaitForFences 9 --rule drain-ns=500000
twins late-build vkCreateComputePipelines 4
twins redundant-bind vkCmdBindPipeline 999
twins redundant-bind vkCmdBindDescriptorSets 999
twins draining-barrier vkCmdPipelineBarrier 99
twins repeated-recording vkBeginCommandBuffer 19
twins object-churn vkAllocateMemory 199
twins small-transfers 'copy on ' 200
twins busy-wait vkGetFenceStatus 4
twins leaked-object 'fence of vkCreateFence' 1
# What of it takes longer is the machine's business: that it is 200 submits is not.
"$TACHO" record -f -o submits --export jsonl -- "$program" tiny-submits fault >submits.out 2>submits.err ||
	fail "tiny-submits ended with $?"
"$TACHO" report submits --findings=tiny-submits --json --rule min-cost-ns=0 >submits.json
python3 - <<'END' || fail "see above"
import json
calls = [row for row in map(json.loads, open("submits.jsonl")) if row["schema"] == "tacho.call/1"]
submits = [row for row in calls if row["function"] == "vkQueueSubmit"]
host = sum(row["end_ns"] - row["start_ns"] for row in submits)
device = sum(row["command"]["end_ns"] - row["command"]["start_ns"] for row in calls
             if row.get("command"))
found = json.load(open("submits.json"))["findings"]
print(f"tiny-submits: {len(submits)}, host {host} ns, device {device} ns, "
      f"{[f['count'] for f in found]}")
assert len(submits) == 200
assert [f["count"] for f in found] == ([200] if host > device else [])
END
