#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 300
# Counters of launches whose instances are kept: the values of each are those that the simulated
# device deals out, and together they are what is counted without them.
. "$ROOT/tests/real/lib.sh"
need python3
steps="$BIN/tests/real/steps_cl"

# Two passes of a block with 8 slots, and one of another.
counters='SQ_WAVES SQ_INSTS_VALU SQ_INSTS_SALU SQ_INSTS_LDS SQ_INSTS_BRANCH SQ_ITEMS SQ_INSTS_SMEM
	SQ_BUSY_CYCLES SQ_INSTS_FLAT TCC_HIT TCP_TOTAL_ACCESSES'
plain=""
kept=""
for counter in $counters; do
	plain=$plain,$counter kept=$kept,$counter:instances
done

# count NAME HOW LIST: five launches of one, and two of two.
count() {
	"$TACHO" record -q -f -o "$1" --export csv --sim mi300x --replay "$2" -m "$3" -- \
		"$steps" "$driver_platform" one:5 two:2 >/dev/null 2>"$1.err" ||
		fail "tacho record, $2: $(cat "$1.err")"
	"$TACHO" check "$1" >"$1.check" || fail "$1 is not whole: $(cat "$1.check")"
}
for how in kernel process; do
	count "plain-$how" $how "${plain#,}"
	count "kept-$how" $how "device_time${kept}"
done
"$TACHO" report kept-kernel --json >report.json || fail "tacho report --json"
"$TACHO" report kept-kernel --top 1 >report.txt || fail "tacho report"
"$TACHO" export kept-kernel --to jsonl,codexl || fail "tacho export"
"$TACHO" eval --values kept-kernel.values.csv -e 'reduce(SQ_WAVES,sum)' --csv >eval.csv ||
	fail "tacho eval"
python3 - $counters <<'END' || fail "instances are not what is counted without them"
import csv, json, re, sys

def read(name):
    return list(csv.DictReader(open(name + ".values.csv", newline="")))

def split(row, counter):
    """The values of a counter by position, as (XCC, SHADER_ENGINE) or what it has."""
    found = {}
    for key, value in row.items():
        match = re.fullmatch(re.escape(counter) + r"\[(.*)\]", key)
        if match and value:
            found[tuple(int(part.split("=")[1]) for part in match[1].split(";"))] = int(value)
    return found

for how in "kernel", "process":
    plain, kept = read("plain-" + how), read("kept-" + how)
    assert len(plain) == len(kept) == 7, (len(plain), len(kept))
    for before, row in zip(plain, kept):
        for counter in sys.argv[1:]:
            values = split(row, counter)
            assert len(values) > 1, (how, counter)
            assert sum(values.values()) == int(before[counter]), (how, counter, values)
        # Waves are dealt out in turns: dies first, then shader engines. 256 items are 4 waves.
        waves = split(row, "SQ_WAVES")
        assert len(waves) == 8 * 4, waves
        for (die, instance, engine), value in waves.items():
            turn = engine * 8 + die
            assert value == 4 // 32 + (turn < 4 % 32), (how, waves)
        assert len(split(row, "TCC_HIT")) == 8 * 16

report = json.load(open("report.json"))
column, = [c for c in report["counting"]["columns"] if c["name"] == "SQ_WAVES"]
assert column["dims"] == [["DIMENSION_XCC", 8], ["DIMENSION_INSTANCE", 1],
                          ["DIMENSION_SHADER_ENGINE", 4]], column
line, = [line for line in report["lines"] if line["name"] == "one"]
values = [value for value in line["values"] if value["name"] == "SQ_WAVES"]
assert len(values) == 32, values
for value in values:
    there = value["pos"]["DIMENSION_SHADER_ENGINE"] == 0 and value["pos"]["DIMENSION_XCC"] < 4
    assert value["total"] == (5 if there else 0) and value["mean"] == there, value
    assert value["count"] == value["measured"] == 5, value

for text in open("kept-kernel.jsonl"):
    call = json.loads(text)
    if call.get("values"):
        waves = call["values"]["SQ_WAVES"]
        assert waves["dims"] == column["dims"] and len(waves["instances"]) == 32, waves
        assert sum(value["value"] for value in waves["instances"]) == 4, waves

rows = [line.split(", ") for line in open("kept-kernel.csv") if not line.startswith("#")]
at = rows[0].index("SQ_WAVES")
assert [row[at] for row in rows[1:]] == ["4"] * 7, rows
assert [row[-1] for row in list(csv.reader(open("eval.csv")))[1:]] == ["4"] * 7
print("launches:", len(rows) - 1)
END
grep -q '^ *SQ_WAVES *$' report.txt || grep -q '^ *SQ_WAVES \[simulated\] *$' report.txt ||
	fail "no heading for a counter with instances: $(cat report.txt)"
same "lines of instances" 32 "$(sed -n '/ SQ_WAVES/,/ SQ_INSTS_VALU/p' report.txt |
	grep -c '^ *XCC=[0-7] SHADER_ENGINE=[0-3] ')"

# Which is the highest: 4 waves over 32 instances are 0.125 of each on average, 8 times less than 1.
"$TACHO" report kept-kernel --per-instance --top 5 >hot.txt || fail "tacho report --per-instance"
same "the spread" "32 0 0.125 1 8 XCC=0" "$(sed -n '/^  one/,/^  two/s/^    SQ_WAVES  *//p' hot.txt |
	tr -s ' ' | cut -d ' ' -f 1-6)"
