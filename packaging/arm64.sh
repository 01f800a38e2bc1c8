#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds tacho for arm64 with Debian's cross compiler, runs its unit tests under qemu-user, and records
# an OpenCL program there.
#
#	packaging/arm64.sh [FOLDER [TEST...]]
#
# FOLDER  where a system of arm64 and the build go (default: build/arm64)
# TEST    only these unit tests, instead of the suite "unit"
# QEMU    the environment's: which qemu-aarch64, linked statically (default: qemu-aarch64-static)
#
# All runs in a system of arm64: since Linux 6.7 a user namespace can say by itself what starts programs of
# another machine, and this machine's kernel learns nothing. An older kernel must have been told before, as
# Debian's packages qemu-user-static and binfmt-support do.
#
# Needs gcc-aarch64-linux-gnu, qemu-user-static, debootstrap and a mirror, and root for debootstrap.
# Exit status: 0 all went well, 77 it cannot be done here (the reason is said), else failed.
set -eu
ROOT=$(cd "$(dirname "$0")/.." && pwd)
. "$ROOT/packaging/sources.sh"
. "$ROOT/packaging/root.sh"
out=${1:-$ROOT/build/arm64}
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- --suite unit
triplet=aarch64-linux-gnu
qemu=${QEMU:-qemu-aarch64-static}
for tool in $triplet-gcc "$qemu" dpkg-deb; do
	command -v "$tool" >/dev/null 2>&1 || skip "$tool is not installed"
done
qemu=$(command -v "$qemu")
root_check
mkdir -p "$out"
out=$(cd "$out" && pwd)
system=$out/system

# Packages are unpacked, not installed: what their scripts would have done is at the end.
make_system() {
	{ read -r mirror && read -r keys; } <<END
$(root_source bookworm)
END
	say "debootstrap --foreign bookworm for arm64 from $mirror"
	debootstrap --foreign --arch=arm64 --variant=minbase --keyring="$keys" \
		--include="libc6-dev,libyaml-dev,libexpat1-dev,zlib1g-dev,libcmocka-dev,libcmocka0,\
gcc,binutils,python3,libsqlite3-0,ocl-icd-libopencl1,pocl-opencl-icd" \
		bookworm "$system" "$mirror" >"$out/system.log" 2>&1 ||
		skip "debootstrap failed: $(tail -n 1 "$out/system.log")"
	for package in "$system"/var/cache/apt/archives/*.deb; do
		dpkg-deb -x "$package" "$system"
	done
	rm -rf "$system"/var/cache/apt/archives/*.deb
	ln -s mawk "$system/usr/bin/awk"
	ln -s gcc "$system/usr/bin/cc"
	mkdir -p "$system/usr/local/bin"
	printf '#!/bin/sh\nexec "$@"\n' >"$system/usr/local/bin/ccache"
	chmod 755 "$system/usr/local/bin/ccache"
	echo root:x:0:0:root:/root:/bin/sh >"$system/etc/passwd"
	echo root:x:0: >"$system/etc/group"
	touch "$system/whole"
}

# The build's compiler has the system in its folder, also when it runs in the system.
write_cross_file() {
	cat >"$out/start" <<END
#!/bin/sh
[ -e /whole ] && exec "\$@"
exec '$qemu' -L '$system' "\$@"
END
	chmod 755 "$out/start"
	cat >"$out/cross.ini" <<END
[binaries]
c = [$(command -v ccache >/dev/null 2>&1 && echo "'ccache', ")'$triplet-gcc', '--sysroot=$system']
ar = '$triplet-gcc-ar'
strip = '$triplet-strip'
pkgconfig = 'pkg-config'
python3 = '/usr/bin/python3'
exe_wrapper = '$out/start'

[properties]
sys_root = '$system'
pkg_config_libdir = ['$system/usr/lib/$triplet/pkgconfig', '$system/usr/share/pkgconfig']

[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END
}

build() {
	write_cross_file
	[ -e "$out/build/build.ninja" ] ||
		meson setup "$out/build" "$ROOT" --cross-file "$out/cross.ini" -Ddocs=disabled \
			-Dwerror=true -Dlibdir=lib -Dpython=enabled -Dpython.purelibdir=lib/python \
			>"$out/setup.log" 2>&1 || {
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
}

# What a program of arm64 begins with, for the kernel.
elf='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
# The inner shell of in_system.
# shellcheck disable=SC2016 # its own words
inner='
	system=$1 binfmt=$2 line=$3
	shift 3
	mount -t binfmt_misc binfmt_misc "$binfmt" && printf "%s" "$line" >"$binfmt/register" || true
	mount -t proc proc "$system/proc"
	for folder in /sys /dev "$OUT" "$TREE" "$(readlink -f "$TREE/shared")"; do
		[ -d "$folder" ] || continue
		mkdir -p "$system$folder"
		mount --rbind "$folder" "$system$folder"
	done
	exec env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
		PYTHONPATH="$PYTHONPATH" chroot "$system" "$@"'

# in_system COMMAND...: in namespaces of its own, as root of the system. The kernel takes a table of
# users for a namespace only from outside of it.
in_system() {
	rm -f "$out/go"
	mkfifo "$out/go"
	mkdir -p "$out/binfmt"
	exec 3<>"$out/go"
	OUT=$out TREE=$(dirname "$ROOT") PYTHONPATH=$out/meson unshare --user sh -c \
		'read -r go <&3 && exec 3<&- && exec unshare --mount --pid --fork --kill-child \
			--propagation private sh -euc "$@"' sh "$inner" sh "$system" "$out/binfmt" \
		":tacho-arm64:M::$elf:$mask:$qemu:PF" "$@" &
	inside=$!
	while kill -0 $inside && [ "$(readlink /proc/$inside/ns/user)" = "$own_users" ]; do
		sleep 0.1
	done 2>/dev/null
	{
		echo 0 0 65536 >"/proc/$inside/uid_map"
		echo 0 0 65536 >"/proc/$inside/gid_map"
		echo go >&3
	} 2>/dev/null || kill $inside 2>/dev/null
	exec 3>&-
	wait $inside
}
own_users=$(readlink /proc/self/ns/user)

# The Meson that has set up the build is the one that reads what it left.
put_meson() {
	rm -rf "$out/meson"
	mkdir -p "$out/meson"
	python=$(sed -n '1s/^#! *//p' "$(command -v meson)")
	cp -R "$($python -c 'import mesonbuild; print(mesonbuild.__path__[0])')" "$out/meson"
}

