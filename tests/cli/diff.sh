# SPDX-License-Identifier: MIT
# tacho diff on session files whose every time is known.

# session FILE ARGUMENTS KERNEL:LAUNCHES:NANOSECONDS[:MORE]...: a session in which each kernel takes
# that long, and up to 6 ns more, as often as it is launched, and so many more each time. Nothing runs
# between two for $gap ns.
session() {
	session_file=$1
	session_arguments=$2
	shift 2
	awk -v arguments="$session_arguments" -v kernels="$*" -v gap="${gap:-100}" 'BEGIN {
		n = split(kernels, all, " ")
		now = 1000000000000
		for (i = 1; i <= n; i++) {
			split(all[i], part, ":")
			for (k = 0; k < part[2]; k++) {
				took = part[3] + (k * 5) % 7 + k * part[4]
				calls = calls "CL_SUCCESS = clEnqueueNDRangeKernel ( 0x1;0x" i \
					";1;NULL;[1024];[64];0;NULL;NULL )\n"
				times = times sprintf("66   clEnqueueNDRangeKernel   %.0f %.0f" \
					"   4592    CL_COMMAND_NDRANGE_KERNEL   %.0f %.0f %.0f %.0f" \
					"   0   0x1   0   0x5   gfx803   0x%d   %s   {1024}   {64}\n",
					now, now + 10, now + 1, now + 2, now + 3,
					now + 3 + took, i, part[1])
				now += took + gap
				count++
			}
		}
		print "TraceFileVersion=3.2\nProfilerVersion=5.6.0\nApplication=/home/u/app"
		print "ApplicationArgs=" arguments "\nWorkingDirectory=/home/u\nUserTimer=False"
		print "OS Version=Linux\nDisplayName=app\nCLExcludedAPIs="
		print "Device gfx803 Platform Vendor = Advanced Micro Devices, Inc."
		printf "=====ocl API Trace Output=====\n4711\n%d\n%s", count, calls
		printf "=====ocl Timestamp Output=====\n4711\n%d\n%s", count, times
	}' >"$session_file"
}

session a.atp '-n 5' slower:160:1000 equal:160:500 old:4:70
session b.atp '-n 5' slower:160:1200 equal:160:500 new:4:80
session c.atp '-n 6' slower:1:1100 equal:161:500 old:4:70

# Equal files say so, and compare with nothing to warn of.
run 0 tacho diff a.atp a.atp
same err
narrow out 80
has out 'Kernels, by device time of a launch'
grep -q ' unsure *160' out && fail "equal files differ"
has_not out 'Not the same in A and B'
has_not out 'Only in'

# 1003 and 1203 ns are the medians of 1000 to 1006 and of 1200 to 1206 ns: 19.94 % more. One run a
# side is no proof, whatever its launches are.
run 0 tacho diff a.atp b.atp
same err
narrow out 80
grep -q '^  slower *1.00 us *1.20 us *+19.9% *+9.. to +3...% *unsure *160$' out ||
	fail "slower is not unsure"
grep -q '^  equal *503 ns *503 ns *0% .* noise *160$' out || fail "equal is not noise"
[ "$(sed -n '/^Only in A/,/^$/p' out | grep -c '^  old .* 4$')" = 1 ] || fail "old is not in A alone"
[ "$(sed -n '/^Only in B/,/^$/p' out | grep -c '^  new .* 4$')" = 1 ] || fail "new is not in B alone"
tr -s ' \n' ' ' <out >flat
has flat 'The intervals take 3 % for that (--run-effect)'
run 0 tacho diff a.atp b.atp --run-effect 20%
grep -q '^  slower .* noise *160$' out || fail "an effect of 20 % hides no 20 %"
for effect in 3 x% 0% 100%; do
	run 2 tacho diff a.atp b.atp --run-effect $effect
	has err 'give a percentage'
done

# Conditions need runs, or count whatever changed.
for condition in 'time > +3%' 'time > +50%' 'count > +0'; do
	run 3 tacho diff a.atp b.atp --fail-if "$condition"
	tr -s ' \n' ' ' <out >flat
	has flat "$condition: cannot be told of one run a side"
	has err '--fail-if needs two recordings or more a side'
	has err 'cause: A is one recording'
