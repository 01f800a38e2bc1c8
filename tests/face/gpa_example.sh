#!/bin/sh
# SPDX-License-Identifier: MIT
# gpa_example.sh SOURCE-ROOT LIBRARY CC...: the examples of docs/gpa.md and of the man page compile as
# they stand and print a time on a simulated device.
set -eu
root=$1
library=$2
shift 2
if readelf -d "$library" | grep -qE 'lib(a|t|ub)san'; then
	echo "the library needs a sanitizer's runtime, which this program would not have"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/main.c" <<'END'
#include <stdio.h>
#include "GPUPerfAPI.h"

#define eglGetCurrentContext() ((void *)&context)
#define queue ((void *)&context)
#define draw() draws++
#define launch() draws++

static int context, draws;

int main(void)
{
#include "example.h"
	printf("%u passes, %g ms\n", passes, time_ms);
	return draws != (int)passes || !(time_ms > 0);
}
END
for page in docs/gpa.md man/tacho-gpa.7.scd; do
	sed -n '/^```c\{0,1\}$/,/^```$/{/^```/!p;}' "$root/$page" >"$work/example.h"
	[ "$(grep -c GPA_ "$work/example.h")" -ge 10 ]
	"$@" -std=c99 -Wall -Werror -I"$root/include/compat" -I"$work" -o "$work/example" \
		"$work/main.c" "$library" -Wl,-rpath,"$(dirname "$library")"
	TACHO_SIM=rx480 "$work/example"
done
