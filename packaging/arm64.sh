#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds tacho for arm64 with Debian's cross compiler, and runs its unit tests under qemu-user.
#
#	packaging/arm64.sh [FOLDER]
#
# FOLDER  where libraries of arm64 and the build go (default: build/arm64)
#
# Needs gcc-aarch64-linux-gnu, qemu-user-static, debootstrap and a mirror, and root for debootstrap.
# Exit status: 0 all went well, 77 it cannot be done here (the reason is said), else failed.
set -eu
ROOT=$(cd "$(dirname "$0")/.." && pwd)
. "$ROOT/packaging/sources.sh"
. "$ROOT/packaging/root.sh"
out=${1:-$ROOT/build/arm64}
triplet=aarch64-linux-gnu
for tool in $triplet-gcc qemu-aarch64-static dpkg-deb; do
	command -v $tool >/dev/null 2>&1 || skip "$tool is not installed"
done
root_check
mkdir -p "$out"
out=$(cd "$out" && pwd)
system=$out/system

# Nothing of arm64 runs in it: packages are unpacked, not installed.
make_system() {
	{ read -r mirror && read -r keys; } <<EOF
$(root_source bookworm)
EOF
	say "debootstrap --foreign bookworm for arm64 from $mirror"
	debootstrap --foreign --arch=arm64 --variant=minbase --keyring="$keys" \
		--include=libc6-dev,libyaml-dev,libexpat1-dev,zlib1g-dev,libcmocka-dev,libcmocka0 \
		bookworm "$system" "$mirror" >"$out/system.log" 2>&1 ||
		skip "debootstrap failed: $(tail -n 1 "$out/system.log")"
	for package in "$system"/var/cache/apt/archives/*.deb; do
		dpkg-deb -x "$package" "$system"
	done
	rm -rf "$system"/var/cache/apt/archives/*.deb
	touch "$system/whole"
}

write_cross_file() {
	cat >"$out/cross.ini" <<EOF
[binaries]
c = ['$triplet-gcc', '--sysroot=$system']
ar = '$triplet-gcc-ar'
strip = '$triplet-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-aarch64-static', '-L', '$system']

[properties]
sys_root = '$system'
pkg_config_libdir = ['$system/usr/lib/$triplet/pkgconfig', '$system/usr/share/pkgconfig']

[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
EOF
}

[ -e "$system/whole" ] || {
	rm -rf "$system"
	make_system
}
write_cross_file
[ -e "$out/build/build.ninja" ] ||
	meson setup "$out/build" "$ROOT" --cross-file "$out/cross.ini" -Ddocs=disabled \
		-Dwerror=true >"$out/setup.log" 2>&1 || {
	tail -n 20 "$out/setup.log"
	exit 1
}
say "the build"
ninja -C "$out/build" >"$out/build.log" 2>&1 || {
	grep -E 'error|FAILED' "$out/build.log" | head -n 20
	say "it does not build; all of it: $out/build.log"
	exit 1
}
file=$out/build/libtacho.so.0
$triplet-readelf -h "$(readlink -f "$file")" | grep -q AArch64 || {
	say "$file is not for arm64"
	exit 1
}
# What fails under qemu-user by its own doing:
#	launches record		it says yes to MADV_WIPEONFORK, and does not wipe (qemu 7.2)
#	stream			its /proc/self/maps is a file with a size, and not the kernel's
known=' launches record stream '
say "the unit tests, under qemu-user"
meson test -C "$out/build" --no-rebuild --suite unit -t 20 --print-errorlogs >"$out/test.log" 2>&1 || true
bad=0
for name in $(sed -n 's/^ *[0-9]*\/[0-9]* .* \/ \([^ ]*\) *\(FAIL\|TIMEOUT\|ERROR\).*/\1/p' "$out/test.log"); do
	case $known in
	*" $name "*) say "$name fails, as is known of qemu" ;;
	*)
		say "$name fails"
		bad=$((bad + 1))
		;;
	esac
done
sed -n '/^Ok: /,$p' "$out/test.log" | grep -E '^(Ok|Fail|Skipped|Timeout)'
grep -q '^Ok: ' "$out/test.log" && [ $bad = 0 ] || {
	say "$bad tests fail that should not; all of it: $out/test.log"
	exit 1
}
