#!/bin/sh
# SPDX-License-Identifier: MIT
# How long sqlite3 takes to answer the first five questions of docs/sqlite.md of a database of a million
# calls: processor time of the query, without opening the file. Prints Markdown for bench/RESULTS.md.
#
#	[VARIABLE=VALUE...] bench/reader/questions.sh
#
# ROUNDS=5       times that each is asked, by a new process
# CALLS=1000000  calls of the recording, every tenth of them a launch
# BEFORE=FOLDER  another build, whose database is asked in the same rounds
# BIN, OUT       see bench/lib.sh
ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
. "$ROOT/bench/lib.sh"

rounds=${ROUNDS:-5}
calls=${CALLS:-1000000}
names="kernels gaps overlap rates threads"
command -v sqlite3 >/dev/null 2>&1 || bench_die "the program sqlite3 is missing"

question() {
	case $1 in
	kernels) echo "SELECT kernel, launches, total_ns, mean_ns, max_ns FROM v_kernel LIMIT 10" ;;
	gaps) echo "SELECT g.device, g.duration_ns, m.kind, c.function FROM v_gap g
		JOIN v_command m ON m.id = g.next_id JOIN v_call c ON c.id = g.next_id
		ORDER BY g.duration_ns DESC LIMIT 2" ;;
	overlap) echo "SELECT device, busy_ns, kernel_ns, transfer_ns, kernel_transfer_ns FROM v_overlap" ;;
	rates) echo "SELECT kind, count, bytes, total_ns, round(bytes_per_second / 1e9, 3)
		FROM v_transfer_by_kind" ;;
	threads) echo "SELECT thread, function, calls, total_ns FROM v_api_by_thread" ;;
	esac
}

# ask NAME DATABASE FIGURE: its processor time.
ask() {
	printf '.timer on\n%s;\n' "$(question "$1")" | sqlite3 -bail "$2" >"$OUT/answer" 2>&1 ||
		bench_die "$1: $(cat "$OUT/answer")"
	awk -v figure="$3" '/^Run Time:/ { print figure, $6 + $8; seen = 1 } END { exit !seen }' \
		"$OUT/answer" >>"$RAW" || bench_die "sqlite3 tells no time for $1: $(cat "$OUT/answer")"
	echo "rows_$3 $(grep -vc '^Run Time:' "$OUT/answer")" >>"$RAW"
}

# export_from BUILD NAME: the recording as a database.
export_from() {
	"$1/cli/tacho" export -f --to sqlite -o "$OUT/$2" "$OUT/recording" >/dev/null ||
		bench_die "tacho export failed"
}

machine=$(bench_machine)
: >"$RAW"
bench_record "$CLCOST" program "$calls" >/dev/null || bench_die "recording failed"
lost=$(bench_lost) || exit 1
[ -z "${BEFORE:-}" ] || export_from "$BEFORE" before
export_from "$BIN" after
for round in $(seq "$rounds"); do
	bench_say "round $round of $rounds"
	for name in $names; do
		[ -z "${BEFORE:-}" ] || ask $name "$OUT/before.sqlite" before_$name
		ask $name "$OUT/after.sqlite" $name
	done
done
commands=$(sqlite3 "$OUT/after.sqlite" "SELECT count(*) FROM v_command")
rm -rf "$OUT/recording.tacho" "$OUT"/*.sqlite

echo "$machine"
echo "- SQLite: $(sqlite3 --version | cut -d ' ' -f 1)"
echo "- Recording: $calls calls, $commands of them commands, ${lost% *} dropped; medians of $rounds rounds"
echo
echo "| question | rows | before, s | s |"
echo "|---|---|---|---|"
awk -v names="$names" "$(cat "$ROOT/bench/stats.awk")"'
	{ value[$1, ++n[$1]] = $2 }
	function middle(name,    list, i) {
		for (i = 1; i <= n[name]; i++)
			list[i] = value[name, i]
		return n[name] ? sprintf("%.2f", median(list, n[name])) : "-"
	}
	END {
		count = split(names, name, " ")
		for (i = 1; i <= count; i++)
			printf "| %s | %d | %s | %s |\n", name[i], value["rows_" name[i], 1],
				middle("before_" name[i]), middle(name[i])
	}' "$RAW"
bench_say "raw figures: $RAW"