sed -n '/^SQ_WAVES of one, wavefronts$/,/^$/p' hot.txt >list.txt
same "the highest" "XCC=0 XCC=1 XCC=2 XCC=3 " "$(sed -n \
	's/^  \(XCC=[0-7]\) SHADER_ENGINE=0  *1  *####################$/\1/p' list.txt | tr '\n' ' ')"
grep -q '^  XCC=0 SHADER_ENGINE=1  *0  *\.\{20\}$' list.txt || fail "the fifth: $(cat list.txt)"
grep -q '^  27 more, 0; --top 0 shows all$' list.txt || fail "the rest: $(cat list.txt)"
"$TACHO" report kept-kernel --per-instance --json >hot.json || fail "--per-instance --json"
python3 - <<'END' || fail "--per-instance --json"
import json
spread, = [s for s in json.load(open("hot.json"))["instances"]
           if (s["kernel"], s["counter"]) == ("one", "SQ_WAVES")]
assert (spread["count"], spread["measured"]) == (32, 32), spread
assert (spread["min"], spread["mean"], spread["max"]) == (0, 0.125, 1), spread
assert [p["pos"]["DIMENSION_XCC"] for p in spread["highest"]] == [0, 1, 2, 3], spread
assert len(spread["instances"]) == 32, spread
assert sum(p["mean"] for p in spread["instances"]) == 4, spread
END
"$TACHO" report plain-kernel --per-instance >sums.txt || fail "--per-instance of sums"
tr -s ' \n' ' ' <sums.txt | grep -q "no instances are in the recording one value .* SQ_WAVES, .*\
-m 'SQ_WAVES:instances' records each" || fail "sums: $(cat sums.txt)"
"$TACHO" report kept-kernel --per-instance --by api >/dev/null 2>both.err
same "--per-instance with --by" 2 $?

# A database has a row for each instance.
if command -v sqlite3 >/dev/null 2>&1; then
	"$TACHO" export kept-kernel --to sqlite || fail "tacho export --to sqlite"
	same "rows of a counter" "224|28" "$(sqlite3 kept-kernel.sqlite \
		"SELECT count(*), sum(value) FROM v_value WHERE counter = 'SQ_WAVES'")"
	same "an instance" "5|1.0" "$(sqlite3 kept-kernel.sqlite "SELECT total, mean
		FROM v_metric_by_kernel WHERE kernel = 'one' AND counter = 'SQ_WAVES' AND position =
		'DIMENSION_XCC=3;DIMENSION_INSTANCE=0;DIMENSION_SHADER_ENGINE=0'")"
fi

# A page has a row for each instance of each of two kernels.
"$TACHO" export kept-kernel --to html || fail "tacho export --to html"
same "rows of the page" 64 "$(grep -o '>SQ_WAVES\[DIMENSION_XCC=[0-7];[^]]*\] \[simulated\]<' \
	kept-kernel.html | wc -l)"

# What is compared is the sum; where values do not add up, nothing is, and that is said.
"$TACHO" diff plain-kernel kept-kernel --json >diff.json || fail "tacho diff"
python3 - <<'END' || fail "diff does not compare the sum"
import json
for line in json.load(open("diff.json"))["lines"]:
    measure, = [m for m in line["measures"] if m["name"] == "SQ_WAVES"]
    assert measure["a"]["value"] == measure["b"]["value"] == 4, measure
END
ratio=RDC_OPS_16_PER_SIMDCYCLE # a quotient of instances: its formula does not put them together
"$TACHO" record -q -f -o ratio --export codexl --sim mi300x -m $ratio,TCC_HIT:instances -- \
	"$steps" "$driver_platform" one:2 >/dev/null 2>ratio.err || fail "tacho record of a ratio"
same "what is not in the session file" "#NotSummed=$ratio" "$(grep '^#NotSummed' ratio.csv)"
grep -q "codexl has one value of a counter.*: $ratio" ratio.err ||
	fail "what was left out was not told: $(cat ratio.err)"
same "its cells" 2 "$(grep -c '^one__.*, NA, 24$' ratio.csv)"
"$TACHO" diff ratio ratio >diff.txt 2>&1 || fail "tacho diff"
grep -q "Not compared, because their instances do not add up: $ratio" diff.txt ||
	fail "a ratio of instances was compared: $(cat diff.txt)"

# Many values of a launch, and many launches: nothing of them is lost.
"$TACHO" record -q -f -o many --export csv --sim mi300x -m 'TCP_*:instances,TCC_*:instances' -- \
	"$steps" "$driver_platform" one:200 >/dev/null 2>many.err || fail "tacho record: $(cat many.err)"
"$TACHO" check many >many.check || fail "many is not whole: $(cat many.check)"
python3 - <<'END' || fail "values are missing"
import csv, sys
csv.field_size_limit(sys.maxsize)
rows = list(csv.DictReader(open("many.values.csv", newline="")))
assert len(rows) == 200, len(rows)
values = [sum(1 for key, value in row.items() if "[" in key and not key.endswith("]:state")
              and not key.endswith("]:coverage") and value) for row in rows]
assert min(values) == max(values) and values[0] > 10000, (min(values), max(values))
print("values of a launch:", values[0])
END
