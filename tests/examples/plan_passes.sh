# SPDX-License-Identifier: MIT
# TCC has four slots, and the two metrics together need five counters of it.
. "$(dirname "$0")/lib.sh"
expect 0 gfx942 FETCH_SIZE WRITE_SIZE <<'END'
gfx942: 2 passes, at least 2 are needed (TCC: 5 counters, 4 slots)
pass 1: TCC_EA0_RDREQ TCC_EA0_RDREQ_32B TCC_BUBBLE
pass 2: TCC_EA0_WRREQ TCC_EA0_WRREQ_64B
END
expect 0 gfx942 SQ_WAVES <<'END'
gfx942: 1 pass, at least 1 is needed (everything fits into one pass)
pass 1: SQ_WAVES
END
"$program" gfx942 VALUBusi >"$work/out" 2>&1 && fail "a wrong name is no failure"
grep -q '^  cure:  the nearest names are VALUBusy' "$work/out" || fail "nothing is near VALUBusi"
