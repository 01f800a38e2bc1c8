#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes one man page: name, synopsis and options come from the command's own tables, the rest from
# a file. A page that names docs/NAME.md says where these are installed.
# make-page.sh TACHO SCDOC COMMAND INPUT OUTPUT DOCUMENTS
set -eu
"$1" help --man "$3" >"$5.head"
if grep -q 'docs/[A-Za-z-]*\.md' "$4" "$5.head"; then
	printf '\n# PAGES\n\ndocs/NAME.md stands for a page in %s/docs. Where tacho was moved, *tacho help* prints the folder.\n' \
		"$(printf '%s' "$6" | sed 's/[_*\\]/\\&/g')" >"$5.pages"
else
	: >"$5.pages"
fi
sed -e "/^# SEE ALSO/,\$d" "$4" >"$5.body"
sed -n "/^# SEE ALSO/,\$p" "$4" >"$5.end"
{
	cat "$5.head" "$5.body" "$5.pages"
	echo
	cat "$5.end"
} | "$2" >"$5"
rm -f "$5.head" "$5.body" "$5.pages" "$5.end"
