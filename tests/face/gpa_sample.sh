#!/bin/sh
# SPDX-License-Identifier: MIT
# gpa_sample.sh SOURCE-ROOT LIBRARY PYTHON CC...: the sample code of AMD's user guide, restored and
# compiled, samples two draws in each of eight frames on a simulated device. The file that it writes
# is read back.
set -eu
root=$1
library=$2
python=$3
shift 3
guide=$root/../shared/sources/000_e21f6846f1af4879.txt
if [ ! -r "$guide" ]; then
	echo "../shared is absent: the sample code is not tried"
	exit 77
fi
if readelf -d "$library" | grep -qE 'lib(a|t|ub)san'; then
	echo "the library needs a sanitizer's runtime, which this program would not have"
	exit 77
fi
here=$root/tests/face
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" "$here/gpa_sample.py" "$guide" "$work/sample.c"
"$@" -std=c99 -w -I"$root/include/compat" -I"$here" -I"$work" -DGPA_SAMPLE='"sample.c"' \
	-o "$work/sample" "$here/gpa_sample_main.c" "$library" -Wl,-rpath,"$(dirname "$library")"
cd "$work"
TACHO_SIM=rx480 ./sample
"$python" - 'c:\PublicCounterResults.csv' <<'END'
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    lines = [line.rstrip("\n").rstrip(", ").split(",") for line in file]
names = [name.strip() for name in lines[0][1:]]
rows = lines[1:]
assert len(names) == 90, len(names)
# Eight sessions, each written a frame later; the last is not waited for. Two samples each.
heads = [row[0].strip() for row in rows]
assert heads == ["session: %d; sample: %d" % (s, i) for s in range(1, 8) for i in (0, 1)], heads
for row in rows:
    values = dict(zip(names, map(float, row[1:])))
    assert len(values) == 90
    # docs/gpa.md: 300 vertices, 100 triangles, 10000 pixels to two targets
    assert values["VSVerticesIn"] == 300 and values["PSPixelsOut"] == 20000, values
    assert values["PrimitivesIn"] == 100 and values["GPUTime"] > 0
print(len(rows), "rows of", len(names), "counters")
END
