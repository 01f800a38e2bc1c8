#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# The end of tacho record: a line on the recording, each loss in one line, nothing read that nobody
# asked for, bounds that were asked for.
. "$ROOT/tests/real/lib.sh"
need
busy=$BIN/tests/real/busy

# end STATUS OPTION... -- COMMAND...: what it wrote to stderr is in the file err.
end() {
	end_status=$1
	shift
	rm -rf ended.tacho
	"$TACHO" record -f -o ended "$@" >out 2>err </dev/null
	same "status of $*" "$end_status" $?
}

end 0 -- "$busy" books 50
grep -q '^tacho: 1,217 calls and 200 commands in ended.tacho; see: tacho report ended$' err ||
	{ cat err; fail "no line on the recording"; }
grep -q 'wall time' err && fail "a report that nobody asked for"
[ "$(echo ended.*)" = ended.tacho ] || fail "files that nobody asked for: $(echo ended.*)"
end 0 --report -- "$busy" books 50
grep -q '^API calls    1,217 by 5 threads' err || { cat err; fail "no report"; }
# What it cost is told, from calls that were timed: one in 64 of each thread.
grep -q "^cost         .* to .* in the program's threads, " err || { cat err; fail "no cost"; }
"$TACHO" report ended --json | python3 -c '
import json, os, sys
cost = json.load(sys.stdin)["cost"]
files = [os.path.join("ended.tacho", name) for name in os.listdir("ended.tacho")]
assert 5 <= cost["timed_calls"] <= 1217 // 64 + 5, cost
assert 1217 * 5 < cost["program_ns"] < 1217 * 400000, cost
assert cost["keeper_ns"] > 0, cost
assert 0 < cost["bytes"] <= sum(map(os.path.getsize, files)), (cost, files)
' || fail "the cost as JSON"

# What nobody asked for is not read: neither calls nor what describes them.
if command -v strace >/dev/null 2>&1 && strace true 2>/dev/null; then
	strace -o trace -e trace=open,openat "$TACHO" record -f -q -o ended -- "$busy" books 50 \
		>out 2>err </dev/null
	same "status under strace" 0 $?
	grep -q 'meta.json' trace || fail "strace shows no files"
	grep -e 'calls-' -e 'control.bin' trace && fail "the recording was read"
fi

# A process that cannot take part is a loss: one line, also with -q, and a failure when asked.
lost="TACHO_POOL=/no/such/pool exec '$busy' books 5"
end 0 -q -- sh -c "$lost"
same "lines with -q" 1 "$(grep -c '^tacho: warning: ' err)"
grep -q '^tacho: warning: lost: 1 process could not be recorded: .*No such file.*; cure: ' err ||
	{ cat err; fail "the loss is not told"; }
end 125 -q --strict --json ended.json -- sh -c "$lost"
grep -q '^tacho: lost: 1 process .*\[class 1: failed\]$' err || { cat err; fail "no class"; }
grep -q '"class": "failed"' ended.json || { cat ended.json; fail "no class in the JSON"; }
grep -q '"exit_status": 0' ended.json || fail "the program's own status is not in the JSON"
end 0 -q --strict -- "$busy" books 5
[ -s err ] && { cat err; fail "something is said though nothing was lost"; }
# The status of a program that failed by itself is its own as long as nothing was lost.
end 3 -q --strict -- sh -c "'$busy' books 5; exit 3"

# What is left out as asked is no loss.
end 0 --strict --no-calls -- "$busy" books 50
grep -q 'calls of other functions than those asked for were left out' err || fail "--no-calls"
"$TACHO" report ended --by api >report || fail "tacho report"
same "functions with --no-calls" "clEnqueueNDRangeKernel clFinish clWaitForEvents" \
	"$(sed -n 's/^  \(cl[A-Za-z]*\) .*/\1/p' report | sort | tr '\n' ' ' | sed 's/ $//')"
end 0 --calls 'clRel*,clFinish' --calls clSetKernelArg -- "$busy" books 50
"$TACHO" report ended --by api >report || fail "tacho report"
same "functions with --calls" "clFinish clReleaseEvent clSetKernelArg" \
	"$(sed -n 's/^  \(cl[A-Za-z]*\) .*/\1/p' report | sort | tr '\n' ' ' | sed 's/ $//')"
end 0 --calls clNone -- "$busy" books 5
grep -q 'no call was recorded: the program made no call of those that were asked for' err ||
	{ cat err; fail "it does not say why nothing was recorded"; }

# A bound on bytes: calls that ask are left out first, and the files stay within it.
# The first ones only: so many, exactly, and the others counted.
end 0 --strict --json ended.json --max-calls 100 -- "$busy" books 50
grep -q '^tacho: 100 calls and .* in ended.tacho' err || { cat err; fail "not 100 calls"; }
grep -q '^tacho: 1,117 calls were left out, since as many were recorded' err ||
	{ cat err; fail "calls behind the last one are not told"; }
grep -q '"calls_beyond_number": 1117' ended.json || fail "they are not in the JSON"
"$TACHO" report ended >report
grep -q '^API calls    100 by' report || fail "report with --max-calls"
grep -q '^  no more than 100 calls were to be recorded$' report || fail "the report does not tell why"
[ "$(sed -n '/^Left out/,$p' report | sed -n 's/^  \([0-9,]*\) calls* of .*/\1/p' | tr -d , |
	awk '{ sum += $1 } END { print sum }')" = 1117 ] || { cat report; fail "not all are in the report"; }
end 0 --max-kernels 7 -q -- "$busy" books 50
"$TACHO" export ended --to jsonl -o - >jsonl || fail "export with --max-kernels"
"$TACHO" report ended | grep -q '^work  *7 kernel launches, ' || fail "not 7 launches"
grep -q '"max_launches": *7' jsonl || fail "jsonl does not tell the bound"
end 0 --calls 'regex:^cl(Finish|SetKernelArg)$' -q -- "$busy" books 50
same "functions with --calls regex:" "clFinish clSetKernelArg" "$("$TACHO" report ended --by api |
	sed -n 's/^  \(cl[A-Za-z]*\) .*/\1/p' | sort | tr '\n' ' ' | sed 's/ $//')"

end 0 --strict --max-size 1M -- "$busy" books 20000
grep -q '^tacho: [0-9,]* calls were left out, since the recording' err || { cat err; fail "--max-size"; }
size=$(du -s --apparent-size --block-size=1 ended.tacho | cut -f 1)
[ "$size" -le 1200000 ] || fail "--max-size 1M: the recording has $size bytes"
"$TACHO" check ended >check.txt || { cat check.txt; fail "what was left out is not missing"; }
grep -q 'clGetKernelInfo: [0-9,]* calls' check.txt || fail "what was left out is not named"
exit 0
