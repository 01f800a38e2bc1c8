#!/bin/sh
# SPDX-License-Identifier: MIT
# rocprofiler_words.sh SOURCE-ROOT: every word of AMD's page on counter collection is in the headers
# or in the table of replacements of docs/rocprofiler.md. The list was taken from the page; where the
# page is there, it is read too. The table of functions has all that the library exports.
set -eu
LC_ALL=C
export LC_ALL
root=$1
list=$root/tests/data/rocprofiler/words.txt
page=$root/../shared/sources/003_02ac0ea277e9a6f0.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# words FILE...: each once
words() {
	grep -hoE '\b(rocprofiler|ROCPROFILER)_[A-Za-z0-9_]+' "$@" | sort -u
}

words -r "$root/include/compat/rocprofiler-sdk" >"$work/known"
sed -n '/^## Replaced words/,/^## /p' "$root/docs/rocprofiler.md" | grep '^|' | cut -d '|' -f 2 >"$work/first"
words "$work/first" >>"$work/known"
sort -u -o "$work/known" "$work/known"
cp "$list" "$work/wanted"
if [ -r "$page" ]; then
	words "$page" >>"$work/wanted"
fi
sort -u "$work/wanted" | comm -23 - "$work/known" >"$work/missing"
if [ -s "$work/missing" ]; then
	echo "neither in the headers nor replaced in docs/rocprofiler.md:"
	cat "$work/missing"
	exit 1
fi
sed -n '/^## Functions/,/^## /p' "$root/docs/rocprofiler.md" | grep '^|' >"$work/table"
words "$work/table" | grep rocprofiler_ >"$work/told"
grep '^rocprofiler_' "$root/tests/abi/rocprofiler.symbols" >"$work/exported"
if ! cmp -s "$work/exported" "$work/told"; then
	echo "docs/rocprofiler.md tells of other functions (> told) than the library has (<):"
	diff "$work/exported" "$work/told"
	exit 1
fi
[ "$(grep -c . "$list")" -ge 40 ] || {
	echo "$list is not the list"
	exit 1
}
