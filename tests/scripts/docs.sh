#!/bin/sh
# SPDX-License-Identifier: MIT
# The pages hold together, and each public function has a comment of its own.
set -u
cd "$ROOT" || exit 1
command -v python3 >/dev/null 2>&1 || {
	echo "SKIP: python3 is not installed"
	exit 77
}
python3 tests/scripts/docs.py . "$TACHO" && python3 tests/scripts/comments.py include/tacho/*.h
