# SPDX-License-Identifier: MIT
# What must work of installed Debian packages with the tools of who reads their pages, types their command
# and builds with them: man, bash, zsh, fish, pkg-config, CMake and a compiler. Runs on such a machine:
# try_tools.sh.
set -eu
documents=/usr/share/doc/tacho
cd "$(mktemp -d)"

fail() {
	echo "FAIL: $*"
	exit 1
}

has() {
	grep -q -- "$2" "$1" || {
		cat "$1"
		fail "$1 has no \"$2\""
	}
}

# shown SECTION NAME WORDS: man(1) finds the page, and it has these words, folded as may be.
shown() {
	man "$1" "$2" 2>man.err | tr -s ' \n' ' ' >page
	has page "$3"
}

# Each command that the command names has its page.
shown 1 tacho 'tacho record'
count=0
for command in $(tacho help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\)  .*/\1/p'); do
	shown 1 "tacho-$command" "tacho $command"
	count=$((count + 1))
done
[ $count -ge 16 ] || fail "the help names $count commands"
shown 3 libtacho 'tacho_session'
shown 5 tacho-config 'TACHO_'
shown 7 tacho-gpa GPUPerfAPI
echo "man: $((count + 4)) pages"

# Each shell finds its script by itself.
bash --norc -c '. /usr/share/bash-completion/bash_completion
	_completion_loader tacho
	complete -p tacho
	COMP_WORDS=(tacho re) COMP_CWORD=1
	_tacho
	printf "%s\n" "${COMPREPLY[@]}"' >bash.out 2>&1 || true
has bash.out '^report'
zsh -fc 'autoload -U compinit && compinit -D -u && print "for tacho: $_comps[tacho]"' >zsh.out 2>&1 || true
has zsh.out '^for tacho: _tacho$'
fish -c 'complete -C "tacho re"' >fish.out 2>&1 || true
has fish.out '^report'
echo "completion: bash, zsh, fish"

# runs PROGRAM: it ends well, and prints something into PROGRAM.out.
runs() {
	LC_ALL=C "$1" >"$1.out" 2>&1 || fail "$1: status $?: $(cat "$1.out")"
	[ -s "$1.out" ] || fail "$1 prints nothing"
}

flags="$(pkg-config --cflags tacho) $(pkg-config --libs tacho)"
for name in own_metric plan_passes count_simulated launch_values named_ranges; do
	# shellcheck disable=SC2086 # words
	cc -Wall -Werror -o $name $documents/examples/$name.c $flags >cc.log 2>&1 ||
		fail "examples/$name.c: $(cat cc.log)"
done
runs ./own_metric
runs ./count_simulated
[ "$(pkg-config --modversion tacho)" = "$(tacho --version | sed -n '1s/^[^0-9]*\([0-9.]*\).*/\1/p')" ] ||
	fail "pkg-config tells another version than the command"
echo "pkg-config: 5 programs"

# As its first lines say.
(
	eval "$(tacho env perfworks)"
	# shellcheck disable=SC2086 # words
	cc -o perfworks_ranges $documents/examples/perfworks_ranges.c $flags >cc.log 2>&1 ||
		fail "examples/perfworks_ranges.c: $(cat cc.log)"
	runs ./perfworks_ranges
)
echo "tacho env: a program for PerfWorks"

mkdir consumer
cat >consumer/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.13)
project(consumer C)
find_package(tacho REQUIRED)
add_executable(consumer $documents/examples/own_metric.c)
target_link_libraries(consumer tacho::tacho)
END
{ cmake -S consumer -B consumer/build && cmake --build consumer/build; } >cmake.log 2>&1 ||
	fail "CMake: $(cat cmake.log)"
consumer/build/consumer >consumer.out || fail "what CMake built: status $?"
cmp consumer.out ./own_metric.out || fail "what CMake built prints other things"
echo "CMake: find_package"
echo "all tools find it"
