# SPDX-License-Identifier: MIT
# The examples of each command's --help, as they stand, in a folder that has what they name. What they
# need of the machine may be missing; a usage that tacho does not know is a failure.

printf '#!/bin/sh\nexit 0\n' >app
chmod +x app
printf 'Dispatch_Id,Counter_Name,Counter_Value\n1,SQ_WAVES,64\n1,SQ_INSTS_VALU,512\n' >c.csv
for name in run before after; do
	run 0 tacho record -q -o $name true
done
BROWSER=true
export BROWSER
run 0 tacho --help
sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\)  *[a-z].*/\1/p' out >commands
[ "$(wc -l <commands)" -ge 16 ] || fail "not all commands: $(tr '\n' ' ' <commands)"
while IFS= read -r command; do
	COLUMNS=80 run 0 tacho $command --help
	narrow out 80
	sed -n '/^Examples:$/,/^$/s/^  //p' out >lines
	[ "$(wc -l <lines)" = 2 ] || fail "$command has not two examples"
	while IFS= read -r line; do
		case $line in *"tacho $command"*) ;; *) fail "not of $command: $line" ;; esac
		sh -c "$line" >out 2>err </dev/null
		status=$?
		case $status in 2 | 126 | 127) fail "status $status of: $line" ;; esac
		grep -q '\[class 2' err && fail "a wrong usage: $line"
		:
	done <lines
done <commands
[ -d run.tacho ] && [ -e run.html ] && [ -d so-far.tacho ] || fail "the examples did nothing"