done
run 3 tacho diff a.atp,a.atp b.atp --fail-if 'time > +3%'
has err 'cause: B is one recording'
run 6 tacho diff a.atp b.atp --fail-if 'time > +3%' --any
has err '"time > +3%" is true of 1 line, first of slower'
has out 'time > +3%: true'
tr -s ' \n' ' ' <out >flat
has flat 'slower: +19.9%, 1.00 us -> 1.20 us, unsure'
run 6 tacho diff a.atp b.atp --any --fail-if 'time>+30%' --fail-if 'time >= +190ns'
has out 'time>+30%: false'
has out 'time >= +190ns: true'
for condition in 'time > +20%' 'time > +300 ns' 'time < -1%'; do
	run 0 tacho diff a.atp b.atp --any --fail-if "$condition"
done
run 6 tacho diff a.atp b.atp --fail-if 'total > +3%' --any
run 0 tacho diff b.atp a.atp --fail-if 'time > +0%' --any
run 6 tacho diff b.atp a.atp --fail-if 'time < -5%' --any
run 6 tacho diff a.atp b.atp --fail-if 'count > +0' --any
tr -s ' \n' ' ' <out >flat
has flat 'new: +4, 0 -> 4, unsure'

# With two a side, of which the files are the same, it differs; a kernel that is new was launched 0
# times before: that is known.
run 6 tacho diff a.atp,a.atp b.atp,b.atp --fail-if 'time > +3%'
tr -s ' \n' ' ' <out >flat
has flat 'slower: +19.9%, 1.00 us -> 1.20 us, p '
has flat 'a.atp is given twice in A, and counts as two runs.'
run 6 tacho diff a.atp,a.atp b.atp,b.atp --fail-if 'count > +0'
tr -s ' \n' ' ' <out >flat
has flat 'new: +4, 0 -> 4, differs'
run 0 tacho diff a.atp,a.atp a.atp,a.atp --fail-if 'count != +0'

# What does not fit together is said.
run 0 tacho diff a.atp c.atp
grep -q '^  slower .* too few *160 -> 1$' out || fail "1 launch is not too few"
has out 'Arguments differ: A has "-n 5", B "-n 6".'
has out 'Counts differ, in A and B: slower 160 and 1, equal 160 and 161.'

# Several runs: the run is the unit, 16 launches of one are not 16 values.
for i in 0 1 2 3; do
	session "a$i.atp" '' k:16:$((1000 + 3 * i)) same:16:400 wild:16:$((1000 + 400 * i))
	session "b$i.atp" '' k:16:$((1040 + 3 * i)) same:16:400 wild:16:$((1100 + 400 * i))
done
run 6 tacho diff a0.atp,a1.atp,a2.atp,a3.atp b0.atp,b1.atp,b2.atp,b3.atp --fail-if 'time > +2%'
same err 'tacho: "time > +2%" is true of 1 line, first of k'
narrow out 80
grep -q '^  same .* 0%.* noise *16$' out || fail "equal runs differ"
grep -q '^  wild .* noise *16$' out || fail "runs that differ among each other show no change"
tr -s ' \n' ' ' <out >flat
has flat 'The runs were compared by a t test, all lines together'
run 2 tacho diff a.atp,, b.atp
has err '"a.atp,," is no list of recordings'

# Other forms.
run 0 tacho diff a.atp b.atp --csv
grep -q '^name,device,measure,unit,a,a_state,.*,verdict,simulated,in_drift,matched_by,name_b.$' out || fail "no heading"
grep -q '^slower,gfx803,time,nanoseconds,1003,ok,1,160,160,1203,ok,1,160,160,200,0.1994' out ||
	fail "no row of slower"
# What is not there is empty, and absent.
grep -q '^new,gfx803,time,nanoseconds,,absent,0,0,0,82' out || fail "what is absent is a number"
[ "$(awk -F, '{print NF}' out | sort -u)" = 25 ] || fail "rows differ in length"
grep '^slower,' out | grep -qv ',false,false,name,' && fail "nothing is simulated or drifts"
# What drifts within a run, alone and among several runs a side.
for name in a1 a2 a3 b1 b2 b3; do
	session $name.atp '-n 5' risen:160:1000:3 steady:160:500
