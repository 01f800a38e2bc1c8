#!/bin/sh
# SPDX-License-Identifier: MIT
# long
# limit: 3600
# Debian packages: built, looked at by lintian, installed on a bare machine, used, purged.
set -u
. "$ROOT/packaging/sources.sh"
. "$ROOT/packaging/root.sh"
root_check
packages=$WORK/packages
machine=$WORK/machine

DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" sh "$ROOT/packaging/deb.sh" "$packages" || exit
mkdir -p "$machine"
root_make bookworm "$machine" ocl-icd-libopencl1 pocl-opencl-icd python3 ||
	skip "no bookworm: $(tail -n 1 "$machine.log")"

# Files of the machine, but for those that programs and dpkg itself write as they go.
list_files() {
	(cd "$machine" && find . \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./tmp \
		-o -path ./var/cache -o -path ./var/log -o -path ./var/lib/dpkg -o -path ./root \) \
		-prune -o -print | grep -v __pycache__ | sort)
}

list_files >"$WORK/before"
mkdir "$machine/tmp/new"
cp $(ls "$packages"/*.deb | grep -v -- -dbgsym_) "$BIN/tests/real/busy" "$ROOT/packaging/try.sh" \
	"$ROOT/tests/data/codexl/mixed.atp" "$machine/tmp/new"
root_run "$machine" sh -c 'dpkg -i /tmp/new/*.deb' >"$WORK/install.log" 2>&1 || {
	cat "$WORK/install.log"
	echo "FAIL: the packages cannot be installed"
	exit 1
}
# Neither compressed nor renamed: pages link to each other, and messages name them.
pages=$machine/usr/share/doc/tacho
sh "$ROOT/tests/dead_links.sh" "$pages"/*.md "$pages"/docs/*.md >"$WORK/dead"
grep -o '(srcset\|src)="[^"]*"' "$pages/README.md" | sed 's/.*="\(.*\)"/\1/' | while read -r picture; do
	[ -e "$pages/$picture" ] || echo "README.md: $picture"
done >>"$WORK/dead"
[ -s "$WORK/dead" ] && {
	cat "$WORK/dead"
	echo "FAIL: links of installed pages lead nowhere"
	exit 1
}
root_run "$machine" sh /tmp/new/try.sh tacho /tmp/new/busy "" >"$WORK/try.log" 2>&1 &&
	grep -qx 'all of it works' "$WORK/try.log" || {
	cat "$WORK/try.log"
	exit 1
}
root_run "$machine" sh -c 'ldconfig -p | grep -E "GPUPerf|nvperf|rocprofiler|libtacho-"' && {
	echo "FAIL: the linker finds what is in private folders"
	exit 1
}
root_run "$machine" tacho env gpa | grep -q tacho-compat || {
	echo "FAIL: tacho env gpa does not name the folder of tacho-compat"
	exit 1
}
root_run "$machine" dpkg --purge tacho tacho-compat libtacho-dev python3-tacho libtacho0 \
	>"$WORK/purge.log" 2>&1 || {
	cat "$WORK/purge.log"
	echo "FAIL: the packages cannot be purged"
	exit 1
}
list_files >"$WORK/after"
if ! cmp -s "$WORK/before" "$WORK/after"; then
	echo "FAIL: files stay, or are gone, when all is purged:"
	diff "$WORK/before" "$WORK/after"
	exit 1
fi
say "installed, used and purged"

# Once more, with the tools of who develops with it: they would hide what packages lack.
root_run "$machine" sh -euc 'apt-get update
	apt-get install -y --no-install-recommends gcc libc6-dev make pkg-config cmake man-db \
		bash-completion zsh fish
	dpkg -i /tmp/new/*.deb' >"$WORK/tools.log" 2>&1 || {
	tail -n 20 "$WORK/tools.log"
	skip "the tools of who develops with it cannot be installed here"
}
cp "$ROOT/packaging/try_tools.sh" "$machine/tmp/new"
root_run "$machine" sh /tmp/new/try_tools.sh >"$WORK/try_tools.log" 2>&1
status=$?
cat "$WORK/try_tools.log"
[ $status = 0 ] && tail -n 1 "$WORK/try_tools.log" | grep -qx 'all tools find it' || {
	echo "FAIL: not all tools find what is installed"
	exit 1
}
