# SPDX-License-Identifier: MIT
# The lines that begin with "$ " in the man pages are run as they stand.

command -v clinfo >/dev/null 2>&1 || skip "clinfo is not installed"
tacho doctor opencl >out 2>err || skip "tacho doctor finds no driver that works here"

count=0
for page in "$SOURCES"/man/*.1.scd; do
	name=$(basename "$page" .1.scd)
	mkdir "$name"
	sed -n 's/^\$ //p' "$page" >"$name/commands"
	while IFS= read -r line; do
		count=$((count + 1))
		(cd "$name" && sh -c "$line") >out 2>err </dev/null ||
			fail "$name: status $? of: $line"
	done <"$name/commands"
done
[ $count -ge 15 ] || fail "only $count examples were found"
[ -d tacho-record/both.tacho ] || fail "the examples left no recording"
[ -s tacho-export/copy.jsonl ] || fail "the examples left no export"
