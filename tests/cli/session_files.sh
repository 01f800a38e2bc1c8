# SPDX-License-Identifier: MIT
# Session files of CodeXL and rcprof in place of recordings.
vectors=$SOURCES/tests/data/codexl/import

cp "$vectors"/nbody.* .
run 0 tacho report nbody.atp
same err
has out 'program      /home/u/nbody --steps 3'
has_not out 'wall time'
has_not out 'exit status'
has out '12 by 2 threads'
has out '1 kernel launch, 1 transfer'
# Kernels are chosen by name; the time goes from the first call to the last known moment.
has out 'that are known the run spent'
kernel=step
for choice in "-k $kernel" "-k ${kernel%??}*" "-k regex:^$kernel\$" "--exclude other"; do
	# shellcheck disable=SC2086 # words
	run 0 tacho report nbody.atp --by kernel $choice
	has out "  $kernel "
done
for choice in "-k other" "--exclude $kernel"; do
	# shellcheck disable=SC2086 # words
	run 0 tacho report nbody.atp --by kernel $choice
	has_not out "  $kernel "
done
run 2 tacho report nbody.atp -k 'regex:('
run 0 tacho report nbody.atp
has out '  step        1  6.00 us'
has out 'Kernel occupancy, percent'
has out 'Calls of these functions were not recorded: clRetainEvent,clReleaseEvent.'
cp out by_atp

# The base name means the same files; a folder of that name comes first.
run 0 tacho report nbody
has out '1 kernel launch, 1 transfer'
mkdir nbody.tacho
run 1 tacho report nbody
has err 'nbody.tacho is not a recording'
rmdir nbody.tacho

# Written twice, at other times, the files are the same byte by byte: but for their name, which they hold.
mkdir first second
for folder in first second; do
	run 0 tacho export nbody.atp --to codexl -o $folder/name
done
for suffix in atp csv occupancy; do
	cmp first/name.$suffix second/name.$suffix || fail "two exports differ"
done

# One file alone: rows are launches.
run 0 tacho report nbody.csv
has out '2 kernel launches, 0 transfers'
has out '  step        2  12.0 us'
has out 'L2Hit'
has_not out 'Kernel occupancy'
run 0 tacho report nbody.csv --json
has out '"exit_status": null'
has out '"start_ns": null'
run 0 tacho report nbody.occupancy
has out 'Kernel occupancy, percent'

# Exports are named after the session, not after its file.
run 0 tacho export nbody.atp --to jsonl
same out nbody.jsonl
has nbody.jsonl '"caller": "step all (/home/u/nbody.c:40)"'
has nbody.jsonl '"repeats": 4'
has nbody.jsonl '"uncertainty_ns": null'
run 1 tacho export nbody.atp --to codexl
has err 'nbody.atp'
mkdir again
run 0 tacho export nbody.atp --to codexl -o again/nbody
has again/nbody.atp '/*5 consecutive calls*/'
has again/nbody.csv '         0.00600, 2048, 24, 18, 0'
# Once more, and now nothing changes.
mkdir third
run 0 tacho export again/nbody.atp --to codexl -o third/nbody
cmp again/nbody.atp third/nbody.atp || fail "the .atp changed"
cmp again/nbody.csv third/nbody.csv || fail "the .csv changed"

