#!/bin/sh
# SPDX-License-Identifier: MIT
# alone
# limit: 90
# Alone, because what is removed is told by the log of the last installation from this build.
# What is installed can be read and found from the command, and goes away again as a whole.
set -u
cd "$WORK" || exit 1

fail() {
	echo "FAIL: $*"
	exit 1
}

rm -rf root
DESTDIR="$WORK/root" meson install -C "$BIN" --no-rebuild >install.log 2>&1 || {
	tail -n 5 install.log
	fail "meson install"
}
command=$(find root -path '*/bin/tacho')
[ -x "$command" ] || fail "no command is installed"
pages=$(dirname "$(find root -path '*/doc/tacho/docs/README.md')") || fail "no pages are installed"
"$command" help >help.out || fail "tacho help"
grep -qF "$(cd "$pages" && pwd)" help.out || {
	cat help.out
	fail "tacho help does not say where the pages are"
}
for page in "$ROOT"/docs/*.md; do
	[ -e "$pages/$(basename "$page")" ] || fail "$page is not installed"
done
[ -e "$pages/meson.build" ] && fail "meson.build is installed as a page"

# Links between pages, and from README.md, lead to what is installed as well.
sh "$ROOT/tests/dead_links.sh" "$pages"/*.md "$pages"/../*.md >dead
[ -s dead ] && {
	cat dead
	fail "links of installed pages lead nowhere"
}

# A message that names a page says where it is.
printf 'sim-kernels: 1\nkernels: 3\n' >kernels.yaml
"$command" record --sim mi300x -m SQ_WAVES --kernels kernels.yaml -- true 2>err && fail "it is accepted"
tr -s ' \n' ' ' <err | grep -qF "$(cd "$pages" && pwd)/replay.md" || {
	cat err
	fail "the cure does not say where replay.md is"
}

# So do man pages, with the prefix that was configured; they are made only where scdoc is.
page=$(find root -name tacho-plan.1)
if [ -n "$page" ]; then
	named=$(tr -s ' \n' ' ' <"$page" | sed -n 's|.*stands for a page in \([^ ]*/docs\)[.].*|\1|p')
	[ -n "$named" ] && [ -d "root$named" ] || fail "tacho-plan(1) names the folder \"$named\""
fi

ninja -C "$BIN" uninstall >uninstall.log 2>&1 || {
	tail -n 5 uninstall.log
	fail "ninja uninstall"
}
# Newer Mesons compile the module when it is installed, and forget what they made.
left=$(find root -name __pycache__ -prune -o \( -type f -o -type l \) -print 2>/dev/null | head -n 3)
[ -z "$left" ] || fail "left behind: $left"
