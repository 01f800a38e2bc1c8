#!/bin/sh
# SPDX-License-Identifier: MIT
# long
# limit: 1800
# The build with the lowest Meson that meson.build accepts: MESON_OLDEST=FILE is its meson.py, else it
# is fetched by pip.
set -u
cd "$WORK" || exit 1

skip() {
	echo "SKIP: $*"
	exit 77
}

fail() {
	echo "FAIL: $*"
	exit 1
}

lowest=$(sed -n "s/.*meson_version: '>=\([0-9.]*\)'.*/\1/p" "$ROOT/meson.build")
[ -n "$lowest" ] || fail "meson.build names no lowest Meson"
meson=${MESON_OLDEST:-}
if [ -z "$meson" ]; then
	[ "${TACHO_OFFLINE:-0}" = 0 ] || skip "TACHO_OFFLINE=1: Meson $lowest is not fetched"
	python3 -m pip install -q --no-deps --target pip "meson==$lowest.0" >pip.log 2>&1 ||
		skip "pip brings no Meson $lowest.0: $(tail -n 1 pip.log)"
	meson=pip/bin/meson
	PYTHONPATH=$WORK/pip
	export PYTHONPATH
fi
version=$(python3 "$meson" --version) || fail "$meson does not run"
case $version in
"$lowest" | "$lowest".*) ;;
*) fail "$meson is $version, and $lowest is the lowest" ;;
esac
# A newer one, as built the rest, tells what it took that this one does not have.
grep 'Project targets' "$BIN/meson-logs/meson-log.txt" && fail "something of a newer Meson is used"
rm -rf build
python3 "$meson" setup build "$ROOT" -Dwerror=true >setup.log 2>&1 || {
	tail -n 20 setup.log
	fail "Meson $version does not take it"
}
ninja -C build cli/tacho tests/unit/base_test >build.log 2>&1 || {
	tail -n 20 build.log
	fail "it does not build"
}
python3 "$meson" test -C build --no-rebuild base >test.log 2>&1 || {
	tail -n 20 test.log
	fail "a test fails"
}
build/cli/tacho --version || fail "the command does not run"
echo "Meson $version builds it"
