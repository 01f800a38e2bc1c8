#!/bin/sh
# SPDX-License-Identifier: MIT
# nvpa_user.sh FOLDER ABSENT-PROGRAM CC...: the header and the user layer of PerfWorks compile without
# a warning in every language; the layer links without further libraries, once and not twice in one
# program; and all its functions say what is wrong when there is no library, or an old one.
set -eu
folder=$1
absent=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '#include "nvperfapi.h"\ntypedef char number[sizeof(NVPA_Status) == 4 ? 1 : -1];\n' \
	>"$work/header.c"
printf '#include "nvperfapi_user_impl.h"\n' >"$work/layer.c"
printf '#include <stdio.h>\n#include "nvperfapi.h"\nint main(void)\n{\n\tsize_t count = 7;\n%s%s}\n' \
	'	puts(NVPA_GetStatusText(NVPA_GetDeviceCount(&count)));' \
	'	return count != 7;' >"$work/main.c"
# Every function of the header is defined, and asked for below.
sed -n 's/^.*\b\(NVPA_[A-Za-z_]*\)(.*/\1/p' "$folder/nvperfapi.h" | sort -u >"$work/declared"

compile() {
	"$@" -Wall -Wextra -Werror -pedantic -Wshadow -Wconversion -Wcast-qual -I"$folder"
}
for standard in c99 c11 c17; do
	compile "$@" -std=$standard -fsyntax-only "$work/header.c"
	compile "$@" -std=$standard -Wmissing-prototypes -Wstrict-prototypes -c "$work/layer.c" \
		-o "$work/layer.o"
	nm --defined-only "$work/layer.o" | sed -n 's/.* T //p' | sort >"$work/defined"
	diff "$work/declared" "$work/defined"
	compile "$@" -std=$standard -o "$work/main" "$work/main.c" "$work/layer.o"
done
if printf 'int main() { return 0; }\n' | "$@" -x c++ -fsyntax-only - 2>/dev/null; then
	for standard in c++98 c++11 c++17; do
		compile "$@" -x c++ -std=$standard -fsyntax-only "$work/header.c"
		compile "$@" -x c++ -std=$standard -Wold-style-cast -c "$work/layer.c" \
			-o "$work/layer++.o"
		compile "$@" -x c++ -std=$standard -c "$work/main.c" -o "$work/main++.o"
		"$@" -o "$work/main++" "$work/main++.o" "$work/layer++.o"
	done
	NVPERFAPI_LIBRARY=/nowhere "$work/main++" | grep -q 'was not found'
else
	echo "no C++ compiler: the layer was tried as C only"
fi
NVPERFAPI_LIBRARY=/nowhere "$work/main" | grep -q 'was not found'

cp "$work/layer.c" "$work/second.c"
if compile "$@" -o "$work/two" "$work/main.c" "$work/layer.c" "$work/second.c" 2>"$work/errors"; then
	echo "two source files of one program can have the layer"
	exit 1
fi
grep -q 'multiple definition.*NVPA_Context_BeginSession\|duplicate symbol.*NVPA_Context_BeginSession' \
	"$work/errors"

# Each function says so, and where it looked.
NVPERFAPI_LIBRARY=/nowhere/at/all.so LD_LIBRARY_PATH=/some/folder "$absent" 4 \
	'/nowhere/at/all.so' '"/some/folder"' 'tacho env perfworks' >"$work/calls"
cat "$work/calls"
grep -q "^$(($(wc -l <"$work/declared") - 2)) calls" "$work/calls" # all but those of texts
env -u NVPERFAPI_LIBRARY LD_LIBRARY_PATH=/some/folder "$absent" 4 'libnvperfapi.so: cannot open' \
	'NVPERFAPI_LIBRARY is ""' '"/some/folder"'
NVPERFAPI_LIBRARY='' LD_LIBRARY_PATH='' "$absent" 4 'libnvperfapi.so: cannot open'
# A library that has one function only, and one that is the program itself.
printf '#include "nvperfapi.h"\nNVPA_Status NVPA_GetDeviceCount(size_t *p)\n{\n\t*p = 3;\n%s}\n' \
	'	return NVPA_STATUS_SUCCESS;' >"$work/old.c"
"$@" -shared -fPIC -I"$folder" -o "$work/libnvperfapi.so" "$work/old.c"
NVPERFAPI_LIBRARY=$work/libnvperfapi.so "$absent" 5 'libnvperfapi.so has no NVPA_' 'older'
env -u NVPERFAPI_LIBRARY LD_LIBRARY_PATH="$work" "$absent" 5 'older'
"$@" -shared -fPIC -I"$folder" -o "$work/itself.so" "$work/layer.c"
"$@" -I"$folder" -o "$work/main" "$work/main.c" "$work/itself.so" -Wl,-rpath,"$work"
NVPERFAPI_LIBRARY=$work/itself.so "$work/main" | grep -q 'has no such function'
