#!/bin/sh
# SPDX-License-Identifier: MIT
# long
# limit: 3600
# The archive that runs where it is unpacked: built in the oldest root, used in those of each Debian
# since, and of Ubuntu where its keys are installed.
set -u
. "$ROOT/packaging/sources.sh"
. "$ROOT/packaging/root.sh"
root_check
packages=$WORK/packages
tried=0

sh "$ROOT/packaging/archive.sh" "$packages" || exit
archive=$(ls "$packages"/tacho-*-linux-*.tar.gz)
for suite in bullseye bookworm trixie sid jammy noble; do
	machine=$WORK/$suite
	# what interprets where the driver is older than the CPU
	interpreter=
	[ $suite = bullseye ] && interpreter=oclgrind
	root_make $suite "$machine" ocl-icd-libopencl1 pocl-opencl-icd python3 $interpreter || {
		say "not tried in $suite: $(tail -n 1 "$machine.log")"
		continue
	}
	# no place that it was built for
	mkdir -p "$machine/srv/some where" "$machine/tmp/new"
	gzip -dc "$archive" | tar -C "$machine/srv/some where" -xf -
	cp "$packages/busy" "$packages/busy-linked" "$ROOT/packaging/try.sh" \
		"$ROOT/tests/data/codexl/mixed.atp" "$machine/tmp/new"
	place=$(cd "$machine" && ls -d srv/*/tacho-*)
	root_run "$machine" sh /tmp/new/try.sh "/$place/bin/tacho" /tmp/new/busy \
		"/$place/lib/python" >"$WORK/$suite.log" 2>&1 || {
		cat "$WORK/$suite.log"
		echo "FAIL: it does not work in $suite"
		exit 1
	}
	[ $suite = bullseye ] || tail -n 1 "$WORK/$suite.log" | grep -qx 'all of it works' || {
		cat "$WORK/$suite.log"
		echo "FAIL: not all of it works in $suite"
		exit 1
	}
	say "$suite, $(root_run "$machine" ldd --version 2>/dev/null | sed -n 1p):" \
		"$(tail -n 1 "$WORK/$suite.log")"
	tried=$((tried + 1))
	rm -rf "$machine"
done
[ $tried -ge 3 ] || {
	echo "FAIL: it was tried in $tried machines only"
	exit 1
}
