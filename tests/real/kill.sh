#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 240
# SIGKILL at random instants: what a busy program had counted before is in the recording.
. "$ROOT/tests/real/lib.sh"
need python3
python3 "$ROOT/tests/real/kill.py" "$TACHO" "$BIN/tests/real/busy" 20
