# SPDX-License-Identifier: MIT
# Files that are none: each argument that names a file gets a device, a pipe that nobody writes to,
# a directory, one of 1 TiB, and standard input that never ends. All is over soon, in little memory,
# and the message says what it is.
session=$SOURCES/tests/data/codexl/import/nbody.atp
oa=$SOURCES/fuzz/corpus/oa_recording/contexts
mkfifo pipe pipe.atp pipe.csv
mkdir folder folder.csv
truncate -s 1T huge huge.atp huge.csv 2>/dev/null || skip "no file of 1 TiB fits here"
ln -s /dev/zero zero
ln -s /dev/zero zero.atp
ln -s /dev/zero zero.csv

# try CAUSE COMMAND...: it fails within 20 s and little memory, and says so.
try() {
	cause=$1
	shift
	(ulimit -v 2500000 && timeout 20 "$@" >out 2>err </dev/null)
	got=$?
	case $got in
	1 | 4) ;;
	*) fail "status $got: $*" ;;
	esac
	grep -q -e "$cause" err || fail "\"$cause\" is not in the message of: $*"
}

# each COMMAND...: the command with each kind of file in place of FILE.
each() {
	for kind in "zero:a device" "pipe:a pipe" "folder:a directory" "huge:bytes, more than"; do
		file=${kind%%:*}
		try "${kind#*:}" $(printf '%s\n' "$*" | sed "s|FILE|$file|g")
	done
}

each tacho report $session --rules FILE
each tacho list archs --definitions FILE
each tacho plan --arch gfx942 -m @FILE
each tacho oa metrics $oa -m GpuTime --variable @FILE
each tacho occupancy --params FILE
for command in report "export --to html -o x" "diff $session"; do
	try 'a device' tacho $command zero.csv
	try 'a device' tacho $command /dev/zero
	try 'a pipe' tacho $command pipe.csv
	try 'a pipe' tacho $command pipe.atp
	try 'no meta.json' tacho $command folder
	try 'bytes, more than' tacho $command huge.csv
	try 'bytes, more than' tacho $command huge.atp
done
try 'a device' tacho occupancy zero
try 'a pipe' tacho occupancy pipe
try 'bytes, more than' tacho occupancy huge
try 'no meta.json' tacho occupancy folder

# What is read once can come through a pipe. Nobody writes to this one.
count=0
for command in "eval -e 1 --values" "oa decode" "oa decode --gen gen8" "oa metrics -m GpuTime"; do
	try 'a device' tacho $command zero
	case $command in
	eval*) try 'no meta.json' tacho $command folder ;; # a workload of several files may be one
	*) try 'a directory' tacho $command folder ;;
	esac
	mkfifo pipe$count
	timeout 20 tacho $command pipe$count >out$count 2>&1 &
	count=$((count + 1))
done
wait
while [ $count -gt 0 ]; do
	count=$((count - 1))
	has out$count 'that nobody writes to'
done
try 'byte 0 is 0' tacho eval -e 1 --values huge
try '256 MiB in a row' tacho oa decode --gen gen8 huge
try 'does not begin with a version' tacho oa metrics -m GpuTime huge
try 'byte 0 is 0' sh -c 'tacho eval -e 1 --values - </dev/zero'
try '256 MiB in a row' sh -c 'tacho oa decode - --gen gen8 </dev/zero'
try 'does not begin with a version' sh -c 'tacho oa metrics - -m GpuTime </dev/zero'
[ "${TACHO_LONG:-0}" = 0 ] || try 'larger than 1073741824' sh -c 'yes | tacho eval -e 1 --values -'
# A writer that comes late is waited for.
(sleep 0.3 && echo '{"counters": {"A": {"values": 1}}}' >pipe) &
run 0 timeout 20 tacho eval -e A --values pipe
wait

# Descriptors that are closed.
run 1 sh -c 'tacho eval -e 1 --values - <&-'
has err 'cannot read standard input'
run 1 sh -c 'tacho help >&-'
has err 'could not be written'
run 0 tacho export $session --to jsonl -o open
run 1 sh -c 'tacho export "$1" --to jsonl -o closed >&-' sh $session
has err 'could not be written'
cmp open.jsonl closed.jsonl || fail "what was printed went into the file"
