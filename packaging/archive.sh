#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds an archive that runs from wherever it is unpacked, on any distribution with glibc 2.31 or
# newer: it is built in the oldest Debian that the registry has.
#
#	packaging/archive.sh [FOLDER]
#
# FOLDER  where the archive goes (default: build/packages)
#
# Needs root, debootstrap and a mirror. Exit status: 0 all went well, 77 it cannot be done here (the
# reason is said), else failed.
set -eu
ROOT=$(cd "$(dirname "$0")/.." && pwd)
. "$ROOT/packaging/sources.sh"
. "$ROOT/packaging/root.sh"
. "$ROOT/packaging/needs.sh"
GLIBC=2.31
SUITE=bullseye
MESON_SUITE=bookworm # $SUITE's is older than meson.build wants
out=${1:-$ROOT/build/packages}
root_check
mkdir -p "$out"
out=$(cd "$out" && pwd)
machine=$(mktemp -d "$out/machine.XXXXXX")
trap 'rm -rf "$machine" "$machine.log"' EXIT
trap 'exit 130' INT TERM
name=tacho-$(cat "$ROOT/VERSION")-linux-$(uname -m)

# step WHAT SCRIPT: a script in the machine, which stands on standard input.
step() {
	say "$1"
	cat >"$machine/step.sh"
	root_run "$machine" sh -eu /step.sh >"$machine.log" 2>&1 || {
		tail -n 30 "$machine.log"
		say "failed: $1"
		exit 1
	}
}

chmod 755 "$machine"
root_make $SUITE "$machine" gcc libc6-dev ninja-build pkg-config libyaml-dev libexpat1-dev zlib1g-dev \
	python3-setuptools scdoc dpkg-dev ocl-icd-libopencl1 || skip "no $SUITE: $(tail -n 1 "$machine.log")"
mirror=$(root_source $SUITE | head -n 1)
cat >"$machine/etc/apt/sources.list" <<EOF
deb $mirror $SUITE main
deb-src $mirror $SUITE main
deb $mirror-security $SUITE-security main
deb-src $mirror-security $SUITE-security main
deb $mirror $MESON_SUITE main
EOF
cat >"$machine/etc/apt/preferences.d/meson" <<EOF
Package: *
Pin: release n=$MESON_SUITE
Pin-Priority: -1

Package: meson
Pin: release n=$MESON_SUITE
Pin-Priority: 900
EOF
step "Meson of $MESON_SUITE, fixes of security" <<'EOF'
apt-get update
apt-get upgrade -y
apt-get install -y --no-install-recommends meson
EOF
# Debian's libexpat.a is for programs only.
step "a libexpat for shared libraries" <<'EOF'
cd /tmp
apt-get source expat
cd expat-*/expat/lib
cat >expat_config.h <<'END'
#define BYTEORDER 1234
#define HAVE_GETRANDOM 1
#define HAVE_MEMMOVE 1
#define XML_CONTEXT_BYTES 1024
#define XML_DTD 1
#define XML_NS 1
END
for part in xmlparse xmlrole xmltok; do
	cc -O2 -fPIC -fvisibility=hidden -DHAVE_EXPAT_CONFIG_H -I. -c $part.c
done
ar rcs /usr/lib/"$(dpkg-architecture -qDEB_HOST_MULTIARCH)"/libexpat.a xmlparse.o xmlrole.o xmltok.o
EOF
put_sources "$machine/src"
step "the build" <<EOF
cd /src
meson setup /build --prefix=/opt/tacho --libdir=lib --buildtype=release -Dstrip=true \
	-Dtests=disabled -Ddocs=enabled -Dpython=enabled -Dpython.purelibdir=lib/python \
	-Dpkgconfig.relocatable=true
ninja -C /build
DESTDIR=/made meson install -C /build --no-rebuild
mkdir /made/opt/tacho/share/doc/tacho/licences
for library in libyaml-dev libexpat1-dev zlib1g-dev; do
	cp /usr/share/doc/\$library/copyright /made/opt/tacho/share/doc/tacho/licences/\${library%-dev}
done
cp /src/LICENSE /src/README.md /made/opt/tacho
# a program to try it with, on machines that are as old, and one that has the loader linked
cc -O1 -o /made/busy /src/tests/real/busy.c -lpthread -ldl
cc -O1 -DLINKED -o /made/busy-linked /src/tests/real/busy.c -lpthread -ldl \
	-Wl,--no-as-needed -l:libOpenCL.so.1
EOF
cp "$machine/made/busy" "$machine/made/busy-linked" "$out"
mv "$machine/made/opt/tacho" "$machine/$name"
needs_check "$machine/$name" $GLIBC
tar -C "$machine" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(sources_time)" \
	-cf - "$name" | gzip -9n >"$out/$name.tar.gz"
say "$out/$name.tar.gz, $(wc -c <"$out/$name.tar.gz") bytes"
