# SPDX-License-Identifier: MIT
# --status-fd: what a program that starts tacho is told, a line of JSON for each event.

# events COMMAND...: what it tells, in the file told; names of the events in the file names.
events() {
	"$@" 3>told 2>err
	status=$?
	grep -v '^{"schema": "tacho.status/1", "event": "[a-z]*".*}$' told && fail "another line"
	sed 's/.*"event": "\([a-z]*\)".*/\1/' told >names
}

# tells PATTERN: a line of it fits.
tells() {
	grep -q -- "$1" told || fail "\"$1\" is not told: $(cat told)"
}

events tacho --status-fd 3 record -f -q -o run sh -c 'sleep 1.5; exit 7'
[ $status = 7 ] || fail "status $status"
[ "$(uniq names | tr '\n' ' ')" = 'start run progress warning done ' ] || fail "record: $(cat told)"
tells '"event": "start", "generator": "tacho '
tells '"command": "record"'
tells '"event": "run", "recording": "run.tacho", "run": 1, "runs": 1}'
tells '"event": "progress", "run": 1, "elapsed_ns": [1-9][0-9]*, "calls": 0, "commands": 0}'
tells '"message": "no call was recorded: '
tells '"event": "done", "status": 7}'

# A program that outlives tacho does not keep a reader waiting, and gets nothing of it.
tacho --status-fd 3 record -f -q -o run sh -c '{ echo hello >&3; } 2>/dev/null; sleep 60 >/dev/null 2>&1 &
	echo $! >pid' 3>&1 >/dev/null 2>err | cat >told
kill "$(cat pid)" || fail "the program was waited for"
tells '"event": "done", "status": 0}'
grep -q hello told && fail "the program wrote into it"

# Each run of the program where several are needed.
events tacho stat --status-fd 3 --sim mi300x --replay process -m SQ_WAVES,SQ_WAVES_EQ_64,SQ_BUSY_CYCLES,SQ_INSTS_VALU,SQ_INSTS_SALU,SQ_INSTS_SMEM,SQ_INSTS_FLAT,SQ_INSTS_LDS,SQ_INSTS_GDS,SQ_INSTS_BRANCH true
tells '"run": 2, "runs": 2}'
events tacho stat --status-fd=3 -m task-clock true
tells '"event": "run", "recording": null, "run": 1, "runs": 1}'

# Errors have their parts and, where the status cannot tell it, their class.
events tacho record --status-fd 3 --sim nosuch true
[ $status = 125 ] || fail "status $status"
tells '"event": "error", "class": "[a-z ]*", "message": ".*nosuch.*", "cause": "", "cure": "choose of bsw'
tells '"event": "done", "status": 125}'
events tacho --status-fd 3 list nosuch
[ "$(tr '\n' ' ' <names)" = 'start error done ' ] || fail "list: $(cat told)"
tells '"class": null, "message": "list \\"nosuch\\" is not known"'

# What cannot be written to is refused; a reader that is gone ends nothing.
run 2 tacho --status-fd 7 list archs 7>&-
has err 'status-fd 7 cannot be written to'
run 2 tacho --status-fd three list archs
run 2 tacho --status-fd 3 list archs 3</dev/null
has err 'open for reading only'
mkfifo pipe
sh -c 'exec <pipe' &
tacho --status-fd 3 record -f -q -o run sh -c 'sleep 1.2; exit 9' 3>pipe 2>err
[ $? = 9 ] || fail "a reader that is gone: $(cat err)"
wait
