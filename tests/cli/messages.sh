# SPDX-License-Identifier: MIT
# Usage: what is said, where, and with which status.

run 0 tacho --version
same err
grep -qx 'tacho [0-9][0-9.]*' out || fail "no version"

run 0 tacho --help
same err
has out 'record     run a program and record what it does with the GPU'
cp out help
run 0 tacho help
cmp -s out help || fail "help and --help differ"
run 2 tacho
same out
cmp -s err help || fail "a call without command does not print the help"

for command in record report open check snapshot export stat list info eval plan doctor help; do
	run 0 tacho $command --help
	same err
	has out "Usage: tacho $command"
	cp out help
	run 0 tacho help $command
	cmp -s out help || fail "help $command and $command --help differ"
	narrow out 80
done
has_not help --man

run 2 tacho recrod
same out
same err 'tacho: command "recrod" is not known' \
	'  cure:  did you mean "tacho record"? See: tacho --help'
run 2 tacho --bogus
has err 'option "--bogus" is not known'
has err 'cure:  see: tacho --help'
run 2 tacho frobnicate
has err 'to run a program: tacho record PROGRAM'
touch here.file
run 2 tacho ./here.file
has err 'to read a recording: tacho report ./here.file'
rm here.file

# Words of other profilers say what stands for them here.
run 2 tacho profile ./app
has err 'tacho record PROGRAM'
run 2 tacho stats x
has err 'of a recording: tacho report NAME'
run 2 tacho completion bash
has err 'tacho help --completion bash'
for option in --trace=cuda -t --kernel-trace; do
	run 125 tacho record $option true
	has err "there is no option $option"
	has err 'leave it out: what tacho knows is recorded (docs/coming-from.md)'
done
run 125 tacho record --launch-count 3 true
has err 'count so many launches: -c N'
run 125 tacho stat -e cycles true
has err 'name counters: -m A,B'
run 125 tacho stat -x, true
has err 'print comma-separated values: --csv'
run 2 tacho report -e cycles x
has err 'see: tacho report --help'
# What other tools have is not taken for the beginning of a longer name.
run 125 tacho record --csv true
has err 'there is no option --csv '
has err '--export csv'
run 2 tacho report x --jsno
same err 'tacho: report: there is no option --jsno' \
	'  cure:  did you mean --json? See: tacho report --help'
run 2 tacho report -z x
has err 'there is no option -z'
run 2 tacho report x --json=1
has err 'option --json takes no value'
run 2 tacho report x --top
has err 'option --top needs a value: N'
for number in x -1 '' 1x 99999999999999999999; do
	run 2 tacho report x --top "$number"
	has err 'give a whole number'
done
run 2 tacho report
has err 'report: NAME is missing'
run 2 tacho snapshot a b
has err '"b" is one argument too many'
run 2 tacho report x --by kernle
same err 'tacho: --by "kernle" is not known' \
	'  cure:  did you mean kernel? Known: kernel, api, queue, thread, process, transfer, range, gap, frame, pass, command'
run 2 tacho list devcies
has err 'did you mean devices?'
run 2 tacho export x
has err 'the format is missing'
run 2 tacho export x --to codex
has err 'did you mean codexl?'
run 2 tacho help recor
has err 'did you mean record?'

run 1 tacho report nothing-here
same out
has err 'tacho: '
has err '  cause: '
run 1 tacho export nothing-here --to jsonl
[ "$(ls)" = "$(printf '%s\n' err expected help out)" ] || fail "a failed export left files: $(ls)"

# A command that launches exits with 125 and says the class.
run 125 tacho record
has err 'PROGRAM is missing [class 2: usage]'
run 125 tacho record --exprot x true
has err 'did you mean --export?'
for command in record stat; do
	run 125 tacho $command --range '' -m device_time true
	has err '"" matches no name'
	run 125 tacho $command --range 'regex:(' -m device_time true
	has err '  cause: '
done
run 125 tacho record --export none,jsonl true
has err 'asks for nothing and for something [class 2: usage]'
run 125 tacho record --export codex true
has err 'did you mean codexl?'
run 125 tacho record -o '%q{THIS_IS_NOT_SET}' true
has err 'THIS_IS_NOT_SET, which is not set'
run 125 tacho record -o 'a%z' true
has err '%z, which means nothing'
run 125 tacho record -o 'a%' true
has err 'ends with a single %'

# A name that other GPUs have says which, and how to come by one; what was begun says how it ends.
for command in record stat; do
	run 125 tacho $command -m VALUBusy -- true
	has err 'it is known on gfx'
	has err 'simulate one: --sim mi100, mi210, mi300x'
	has_not err 'the nearest names'
	run 125 tacho $command -m task-clok -- true
	has err 'the nearest names are task-clock'
	run 125 tacho $command --sim mi300 -m SQ_WAVES -- true
	has err 'did you mean mi300x?'
	run 125 tacho $command --sim mi211 -m SQ_WAVES -- true
	has err 'did you mean mi210?'
	run 125 tacho $command -d nosuch -m device_time -- true
	has err 'there is no device "nosuch"'
done
run 1 tacho plan --model mi300 -m SQ_WAVES
has err 'did you mean mi300'
run 1 tacho plan --arch mi300x -m SQ_WAVES
has err 'it is a model'
run 1 tacho list --model nosuch
has_not err 'did you mean'

run 2 tacho --no-color list archs
has err '--color never'
run 2 tacho list archs --no-color
has err '--color never'

# The general --help in front of a command is the command's, as git has it.
run 0 tacho --help record
has out 'Usage: tacho record'
run 2 tacho export x --to none
has err 'format "none" is not known'

# Output that does not arrive is a failure.
if [ -w /dev/full ]; then
	tacho --help >/dev/full 2>err && fail "a full disk was not noticed"
	has err 'the output could not be written'
	for words in 'record --help' 'stat --list'; do
		# shellcheck disable=SC2086 # words
		tacho $words >/dev/full 2>err
		[ $? = 1 ] || fail "a full disk was not noticed: $words"
		has err 'the output could not be written'
		has_not err class
	done
fi

# What replaces files has one name everywhere; the one that it had in some places works in all.
for command in record stat export open diff oa; do
	run 0 tacho $command --help
	has out '-f, --force '
	has_not out overwrite
done
run 0 tacho help --completion bash
has_not out overwrite
for option in -f --force --overwrite; do
	run 0 tacho record -q $option -o forced true
	run 0 tacho export $option --to jsonl forced
	run 0 tacho open $option --no-browser forced
	run 0 tacho diff $option --html=forced.html forced forced
	run 0 tacho stat $option -o forced.txt -m task-clock true
done
run 1 tacho export --to jsonl forced
has err '-f to replace'
