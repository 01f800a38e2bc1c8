#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 400
# ./demo: interrupted in the middle, run to its end, and with programs that launch nothing although
# they end well; with --long run to its end twice. It finds all built: scripts/fresh has it build.
set -u
cd "$WORK" || exit 1

fail() {
	tail -n 30 "$WORK/out" | sed 's/^/  said: /'
	echo "FAIL: $*"
	exit 1
}

if [ -z "$driver_platform" ] || ! command -v ffmpeg >/dev/null 2>&1; then
	echo "SKIP: clpeak, ffmpeg or a driver for them is missing"
	exit 77
fi
export TACHO_OFFLINE=1 BUILD="$WORK/b"
ln -sfn "$BIN" "$BUILD"
rm -rf "$BUILD/demo"

# Ctrl-C reaches the whole foreground group.
python3 - "$ROOT/demo" >"$WORK/out" 2>&1 <<'END' || fail "interrupting it in the middle"
import os, signal, subprocess, sys, time
demo = subprocess.Popen(["sh", sys.argv[1]], start_new_session=True)
end = time.monotonic() + 600
while not os.path.exists(os.environ["BUILD"] + "/demo/clpeak.tacho/meta.json"):
    if demo.poll() is not None or time.monotonic() > end:
        sys.exit("no recording was begun")
    time.sleep(0.01)
time.sleep(0.5)
os.killpg(demo.pid, signal.SIGINT)
sys.exit(demo.wait(60) != 130)
END

runs=first
[ "$long" = 1 ] && runs="first second"
for run in $runs; do
	sh "$ROOT/demo" >out 2>&1 || fail "the $run run failed"
	grep -q '[0-9] kernel launches recorded in ffmpeg.tacho' out || fail "no count in the $run run"
	grep -q '[0-9] dispatches that ran recorded in vulkan.tacho\|no program of Vulkan is recorded\|does not scale with Vulkan' \
		out || fail "not a word of Vulkan in the $run run"
done

# A program that exits with 0 and launches nothing.
mkdir -p bin
printf '#!/bin/sh\necho "  Device: none"\necho "Kernel launch latency : 1.0 us"\n' >bin/clpeak
chmod +x bin/clpeak
PATH=$WORK/bin:$PATH sh "$ROOT/demo" >out 2>&1 && fail "no kernel was launched, and it is content"
grep -q 'no call was recorded' out || fail "it does not say that launches are missing"
echo "demo behaves"
