#!/bin/sh
# SPDX-License-Identifier: MIT
# The files of data/amd that a program makes are what it makes: nobody edited them by hand.
set -u
shared=$ROOT/../shared/data

if [ ! -d "$shared/gpa" ] || [ ! -d "$shared/rocm" ]; then
	echo "SKIP: ../shared/data is absent"
	exit 77
fi
if ! python3 -c 'import yaml' 2>"$WORK/log"; then
	echo "SKIP: PyYAML is not installed"
	exit 77
fi

mkdir -p "$WORK/made/amd" "$WORK/made/khronos"
cd "$ROOT" || exit 1
python3 tools/import_gpa.py "$shared/gpa" tools/gpa_descriptions.yaml \
	tests/data/gpa/document.txt "$WORK/made" || exit 1
python3 tools/import_rocm.py "$shared/rocm/counter_defs-1.0.0-schema1-20250809.yaml" \
	"$WORK/made/amd" || exit 1
status=0
for file in "$WORK"/made/*/*.yaml; do
	diff -u "data/${file#"$WORK/made/"}" "$file" >"$WORK/log" && continue
	head -20 "$WORK/log"
	status=1
done
[ "$(ls "$WORK"/made/*/*.yaml | wc -l)" = 6 ] || status=1
[ $status = 0 ] || echo "FAIL: data/ is not what the programs in tools/ make of ../shared/data"
exit $status
