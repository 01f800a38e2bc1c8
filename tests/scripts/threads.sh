#!/bin/sh
# SPDX-License-Identifier: MIT
# Unit tests that start threads are in the suite threads, so the thread sanitizer runs them.
set -u
command -v python3 >/dev/null 2>&1 || {
	echo "SKIP: python3 is not installed"
	exit 77
}
meson introspect "$BIN" --tests >"$WORK/tests.json" || exit 1
grep -l pthread_create "$ROOT"/tests/unit/*_test.c >"$WORK/sources"
python3 - "$WORK/tests.json" "$WORK/sources" <<'END'
import json, os, sys
suites = {test["name"]: test["suite"] for test in json.load(open(sys.argv[1]))}
wrong = []
for line in open(sys.argv[2]):
    name = os.path.basename(line.strip())[: -len("_test.c")]
    if name in suites and not any(suite.endswith("threads") for suite in suites[name]):
        wrong.append(name)
print("outside of the suite threads:", *wrong or ["none"])
sys.exit(bool(wrong) or not suites)
END
