# SPDX-License-Identifier: MIT
# Several files of another tool as one recording: by names, by a folder, on one clock; and packed
# databases. tests/cli/foreign_files.py makes them and knows the answers.

python=/usr/bin/python3
[ -x $python ] || python=python3
$python -c 'import sqlite3' 2>/dev/null || skip "Python's sqlite3 is not installed"
judge="$python $SOURCES/tests/cli/foreign_files.py"
$judge make || fail "no files"
tacho report bare.sqlite >out 2>err
[ $? = 1 ] && grep -q 'cannot load libsqlite3' err && skip "libsqlite3 is not installed"

# A folder, with what is in folders of it: what is not read is named.
run 0 tacho export job --to jsonl -o -
$judge check job <out || fail "the folder"
run 0 tacho report job
tr -s ' \n' ' ' <out >flat
has flat 'It was read from 3 files.'
has flat 'tacho does not know what they are: log, notes.md.'
has flat 'recorded by Nsight Systems 2024.5.1, SQLite export of schema 3.13.2'
[ "$(grep -c 'SQLite export' out)" = 1 ] || fail "the tool is told more than once"

# Names, in the order in which they are given: the first with an epoch has the clock.
run 0 tacho export bare.sqlite job/rank2.sqlite --to jsonl -o -
$judge check mixed <out || fail "a clock that is not known"
run 0 tacho report bare.sqlite bare2.sqlite
tr -s ' \n' ' ' <out >flat
has flat 'The files do not tell the time of day'
run 0 tacho check job
run 0 tacho check job/rank2.sqlite job/rank10.sqlite
run 0 tacho open --no-browser -o page job
run 0 tacho diff --any job job

# What is no part of it is told, and not left out.
run 1 tacho report bare.sqlite README.txt
has err 'README.txt is no part of a recording'
run 1 tacho report bare.sqlite old.tacho
has err 'old.tacho is no part of another recording'
mkdir mine.tacho
run 1 tacho report bare.sqlite mine
has err 'mine is no part of another recording'
has err 'or compare two: tacho diff'
rmdir mine.tacho
run 1 tacho report bare.sqlite nowhere.sqlite
has err 'nowhere.sqlite'
mkdir empty
run 1 tacho report empty
has err 'empty is not a recording'
has err 'tacho help imports'
# What is known to be something else says what.
strange() {
	run 1 tacho report "$1"
	has err "$1 is not a recording"
	has err "$2"
}
echo hello >text.txt
strange text.txt 'cause: it begins like none of the files that are read'
: >nothing
strange nothing 'cause: nothing is in it'
strange "$(command -v tacho)" 'tacho occupancy FILE'
printf '#!/bin/sh\n' >script.sh
strange script.sh 'run it: tacho record FILE'
: >run.nsys-rep
strange run.nsys-rep 'nsys export --type sqlite FILE'
printf '\012\001x' >host.xplane.pb
strange host.xplane.pb 'FILE.trace.json.gz beside it'
printf PERFILE2 >perf.data
strange perf.data 'perf report'
printf GFXR >x.gfxr
strange x.gfxr 'tacho record -- gfxrecon-replay FILE'
run 0 tacho export bare.sqlite --to html,jsonl,sqlite -o own
for kind in html jsonl sqlite; do
	strange own.$kind 'cure:  name the recording itself'
done
run 0 tacho record -q -o small true
strange small.tacho/meta.json 'cure:  name that: small.tacho'
rm -r text.txt nothing script.sh run.nsys-rep host.xplane.pb perf.data x.gfxr own.* small.tacho
run 1 tacho report old.tacho
has err 'it has no meta.json'

# A file and its copy, packed or not, are one.
cp packed.sqlite.gz job/copy.sqlite.gz
run 0 tacho report job
tr -s ' \n' ' ' <out >flat
has flat 'rank2.sqlite is left out: the same launches are in copy.sqlite.gz'
rm job/copy.sqlite.gz

# Many copies are found at once.
mkdir copies
for number in $(seq 1 200); do
	cp bare.sqlite copies/$number.sqlite
done
run 0 tacho export copies --to jsonl -o -
[ "$(grep -c '"tacho.call/1"' out)" = 1 ] || fail "copies are read more than once"
tr -s ' \n' ' ' <out >flat
has flat '200.sqlite is left out: the same launches are in 1.sqlite'

# A kind that the user names.
run 0 tacho help imports
has out 'nsys-sqlite        Nsight Systems, SQLite export'
run 0 tacho report --as help
has out 'nsys-sqlite'
run 0 tacho report --as nsys-sqlite bare.sqlite
run 2 tacho report --as nsys-sqlit bare.sqlite
has err 'did you mean nsys-sqlite?'
run 1 tacho report --as nsys-sqlite README.txt
has err 'README.txt cannot be read as nsys-sqlite'
run 0 tacho diff --any --as nsys-sqlite bare.sqlite bare.sqlite

# Databases that are packed; what ends early, and what is more than a file can hold.
run 0 tacho export packed.sqlite.gz --to jsonl -o -
$judge check packed <out || fail "a packed database"
run 1 tacho report cut.sqlite.gz
has err 'cut.sqlite.gz ends in the middle of its packed bytes'
run 1 tacho report bomb.sqlite.gz
has err 'gave up unpacking bomb.sqlite.gz'

# Folders that contain themselves, and too many files, end.
mkdir loop && ln -s . loop/a && ln -s . loop/b && ln -s ../bare.sqlite loop/c
run 0 tacho report loop
mkdir many && (cd many && seq 1 5000 | xargs touch)
run 1 tacho report many
has err 'many has too many files'

# Kernels of such files have registers, local memory and a size: what fits is worked out.
run 0 tacho occupancy --json t4.sqlite
$judge occupancy t4 <out || fail "occupancy"
run 0 tacho occupancy t4.sqlite
has out 'sm_75'
run 3 tacho occupancy bare.sqlite
has err 'the file does not state its registers and local memory, or which GPU it ran on'
run 3 tacho occupancy --as nsys-sqlite bare.sqlite
