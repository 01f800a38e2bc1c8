#!/bin/sh
# SPDX-License-Identifier: MIT
# What README.md shows of `tacho --help` is what the command prints, and its links lead somewhere.
set -u
cd "$ROOT" || exit 1

sed -n '/^    \$ tacho --help$/,/^[^ ]/p' README.md | sed -e 1d -e '/^[^ ]/d' -e 's/^    //' |
	sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' >"$WORK/shown"
"$TACHO" --help >"$WORK/printed" || exit 1
[ -s "$WORK/shown" ] || {
	echo 'FAIL: README.md does not show $ tacho --help'
	exit 1
}
diff "$WORK/shown" "$WORK/printed" || {
	echo "FAIL: README.md shows another --help than the command prints"
	exit 1
}

for page in README.md CONTRIBUTING.md docs/*.md; do
	for link in $(grep -o '](\([^)]*\))' "$page" | sed -e 's/^](//' -e 's/)$//' -e 's/#.*//'); do
		case $link in http*) continue ;; esac
		[ -e "$(dirname "$page")/$link" ] || {
			echo "FAIL: $page: the link $link leads nowhere"
			exit 1
		}
	done
done
