#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# Programs of others build against an installed tacho that was moved: with pkg-config, with CMake.
set -u
prefix=$WORK/moved
log=$WORK/log

fail() {
	[ -s "$log" ] && cat "$log"
	echo "FAIL: $*"
	exit 1
}

DESTDIR="$WORK/in" meson install -C "$BIN" --no-rebuild >"$log" 2>&1 || fail "meson install"
installed=$(dirname "$(dirname "$(find "$WORK/in" -path '*/bin/tacho')")")
rm -rf "$prefix"
mv "$installed" "$prefix"
library=$(dirname "$(find "$prefix" -name libtacho.so)")

# Does the program $1 print what that of the build folder does?
same_output() {
	LD_LIBRARY_PATH=$library "$1" >"$WORK/is" 2>"$log" || fail "$1: exit status $?"
	"$BIN/examples/${1##*/}" >"$WORK/should" 2>&1 || fail "that of the build: exit status $?"
	cmp "$WORK/is" "$WORK/should" >"$log" 2>&1 && [ -s "$WORK/is" ] || fail "$1 prints other things"
}

build_pkg_config() {
	command -v pkg-config >/dev/null 2>&1 || return 0
	words=$(PKG_CONFIG_PATH=$library/pkgconfig pkg-config --define-variable=prefix="$prefix" \
		--cflags --libs tacho 2>"$log") || fail "pkg-config"
	for name in plan_passes own_metric count_simulated launch_values; do
		# shellcheck disable=SC2086 # words
		cc -Wall -Werror -o "$WORK/$name" "$ROOT/examples/$name.c" $words >"$log" 2>&1 ||
			fail "examples/$name.c with pkg-config"
	done
	same_output "$WORK/count_simulated"
	[ "$(PKG_CONFIG_PATH=$library/pkgconfig pkg-config --modversion tacho)" = \
		"$(cat "$ROOT/VERSION")" ] || fail "pkg-config tells another version"
	echo "pkg-config: 4 programs"
}

build_cmake() {
	command -v cmake >/dev/null 2>&1 || {
		echo "cmake is not installed: not tried"
		return 0
	}
	mkdir -p "$WORK/cmake"
	cat >"$WORK/cmake/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.13)
project(consumer C)
find_package(tacho $(cut -d . -f 1,2 "$ROOT/VERSION") REQUIRED)
message(STATUS "tacho \${tacho_VERSION}")
add_executable(own_metric $ROOT/examples/own_metric.c)
target_link_libraries(own_metric tacho::tacho)
EOF
	# without dpkg-dev Meson installs into lib64 on Debian, where its CMake does not look
	place=$(find "$prefix" -path '*/lib64/*' -name tacho-config.cmake)
	place=${place:+-Dtacho_DIR=${place%/*}}
	cmake -G Ninja -S "$WORK/cmake" -B "$WORK/cmake/build" -DCMAKE_PREFIX_PATH="$prefix" \
		${place:+"$place"} \
		>"$log" 2>&1 || fail "find_package(tacho)"
	grep -q "tacho $(cat "$ROOT/VERSION")\$" "$log" || fail "CMake tells another version"
	cmake --build "$WORK/cmake/build" >"$log" 2>&1 || fail "examples/own_metric.c with CMake"
	same_output "$WORK/cmake/build/own_metric"
	sed -i 's/find_package(tacho [0-9.]*/find_package(tacho 99/' "$WORK/cmake/CMakeLists.txt"
	cmake -G Ninja -S "$WORK/cmake" -B "$WORK/cmake/other" -DCMAKE_PREFIX_PATH="$prefix" \
		${place:+"$place"} \
		>"$log" 2>&1 && fail "CMake takes this version for 99"
	echo "CMake: find_package, and a version that does not fit"
}

build_pkg_config
build_cmake
