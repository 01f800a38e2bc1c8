#!/bin/sh
# SPDX-License-Identifier: MIT
# long
# limit: 1200
# The kill test, 200 times.
. "$ROOT/tests/real/lib.sh"
need python3
python3 "$ROOT/tests/real/kill.py" "$TACHO" "$BIN/tests/real/busy" 200
