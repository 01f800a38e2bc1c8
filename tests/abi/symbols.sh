#!/bin/sh
# SPDX-License-Identifier: MIT
# symbols.sh LIBRARY LIST: the library exports what the reviewed list says, and needs libc and libm only.
set -eu
LC_ALL=C
export LC_ALL
library=$1
list=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nm -D --defined-only "$library" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u >"$work/is"
grep -v '^#' "$list" | sort -u >"$work/should"
if ! cmp -s "$work/is" "$work/should"; then
	echo "exported symbols differ from $list (< list, > library):"
	diff "$work/should" "$work/is" || true
	exit 1
fi
readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >"$work/needed"
case $(grep -c . "$work/needed") in
0) echo "$library needs nothing: it cannot be what was built"; exit 1 ;;
esac
# a sanitizer's runtime is there in sanitizer builds only
if grep -vE '^(libc\.so\.6|libm\.so\.6|libdl\.so\.2|libpthread\.so\.0|ld-linux.*|lib(a|t|ub)san\.so\..*)$' "$work/needed"; then
	echo "$library needs the libraries above; only libc and libm are allowed"
	exit 1
fi
