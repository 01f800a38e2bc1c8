#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# Installed under, and recording into, folders with blanks, colons and other signs.
. "$ROOT/tests/real/lib.sh"
need
rm -rf "$WORK/in"
mkdir "$WORK/in"
DESTDIR="$WORK/in" meson install -C "$BIN" --no-rebuild >install.log 2>&1 || {
	cat install.log
	fail "meson install"
}
installed=$(find "$WORK/in" -name tacho -path '*/bin/*' -type f)
[ -n "$installed" ] || fail "meson install installs no command"
prefix=$(dirname "$(dirname "$installed")")
books=$BIN/tests/real/busy

for folder in 'with blank' 'with:colon' 'with "all: of $them'; do
	rm -rf "$WORK/$folder"
	mkdir "$WORK/$folder"
	cp -R "$prefix" "$WORK/$folder/prefix"
	cd "$WORK/$folder" || exit 1
	"$WORK/$folder/prefix/bin/tacho" record -f -o 'a b' --export codexl -- "$books" books 5 \
		>out 2>err </dev/null
	same "status from '$folder'" 0 $?
	same "launches from '$folder'" 20 "$(launches 'a b')"
	cd "$WORK" || exit 1
done
left=$(ls -d "${XDG_RUNTIME_DIR:-/tmp}"/tacho-*/libtacho-inject.so 2>/dev/null)
[ -z "$left" ] || fail "links were left behind: $left"
