#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# Ctrl-C at a terminal while tacho diff --run runs programs with a driver's threads: the program ends,
# and so does tacho; what was finished is compared, stays readable with -o, and is said.
. "$ROOT/tests/real/lib.sh"
need python3
busy=$BIN/tests/real/busy
pty=$BIN/tests/cli/pty

# Short runs until the file `endless` is there or `short` of them are over, then one without an end.
cat >program <<'END'
echo $$ >pid
echo >>runs
[ "$(wc -l <runs)" -le "$SHORT" ] || exec "$BUSY" books 0
exec "$BUSY" books 50
END
export BUSY="$busy"

# stop SHORT TEXT OPTION...: Ctrl-C when TEXT is shown; SHORT runs are over by then. What was on the
# terminal is in `shown`, in one line.
stop() {
	export SHORT="$1"
	text=$2
	shift 2
	rm -f runs pid
	PTY_INTERRUPT="$text" TERM=xterm "$pty" 24 200 "$TACHO" --no-pager diff --run 9 --warmup 0 \
		--seed 5 "$@" 'sh program' >terminal 2>&1
	status=$?
	tr -s ' \r\n' ' ' <terminal >shown
	same "status" 130 $status
	! kill -0 "$(cat pid)" 2>/dev/null || fail "the program still runs"
	for path in /proc/[0-9]*; do
		[ "$(readlink "$path/cwd" 2>/dev/null)" != "$WORK" ] || [ "${path#/proc/}" = $$ ] ||
			! tr '\0' ' ' <"$path/cmdline" 2>/dev/null | grep -q "$busy\|keep" ||
			fail "$path still runs: $(tr '\0' ' ' <"$path/cmdline")"
	done
}

told() {
	grep -qF "$1" shown || { cat terminal; fail "not told: $1"; }
	echo "told: $1"
}

# In the third pair, a second after the beginning of a run.
stop 4 'pair 3 of 9, A 1' -o kept
told 'stopped by signal 2 (Interrupt): 2 runs of A and 2 of B were completed; 2 pairs of them are compared'
told '4 runs in turns, 2 of 9 pairs complete; then a signal stopped it.'
told 'tacho: 4 recordings in kept; see: tacho diff --paired kept/a kept/b'
same "what is kept" 'kept/a/1.tacho kept/a/2.tacho kept/b/1.tacho kept/b/2.tacho' "$(echo kept/*/*)"
for name in a/1 a/2 b/1 b/2; do
	"$TACHO" check kept/$name >out 2>&1 || { cat out; fail "kept/$name is not whole"; }
done
"$TACHO" diff --paired kept/a kept/b >out 2>err || { cat err; fail "it cannot be compared again"; }

# Its partner is over: that run is said, and no part of what is compared.
stop 5 'pair 3 of 9, B 1' -o half
told '3 runs of A and 2 of B were completed; 2 pairs of them are compared'
told 'tacho: 5 recordings in half; see: tacho diff half/a half/b'
"$TACHO" check half/a/3 >out 2>&1 || { cat out; fail "half/a/3 is not whole"; }

# Before anything was completed.
stop 0 'pair 1 of 9, A 1'
told 'there is nothing to compare'
told '0 runs of A and 0 of B were completed'
