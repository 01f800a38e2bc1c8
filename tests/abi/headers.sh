#!/bin/sh
# SPDX-License-Identifier: MIT
# headers.sh CC... -- INCLUDE: each header under INCLUDE compiles alone, as C99 and as C++17, without
# a warning. Headers of tacho leave no macro with arguments behind, and error.h none at all.
set -u
LC_ALL=C
export LC_ALL
cc=
while [ "$1" != -- ]; do
	cc="$cc $1"
	shift
done
include=$2
headers=$(cd "$include" && find . -name '*.h' | sed 's,^\./,,' | sort)
failed=0

# alone STANDARD LANGUAGE
alone() {
	for header in $headers; do
		printf '#include "%s"\nextern int end;\n' "$header" |
			$cc -std="$1" -Wall -Wextra -pedantic -Werror -I"$include" -I"$include/compat" \
				-fsyntax-only -x "$2" - || {
			echo "FAIL: $header is not $1"
			failed=1
		}
	done
}

# What the preprocessor knows after HEADER, or after nothing.
macros() {
	echo "${1:+#include \"$1\"}" | $cc -std=c99 -I"$include" -dM -E -x c - | sort
}

[ -n "$headers" ] || {
	echo "FAIL: no headers in $include"
	exit 1
}
alone c99 c
if printf 'int main() { return 0; }\n' | $cc -x c++ -fsyntax-only - 2>/dev/null; then
	alone c++17 c++
else
	echo "no C++ compiler: headers were tried as C99 only"
fi
grep -nE '^# *define +[A-Za-z_0-9]+\(' "$include"/tacho/*.h "$include"/tacho/sys/*.h && {
	echo "FAIL: a macro with arguments in a header"
	failed=1
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
macros '' >"$work/before"
macros tacho/error.h >"$work/after"
left=$(comm -13 "$work/before" "$work/after" | awk '{ print $2 }' | xargs)
[ "$left" = "TACHO_API TACHO_ERROR_H TACHO_EXPORT_H" ] || {
	echo "FAIL: error.h leaves behind: $left"
	failed=1
}
exit "$failed"
