# SPDX-License-Identifier: MIT
# tacho record around programs that use no GPU API: statuses, signals, names, silence.

# Nothing on stdout but the program's own bytes, and its status.
run 0 tacho record -o one -- echo hello
same out hello
[ -d one.tacho ] || fail "no recording"
[ "$(stat -c %a one.tacho)" = 700 ] || fail "others can read the recording"
has err 'recording into one.tacho'
has err 'tacho: warning: no call was recorded: '
has err 'in one.tacho; see: tacho report one'
has_not err 'wall time'
[ "$(echo one.*)" = one.tacho ] || fail "exports that nobody asked for: $(ls)"

# A report and exports when they are asked for, and what became of it as JSON.
run 0 tacho record -o asked --report --export codexl,jsonl --json asked.json echo hello
same out hello
has err 'no calls'
has_not err 'no call was recorded'
has err 'in asked.tacho; see: tacho report asked'
for suffix in atp csv occupancy jsonl; do
	[ -s asked.$suffix ] || fail "asked.$suffix was asked for"
done
has asked.json '"schema": "tacho.ending/1"'
has asked.json '"exit_status": 0'
has asked.json '"class": null'
run 125 tacho record -o other --json asked.json touch ran
has err 'asked.json exists already'
run 9 tacho record -q -f -o other --json asked.json sh -c 'exit 9'
has asked.json '"exit_status": 9'

# What goes on in the background may still make calls: it is named.
run 0 tacho record -o left sh -c 'sleep 2 &'
has err ', which the program had started, went on when it ended, and had made no call yet; '

# What it says to type can be typed.
run 0 tacho record -o 'of two words' true
has err "see: tacho report 'of two words'"
run 0 tacho record -o -dash true
has err 'see: tacho report ./-dash'

# An export that fails is loud: it is the status of a program that succeeded, and in the JSON.
run 125 tacho record -q -o unwritten --export codexl,jsonl --json written.json \
	sh -c 'mkdir unwritten.jsonl'
has err 'cannot create unwritten.jsonl [class 1: failed]'
has written.json '"exit_status": 0'
has written.json '"export_class": "failed"'
[ -s unwritten.atp ] || fail "the other format was not written"
rmdir unwritten.jsonl
run 4 tacho record -q -f -o unwritten --export jsonl --json written.json -f \
	sh -c 'mkdir unwritten.jsonl; exit 4'
has err 'cannot create unwritten.jsonl'
has_not err class
has written.json '"export_class": "failed"'
run 0 tacho record -q -f -o good --export jsonl --json written.json true
has written.json '"export_class": null'
run 125 tacho record -q -f -o unwritten --export csv touch ran
has err '--export csv has nothing to write [class 2: usage]'
run 125 tacho record -q -f -o unwritten --export programs touch ran
has err '--export programs has nothing to write [class 2: usage]'
[ -e ran ] && fail "the program ran for an export that cannot be"
if [ -w /dev/full ]; then
	run 125 tacho record -q -f -o good --json /dev/full true
	has err '/dev/full could not be written [class 1: failed]'
	run 5 tacho record -q -f -o good --json /dev/full sh -c 'exit 5'
	has err '/dev/full could not be written'
	has_not err class
fi

# A limit on the size of files is an error of the export, and no end in the middle of it.
run 1 sh -c 'ulimit -f 8; tacho export good --to html -o limited'
has err 'File too large'
[ "$(echo limited*)" = 'limited*' ] || fail "a part of a page was left"

# A tacho that was killed while it replaced a recording: the next one gives that its name back, or
# removes it when its successor has begun. What else has such a name stays.
run 7 tacho record -q -o older sh -c 'exit 7'
mv older.tacho .older.tacho.replaced-99999
mkdir -m 700 older.tacho
cp .older.tacho.replaced-99999/meta.json older.tacho
: >older.tacho/calls-1.bin
mkdir .older.tacho.replaced-1 .older.tacho.replaced-x
touch .older.tacho.replaced-1/mine
run 125 tacho record -q -o older true
has err 'cannot create older.tacho'
[ "$(echo older.* .older.*)" = 'older.tacho .older.tacho.replaced-1 .older.tacho.replaced-x' ] ||
	fail "$(echo older.* .older.*)"
run 0 tacho report older
has out 'exit status  7'
mv older.tacho .older.tacho.replaced-99999
run 125 tacho record -q -o older true
run 0 tacho report older
has out 'exit status  7'
cp -R older.tacho .older.tacho.replaced-99999
run 0 tacho record -q -f -o older true
[ -e .older.tacho.replaced-99999 ] && fail "what was replaced was left"

# Of those that replace one recording at the same instant one does, and others wait or are refused.
for number in 1 2 3 4; do
	tacho record -q -f -o older sh -c 'sleep 0.2' 2>err.$number &
done
wait
cat err.? >err
has_not err 'cannot create'
has_not err 'lost:'
[ -e older.tacho/end.json ] || fail "no recording is whole"
ls -d .older.tacho.replaced-[0-9][0-9]* 2>/dev/null && fail "something was left"

