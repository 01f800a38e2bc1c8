#!/bin/sh
# SPDX-License-Identifier: MIT
# tools/place.sh: where things are built and cached when folders cannot be used.
set -u

fail() {
	echo "FAIL: $*"
	exit 1
}

# The folder chosen for the sources $1 with VAR=VALUE...
choose() {
	choose_root=$1
	shift
	env -i PATH="$PATH" ROOT="$choose_root" "$@" sh -c \
		". '$ROOT/tools/place.sh'; place_build && echo \"\$BUILD\"" 2>"$WORK/said"
}

rm -rf "$WORK/a" "$WORK/cache" "$WORK/tmp"
mkdir -p "$WORK/a b:c" "$WORK/cache" "$WORK/tmp"
cd "$WORK" || exit 1

[ "$(choose "$WORK/a b:c")" = "$WORK/a b:c/build" ] || fail "the default is build/ beside the sources"
[ "$(choose "$WORK/a b:c" BUILD=x/y)" = "$WORK/x/y" ] || fail "BUILD is not obeyed"
choose "$WORK/a b:c" BUILD=/dev/null/x >/dev/null && fail "a BUILD that cannot be was accepted"
grep -q 'BUILD=/dev/null/x cannot be used' said || fail "it does not name BUILD"

# Sources under a file: nobody, not even root, can make a folder there.
: >"$WORK/file"
got=$(choose "$WORK/file" XDG_CACHE_HOME="$WORK/cache" TMPDIR="$WORK/tmp")
case $got in
"$WORK/cache/tacho-"*) ;;
*) fail "read-only sources: '$got' is not below XDG_CACHE_HOME" ;;
esac
grep -q 'building in' said || fail "it does not say where it builds"
[ "$(ls -ld "$WORK"/cache/tacho-* | cut -c 1-10)" = drwx------ ] || fail "the folder is not private"

# A folder in a shared place that somebody else prepared as a link is not used.
rm -rf "$WORK/cache"
mkdir "$WORK/cache" "$WORK/theirs"
ln -s "$WORK/theirs" "$WORK/cache/tacho-$(id -u)"
got=$(choose "$WORK/file" XDG_CACHE_HOME="$WORK/cache" TMPDIR="$WORK/tmp")
case $got in
"$WORK/tmp/tacho-"*) ;;
*) fail "a link was followed: '$got'" ;;
esac
rm -rf "$WORK/theirs"

# The kernel cache.
cache() {
	env -i PATH="$PATH" ROOT="$ROOT" BUILD="$WORK/x" "$@" sh -c \
		". '$ROOT/tools/place.sh'; place_cache; echo \"\${POCL_CACHE_DIR:-}\"" 2>"$WORK/said"
}
[ "$(cache HOME="$WORK")" = "" ] || fail "a usable HOME needs no other cache"
[ "$(cache)" = "$WORK/x/pocl-cache" ] || fail "no HOME: no private cache"
grep -q 'HOME (not set)' said || fail "it does not say that HOME is not set"
[ "$(cache HOME=/dev/null)" = "$WORK/x/pocl-cache" ] || fail "unusable HOME: no private cache"
[ "$(cache POCL_CACHE_DIR=/q)" = /q ] || fail "a POCL_CACHE_DIR of the user is replaced"

# A folder that older sources were set up in does not know a new option.
set_up() {
	ROOT="$WORK/sources" sh -c '. "$0/tools/place.sh"; place_setup "$@"' "$ROOT" "$WORK/made" "$@"
}
mkdir -p "$WORK/sources"
echo "project('x')" >"$WORK/sources/meson.build"
set_up >said 2>&1 || fail "a project is not set up: $(cat said)"
set_up -Dunit=plain >said 2>&1 && fail "an option that is not there was accepted"
echo "option('unit', type: 'combo', choices: ['all', 'plain'])" >"$WORK/sources/meson_options.txt"
set_up -Dunit=plain >said 2>&1 || fail "a new option is not known: $(cat said)"
set_up -Dunit=all >said 2>&1 || fail "the option is not changed: $(cat said)"

# Mounts that bar programs, where we may mount.
if unshare --mount true 2>/dev/null; then
	mkdir -p "$WORK/noexec"
	export WORK ROOT
	unshare --mount sh -c '
		mount -t tmpfs -o noexec none "$WORK/noexec" || exit 0
		got=$(env -i PATH="$PATH" ROOT="$WORK/noexec" TMPDIR="$WORK/tmp" sh -c \
			". $ROOT/tools/place.sh; place_build && echo \$BUILD" 2>/dev/null)
		case $got in "$WORK/tmp/tacho-"*) exit 0 ;; esac
		echo "noexec sources: built in $got"
		exit 1' || fail "a noexec folder is not noticed"
else
	echo "note: no mounts here: noexec was not tried"
fi
echo "all places behaved"
