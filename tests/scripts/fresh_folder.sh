#!/bin/sh
# SPDX-License-Identifier: MIT
# tools/fresh-check.sh makes no machine in a folder that is somebody's, and leaves files beside alone.
set -u

fail() {
	echo "FAIL: $*"
	exit 1
}

rm -rf "$WORK/theirs"
mkdir -p "$WORK/theirs/etc" "$WORK/bin"
cd "$WORK" || exit 1
echo 12 >theirs/etc/debian_version
for file in log doctor tally; do
	echo mine >"theirs.$file"
done
sh "$ROOT/tools/fresh-check.sh" "$WORK/theirs" >out 2>&1
got=$?
[ $got = 1 ] || fail "status $got for a folder that is not its own: $(cat out)"
grep -q "theirs is not empty and no machine of this script" out || fail "it does not say why"
sh "$ROOT/tools/fresh-check.sh" "$WORK/theirs.log" >out 2>&1
[ $? = 1 ] || fail "a file was taken for a folder"

# In a folder of its own it goes on, until something that it needs is missing, and takes away only what
# it made.
printf '#!/bin/sh\nexit 1\n' >bin/debootstrap
chmod +x bin/debootstrap
rm -rf new theirs.d
mkdir new
echo mine >new.log
PATH=$WORK/bin:$PATH TACHO_ROOTS=$WORK/roots TMPDIR=$WORK sh "$ROOT/tools/fresh-check.sh" "$WORK/new" \
	>out 2>&1
for file in theirs.log theirs.doctor theirs.tally new.log; do
	[ "$(cat "$file")" = mine ] || fail "$file is not as it was"
done
ls -d tacho-fresh.* 2>/dev/null && fail "it left a folder"
exit 0
