#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 300
# docs/tutorial.md, docs/python.md and README.md show what they do with the tutorial's program.
. "$ROOT/tests/real/lib.sh"
need python3
/usr/bin/python3 -c 'import pyopencl' 2>/dev/null || skip "python3-pyopencl is not installed"
[ -e /etc/OpenCL/vendors/pocl.icd ] || skip "PoCL is not installed: others are too slow, or too fast"
export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
unset COLUMNS PYOPENCL_CTX

mkdir -p bin
ln -sf "$TACHO" bin/tacho
ln -sf /usr/bin/python3 bin/python3 # the one that has pyopencl
PATH=$WORK/bin:$PATH
# A plate of half the pages' side shows the same in a third of the time.
smaller() {
	sed 's/else 1024$/else 512/' "$ROOT/examples/tutorial/heat.py" >heat.py
	grep -q 'else 512$' heat.py || fail "heat.py has another size"
}

smaller
python3 "$ROOT/tests/scripts/shown.py" "$ROOT/docs/tutorial.md" heat.py || fail "docs/tutorial.md"

cp heat.py heat-fast.py
smaller
# What it shows of other tools' recordings is compared where those are: tests/cli/diff_places.sh.
sed '/\$ tacho diff bert_h100/,/^$/d' "$ROOT/README.md" >README.md
python3 "$ROOT/tests/scripts/shown.py" README.md || fail "README.md"

python3 - "$ROOT/docs/python.md" <<'END' || fail "docs/python.md"
import re, sys
for piece in re.findall(r"^```python\n(.*?)^```", open(sys.argv[1]).read(), re.M | re.S):
    exec(compile(piece, sys.argv[1], "exec"), {})
END

# What is shown falsely is noticed.
printf '    $ echo 3 lines in 2.5 ms\n    3 spines in 1 ms\n' >wrong.md
python3 "$ROOT/tests/scripts/shown.py" wrong.md >wrong.out 2>&1 && fail "a wrong word is taken"
grep -q spines wrong.out || fail "the wrong word is not told"

# A machine that slows down during a run is no fault of the page.
printf '    $ echo spread 2.5 ms drift 200\n    spread 1 ms  unsure  100\n' >busy.md
python3 "$ROOT/tests/scripts/shown.py" busy.md || fail "a judgement of one run is compared"

# Nor is one whose gains come out in another order.
{
	echo '    $ printf "warning: late\\n  by 2 ms\\nadvice: early\\n  by 1 ms\\n"'
	printf '    advice: early\n      by 2 ms\n    ...\n    advice: late\n      by 1 ms\n'
} >order.md
python3 "$ROOT/tests/scripts/shown.py" order.md || fail "the order of findings is compared"
sed 's/advice: late/advice: never/' order.md >never.md
python3 "$ROOT/tests/scripts/shown.py" never.md >never.out 2>&1 && fail "a wrong finding is taken"
grep -q never never.out || fail "the wrong finding is not told"
