# SPDX-License-Identifier: MIT
# The same output with a recording and without, and 3 epochs of 4 steps in a job.
. "$(dirname "$0")/lib.sh"
tacho=$2
expect 0 <<'END'
2.0
END
"$tacho" record -q -o "$work/run" --export none -- "$program" >"$work/out" 2>"$work/err" ||
	fail "status $? when recorded"
echo 2.0 | diff - "$work/out" || fail "it prints something else when recorded"
"$tacho" report "$work/run" --by range --json >"$work/out" || fail "status $? of the report"
command -v python3 >/dev/null 2>&1 || exit 0
python3 - "$work/out" <<'END' || fail "wrong ranges"
import json, sys
report = json.load(open(sys.argv[1]))
lines = {line["name"]: line for line in report["lines"]}
counts = {name: (line["kind"], line["count"]) for name, line in lines.items()}
assert counts == {"job": ("process", 1), "epoch": ("nested", 3), "epoch/step": ("nested", 12),
                  "epoch/saved": ("mark", 3)}, counts
job, epoch, step = (lines[name] for name in ("job", "epoch", "epoch/step"))
assert job["own_ns"] == job["total_ns"] >= epoch["total_ns"]
assert epoch["own_ns"] == epoch["total_ns"] - step["total_ns"]
assert lines["epoch/saved"]["total_ns"] is None and report["by"] == "range"
END
