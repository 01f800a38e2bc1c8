# SPDX-License-Identifier: MIT
# Recordings of other tools: each sort of file, what it says, and what it cannot say.
# tests/cli/foreign.py makes them and knows the answers.

python=/usr/bin/python3
[ -x $python ] || python=python3
$python -c 'import sqlite3' 2>/dev/null || skip "Python's sqlite3 is not installed"
judge="$python $SOURCES/tests/cli/foreign.py"
$judge make || fail "no files"
tacho report whole.sqlite >out 2>err
[ $? = 1 ] && grep -q 'cannot load libsqlite3' err && skip "libsqlite3 is not installed"

for name in whole early calls_only graph odd endless; do
	run 0 tacho export $name.sqlite --to jsonl -o -
	$judge check $name <out || fail "$name"
	run 0 tacho report $name.sqlite
	run 0 tacho report $name.sqlite --json
	run 0 tacho check $name.sqlite
done

# Schemas of 2020 to 2026 that say the same.
for file in generation-*.sqlite; do
	run 0 tacho export $file --to jsonl -o -
	$judge check generation <out || fail "$file"
done

# What a person sees: the tool and its version, kernels by name, what is not in the file.
run 0 tacho report whole.sqlite
has out 'recorded by  Nsight Systems 2024.5.1, SQLite export of schema 3.13.2'
has out 'Big GPU'
has out 'vadd(float*)'
tr -s ' \n' ' ' <out >flat
has flat 'pieces of work name no call'
run 0 tacho report whole.sqlite --by range
has out 'step'
run 0 tacho diff --any whole.sqlite whole.sqlite
run 0 tacho export whole.sqlite --to codexl,sqlite,perfetto,html -o copy
run 0 tacho report copy.atp
has out 'vadd(float*)'

# What a file may not do: take long, or much memory.
(ulimit -v 1000000; timeout 20 tacho report hostile.sqlite) >out 2>err
[ $? = 0 ] || fail "hostile.sqlite: $(tail -n 3 err)"
run 1 tacho report huge.sqlite
has err 'cannot read StringIds of huge.sqlite'

# Damaged, cut, empty, no database of that tool: told, never half of it as if it were whole.
head -c 6000 whole.sqlite >cut.sqlite
run 1 tacho report cut.sqlite
has err 'cut.sqlite'
$python -c 'import sqlite3; sqlite3.connect("other.sqlite").execute("CREATE TABLE t (a)").connection.commit()'
run 1 tacho report other.sqlite
has err 'other.sqlite'
: >empty.sqlite
run 1 tacho report empty.sqlite
has err 'empty.sqlite'

# Files of real GPUs, with answers that other people's programs gave.
samples=$SOURCES/../shared/data/recordings/nsys
[ -d "$samples" ] || exit 0
sums() {
	gzip -dc "$samples/$1" >sample.sqlite
	run 0 tacho export -f sample.sqlite --to jsonl -o -
	$python - "$2" "$3" "$4" <<'END' || fail "$1"
import json
import sys

launches = time = moved = 0
with open("out") as lines:
    for line in lines:
        row = json.loads(line)
        command = row["schema"] == "tacho.call/1" and row["command"]
        if command and command["kind"] == "kernel":
            launches += 1
            time += command["end_ns"] - command["start_ns"]
        elif command and command.get("bytes") and command["kind"] != "fill":
            moved += command.get("bytes")
wanted = [None if a == "-" else int(a) for a in sys.argv[1:]]
got = [launches, time, moved]
assert all(w in (None, g) for g, w in zip(got, wanted)), got
END
}
sums 3.13.2_a100_cloverleaf_reduced.sqlite.gz 1312 294404540 225116952
sums 3.25.0_2xh100_before_reduced.sqlite.gz 4010 535200650 -
sums 3.25.0_2xh100_after_reduced.sqlite.gz 3587 488835406 -
sums 3.20.2_t4_power_iteration_reduced.sqlite.gz 3689 1131742684 -
sums 2.9.1_gtx1060_nvtx_memset.sqlite.gz 12 114684175 -
sums 2.9.1_a100_mpi_saxpy_reduced.sqlite.gz 5 88573480 3932160000
run 0 tacho diff --any sample.sqlite sample.sqlite
