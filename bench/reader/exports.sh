#!/bin/sh
# SPDX-License-Identifier: MIT
# What exports of a recording of a million calls cost, as multiples of `cat` of what they write
# through a pipe to another `cat`: processor time of all of it, in turns. Prints Markdown for
# bench/RESULTS.md.
#
#	[VARIABLE=VALUE...] bench/reader/exports.sh
#
# ROUNDS=5       times that each is done
# CALLS=1000000  calls of the recording, every tenth of them a launch
# BEFORE=FOLDER  another build, measured in the same rounds
# BIN, OUT       see bench/lib.sh
ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
. "$ROOT/bench/lib.sh"

rounds=${ROUNDS:-5}
calls=${CALLS:-1000000}
formats="codexl jsonl perfetto sqlite html"

# took FIGURE COMMAND...: its processor time.
took() {
	figure=$1
	shift
	"$BIN/bench/peak" "$OUT/took" "$@" >"$OUT/printed" 2>"$OUT/errors" ||
		bench_die "$figure failed: $(cat "$OUT/errors")"
	awk -v figure="$figure" '$1 == "cpu_s" { print figure, $2 }' "$OUT/took" >>"$RAW"
}

# export_as FORMAT BUILD FIGURE
export_as() {
	took "$3" "$2/cli/tacho" export -f --to "$1" -o "$OUT/written/all" "$OUT/recording"
}

machine=$(bench_machine)
: >"$RAW"
bench_record "$CLCOST" program "$calls" >/dev/null || bench_die "recording failed"
lost=$(bench_lost) || exit 1
mkdir -p "$OUT/written"
for round in $(seq "$rounds"); do
	bench_say "round $round of $rounds"
	took report "$TACHO" report "$OUT/recording"
	for format in $formats; do
		[ -z "${BEFORE:-}" ] || export_as $format "$BEFORE" before_$format
		export_as $format "$BIN" $format
		du -sk "$OUT/written" | awk -v figure="kib_$format" '{ print figure, $1 }' >>"$RAW"
		took cat_$format sh -c "cat \"$OUT\"/written/all* | cat >/dev/null"
		rm -f "$OUT"/written/all*
	done
done
rm -rf "$OUT/recording.tacho" "$OUT/written"

echo "$machine"
echo "- Recording: $calls calls, ${lost% *} dropped; medians of $rounds rounds"
echo
echo "| export | written, MiB | before, s | s | cat, s | times cat, before | times cat | us a call |"
echo "|---|---|---|---|---|---|---|---|"
awk -v calls="$calls" -v formats="$formats" "$(cat "$ROOT/bench/stats.awk")"'
	{ value[$1, ++n[$1]] = $2 }
	function middle(name,    list, i) {
		for (i = 1; i <= n[name]; i++)
			list[i] = value[name, i]
		return n[name] ? median(list, n[name]) : 0
	}
	END {
		count = split(formats, format, " ")
		for (i = 1; i <= count; i++) {
			f = format[i]
			cat = middle("cat_" f)
			printf "| %s | %.0f | %.2f | %.2f | %.3f | %.1f | %.1f | %.2f |\n", f, \
				middle("kib_" f) / 1024, middle("before_" f), middle(f), cat, \
				middle("before_" f) / cat, middle(f) / cat, middle(f) * 1e6 / calls
		}
		printf "\nhtml takes %.2f times as long as `report`, which takes %.2f s.\n", \
			middle("html") / middle("report"), middle("report")
	}' "$RAW"
bench_say "raw figures: $RAW"
