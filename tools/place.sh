# SPDX-License-Identifier: MIT
# Where ./demo and ./check build and keep files, and building itself. Sourced; needs ROOT, the
# folder of the sources.
#
# BUILD=FOLDER   build there; else build/ beside the sources, or a private folder when that one
#                cannot be written or programs in it cannot be started

place_say() {
	printf '%s\n' "$*" >&2
}

# Can files be made in folder $1 (which is made), and programs in it be started?
place_usable() {
	mkdir -p "$1" 2>/dev/null || return 1
	place_probe=$1/.probe.$$
	{ printf '#!/bin/sh\nexit 0\n' >"$place_probe" && chmod 700 "$place_probe"; } 2>/dev/null || {
		rm -f "$place_probe"
		return 1
	}
	"$place_probe" 2>/dev/null
	place_status=$?
	rm -f "$place_probe"
	return $place_status
}

# A folder of ours alone under $1; fails when it cannot be made or belongs to somebody else.
place_private() {
	[ -d "$1" ] || mkdir -m 700 -p "$1" 2>/dev/null || return 1
	place_mine=$1/tacho-$(id -u)
	[ -e "$place_mine" ] || mkdir -m 700 "$place_mine" 2>/dev/null || return 1
	[ ! -h "$place_mine" ] && [ -O "$place_mine" ] && place_usable "$place_mine"
}

# Sets BUILD to an absolute path of a usable folder.
place_build() {
	if [ -n "${BUILD:-}" ]; then
		place_usable "$BUILD" || {
			place_say "tacho: BUILD=$BUILD cannot be used"
			place_say "  cause: files cannot be made in it, or programs in it cannot be started"
			return 1
		}
		BUILD=$(cd "$BUILD" && pwd)
		return 0
	fi
	BUILD=$ROOT/build
	place_usable "$BUILD" && return 0
	for place_base in "${XDG_CACHE_HOME:-}" "${HOME:+$HOME/.cache}" "${TMPDIR:-/tmp}" /var/tmp; do
		[ -n "$place_base" ] && place_private "$place_base" || continue
		BUILD=$place_mine/$(printf '%s' "$ROOT" | cksum | cut -d ' ' -f 1)
		place_usable "$BUILD" || continue
		place_say "tacho: $ROOT/build cannot be written or programs in it cannot be started:" \
			"building in $BUILD"
		return 0
	done
	place_say "tacho: no folder to build in: set BUILD=FOLDER to one that can be written, not noexec"
	return 1
}

# The CPU driver PoCL compiles kernels into a cache below HOME and dies without one.
place_cache() {
	[ -n "${POCL_CACHE_DIR:-}" ] && return 0
	place_home=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
	if [ "${1:-}" != private ]; then
		[ -n "$place_home" ] && place_usable "$place_home/pocl/kcache" && return 0
		place_say "tacho: HOME (${HOME:-not set}) has no usable cache folder:" \
			"POCL_CACHE_DIR=$BUILD/pocl-cache"
	fi
	POCL_CACHE_DIR=$BUILD/pocl-cache
	export POCL_CACHE_DIR
	mkdir -p "$POCL_CACHE_DIR"
}

# Number of CPUs that this process may use.
place_cpus() {
	nproc 2>/dev/null || echo 1
}

# place_log FOLDER STATUS: the end of FOLDER.log where STATUS is not 0; returns it.
place_log() {
	[ "$2" = 0 ] && return 0
	place_say "tacho: building in $1 failed; the end of $1.log:"
	tail -n 25 "$1.log" | sed 's/^/  /' >&2
	return "$2"
}

# place_setup FOLDER MESON_OPTIONS...: sets up; again, when an interrupted run left half a folder, or one
# of older sources does not know an option. The log is FOLDER.log.
place_setup() {
	place_folder=$1
	shift
	if [ -f "$place_folder/build.ninja" ] &&
		meson configure "$place_folder" "$@" >"$place_folder.log" 2>&1; then
		return
	fi
	rm -rf "$place_folder/meson-private" "$place_folder/meson-info" "$place_folder/meson-logs"
	meson setup "$place_folder" "$ROOT" "$@" >"$place_folder.log" 2>&1
	place_log "$place_folder" $?
}

# place_make FOLDER MESON_OPTIONS...: sets up, and builds.
place_make() {
	place_setup "$@" || return 1
	ninja -C "$1" -j "$(place_cpus)" >>"$1.log" 2>&1
	place_log "$1" $?
}
