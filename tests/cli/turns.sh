# SPDX-License-Identifier: MIT
# tacho diff --run: programs that are run in turns, and what becomes of their recordings.
unset CUDA_INJECTION64_PATH FAKE_CUDA FAKE_CUDA_LOG LD_LIBRARY_PATH CUDA_MPS_PIPE_DIRECTORY
TACHO_CUPTI=$FAKE_CUPTI_FILE
TMPDIR=$PWD/tmp
export TACHO_CUPTI TMPDIR FAKE_CUDA_PROGRAM
mkdir "$TMPDIR"
add="'$FAKE_CUDA_PROGRAM' add"

# Whatever the end of the command: nothing of it stays.
gone() {
	[ -z "$(ls -A "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"
}

# number KEY: of the JSON in out.
number() {
	sed -n "s/^ *\"$1\": \([0-9]*\),\{0,1\}\$/\1/p" out | head -n 1
}

# flat FILE: its text without the ends of lines.
flat() {
	tr -s ' \n' ' ' <"$1" >flat
}

# One program alone, in an order that the seed decides, after one pair to warm up. What it prints is
# not shown, and only we can look at its recordings.
run 0 tacho diff --run 3 --seed 5 "$add" --prepare 'echo A >>order; stat -c %a "$TMPDIR"/* >>modes' \
	--prepare 'echo B >>order'
gone
[ "$(tr -d '\n' <order)" = ABABBAAB ] || fail "the order is $(tr -d '\n' <order)"
[ "$(sort -u modes)" = 700 ] || fail "others can look at the recordings"
has_not out sum
has_not err sum
has err 'tacho: 3 pairs after 1 to warm up, drawn with --seed 5; a recording takes at most'
has err 'tacho: pair 3 of 3: A '
narrow out 80
has out 'Programs, wall time with the recorder in them'
[ "$(grep -c '^  [AB]  *3  ' out)" = 2 ] || fail "not three runs a side"
grep -q '^  add(.* 1$' out || fail "no line of a kernel"
has_not out "$TMPDIR"
grep -q '^  B against A: [-+<>0]' out || fail "the programs are not compared"
flat out
has flat '6 runs in turns, 3 of 3 pairs complete. Who began in a pair was drawn with --seed 5.'
has flat 'A and B are the same program'

# Two, with the status of conditions; as JSON, which is all that stdout has.
run 6 tacho diff --run 2 --warmup 0 -q --json --fail-if 'count > +0' "$add" "$FAKE_CUDA_PROGRAM many 6"
gone
same err 'tacho: "count > +0" is true of 1 line, first of count(unsigned int*)'
if command -v python3 >/dev/null; then
	python3 - <<'END' || fail "the JSON does not hold what it should"
import json
diff = json.load(open("out"))
turns = diff["turns"]
assert turns["pairs"] == turns["pairs_asked"] == 2 and turns["warmup"] == 0, turns
assert turns["ended_by"] == "run" and turns["until"] is None, turns
assert sorted((run["pair"], run["side"]) for run in turns["runs"]) == [
    (1, "a"), (1, "b"), (2, "a"), (2, "b")], turns
assert all(run["wall_ns"] > 0 and run["exit_status"] == 0 for run in turns["runs"])
assert diff["a"]["recordings"] == ["a/1.tacho", "a/2.tacho"], diff["a"]
wall = diff["wall"]
assert wall["name"] == "wall" and wall["a"]["runs"] == wall["b"]["runs"] == 2, wall
for side in "ab":
    times = [run["wall_ns"] for run in turns["runs"] if run["side"] == side]
    mean = (times[0] * times[1]) ** 0.5
    assert abs(wall[side]["value"] - mean) < 1e-9 * mean, (wall, times)
END
fi
run 6 tacho diff --run 2 --warmup 0 -q --any --ignore-failure --fail-if 'wall != +0%' true
same err 'tacho: "wall != +0%" is true of 1 line, first of the program'
run 3 tacho diff --run 1 --fail-if 'time > +1%' "$add"
has err '--fail-if needs two runs or more a side'
run 0 tacho diff --run 1 --warmup 0 --show-output --csv "$add"
grep -q '^the program,,wall,nanoseconds,[1-9]' out || fail "no row of the program"
has_not out sum
[ "$(grep -c '^sum' err)" = 2 ] || fail "the programs' output is not shown"

# Until the intervals are narrow, or the number is reached.
run 0 tacho diff --run 50 --until 100000% --warmup 0 -q --json "$add"
has out '"ended_by": "until"'
[ "$(number pairs)" = 6 ] || fail "$(number pairs) pairs"
run 0 tacho diff --run 7 --until 0.000001% --warmup 0 -q --json "$add"
has out '"ended_by": "run"'
[ "$(number pairs)" = 7 ] || fail "$(number pairs) pairs"
gone

# A run that fails ends it, and says which and why.
cat >fails <<'END'
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "message $i" >&2; done
"$FAKE_CUDA_PROGRAM" add
exit 3
END
run 1 tacho diff --run 2 "$add" 'sh fails'
gone
same out
has err 'tacho: warming up, B: the program failed'
has err 'its exit status is 3'
has err '--ignore-failure'
has err '  | message 12'
has_not err '  | message 2'
run 1 tacho diff --run 2 --warmup 0 --seed 5 "$add" 'sh -c "kill -SEGV \$\$"'
has err 'tacho: pair 1 of 2, B: the program failed'
has err 'as of signal 11'
run 0 tacho diff --run 1 --warmup 0 --ignore-failure --json "$add" 'sh fails'
has out '"exit_status": 3'
run 3 tacho diff --run 2 "$add" true
has err 'warming up, B: no call was recorded'
run 0 tacho diff --run 1 --warmup 0 --ignore-failure true
has out 'a/1.tacho: no call was recorded'
run 1 tacho diff --run 2 "$add" ./nothing-here
has err 'cannot run ./nothing-here'
run 1 tacho diff --run 2 --prepare 'echo why; exit 4' "$add"
has err 'warming up, A: what is to prepare it failed: echo why; exit 4'
has err '  | why'
gone

# Ctrl-C: what was completed is compared; between runs, and while a program runs.
run 130 tacho diff --run 9 --warmup 0 --seed 5 "$add" \
	--prepare 'echo >>count; [ "$(wc -l <count)" -lt 6 ] || kill -INT $PPID'
gone
has err 'stopped by signal 2'
has err ': 3 runs of A and 2 of B were completed; 2 pairs of them are compared'
flat out
has flat '5 runs in turns, 2 of 9 pairs complete; then a signal stopped it.'
cat >stops <<'END'
echo $$ >pid
kill -$1 $PPID
exec sleep 60
END
for signal in INT:130 TERM:143; do
	run ${signal#*:} tacho diff --run 2 "sh stops ${signal%:*}"
	has err 'there is nothing to compare'
	kill -0 "$(cat pid)" 2>/dev/null && fail "the program still runs"
	gone
done
# Who ends tacho at once leaves nothing either.
run 137 tacho diff --run 2 "sh stops KILL"
kill "$(cat pid)"
tries=0
until [ -z "$(ls -A "$TMPDIR")" ] || [ $((tries += 1)) -gt 300 ]; do
	sleep 0.1
done
gone

# Recordings that are kept, and compared again.
run 0 tacho diff --run 2 -o kept "$add"
has err 'tacho: 4 recordings in kept; see: tacho diff --paired kept/a kept/b'
[ "$(echo kept/*/*)" = 'kept/a/1.tacho kept/a/2.tacho kept/b/1.tacho kept/b/2.tacho' ] ||
	fail "kept are $(echo kept/*/*)"
[ "$(stat -c %a kept)" = 700 ] || fail "others can look at the recordings"
grep '^  add' out >before
tr -s ' \n' ' ' <out >flat
has flat 'The ratios of pairs were compared by a t test'
run 0 tacho diff --paired kept/a kept/b
grep '^  add' out >after
cmp before after || fail "the same recordings compare otherwise"
run 0 tacho diff --paired --json kept/a kept/b
has out '"tested": "pairs"'
run 0 tacho diff --json kept/a kept/b
has out '"tested": "runs"'
run 2 tacho diff --paired kept/a kept/b/1
has err 'A has 2 and B 1'
run 1 tacho diff --run 2 -o kept "$add"
has err 'kept/a exists already'
run 0 tacho diff --run 1 --warmup 0 -f -o kept "$add"
[ "$(echo kept/*/*)" = 'kept/a/1.tacho kept/b/1.tacho' ] || fail "kept are $(echo kept/*/*)"
run 1 tacho diff --run 1 -o no/such/folder "$add"
has err 'no/such/folder cannot be made'

# Lines are words as a shell's, with variables of their own; what else a shell would do is refused.
cat >words <<'END'
printf '[%s]' "$VALUE" "$@" >>words-seen
END
rm -f words-seen
VALUE=mine run 0 tacho diff --run 1 --warmup 0 --seed 5 --ignore-failure \
	"VALUE='a b' VALUE=c\\ d sh words \"e 'f\" g\"h i\"'j' '' \\\$k" 'sh words'
[ "$(cat words-seen)" = "[c d][e 'f][gh ij][][\$k][mine]" ] || fail "the words are $(cat words-seen)"
for line in 'a | b' 'a; b' 'a > b' 'a *.c' 'a $b' 'a "$b"' 'a `b`' 'a &' 'a ~/b' 'a #b' '(a)' 'a ?' 'a
b'; do
	run 2 tacho diff --run 1 "$line"
	has err '--shell'
done
for line in '' ' ' "a 'b" 'a "b' 'a \' 'A=b' "''"; do
	run 2 tacho diff --run 1 "$line"
done
run 0 tacho diff --run 1 --warmup 0 --shell "$add | cat >sum; echo \$((1 + 1)) >two"
has sum 'sum 16785408'
same two 2
echo input | tacho diff --run 1 --warmup 0 --ignore-failure 'sh -c "cat >>input"' >out 2>err ||
	fail "cat failed"
same input

# Counters, and what bounds a recording.
run 0 tacho diff --run 1 --warmup 0 --max-size 5M --calls 'cuLaunch*' --by api "$add"
has err 'a recording takes at most 5.00 MB'
has out cuLaunchKernel
has_not out cuMemAlloc

# On a terminal a line says how far it is.
TERM=xterm "$PTY" 24 100 tacho --no-pager diff --run 1 --warmup 0 "$add" >out
has out 'tacho: pair 1 of 1, A ...'

# Usage.
for options in '--run 0' '--run x' '--run 1 --until 1' '--run 1 --until 0%' '--run 1 --until x%' \
	'--run 1 --prepare a --prepare b --prepare c' '--run 20000' '--run 1 --max-size 1' '--until 1%' \
	'-o x' '--seed 1' '--shell' '-m all'; do
	# shellcheck disable=SC2086 # words
	run 2 tacho diff $options "$add" "$add"
done
run 2 tacho diff "$add"
has err 'A or B is missing'
run 2 tacho diff --run 1
run 2 tacho diff --run 1 a b c
gone
