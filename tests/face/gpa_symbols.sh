#!/bin/sh
# SPDX-License-Identifier: MIT
# gpa_symbols.sh LIBRARY LIST: a drop-in library exports what the reviewed list says, runs its own
# code (-Bsymbolic), and needs libtacho and libc only.
set -eu
LC_ALL=C
export LC_ALL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nm -D --defined-only "$1" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u >"$work/is"
sort -u "$2" >"$work/should"
if ! cmp -s "$work/is" "$work/should"; then
	echo "exported symbols differ from $2 (< list, > library):"
	diff "$work/should" "$work/is" || true
	exit 1
fi
readelf -d "$1" >"$work/dynamic"
grep -q SYMBOLIC "$work/dynamic" || {
	echo "$1 is not linked with -Bsymbolic"
	exit 1
}
sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' "$work/dynamic" >"$work/needed"
grep -q '^libtacho\.so' "$work/needed" || {
	echo "$1 does not need libtacho"
	exit 1
}
# a sanitizer's runtime is there in sanitizer builds only
if grep -vE '^(libtacho\.so\..*|libc\.so\.6|libpthread\.so\.0|ld-linux.*|lib(a|t|ub)san\.so\..*)$' \
	"$work/needed"; then
	echo "$1 needs the libraries above; only libtacho and libc are allowed"
	exit 1
fi
