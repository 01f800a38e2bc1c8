# SPDX-License-Identifier: MIT
# Tables of "nsys stats": traces; of sums see foreign_sums.sh.
# tests/cli/foreign_nsys_stats.py makes them and knows the answers.

python=/usr/bin/python3
[ -x $python ] || python=python3
$python -c 'import sqlite3' 2>/dev/null || skip "Python's sqlite3 is not installed"
judge="$python $SOURCES/tests/cli/foreign_nsys_stats.py"
$judge make || fail "no files"

for name in both several early; do
	run 0 tacho export $name.csv --to jsonl -o -
	$judge check $name <out || fail "$name"
	run 0 tacho report $name.csv
	run 0 tacho check $name.csv
done
run 0 tacho report both.csv
has_not out 'codexl       both' # the table itself is no session file
run 0 tacho export both.csv --to codexl,sqlite,perfetto,html -o copy

# The same run as a database, as these tables, and as another program read it.
samples=$SOURCES/../shared/data/recordings/nsys
[ -d "$samples" ] || exit 0
gzip -dc "$samples/3.13.2_a100_cloverleaf_reduced.sqlite.gz" >clover.sqlite
$judge print clover.sqlite >clover.csv || fail "no tables of clover.sqlite"
run 0 tacho export clover.csv --to jsonl -o -
cp out tables.jsonl
tacho export clover.sqlite --to jsonl -o - >database.jsonl 2>err
[ -s database.jsonl ] || skip "the rest: libsqlite3 is not installed"
$judge same tables.jsonl database.jsonl || fail "tables and database of one run"
for table in gpu api; do
	gzip -dc "$samples/3.13.2_a100_cloverleaf_${table}_trace_pipit.csv.gz" >pipit_$table.csv
done
$judge pipit database.jsonl pipit_gpu.csv pipit_api.csv || fail "pipit reads something else"
