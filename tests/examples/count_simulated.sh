# SPDX-License-Identifier: MIT
# The values that the program's comment works out, in as many passes as they need.
. "$(dirname "$0")/lib.sh"
expect 0 <<'END'
a pass is done
a pass is done
MeanOccupancyPerCU: 16 wavefronts/unit (ok)
FETCH_SIZE: 384 kilobytes (ok)
WRITE_SIZE: 256 kilobytes (ok)
END
