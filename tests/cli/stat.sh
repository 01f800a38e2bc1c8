# SPDX-License-Identifier: MIT
# tacho stat: statuses, signals, output, and counts of programs whose counts are known.

tacho doctor perf >out 2>err || skip "the kernel counts nothing here"

# value NAME: what the CSV in err has in its first row.
value() {
	tr -d '\r' <err | awk -F , -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		NR == 2 { print $at }'
}

# The program's bytes and status; the table is on stderr.
run 0 tacho stat echo hello
same out hello
has err 'perf:linux, echo hello'
has err 'task-clock'
has err 's elapsed'
run 3 tacho stat -m page-faults -- sh -c 'exit 3'
same out
has err 'page-faults'
run 143 tacho stat sh -c 'kill -TERM $$'
has err 'page-faults'
run 137 tacho stat sh -c 'kill -KILL $$'
run 0 tacho stat echo -q --json -o y
same out '-q --json -o y'
echo input | tacho stat cat >out 2>err || fail "cat failed"
same out input

# Refused before the start, with the class; the program did not run.
run 125 tacho stat
has err 'PROGRAM is missing'
run 125 tacho stat --json --csv touch ran
has err '[class 2: usage]'
run 125 tacho stat -m nonsense touch ran
has err 'has no counter, metric or set "nonsense"'
run 125 tacho stat -m page-faultss touch ran
has err 'page-faults'
for mode in serialized pipelined; do
	run 125 tacho stat -m task-clock:$mode touch ran
	has err "cannot count $mode"
	has err 'no thread waits for another'
done
run 125 tacho stat -d perf:nothing touch ran
has err 'there is no device'
run 125 tacho stat -d 4096 touch ran
has err 'there is no device 4096'
has err 'perf:linux'
run 125 tacho record -d 4096 -m task-clock touch ran
has err 'there is no device 4096'
run 125 tacho stat -d 99999999999999999999999 touch ran
has err 'there is no device 99999999999999999999999'
run 125 tacho stat -m msr/nothing/ touch ran
run 125 tacho stat --passes x touch ran
run 125 tacho stat --replay maybe touch ran
has err 'auto, process, none'
run 125 tacho stat -o none/x touch ran
has err 'none/x cannot be written to'
[ -e ran ] && fail "a refused program ran"
run 127 tacho stat ./does-not-exist
same out
same err 'tacho: ./does-not-exist cannot be executed' '  cause: No such file or directory' \
	'  cure:  check the name and PATH'
echo text >plain
run 126 tacho stat ./plain

# Without rights the machine as a whole is refused.
if [ "$(id -u)" != 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 0 ]; then
	run 125 tacho stat -a touch ran
	has err '[class 4: permission]'
	has err 'kernel.perf_event_paranoid is '
	has err 'sysctl kernel.perf_event_paranoid=0'
	[ -e ran ] && fail "a refused program ran"
elif [ "$(id -u)" = 0 ]; then
	run 0 tacho stat -a -m task-clock --csv sleep 0.1
	# every CPU's clock runs
	clock=$(value task-clock)
	[ "${clock:-0}" -ge 100000000 ] || fail "the machine's clock ran ${clock:-not}"
fi

# A device by its number, which counts the devices of all backends.
run 0 tacho list devices --json
number=$(sed -n '/"devices"/,$p' out | sed -n 's/.*"index": \([0-9]*\),.*/\1/p; /"name": "linux"/q' |
	tail -n 1)
[ -n "$number" ] || fail "perf:linux has no number"
run 0 tacho stat -d "$number" -m page-faults true
has err 'perf:linux, true'

# What is no file stays.
ln -s /dev/null sink
run 0 tacho stat -f -o sink --csv true
[ -L sink ] || fail "a device was taken for a file that nobody wrote"

# A file.
run 0 tacho stat -o 'file-%%.json' --json true
same err
[ -s file-%.json ] || fail "no file"
run 125 tacho stat -o file-%%.json --json touch ran
has err '-f'
run 0 tacho stat -f -o file-%%.json --csv true
grep -q '^id,name,task-clock,context-switches' file-%.json || fail "the file is not new"
run 127 tacho stat -o left ./does-not-exist
[ -e left ] && fail "a program that never ran left a file"

# An old file stays until the new one is there, with its permissions and behind a link.
echo old >kept
chmod 640 kept
ln -s kept link
for name in kept link; do
	run 127 tacho stat -f -o $name ./does-not-exist
	same kept old
	run 125 tacho stat -f -o $name -m nonsense touch ran
	same kept old
