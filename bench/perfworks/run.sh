#!/bin/sh
# SPDX-License-Identifier: MIT
# What ranges of PerfWorks cost beyond the driver's own calls: on OpenCL, on Mesa's llvmpipe, on a
# driver that does nothing, and on a simulated device. Prints the section of bench/RESULTS.md, with
# what was met.
#
#	[VARIABLE=VALUE...] bench/perfworks/run.sh
#
# PAIRS=500    pairs of NVPA_Object_PushRange and NVPA_Object_PopRange in a round
# ROUNDS=41    rounds; figures are medians
# BIN=FOLDER   a build (default build/check, where ./check builds, else build)
set -u
ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
if [ -z "${BIN:-}" ]; then
	BIN=$ROOT/build/check
	[ -x "$BIN/bench/perfworks" ] || BIN=$ROOT/build
fi
BIN=$(cd "$BIN" && pwd) || exit 1
export NVPERFAPI_LIBRARY="$BIN/src/face/libnvperfapi.so"
for file in "$BIN/bench/perfworks" "$NVPERFAPI_LIBRARY"; do
	[ -e "$file" ] && continue
	echo "bench: $file is missing: build first (ninja -C $BIN)" >&2
	exit 1
done
unset TACHO_SIM

TABLES=$(mktemp) || exit 1
trap 'rm -f "$TABLES"' EXIT

# measure KIND: nothing without a driver.
measure() {
	{
		echo
		"$BIN/bench/perfworks" "$1" "${PAIRS:-500}" "${ROUNDS:-41}"
	} >>"$TABLES"
	measure_status=$?
	[ $measure_status = 0 ] || [ $measure_status = 77 ] || exit 1
}

# The rows of the tables against the aims.
judge() {
	echo '| | by hand, ns | ratio | more, ns | aim |'
	echo '|---|---|---|---|---|'
	awk -F ' *[|] *' '
		/ pairs in a round/ {
			driver = $0
			sub(/[,(].*/, "", driver)
			sub(/ *$/, "", driver)
		}
		/^[|]/ && $3 ~ /^[0-9]/ {
			verdict = $5 <= 200 ? "met" : "not met: 200 ns"
			if ($3 >= 1000)
				verdict = $6 <= 1.2 ? "met" : "not met: 1.2 times"
			ratio = $3 > 0 ? $6 : "-"
			print "| " driver ": " $2 " | " $3 " | " ratio " | " $5 " | " verdict " |"
		}' "$TABLES"
}

load=$(cut -d ' ' -f 1 /proc/loadavg)
measure cl
(
	export LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe
	measure gl
) || exit 1
(
	export LD_LIBRARY_PATH="$BIN/tests/face"
	measure fake
) || exit 1
measure sim

cat <<'END'
## Ranges of PerfWorks

Made by `perfworks/run.sh`; both sides took turns. A pair is one NVPA_Object_PushRange and one
NVPA_Object_PopRange with nothing in between, of a session that measures gpu__time_duration, against
the driver's calls that measure the same by hand (`gpa/cl.c`, `gpa/gl.c`): two markers or time
stamps, and serialized a wait for the driver at both ends as well; time stamps of llvmpipe need the
waits in both modes. A query is one of occlusion, where both sides look for queries of others first.
Work before is a command on the queue that is not measured, as programs have it: both sides wait for
it. The aim is at most 1.2 times where these take 1 us or more, the median of the rounds' ratios, and
at most 200 ns more elsewhere.

An idle queue costs a serialized range a wait more than by hand: no call of OpenCL tells that a queue
is idle, and clFinish, which returns at once then, has no limit of time. A simulated device works the
range's values out when it ends, which is about half of its figures.

END
judge
echo
echo "- CPU: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs," \
	"$(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo)," \
	"hypervisor: $(grep -q -w hypervisor /proc/cpuinfo && echo yes || echo no)"
echo "- Kernel: $(uname -sr)"
echo "- Build: $(tr '{' '\n' <"$BIN/meson-info/intro-buildoptions.json" |
	sed -n 's/.*"name": "buildtype", "value": "\([a-z]*\)".*/\1/p'), $(cc --version | head -n 1)"
echo "- Load when the run began: $load"
cat "$TABLES"
