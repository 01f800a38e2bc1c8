# SPDX-License-Identifier: MIT
# What docs/formulas.md says about formulas is what `tacho eval` answers.

command -v python3 >/dev/null 2>&1 || skip "python3 is not installed"
run 0 python3 "$SOURCES/tests/cli/formulas.py" "$SOURCES"
