# SPDX-License-Identifier: MIT
# What the page PAGE shows: perfworks_ranges.sh PROGRAM PAGE
. "$(dirname "$0")/lib.sh"
sed -n '/^    [$] .\/perfworks_ranges$/,/^$/{/^    [^$]/s/^    //p;}' "$2" >"$work/page"
[ "$(wc -l <"$work/page")" -ge 19 ] || fail "the page shows too little"
expect 0 <"$work/page"
