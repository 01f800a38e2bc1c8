#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes one man page: name, synopsis and options come from the command's own tables, the rest from
# a file. make-page.sh TACHO SCDOC COMMAND INPUT OUTPUT
set -eu
"$1" help --man "$3" >"$5.head"
cat "$5.head" "$4" | "$2" >"$5"
rm -f "$5.head"
