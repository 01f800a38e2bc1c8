# SPDX-License-Identifier: MIT
# A CUDA program, recorded over the fakes, in other tools' files; and those read as a recording.

TACHO_CUPTI=$FAKE_CUPTI_FILE
export TACHO_CUPTI
LD_LIBRARY_PATH=${FAKE_CUDA_LIBRARY%/*} run 0 tacho record -q -o graph -- "$FAKE_CUDA_PROGRAM" graph

# Nodes of a graph are work that nobody called: 3 launches of 2 kernels, a fill and a read.
run 0 tacho report graph
has out '6 kernel launches, 6 transfers'
run 0 tacho export graph --to jsonl
[ "$(grep -c '"bare": true' graph.jsonl)" = 12 ] || fail "not 12 nodes without a call"
kernel='scale(float\*, float, unsigned int)'
grep '"function": "graph_kernel"' graph.jsonl | grep -q "\"kernel\": {\"id\": 1, \"name\": \"$kernel\"}" ||
	fail "a node without its kernel"

# Session files have sections of their own for them, and are read as the same recording.
run 0 tacho export graph --to codexl
grep -q '^=====cuda API Trace Output=====$' graph.atp || fail "no section for CUDA"
grep -q '^=====ocl ' graph.atp && fail "a section for OpenCL"
[ "$(grep -c ' /\*no call\*/$' graph.atp)" = 12 ] || fail "not 12 lines without a call"
grep -q '^#API=cuda$' graph.csv || fail "the .csv names another API"
[ "$(grep -c '^scale(.*)__k1_Fake_GF100_80GB1, ' graph.csv)" = 6 ] || fail "not 6 launches"
mkdir again
run 0 tacho export graph.atp --to codexl -o again/graph
for file in graph.atp graph.csv; do
	cmp "$file" "again/$file" || fail "$file is another when it was read"
done
run 0 tacho report graph.atp
has out '6 kernel launches, 6 transfers'
has out 'scale(float'
has_not out 'fit no call'

# Streams are lanes, by the names that they have.
run 0 tacho export graph --to html
grep -q '"label":"queue 1, default stream"' graph.html || fail "no lane for the stream"
run 0 tacho export graph --to perfetto
grep -aq 'queue 1, default stream' graph.pftrace || fail "no track for the stream"
