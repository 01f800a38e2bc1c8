# SPDX-License-Identifier: MIT
# Databases of Nsight Systems, nvprof and AMD's profilers in which nothing is as it must be: cells of other
# sorts, tables that are views without end, columns that lack or work something out. They are read as
# far as they can be, or it is said why not, in little time and memory.

python=/usr/bin/python3
[ -x $python ] || python=python3
$python -c 'import sqlite3' 2>/dev/null || skip "Python's sqlite3 is not installed"
for maker in foreign foreign_nvprof foreign_amd; do
	$python "$SOURCES/tests/cli/$maker.py" make || fail "no files"
done
$python "$SOURCES/tests/cli/foreign_amd.py" databases || fail "no files"
tacho report whole.sqlite >out 2>err
[ $? = 1 ] && grep -q 'cannot load libsqlite3' err && skip "libsqlite3 is not installed"
$python "$SOURCES/tests/cli/foreign_hostile.py" whole.sqlite run.nvprof one.db merged.db || fail "none is spoiled"

reads() {
	(ulimit -v 1000000; timeout 20 tacho export -f "$1" --to jsonl -o -) >out 2>err
	status=$?
	[ $status = 0 ] || [ $status = 1 ] || fail "$1: status $status"
	[ $status = 0 ] || has err "${1%%.*}"
}
for file in whole.sqlite run.nvprof one.db merged.db; do
	for way in types columns generated; do
		reads $file.$way
	done
	# A view is no table: nothing knows the file.
	reads $file.views
	[ $status = 1 ] || fail "$file.views was read"
	# What is to happen when something is written does not, for nothing is.
	tacho export -f $file --to jsonl -o - >plain
	reads $file.triggers
	[ $status = 0 ] && cmp -s plain out || fail "$file.triggers is read as something else"
done
