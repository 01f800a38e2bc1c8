#!/bin/sh
# SPDX-License-Identifier: MIT
# marks.sh MARKS ROCTX: what names ranges loads these. They export what makes them what they are,
# and nothing else. The one that APIs load needs libtacho and libc alone; the one that stands in
# front of ROCTX, in every program, needs libc alone.
set -u
LC_ALL=C
export LC_ALL

# exports LIBRARY NAME...
exports() {
	library=$1
	shift
	wanted=$(printf '%s\n' "$@" | sort)
	exported=$(nm -D --defined-only "$library" | awk '{ print $3 }' | sort)
	[ "$exported" = "$wanted" ] || { echo "$library exports: $exported"; exit 1; }
	readelf -d "$library" | grep -q NODELETE || { echo "$library can be unloaded"; exit 1; }
}

# needs LIBRARY PATTERN
needs() {
	others=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE "^($2)\$")
	[ -z "$others" ] || { echo "$1 needs $others"; exit 1; }
}

libc='libc\.so\.6|libm\.so\.6|libdl\.so\.2|libpthread\.so\.0|ld-linux.*|lib(a|t|ub)san\.so\..*'
exports "$1" InitializeInjectionNvtx2 __itt_api_fini __itt_api_init tacho__roctx_get_source
needs "$1" "libtacho\.so\.0|$libc"
exports "$2" roctxMarkA roctxNameOsThread roctxProfilerPause roctxProfilerResume roctxRangePop roctxRangePushA \
	roctxRangeStartA roctxRangeStop
needs "$2" "$libc"
