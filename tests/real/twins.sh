#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# A program with one fault for each rule, and its twin that does the same work without them: each
# rule finds the one and not the other, and no run could gain more than it took. Some rules look at
# the run as a whole: their faults are runs of their own. The others that compare times with one another
# depend on how busy the machine is; tests/unit has both sides of them.
. "$ROOT/tests/real/lib.sh"
need python3
program="$BIN/tests/real/twins_cl"
record_options=

# look NAME: its findings as a GPU's, in NAME.json.
look() {
	"$TACHO" report "$1" --findings --json --rule min-cost-ns=0 --rule cpu-devices=1 \
		--rule wave-size=64 --rule launch-share=0 >"$1.json" || fail "tacho report $1 failed"
	"$TACHO" report "$1" --json >"$1.run.json" || fail "tacho report $1 failed"
}

for twin in fault mended; do
	record $twin "$program" "$driver_platform" all $twin
	same "$twin: exit status" 0 "$record_status"
	look $twin
done

# judge RULE SUBJECT COUNT TWIN: what was found in alone.json.
judge() {
	RULE=$1 SUBJECT=$2 COUNT=$3 TWIN=$4 python3 - <<'END'
import json, os, re
env = os.environ
found = [f for f in json.load(open("alone.json"))["findings"] if re.match(env["SUBJECT"], f["subject"])]
if env["TWIN"] == "mended":  # on a busy machine little of it may be left, which gains next to nothing
    found = [f for f in found if not f["remark"]]
print(f"{env['RULE']}, {env['TWIN']}: {[(f['subject'], f['count']) for f in found]}")
assert all(f["rule"] == env["RULE"] for f in found), found
assert len(found) == (env["TWIN"] == "fault"), found
assert not found or found[0]["count"] >= int(env["COUNT"]), found
END
}

# alone RULE SUBJECT COUNT TIMES [OPTION...]: the rule's fault is found as often as that at least, with
# the subject that a pattern describes, and its twin is not. A machine that does other work can keep a
# device idle in the twin, too, which is then rightly found: one of some runs is without.
alone() {
	alone_rule=$1 alone_subject=$2 alone_count=$3 alone_times=$4
	shift 4
	for twin in fault mended; do
		alone_left=8
		[ $twin = fault ] && alone_left=1
		while :; do
			record "$alone_rule-$twin" "$program" "$driver_platform" "$alone_rule" $twin "$alone_times"
			same "$alone_rule, $twin: exit status" 0 "$record_status"
			"$TACHO" report "$alone_rule-$twin" "--findings=$alone_rule" --json --rule min-cost-ns=0 \
				"$@" >alone.json || fail "tacho report $alone_rule-$twin failed"
			judge "$alone_rule" "$alone_subject" "$alone_count" $twin && break
			alone_left=$((alone_left - 1))
			[ $alone_left -gt 0 ] || fail "see above"
		done
	done
}

alone idle-device . 9 1 --rule idle-share=10
alone serial-transfers . 20 1 --rule cpu-devices=1
alone api-time clGetDeviceInfo 100000 50 --rule api-share=0
# CPUs have no memory that is slower for the host, but PoCL lets programs ask for it.
if "$program" "$driver_platform" persistent-map fault 2>&1 | grep -q 'no persistent memory'; then
	echo "persistent-map: this driver has no such memory"
else
	alone persistent-map clEnqueueMapBuffer 5 1
fi

python3 - <<'END' || fail "see above"
import json

RULES = ("redundant-sync", "blocking-write", "blocking-read", "busy-wait", "small-transfers",
         "repeated-build", "object-churn", "map-rounds", "unused-queue", "never-unmapped",
         "leaked-object", "failed-call", "small-work-group", "odd-work-group", "idle-units")

def load(name):
    return json.load(open(f"{name}.json"))["findings"]

def check_gains(name, findings):
    run = json.load(open(f"{name}.run.json"))["run"]
    wall = run["end_ns"] - run["start_ns"]
    gains = [f for f in findings if f["gain_high_ns"] is not None]
    assert gains or name == "mended", f"{name}: nothing gains"
    for finding in findings:
        if finding["processor_high_ns"] is not None:
            assert finding["rule"] == "busy-wait", finding
            assert 0 <= finding["processor_low_ns"] <= finding["processor_high_ns"], finding
            assert finding["processor_high_ns"] <= finding["cost_ns"], finding
    for finding in gains:
        assert 0 <= finding["gain_low_ns"] <= finding["gain_high_ns"], finding
    total = sum(f["gain_high_ns"] for f in gains)
    print(f"{name}: gains of {total / wall:.0%} of the run")
    assert total <= wall, f"{name}: {total} ns of {wall}"

found = {name: load(name) for name in ("fault", "mended")}
for rule in RULES:
    for name, findings in found.items():
        has = any(f["rule"] == rule for f in findings)
        assert has == (name == "fault"), f"{rule} in {name}: {has}"
        print(f"{name}: {rule}: {'found' if has else 'not found'}")
again = [f["subject"] for f in found["fault"] if f["rule"] == "repeated-build"]
assert "builds of programs that had been built" in again and len(again) == 2, again
for name, findings in found.items():
    check_gains(name, findings)
    remarks = [f["remark"] for f in findings]
    assert remarks == sorted(remarks), f"{name}: remarks do not come last"
END