done
run 0 tacho stat -f -o link --csv cat kept
same out old
grep -q '^id,name,' kept || fail "the file is not new"
[ -L link ] || fail "the link was replaced"
[ "$(stat -c %a kept)" = 640 ] || fail "the file has other permissions"
ls kept.* 2>/dev/null && fail "something was left beside the file"
# what is no file is written to
mkfifo pipe
cat pipe >piped &
run 0 tacho stat -f -o pipe --csv true
wait $!
[ -p pipe ] || fail "the pipe was replaced"
grep -q '^id,name,' piped || fail "nothing came through the pipe"
tacho stat -f -o /dev/stdout --csv true 2>err </dev/null | cat >piped
grep -q '^id,name,' piped || fail "nothing came through /dev/stdout"
tacho stat -f -o /dev/stdout --csv true 2>err </dev/null >both
grep -q '^id,name,' both || fail "nothing came to the file that /dev/stdout is"

# Lists: from a file, by patterns, what the device knows.
printf '%s\n' 'page-faults, minor-faults # remark' '' 'task-clock' >list
run 0 tacho stat --csv -m @list true
[ "$(head -n 1 err | tr -d '\r')" = id,name,page-faults,minor-faults,task-clock ] ||
	fail "not three values"
run 0 tacho stat --csv -m '*-faults' true
has err ',page-faults'
has err ',major-faults'
run 125 tacho stat -m @none true
has err "cannot read none"
run 0 tacho stat --list
has out 'page-faults'
same err

