#!/bin/sh
# SPDX-License-Identifier: MIT
# The scripts parse as POSIX sh and call no tool that a bare machine lacks.
set -u
cd "$ROOT" || exit 1
status=0
for script in demo check .ci/run tools/*.sh packaging/*.sh tests/*.sh tests/*/*.sh bench/*.sh bench/*/*.sh; do
	sh -n "$script" || status=1
done
for script in demo check .ci/run tools/setup.sh tools/place.sh tools/driver.sh tests/harness.sh tests/one.sh; do
	if sed -e 's/#.*//' -e 's/"[^"]*"//g' -e "s/'[^']*'//g" "$script" |
		grep -n -w -E 'ps|pgrep|xz|less|file|column|curl|wget|lspci|ip|make|which|bash|perl|jq' |
		grep -v -E 'file:|-f file|\$\{?[a-z_]*file'; then
		echo "$script: uses a tool that is not on a bare machine"
		status=1
	fi
done
if command -v shellcheck >/dev/null 2>&1; then
	shellcheck -s sh -S error demo check tools/*.sh packaging/*.sh tests/*.sh bench/*.sh bench/*/*.sh ||
		status=1
fi
exit $status
