# SPDX-License-Identifier: MIT
# Kernels of 1,024 and 256 waves with 100 and 40 instructions each.
. "$(dirname "$0")/lib.sh"
expect 0 <<'END'
large: SQ_INSTS_VALU / SQ_WAVES = 100 (ok)
small: SQ_INSTS_VALU / SQ_WAVES = 40 (ok)
END
expect 0 'SQ_INSTS_VALU + SQ_WAVES' <<'END'
large: SQ_INSTS_VALU + SQ_WAVES = 103424 (ok)
small: SQ_INSTS_VALU + SQ_WAVES = 10496 (ok)
END
expect 0 'SQ_WAVES / (SQ_WAVES - 256)' <<'END'
large: SQ_WAVES / (SQ_WAVES - 256) = 1.33333 (ok)
small: SQ_WAVES / (SQ_WAVES - 256) = 0 (ok, divided by 0)
END
expect 1 'SQ_WAVES / (3' <<'END'
expected an operator or ")", found the end
  cause: column 14 of the expression
  cure:  correct the expression
END