# The same on standard output, where the format is one file.
for format in csv:values.csv html:html jsonl:jsonl perfetto:pftrace; do
	run 0 tacho export nbody.atp --to ${format%%:*} -o stream
	run 0 tacho export nbody.atp --to ${format%%:*} -o -
	same err
	[ -s out ] || fail "nothing came out of ${format%%:*}"
	cmp out stream.${format#*:} || fail "-o - writes another ${format%%:*}"
done
[ ! -e ./- ] || fail "-o - made a file"
run 1 tacho export nbody.atp --to codexl -o -
has err 'codexl cannot be written as a stream'
has err 'three files'
run 1 tacho export nbody.atp --to programs -o -
has err 'a folder of files'
run 1 tacho export nbody.atp --to sqlite -o -
has err 'SQLite'
same out
run 2 tacho export nbody.atp --to csv,jsonl -o -
has err 'several formats'

# A format that cannot be written keeps no other from being written, and the status tells it.
run 1 tacho export nbody.atp --to programs,jsonl,html -o some
[ -s some.jsonl ] || fail "a format behind one that failed was not written"
same out some.jsonl some.html
has err 'there is nothing to write to some.programs'
has err 'not written: programs; the others are'
# The files of the second time are in the way, of one format: the other is written.
run 1 tacho export nbody.atp --to jsonl,perfetto -o some
has err 'some.jsonl'
[ -s some.pftrace ] || fail "a format behind one whose file exists was not written"
if [ -w /dev/full ]; then
	run 1 sh -c 'tacho export nbody.atp --to jsonl -o - >/dev/full'
	has err 'No space left on device'
fi

cp "$vectors"/hsa.atp .
run 0 tacho report hsa.atp
has out 'void scale<float>(float*, float)'
has out '4 kernel launches, 1 transfer'
has out '1 HSA packet without times is left out.'
run 0 tacho export hsa.atp --to jsonl
has hsa.jsonl '"queued_ns": null, "submit_ns": null, "start_ns": 20000, "end_ns": 29000'
has hsa.jsonl '"agent": "{handle=24240912,name=Intel(R) Core(TM)}"'
has hsa.jsonl '"bare": true'

cp "$vectors"/stream.csv .
run 0 tacho report stream.csv
has out '  axpy        2  38.9 ms'
has out '2 commands on an unknown device have no times'
has_not out 'refused'

# What is none.
run 1 tacho report "$vectors"/graphics.atp
has err 'of version 1 of the format'
echo text >a.atp
run 1 tacho report a.atp
has err 'a.atp is no .atp file'
echo text >a.csv
run 1 tacho report a.csv
has err 'a.csv is no session file'
run 1 tacho report no.atp
has err 'cannot read no.atp'
run 1 tacho report no
has err 'cannot open recording no'

# A semicolon separates: commas stand before decimals then.
cat >comma.csv <<'END'
#ListSeparator=;
Method; ExecutionOrder; ThreadID; CallIndex; GlobalWorkSize; WorkGroupSize; Time; VALUBusy
mul__k1_gfx9001; 1; 12; 3; {    512       1       1}; {   64     1     1};         0,03000; 87,5
END
run 0 tacho export comma.csv --to jsonl -o -
has out '"duration_ns": 30000'
has out '"value": 87.5'
tr ';,' ',.' <comma.csv >point.csv
run 0 tacho export point.csv --to jsonl -o -
has out '"duration_ns": 30000'
has out '"value": 87.5'

# A line without a cell for each column is no launch, and is told.
(cat point.csv; echo 'a, b') >short.csv
run 0 tacho report short.csv
has out '1 kernel launch, 0 transfers'
has out '5 bytes'
run 1 tacho export short.csv --to jsonl -o -
has err 'not whole'

# Times of another function than the call's: nothing behind them can be trusted to.
sed '/ocl Timestamp/,$ { s/^66   clEnqueueNDRangeKernel  \(.*4500\)/51   clFinish  \1/ }' nbody.atp >wrong.atp
cmp -s nbody.atp wrong.atp && fail "nothing is wrong"
run 0 tacho report wrong.atp
tr -s ' \n' ' ' <out >flat
has flat 'wrong.atp has times of clFinish for a call of clEnqueueNDRangeKernel by thread 101: from there on its times belong to other calls'
has flat '3 calls'
has flat '5 by 2 threads'
run 1 tacho export wrong.atp --to jsonl -o -
has err 'clFinish'
run 1 tacho check wrong.atp
