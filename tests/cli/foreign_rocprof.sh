# SPDX-License-Identifier: MIT
# Traces of rocprof and rocprofv2: Chrome traces, databases, CSV files.
# tests/cli/foreign_rocprof.py makes them and knows the answers.

python=/usr/bin/python3
[ -x $python ] || python=python3
$python -c 'import sqlite3' 2>/dev/null || skip "Python's sqlite3 is not installed"
judge="$python $SOURCES/tests/cli/foreign_rocprof.py"
$judge make || fail "no files"

# FILE NAME: it is read, as check_NAME() has it, and every view of it works.
read_file() {
	run 0 tacho export -f "$1" --to jsonl -o -
	$judge check "$2" <out || fail "$1"
	run 0 tacho report "$1"
	run 0 tacho check "$1"
	run 0 tacho export -f "$1" --to codexl,sqlite,perfetto,html -o copy
}
read_file hip.json hip
read_file kernels.json kernels
read_file 42_output.json second_json
run 0 tacho export --partial cut.json --to jsonl -o -
$judge check cut <out || fail cut
lost cut.json
read_file second second
read_file counted counted
read_file parts.csv parts

$python - <<'END' || skip "libsqlite3 is not installed"
import ctypes
ctypes.CDLL("libsqlite3.so.0")
END
$judge databases || fail "no databases"
read_file results.db database
read_file launches.db launches
read_file apart.db apart
run 0 tacho report results.db --by kernel
has out L2CacheHit
has out 'TCC_HIT[0]'
has_not out BAD
has_not out DurationNs
