#!/bin/sh
# SPDX-License-Identifier: MIT
# long
# limit: 400
# hashcat: loads the loader by dlopen and works with several threads.
. "$ROOT/tests/real/lib.sh"
need hashcat

export HOME="$WORK"
record hashcat hashcat -b -m 0 --force --potfile-disable
same "exit status" 0 $record_status
grep -q 'Speed.#1' hashcat.out || fail "hashcat measured nothing"
verify hashcat
[ "$(launches hashcat)" -gt 100 ] || fail "hashcat launches hundreds of kernels"
