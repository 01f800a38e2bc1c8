#!/bin/sh
# SPDX-License-Identifier: MIT
# headers.sh CC... -- HEADER...: each public header compiles alone, as C99 and as C++, without a warning.
set -eu
cc=
while [ "$1" != -- ]; do
	cc="$cc $1"
	shift
done
shift
root=$(dirname "$0")/../..
alone() {
	printf '#include "%s"\nextern int end;\n' "$2" |
		$cc -std="$1" -Wall -Wextra -pedantic -Werror -I"$root/include" -fsyntax-only -x "$3" -
}
for header in "$@"; do
	alone c99 "$header" c
done
if printf 'int main() { return 0; }\n' | $cc -x c++ -fsyntax-only - 2>/dev/null; then
	for header in "$@"; do
		alone c++11 "$header" c++
	done
else
	echo "no C++ compiler: headers were tried as C99 only"
fi