# What contradicts itself is refused before anything runs.
# refuses TEXT OPTION...
refuses() {
	text=$1
	shift
	run 125 tacho record -o no "$@" touch ran
	has err "$text"
	has err '[class 2: usage]'
}
refuses '--report and -q exclude each other' --report -q
refuses '--report and --no-report exclude each other' --report --no-report
refuses '--calls and --no-calls exclude each other' --calls 'clEnqueue*' --no-calls
refuses 'a name in --calls is empty' --calls 'clFinish,,clFlush'
refuses 'a name in --calls is empty' --calls ''
refuses '--ring is more than three quarters of --max-size' --ring 8M --max-size 10M
refuses '--ring is 999 kB, and no recording is of less than 1.00 MB' --ring 999K
refuses '--max-size is 1 B' --max-size 1
for size in 0 -1 x 1.5G 1KM 99999999T K ''; do
	refuses 'which is no size' --ring "$size"
done
[ -e ran ] && fail "the program ran all the same"
[ -e no.tacho ] && fail "a refused run left a recording"
run 0 tacho record -q -o bounded --max-size 10M --ring 7M --calls 'clEnqueue*,clFinish' \
	--calls clFlush --sync true
run 0 tacho record -q -f -o bounded --no-calls --strict true
run 0 tacho record -q -f -o bounded --max-size 10m true
run 125 tacho record -o not/there true
has err 'each folder in it has to be there'

run 3 tacho record -q -o two sh -c 'exit 3'
same out
has_not err 'recording into'
has err 'tacho: warning: no call was recorded: '
run 143 tacho record -q -o three sh -c 'kill -TERM $$'
run 137 tacho record -q -o four sh -c 'kill -KILL $$'

# Options end at the program.
run 0 tacho record -q -o five echo -q --export x -o y
same out '-q --export x -o y'

# Input is the program's.
echo input | tacho record -q -o six cat >out 2>err || fail "cat failed"
same out input

# env(1)'s statuses.
run 127 tacho record -o no ./does-not-exist
same out
has err 'tacho: '
echo text >plain
run 126 tacho record -o no ./plain
run 126 tacho record -o no .
[ -e no.tacho ] && fail "a refused program left a recording"

# Nothing is replaced without -f.
run 125 tacho record -q -o one true
has err '-f'
run 0 tacho record -q -f -o one true
: >seven.atp
run 125 tacho record -q --export codexl -o seven true
has err 'seven.atp exists already'
[ -e seven.tacho ] && fail "a refused run left a recording"
run 0 tacho record -q -o seven true
[ -s seven.atp ] && fail "an export that nobody asked for"

# Names.
run 0 env SLURM_PROCID=5 WORD=word tacho record -q -o 'r%r-%q{WORD}-%%' true
[ -d 'r5-word-%.tacho' ] || fail "the name was not expanded: $(ls)"

# Default names never collide.
run 0 tacho record -q true
run 0 tacho record -q true
[ "$(ls -d true-*.tacho | wc -l)" = 2 ] || fail "not two recordings: $(ls)"

# Interrupts reach the program; the launcher stays and keeps its status.
cat >waits <<'END'
trap 'echo got TERM; exit 9' TERM
trap 'echo got HUP; exit 10' HUP
: >ready
while :; do sleep 0.1; done
END
signals='TERM HUP'
# Under nohup(1) SIGHUP, bit 0, is ignored, and a shell cannot trap what was ignored before it.
case $(sed -n 's/^SigIgn:[[:blank:]]*//p' /proc/self/status) in
*[13579bdf]) signals=TERM ;;
esac
for signal in $signals; do
	rm -f ready
	tacho record -q -f -o signals sh waits >out 2>err &
	launcher=$!
	tries=0
	until [ -e ready ]; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] || fail "the program did not start"
		sleep 0.1
	done
	kill -$signal $launcher
	wait $launcher
	got=$?
	[ $got = 9 ] || [ $got = 10 ] || fail "status $got after SIG$signal"
	same out "got $signal"
done

# The report on such a run.
run 0 tacho report one
same err
has out 'exit status  0'
has out 'no calls'
run 0 tacho report one --json
has out '"schema": "tacho.report/1"'
has out '"calls": 0'
has out '"device_busy_ns": null'
has_not out '"why_empty": ""'

# Exports of it, where they were asked to be.
run 0 tacho export one --to jsonl -o 'copy-%%'
same out 'copy-%.jsonl'
[ -s copy-%.jsonl ] || fail "no export"
run 1 tacho export one --to jsonl -o copy-%%
has err 'copy-%.jsonl'
run 0 tacho export one --to jsonl,codexl -f -o copy-%%
same out 'copy-%.jsonl' 'copy-%.atp' 'copy-%.csv' 'copy-%.occupancy'
run 0 tacho export one --to perfetto -o copy
same out copy.pftrace
[ -s copy.pftrace ] || fail "no trace"
run 1 tacho export one --to perfetto -o copy
has err copy.pftrace
run 1 tacho export one --to programs -o copy
has err '--keep-programs'