# Windows: until three of them have been printed.
cat >watches <<'END'
tries=0
until [ "$(grep -c '^[0-9]' err)" -ge 3 ] || [ $tries -ge 300 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
END
run 0 tacho stat -I 50 --csv -m page-faults,context-switches sh watches
[ "$(grep -c '^[0-9]' err)" -ge 3 ] || fail "hardly an interval"
[ "$(grep -c '^id,name,page-faults,page-faults:state,page-faults:coverage,' err)" = 1 ] ||
	fail "not one line of names"
awk -F , 'NR > 1 && ($1 != NR - 2 || $2 <= last || $4 != "ok") { exit 1 } { last = $2 + 0 }' err ||
	fail "the intervals are not in their order"
sum=$(awk -F , 'NR > 1 { s += $3 } END { print s }' err)
[ "$sum" -ge 10 ] || fail "the intervals have $sum page faults"
run 0 tacho stat -I 50 --json -m page-faults sleep 0.2
grep -q '^{"schema": "tacho.values/1", .*"rows": \[{"of": "window", "id": 0, "name": "0\.[0-9]' err ||
	fail "no JSON line"
run 0 tacho stat -I 50 -m page-faults sleep 0.2
has err 'page-faults'
has err 's elapsed'
# In a file, too, they can be read while the program runs; an old one is then replaced.
cat >reads <<'END'
i=0
while [ $i -lt 300 ]; do
	grep -q "$1" lines && exit 7
	sleep 0.1
	i=$((i + 1))
done
END
run 7 tacho stat -I 50 --csv -o lines -m page-faults sh reads ',ok,1'
grep -q '^id,name,' lines || fail "the file has no names"
echo old >lines
chmod 640 lines
run 127 tacho stat -I 50 -f -o lines -m page-faults ./does-not-exist
same lines old
run 7 tacho stat -I 50 --json -f -o lines -m page-faults sh reads '"page-faults"'
grep -q '"status": 7' lines || fail "the lines after the first are not in the file"
[ "$(stat -c %a lines)" = 640 ] || fail "the file has other permissions"
echo old >lines
run 7 tacho stat -I 50 -f -o lines -m page-faults sh reads 'page-faults'
grep -q 's elapsed' lines || fail "the lines after the first are not in the file"
ls lines.* 2>/dev/null && fail "something was left beside the file"

# An interrupt that is sent to tacho reaches the program, and what was counted is printed.
cat >waits <<'END'
trap 'echo got TERM; exit 9' TERM
: >ready
while :; do sleep 0.1; done
END
tacho stat sh waits >out 2>err &
launcher=$!
tries=0
until [ -e ready ]; do
	tries=$((tries + 1))
	[ $tries -lt 300 ] || fail "the program did not start"
	sleep 0.1
done
kill -TERM $launcher
wait $launcher
got=$?
[ $got = 9 ] || fail "status $got after SIGTERM"
same out 'got TERM'
has err 'page-faults'

# On a terminal Ctrl-C reaches the program once.
if "$PTY" 24 80 true >out 2>err; then
	printf '%s\n' 'trap "echo got; exit 7" INT' 'kill -INT 0' 'sleep 5' >interrupt
	run 7 "$PTY" 24 80 tacho stat sh interrupt
	has out 'page-faults'
	[ "$(grep -c got out)" = 1 ] || fail "the signal came twice"
fi

# Several passes: refused with their number and the way to allow them; then one run for each.
more=SQ_WAVES,SQ_INSTS_VALU,SQ_INSTS_SALU,SQ_INSTS_SMEM,SQ_INSTS_LDS,SQ_INSTS_GDS,SQ_INSTS_FLAT
more=$more,SQ_BUSY_CYCLES,SQ_INSTS_BRANCH
run 125 tacho stat -d sim:mi300x -m $more touch ran
has err 'needs 2 passes [class 5: does not fit]'
has err '--replay process'
run 125 tacho stat -d sim:mi300x --replay process --passes 1 -m $more touch ran
has err '[class 5: does not fit]'
run 125 tacho stat -d sim:mi300x --replay process -I 10 -m $more touch ran
[ -e ran ] && fail "a refused program ran"
run 0 tacho stat -d sim:mi300x --replay process -m $more echo run
same out run run
has err 'sim:mi300x [simulated], echo run'
has err 'the program ran 2 times'
has_not err 'not counted'
run 5 tacho stat -d sim:mi300x --replay process -m $more sh -c '[ -e once ] || { : >once; exit 5; }'
run 130 tacho stat -d sim:mi300x --replay process -m $more sh -c 'echo run; kill -INT $$'
same out run
has err 'stopped after run 1 of 2'
run 127 tacho stat -d sim:mi300x --replay process -m $more ./does-not-exist

command -v cc >/dev/null 2>&1 || skip "the rest needs a C compiler"
cat >work.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* work PAGES MS: touches so many fresh pages, spins so long, prints its CPU time in us. */
int main(int argc, char **argv)
{
	size_t count = strtoul(argv[1], NULL, 10), page = (size_t)sysconf(_SC_PAGESIZE);
	long limit = strtol(argv[2], NULL, 10) * 1000, used = 0;
	struct rusage usage;
	volatile char *pages;

	if (argc > 3 && fork() == 0) /* a child is counted too */
		execl(argv[0], argv[0], argv[1], argv[2], (char *)NULL);
	if (argc > 3) {
		wait(NULL);
		return 0;
	}
	if (count) {
		pages = mmap(NULL, count * page, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		madvise((void *)pages, count * page, MADV_NOHUGEPAGE);
		for (size_t i = 0; i < count; i++)
			pages[i * page] = 1;
	}
	do {
		getrusage(RUSAGE_SELF, &usage);
		used = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
		       usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
	} while (used < limit);
	printf("%ld\n", used);
	return 0;
}
END
cc -O1 -o work work.c || skip "the C compiler makes no program"

run 0 tacho stat --csv -m page-faults ./work 0 0
before=$(value page-faults)
[ "$before" -lt 1000 ] || fail "a program that does nothing has $before page faults"
run 0 tacho stat --csv -m page-faults ./work 5000 0
faults=$(($(value page-faults) - before))
[ $faults -ge 4990 ] && [ $faults -le 5100 ] || fail "5000 pages are $faults faults"
run 0 tacho stat --csv -m page-faults ./work 5000 0 child
faults=$(value page-faults)
[ "$faults" -ge 5000 ] && [ "$faults" -le 7000 ] || fail "5000 pages of a child are $faults faults"

# task-clock is the program's own CPU time, in the same run.
run 0 tacho stat --csv -m task-clock ./work 0 200
used=$(cat out)
clock=$(($(value task-clock) / 1000))
[ $clock -ge $((used * 9 / 10)) ] && [ $clock -le $((used * 12 / 10)) ] ||
	fail "task-clock is $clock us, getrusage says $used us"

# What runs already: a process until it ends, for a time, or while a program runs; and everything.
cat >spin.sh <<'END'
n=0
while [ ! -e enough ]; do n=$((n + 1)); done
END
sh spin.sh &
spinning=$!
run 0 tacho stat -p $spinning -m task-clock --duration 300 --csv
[ "$(value task-clock)" -gt 0 ] || fail "nothing of a process that spins"
run 0 tacho stat -p $spinning -m task-clock --json --duration 100
has err "\"pid\": $spinning"
has err '"user_ns": null'
run 4 tacho stat -p $spinning -m task-clock -- sh -c 'sleep 0.2; exit 4'
has err "process $spinning (sh)"
# What sleeps meanwhile is not counted, and that is said; of what runs it is not.
sleep 60 &
sleeping=$!
sleep 0.2
run 0 tacho stat -p $sleeping -m task-clock --duration 50
kill $sleeping
tr -s ' \n' '  ' <err >flat
has flat "process $sleeping (sleep) did not run meanwhile: it slept or was stopped"
run 0 tacho stat -p $spinning -m task-clock --duration 300
has_not err 'did not run meanwhile'
tacho stat -p $spinning -m task-clock --csv 2>err &
counting=$!
tries=0
until ls -l /proc/$counting/fd 2>/dev/null | grep -q perf_event || [ $((tries += 1)) -gt 300 ]; do
	sleep 0.1
done
sleep 0.2
touch enough
wait $counting || fail "the end of the process is not seen"
[ "$(value task-clock)" -gt 0 ] || fail "nothing of a process until its end"
wait $spinning
run 0 tacho stat -a -m task-clock --duration 100 --csv
[ "$(value task-clock)" -gt 50000000 ] || fail "not all of the machine: $(value task-clock)"
timeout -s INT 0.5 tacho stat -a -m task-clock >out 2>err
has err 's elapsed'
run 125 tacho stat -p $spinning
has err "there is no process $spinning"
run 125 tacho stat -p 99999999999
has err 'there is no process 99999999999'
run 125 tacho stat -p $$ -a
has err '-p and -a exclude each other'
run 125 tacho stat -p $$ -k kernel
has err 'launches of a process that runs already cannot be counted'
run 125 tacho record -p $$
has err "process $$ cannot be recorded"
has err "tacho stat -p $$"

# Where a permission is missing, that is the class.
mkdir -m 700 closed
somebody='setpriv --reuid 12345 --regid 12345 --clear-groups'
# shellcheck disable=SC2086 # words
if $somebody tacho --version >out 2>&1 && ! $somebody ls closed >out 2>&1; then
	run 125 $somebody tacho stat -o closed/file true
	has err '[class 4: permission]'
fi

# What is wrong with the call is said to be that.
run 125 tacho stat -D 5 true
has err 'nothing is to be counted [class 2: usage]'
run 125 tacho stat -o '' true
has err 'is empty [class 2: usage]'

# Linux ends counting where a program gets other rights: that is no count of 0.
if [ "$(id -u)" = 0 ]; then
	cp "$(command -v id)" raised && chown 12345 raised && chmod 4755 raised
	[ "$(./raised -u)" = 12345 ] || rm raised # the file system grants no rights
else
	cp "$(command -v id)" raised && chmod 111 raised
fi
if [ -e raised ]; then
	run 125 tacho stat ./raised
	has err 'cannot count'
	has err 'what Linux counts of a process ends when it begins such a program'
	has err '[class 1: failed]'
	same out
fi

# Where the table goes: to standard output, to what is no file, never over a file without -f.
run 0 tacho stat -o - -m task-clock true
has out task-clock
same err
mkfifo hose
cat hose >through &
reader=$!
run 0 tacho stat -o hose -m task-clock true
wait $reader
grep -q task-clock through || fail "nothing came through the pipe"
[ -p hose ] || fail "the pipe is gone"
run 0 tacho stat -o table.txt true
run 125 tacho stat -o table.txt true
has err 'table.txt exists already'
if [ -w /dev/full ]; then
	run 125 tacho stat -o /dev/full true
	has err '/dev/full could not be written [class 1: failed]'
	run 3 tacho stat -o /dev/full sh -c 'exit 3'
	has err '/dev/full could not be written'
	has_not err class
	run 125 tacho stat --strict -o /dev/full true
fi

# The list is a table, JSON or CSV, and of each what cannot be counted says why.
run 0 tacho stat --list --json
has out '"schema": "tacho.countable/1"'
has out '"name": "task-clock"'
has out '"why_not": null'
python3 -c 'import json, sys; json.load(open("out"))' 2>err || [ ! -x "$(command -v python3)" ] ||
	fail "it is no JSON"
run 0 tacho stat --list --csv
has out 'name,unit,description,caveat,why_not'
grep -q '^task-clock,nanoseconds,' out || fail "no row of task-clock"
