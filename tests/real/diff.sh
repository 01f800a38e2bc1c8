# SPDX-License-Identifier: MIT
# limit: 240
# Runs of the same program differ by noise, and a kernel over 16 times as many items by more. The
# machine may be busy: at this level one of a thousand runs of this test would find a change where
# there is none.
. "$ROOT/tests/real/lib.sh"
need clpeak /usr/bin/python3
record_export=none

for i in 1 2 3 4; do
	for side in a b; do
		record "$side$i" clpeak -p "$driver_platform" --kernel-latency
	done
done
"$TACHO" diff a1,a2,a3,a4 b1,b2,b3,b4 --level 0.001 --fail-if 'time > +0%' \
	--fail-if 'time < -0%' --fail-if 'count != +0' >same.out 2>same.err
status=$?
cat same.out same.err
same "status of equal programs" 0 $status
grep -q ' noise ' same.out || fail "no line is noise"
# One run a side proves nothing, whatever it shows, and conditions say that they need more.
for i in 1 2 3 4; do
	for k in 1 2 3 4; do
		"$TACHO" diff "a$i" "b$k" --csv >pair.csv || fail "two recordings cannot be compared"
		! grep -q ',differs' pair.csv || fail "a$i and b$k differ: $(cat pair.csv)"
	done
done
"$TACHO" diff a1 b1 --fail-if 'time > +3%' >pair.out 2>pair.err
same "status of a condition on one run a side" 3 $?

/usr/bin/python3 -c 'import pyopencl' 2>/dev/null || skip "python3-pyopencl is not installed"
export PYOPENCL_CTX="$driver_platform" PYOPENCL_NO_CACHE=1
sed 's/^ITEMS = 1 << 16$/ITEMS = 1 << 20/' "$ROOT/tests/real/vadd.py" >large.py
for i in 1 2 3 4; do
	record "small$i" /usr/bin/python3 "$ROOT/tests/real/vadd.py"
	record "large$i" /usr/bin/python3 large.py
done
"$TACHO" diff small1,small2,small3,small4 large1,large2,large3,large4 --fail-if 'time > +3%' \
	>other.out 2>other.err
status=$?
cat other.out other.err
same "status of a slower program" 6 $status
grep -q 'Work-items of a launch differ, in A and B: vadd 65536 and 1048576' other.out ||
	fail "that it does more work was not said"
