#!/bin/sh
# SPDX-License-Identifier: MIT
# nvpa_guide.sh CODE KIND SOURCE-ROOT BUILD-ROOT PYTHON CC...: the samples of NVIDIA's PerfWorks guide,
# as C and as C++, give the values that the guide says, on a context of the KIND (sim, egl, cl) that
# nvpa_work_KIND.c makes. CODE is own, for the calls of the samples in nvpa_guide_own.h, or guide, for
# the guide itself, whose few mistakes are mended (nvpa_guide.py). Exits with 77 without a driver.
set -eu
code=$1
kind=$2
root=$3
build=$4
python=$5
shift 5
guide=$root/../shared/sources/004_42222deabb11c3cf.txt
here=$root/tests/face
export NVPERFAPI_LIBRARY="$build/src/face/libnvperfapi.so"
if [ "$code" = guide ] && [ ! -r "$guide" ]; then
	echo "../shared is absent: the guide's samples are not tried"
	exit 77
fi
if readelf -d "$NVPERFAPI_LIBRARY" | grep -qE 'lib(a|t|ub)san'; then
	echo "the library needs a sanitizer's runtime, which this program would not have"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
libraries="$build/tests/face/libnvpa_work_$kind.a -lpthread -ldl"
case $kind in
sim) libraries="$libraries $build/libtacho.so -Wl,-rpath,$build" ;;
egl) libraries="$libraries -lEGL -lOpenGL" && set -- "$@" -DGUIDE_EGL ;;
esac

# try LANGUAGE STANDARD CC...
try() {
	try_language=$1 try_standard=$2
	shift 2
	if [ "$code" = guide ]; then
		"$python" "$here/nvpa_guide.py" "$guide" "$work/code.h" "$try_language"
	else
		cp "$here/nvpa_guide_own.h" "$work/code.h"
	fi
	echo "$try_language, $try_standard:"
	"$@" -std="$try_standard" -Wall -Wextra -Werror -I"$root/include/compat" -I"$here" \
		-I"$work" -DGUIDE_CODE='"code.h"' -c -o "$work/guide.o" "$here/nvpa_guide.c"
}

# run CC...
run() {
	# shellcheck disable=SC2086 # words
	"$@" -o "$work/guide" "$work/guide.o" $libraries
	"$work/guide"
}

for standard in c99 c11; do
	try c $standard "$@"
	run "$@"
done
if printf 'int main() { return 0; }\n' | "$@" -x c++ -fsyntax-only - 2>/dev/null; then
	for standard in c++11 c++17; do
		try cpp $standard "$@" -x c++
		run "$@"
	done
else
	echo "no C++ compiler: the samples were tried as C only"
fi
