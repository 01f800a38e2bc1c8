# SPDX-License-Identifier: MIT
# What the scripts here share. Sourced; needs ROOT, the folder of the sources.
#
# BIN=FOLDER  a build (default build/check, where ./check builds, else build)
# OUT=FOLDER  where recordings and raw figures go (default: a new folder below TMPDIR or /tmp; the
#             recordings are removed, the raw figures stay)
set -u

bench_die() {
	echo "bench: $*" >&2
	exit 1
}

bench_say() {
	echo "bench: $*" >&2
}

if [ -z "${BIN:-}" ]; then
	BIN=$ROOT/build/check
	[ -x "$BIN/cli/tacho" ] || BIN=$ROOT/build
fi
BIN=$(cd "$BIN" 2>/dev/null && pwd) || bench_die "no build: set BIN=FOLDER to one"
TACHO=$BIN/cli/tacho
CLCOST=$BIN/bench/clcost
for bench_file in "$TACHO" "$CLCOST" "$BIN/bench/empty_layer.so"; do
	[ -e "$bench_file" ] || bench_die "$bench_file is missing: build first (ninja -C $BIN)"
done
if [ -z "${OUT:-}" ]; then
	OUT=$(mktemp -d "${TMPDIR:-/tmp}/tacho-bench.XXXXXX") || bench_die "no folder for the figures"
fi
mkdir -p "$OUT" && OUT=$(cd "$OUT" && pwd) || bench_die "$OUT cannot be made"
RAW=$OUT/raw
unset OPENCL_LAYERS

# Runs the command under tacho into $OUT/recording.
bench_record() {
	rm -rf "$OUT/recording.tacho"
	"$TACHO" record -f -q --export none -o "$OUT/recording" -- "$@"
}

# Prints "DROPPED WAITS" of $OUT/recording: calls that were not recorded, and waits for a window.
bench_lost() {
	"$TACHO" report --json --top 1 "$OUT/recording" >"$OUT/report.json" ||
		bench_die "tacho report failed"
	awk -F '[:,]' '
		/"(no_window|no_space|nested|too_big|no_thread|unreadable_bytes)": / { lost += $2 }
		/"waits": / { waits = $2 + 0; seen = 1 }
		END { if (!seen) exit 1; print lost + 0, waits }' "$OUT/report.json" ||
		bench_die "tacho report --json tells no losses"
}

# What it ran on, as a Markdown list.
bench_machine() {
	echo "- CPU: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs," \
		"$(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo)," \
		"hypervisor: $(grep -q -w hypervisor /proc/cpuinfo && echo yes || echo no)"
	echo "- Kernel: $(uname -sr), clocksource" \
		"$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource 2>/dev/null ||
			echo unknown)"
	echo "- OpenCL device: $("$CLCOST" device | sed -n 's/^device //p')"
	echo "- Recordings on: $(df -T "$OUT" | awk 'END { print $2 }')"
	echo "- tacho: $("$TACHO" --version | head -n 1)," \
		"sources at $(git -C "$ROOT" describe --always --dirty 2>/dev/null || echo unknown)"
	echo "- Build: $(tr '{' '\n' <"$BIN/meson-info/intro-buildoptions.json" |
		sed -n 's/.*"name": "buildtype", "value": "\([a-z]*\)".*/\1/p'), $(cc --version | head -n 1)"
	echo "- Load when the run began: $(cut -d ' ' -f 1 /proc/loadavg);" \
		"$(date -u +%Y-%m-%d)"
}
