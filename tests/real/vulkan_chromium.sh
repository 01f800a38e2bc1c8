#!/bin/sh
# SPDX-License-Identifier: MIT
# long
# limit: 400
# Chromium, whose process for the GPU draws with Vulkan through the loader of its own folder, on
# Mesa's driver and on the one that it brings: a page draws what it draws without tacho, and each of
# its launches has a name. Its processes are in the sandboxes that they have without tacho.
. "$ROOT/tests/real/lib.sh"
command -v chromium >/dev/null 2>&1 || skip "chromium is not installed"
unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH VK_DRIVER_FILES VK_ICD_FILENAMES DISPLAY

# Chromium's sandbox is for users without rights: root becomes one, in a folder of its own.
as_user=
place=$WORK
no_sandbox=
if [ "$(id -u)" = 0 ]; then
	place=$(mktemp -d) || fail "no folder can be made"
	trap 'rm -rf "$place"' EXIT
	chown 65534:65534 "$place"
	as_user="setpriv --reuid=65534 --regid=65534 --clear-groups"
	$as_user "$TACHO" --version >/dev/null 2>&1 || {
		as_user=
		no_sandbox=--no-sandbox
		echo "nobody else can read the build: without a sandbox"
	}
fi
cd "$place" || exit 1
# four colors, read back by the page itself
cat >page.html <<'END'
<html><body><canvas id=c width=64 height=64></canvas><script>
const g = document.getElementById('c').getContext('webgl'), seen = [];
const colors = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], pixel = new Uint8Array(4);
for (const color of g ? colors : []) {
	g.clearColor(...color, 1);
	g.clear(g.COLOR_BUFFER_BIT);
	g.readPixels(0, 0, 1, 1, g.RGBA, g.UNSIGNED_BYTE, pixel);
	seen.push(Array.from(pixel).join('.'));
}
document.body.setAttribute('data-seen', seen.join(' '));
</script></body></html>
END
expected='data-seen="255.0.0.255 0.255.0.255 0.0.255.255 255.255.255.255"'

# browse WAY COMMAND...: COMMAND with Chromium behind it shows the page; what that saw is in WAY.seen.
browse() {
	way=$1
	shift
	rm -rf profile
	# shellcheck disable=SC2086 # words or none
	$as_user env HOME="$place" TMPDIR="$place" TACHO_CONFIG= "$@" chromium --headless=new $no_sandbox \
		--use-angle="$angle" --ignore-gpu-blocklist --enable-unsafe-swiftshader \
		--virtual-time-budget=2000 --user-data-dir="$place/profile" --dump-dom \
		"file://$place/page.html" >"$way.out" 2>"$way.err" </dev/null
	browse_status=$?
	grep -o 'data-seen="[^"]*"' "$way.out" >"$way.seen"
}

# shown ANGLE DEVICE: what it draws with, and the name that its device must have.
shown() {
	angle=$1
	browse alone env
	[ $browse_status = 0 ] && [ "$(cat alone.seen)" = "$expected" ] || {
		echo "Chromium does not draw with $angle here: $(tail -n 1 alone.err)"
		return
	}
	browse recorded "$TACHO" record -f -o chromium --
	same "status of Chromium with $angle" 0 $browse_status
	same "what the page saw with $angle" "$expected" "$(cat recorded.seen)"
	# a process of it may live a little longer
	for tries in 1 2 3 4 5 6 7 8 9 10; do
		"$TACHO" check chromium >check 2>&1 && break
		sleep 1
	done
	"$TACHO" check chromium >check || fail "the recording is not whole: $(cat check)"
	"$TACHO" report chromium --by kernel --json >report.json || fail "no report"
	python3 - "$2" <<-'END' || fail "launches of Chromium with $angle: $(cat report.json)"
		import json, re, sys
		report = json.load(open("report.json"))
		lines = report["lines"]
		assert lines and sum(line["count"] for line in lines) >= 4, lines
		assert all(re.fullmatch(r".+ \(graphics [0-9a-f]{8}\)", line["name"]) for line in lines), lines
		assert any(sys.argv[1] in device["name"] for device in report["devices"]), report["devices"]
		print(len(lines), "pipelines,", sum(line["count"] for line in lines), "draws")
	END
	shown_any=yes
}

shown_any=
shown vulkan llvmpipe
shown swiftshader SwiftShader
[ "$shown_any" ] || skip "Chromium draws with no driver of Vulkan here"
