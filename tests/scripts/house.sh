#!/bin/sh
# SPDX-License-Identifier: MIT
# The sources keep the rules of the house, and what looks at them finds who breaks one.
set -u
for program in python3 nm cc; do
	command -v $program >/dev/null 2>&1 || {
		echo "SKIP: $program is not installed"
		exit 77
	}
done
status=0
PYTHONDONTWRITEBYTECODE=1 python3 "$ROOT/tests/scripts/house_test.py" || status=1
python3 "$ROOT/tests/scripts/house.py" "$ROOT" "$BIN" || status=1
exit $status
