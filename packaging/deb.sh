#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds Debian packages of the files as they are here, and looks at them with lintian.
#
#	packaging/deb.sh [FOLDER]
#
# FOLDER  where the packages go (default: build/packages)
#
# Needs what packaging/debian/control names, dpkg-dev and lintian. The version is VERSION's, with a
# revision that is lower than any of a distribution's. The unit tests run where DEB_BUILD_OPTIONS has
# no "nocheck". Exit status: 0 all went well, 77 something is not installed, else failed.
set -eu
ROOT=$(cd "$(dirname "$0")/.." && pwd)
. "$ROOT/packaging/sources.sh"
out=${1:-$ROOT/build/packages}
mkdir -p "$out"
out=$(cd "$out" && pwd)

for tool in dpkg-buildpackage lintian dh; do
	command -v $tool >/dev/null 2>&1 || skip "$tool is not installed"
done
version=$(cat "$ROOT/VERSION")
work=$out/work # always the same name, which is in what the compiler is told
rm -rf "$work"
mkdir "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
tree=$work/tacho-$version
put_sources "$tree"
cp -R "$ROOT/packaging/debian" "$tree/debian"
cat >"$tree/debian/changelog" <<EOF
tacho ($version-0tacho1) unstable; urgency=medium

  * The sources as they were when this package was built.

 -- The tacho authors <tacho@tacho.invalid>  $(date -R -d "@$(sources_time)")
EOF

missing=$(cd "$tree" && dpkg-checkbuilddeps 2>&1) || skip "${missing#dpkg-checkbuilddeps: error: }"
say "dpkg-buildpackage, version $version-0tacho1"
(cd "$tree" && dpkg-buildpackage -us -uc -b) >"$out/build.log" 2>&1 || {
	tail -n 30 "$out/build.log"
	say "dpkg-buildpackage failed; all of it: $out/build.log"
	exit 1
}
rm -f "$out"/*.deb "$out"/*.changes "$out"/*.buildinfo
mv "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo "$out"
# Tags that are overridden have their reasons in the packages' files.
lintian --fail-on error,warning --allow-root --tag-display-limit 0 "$out"/*.changes \
	>"$out/lintian.log" 2>&1 || {
	cat "$out/lintian.log"
	say "lintian found the above"
	exit 1
}
say "packages in $out:"
(cd "$out" && ls -s --block-size=k -- *.deb)
