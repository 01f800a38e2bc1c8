#!/bin/sh
# SPDX-License-Identifier: MIT
# gpa_numbers.sh PROGRAM LIST: enumerators and sizes are those of the reviewed list.
set -eu
"$1" | diff "$2" - || {
	echo "numbers differ from $2 (< list, > header)"
	exit 1
}