# Options about counters are checked when nothing is counted, too.
for choice in '--sim nosuch' '-d nosuch' '--sim mi300x --kernels nosuch' '-k regex:('; do
	# shellcheck disable=SC2086 # words
	run 125 tacho record -o unasked $choice true
	[ ! -e unasked.tacho ] || fail "a recording was made with $choice"
done

# A recording is replaced when the new one begins, not when that cannot.
run 0 tacho record -q -f -o kept sh -c 'exit 0'
cksum kept.tacho/meta.json >before
run 125 sh -c 'ulimit -f 10; exec tacho record -q -f -o kept true'
cksum kept.tacho/meta.json | cmp - before || fail "it was replaced by none"
[ "$(ls -d kept*)" = kept.tacho ] || fail "more than it: $(ls -d kept*)"
run 0 tacho record -q -f -o kept true
cksum kept.tacho/meta.json | cmp -s - before && fail "it was not replaced"
[ "$(ls -d kept*)" = kept.tacho ] || fail "more than it: $(ls -d kept*)"

# What cannot be run is told with what to do about it.
printf '#!/bin/sh\necho ran\n' >script.py
run 126 tacho record ./script.py
has err 'python3 ./script.py'
for name in . .. / ./ ../.. ./..; do
	run 125 tacho record -o $name true
	has err "the name is \"$name\""
done
run 0 tacho record -q -o ./.hidden true
[ -d .hidden.tacho ] || fail "a name that begins with a dot"
run 127 tacho record script.py
has err 'python3 script.py'
chmod +x script.py
run 127 tacho record script.py
has err 'write ./script.py'
for interval in 0 -1; do
	run 125 tacho record -I $interval -m task-clock true
	has err 'give a whole number, 1 or more'
done

# Whoever ends tacho while it begins leaves nothing that is in the way of the next one.
for pause in 0 1 2 3 4 5 6 7 8 9 11 13 16 20 25 30 40 50 60 80; do
	tacho record -f -q -o early true >out 2>err &
	sleep "$(printf '0.%03d' $pause)"
	kill -TERM $! 2>/dev/null
	wait $!
	early=$?
	[ ! -e early.tacho ] || [ -e early.tacho/meta.json ] || fail "after $pause ms: $(ls early.tacho)"
	case $early in
	0 | 143) ;;
	*) fail "after $pause ms: status $early: $(cat err)" ;;
	esac
done
run 0 tacho record -f -q -o early true

# What is left where tacho is killed while it begins is replaced.
for pause in 0 1 2 3 4 5 6 7 8 9 11 13 16 20 25 30; do
	tacho record -f -q -o killed true >out 2>err &
	sleep "$(printf '0.%03d' $pause)"
	kill -KILL $! 2>/dev/null
	wait $! 2>/dev/null
	run 0 tacho record -f -q -o killed true
done
mkdir strange.tacho
run 0 tacho record -f -q -o strange true
rm strange.tacho/meta.json strange.tacho/end.json
echo '{' >strange.tacho/meta.json.A1b2C3
touch strange.tacho/calls-0.bin
run 0 tacho record -f -q -o strange true
has strange.tacho/meta.json tacho.meta/1
# So is nothing else, whatever its name, and nothing that another tacho makes just now.
rm -r strange.tacho
mkdir strange.tacho
for name in notes.txt calls-of-mine.txt meta.jsonl; do
	touch strange.tacho/$name
	run 125 tacho record -f -o strange true
	has err "so it is no recording, and there is $name in it"
	rm strange.tacho/$name
done
exec 9<strange.tacho
flock 9
run 125 tacho record -f -o strange true
has err 'another tacho is recording into it'
exec 9<&-
[ -d strange.tacho ] || fail "a folder that another tacho has is gone"

# Whoever kills tacho leaves no memory behind: none that has a name before its keeper lives, and when
# a recording is replaced, that of its keeper, which was killed with it.
memory=$(mktemp -d /dev/shm/tacho-cli-XXXXXX 2>/dev/null) || exit 0
trap 'rm -rf "$work" "$memory"' EXIT
XDG_RUNTIME_DIR=$memory
export XDG_RUNTIME_DIR
for pause in 0 2 3 4 5 6 7 8 9 10 11 12 13 15 17 20; do
	tacho record -f -q -o killed true >out 2>err &
	sleep "$(printf '0.%03d' $pause)"
	kill -KILL $! 2>/dev/null
	wait $! 2>/dev/null
done
run 0 tacho record -f -q -o killed true
[ -z "$(ls "$memory")" ] || fail "left of tacho that was killed: $(ls "$memory")"
tacho record -q -o both sleep 30 >out 2>err &
launcher=$!
until [ -e both.tacho/meta.json ]; do
	sleep 0.01
done
children=$(cat /proc/$launcher/task/$launcher/children)
kill -KILL $launcher $children
[ -n "$(ls "$memory")" ] || fail "nothing to take the rest of a recording from"
run 0 tacho record -f -q -o both true
[ -z "$(ls "$memory")" ] || fail "left of a recording that was replaced: $(ls "$memory")"
