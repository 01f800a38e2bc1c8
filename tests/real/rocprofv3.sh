#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# A program under the input of rocprofv3, and its recording as rocprofv3 would have written it: the
# files agree with each other, with the values of the recording, and with what tacho eval reads.
. "$ROOT/tests/real/lib.sh"
need python3
python=/usr/bin/python3
$python -c 'import numpy, pyopencl, sqlite3' 2>/dev/null || skip "pyopencl is not installed"

cat >jobs.yaml <<'END'
jobs:
  - pmc: [SQ_WAVES, GRBM_COUNT]
    kernel_iteration_range: "[2-4],[9]"
  - pmc: [VALUBusy, TCC_HIT_sum, MeanOccupancyPerCU]
    kernel_iteration_range: "[2-4],[9]"
END
# With the size of groups in the program, and left to the driver.
sed 's/kernel(queue, a.shape, None,/kernel(queue, a.shape, (64,),/' "$ROOT/tests/real/vadd.py" >groups.py
for program in "$ROOT/tests/real/vadd.py" groups.py; do
	rm -f ./*.csv ./*.db
	record_options="--sim mi300x -i jobs.yaml -m device_time --export rocprofv3,csv"
	record vadd $python "$program" times
	same "exit status" 0 $record_status
	if grep -q 'cannot load libsqlite3' vadd.err; then skip "libsqlite3 is not installed"; fi
	$python "$ROOT/tests/cli/rocprofv3.py" vadd vadd.values.csv "$ROOT/../shared/data/rocm" ||
		fail "the export is wrong"
	same "launches" 11 "$(wc -l <vadd_kernel_trace.csv)"
	# Four launches with six counters each, counted by the simulated device but for the time.
	same "values" 25 "$(wc -l <vadd_counter_collection.csv)"
	same "values of the device" 20 "$(grep -c '"Agent 1"' vadd_counter_collection.csv)"
	same "the device" 1 "$(grep -c '^1,1,"GPU",.*\[simulated\]' vadd_agent_info.csv)"
	# The times that the program's own events tell, of the launches that were counted.
	sed -n '2,4p;9p' times | cut -d ' ' -f 2 | sed 's/$/.000000/' >expected
	grep '"device_time"' vadd_counter_collection.csv | cut -d , -f 17 >got
	same_file "device times" expected got
	# What is read again is what was counted.
	"$TACHO" eval --arch gfx942 --values vadd_counter_collection.csv --csv \
		-m SQ_WAVES,TCC_HIT_sum >again || fail "tacho eval"
	python3 - <<'END' || fail "values differ when they are read again"
import csv
values = [row for row in csv.DictReader(open("vadd.values.csv")) if row["name"] == "vadd"]
again = list(csv.DictReader(open("again")))
assert len(again) == 4 == len([row for row in values if row["SQ_WAVES"]]), again
for row in again:
    assert row["SQ_WAVES"] == "1024" and float(row["TCC_HIT_sum"]) > 0, row
END
done
grep -q '"vadd",64,' vadd_counter_collection.csv || fail "no size of a group"
