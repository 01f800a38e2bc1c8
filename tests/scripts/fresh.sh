#!/bin/sh
# SPDX-License-Identifier: MIT
# long
# limit: 3000
# The two commands on a bare Debian 12.
exec sh "$ROOT/tools/fresh-check.sh"