[ -e "$system/whole" ] || {
	rm -rf "$system"
	make_system
}
build
put_meson
in_system true 2>"$out/namespace.log" ||
	skip "it builds; the kernel starts no program of arm64: $(tail -n 1 "$out/namespace.log")"

say "the unit tests, under $("$qemu" --version | head -n 1)"
status=0
in_system python3 -m mesonbuild.mesonmain test -C "$out/build" --no-rebuild -t 20 --print-errorlogs \
	"$@" >"$out/test.log" 2>&1 || status=$?
sed -n 's/^ *[0-9]*\/[0-9]* [^/]* \/ \(.*[^ ]\)  *\(FAIL\|TIMEOUT\|ERROR\) .*/\1 fails/p' "$out/test.log" | sort -u
sed -n '/^Ok: /,$p' "$out/test.log" | grep -E '^(Ok|Fail|Skipped|Timeout)' || true
say "parts that skip here: $(sed -n 's/^\[  SKIPPED \] \([a-z_0-9]*\)$/\1/p' \
	"$out/build/meson-logs/testlog.txt" | sort -u | tr '\n' ' ')"
[ $status = 0 ] && grep -q '^Ok: ' "$out/test.log" || {
	say "the tests do not pass; all of it: $out/test.log"
	exit 1
}

say "a recording"
DESTDIR=$system meson install -C "$out/build" --no-rebuild >"$out/install.log" 2>&1
mkdir -p "$system/tmp/new"
cp "$out/build/tests/real/busy" "$ROOT/packaging/try.sh" "$ROOT/tests/data/codexl/mixed.atp" \
	"$system/tmp/new"
in_system sh /tmp/new/try.sh /usr/local/bin/tacho /tmp/new/busy /usr/local/lib/python \
	>"$out/try.log" 2>&1 || {
	cat "$out/try.log"
	exit 1
}
say "$(tail -n 1 "$out/try.log")"
