# SPDX-License-Identifier: MIT
# On terminals of 80 and 40 columns nothing is wider than the terminal, and nothing but ASCII is
# written where the locale is C.

# fits COLUMNS: every line of out fits.
fits() {
	tr -d '\r' <out >lines
	narrow lines $1
	LC_ALL=C grep '[^ -~	]' lines && fail "more than ASCII"
}

"$PTY" 24 80 true >out 2>err || skip "no terminal can be made: $(cat err) (is /dev/pts mounted?)"
run 0 tacho record -q --export none -o empty true
for columns in 40 80; do
	for words in '--help' 'record --help' 'report --help' 'export --help' 'list --help' \
		'check --help' 'snapshot --help' 'check empty' \
		'info --help' 'report empty' 'help config' 'stat true' \
		'occupancy --arch sm_90 --vgpr 64 --wg 256'; do
		# shellcheck disable=SC2086 # words
		run 0 "$PTY" 24 $columns tacho $words
		fits $columns
		[ -s lines ] || fail "no output: $words"
	done
	for words in 'doctor' 'list devices'; do
		# shellcheck disable=SC2086 # words
		"$PTY" 24 $columns tacho $words >out 2>err </dev/null
		fits $columns
	done
	"$PTY" 24 $columns tacho report x --by kernle >out
	fits $columns
done

# A progress line in a long run, erased at its end; none where the terminal cannot move back.
cat >watches <<'END'
tries=0
until tr '\r' '\n' <out | grep -q '^tacho: [0-9.]* s, [0-9,]* calls' || [ $tries -ge 300 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
END
TERM=xterm run 0 "$PTY" 24 80 tacho record -f -o long sh watches
tr '\r' '\n' <out | grep -q '^tacho: [0-9.]* s, [0-9,]* calls' || fail "no progress line"
TERM=dumb run 0 "$PTY" 24 80 tacho record -f -o long sleep 1.5
tr '\r' '\n' <out | grep -q '^tacho: [0-9.]* s, ' && fail "progress on a dumb terminal"
TERM=xterm run 0 "$PTY" 24 80 tacho record -q -f -o long sleep 1.5
tr '\r' '\n' <out | grep -q '^tacho: [0-9.]* s, ' && fail "progress in spite of -q"
has_not out 'wall time'
run 0 "$PTY" 24 80 tacho record -f -o long --no-report true
has_not out 'wall time'
has out 'see: tacho report long'

# An export that takes long says so, and how far it is, where its output goes somewhere else.
awk 'BEGIN {
	print "TraceFileVersion=3.0\nProfilerVersion=2.5\nOS Version=Linux"
	print "=====ocl API Trace Output=====\n7\n5000"
	for (i = 0; i < 5000; i++)
		print "CL_SUCCESS = clFlush ( 0x" 100000 + i " )"
	print "=====ocl Timestamp Output=====\n7\n5000"
	for (i = 0; i < 5000; i++)
		printf "%-5d%-45s%-21d%-21d\n", 35, "clFlush", 1000 + 10 * i, 1005 + 10 * i
}' >many.atp
cat >exports <<'END'
tacho export many.atp --to jsonl -o - | {
	tries=0
	until tr '\r' '\n' <out | grep -q '^tacho: writing jsonl, [0-9]* s' || [ $tries -ge 300 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	cat >many.jsonl
}
END
TERM=xterm run 0 "$PTY" 24 80 sh exports
tr '\r' '\n' <out | grep -q '^tacho: writing jsonl, [0-9]* s' || fail "no progress line of an export"
[ "$(grep -c tacho.call/1 many.jsonl)" -eq 5000 ] || fail "the export is not whole"

# Ctrl-C reaches the program and leaves a recording with a report.
printf '%s\n' 'trap "exit 7" INT' 'kill -INT 0' 'sleep 5' >interrupt
run 7 "$PTY" 24 80 tacho record -f -o interrupted sh interrupt
has out 'exit status  7'

# What is written at the end of a run is named.
run 0 tacho record -f -o wrote --export jsonl,html true
has err 'tacho: wrote wrote.html'
has err 'tacho: wrote wrote.jsonl'
run 0 tacho record -f -q -o wrote --export jsonl true
has_not err 'wrote.jsonl'

# COLUMNS says how wide it is, on a terminal and elsewhere.
COLUMNS=50 run 0 tacho list metrics MemUnitStalled
narrow out 50
COLUMNS=50 run 0 "$PTY" 24 120 tacho list metrics MemUnitStalled
fits 50
COLUMNS=nonsense run 0 "$PTY" 24 60 tacho list metrics MemUnitStalled
fits 60

# Colours: on a terminal that has them, unless NO_COLOR is set; --color says otherwise.
escape=$(printf '\033')
run 0 tacho list archs
has_not out "$escape"
TERM=xterm run 0 "$PTY" 24 80 tacho list archs
has out "$escape[2m"
TERM=dumb run 0 "$PTY" 24 80 tacho list archs
has_not out "$escape"
NO_COLOR=1 TERM=xterm run 0 "$PTY" 24 80 tacho list archs
has_not out "$escape"
NO_COLOR= TERM=xterm run 0 "$PTY" 24 80 tacho list archs
has out "$escape"
NO_COLOR=1 run 0 tacho list archs --color always
has out "$escape"
TERM=xterm run 0 "$PTY" 24 80 tacho list archs --color never
has_not out "$escape"
run 0 tacho list archs --json --color always
has_not out "$escape"
run 2 tacho list archs --color perhaps
has err '--color "perhaps" is not known'
# Codes take no room, and the text is the same.
run 0 tacho report empty --color always
sed "s/$escape\[[0-9;]*m//g" out >plain
run 0 tacho report empty --color never
cmp -s plain out || fail "colours change the text"

# A pager on terminals only, with the terminal's width and colours; one that goes away is no error.
cat >pager <<'END'
#!/bin/sh
echo "LESS=$LESS" >paged
cat >>paged
END
chmod +x pager
TERM=xterm TACHO_PAGER=./pager run 0 "$PTY" 24 60 tacho list metrics MemUnitStalled
has paged MemUnitStalled
has paged 'LESS=FRX'
has paged "$escape[2m"
sed "s/$escape\[[0-9;]*m//g" paged >lines
narrow lines 60
rm paged
TERM=xterm TACHO_PAGER=./pager run 0 "$PTY" 24 60 tacho --no-pager list metrics MemUnitStalled
TERM=xterm TACHO_PAGER=cat PAGER=./pager run 0 "$PTY" 24 60 tacho list metrics MemUnitStalled
TACHO_PAGER=./pager run 0 tacho list metrics MemUnitStalled
TERM=xterm TACHO_PAGER=./pager run 0 "$PTY" 24 60 tacho list --help
[ ! -e paged ] || fail "a pager that nobody asked for"
TERM=xterm TACHO_PAGER='head -n 1' run 0 "$PTY" 24 60 tacho list archs
[ "$(wc -l <out)" = 1 ] || fail "the pager's output is not what is shown"
TERM=xterm TACHO_PAGER='kill -KILL $$' run 0 "$PTY" 24 60 tacho list metrics
TERM=xterm TACHO_PAGER='exit 3' run 2 "$PTY" 24 60 tacho list nosuch
TERM=xterm TACHO_PAGER=/no/such/pager run 0 "$PTY" 24 60 tacho list archs
has out 'there is no pager'
has out gfx90a
