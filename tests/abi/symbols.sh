#!/bin/sh
# SPDX-License-Identifier: MIT
# symbols.sh LIBRARY LIST INCLUDE [NEEDED...]: the library exports what the reviewed list says, in the version
# node that fits the header, and needs libc and libm only, and those that are NEEDED here: libexpat.
set -eu
LC_ALL=C
export LC_ALL
library=$1
list=$2
include=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The nodes themselves are "absolute" symbols.
nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@+/, " ", $3); print $3 }' |
	sed 's/ TACHO_0$//' | sort -u >"$work/is"
grep -v '^#' "$list" | sort -u >"$work/should"
if ! cmp -s "$work/is" "$work/should"; then
	echo "exported symbols differ from $list (< list, > library):"
	diff "$work/should" "$work/is" || true
	exit 1
fi
# What one header declares for everybody is public, and nothing else is.
grep -hoE '\btacho_[a-z0-9_]+\(' "$include"/tacho/*.h | tr -d '(' | sort -u >"$work/declared"
grep -v ' ' "$work/is" | comm -13 "$work/declared" - >"$work/wrong"
grep ' TACHO_PRIVATE$' "$work/is" | cut -d ' ' -f 1 | comm -12 "$work/declared" - >>"$work/wrong"
if [ -s "$work/wrong" ]; then
	echo "include/tacho and the version nodes disagree (src/libtacho.map):"
	cat "$work/wrong"
	exit 1
fi
readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >"$work/needed"
for name; do
	grep -v "^$name\.so\." "$work/needed" >"$work/others"
	mv "$work/others" "$work/needed"
done
case $(grep -c . "$work/needed") in
0) echo "$library needs nothing: it cannot be what was built"; exit 1 ;;
esac
# a sanitizer's runtime is there in sanitizer builds only
if grep -vE '^(libc\.so\.6|libm\.so\.6|libdl\.so\.2|libpthread\.so\.0|ld-linux.*|lib(a|t|ub)san\.so\..*)$' "$work/needed"; then
	echo "$library needs the libraries above; only libc and libm are allowed"
	exit 1
fi
