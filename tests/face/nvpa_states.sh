#!/bin/sh
# SPDX-License-Identifier: MIT
# nvpa_states.sh PROGRAM PAGE: the statuses of all calls in all states are those of the page's tables.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for table in calls arguments; do
	"$1" $table >"$work/is"
	head=$(head -n 1 "$work/is")
	awk -v head="$head" '$0 == head { on = 1 } !/^[|]/ { on = 0 } on' "$2" >"$work/should"
	diff "$work/should" "$work/is" || {
		echo "$table: < the page, > what is"
		exit 1
	}
	echo "$table: $(wc -l <"$work/is") lines"
done
