#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 200
# What programs record, submit and show is counted as gfxreconstruct's layer counts it in a run of
# the same program: each function that gives work or makes what it needs, as often.
. "$ROOT/tests/real/lib.sh"
driver=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[ -n "$driver" ] || skip "mesa-vulkan-drivers is not installed"
command -v gfxrecon-convert >/dev/null 2>&1 || skip "gfxreconstruct is not installed"
export VK_DRIVER_FILES="$driver" VK_ICD_FILENAMES="$driver"
unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH
# Others depend on how fast things go: allocations in pools, questions, waits.
wanted='vkCmd|vkQueue(Submit|Present)|vk(Begin|End)CommandBuffer|vkCreate(RenderPass|Framebuffer|'
wanted=$wanted'GraphicsPipelines|ComputePipelines|ShaderModule|Image|ImageView|Buffer|Swapchain)'

# count: NAME COUNT of each JSON line of the standard input that is a call of ours or of theirs.
count() {
	python3 -c '
import collections, json, re, sys
counts = collections.Counter()
for line in sys.stdin:
    if not line.startswith("{"):
        continue
    row = json.loads(line)
    if row.get("schema") == "tacho.call/1" and row["api"] == "vulkan" and not row.get("bare"):
        counts[row["function"]] += 1 + (row.get("repeats") or 0)
    elif "vkFunc" in row or isinstance(row.get("function"), dict):
        counts[row.get("vkFunc", row.get("function"))["name"]] += 1
for name in sorted(counts):
    if re.match("(" + sys.argv[1] + ")", name):
        print(name, counts[name])' "$wanted"
}

# compare NAME COMMAND...
compare() {
	compare_name=$1
	shift
	VK_INSTANCE_LAYERS=VK_LAYER_LUNARG_gfxreconstruct GFXRECON_CAPTURE_FILE=$compare_name.gfxr \
		GFXRECON_LOG_LEVEL=error "$@" >"$compare_name.plain" 2>"$compare_name.plain-err" </dev/null || {
		echo "$compare_name does not run here: $(head -n 1 "$compare_name.plain-err")"
		return
	}
	gfxrecon-convert --output stdout "$compare_name"*.gfxr 2>/dev/null | count >"$compare_name.theirs"
	"$TACHO" record -f -o "$compare_name" --export jsonl -- "$@" \
		>"$compare_name.out" 2>"$compare_name.err" </dev/null || fail "$compare_name ended with $?"
	count <"$compare_name.jsonl" >"$compare_name.ours"
	[ "$(wc -l <"$compare_name.theirs")" -ge 5 ] || fail "gfxreconstruct saw nothing of $compare_name"
	same_file "calls of $compare_name" "$compare_name.theirs" "$compare_name.ours"
	cmp -s "$compare_name.plain" "$compare_name.out" || fail "$compare_name printed something else"
	echo "calls of $compare_name: $(wc -l <"$compare_name.ours") functions"
}

# filtered NAME FILTER: ffmpeg's pictures through a filter on the device.
filtered() {
	compare "$1" ffmpeg -v error -nostdin -init_hw_device vulkan=vk:0 -filter_hw_device vk -f lavfi \
		-i testsrc=size=320x180:rate=25 -t 0.4 -vf "format=yuv420p,hwupload,$2,hwdownload,format=yuv420p" \
		-f framemd5 -
}

if [ -x "$BIN/tests/real/vulkan_frames" ]; then
	compare labels "$BIN/tests/real/vulkan_frames" labels
	compare passes "$BIN/tests/real/vulkan_frames" passes
else
	echo "libvulkan-dev is not installed: vulkan_frames was not built"
fi
if command -v ffmpeg >/dev/null 2>&1; then
	filtered scale scale_vulkan=w=160:h=90
	# it gets functions of VK_EXT_debug_utils though it did not ask for that, and calls them
	filtered placebo libplacebo=w=160:h=90
else
	echo "ffmpeg is not installed: left out"
fi
if command -v vkcube >/dev/null 2>&1; then
	start_x vkcube && compare cube vkcube --c 100
else
	echo "vulkan-tools is not installed: vkcube is left out"
fi
exit 0
