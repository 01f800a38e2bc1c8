# SPDX-License-Identifier: MIT
# tacho diff of one program on two GPUs: kernels by their names, by their place in the order of
# launches, and as a file says. tests/cli/diff_places.py makes the recordings and knows the answers.

python=/usr/bin/python3
[ -x $python ] || python=python3
$python -c 'import sqlite3' 2>/dev/null || skip "Python's sqlite3 is not installed"
judge="$python $SOURCES/tests/cli/diff_places.py"
$judge make || fail "no files"
tacho report a.sqlite >out 2>err
[ $? = 1 ] && grep -q 'cannot load libsqlite3' err && skip "libsqlite3 is not installed"

# Other devices: by place without being asked. The same device: when asked.
run 0 tacho diff a.sqlite b.sqlite --json
$judge check place <out || fail "other devices"
run 0 tacho diff a.sqlite same.sqlite --match place --json
$judge check place <out || fail "--match place"
run 0 tacho diff a.sqlite b.sqlite --match device --json
$judge check device <out || fail "--match device"
run 0 tacho diff a.sqlite b.sqlite --match pairs --json
$judge check pairs <out || fail "a file"
run 0 tacho diff a.sqlite mixed.sqlite --json
$judge check mixed <out || fail "half of the launches"
run 0 tacho diff strange_a.sqlite strange_b.sqlite --json
$judge check strange <out || fail "no name in common"

# Every form says how.
run 0 tacho diff a.sqlite b.sqlite
tr -s ' \n' ' ' <out >flat
has flat 'gemm_a place 40 ns 30 ns -25.0%'
has flat 'norm name 10 ns 10 ns'
has flat 'in B: cijk_b'
run 0 tacho diff a.sqlite b.sqlite --csv
has out 'verdict,matched_by,name_b'
grep -q '^gemm_a,,time,.*,place,cijk_b.$' out || fail "no match in CSV"
grep -q '^only_b,,time,.*,,.$' out || fail "a line of one side has a match in CSV"
run 0 tacho diff a.sqlite b.sqlite --markdown
has out '| place |'
run 0 tacho diff a.sqlite b.sqlite --html=-
has out 'in B, by place: <span class="name">cijk_b</span>'

# Files that cannot be.
run 2 tacho diff a.sqlite b.sqlite --match wrong
has err 'wrong:1 is no pair of names'
run 2 tacho diff a.sqlite b.sqlite --match plce
has err 'did you mean place?'

# Conditions are about lines that were matched, too.
run 6 tacho diff --any a.sqlite b.sqlite --fail-if 'time < -20%'
has err 'first of gemm_a'

# The same model on GPUs of two vendors, as the README shows it: 60 launches each, all of them
# matched, and their time that TraceLens says.
samples=$SOURCES/../shared/data/recordings/kineto
[ -d "$samples" ] || exit 0
for gpu in h100 mi300; do
	cp "$samples/tracelens_bert_$gpu.json.gz" bert_$gpu.json.gz
done
run 0 tacho diff bert_h100.json.gz bert_mi300.json.gz --json
$judge check bert <out || fail "the same model on two GPUs"
export COLUMNS=110
run 0 tacho diff bert_h100.json.gz bert_mi300.json.gz
sed -n '/tacho diff bert_h100/,/^$/{/^    [^$.]/s/^    //p;}' "$SOURCES/README.md" >shown
[ "$(wc -l <shown)" = 5 ] || fail "README.md shows $(wc -l <shown) lines of it"
while IFS= read -r line; do
	grep -qxF -- "$line" out || fail "README.md shows \"$line\", which is not so"
done <shown
