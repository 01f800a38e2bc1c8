# SPDX-License-Identifier: MIT
# Files of nvprof: tables of traces and of values; of sums see foreign_sums.sh.
# tests/cli/foreign_nvprof.py makes them and knows the answers.

python=/usr/bin/python3
[ -x $python ] || python=python3
$python -c 'import sqlite3' 2>/dev/null || skip "Python's sqlite3 is not installed"
judge="$python $SOURCES/tests/cli/foreign_nvprof.py"
$judge make || fail "no files"

for name in work both invalid calls metrics launches; do
	run 0 tacho export $name.csv --to jsonl -o -
	$judge check $name <out || fail "$name"
	run 0 tacho report $name.csv
	run 0 tacho check $name.csv
done
run 0 tacho export both.csv --to codexl,sqlite,perfetto,html -o copy

# Calls in a table of their own have another time 0.
run 0 tacho export work.csv calls.csv --to jsonl -o -
$judge check apart <out || fail "two tables of two clocks"

run 1 tacho report unitless.csv
has err 'the units of the times are not known'

# Databases.
tacho export run.nvprof --to jsonl -o - >out 2>err
[ -s out ] || skip "the rest: libsqlite3 is not installed"
$judge check database <out || fail "database"
run 0 tacho report run.nvprof
run 0 tacho check run.nvprof
run 0 tacho export run.nvprof --to codexl,sqlite,perfetto,html -o database
