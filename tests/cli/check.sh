# SPDX-License-Identifier: MIT
# tacho check and tacho snapshot on recordings of programs that use no GPU API: what is whole, what
# is damaged, what stays where it is. Calls: tests/real/check.sh, tests/real/snapshot.sh.

run 0 tacho record -q -o one true
run 0 tacho check one
same err
has out 'recording    one.tacho'
has out 'It is whole.'
run 0 tacho check one --json
has out '"schema": "tacho.check/1"'
has out '"whole": true'
has out '"faults": ['

# damaged NAME TEXT: it is said, and the status says so too.
damaged() {
	run 1 tacho check $1
	has out "$2"
	has out 'Something is missing.'
	run 1 tacho check $1 --json
	has out '"whole": false'
	rm -rf $1.tacho
}
cp -r one.tacho gone.tacho
rm gone.tacho/control.bin
mkfifo gone.tacho/control.bin
damaged gone 'control.bin cannot be opened'
cp -r one.tacho short.tacho
truncate -s -8 short.tacho/control.bin
damaged short 'control.bin'
cp -r one.tacho bad.tacho
printf X | dd of=bad.tacho/control.bin bs=1 seek=300 conv=notrunc 2>/dev/null
damaged bad 'control.bin'

# Session files have nothing to compare with.
cp "$SOURCES/tests/data/codexl/import/nbody.atp" nbody.atp
run 0 tacho check nbody.atp
tr -s ' \n' ' ' <out >flat
has flat 'session files and those of other tools have no checksums'

run 1 tacho check nothing-here
has err 'cannot open recording nothing-here'
run 2 tacho check
has err 'check: NAME is missing'

# A recording that has ended is saved as it is, under a name that nothing has.
run 0 tacho snapshot one
same out one-1.tacho
same err
[ "$(stat -c %a one-1.tacho)" = 700 ] || fail "others can read the snapshot"
run 0 tacho check one-1
run 0 tacho snapshot one.tacho
same out one-2.tacho
run 0 tacho snapshot one -o 'two-%%'
same out 'two-%.tacho'
cmp -s one.tacho/control.bin 'two-%.tacho/control.bin' || fail "the snapshot differs"
run 1 tacho snapshot one -o one-1
has err 'cannot create one-1.tacho'
mkdir empty.tacho
run 1 tacho snapshot one -o empty
run 1 tacho snapshot one -o no/such/folder
run 1 tacho snapshot nothing-here
has err 'cannot open recording nothing-here'
run 1 tacho snapshot nbody.atp
rm one-2.tacho/meta.json && mkfifo one-2.tacho/meta.json
run 1 tacho snapshot one-2 -o three
[ "$(echo empty.tacho/* three* *.tacho.*)" = 'empty.tacho/* three* *.tacho.*' ] ||
	fail "a failed snapshot left something: $(ls)"
