# SPDX-License-Identifier: MIT
# tacho report's findings: which are shown, rules and thresholds by option and by file, JSON.
data=$SOURCES/tests/data/codexl

# line FILE REGEX: fails unless a line fits.
line() {
	grep -q -e "$2" "$1" || fail "no line of $1 fits $2"
}

cp "$data/import/nbody.atp" nbody.atp

# At the end of a report, unless it is about one table.
run 0 tacho report nbody.atp
line out '^Findings$'
line out '^  error: failed-call: clCreateBuffer with CL_INVALID_BUFFER_SIZE failed 1 time\.$'
has_not out 'cure:'
run 0 tacho report nbody.atp --by api
has_not out 'Findings'

# On one processor the recording is read once for both, with another each reads it for itself.
first=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)
for form in "" --findings "--by gap --findings=leaked-object" --json; do
	# shellcheck disable=SC2086 # words
	run 0 tacho report nbody.atp $form
	cp out several
	# shellcheck disable=SC2086
	run 0 taskset -c "$first" tacho report nbody.atp $form
	cmp -s out several || fail "report $form on one processor is another"
done
# A page reads it once more for its timeline, beside that or afterwards; so does one of two.
run 0 tacho export nbody.atp --to html -o several
run 0 taskset -c "$first" tacho export nbody.atp --to html -o one
cmp one.html several.html || fail "a page made on one processor is another"
run 0 tacho diff nbody.atp nbody.atp --html=both.html
run 0 taskset -c "$first" tacho diff nbody.atp nbody.atp --html=alone.html
cmp alone.html both.html || fail "a page of two made on one processor is another"

# All of them with evidence and cure, and nothing else.
run 0 tacho report nbody.atp --findings
has_not out 'wall time'
line out '^warning: leaked-object$'
line out '^    call 0 of thread 101, clCreateKernel, at 1\.000 us: handle 0x1C70010, 1$'
# The file says that releases of events were left out of it.
has_not out 'event made'
line out '1 object was not released as far as is known'
line out '^  cure: '
run 0 tacho report nbody.atp --findings --examples 16

# Some rules.
run 0 tacho report nbody.atp --findings=failed-call,deprecated-function
line out '^error: failed-call$'
has_not out 'leaked-object'
run 0 tacho report nbody.atp --findings=busy-wait
line out '^  none$'

# A rules file of rcprof's.
cat >rules <<'END'
APITrace.APIRules.RefTracker=False
APITrace.APIRules.BlockingWrite=True
# of our own
failed-call = False
busy-wait-polls=5
END
run 0 tacho report nbody.atp --findings --rules rules
has_not out 'leaked-object'
has_not out 'failed-call'
run 0 tacho report nbody.atp --rules rules
line out '^Findings$'
line out '^API time'

# JSON.
run 0 tacho report nbody.atp --json
line out '^  "findings": \[$'
line out '^      "rule": "failed-call",$'
line out '^      "severity": "error",$'
line out '^  "not_judged": \['
run 0 tacho report nbody.atp --json --by api
line out '^  "findings": null$'

# What is wrong is said.
run 2 tacho report nbody.atp --findings=leaked-objects
has err 'there is no rule "leaked-objects"'
has err 'did you mean leaked-object?'
run 2 tacho report nbody.atp --rule busy-wait-pols=3
has err 'did you mean busy-wait-polls?'
run 2 tacho report nbody.atp --rule busy-wait-polls
has err 'write --rule NAME=VALUE'
run 2 tacho report nbody.atp --rule busy-wait-polls=-3
has err 'which is no number'
run 2 tacho report nbody.atp --rule busy-wait-polls=99999999999999999999
run 1 tacho report nbody.atp --rules no-such-file
has err 'No such file'
echo 'APITrace.APIRules.NoSuchRule=True' >wrong
run 2 tacho report nbody.atp --rules wrong
echo 'failed-call' >wrong
run 2 tacho report nbody.atp --rules wrong
has err 'line 1 is no NAME=VALUE'
echo 'failed-call=maybe' >wrong
run 2 tacho report nbody.atp --rules wrong
echo 'failed-call=False' >wrong
run 2 tacho report nbody.atp --findings=failed-call --rules wrong
has err 'no rule is left'

# Nothing wider than the terminal.
"$PTY" 24 40 tacho report nbody.atp --findings >out 2>err || fail "no output at 40 columns"
tr -d '\r' <out >lines
narrow lines 40
# Nor is the head of the first table cut where it would say what the lines of the host are.
COLUMNS=40 run 0 tacho report nbody.atp
narrow out 40
has out '  host: no device busy'
has_not out '...e busy)'
COLUMNS=80 run 0 tacho report nbody.atp
has out '  time (host: no device busy) '

# Every rule and threshold is in the documentation.
tacho report --help >help
grep -q -e '--findings\[=RULE,...\]' help || fail "no --findings in the help"
for name in failed-call leaked-object redundant-sync busy-wait persistent-map idle-units \
	small-work-group repeated-build failed-query deprecated-function blocking-write \
	small-transfers serial-transfers odd-work-group tiny-launches slow-first-launch \
	idle-device build-time object-churn never-unmapped unused-queue map-rounds blocking-read api-time; do
	grep -q "^## $name\$" "$SOURCES/docs/findings.md" || fail "docs/findings.md lacks $name"
	run 0 tacho report nbody.atp --findings=$name
done
