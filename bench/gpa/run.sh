#!/bin/sh
# SPDX-License-Identifier: MIT
# What samples of GPUPerfAPI cost beyond the driver's own queries, on OpenCL and on Mesa's llvmpipe.
# Prints the section of bench/RESULTS.md, with what was met.
#
#	[VARIABLE=VALUE...] bench/gpa/run.sh
#
# SAMPLES=500  pairs of GPA_BeginSample and GPA_EndSample in a round
# ROUNDS=41    rounds; figures are medians
# BIN=FOLDER   a build (default build/check, where ./check builds, else build)
set -u
ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
if [ -z "${BIN:-}" ]; then
	BIN=$ROOT/build/check
	[ -x "$BIN/bench/gpa" ] || BIN=$ROOT/build
fi
for file in "$BIN/bench/gpa" "$BIN/src/face/libGPUPerfAPICL.so" "$BIN/src/face/libGPUPerfAPIGL.so"; do
	[ -e "$file" ] && continue
	echo "bench: $file is missing: build first (ninja -C $BIN)" >&2
	exit 1
done
unset TACHO_SIM

TABLES=$(mktemp) || exit 1
trap 'rm -f "$TABLES"' EXIT

# measure API: nothing without a driver.
measure() {
	measure_library=$BIN/src/face/libGPUPerfAPI$(echo "$1" | tr a-z A-Z).so
	{
		echo
		"$BIN/bench/gpa" "$1" "$measure_library" "${SAMPLES:-500}" "${ROUNDS:-41}"
	} >>"$TABLES"
	measure_status=$?
	[ $measure_status = 0 ] || [ $measure_status = 77 ] || exit 1
}

# The rows of the tables against the aim.
judge() {
	echo '| | ratio | quartiles | aim |'
	echo '|---|---|---|---|'
	awk -F ' *[|] *' '
		/OpenGL/ { api = "OpenGL" }
		/^[|]/ && $7 ~ /^[0-9]/ {
			split($8, quartile, " to ")
			verdict = $7 >= 1.2 ? "not met: " $6 " ns more" : quartile[2] < 1.2 ? "met" : "met by the median"
			printf "| %s: %s | %s | %s | %s |\n", api ? api : "OpenCL", $2, $7, $8, verdict
		}' "$TABLES"
}

load=$(cut -d ' ' -f 1 /proc/loadavg)
measure cl
export LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe
measure gl

cat <<'END'
## Samples of GPUPerfAPI

Made by `gpa/run.sh`; both sides took turns. A pair is one GPA_BeginSample and one GPA_EndSample with
nothing in between, against the driver's calls that count the same, issued by hand as a careful
programmer does (`gpa/gpa.h`, `gpa/gl.c`). "Looking for others first" asks before each pair whether
the program has a query active that would exclude it, as samples always do. The aim is under 1.2
times, the median of the rounds' ratios.

A pair of one or two queries costs 0.2 to 0.4 us of its own, as fast as the machine is at the moment:
seven locks are about a third of that, the rest finds and keeps what the values will belong to. Each
further query adds some 30 ns. On an OpenCL queue that is free, and for time stamps, the driver's
threads run beside the caller, and what they do is in the figures. Where the driver's own calls take
less than 1 us the aim is out of reach.

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
