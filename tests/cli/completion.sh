# SPDX-License-Identifier: MIT
# Completion in bash; the syntax of the other shells' scripts where they are installed.

run 0 tacho help --completion zsh
cp out _tacho
has _tacho '#compdef tacho'
run 0 tacho help --completion fish
cp out tacho.fish
has tacho.fish 'complete -c tacho'
run 0 tacho help --completion bash
cp out tacho.bash
run 2 tacho help --completion csh
has err 'bash, zsh, fish'

if command -v zsh >/dev/null 2>&1; then
	run 0 zsh -n _tacho
fi
if command -v fish >/dev/null 2>&1; then
	run 0 fish -n tacho.fish
fi
command -v bash >/dev/null 2>&1 || skip "bash is not installed"

# complete WORD...: what bash offers for the last word, sorted, on one line.
complete() {
	# shellcheck disable=SC2016 # for bash
	bash --norc -c '. ./tacho.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tacho
		printf "%s\n" "${COMPREPLY[@]}"' bash "$@" | sort | tr '\n' ' ' >out
}

complete tacho re
[ "$(cat out)" = 'record report ' ] || fail "tacho re: $(cat out)"
complete tacho report --
[ "$(cat out)" = '--as --by --color --csv --csv-safe --examples --exclude --findings --help --html --json --kernel --log --no-pager --per-instance --rule --rules --status-fd --top ' ] ||
	fail "report --: $(cat out)"
complete tacho report x --by k
[ "$(cat out)" = 'kernel ' ] || fail "--by k: $(cat out)"
mkdir one.tacho other
complete tacho export o
[ "$(cat out)" = 'one.tacho ' ] || fail "export o: $(cat out)"
complete tacho record --via ''
[ "$(cat out)" = 'auto layer preload ' ] || fail "--via: $(cat out)"
complete tacho record -o n tru
grep -qw true out || fail "record tru: $(cat out)"
complete tacho record -q true one
[ "$(cat out)" = 'one.tacho ' ] || fail "record true one: $(cat out)"
complete tacho env p
[ "$(cat out)" = 'perfworks ' ] || fail "env p: $(cat out)"
complete tacho help E_NO
[ "$(cat out)" = 'E_NODEVICE E_NOMEM E_NOTFOUND ' ] || fail "help E_NO: $(cat out)"
complete tacho help rep
[ "$(cat out)" = 'report ' ] || fail "help rep: $(cat out)"
complete tacho help dr
[ "$(cat out)" = ' ' ] || fail "help dr: $(cat out)"

complete tacho env gpa -- tru
grep -qw true out || fail "env gpa -- tru: $(cat out)"

# Lists: what is behind the last comma is completed, and what stands in front of it stays.
complete tacho record --export html,perf
[ "$(cat out)" = 'html,perfetto ' ] || fail "--export html,perf: $(cat out)"
complete tacho export one --to c
[ "$(cat out)" = 'codexl csv ' ] || fail "--to c: $(cat out)"
complete tacho stat -m task-clock,SQ_WAVES_s
[ "$(cat out)" = 'task-clock,SQ_WAVES_sum ' ] || fail "-m task-clock,SQ_WAVES_s: $(cat out)"
complete tacho plan --metrics VALUBus
[ "$(tr ' ' '\n' <out | sort -u | tr '\n' ' ')" = 'VALUBusy ' ] || fail "--metrics VALUBus: $(cat out)"
complete tacho record --sim mi300
[ "$(cat out)" = 'mi300x ' ] || fail "--sim mi300: $(cat out)"
complete tacho record --sim = mi300
[ "$(cat out)" = 'mi300x ' ] || fail "--sim=mi300: $(cat out)"
complete tacho env --sim mi300
[ "$(cat out)" = 'mi300x ' ] || fail "env --sim mi300: $(cat out)"
complete tacho stat -d all,linu
[ "$(cat out)" = 'all,linux ' ] || fail "-d all,linu: $(cat out)"

# Thousands of names come once something of one is there.
complete tacho stat -m ''
[ "$(cat out)" = 'all set: ' ] || fail "-m: $(cat out)"
complete tacho stat -m task-clock,
[ "$(cat out)" = 'task-clock,all task-clock,set: ' ] || fail "-m task-clock,: $(cat out)"
complete tacho info ''
[ "$(cat out)" = ' ' ] || fail "info: $(cat out)"
# bash splits words at colons.
complete tacho stat -m set : Gene
[ "$(cat out)" = 'General ' ] || fail "-m set:Gene: $(cat out)"
complete tacho stat -m task-clock,set :
grep -qw General out || fail "-m task-clock,set: $(cat out)"

# fish asks the command in the same way.
if command -v fish >/dev/null 2>&1; then
	for asked in 'stat -m task-clock,SQ_WAVES_s=task-clock,SQ_WAVES_sum' 'stat -m set:Gene=set:General' \
		'record --export html,perf=html,perfetto' 'record --sim mi300x=mi300x'; do
		fish --no-config -c "source tacho.fish; complete -C 'tacho ${asked%%=*}'" |
			cut -f 1 | sort -u >out
		[ "$(cat out)" = "${asked#*=}" ] || fail "fish: ${asked%%=*}: $(cat out)"
	done
fi

# Every option of the help is offered, and the other way round.
for command in record report open check snapshot export stat list info eval plan doctor help; do
	complete tacho $command --
	tr ' ' '\n' <out | grep . >offered
	tacho $command --help | sed -n 's/^  [- ]..[ ]*\(--[a-z-]*\).*/\1/p' | sort >told
	diff told offered || fail "help and completion of $command differ"
done
