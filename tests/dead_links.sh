#!/bin/sh
# SPDX-License-Identifier: MIT
# dead_links.sh PAGE...: prints links of Markdown pages to files that are not there.
for page; do
	{
		grep -o '](\([^)]*\))' "$page" | sed -e 's/^](//' -e 's/)$//' -e 's/#.*//'
		grep -oE '(src|srcset)="[^"]*"' "$page" | sed 's/.*="\(.*\)"/\1/'
	} | sort -u |
		while read -r link; do
			case $link in '' | http*:* | */include/tacho/*) continue ;; esac
			[ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
		done
done