done
for sides in 'a1.atp b1.atp' 'a1.atp,a2.atp,a3.atp b1.atp,b2.atp,b3.atp'; do
	# shellcheck disable=SC2086 # two sides
	run 0 tacho diff $sides --csv
	grep '^risen,gfx803,time,' out | grep -q ',false,true,name,' || fail "no drift: $(grep risen out)"
	grep '^steady,gfx803,time,' out | grep -q ',false,false,name,' || fail "drift of what is steady"
	run 0 tacho diff $sides --json
	[ "$(grep -c '"in_drift": true' out)" = 1 ] || fail "JSON says something else than CSV"
done
run 3 tacho diff a.atp b.atp --json --fail-if 'time > +3%'
has out '"schema": "tacho.diff/1"'
has out '"condition": "time > +3%"'
if command -v python3 >/dev/null; then
	python3 - <<'EOF' || fail "the JSON does not hold what it should"
import json
diff = json.load(open("out"))
lines = {line["name"]: line for line in diff["lines"]}
time = lines["slower"]["measures"][0]
assert time["a"]["value"] == 1003 and time["b"]["value"] == 1203, time
assert time["verdict"] == "unsure" and time["together"] == 2, time
assert time["change_low"] <= time["change"] <= time["change_high"], time
assert lines["new"]["measures"][0]["a"] == {
    "value": None, "state": "absent", "runs": 0, "count": 0, "measured": 0, "kept": 0,
    "reason": None}, lines["new"]
assert not lines["new"]["in_a"] and lines["new"]["in_b"]
assert diff["conditions"][0]["true"] is None and diff["conditions"][0]["lines"] == [], diff
assert diff["warnings"] == [] and diff["tested"] == "launches" and diff["run_effect"] == 0.03
EOF
fi
session odd.atp '' 'a|b:20:100'
run 0 tacho diff odd.atp odd.atp --markdown
has out '| a\|b |'
has out '|---|--:|'
run 2 tacho diff a.atp b.atp --json --csv
has err 'give one of --json, --csv and --markdown'

# Other keys, orders, lengths.
for key in kernel api transfer queue; do
	run 0 tacho diff a.atp b.atp --by $key
done
run 0 tacho diff a.atp b.atp --by api
has out 'clEnqueueNDRangeKernel'
run 0 tacho diff a.atp b.atp --top 1
has out 'and 1 more (--top 0 shows all)'
run 0 tacho diff a.atp b.atp --sort name
[ "$(grep -n '^  equal' out | cut -d: -f1)" -lt "$(grep -n '^  slower' out | cut -d: -f1)" ] ||
	fail "names are not in order"
sed 's/gfx803/gfx900/' a.atp >other.atp
run 0 tacho diff a.atp other.atp
grep -q '^  slower .* 160$' out || fail "other devices keep the same names apart"
run 0 tacho diff a.atp other.atp --match device
has out 'A and B have these on different devices'
has out 'none that both have'
run 0 tacho diff a.atp other.atp --match name
grep -q '^  slower .* 160$' out || fail "names do not match"

# Times that a driver gave but that cannot be true are none, and the reason is told.
awk '/CL_COMMAND_NDRANGE_KERNEL.* equal / {
	for (i = 7; i <= 10; i++)
		$i = 0
} { print }' a.atp >refused.atp
run 0 tacho diff a.atp refused.atp
grep -q '^  equal *503 ns *- *- ' out || fail "times that cannot be true are compared"
has out 'time of equal in B: the session file has zeros for its times'

# Usage.
run 0 tacho diff --help
narrow out 80
run 2 tacho diff a.atp
has err 'is missing'
run 2 tacho diff a.atp b.atp c.atp
has err 'one argument too many'
run 1 tacho diff a.atp nothing-here
has err '  cause: '
run 2 tacho diff a.atp b.atp --by thread
run 2 tacho diff a.atp b.atp --level 2
for condition in 'time > 3%' 'time' '> +3%' 'time > +x' 'time > +3 parsecs' 'time => +3%' ''; do
	run 2 tacho diff a.atp b.atp --fail-if "$condition"
	has err 'cannot be read'
