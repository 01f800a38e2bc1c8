#!/bin/sh
# SPDX-License-Identifier: MIT
# cuda.sh LIBRARY: NVIDIA's driver loads this one. It exports what the driver calls and nothing else,
# and needs libtacho and libc alone: NVIDIA's functions are found in the process.
set -u
LC_ALL=C
export LC_ALL
exported=$(nm -D --defined-only "$1" | awk '{ print $3 }' | sort)
[ "$exported" = InitializeInjection ] || { echo "$1 exports: $exported"; exit 1; }
undefined=$(nm -D --undefined-only "$1" | awk '{ print $NF }' | grep -E '^(cu[A-Z]|cuda|cupti)')
[ -z "$undefined" ] || { echo "$1 needs NVIDIA's $undefined"; exit 1; }
needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
case $needed in
*libtacho.so*) ;;
*) echo "$1 does not need libtacho: it cannot be what was built"; exit 1 ;;
esac
others=$(echo "$needed" | grep -vE '^(libtacho\.so\.0|libc\.so\.6|libm\.so\.6|libdl\.so\.2|libpthread\.so\.0|ld-linux.*|lib(a|t|ub)san\.so\..*)$')
[ -z "$others" ] || { echo "$1 needs $others"; exit 1; }
readelf -d "$1" | grep -q NODELETE || { echo "$1 can be unloaded"; exit 1; }
