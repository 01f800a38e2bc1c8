#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# The Python module over recordings of programs: threads, counters, kept instances, named ranges. All
# that their JSON lines hold is in its tables.
. "$ROOT/tests/real/lib.sh"
need python3
[ -e "$BIN/python/tacho/_layout.py" ] || skip "the Python module is not built"
python=python3
python3 -c 'import numpy' 2>/dev/null || ! /usr/bin/python3 -c 'import numpy' 2>/dev/null ||
	python=/usr/bin/python3
export PYTHONPATH="$BIN/python" TACHO_LIBRARY="$BIN/libtacho.so.0" TACHO_SOURCE_ROOT="$ROOT" TACHO
export PYTHONDONTWRITEBYTECODE=1

"$TACHO" record -q -f -o busy -- "$BIN/tests/real/busy" books 50 >busy.out 2>&1 || fail "busy: $(cat busy.out)"
"$TACHO" record -q -f -o counted --sim mi300x -m device_time,SQ_WAVES,MeanOccupancyPerCU,TCC_HIT:instances -- \
	"$BIN/tests/real/steps_cl" "$driver_platform" one:5 two:2 >counted.out 2>&1 ||
	fail "counted: $(cat counted.out)"
"$TACHO" record -q -f -o ranges -- "$BIN/tests/real/steps_cl" "$driver_platform" push:outer one:3 \
	push:inner two:1 pop pop >ranges.out 2>&1 || fail "ranges: $(cat ranges.out)"
TACHO_TEST_RECORDINGS="$WORK/busy.tacho $WORK/counted.tacho $WORK/ranges.tacho" \
	$python "$ROOT/tests/python/recording_test.py" >test.out 2>&1 || fail "$(tail -n 40 test.out)"
grep -E '^(Ran|OK)' test.out
$python - <<'END' || fail "what was counted"
import tacho

with tacho.open("busy") as recording:
    kernels = recording.commands
    assert len(kernels) == 200, len(kernels)
    assert len(set(recording.calls.raw("thread").tolist())) >= 4
with tacho.open("counted") as recording:
    values = recording.values
    assert recording.counting.is_simulated and recording.counting.device
    counted = [one for one in values.column("SQ_WAVES").tolist() if one is not None]
    assert len(counted) == 7 and all(counted), counted
    kept = values.column("TCC_HIT")
    assert len(kept.dimensions) > 0 and kept.shape[0] == len(recording.commands), kept
    arch = tacho.Catalog().arch("gfx942")
    again = values.evaluate("VALUBusy", arch=arch, model="mi300x").column("VALUBusy")
    assert set(again.tolist()) == {None} and "SQ_ACTIVE_INST_VALU" in again.note, again.note
with tacho.open("ranges") as recording:
    ranges = {row["name"]: row for row in recording.ranges.rows()}
    assert ranges["inner"]["parent"] == ranges["outer"]["id"]
END
echo "tables, values and ranges are those of the JSON lines"
