#!/bin/sh
# SPDX-License-Identifier: MIT
# What samples of GPUPerfAPI cost beyond the driver's own queries, on OpenCL and on Mesa's llvmpipe.
# Prints Markdown for bench/RESULTS.md.
#
#	[VARIABLE=VALUE...] bench/gpa/run.sh
#
# SAMPLES=500  pairs of GPA_BeginSample and GPA_EndSample in a round
# ROUNDS=25    rounds; figures are medians
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

# measure API: nothing without a driver.
measure() {
	measure_library=$BIN/src/face/libGPUPerfAPI$(echo "$1" | tr a-z A-Z).so
	echo
	"$BIN/bench/gpa" "$1" "$measure_library" "${SAMPLES:-500}" "${ROUNDS:-25}"
	measure_status=$?
	[ $measure_status = 0 ] || [ $measure_status = 77 ] || exit 1
}

echo "- CPU: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs," \
	"$(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo)," \
	"hypervisor: $(grep -q -w hypervisor /proc/cpuinfo && echo yes || echo no)"
echo "- Kernel: $(uname -sr)"
echo "- Build: $(meson introspect --buildoptions "$BIN" 2>/dev/null | tr '{' '\n' |
	sed -n 's/.*"name": "buildtype", "value": "\([a-z]*\)".*/\1/p'), $(cc --version | head -n 1)"
echo "- Load when the run began: $(cut -d ' ' -f 1 /proc/loadavg)"
measure cl
export LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe
measure gl
