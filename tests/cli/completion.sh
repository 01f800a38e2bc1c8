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
[ "$(cat out)" = '--by --examples --findings --help --html --json --rule --rules --top ' ] ||
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
complete tacho help dr
[ "$(cat out)" = ' ' ] || fail "help dr: $(cat out)"

# Every option of the help is offered, and the other way round.
for command in record report open check snapshot export stat list info eval plan doctor help; do
	complete tacho $command --
	tr ' ' '\n' <out | grep . >offered
	tacho $command --help | sed -n 's/^  [- ]..[ ]*\(--[a-z-]*\).*/\1/p' | sort >told
	diff told offered || fail "help and completion of $command differ"
done
