#!/bin/sh
# SPDX-License-Identifier: MIT
# How large the library is, without what debuggers need: what is built in must not make it grow past
# its limit. A build with sanitizers or without optimization is not what is installed.
#
#	size.sh LIBRARY LIMIT_KIB
command -v strip >/dev/null 2>&1 || {
	echo "SKIP: strip is not installed"
	exit 77
}
bare=$(mktemp "${TMPDIR:-/tmp}/tacho-size.XXXXXX") || exit 1
trap 'rm -f "$bare"' EXIT
strip -o "$bare" "$1" || exit 1
kib=$(($(wc -c <"$bare") / 1024))
echo "$1: $kib KiB of $2"
[ "$kib" -lt "$2" ]
