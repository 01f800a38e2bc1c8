# SPDX-License-Identifier: MIT
# Render stages of GPUs in traces of Perfetto: made here, and those of Perfetto's own tests.
# tests/cli/foreign_perfetto.py makes them and knows the answers.

python=/usr/bin/python3
[ -x $python ] || python=python3
judge="$python $SOURCES/tests/cli/foreign_perfetto.py"
$judge make || fail "no files"

for name in states inline primary; do
	for file in $name.pftrace $name.pftrace.gz; do
		run 0 tacho export $file --to jsonl -o -
		$judge check $name <out || fail "$file"
	done
	run 0 tacho report $name.pftrace --json
	run 0 tacho check $name.pftrace
	run 0 tacho export -f $name.pftrace --to codexl,sqlite,perfetto,html -o copy
done
run 0 tacho report states.pftrace
has out 'recorded by  Perfetto'
has out 'started      2023-11-'

# tacho's own traces hold slices, not render stages: it is said.
run 0 tacho report copy.pftrace
tr -s ' \n' ' ' <out >flat
has flat 'no render stage of a GPU'

# Cut and damaged.
size=$(wc -c <states.pftrace)
head -c $((size - 10)) states.pftrace >cut.pftrace
lost cut.pftrace
{ head -c $((size - 10)) states.pftrace; printf 'zzzzzzzzzzzzzzzzzz'; } >bad.pftrace
run 1 tacho report bad.pftrace
has err 'damaged'

samples=$SOURCES/../shared/data/recordings/perfetto
[ -d "$samples" ] || exit 0
for name in kernel:gpu_compute_kernel launch:gpu_compute_launch interned:gpu_render_stages_interned_spec; do
	$judge encode "$samples/${name#*:}.textproto" upstream.pftrace || fail "${name#*:}"
	run 0 tacho export upstream.pftrace --to jsonl -o -
	$judge check ${name%:*} <out || fail "${name#*:}"
done
$judge encode "$samples/gpu_counter_specs.textproto" upstream.pftrace || fail counters
run 0 tacho report upstream.pftrace
tr -s ' \n' ' ' <out >flat
has flat 'samples of the whole device'