done
run 2 tacho diff a.atp b.atp --fail-if 'tme > +3%'
same out
has err 'did you mean time?'

# Ranges that the program named, by the names of those around them: the inner one became slower.
ranges() {
	printf 'TraceFileVersion=3.2\n=====ocl API Trace Output=====\n1\n1\n'
	printf 'CL_SUCCESS = clFinish ( 0x1 )\n=====ocl Timestamp Output=====\n1\n1\n'
	printf '51   clFinish   10   20\n=====Perfmarker Output=====\n1\n48\n'
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		printf 'clBeginPerfMarker  frame  %d  Default\n' "${i}0000"
		printf 'clBeginPerfMarker  step  %d  Default\n' "${i}1000"
		printf 'clEndPerfMarker  %d\n' $((i * 10000 + 1000 + $1 + i % 3)) $((i * 10000 + 9000))
	done
}
ranges 1000 >one.atp
ranges 1500 >other.atp
run 0 tacho diff one.atp other.atp --by range --csv
grep '^frame/step,' out >step || fail "no line for the inner range"
grep -q ',time,nanoseconds,1001,ok,1,12,12,1501,ok,1,12,12,500,0.4995' step ||
	fail "the inner range did not become slower: $(cat step)"
grep '^frame,' out | grep -q ',time,nanoseconds,9000,ok,1,12,12,9000,ok,1,12,12,0,0,' ||
	fail "the outer range changed"

# What the device ran before it did nothing, and what came then: 159 gaps of 100 ns between 160
# launches of a kernel, and one to the next.
gap=100 session near.atp '-n 5' one:160:1000 two:160:500
gap=150 session far.atp '-n 5' one:160:1000 two:160:500
run 0 tacho report near.atp --by gap
tr -s ' ' <out >flat
has flat 'one -> one 159 15.9 us 100 ns 100 ns 100 ns'
has flat 'one -> two 1 100 ns'
has flat 'two -> two 159 15.9 us'
run 0 tacho diff near.atp far.atp --by gap --csv
grep '^one -> one,' out | grep -q ',time,nanoseconds,100,ok,1,159,159,150,ok,1,159,159,50,0.5,' ||
	fail "gaps did not grow by half: $(cat out)"
run 0 tacho diff near.atp near.atp --by gap
has out 'Gaps between commands'

# Counters of a simulated device are said to be so, in CSV as in JSON; times are the driver's own.
python=/usr/bin/python3
[ -x $python ] || python=python3
$python -c 'import numpy, pyopencl' 2>/dev/null && tacho doctor opencl >out 2>err </dev/null || exit 0
for name in sim_a sim_b; do
	run 0 tacho record -q --export none --sim mi300x -m SQ_WAVES -o $name -- \
		$python "$SOURCES/tests/real/vadd.py"
done
run 0 tacho diff sim_a sim_b --csv
grep '^vadd,.*,SQ_WAVES,' out | grep -q ',true,false,name,' || fail "SQ_WAVES is not simulated: $(grep SQ_WAVES out)"
grep '^vadd,.*,time,' out | grep -q ',false,[a-z]*,name,' || fail "times are simulated"
run 0 tacho diff sim_a sim_b --json
has out '"simulated": true'

# Many times more is written out.
for calls in 1 20001; do
	{
		printf 'TraceFileVersion=3.2\n=====ocl API Trace Output=====\n1\n%s\n' $calls
		yes 'CL_SUCCESS = clFlush ( 0x5 )' | head -n $calls
		printf '=====ocl Timestamp Output=====\n1\n%s\n' $calls
		awk -v n=$calls 'BEGIN { for (i = 0; i < n; i++) print 0, "clFlush", 100 * i, 100 * i + 50 }'
	} >many-$calls.atp
done
run 0 tacho diff many-1.atp many-20001.atp
tr -s ' ' <out >flat
has flat 'API calls 1 20,001 x 20001'
run 0 tacho diff many-1.atp many-20001.atp --html=many.html
has many.html 'x 20001'
